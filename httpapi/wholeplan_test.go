package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/plantest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/planner/cli"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// planKnown is what of a file is known to be otherwise.
type planKnown struct {
	moves, finds string
	members      map[string]string // of package planner that come out otherwise
}

var plansKnown = map[string]planKnown{
	"MultiprojectWithExternal.xml": {members: because(notInFile, "Dates.Critical Dates.DrivingPath")},
	"BaselineProjects.xml": {members: because(notInFile, "Calendar.Exceptions Dates.Critical Dates.DrivingPath Dates.EarlyFinish Dates.EarlyStart "+
		"Dates.LateFinish Dates.LateStart Dates.PlannedFinish")},
	"p6-5.0-roles-resources.xer": {
		finds:   "the dates of the file do not follow from its logic, and what nothing precedes stays where it is planned",
		members: because(notInFile, "Dates.DrivingPath Dates.EarlyFinish Dates.EarlyStart Dates.FreeFloat Dates.LateFinish Dates.LateStart Dates.TotalFloat"),
	},
	"update-2.xer":                  begunUpdate,
	"update-3.xer":                  begunUpdate,
	"update-4.xer":                  begunUpdate,
	"update-5.xer":                  begunUpdate,
	"expected-finish-behind-ff.xer": begunUpdate,
	"level-of-effort.xer": {
		members: because(ofHammocks, "Dates.PlannedStart Dates.Start Task.ActualStart Task.Duration Task.Planned Task.Remaining"),
	},
	"taskjuggler.xml": {
		finds: begunByHand,
		members: map[string]string{
			"Assignment.Finish": begunByHand, "Dates.EarlyFinish": begunByHand, "Dates.EarlyStart": begunByHand, "Dates.Finish": begunByHand,
			"Dates.LateStart": begunByHand,
			"Resource.Code":   "a resource without a number has one in the export, which is its code",
			"Task.Costs":      "the file has costs of what resources do alone, and those of tasks are their sum",
		},
	},
}

// begunUpdate is of a task that has begun, in the monthly updates behind the first.
var begunUpdate = planKnown{members: because(finishFollows, "Dates.PlannedFinish")}

// because gives members one reason.
func because(why, members string) map[string]string {
	all := make(map[string]string)
	for member := range strings.FieldsSeq(members) {
		all[member] = why
	}
	return all
}

// Why files come out otherwise.
const (
	finishFollows = "a schedule keeps the planned start and duration of a task that has begun, from which the planned finish follows"
	ofHammocks    = "a schedule derives the dates and the duration of a hammock, and ignores its progress"
	begunByHand   = "work that has begun continues by what remains of it, though its task is by hand, and none is done at midnight"
	notInFile     = "the file does not have all that its planner computes, and has days off twice"
)

// notKept are the members of P6 that a schedule does not keep, of any file.
var notKept = map[string]string{
	"Calendar.ProjectID": "calendars of a schedule are for all that is in it",
	"Code.ProjectID":     "codes of a schedule are for all that is in it",
	"Code.Scope":         "codes of a schedule are for all that is in it",
	"Task.TemplateID":    "an import knows a task by it, and keeps no more than that",
}

// unkept reports whether a member is gone that no schedule keeps.
func unkept(file *planner.Plan, member, lost string) bool {
	return file.Format != planner.MSPDI && notKept[member] != "" && strings.HasSuffix(lost, `, then ""`)
}

// scheduled reports whether the planner of a file has computed dates.
func scheduled(file *planner.Plan) bool {
	return slices.ContainsFunc(file.Tasks, func(x planner.Task) bool { return x.File.LateFinish != 0 })
}

// TestPlanGoesOverTheAPIAndOutAgain imports every planner file in testdata and random plans over HTTP: a dry run
// of a rescheduling changes nothing, the analyses are those of the command, the export says in
// every member what the file says, and its import into another schedule makes the same one.
func TestPlanGoesOverTheAPIAndOutAgain(t *testing.T) {
	t.Parallel()
	files, err := plantest.Files("..")
	if err != nil || len(files) < 5 {
		t.Fatalf("there are %d planner files: %v", len(files), err)
	}
	seeds := testsize.Of(500, 12)
	for name, content := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			goesOverTheAPI(t, content, plansKnown[name])
		})
	}
	formats := []planner.Format{planner.XER, planner.P6XML, planner.MSPDI}
	for seed := range uint64(seeds) {
		format := formats[seed%3]
		t.Run(fmt.Sprint(format, " ", seed), func(t *testing.T) {
			t.Parallel()
			content, err := plantest.Random(seed, format)
			if err != nil {
				t.Fatal(err)
			}
			goesOverTheAPI(t, content, planKnown{})
		})
	}
	for name := range plansKnown {
		if files[name] == nil {
			t.Errorf("there is no planner file %s, which has exceptions", name)
		}
	}
}

// overHTTP is a server of schedules.
type overHTTP struct {
	*testing.T

	h http.Handler
}

func serveSchedules(t *testing.T) overHTTP {
	t.Helper()
	root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	svc := schedules.New(memory.New(), schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	h, err := httpapi.New(httpapi.Config{Schedules: svc, Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": root})})
	if err != nil {
		t.Fatal(err)
	}
	return overHTTP{t, h}
}

// call makes a request that is to succeed, and returns the answer.
func (o overHTTP) call(method, path, body string, head ...string) []byte {
	o.Helper()
	w := ask(o.h, method, path, body, append(head, "Authorization: Bearer root")...)
	if w.Code/100 != 2 {
		o.Fatalf("%s %s answers %d %s", method, path, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// importFile imports a file into a schedule, and returns what was changed.
func (o overHTTP) importFile(schedule string, content []byte) synchronizers.SynchronizationDetails {
	o.Helper()
	var made struct{ File struct{ ID string } }
	o.read(&made, http.MethodPost, "/schedules/"+schedule+"/files", "", "Tus-Resumable: 1.0.0", "Upload-Length: "+strconv.Itoa(len(content)))
	o.call(http.MethodPatch, "/schedules/"+schedule+"/files/"+made.File.ID, string(content), "Tus-Resumable: 1.0.0", "Upload-Offset: 0", "Content-Type: application/offset+octet-stream")
	kind := "planner"
	if bytes.Contains(content, []byte("schemas.microsoft.com/project")) {
		kind = "microsoft-project"
	}
	path := "/schedules/" + schedule + "/imports/" + kind
	o.call(http.MethodPost, path, fmt.Sprintf(`{"fileId":%q,"synchronizerId":"one"}`, made.File.ID))
	var members map[string]stdjson.RawMessage
	o.read(&members, http.MethodGet, path+"/synchronizers/one", "")
	var y synchronizers.Synchronizer
	for name, text := range members {
		if !strings.HasPrefix(name, "_") {
			if err := stdjson.Unmarshal(text, &y); err != nil {
				o.Fatal(err)
			}
		}
	}
	return y.SynchronizationDetails
}

// read makes a request, and reads the answer into a value.
func (o overHTTP) read(into any, method, path, body string, head ...string) {
	o.Helper()
	text := o.call(method, path, body, head...)
	if err := stdjson.Unmarshal(text, into); err != nil {
		o.Fatalf("%s %s answers %s: %v", method, path, text, err)
	}
}

// all reads a list of records with all its pages.
func all[T any](o overHTTP, path string) (records []T) {
	o.Helper()
	for path != "" {
		var page map[string]stdjson.RawMessage
		o.read(&page, http.MethodGet, path, "")
		var links struct{ Next struct{ Href string } }
		for name, text := range page {
			var some []T
			if name == "_links" {
				if err := stdjson.Unmarshal(text, &links); err != nil {
					o.Fatal(err)
				}
			} else if stdjson.Unmarshal(text, &some) == nil {
				records = append(records, some...)
			}
		}
		path = strings.TrimPrefix(links.Next.Href, "https://api.test")
	}
	return records
}

// analyzed is what the command planner analyze prints of a file, of its tasks by their names
// and codes.
func analyzed(t *testing.T, content []byte) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if err := cli.Run("planner", []string{"analyze", "-json", path}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); err != nil {
		t.Fatalf("planner analyze: %v %s", err, &errs)
	}
	var document struct {
		Projects []struct {
			Tasks []struct {
				Code, Name, Type, ExternalID string
				Computed                     foundDates
			}
		}
	}
	if err := stdjson.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatalf("%v of %s", err, &out)
	}
	found := make(map[string][]string)
	for _, p := range document.Projects {
		for _, x := range p.Tasks {
			if x.Type != "WBS" && x.Type != "Summary" {
				found[x.Name] = append(found[x.Name], x.Computed.String())
			}
		}
	}
	return joined(found)
}

func joined(found map[string][]string) map[string]string {
	out := make(map[string]string)
	for name, lines := range found {
		slices.Sort(lines)
		out[name] = strings.Join(lines, "\n")
	}
	return out
}

// foundDates are what a scheduling finds of a task, by their names in the API and in the
// command.
type foundDates struct {
	EarlyStart, EarlyFinish, LateStart, LateFinish string
	TotalFloat, FreeFloat                          int64
	Critical, DrivingPath                          bool
}

func (d foundDates) String() string {
	short := func(s string) string { return strings.TrimSuffix(s, "Z") }
	return fmt.Sprint(short(d.EarlyStart), " ", short(d.EarlyFinish), " ", short(d.LateStart), " ", short(d.LateFinish), " ", d.TotalFloat, " ", d.FreeFloat, " ", d.Critical)
}

// analyses are what the API computes for the tasks of a schedule, by their names.
func (o overHTTP) analyses(schedule string) map[string]string {
	o.Helper()
	tasks := make(map[string]schedules.Task)
	for _, x := range all[schedules.Task](o, "/schedules/"+schedule+"/tasks") {
		tasks[x.ID] = x
	}
	found := make(map[string][]string)
	for _, a := range all[struct {
		TaskID, EarlyStart, EarlyFinish, LateStart, LateFinish string
		DownstreamTotalFloat, DownstreamFreeFloat              int64
		IsCritical                                             bool
	}](o, "/schedules/"+schedule+"/tasks/scheduling-analyses") {
		if x := tasks[a.TaskID]; !x.IsWBS {
			d := foundDates{a.EarlyStart, a.EarlyFinish, a.LateStart, a.LateFinish, a.DownstreamTotalFloat, a.DownstreamFreeFloat, a.IsCritical, false}
			found[x.Name] = append(found[x.Name], d.String())
		}
	}
	return joined(found)
}

// exported makes a file of a schedule.
func (o overHTTP) exported(schedule string, format planner.Format) []byte {
	o.Helper()
	o.call(http.MethodPost, "/schedules/"+schedule+"/exports/planner", fmt.Sprintf(`{"format":%q,"synchronizerId":"out"}`, format))
	return o.call(http.MethodGet, "/schedules/"+schedule+"/exports/planner/synchronizers/out/file", "")
}

// goesOverTheAPI holds one file to all of that.
func goesOverTheAPI(t *testing.T, content []byte, known planKnown) {
	t.Helper()
	differs := func(known, what, diff string) {
		t.Helper()
		if (known != "") != (diff != "") {
			t.Errorf("%s (known: %q):\n%s", what, known, diff)
		}
	}
	file, err := planner.Read(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	o := serveSchedules(t)
	for _, id := range []string{"plan", "again"} {
		o.call(http.MethodPost, "/schedules", fmt.Sprintf(`{"id":%q,"name":%q,"twinId":"tower"}`, id, file.Projects[0].Name))
	}
	o.importFile("plan", content)
	var dry struct {
		TaskChangeCount int
		TaskChanges     []map[string]any
	}
	o.read(&dry, http.MethodPost, "/schedules/plan/tasks/reschedule?dryRun=true", "")
	moved := ""
	if dry.TaskChangeCount > 0 {
		moved = fmt.Sprint(dry.TaskChanges)
	}
	differs(known.moves, "a rescheduling moves tasks", moved)
	differs(known.finds, "the analyses are not those of the command (-command +API)", cmp.Diff(analyzed(t, content), o.analyses("plan")))
	out := o.exported("plan", file.Format)
	is, err := planner.Read(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if !scheduled(file) { // what no planner has computed, an export has as it follows from the file
		if err := plantest.Compute(file); err != nil {
			t.Fatal(err)
		}
	}
	lost := plantest.Differences(file, is)
	for _, member := range slices.Sorted(maps.Keys(lost)) {
		if known.members[member] == "" && !unkept(file, member, lost[member]) {
			t.Errorf("the export has another %s: %s", member, lost[member])
		}
	}
	for member, why := range known.members {
		if lost[member] == "" {
			t.Errorf("%s is as in the file, and needs no exception (%s)", member, why)
		}
	}
	o.importFile("again", out)
	again, err := planner.Read(bytes.NewReader(o.exported("again", file.Format)))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	if diff := plantest.Differences(is, again); len(diff) > 0 {
		text = fmt.Sprint(diff)
	}
	differs("", "the export makes another schedule", text)
	second := o.importFile("again", out)
	for what, counts := range map[string]synchronizers.SynchronizationCounts{"created": second.Created, "updated": second.Updated, "deleted": second.Deleted} {
		text, err := stdjson.Marshal(counts)
		if err != nil {
			t.Fatal(err)
		}
		var n map[string]*int
		if err := stdjson.Unmarshal(text, &n); err != nil {
			t.Fatal(err)
		}
		for sort, count := range n {
			if count != nil && *count != 0 {
				t.Errorf("the export, imported once more: %d %s %s", *count, sort, what)
			}
		}
	}
}
