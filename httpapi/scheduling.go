package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func schedulingRows(svc *schedules.Service) rows {
	tasks := inSchedule + "/tasks"
	analyses := &noun{path: tasks + "/scheduling-analyses", many: "taskSchedulingAnalyses", things: "Task Scheduling Analyses"}
	ofBaseline := &noun{path: inSchedule + "/baselines/{baselineId}/baseline-tasks/scheduling-analyses", many: "baselineTaskSchedulingAnalyses", things: "Baseline Task Scheduling Analyses"}
	paths := &noun{many: "paths", one: "path"}
	all := append(rows{
		rescheduleRow(svc),
		listIn(analyses, paging{}, bind(svc.In, schedules.Plan.SchedulingAnalyses)).paid(byWork),
		listBelow(ofBaseline, paging{}, bindBelow(svc.In, schedules.Plan.BaselineSchedulingAnalyses)).paid(byWork),
		answer(paths.operation("critical", http.MethodGet, tasks+"/critical-path", "Get the critical path of a Schedule"), http.StatusOK,
			func(ctx context.Context, x *exchange, _ nothing) (schedules.Path, error) {
				return svc.In(x.nth(0)).CriticalPath(ctx)
			}),
		answer(paths.operation("driving", http.MethodGet, tasks+"/{taskId}/driving-path", "Get why a Task is where it is"), http.StatusOK,
			func(ctx context.Context, x *exchange, _ nothing) (schedules.Path, error) {
				return svc.In(x.nth(0)).DrivingPath(ctx, x.nth(1))
			}),
	}, slices.Concat(chartRows(svc), comparisonRows(svc), qualityRows(svc))...)
	for _, r := range all {
		r.computes = true
	}
	return all
}

func chartRows(svc *schedules.Service) rows {
	type query = schedules.ChartQuery
	n := &noun{many: "gantt"}
	filters := []filter{
		text("baselineId", "Show this baseline beside the plan.", func(q *query) *string { return &q.BaselineID }),
		count("page", "The page, from 1 on.", func(q *query) *int { return &q.Page }),
		count("rows", "The number of tasks on a page: 200 unless it is given, 2,000 at most.", func(q *query) *int { return &q.Rows }),
		count("levels", "How deep the tree of tasks is shown.", func(q *query) *int { return &q.Levels }),
		text("scale", "How much room time takes: fit, day, week, month or quarter.", func(q *query) *string { return &q.Scale }),
		instant("from", "The first time that is shown.", func(q *query) *twinplatform.DateTime { return &q.From }),
		instant("to", "The last time that is shown.", func(q *query) *twinplatform.DateTime { return &q.To }),
		flag("withoutLinks", "True leaves the links out.", func(q *query) *bool { return &q.WithoutLinks }),
		texts("toggled", "Tasks that are folded although 'levels' shows what is below them, or unfolded although it does not, separated by commas.", func(q *query) *[]string { return &q.Toggled }),
		text("search", "Show only tasks whose name, code or id has this text, with those that they are below.", func(q *query) *string { return &q.Search }),
		flag("critical", "True shows only what is critical, with what it is below.", func(q *query) *bool { return &q.Critical }),
	}
	picture := append(slices.Clone(filters),
		flag("withoutTable", "True leaves out the columns beside the bars.", func(q *query) *bool { return &q.WithoutTable }),
		flag("bare", "True leaves out the colours, for pages that have them.", func(q *query) *bool { return &q.Bare }))
	return rows{
		n.chartRow("svg", "Draw a Schedule as a Gantt chart", picture, bind(svc.In, schedules.Plan.GanttSVG)),
		answer(n.operation("json", http.MethodGet, inSchedule+"/gantt.json", "Get the rows of the Gantt chart of a Schedule").filtered(filters), http.StatusOK,
			func(ctx context.Context, x *exchange, _ nothing) (out chartAnswer, err error) {
				var q query
				if err := x.fill(&q, filters); err != nil {
					return out, err
				}
				out.Chart, err = svc.In(x.nth(0)).GanttRows(ctx, q)
				return out, err
			}),
		n.chartRow("mmd", "Write a Schedule as a Gantt diagram of Mermaid", filters, bind(svc.In, schedules.Plan.GanttMermaid)),
	}
}

// chartAnswer are the rows of a chart under their key.
type chartAnswer struct {
	Chart schedules.ChartRows `json:"gantt"`
}

// chartRow answers with a picture. Page-Count tells how many pages there are.
func (n *noun) chartRow(format, summary string, filters []filter, draw func(context.Context, string, schedules.ChartQuery) (schedules.Chart, error)) *row {
	return &row{
		cost:      byWork,
		Operation: n.operation(format, http.MethodGet, inSchedule+"/gantt."+format, summary).filtered(filters),
		replies:   []reply{{status: http.StatusOK, headers: []string{"Content-Security-Policy", "Page-Count"}}},
		serve: func(ctx context.Context, x *exchange) error {
			var q schedules.ChartQuery
			if err := x.fill(&q, filters); err != nil {
				return err
			}
			c, err := draw(ctx, x.nth(0), q)
			if err != nil {
				return err
			}
			x.w.Header().Set("Content-Security-Policy", c.Policy)
			x.w.Header().Set("Page-Count", strconv.Itoa(c.Pages))
			return x.give(download{bytes.NewReader(c.Text), "", c.MediaType, int64(len(c.Text))})
		},
	}
}

func comparisonRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/baselines/{baselineId}/comparison", many: "comparisons", one: "comparison"}
	return rows{
		answer(n.operation("get", http.MethodGet, n.path, "Compare a Schedule with one of its Baselines"), http.StatusOK,
			func(ctx context.Context, x *exchange, _ nothing) (out comparisonAnswer, err error) {
				out.Comparison, err = svc.In(x.nth(0)).CompareBaseline(ctx, x.nth(1))
				return out, err
			}),
		{
			cost:      byWork,
			Operation: n.operation("csv", http.MethodGet, n.path+".csv", "Compare a Schedule with one of its Baselines in lines of fields"),
			replies:   []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
			serve: func(ctx context.Context, x *exchange) error {
				text, err := svc.In(x.nth(0)).CompareBaselineCSV(ctx, x.nth(1))
				if err != nil {
					return err
				}
				return x.give(download{text, "comparison.csv", "text/csv; charset=utf-8", text.Size})
			},
		},
	}
}

// comparisonAnswer is a comparison under its key.
type comparisonAnswer struct {
	Comparison schedules.Comparison `json:"comparison"`
}

// qualityAnswer is what came of judging a schedule.
type qualityAnswer struct {
	Results []schedules.QualityResult `json:"qualityResults"`
}

func qualityRows(svc *schedules.Service) rows {
	type query = schedules.QualityViolationQuery
	n := &noun{path: inSchedule + "/quality/dcma/violations", many: "qualityViolations", things: "what stands against the quality of a Schedule"}
	analyze := answer(n.operation("analyze", http.MethodPost, inSchedule+"/quality/dcma/analyze", "Judge the quality of a Schedule"), http.StatusOK,
		func(ctx context.Context, x *exchange, o schedules.QualityOptions) (out qualityAnswer, err error) {
			out.Results, err = svc.In(x.nth(0)).AnalyzeQuality(ctx, o)
			return out, err
		})
	analyze.omissible = true
	return rows{
		analyze,
		windowIn(n, bind(svc.In, schedules.Plan.QualityViolations),
			skip(func(q *query) *int { return &q.Skip }),
			texts("points", "List what stands against these points, separated by commas.", func(q *query) *[]schedules.QualityPoint { return &q.Points }),
			text("baselineId", "Judge with this baseline.", func(q *query) *string { return &q.BaselineID }),
			count("highFloatDays", "From how many working days on a total float is high: 44 unless it is given.", func(q *query) *int { return &q.HighFloatDays }),
			count("highDurationDays", "From how many working days on a duration is high: 44 unless it is given.", func(q *query) *int { return &q.HighDurationDays }),
			flag("includeMilestones", "True counts milestones as tasks.", func(q *query) *bool { return &q.IncludeMilestones })).unversioned().paid(byWork),
	}
}

// rescheduleRow moves the tasks of a schedule, or says where they would go.
func rescheduleRow(svc *schedules.Service) *row {
	n := &noun{path: inSchedule + "/tasks/reschedule", many: "tasks"}
	dryRun := flag("dryRun", "True says what would change, and changes nothing.", func(dry *bool) *bool { return dry })
	r := writes(n.operation("reschedule", http.MethodPost, n.path, "Reschedule Tasks").filtered([]filter{dryRun}), accepted(many(n.many)),
		func(ctx context.Context, x *exchange, b schedules.Rescheduling) (twinplatform.Result[schedules.Task], error) {
			return svc.In(x.nth(0)).Reschedule(ctx, b)
		})
	r.omissible = true
	r.replies = append(r.replies, recordReply(reflect.TypeFor[schedules.Simulation](), http.StatusOK, ""))
	reschedule := r.serve
	r.serve = func(ctx context.Context, x *exchange) error {
		var dry bool
		if err := dryRun.set(x, &dry); err != nil {
			return err
		}
		if !dry {
			return reschedule(ctx, x)
		}
		b, err := x.body()
		if err != nil {
			return err
		}
		sim, err := svc.In(x.nth(0)).Simulate(ctx, *b.(*schedules.Rescheduling))
		if err != nil {
			return err
		}
		text, err := wire.Marshal(sim)
		if err != nil {
			return err
		}
		return x.send(http.StatusOK, text)
	}
	return r
}
