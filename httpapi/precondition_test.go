package httpapi_test

import (
	"net/http"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// startsWork are the operations by POST that make no record and change none that they
// name, so that there is no record whose version they could ask for. All other operations
// that take no If-Match answer 201, or make records under other names.
var startsWork = map[string]string{
	"schedules.clone":                     "makes a schedule next to the one in the path",
	"plannerImports.synchronize":          "changes whatever of the schedule the file says otherwise",
	"microsoftProjectImports.synchronize": "changes whatever of the schedule the file says otherwise",
	"tasks.reschedule":                    "moves whatever tasks have to move",
	"qualityViolations.analyze":           "changes nothing",
	"risks.analyze":                       "changes nothing",
	"webhooks.replay":                     "is about many deliveries",
	"webhooks.test":                       "makes a delivery",
}

// makesRecords are the operations that make records and answer otherwise than with 201.
var makesRecords = []string{".createMany", ".create"}

// puts are the operations that make what they name where it is not there yet, each with
// the requests that take away what is there in its conversation.
var puts = map[string][]string{
	"taskUserFieldValues.set": nil, "resourceUserFieldValues.set": nil, "entity3dUserFieldValues.set": nil, "savedViewExtensions.set": nil, "savedViewImages.set": nil,
	"favorites.add": nil, "recents.add": nil,
	"resourceGroupUserFieldValues.set": {"DELETE /schedules/plan/resource-groups/crew/user-field-values/size"},
	"taskUserFieldValues.setMany":      {"DELETE /schedules/plan/tasks/dig/user-field-values/cost"},
	"resourceUserFieldValues.setMany":  {"DELETE /schedules/plan/resources/crane/user-field-values/owner"},
	"twinImages.set":                   {"DELETE /twins/11111111-1111-4111-8111-111111111111/image"},
}

// unversioned are the operations whose records have no version that an answer shows.
var unversioned = map[string]string{
	"entity3dUserFieldValues.set":     "is answered with 202 alone, and so are the values of 3D entities listed",
	"entity3dUserFieldValues.delete":  "as S12",
	"taskUserFieldValues.setMany":     "batches are answered without versions",
	"resourceUserFieldValues.setMany": "batches are answered without versions",
	"formComments.delete":             "comments are listed alone",
	"issueComments.delete":            "comments are listed alone",
	"formAttachments.write":           "attachments are listed alone",
	"issueAttachments.write":          "attachments are listed alone",
	"formAttachments.delete":          "attachments are listed alone",
	"issueAttachments.delete":         "attachments are listed alone",
	"favorites.add":                   "a place in a list of the caller's own",
	"favorites.remove":                "a place in a list of the caller's own",
	"recents.add":                     "a place in a list of the caller's own",
	"savedViewImages.set":             "the image of a view is answered as an address",
}

// versionAt is where the version is shown that an operation asks for, where that is not
// at the operation's own path: as a path from there. Names stand for the members of the
// request's body.
var versionAt = map[string]string{
	"resourceGroups.addResources": "..", "resourceGroups.removeResources": "..",
	"owners.delete":               "../../NAME",
	"invitations.accept":          "..",
	"realityData.associate":       "../..",
	"realityData.dissociate":      "../..",
	"realityData.move":            "..",
	"detectorVersions.complete":   "../../..",
	"detectorVersions.publish":    "../../..",
	"detectorVersions.unpublish":  "../../..",
	"detectorVersions.delete":     "../..",
	"deliveries.redeliver":        "..",
	"formDefinitions.setSecurity": "../../../forms/formDefinitions/NAME",
	"formDefinitions.delete":      "../../../forms/formDefinitions/NAME",
	"savedViewExtensions.set":     "extensionName",
	"files.update":                ".",
}

// shownBy are requests of which the last is answered with the version that an operation
// asks for, where no other answer shows it.
var shownBy = map[string][]string{
	"taskUserFieldValues.delete": {
		"POST /schedules/plan/tasks/user-field-values\n\n" + `{"taskId": "dig", "userFieldId": "cost", "floatValue": 12.5}`,
	},
	"resourceUserFieldValues.delete": {
		"POST /schedules/plan/resources/user-field-values\n\n" + `{"resourceId": "crane", "userFieldId": "owner", "stringValue": "us"}`,
	},
	"resourceGroupUserFieldValues.delete": {
		"POST /schedules/plan/resource-groups/user-field-values\n\n" + `{"resourceGroupId": "crew", "userFieldId": "size", "intValue": 12}`,
	},
	"codeValueAssignments.delete": {
		"DELETE /schedules/plan/tasks/dig/code-value-assignments/groundwork\n",
		"POST /schedules/plan/tasks/code-value-assignments\n\n" + `{"taskId": "dig", "codeValueId": "groundwork"}`,
	},
}

// changes are the operations of all areas that change something, each as a request of
// its conversation that succeeds, with what comes before it.
type changing struct {
	httpapi.Operation
	world   func(testing.TB, ground) *httpapi.Handler
	before  []step
	request string
	status  string
}

func changes(t *testing.T) (all []changing) {
	t.Helper()
	handlers := make(map[string]*httpapi.Handler)
	conversations := everyScenario(t)
	for _, o := range httpapi.Operations() {
		if o.Method == http.MethodGet || o.Method == http.MethodOptions {
			continue
		}
		s := conversations[o.ID]
		if s == nil {
			t.Errorf("%s has no conversation", o.ID)
			continue
		}
		folder := s.folder()
		if handlers[folder] == nil {
			handlers[folder] = farWorlds[folder](t, ground{store: memory.New()})
		}
		i := slices.IndexFunc(s.steps, func(st step) bool {
			_, method, target := requestLine(st.request)
			found, _ := handlers[folder].OperationOf(request(method, target))
			return found.ID == o.ID && strings.HasPrefix(st.answer, "2") && !strings.Contains(st.request, "If-")
		})
		if i < 0 {
			t.Errorf("%s never succeeds", o.ID)
			continue
		}
		status, _, _ := strings.Cut(s.steps[i].answer, "\n")
		all = append(all, changing{o, farWorlds[folder], s.steps[:i], s.steps[i].request, status})
	}
	return all
}

// with is a request with one more header.
func with(request, header string) string {
	head, body, _ := strings.Cut(strings.TrimRight(request, "\n")+"\n", "\n\n")
	return strings.TrimRight(head, "\n") + "\n" + header + "\n\n" + body
}

// there is a world in which a change is about to be made to records that are there.
type there struct {
	changing
	store   storage.Store
	handler *httpapi.Handler
	talk    conversation
	shown   string // the version that the latest change was answered with
}

func (m changing) in(t *testing.T) *there {
	t.Helper()
	w := &there{changing: m, store: memory.New()}
	w.handler = m.world(t, ground{store: w.store})
	for _, st := range m.before {
		w.talk.shown(t, w.talk.send(t, w.handler, st.request))
	}
	return w
}

// send sends a request and holds its answer to a status; 409 is reported with the header
// that does not hold.
func (w *there) send(t *testing.T, status, request, header string) {
	t.Helper()
	before := dump(t, w.store)
	sent := request
	if header != "" {
		sent = with(request, header)
	}
	answer := w.talk.send(t, w.handler, sent)
	checkAnswer(t, answer)
	w.talk.shown(t, answer)
	got := shown(answer)
	if !strings.HasPrefix(got, status) {
		t.Errorf("%s: %s, want %s", header, got, status)
	}
	if status[0] == '2' {
		w.shown = answer.Header().Get("ETag")
		return
	}
	name, _, _ := strings.Cut(header, ":")
	shown := strings.Contains(got, quoted("target", name))
	if !shown || status == "409" && !strings.Contains(got, quoted("code", "VersionMismatch")) {
		t.Errorf("%s: %s", header, got)
	}
	if diff := cmp.Diff(before, dump(t, w.store)); diff != "" {
		t.Errorf("%s: refused, and written all the same:\n%.2000s", header, diff)
	}
}

// dump is all that a store holds.
func dump(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := s.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			all[key] = string(value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// versions are those of the records that the request changes, as a list.
func (w *there) versions(t *testing.T) string {
	t.Helper()
	for _, request := range shownBy[w.ID] {
		w.send(t, "2", request, "")
	}
	if w.shown != "" {
		return w.shown
	}
	caller, _, target := requestLine(w.request)
	at, query, _ := strings.Cut(target, "?")
	at = strings.TrimSuffix(at, "/")
	var from []string
	_, ids, several := strings.Cut(query, "Ids=")
	switch where, other := versionAt[w.ID]; {
	case other:
		where = strings.ReplaceAll(where, "NAME", path.Base(at))
		if where == "extensionName" {
			where = member(w.request, where)
		}
		from = []string{path.Join(at, where)}
	case several:
		ids, _, _ = strings.Cut(ids, "&")
		for id := range strings.SplitSeq(strings.ReplaceAll(ids, "%2C", ","), ",") {
			from = append(from, at+"/"+id)
		}
	case strings.HasSuffix(w.ID, ".updateMany"):
		for i, part := range strings.Split(w.request, `"id"`) {
			if i > 0 {
				from = append(from, at+"/"+strings.Split(part, `"`)[1])
			}
		}
	default:
		from = []string{at}
	}
	var tags []string
	for _, target := range from {
		for _, who := range []string{caller, "writer", "admin", "owner", "keeper"} {
			answer := w.talk.send(t, w.handler, "as "+who+"\nGET "+target+"\n\n")
			if tag := answer.Header().Get("ETag"); tag != "" && answer.Code == http.StatusOK {
				tags = append(tags, tag)
				break
			}
		}
	}
	if len(tags) != len(from) {
		t.Fatalf("no version of %q", from)
	}
	return strings.Join(tags, ", ")
}

// member is a text in the body of a request.
func member(request, name string) string {
	_, rest, _ := strings.Cut(request, `"`+name+`"`)
	return strings.Split(rest, `"`)[1]
}

// TestEveryChangeHonoursPreconditions goes over the rows of the route table.
func TestEveryChangeHonoursPreconditions(t *testing.T) {
	t.Parallel()
	all := changes(t)
	for _, m := range all {
		if !inSample(m.ID) {
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			if !m.Conditional {
				m.refusesIfMatch(t)
				return
			}
			m.honours(t)
		})
	}
	for name, list := range map[string][]string{
		"startsWork": keysOf(startsWork), "puts": keysOf(puts), "unversioned": keysOf(unversioned),
		"versionAt": keysOf(versionAt), "toldBy": keysOf(shownBy),
	} {
		for _, id := range list {
			i := slices.IndexFunc(all, func(m changing) bool { return m.ID == id })
			if i < 0 || all[i].Conditional != (name != "startsWork") {
				t.Errorf("%s names %s, which is no such operation", name, id)
			}
		}
	}
}

func keysOf[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}

// refusesIfMatch holds an operation that changes no record to refusing a version.
func (m changing) refusesIfMatch(t *testing.T) {
	t.Helper()
	named := func(verb string) bool { return strings.HasSuffix(m.ID, verb) }
	makes := m.status == "201" || slices.ContainsFunc(makesRecords, named)
	if _, starts := startsWork[m.ID]; m.Method != http.MethodPost || makes == starts {
		t.Errorf("%s %s takes no If-Match: it makes records: %t, starts work: %t", m.Method, m.Path, makes, starts)
	}
	w := m.in(t)
	w.send(t, "4", m.request, `If-Match: "x"`)
	w.send(t, "4", m.request, `If-Match: *`)
	w.send(t, m.status, m.request, `If-None-Match: *`)
}

// honours holds an operation to the preconditions of a request.
func (m changing) honours(t *testing.T) {
	t.Helper()
	if clear, is := puts[m.ID]; is {
		w := m.in(t)
		for _, request := range clear {
			w.send(t, "2", request, "")
		}
		w.send(t, "409", m.request, `If-Match: "x"`)
		w.send(t, "409", m.request, `If-Match: *`)
		w.send(t, m.status, m.request, `If-None-Match: *`)
		w.honours(t)
		return
	}
	m.in(t).honours(t)
	w := m.in(t)
	w.send(t, m.status, m.request, "If-Match: *")
}

func (w *there) honours(t *testing.T) {
	t.Helper()
	for _, header := range []string{
		`If-Match: "x"`, `If-Match: W/"x", "y"`, "If-Match: ,", "If-None-Match: *", `If-None-Match: "x", *`,
	} {
		w.send(t, "409", w.request, header)
	}
	if _, untold := unversioned[w.ID]; untold {
		w.send(t, w.status, w.request, `If-None-Match: "x"`)
		return
	}
	right := w.versions(t)
	w.send(t, "409", w.request, "If-None-Match: "+right)
	w.send(t, w.status, w.request, `If-Match: "x", `+right)
}

// makers are the methods of services that take no precondition and begin so: they make
// records, or start work that changes whatever has to change.
var makers = map[string]bool{
	"Create": true, "Restore": true, "Clone": true, "Import": true, "Export": true, "Synchronize": true, "Run": true, "Purge": true,
	"Finish": true, "SendTest": true, "Reschedule": true,
}

// withoutPrecondition are the other methods that take none.
var withoutPrecondition = map[string]string{
	"schedules.EndDue": "ends what says itself when it ends", "twins.Know": "notes who has called", "realitydata.WriteAccess": "gives an address",
	"realitydata.ContainerChanged": "measures what was written",
	"transform.EndMembership":      "is called by another area when a membership ends, in the transaction that ends it",
	"webhooks.PermissionsChange":   "is called by another area when rights change, in the transaction that changes them",
}

// TestEveryMethodThatChangesARecordTakesPreconditions goes over the methods of the services.
func TestEveryMethodThatChangesARecordTakesPreconditions(t *testing.T) {
	t.Parallel()
	failure, precondition := reflect.TypeFor[error](), reflect.TypeFor[[]twinplatform.Precondition]()
	verbs := regexp.MustCompile(`^(Delete|Remove|Update|Set|Write|Append|Accept|Cancel|Redeliver|Move|Measure)`)
	seen := make(map[string]bool)
	for _, service := range []reflect.Type{
		reflect.TypeFor[*schedules.Service](), reflect.TypeFor[schedules.Plan](), reflect.TypeFor[*forms.Service](),
		reflect.TypeFor[*twinsapi.Service](), reflect.TypeFor[*webhooks.Service](), reflect.TypeFor[*realitydata.Service](),
		reflect.TypeFor[*transform.Service](), reflect.TypeFor[planfiles.Plan](), reflect.TypeFor[scheduling.Plan](),
	} {
		for m := range service.Methods() {
			out := m.Type.NumOut()
			if out == 0 || m.Type.Out(out-1) != failure {
				continue
			}
			takes := m.Type.IsVariadic() && m.Type.In(m.Type.NumIn()-1) == precondition
			writes := out == 1 || strings.Contains(m.Type.Out(0).Name(), "Result[") || verbs.MatchString(m.Name)
			name := strings.TrimPrefix(service.String(), "*")
			name = strings.TrimSuffix(strings.TrimSuffix(name, "Service"), "Plan") + m.Name
			_, exempt := withoutPrecondition[name]
			for verb := range makers {
				if makes := writes && !takes && strings.HasPrefix(m.Name, verb); makes {
					exempt, seen[verb] = true, true
				}
			}
			if writes && !takes && !exempt {
				t.Errorf("%s changes something and takes no precondition", name)
			}
			if !writes && takes {
				t.Errorf("%s takes a precondition, and looks as if it changed nothing", name)
			}
			if _, named := withoutPrecondition[name]; named && !takes {
				seen[name] = true
			}
		}
	}
	for _, name := range append(keysOf(withoutPrecondition), keysOf(makers)...) {
		if !seen[name] {
			t.Errorf("%s is not to be exempt", name)
		}
	}
}
