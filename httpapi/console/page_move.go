package console

import (
	"cmp"
	"net/http"
	"time"
)

// moveBox is the form for another start or finish of a task.
type moveBox struct {
	Path          string // of the page, below the console's
	Action, Free  string // addresses: of the preview, and of that without the constraint that there is
	Start, Finish string // as they are, or as they were typed
	Zone          string
	Held          string // by what the task is held
	Fixed         string // why it cannot be moved
	Wrong         string // what was typed
	Changed       string // meanwhile, by others

	start, finish string // as they are
}

// moveBox is the form of a task; nil where the console changes nothing, or the API reschedules no plan.
func (r *request) moveBox(task object) *moveBox {
	if r.undrawn || !r.Writable() {
		return nil
	}
	path := r.schedule() + at("tasks", task.text("id"), "move")
	moment := func(name string) string { s, _ := task.at(name).(string); return r.picked(s) }
	b := &moveBox{Path: path, Action: r.Link(path), Zone: r.zone().String(), Held: r.heldBy(task)}
	b.start, b.finish = moment("plannedStart"), moment("plannedFinish")
	b.Start, b.Finish = b.start, b.finish
	switch task.text("status") {
	case "Finished":
		b.Fixed = "It has finished, and stays where it was done."
	case "Started":
		b.Fixed = "It has begun, so its start stays. To move its finish, edit its remaining duration."
	}
	if kind := task.text("constraintType"); kind != "NoConstraint" && kind != "" {
		b.Free = r.Link(path, "free", "true")
	}
	return b
}

// constraintWords are what constraints say, before their dates.
var constraintWords = map[string]string{
	"StartAsap": "starts as soon as possible", "StartAlap": "starts as late as possible",
	"StartOn": "starts on", "StartAfter": "starts no earlier than", "StartBefore": "starts no later than",
	"StartBetween": "starts between", "FinishOn": "finishes on", "FinishAfter": "finishes no earlier than",
	"FinishBefore": "finishes no later than", "FinishBetween": "finishes between",
	"CannotReschedule": "stays where it is planned",
}

// heldBy says by which constraint a task is held.
func (r *request) heldBy(task object) string {
	what := r.constraintText(task)
	if what == "" {
		return "Its links and its calendar alone put it where it is."
	}
	return "Now it " + what + "."
}

// constraintText is the constraint of a task, such as starts on 2 Mar 2026 09:00; empty for none.
func (r *request) constraintText(task object) string {
	what := constraintWords[task.text("constraintType")]
	early, late := r.clockAt(task, "constraintEarlyDate"), r.clockAt(task, "constraintLateDate")
	dates := cmp.Or(early, late)
	if early != "" && late != "" {
		dates = early + " and " + late
	}
	if what == "" || dates == "" {
		return what
	}
	return what + " " + dates
}

// movePageView is the form, and what follows from what was typed into it.
type movePageView struct {
	*request
	Name             string
	Box              *moveBox
	Missing          string
	Preview          *planPreview
	Instead          string // where the task comes instead of where it was typed
	Sets             string // what is set
	Besides          int    // tasks that a rescheduling moves without this
	ETag, Type, Date string

	task object
}

// maxMovers is how many of the tasks that move a preview of one task names.
const maxMovers = 12

// movePage shows what follows from another start or finish of a task.
func movePage(r *request) (view, error) {
	q := r.URL.Query()
	page, err := r.movable()
	if err != nil || page.Box == nil || page.Box.Fixed != "" {
		return page.shown(r, err)
	}
	b := page.Box
	if q.Get("free") != "" {
		page.Type = "NoConstraint"
		return page.shown(r, page.preview(r, time.Time{}))
	}
	b.Start, b.Finish = cmp.Or(q.Get("start"), b.start), cmp.Or(q.Get("finish"), b.finish)
	typed := b.Start
	page.Type = "StartAfter"
	switch {
	case b.Start != b.start && b.Finish != b.finish:
		b.Wrong = "Change the start or the finish, not both: the other one follows from the duration."
		return page.shown(r, nil)
	case b.Finish != b.finish:
		typed, page.Type = b.Finish, "FinishAfter"
	case b.Start == b.start:
		b.Wrong = "Pick another start or another finish than it has."
		return page.shown(r, nil)
	}
	t, ok := r.pickedTime(typed)
	if !ok {
		b.Wrong = wrongMoment
		return page.shown(r, nil)
	}
	page.Date = t.UTC().Format(time.RFC3339)
	return page.shown(r, page.preview(r, t))
}

// shown is the page, or its error.
func (v *movePageView) shown(r *request, err error) (view, error) {
	if err == nil && v.Box == nil {
		err = errNowhere
	}
	if err != nil {
		return view{}, err
	}
	return r.show("move", *v)
}

// movable is the page before anything is typed.
func (r *request) movable() (*movePageView, error) {
	path := r.schedule() + at("tasks", r.PathValue("task"))
	var body object
	a, err := r.get(path, &body)
	if err != nil {
		return nil, err
	}
	task := body.object("task")
	page := &movePageView{
		request: r, Name: cmp.Or(task.text("name"), r.PathValue("task")), ETag: a.header.Get("ETag"), task: task,
	}
	if err := r.inSchedule("Move " + page.Name); err != nil {
		return nil, err
	}
	r.below(path, page.Name)
	page.Box = r.moveBox(task)
	return page, nil
}

// whatIf is what the page asks about.
func (v *movePageView) whatIf(r *request) whatIf {
	would := whatIf{TaskID: r.PathValue("task"), Type: v.Type}
	if v.Type != "NoConstraint" {
		would.Date = &v.Date
	}
	return would
}

// sets says what the page sets.
func (v *movePageView) sets(r *request) string {
	if v.Type == "NoConstraint" {
		return "The task loses its constraint."
	}
	what := map[string]string{"StartAfter": "start", "FinishAfter": "finish"}[v.Type]
	instead := ""
	if held := r.constraintText(v.task); held != "" {
		instead = ", in place of: " + held
	}
	return "The task gets the constraint to " + what + " no earlier than " + r.clock(v.Date) + instead +
		". The plan is rescheduled."
}

// preview asks what follows, and says where that is not what was typed. The zero time was not typed.
func (v *movePageView) preview(r *request, typed time.Time) (err error) {
	id := r.PathValue("task")
	v.Sets = v.sets(r)
	v.Preview, err = r.dryRun(maxMovers, v.whatIf(r))
	if err != nil {
		v.Missing, err = withoutData(err)
		return err
	}
	if today, err := r.dryRun(0); err == nil {
		v.Besides = today.Count
	}
	if typed.IsZero() {
		return nil
	}
	comes := map[string]string{"StartAfter": v.Box.start, "FinishAfter": v.Box.finish}[v.Type]
	if v.Preview.WithWBS { // it may be among those that are not known
		comes = ""
	}
	for i := range v.Preview.moves {
		if m := &v.Preview.moves[i]; m.TaskID == id {
			comes = r.picked(map[string]string{"StartAfter": m.PlannedStart, "FinishAfter": m.PlannedFinish}[v.Type])
		}
	}
	if at, ok := r.pickedTime(comes); ok && !at.Equal(typed) {
		v.Instead = "Its links or its calendar put it on " + r.clock(at.Format(time.RFC3339)) + " instead."
	}
	return nil
}

// moveConstraints are those that the page sets.
var moveConstraints = map[string]bool{"StartAfter": true, "FinishAfter": true, "NoConstraint": true}

// changed is the page where the plan, or the task, is another one than when it was shown: with what follows now.
func (v *movePageView) changed(r *request, why string) error {
	v.Box.Changed = why
	typed, err := time.Parse(time.RFC3339, v.Date)
	switch date := r.picked(v.Date); {
	case v.Box.Fixed != "" || v.Type != "NoConstraint" && err != nil:
		return nil
	case v.Type == "StartAfter":
		v.Box.Start = date
	case v.Type == "FinishAfter":
		v.Box.Finish = date
	}
	return v.preview(r, typed)
}

// moveTask sets the constraint that the page has shown, and reschedules the plan. Where something else would follow by
// now than the page has shown, it shows that first.
func moveTask(r *request) (view, error) {
	kind := r.PostForm.Get("type")
	if !moveConstraints[kind] {
		return view{}, &problem{http.StatusBadRequest, "The form is not complete", "Open the page of the task again."}
	}
	path := r.schedule() + at("tasks", r.PathValue("task"))
	change := map[string]any{"constraintType": kind, "constraintEarlyDate": nil, "constraintLateDate": nil}
	if kind != "NoConstraint" {
		change["constraintEarlyDate"] = r.PostForm.Get("date")
	}
	page, err := r.movable()
	if err != nil || page.Box == nil {
		return page.shown(r, err)
	}
	page.Type, page.Date = kind, r.PostForm.Get("date")
	if page.ETag != r.PostForm.Get("etag") {
		return page.shown(r, page.changed(
			r, "Someone changed the task meanwhile, so nothing was saved. Look at what follows before you apply it.",
		))
	}
	preview, err := r.dryRun(0, page.whatIf(r))
	if err != nil {
		return view{}, err
	}
	if preview.Mark != r.PostForm.Get("preview") {
		return page.shown(r, page.changed(r, planChanged))
	}
	made, err := r.patch(path, change, header{"If-Match", page.ETag})
	if err != nil {
		return view{}, err
	}
	r.canUndo(planChange{
		target: path, record: path, of: "task", is: change, moves: "plannedStart", page: path,
		called: "move of " + page.task.text("name"),
	}, page.task, made)
	a, err := r.create(r.schedule()+"/tasks/reschedule", map[string]any{"taskIds": []string{}})
	if err != nil {
		return view{}, err
	}
	to, err := r.started(a, "Saved. The plan is being updated.", path, "Saved, and the plan was rescheduled.")
	if err != nil {
		return view{}, err
	}
	return view{}, redirected(r.leads(to))
}
