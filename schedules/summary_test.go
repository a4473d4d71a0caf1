package schedules_test

import (
	"bytes"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// TestSummaryWithoutTasksStaysOne imports nodes without tasks below them, and one that loses its
// tasks in the schedule: an export has them as what they are.
func TestSummaryWithoutTasksStaysOne(t *testing.T) {
	t.Parallel()
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			content := heldCase{format: format, change: func(p *planner.Plan, _, b *planner.Task) {
				p.Tasks = append(p.Tasks,
					planner.Task{ID: "20", Code: "E", Name: "Empty", ProjectID: "1", ParentID: "10", Kind: cpm.Summary},
					planner.Task{ID: "21", Code: "F", Name: "Emptied", ProjectID: "1", Kind: cpm.Summary},
					planner.Task{ID: "22", Code: "C", Name: "Third", ProjectID: "1", ParentID: "21", CalendarID: "1", Duration: b.Duration, Remaining: b.Duration, Planned: b.Duration},
				)
			}}.content(t)
			p := inMemory(t)
			p.importPlan(content, exchange.PlannerImportOptions{})
			ids := make(map[string]string)
			page, err := p.in().Tasks(p.ctx, schedules.TaskQuery{})
			if err != nil {
				t.Fatal(err)
			}
			tasks, err := page.Values()
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range tasks {
				ids[x.Name] = x.ID
			}
			if _, err := p.in().DeleteTasks(p.ctx, []string{ids["Third"]}); err != nil {
				t.Fatal(err)
			}
			p.reschedule()
			out, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(format)})))
			if err != nil {
				t.Fatal(err)
			}
			kinds := make(map[string]cpm.Kind)
			for _, x := range out.Tasks {
				kinds[x.Name] = x.Kind
			}
			for _, name := range []string{"Empty", "Emptied"} {
				if x := p.task(ids[name]); !x.IsWBS || !x.IsSummary {
					t.Errorf("%s is a summary: %t, and a WBS: %t", name, x.IsSummary, x.IsWBS)
				}
				if kinds[name] != cpm.Summary {
					t.Errorf("%s is of the kind %d in the export", name, kinds[name])
				}
			}
		})
	}
}

// TestTaskIsMadeASummaryAndNoneAgain changes whether a task is a summary, with and without tasks
// below it.
func TestTaskIsMadeASummaryAndNoneAgain(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.create(schedules.NewTask{ID: "node", Name: "Node", Type: schedules.Work, IsSummary: true})
	p.create(schedules.NewTask{ID: "other", Name: "Other", Type: schedules.Work})
	wants := func(what string, node, other bool) {
		t.Helper()
		if n, o := p.task("node").IsWBS, p.task("other").IsWBS; n != node || o != other {
			t.Errorf("%s: they are WBS %t and %t, want %t and %t", what, n, o, node, other)
		}
	}
	wants("made so", true, false)
	change := func(id string, summary twinplatform.Optional[bool], want bool) {
		t.Helper()
		res, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{IsSummary: summary})
		if err != nil {
			t.Fatal(err)
		}
		is := res.Value()
		if is.IsWBS != want {
			t.Errorf("the change of %s answers with WBS %t, want %t", id, is.IsWBS, want)
		}
	}
	change("node", twinplatform.Set(false), false)
	change("other", twinplatform.Set(true), true)
	wants("changed", false, true)
	p.create(schedules.NewTask{ID: "below", Name: "Below", Type: schedules.Work, ParentID: "node"})
	change("node", twinplatform.Set(true), true)
	change("node", twinplatform.Null[bool](), true)
	wants("with a task below", true, true)
	if _, err := p.in().DeleteTasks(p.ctx, []string{"below"}); err != nil {
		t.Fatal(err)
	}
	wants("with none any more", false, true)
}

// TestSummariesOfAnExportHaveTheDatesOfWhatIsBelowThem makes a plan that no one has rescheduled: Microsoft Project gets
// the dates of its summaries, and what was planned of these themselves stays.
func TestSummariesOfAnExportHaveTheDatesOfWhatIsBelowThem(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	work := func(id, parent string, start float64) schedules.NewTask {
		return schedules.NewTask{
			ID: id, Name: id, Type: schedules.Work, ParentID: parent, PlannedStart: in(start), PlannedDuration: new(int32(7200)),
		}
	}
	p.create(
		schedules.NewTask{ID: "site", Name: "site", Type: schedules.Work}, work("pit", "site", 1), work("dig", "pit", 24),
		work("pour", "pit", 72),
	)
	out, _ := p.exportedPlan(exchange.FormatMSPDI)
	got := make(map[string]string)
	for i := range out.Tasks {
		x := &out.Tasks[i]
		got[x.Name] = x.File.Start.String() + " " + x.File.Finish.String()
	}
	if got["site"] != got["pit"] || got["pit"] == "" || got["pit"][:19] != got["dig"][:19] || got["pit"][20:] != got["pour"][20:] {
		t.Errorf("the dates of the file are %v", got)
	}
	if x := p.task("pit"); !x.PlannedStart.Equal(in(1).Time) {
		t.Errorf("it is planned for %s itself", x.PlannedStart)
	}
}

// TestEmptySummaryOfAnExportDoesNotWidenTheOneAboveIt leaves one with planned dates above nothing, and one that has begun
// with more remaining than what is below it takes.
func TestEmptySummaryOfAnExportDoesNotWidenTheOneAboveIt(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	work := func(id, parent string, start float64, took int32) schedules.NewTask {
		return schedules.NewTask{
			ID: id, Name: id, Type: schedules.Work, ParentID: parent, PlannedStart: in(start), PlannedDuration: &took,
		}
	}
	empty, site := work("empty", "site", 240, 7200), work("site", "", 0, 360_000)
	empty.IsSummary = true
	site.Status, site.ActualStart, site.RemainingDuration = schedules.Started, in(0), new(int32(360_000))
	p.create(site, empty, work("dig", "site", 24, 7200))
	out, _ := p.exportedPlan(exchange.FormatMSPDI)
	of := make(map[string]*planner.Task)
	for i := range out.Tasks {
		of[out.Tasks[i].Name] = &out.Tasks[i]
	}
	if above, dig := of["site"], of["dig"]; above.File.Start != dig.File.Start || above.File.Finish != dig.File.Finish {
		t.Errorf("it is from %s to %s, and what is below it from %s to %s", above.File.Start, above.File.Finish,
			dig.File.Start, dig.File.Finish)
	}
	if x := of["site"]; x.Remaining > x.Duration {
		t.Errorf("%d seconds of %d remain", x.Remaining, x.Duration)
	}
}
