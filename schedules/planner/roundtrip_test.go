package planner_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// plans are those of all files of testdata, and random ones of all formats, by what they
// are called.
func plans(t *testing.T, randoms uint64) map[string]*planner.Plan {
	t.Helper()
	files, err := filepath.Glob("testdata/*.x*")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	all := make(map[string]*planner.Plan)
	for _, name := range files {
		all[name] = read(t, filepath.Base(name), planner.Options{Page: planner.UTF8})
	}
	for _, f := range formats {
		for seed := range seeds(randoms) {
			all[fmt.Sprintf("random %s %d", f, seed)] = random(seed, f)
		}
	}
	return all
}

// levels are how deep the tasks of a plan lie, by their ids. The node that P6 has for a
// project is no task of Microsoft Project: it is left out where there is one project.
func levels(p *planner.Plan) map[string]int {
	all := make(map[string]int, len(p.Tasks))
	root := ""
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if p.Format == planner.XER && len(p.Projects) == 1 && root == "" && t.ParentID == "" && t.Kind == cpm.Summary &&
			t.Name == p.Projects[0].Name {
			root = t.ID
			continue
		}
		all[t.ID] = all[t.ParentID] + 1
	}
	return all
}

// TestRoundTripsAddNoLevelAndKeepNumbers takes plans to another format and back, three times.
func TestRoundTripsAddNoLevelAndKeepNumbers(t *testing.T) {
	t.Parallel()
	o := planner.Options{Page: planner.UTF8}
	for name, plan := range plans(t, testsize.Of[uint64](15, 4)) {
		for _, home := range formats {
			if (home == planner.MSPDI) != (plan.Format == planner.MSPDI) {
				continue // it has no home there
			}
			for _, there := range formats {
				if there == home {
					continue
				}
				p, _ := written(t, plan, home, o)
				if len(p.Projects) > 1 && there == planner.MSPDI { // they become one
					q, _ := written(t, p, there, o)
					p, _ = written(t, q, home, o)
				}
				q := p
				for trip := range 3 {
					q, _ = written(t, q, there, o)
					q, _ = written(t, q, home, o)
					if diff := cmp.Diff(levels(p), levels(q)); diff != "" {
						t.Errorf("%s, after %d trips from %s by %s: (-want +got)\n%s", name, trip+1, home, there, diff)
						break
					}
				}
			}
		}
	}
}

// TestAConversionKeepsTheDatesOrReportsHowManyItMoves schedules plans by the rules of their tool,
// and what was written for the other one by the rules of that.
func TestAConversionKeepsTheDatesOrReportsHowManyItMoves(t *testing.T) {
	t.Parallel()
	o := planner.Options{Page: planner.UTF8}
	kept, moved := 0, 0
	for name, p := range plans(t, 60) {
		for _, f := range formats {
			if f == p.Format {
				continue
			}
			q, warnings := written(t, p, f, o)
			said := ""
			for _, w := range warnings {
				if w.What == "dates" {
					said += w.Text
				}
			}
			differ, err := differing(p, q)
			switch counted := fmt.Sprintf(" %d of ", differ); {
			case err != nil || differ > 0 && !strings.Contains(said, counted) || differ == 0 && said != "":
				t.Errorf("%s as %s: %d differ, %v; it says %q", name, f, differ, err, said)
			case differ > 0:
				moved++
			default:
				kept++
			}
			if differ > 0 && strings.HasPrefix(name, "testdata") {
				t.Errorf("%s as %s: %s", name, f, said)
			}
		}
	}
	t.Logf("%d plans are where they were, %d are not", kept, moved)
}

// differing is how many tasks of a plan are at other dates in another one, or where none is
// how many summaries are. Numbers are those of the file, whichever it is.
func differing(p, q *planner.Plan) (n int, err error) {
	was, err := p.Schedule()
	if err != nil {
		return 0, err
	}
	now, err := q.Schedule()
	if err != nil {
		return 0, err
	}
	number := func(id string) string { return strings.TrimPrefix(id, "wbs-") }
	for _, summaries := range []bool{false, true} {
		place := make(map[string]int)
		for i := range q.Tasks {
			if t := &q.Tasks[i]; summaries == (t.Kind == cpm.Summary) {
				place[number(t.ID)] = i
			}
		}
		for i := range p.Tasks {
			at, ok := place[number(p.Tasks[i].ID)]
			if !ok || summaries != (p.Tasks[i].Kind == cpm.Summary) {
				continue
			}
			if a, b := was.Dates(i), now.Dates(at); a.Start != b.Start || a.Finish != b.Finish {
				n++
			}
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// plainP6 is a random plan of P6 in which tasks are where the data date, links, lags, a
// constraint or another project put them: one project on one calendar, of which some has
// begun and some is done.
func plainP6(seed uint64) *planner.Plan {
	r, p := rand.New(rand.NewPCG(seed, 9)), random(seed, planner.XER)
	office := planner.Calendar{ID: "1", Week: worktime.EachWeekday(worktime.Hours{{From: 8 * hour, To: 16 * hour}})}
	start := worktime.Date(2026, time.March, 2, 8, 0, 0)
	project := planner.Project{
		ID: p.Projects[0].ID, Name: p.Projects[0].Name, CalendarID: office.ID, Start: start, Lag: cpm.LagOfPredecessor,
		DataDate: start + worktime.Time(r.IntN(60*24)*hour), Progress: cpm.Progress(r.IntN(3)),
	}
	q := &planner.Plan{Format: planner.XER, Projects: []planner.Project{project}, Calendars: []planner.Calendar{office}}
	known, ends := make(map[string]bool), make(map[string]bool)
	for _, t := range p.Tasks {
		if t.ProjectID != project.ID {
			continue
		}
		known[t.ID] = true
		x := planner.Task{
			ID: t.ID, Code: t.Code, Name: t.Name, ProjectID: project.ID, ParentID: t.ParentID, Kind: t.Kind,
			CalendarID: office.ID,
		}
		if x.Kind == cpm.LongHammock {
			x.Kind = cpm.StartMilestone
		}
		if x.Kind == cpm.Work {
			x.Duration = int64(1+r.IntN(40)) * hour
		}
		if x.Planned, x.Remaining = x.Duration, x.Duration; x.Kind != cpm.Summary {
			progress(r, &x, project.DataDate)
		}
		q.Tasks = append(q.Tasks, x)
	}
	for _, l := range p.Links {
		if l.Lag = int64(r.IntN(40)-10) * hour; known[l.PredecessorID] && known[l.SuccessorID] {
			q.Links = append(q.Links, l)
			ends[l.SuccessorID] = ends[l.SuccessorID] || l.Type == cpm.FinishToStart || l.Type == cpm.FinishToFinish
		}
	}
	for i := range q.Tasks { // Microsoft Project finds out which milestones are of a finish
		if x := &q.Tasks[i]; x.Kind == cpm.StartMilestone && ends[x.ID] {
			x.Kind = cpm.FinishMilestone
		}
	}
	return q
}

// progress reports how far a task is that takes eight hours a day: no more of it is done
// than there was time.
func progress(r *rand.Rand, t *planner.Task, dataDate worktime.Time) {
	before := dataDate - worktime.Time((1+r.IntN(30*24))*hour)
	behind := dataDate + worktime.Time((r.IntN(30*24)-10*24)*hour)
	switch n := r.IntN(5); {
	case n == 0 && t.Kind == cpm.Work:
		t.ActualStart = before
		t.Remaining -= min(t.Duration/2, int64(dataDate-before)/worktime.Day/7*8*hour)
	case n <= 1:
		t.ActualStart, t.ActualFinish, t.Remaining = before, before, 0
		if t.Kind == cpm.Work {
			t.ActualFinish += (dataDate - before) / 2 / 60 * 60
		}
	case n == 2:
		t.ExternalStart = behind
	case n == 3:
		t.Constraints = []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: behind}}
	}
}

// TestMicrosoftProjectKeepsWhatP6SchedulesBehindItsDataDate takes plans of P6 to Microsoft
// Project, and where they retain logic, which is what P6 does with those that do not say,
// back: no date is another one.
func TestMicrosoftProjectKeepsWhatP6SchedulesBehindItsDataDate(t *testing.T) {
	t.Parallel()
	o := planner.Options{Page: planner.UTF8}
	for seed := range uint64(200) {
		p := plainP6(seed)
		q := p
		trips := []planner.Format{planner.MSPDI, planner.XER, planner.MSPDI, planner.P6XML, planner.MSPDI, planner.XER}
		if p.Projects[0].Progress != cpm.RetainedLogic {
			trips = trips[:1]
		}
		for _, f := range trips {
			var warnings []planner.Warning
			q, warnings = written(t, q, f, o)
			if n, err := differing(p, q); n != 0 || err != nil {
				t.Fatalf("plan %d as %s: %d differ, %v; it says %v", seed, f, n, err, warnings)
			}
		}
	}
}

// TestWhatLinksPutBehindTheDataDateGetsNoConstraint has a task that P6 begins at the data date,
// one behind that, one behind what is done, one with a constraint that has passed, and one
// that has begun.
func TestWhatLinksPutBehindTheDataDateGetsNoConstraint(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(strings.NewReplacer("|", "\t").Replace(strings.Replace(
		p6Task("|act_start_date|act_end_date|cstr_type|cstr_date", "", `%R|2|p|c|8|8|TK_NotStart|TT_Task
%R|3|p|c|8|0|TK_Complete|TT_Task|2026-01-05 08:00|2026-01-05 16:00
%R|4|p|c|8|8|TK_NotStart|TT_Task
%R|5|p|c|8|8|TK_NotStart|TT_Task|||CS_MSOA|2026-01-06 08:00
%R|6|p|c|24|16|TK_Active|TT_Task|2026-01-05 08:00
%T|TASKPRED
%F|task_pred_id|task_id|pred_task_id|pred_type
%R|1|2|1|PR_FS
%R|2|4|3|PR_FS
`), "08:00\t2026-01-05 08:00", "08:00\t2026-01-12 08:00", 1))))
	if err != nil {
		t.Fatal(err)
	}
	q, warnings := written(t, p, planner.MSPDI, planner.Options{})
	dataDate := worktime.Date(2026, time.January, 12, 8, 0, 0)
	at := []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: dataDate}}
	got := make(map[string][]cpm.Constraint)
	for _, x := range q.Tasks {
		got[x.ID] = x.Constraints
	}
	want := map[string][]cpm.Constraint{"1": at, "2": nil, "3": nil, "4": at, "5": at, "6": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if x := q.Tasks[5]; x.Suspend != dataDate-6*worktime.Day-16*hour || x.Resume != dataDate {
		t.Errorf("it stops at %v and resumes at %v", x.Suspend, x.Resume)
	}
	var named []string
	for _, w := range warnings {
		if strings.Contains(w.Text, "P6 begins it") || strings.Contains(w.Text, "P6 continues it") {
			named = append(named, w.What)
		}
	}
	if diff := cmp.Diff([]string{"task 1, 4", "task 6", "task 5"}, named); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n, err := differing(p, q); n > 0 || err != nil {
		t.Errorf("%d differ: %v, %v", n, err, warnings)
	}
}

// TestWhatCannotBeHeldIsCounted names what P6 moves behind the status date of a plan of
// Microsoft Project, and plans that cannot be scheduled.
func TestWhatCannotBeHeldIsCounted(t *testing.T) {
	t.Parallel()
	calendars := "<Calendars>" + mspdiCalendar(1, -1, 2, 3, 4, 5, 6) + "</Calendars>"
	file := "<StatusDate>2026-01-12T00:00:00</StatusDate>" + calendars + `<Tasks>
<Task><UID>1</UID><WBS>A</WBS><OutlineLevel>1</OutlineLevel><Duration>PT4H0M0S</Duration></Task>
<Task><UID>2</UID><WBS>B</WBS><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration>
<PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type></PredecessorLink></Task></Tasks>`
	back := "<PredecessorLink><PredecessorUID>2</PredecessorUID></PredecessorLink>"
	round := strings.Replace(file, "<WBS>A</WBS>", back, 1)
	for text, want := range map[string]string{
		file: "By the rules of Primavera P6 2 of 2 tasks are at other dates than by those of Microsoft Project: " +
			"0 earlier, 2 later; the furthest is \"A\" (task 1) by 20 h of working time, " +
			"from 2026-01-05T12:00:00 to 2026-01-12T12:00:00.",
		round: "Whether the other tool schedules the same dates is not known: cpm: ",
	} {
		p, err := planner.Read(strings.NewReader(mspdi(text)))
		if err != nil {
			t.Fatal(err)
		}
		_, warnings := written(t, p, planner.XER, planner.Options{})
		if w := warnings[0]; w.What != "dates" || !strings.HasPrefix(w.Text, want) {
			t.Errorf("it says %v first, want %s", w, want)
		}
	}
}

// seeds is of how many random plans a test is, a fifth of them in short mode.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return max(n/5, 1)
	}
	return n
}
