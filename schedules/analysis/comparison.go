package analysis

import (
	"context"
	"io"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Comparison is how a schedule differs from one of its baselines. Variances are what the
// schedule has less what the baseline has, in seconds of working time.
type Comparison struct {
	BaselineFinish twinplatform.DateTime `json:"baselineFinish"` // null where nothing has a date
	BaselineID     string                `json:"baselineId"`
	BaselineStart  twinplatform.DateTime `json:"baselineStart"`
	Finish         twinplatform.DateTime `json:"finish"`
	FinishVariance int64                 `json:"finishVariance"`
	// Later, Earlier, Longer and Shorter are how many tasks finish so, and take so much.
	Earlier       int                   `json:"earlier"`
	Later         int                   `json:"later"`
	Longer        int                   `json:"longer"`
	Shorter       int                   `json:"shorter"`
	Start         twinplatform.DateTime `json:"start"`
	StartVariance int64                 `json:"startVariance"`
	// Tasks lists the changed tasks of this page; TaskCounts counts the tasks of all pages.
	TaskCounts ChangeCounts     `json:"taskCounts"`
	Tasks      []TaskVariance   `json:"tasks"`
	LinkCounts ChangeCounts     `json:"taskLinkCounts"`
	Links      []LinkDifference `json:"taskLinks"` // also
}

// ChangeCounts are how many there are of each change.
type ChangeCounts struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
}

// TaskVariance is how a task differs. Variances are null where it is in one of the two
// alone, or has no date.
type TaskVariance struct {
	BaselineDuration *int64                `json:"baselineDuration"`
	BaselineFinish   twinplatform.DateTime `json:"baselineFinish"`
	BaselineStart    twinplatform.DateTime `json:"baselineStart"`
	// BaselineTotalFloat is the total float, in seconds of working time, when the baseline
	// was made; null where the task had none, or the schedule had not been rescheduled by
	// then.
	BaselineTotalFloat *int64 `json:"baselineTotalFloat"`
	// Changed, Added or Removed; Unchanged only of a task that is asked for
	Change             compare.Change          `json:"change"`
	Duration           *int64                  `json:"duration"`
	DurationVariance   *int64                  `json:"durationVariance"`
	Finish             twinplatform.DateTime   `json:"finish"`
	FinishVariance     *int64                  `json:"finishVariance"`
	Name               string                  `json:"name"`
	Start              twinplatform.DateTime   `json:"start"`
	StartVariance      *int64                  `json:"startVariance"`
	TaskID             string                  `json:"taskId"`
	TotalFloat         *int64                  `json:"totalFloat"` // of the task as it is; null where it has none
	TotalFloatVariance *int64                  `json:"totalFloatVariance"`
	UserDefinedID      twinplatform.NullString `json:"userDefinedId"`
}

// LinkDifference is how a task link differs.
type LinkDifference struct {
	BaselineLag   *int64                 `json:"baselineLag"`
	BaselineType  schedules.TaskLinkType `json:"baselineType"` // Unknown where it was not there
	Change        compare.Change         `json:"change"`       // Changed, Added or Removed
	Lag           *int64                 `json:"lag"`
	PredecessorID string                 `json:"predecessorId"`
	SuccessorID   string                 `json:"successorId"`
	TaskLinkID    string                 `json:"taskLinkId"`
	Type          schedules.TaskLinkType `json:"type"` // Unknown where it is gone
}

// ComparisonQuery selects a page of a comparison. The zero value is the first.
type ComparisonQuery struct {
	Top  int // tasks, and as many task links: DefaultTop when 0, MaxTop at most
	Skip int // leaves out so many of both from the beginning
	// TaskID leaves that task alone, of the schedule or of the baseline, also where it is
	// Unchanged, and the links that differ to it and from it.
	TaskID string
}

// ComparisonPage is a comparison with a page of what differs. The page behind it begins
// with the Skip in Next; 0 is the last page.
type ComparisonPage struct {
	Comparison

	Top, Next int
}

// CompareBaseline reports how a schedule differs from one of its baselines (GET
// …/baselines/{baselineId}/comparison): what begins, ends and takes otherwise, and which
// tasks and links came and went. Floats of the baseline come from the last rescheduling
// before it was made. Tasks and links are paged by number, both at once; the rest is of all
// of them on each page.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10) or InvalidValue (top, skip); BaselineNotFound, also for a schedule that is missing or
// not for the caller to see; LimitExceeded, as of CriticalPath.
func (p Plan) CompareBaseline(ctx context.Context, baselineID string, q ComparisonQuery) (page ComparisonPage,
	err error,
) {
	page.Top, err = window(q.Top, q.Skip, "changes to skip")
	if err != nil {
		return page, err
	}
	err = p.compared(ctx, baselineID, func(from *compare.Comparison, cal model.Clock) error {
		var most int
		page.Comparison, most = comparisonOf(from, cal, &q, page.Top)
		page.BaselineID = baselineID
		if next := q.Skip + page.Top; next < most {
			page.Next = next
		}
		return nil
	})
	return page, err
}

// ComparisonCSV is a comparison in lines of fields, which are made when they are read.
type ComparisonCSV struct {
	io.Reader

	Size int64 // of all of them, in bytes
}

// CompareBaselineCSV is the comparison of all tasks in lines of fields below their names
// (GET …/baselines/{baselineId}/comparison.csv), as package compare writes them.
//
// Errors: as CompareBaseline.
func (p Plan) CompareBaselineCSV(ctx context.Context, baselineID string) (text ComparisonCSV, err error) {
	err = p.compared(ctx, baselineID, func(from *compare.Comparison, _ model.Clock) error {
		text.Reader = from.ReadTasks()
		text.Size, err = io.Copy(io.Discard, from.ReadTasks())
		return err
	})
	return text, err
}

func (p Plan) compared(ctx context.Context, baselineID string, fn func(*compare.Comparison, model.Clock) error) error {
	return p.both(ctx, baselineID, "", func(baseline, plan *dated.Plan, cal model.Clock) error {
		return fn(compare.Plans(baseline, plan), cal)
	})
}

// both hands over a baseline, and the plan or another baseline that it is compared with.
func (p Plan) both(ctx context.Context, baselineID, toBaselineID string,
	fn func(baseline, plan *dated.Plan, cal model.Clock) error,
) error {
	var plan, baseline *dated.Plan
	var cal model.Clock
	err := p.look(ctx, model.BaselineMissing, func(l model.Look) (err error) {
		plan = l.Plan()
		if cal, err = l.Clock(); err != nil {
			return err
		}
		if baseline, err = l.Baseline(baselineID); err != nil || toBaselineID == "" {
			return err
		}
		plan, err = l.Baseline(toBaselineID)
		return err
	})
	if err != nil {
		return err
	}
	return fn(baseline, plan, cal)
}

// comparisonOf has so many of what changed, behind those that are skipped, and how many tasks or
// links there are of the more.
func comparisonOf(from *compare.Comparison, cal model.Clock, q *ComparisonQuery, top int) (c Comparison, most int) {
	t := &from.Totals
	c = Comparison{
		BaselineStart: cal.Global(t.BaselineStart), BaselineFinish: cal.Global(t.BaselineFinish),
		Start: cal.Global(t.Start), Finish: cal.Global(t.Finish),
		StartVariance: t.StartVariance, FinishVariance: t.FinishVariance, Later: t.Later, Earlier: t.Earlier,
		Longer: t.Longer, Shorter: t.Shorter,
		TaskCounts: changeCounts(t.Tasks), LinkCounts: changeCounts(t.Links), Tasks: []TaskVariance{},
		Links: []LinkDifference{},
	}
	tasks, links := 0, 0
	for i := range from.Tasks {
		if t := &from.Tasks[i]; q.TaskID == t.ID || q.TaskID == "" && t.Change != compare.Unchanged {
			if tasks++; tasks > q.Skip && len(c.Tasks) < top {
				c.Tasks = append(c.Tasks, taskVariance(t, cal))
			}
		}
	}
	for i := range from.Links {
		l := &from.Links[i]
		if l.Change != compare.Unchanged &&
			(q.TaskID == "" || q.TaskID == l.PredecessorID || q.TaskID == l.SuccessorID) {
			if links++; links > q.Skip && len(c.Links) < top {
				c.Links = append(c.Links, linkDifference(l))
			}
		}
	}
	return c, max(tasks, links)
}

func changeCounts(c compare.Counts) ChangeCounts {
	return ChangeCounts{Added: c.Added, Changed: c.Changed, Removed: c.Removed, Unchanged: c.Unchanged}
}

func taskVariance(t *compare.Task, cal model.Clock) TaskVariance {
	v := TaskVariance{TaskID: t.ID, Name: t.Name, UserDefinedID: twinplatform.NullString(t.Code), Change: t.Change}
	at := func(t worktime.Time) twinplatform.DateTime { return cal.Global(t) }
	if b := t.Baseline; b != nil {
		v.BaselineStart, v.BaselineFinish, v.BaselineDuration, v.BaselineTotalFloat = at(b.Start), at(b.Finish),
			&b.Duration, b.TotalFloat
	}
	if p := t.Plan; p != nil {
		v.Start, v.Finish, v.Duration, v.TotalFloat = at(p.Start), at(p.Finish), &p.Duration, p.TotalFloat
	}
	if d := t.Variance; d != nil {
		v.StartVariance, v.FinishVariance, v.DurationVariance, v.TotalFloatVariance = &d.Start, &d.Finish, &d.Duration,
			d.TotalFloat
	}
	return v
}

func linkDifference(l *compare.Link) LinkDifference {
	d := LinkDifference{
		TaskLinkID: l.ID, PredecessorID: l.PredecessorID, SuccessorID: l.SuccessorID, Change: l.Change,
		Type: schedules.UnknownTaskLinkType, BaselineType: schedules.UnknownTaskLinkType,
	}
	if l.Baseline != nil {
		d.BaselineType, d.BaselineLag = typesOfLinks[l.Baseline.Type], &l.Baseline.Lag
	}
	if l.Plan != nil {
		d.Type, d.Lag = typesOfLinks[l.Plan.Type], &l.Plan.Lag
	}
	return d
}

// typesOfLinks are what the types of links of a network are called.
var typesOfLinks = map[cpm.LinkType]schedules.TaskLinkType{
	cpm.FinishToStart: schedules.FinishToStart, cpm.StartToStart: schedules.StartToStart,
	cpm.FinishToFinish: schedules.FinishToFinish, cpm.StartToFinish: schedules.StartToFinish,
}
