package console

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// reschedulePageView is what a rescheduling would change.
type reschedulePageView struct {
	*request
	Missing string // why it cannot be shown
	Changed string // since the preview that was to be carried out
	Preview *planPreview
}

// planChanged is said where a preview was to be carried out that is another one by now.
const planChanged = "The plan was changed meanwhile, so nothing was done. Look at what follows now before you apply it."

// previewMark stands for a preview: a form has that of the preview that it carries out.
func previewMark(of ...any) (string, error) {
	b, err := json.Marshal(of)
	if err != nil {
		return "", fmt.Errorf("console: %w", err)
	}
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(sum[:16]), nil
}

func reschedulePage(r *request) (view, error) {
	if err := r.inSchedule("Reschedule"); err != nil {
		return view{}, err
	}
	page := reschedulePageView{request: r}
	var err error
	page.Preview, err = r.dryRun(maxListed)
	if page.Missing, err = withoutData(err); err != nil {
		return view{}, err
	}
	return r.show("reschedule", page)
}

// planPreview is what would become of a plan, by names: when it would end and why, and what moves the farthest.
type planPreview struct {
	FinishNow, Finish string
	Later             string // days of the schedule; empty where the finish stays
	Causes            []causeView
	Count             int  // of the tasks that move
	WithWBS           bool // Count is with the tasks that others are below: not all are known
	Tasks             []movedTaskView
	More              int // tasks that move besides
	Warnings          []planWarningView
	Zone              string
	Mark              string // see previewMark

	moves []taskMove
}

// movedTaskView is a task that would move. Days are those of the calendar on the wall.
type movedTaskView struct {
	Name                                    valueView
	Code                                    string
	StartNow, Start, FinishNow, Finish, Far string
}

// planWarningView is what a planner is to know of some tasks.
type planWarningView struct {
	Text  string
	Of    []valueView
	Count int
	More  int // that are not named
}

// maxWarned is how many tasks are named for each kind of warning.
const maxWarned = 5

// dryRunAnswer is what the API answers to a dry run.
type dryRunAnswer struct {
	Causes                  []object
	Finish, FinishNow       string
	MoveDays, RemainderDays float64
	TaskChangeCount         int
	TaskChanges             []taskMove
	Warnings                []struct{ Code, Name, PredecessorName, TaskID, TaskLinkID string }
}

// taskMove is what would become of a task.
type taskMove struct {
	IsWBS                       bool
	Name, TaskID, UserDefinedID string
	PlannedStart, PlannedFinish string
	Was                         struct{ PlannedStart, PlannedFinish string }
}

// far is by how many days on the wall the task would move: by its finish, or else by its start.
func (m *taskMove) far() float64 {
	return cmp.Or(laterBy(m.Was.PlannedFinish, m.PlannedFinish), laterBy(m.Was.PlannedStart, m.PlannedStart))
}

// whatIf is a constraint that a task would have.
type whatIf struct {
	TaskID string  `json:"taskId"`
	Type   string  `json:"constraintType"`
	Date   *string `json:"constraintEarlyDate"`
}

// dryRun asks what a rescheduling would do, with other constraints of some tasks. most is how many tasks are named.
func (r *request) dryRun(most int, constraints ...whatIf) (*planPreview, error) {
	body := map[string]any{"taskIds": []string{}}
	if len(constraints) > 0 {
		body["whatIf"] = constraints
	}
	a, err := r.create(r.schedule()+"/tasks/reschedule?dryRun=true", body)
	if err != nil {
		return nil, err
	}
	var found dryRunAnswer
	if err := json.Unmarshal(a.body, &found); err != nil {
		return nil, err
	}
	p := &planPreview{
		FinishNow: r.clock(found.FinishNow), Finish: r.clock(found.Finish), Later: later(found.MoveDays),
		Causes: r.causes(found.Causes, found.RemainderDays, "RemovedTask"), Count: found.TaskChangeCount,
		Zone: r.zone().String(), moves: found.TaskChanges,
	}
	p.WithWBS = found.TaskChangeCount > len(found.TaskChanges)
	for i := range found.TaskChanges {
		if m := &found.TaskChanges[i]; m.IsWBS {
			if !p.WithWBS {
				p.Count-- // it moves with the tasks below it
			}
		} else if len(p.Tasks) < most {
			p.Tasks = append(p.Tasks, movedTaskView{
				Name: r.taskValue(m.TaskID, m.Name), Code: m.UserDefinedID,
				StartNow: r.clock(m.Was.PlannedStart), Start: r.clock(m.PlannedStart),
				FinishNow: r.clock(m.Was.PlannedFinish), Finish: r.clock(m.PlannedFinish), Far: later(m.far()),
			})
		}
	}
	p.More = p.Count - len(p.Tasks)
	if p.Mark, err = previewMark(constraints, json.RawMessage(a.body)); err != nil {
		return nil, err
	}
	for _, w := range found.Warnings {
		of := valueView{Text: w.PredecessorName + " → " + w.Name}
		if w.TaskID != "" {
			of = r.taskValue(w.TaskID, w.Name)
		}
		p.warn(warningText(w.Code), of)
	}
	return p, nil
}

// warn adds a warning of something to the others of its kind.
func (p *planPreview) warn(text string, of valueView) {
	i := slices.IndexFunc(p.Warnings, func(w planWarningView) bool { return w.Text == text })
	if i < 0 {
		i, p.Warnings = len(p.Warnings), append(p.Warnings, planWarningView{Text: text})
	}
	w := &p.Warnings[i]
	if w.Count++; len(w.Of) < maxWarned {
		w.Of = append(w.Of, of)
	} else {
		w.More++
	}
}

// warningTexts are what the codes of warnings mean, for those whose words do not say it.
var warningTexts = map[string]string{
	"StartNotHeld":  "Planned later than anything holds it",
	"NoPredecessor": "Without a predecessor", "NoSuccessor": "Without a successor",
	"OutOfSequence": "Begun before what precedes it has ended",
}

func warningText(code string) string { return cmp.Or(warningTexts[code], words(code)) }

// shortWait is up to how many days a wait is one of those that are summed.
const shortWait = 1

// causes are why the finish moves. Short waits, of which most cancel each other out, are one row.
// Tasks that are there for the reason gone have no page.
func (r *request) causes(list []object, remainder float64, gone string) (all []causeView) {
	short := func(x object) bool {
		days, _ := strconv.ParseFloat(x.text("contributionDays"), 64)
		return x.text("reason") == "Wait" && math.Abs(days) <= shortWait
	}
	summed := len(slices.DeleteFunc(slices.Clone(list), func(x object) bool { return !short(x) })) > 1
	waits, sum := 0, 0.0
	for _, x := range list {
		days, _ := strconv.ParseFloat(x.text("contributionDays"), 64)
		if summed && short(x) {
			waits, sum = waits+1, sum+days
			continue
		}
		name := cmp.Or(x.text("name"), x.text("taskId"))
		on := valueView{Text: name}
		if from := x.text("predecessorId"); from != "" {
			on.Text = cmp.Or(x.text("predecessorName"), from) + " → " + name
		} else if x.text("reason") != gone {
			on = r.taskValue(x.text("taskId"), name)
		}
		all = append(all, causeView{on, words(x.text("reason")), cmp.Or(later(days), "0 d")})
	}
	if waits > 0 {
		on := valueView{Text: plural(waits, "short wait")}
		all = append(all, causeView{on, "A day or less each, between tasks of the path", cmp.Or(later(sum), "0 d")})
	}
	if later(remainder) != "" {
		on := valueView{Text: "Remainder"}
		all = append(all, causeView{on, "Another path held the finish", later(remainder)})
	}
	return all
}

// reschedule carries out what the page has shown as a preview, or shows another one where the plan was changed since.
func reschedule(r *request) (view, error) {
	if err := r.inSchedule("Reschedule"); err != nil {
		return view{}, err
	}
	preview, err := r.dryRun(maxListed)
	if err != nil {
		return view{}, err
	}
	if preview.Mark != r.PostForm.Get("preview") {
		return r.show("reschedule", reschedulePageView{request: r, Changed: planChanged, Preview: preview})
	}
	a, err := r.create(r.schedule()+"/tasks/reschedule", map[string]any{"taskIds": []string{}})
	if err != nil {
		return view{}, err
	}
	to, err := r.started(a, "The rescheduling was started.", r.schedule(), "The plan was rescheduled.")
	if err != nil {
		return view{}, err
	}
	return view{}, redirected(r.leads(to))
}

// started leads to the operation that an answer names, which leads on to a page with a notice once it has succeeded.
func (r *request) started(a *answer, notice, next, then string) (target, error) {
	var body object
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	path := r.schedule() + at("operations", body.text("operation.id"))
	return to(path, "next", next, "then", r.console.notices.sign(r.who.principal.ID, then)).withNotice(notice), nil
}
