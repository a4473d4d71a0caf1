package console

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Bounds of the page with the operations of all areas: of how many schedules and
// configurations of transformations they are, how many of each of these and of each other
// kind, and how many are shown.
const (
	schedulesWithOperations = 100
	configurationsWithRuns  = 100
	latestOperations        = 20
	shownOperations         = 200
)

// work is something that takes long, of any area.
type work struct {
	ID, Kind string
	Created  string // as the API has it
	State    string // of workStates
	Status   string // as the area calls it
	Percent  string // empty where it is not known
	Of       string // what it is about
	Path     string // of its page, below the console's; empty where it has none
	Held     bool
	Failure  *failureView
}

// failureView is why an operation failed, and what to do about it.
type failureView struct {
	Code, Reason, Advice string
	Again                string // the address of a form to try it again; empty for none
}

func failureOf(code, reason, again string) *failureView {
	return &failureView{Code: code, Reason: shortened(reason, 200), Advice: adviceOn(code), Again: again}
}

// workStates are the states of work in the order of the page.
var workStates = []struct{ name, title string }{
	{"running", "In progress"}, {"held", "Held"}, {"failed", "Failed"}, {"done", "Succeeded"},
}

// statesOf are the states by what areas call them, in lower case.
var statesOf = map[string]string{
	"succeeded": "done", "completed": "done", "success": "done", "finished": "done",
	"failed": "failed", "cancelled": "failed", "aborted": "failed",
}

// stateOf is the state by what an area calls it: what has not ended is in progress.
func stateOf(status string) string { return cmp.Or(statesOf[strings.ToLower(status)], "running") }

// operationsView is the list of the latest operations of all areas.
type operationsView struct {
	*request
	States []stateView
	Work   []work
	Note   string
	Holds  *holdsView
}

// stateView narrows the list to a state, and says how many there are of it.
type stateView struct {
	Link, ID, Title string
	Chosen          bool
	Count           int
}

// operationsOfAll are the latest operations of all schedules that the viewer sees, and the
// runs, jobs and exports of the other areas: newest first.
func operationsOfAll(r *request) (view, error) {
	all, left, err := r.work()
	if err != nil {
		return view{}, err
	}
	shown := all
	if state := r.Query("state"); state != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(w work) bool { return w.State != state })
	}
	more := max(len(shown)-shownOperations, 0)
	note := "Schedules: the latest " + strconv.Itoa(latestOperations) +
		" of each. The page of a schedule has the others."
	if left.schedules {
		note += " Only the first " + strconv.Itoa(schedulesWithOperations) + " schedules are included."
	}
	if left.configurations {
		note += " Only the runs of the first " + strconv.Itoa(configurationsWithRuns) + " transformations are included."
	}
	if more > 0 {
		note += " " + plural(more, "older operation") + " are left out."
	}
	return r.show("operations", operationsView{
		request: r, States: r.states(all), Work: shown[:len(shown)-more], Note: note, Holds: r.holds("/operations"),
	})
}

// states are those of work with their counts.
func (r *request) states(all []work) []stateView {
	counts := make(map[string]int)
	for i := range all {
		counts[all[i].State]++
	}
	view := func(name, title string, n int) stateView {
		return stateView{r.Here("state", name), "state-" + cmp.Or(name, "all"), title, r.Query("state") == name, n}
	}
	views := []stateView{view("", "All", len(all))}
	for _, s := range workStates {
		views = append(views, view(s.name, s.title, counts[s.name]))
	}
	return views
}

// leftOut says what a list of work has not looked at.
type leftOut struct{ schedules, configurations bool }

// work is all of it, newest first. Schedules and configurations are asked a few at a time,
// so that a viewer who sees many does not wait for each of them in turn.
func (r *request) work() (all []work, left leftOut, err error) {
	twins, more, err := r.twinsOf("")
	if err != nil {
		return nil, left, err
	}
	plans, morePlans, err := ofTwins(twins, schedulesWithOperations, r.plansOfTwin)
	if err != nil {
		return nil, left, err
	}
	var transformed []object
	if r.console.areas["transformations"] {
		transformed, left.configurations, err = ofTwins(twins, configurationsWithRuns, r.configurationsOf)
		if err != nil {
			return nil, left, err
		}
	}
	left.schedules, left.configurations = more || morePlans, left.configurations || more && len(transformed) > 0
	held := r.held()
	var asks []func() ([]work, error)
	for i := range plans {
		asks = append(asks, func() ([]work, error) { return r.workOfSchedule(&plans[i], held) })
	}
	for _, c := range transformed {
		asks = append(asks, func() ([]work, error) { return r.runsOf(c) })
	}
	for i := range workSources {
		asks = append(asks, func() ([]work, error) { return r.workOf(&workSources[i]) })
	}
	parts, err := askAll(len(asks), func(i int) ([]work, error) { return asks[i]() })
	if err != nil {
		return nil, left, err
	}
	all = slices.Concat(parts...)
	slices.SortStableFunc(all, func(a, b work) int {
		return cmp.Or(cmp.Compare(b.Created, a.Created), cmp.Compare(b.ID, a.ID))
	})
	return all, left, nil
}

// ofTwins are the first records of what twins hold, at most so many, and whether there are
// more. Twins are asked a few at a time, until there are enough.
func ofTwins[T any](twins []object, most int, ask func(object) ([]T, error)) (all []T, more bool, err error) {
	for some := range slices.Chunk(twins, askedAtOnce) {
		parts, err := askAll(len(some), func(i int) ([]T, error) { return ask(some[i]) })
		if err != nil {
			return nil, false, err
		}
		if all = append(all, slices.Concat(parts...)...); len(all) > most {
			return all[:most], true, nil
		}
	}
	return all, false, nil
}

// plansOfTwin are the schedules of a twin.
func (r *request) plansOfTwin(twin object) ([]planRow, error) {
	plans, _, err := r.schedulesOf(twin, false)
	return plans, err
}

// configurationsOf are the configurations of the transformations into models of a twin.
func (r *request) configurationsOf(twin object) ([]object, error) {
	list, _, err := r.objects("/transformations/configurations?"+queryOf([]string{
		"projectId", twin.text("id"), "$top", strconv.Itoa(configurationsWithRuns),
	}), "configurations")
	return list, unlessNone(err)
}

// unlessNone leaves out the refusals of what the viewer has nothing of.
func unlessNone(err error) error {
	if refusedWith(
		err, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusBadRequest,
	) {
		return nil
	}
	return err
}

// workOfSchedule are the latest operations of a schedule. One that has gone has none.
func (r *request) workOfSchedule(p *planRow, held []string) (all []work, err error) {
	path := at("schedules", p.id)
	found, _, err := r.objects(path+"/operations?$top="+strconv.Itoa(latestOperations), "operations")
	if err != nil && !refusedWith(err, http.StatusForbidden, http.StatusNotFound) {
		return nil, err
	}
	for _, o := range found {
		created, _ := o.at("createdAt").(string)
		w := work{
			ID: o.text("id"), Kind: o.text("kind"), Created: created, State: stateOf(o.text("status")),
			Status: o.text("status"), Percent: o.text("percentComplete"), Of: p.name,
			Path: path + at("operations", o.text("id")), Held: slices.Contains(held, o.text("id")),
		}
		if w.Held {
			w.State = "held"
		}
		if w.State == "failed" {
			again := r.tryAgain(w.Kind, "path.scheduleId", p.id)
			w.Failure = failureOf(o.text("failureCode"), o.text("failureDescription"), again)
		}
		all = append(all, w)
	}
	return all, nil
}

// tryAgain is the address of the form of an operation; empty where it changes nothing.
func (r *request) tryAgain(operation string, values ...string) string {
	if !r.Writable() {
		return ""
	}
	return r.Link(at("try", operation), values...)
}

// runsOf are the latest runs of a configuration.
func (r *request) runsOf(configuration object) (all []work, err error) {
	list, _, err := r.objects("/transformations?"+queryOf([]string{
		"configurationId", configuration.text("id"), "OrderBy", "createdDateTime desc",
		"$top", strconv.Itoa(latestOperations),
	}), "transformations", header{"Prefer", "return=representation"})
	for _, o := range list {
		created, _ := o.at("createdDateTime").(string)
		w := work{
			ID: o.text("id"), Kind: "Transformation", Created: created, Status: o.text("status"),
			State: stateOf(o.text("status")), Of: cmp.Or(configuration.text("transformName"), configuration.text("id")),
			Path: "/browse" + at("transformations", o.text("id")), Percent: "0",
		}
		if total := o.int("totalElementCount"); w.State == "done" {
			w.Percent = "100"
		} else if total > 0 {
			w.Percent = strconv.FormatInt(100*o.int("processedElementCount")/total, 10)
		}
		if w.State == "failed" {
			again := r.tryAgain("transformations.create")
			w.Failure = failureOf(o.text("errorCode"), o.text("errorMessage"), again)
		}
		all = append(all, w)
	}
	return all, unlessNone(err)
}

// workSource is a list of what takes long in an area other than schedules.
type workSource struct{ area, list, member, kind, state, again string }

var workSources = []workSource{
	{"twins", "/twins/exports", "exports", "Export of twins", "status", "exports.create"},
	{
		"reality data", "/reality-conversion/jobs", "jobs", "Conversion of reality data", "state",
		"conversionJobs.create",
	},
	{"detectors", "/reality-analysis/jobs", "jobs", "Analysis of reality data", "state", "analysisJobs.create"},
}

// workOf are the latest exports or jobs of an area.
func (r *request) workOf(s *workSource) (all []work, err error) {
	if !r.console.areas[s.area] {
		return nil, nil
	}
	list, _, err := r.objects(s.list+"?$top="+strconv.Itoa(latestOperations), s.member)
	for _, o := range list {
		created, _ := o.at("createdDateTime").(string)
		w := work{
			ID: o.text("id"), Kind: s.kind, Created: created, Status: o.text(s.state), State: stateOf(o.text(s.state)),
			Of: o.text("name"),
		}
		if w.State == "done" {
			w.Percent = "100"
		}
		if w.State == "failed" {
			reason := cmp.Or(o.text("failureDescription"), o.text("errorMessage"))
			w.Failure = failureOf("", reason, r.tryAgain(s.again))
		}
		all = append(all, w)
	}
	return all, unlessNone(err)
}

// advice is what to do about failures, by the end of their codes.
var advice = []struct{ end, text string }{
	{"AlreadyExists", "Send it with another id, or change the record that has this one."},
	{"NotFound", "What it names was deleted, or never existed: look up the id, and send it again."},
	{"NotInitialized", "Import a plan or create a task first, and send it again."},
	{"Conflict", "Something changed meanwhile: read the record again, and send the change with its new ETag."},
	{
		"PreconditionFailed",
		"Something changed meanwhile: read the record again, and send the change with its new ETag.",
	},
	{"StorageFull", "Delete what is not needed any more, or ask for more room, and send it again."},
	{"LimitExceeded", "Send it in smaller parts."},
	{"Cycle", "Remove one of the links of the cycle, and send it again."},
	{"InternalServerError", "Send it again. If it fails again, the log of the server has the cause."},
}

// adviceOn is what to do about a failure.
func adviceOn(code string) string {
	for _, a := range advice {
		if strings.HasSuffix(code, a.end) {
			return a.text
		}
	}
	return "Change the request as the reason says, and send it again."
}
