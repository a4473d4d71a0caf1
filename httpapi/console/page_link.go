package console

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// linkForm is the form for a link of a task with another one, which is found by its name or its code.
type linkForm struct {
	Action, Side        string // Side is what the other task is: predecessor or successor
	Other, Lag          string // as they were typed
	WrongTask, WrongLag string
	Types               []optionView
	Found               []optionView // where several tasks are meant
}

// linkTypes are those of links, with what planners call them.
var linkTypes = []string{
	"FinishToStart", "Finish to start", "StartToStart", "Start to start", "FinishToFinish", "Finish to finish",
	"StartToFinish", "Start to finish",
}

// linkForm is the form on one side of the task of the page; nil where the console changes nothing.
func (r *request) linkForm(side string) *linkForm {
	if !r.Writable() {
		return nil
	}
	return &linkForm{
		Action: r.Link(r.schedule() + at("tasks", r.PathValue("task"), "links")), Side: side, Lag: "0",
		Types: options("FinishToStart", linkTypes...),
	}
}

// linkPageView is the form where it is not complete.
type linkPageView struct {
	*request
	Name    string
	Form    *linkForm
	Refused *refusal
}

// linkTask links the task of the page, or asks which other one is meant.
func linkTask(r *request) (view, error) {
	task := r.linkedTask(r.PathValue("task"))
	if task == nil {
		return view{}, errNowhere
	}
	side := r.PostForm.Get("side")
	if side != "predecessor" {
		side = "successor"
	}
	path := r.schedule() + at("tasks", r.PathValue("task"))
	page := linkPageView{request: r, Name: cmp.Or(task.text("name"), r.PathValue("task")), Form: r.linkForm(side)}
	if err := r.inSchedule("Add a " + side); err != nil {
		return view{}, err
	}
	r.below(path, page.Name)
	f := page.Form
	f.Other, f.Lag = strings.TrimSpace(r.PostForm.Get("other")), strings.TrimSpace(r.PostForm.Get("lag"))
	f.Types = options(r.PostForm.Get("type"), linkTypes...)
	other, err := r.findTask(f, r.PostForm.Get("task"))
	if err != nil {
		return view{}, err
	}
	predecessor, successor := task, other
	if side == "predecessor" {
		predecessor, successor = other, task
	}
	lag, ok := r.seconds(f.Lag, predecessor.text("calendarId"))
	if !ok {
		f.WrongLag = "Type days as a number, such as 2, 0.5 or -1."
	}
	if f.WrongTask != "" || f.WrongLag != "" {
		return r.show("link", page)
	}
	link := map[string]any{
		"predecessorId": predecessor.text("id"), "successorId": successor.text("id"),
		"type": r.PostForm.Get("type"), "lag": lag,
	}
	_, err = r.create(r.schedule()+"/task-links/batch", map[string]any{"batch": []any{link}})
	if refused, ok := asRefusal(err); ok && refused.Status < 500 && refused.Status != 401 {
		page.Refused = refused
		return r.show("link", page)
	}
	if err != nil {
		return view{}, err
	}
	notice := predecessor.text("name") + " → " + successor.text("name") +
		" is linked. Reschedule the plan to move what follows."
	return view{}, redirected(r.leads(to(path).withNotice(notice)))
}

// mostFound is among how many tasks of that name one is chosen.
const mostFound = 50

// findTask is the task that is meant by what was typed, or by its id that was chosen. Where several are, or none is, the
// form says so.
func (r *request) findTask(f *linkForm, chosen string) (object, error) {
	own := r.PathValue("task")
	var drawn object
	query := queryOf([]string{"rows", strconv.Itoa(mostFound), "search", f.Other})
	if f.Other == "" {
		f.WrongTask = "Type the name or the code of a task."
		return nil, nil
	}
	if _, err := r.get(r.schedule()+"/gantt.json?"+query, &drawn); err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(drawn.objects("gantt.rows"), func(o object) bool {
		return !o.is("isMatch") || o.text("taskId") == own
	})
	called := func(o object) bool {
		return strings.EqualFold(o.text("name"), f.Other) || strings.EqualFold(o.text("userDefinedId"), f.Other)
	}
	if exact := slices.DeleteFunc(slices.Clone(found), func(o object) bool { return !called(o) }); len(exact) > 0 {
		found = exact
	}
	for _, o := range found {
		if o.text("taskId") == chosen || len(found) == 1 {
			return r.linkedTask(o.text("taskId")), nil
		}
	}
	if f.WrongTask = "No other task has this in its name or code."; len(found) > 0 {
		f.WrongTask = "Several tasks have this in their names. Choose one of them."
	}
	for _, o := range found {
		name := strings.TrimSpace(o.text("userDefinedId") + " " + o.text("name"))
		f.Found = append(f.Found, optionView{Value: o.text("taskId"), Text: name})
	}
	return nil, nil
}

// seconds are days of working time by a calendar of the schedule, as people type them, in seconds.
func (r *request) seconds(days, calendar string) (seconds int64, ok bool) {
	if days == "" {
		return 0, true
	}
	d, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(strings.TrimSuffix(days, "d")), ",", ".", 1), 64)
	if err != nil || math.IsNaN(d) || math.Abs(d) > 1e5 {
		return 0, false
	}
	return int64(math.Round(d * float64(r.workday(calendar)))), true
}
