package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// behind is how many records are in a list before the one that a page looks for: more than
// lists have on a page.
const behind = 250

// owner is who has made what a test needs.
func (w *world) owner() context.Context {
	return twinplatform.WithPrincipal(w.t.Context(), w.tokens[ownerToken])
}

func (w *world) made(_ any, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// wants holds a page to what it says; words are separated by one blank each.
func (b *visitor) wants(target string, want ...string) {
	b.w.t.Helper()
	p := packed(b.source(target, http.StatusOK))
	for _, text := range want {
		if !strings.Contains(p, text) {
			b.w.t.Errorf("%s does not have %q: %s", target, text, p)
		}
	}
}

func TestHistoryOfATaskIsFoundBehindHundredsThatMovedToo(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	plan, ctx := w.plan("Programme"), w.owner()
	in := w.platform.Schedules.In(plan)
	day := func(d int) twinplatform.DateTime { return twinplatform.At(w.now.AddDate(0, 0, d)) }
	tasks := []schedules.NewTask{
		{ID: "a", Name: "First", Type: schedules.Work, PlannedStart: day(0), PlannedDuration: new(int32(8 * 3600))},
		{ID: "zz", Name: "Still", Type: schedules.Work, PlannedStart: day(0), PlannedDuration: new(int32(8 * 3600))},
	}
	var links []schedules.NewTaskLink
	for i := range behind {
		id := fmt.Sprintf("t%03d", i)
		tasks = append(tasks, schedules.NewTask{ID: id, Name: "Moved", Type: schedules.Work, PlannedDuration: new(int32(8 * 3600))})
		links = append(links, schedules.NewTaskLink{PredecessorID: "a", SuccessorID: id, Type: schedules.FinishToStart})
	}
	w.made(in.CreateTasks(ctx, tasks))
	w.made(in.CreateTaskLinks(ctx, links))
	w.made(in.UpdateProjectScheduling(ctx, schedules.ProjectSchedulingPatch{MustFinishBy: twinplatform.Set(day(90))})) // so that floats stay
	w.made(scheduling.In(in).Reschedule(ctx, scheduling.Rescheduling{}))
	w.made(in.CreateBaseline(ctx, schedules.NewBaseline{ID: "contract", Name: "Contract programme"}))
	w.made(in.UpdateTask(ctx, "a", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](3 * 8 * 3600)}))
	w.made(scheduling.In(in).Reschedule(ctx, scheduling.Rescheduling{}))
	b, page := w.browser(), "/console/schedules/"+plan+"/tasks/"
	of := make(map[string]schedules.BaselineTask)
	for x, err := range twinplatform.All(ctx, func(ctx context.Context, q schedules.BaselineTaskQuery) (twinplatform.Page[schedules.BaselineTask], error) {
		return in.BaselineTasks(ctx, "contract", q)
	}, schedules.BaselineTaskQuery{}) {
		w.made(nil, err)
		of[x.TaskID] = x
	}
	for id, want := range map[string][]string{"t249": {"<td>changed</td>", "2 d"}, "zz": {"<td>unchanged</td>", "0 d"}, "a": {"<td>changed</td>", "0 d", "2 d"}} {
		x := of[id]
		b.wants(page+id, append(want, "Contract programme", "<td>"+momentOf(x.StartDate)+"</td>", "<td>"+momentOf(x.FinishDate)+"</td>")...)
	}
}

// momentOf is a time as tables have it.
func momentOf(d twinplatform.DateTime) string { return d.UTC().Format("2 Jan 2006 15:04") }

func TestChoiceOfABaselineHasAllOfThem(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	plan, ctx := w.plan("Programme"), w.owner()
	in := w.platform.Schedules.In(plan)
	w.made(in.CreateTasks(ctx, []schedules.NewTask{{ID: "a", Name: "First", Type: schedules.Work, PlannedStart: twinplatform.At(w.now), PlannedDuration: new(int32(3600))}}))
	for i := range behind + 1 {
		w.made(in.CreateBaseline(ctx, schedules.NewBaseline{ID: fmt.Sprintf("b%03d", i), Name: fmt.Sprint("Month ", i), IsCurrent: i == 0}))
	}
	b, page := w.browser(), "/console/schedules/"+plan
	chosen := `<option value="b250" selected="">Month 250</option>`
	b.wants(page+"?baselineId=b250", chosen)
	b.wants(page+"/quality?baselineId=b250", chosen)
	b.wants(page+"/quality", `<option value="" selected="">the current one</option>`)
	b.wants(page+"/tasks/a", "Only the first 5 are shown.")
}

func TestQualityOnItsPageIsByTheCurrentBaseline(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	plan, ctx := w.plan("Programme"), w.owner()
	in, at := w.platform.Schedules.In(plan), twinplatform.At(w.now)
	w.made(in.CreateTasks(ctx, []schedules.NewTask{{ID: "a", Name: "First", Type: schedules.Work, PlannedStart: at, PlannedDuration: new(int32(8 * 3600))}}))
	w.made(in.CreateBaseline(ctx, schedules.NewBaseline{ID: "first", Name: "First"}))
	w.made(in.UpdateProjectScheduling(ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(twinplatform.At(w.now.AddDate(0, 0, 14)))}))
	w.made(scheduling.In(in).Reschedule(ctx, scheduling.Rescheduling{}))
	b, page := w.browser(), "/console/schedules/"+plan+"/quality"
	b.wants(page, "None of the baselines of the plan is current, and none was named.")
	b.wants(page+"?baselineId=first&point=MissedTasks", "later than in the baseline.")
	w.made(in.CreateBaseline(ctx, schedules.NewBaseline{ID: "second", Name: "Second", IsCurrent: true}))
	b.wants(page, "No task was to end by the data date by its baseline.")
}

func TestFieldOfAValueIsFoundBehindHundreds(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	plan, ctx := w.plan("Programme"), w.owner()
	in := w.platform.Schedules.In(plan)
	w.made(in.CreateTasks(ctx, []schedules.NewTask{{ID: "a", Name: "First", Type: schedules.Work}}))
	for i := range behind + 1 {
		w.made(userfields.In(in).CreateUserField(ctx, userfields.NewUserField{
			ID: fmt.Sprintf("f%03d", i), Name: fmt.Sprint("Field ", i), Category: userfields.TaskField, Type: userfields.IntegerField,
		}))
	}
	w.made(userfields.In(in).SetUserFieldValue(ctx, userfields.TaskField, userfields.NewUserFieldValue{TaskID: "a", UserFieldID: "f250", IntValue: new(int64(7))}))
	b := w.browser()
	b.wants("/console/schedules/"+plan+"/tasks/a", "<dt>Field 250</dt>")
	b.wants("/console/try/taskUserFieldValues.set?path.scheduleId="+plan, "&#34;intValue&#34;: 7")
}

func TestATwinThatIsChosenIsKnownBehindHundreds(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	for i := range behind {
		w.made(w.platform.Twins.CreateTwin(w.owner(), twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprintf("Bridge %03d", i)}))
	}
	var last twins.Twin
	for x, err := range twinplatform.All(w.owner(), w.platform.Twins.Twins, twins.TwinQuery{}) {
		w.made(nil, err)
		last = x
	}
	b := w.browser()
	selected := `<option value="` + last.ID + `" selected="">` + last.DisplayName + `</option>`
	b.wants("/console/search?q=quarry&twinId="+last.ID, selected)
	b.wants("/console/schedules?twinId="+last.ID, selected)
}
