package schedules

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

func schedulingRoutes(svc *schedules.Service) cycle.Routes {
	tasks := route.Schedule + "/tasks"
	analyses := &route.Resource{
		Path: tasks + "/scheduling-analyses", Many: "taskSchedulingAnalyses",
		Plural: "Task Scheduling Analyses",
	}
	ofBaseline := &route.Resource{
		Path: route.Schedule + "/baselines/{baselineId}/baseline-tasks/scheduling-analyses",
		Many: "baselineTaskSchedulingAnalyses", Plural: "Baseline Task Scheduling Analyses",
	}
	paths := &route.Resource{Many: "paths", One: "path"}
	in := func(scheduleID string) scheduling.Plan { return scheduling.In(svc.In(scheduleID)) }
	all := append(cycle.Routes{
		rescheduleRoute(svc),
		route.ListIn(analyses, cycle.Paging{},
			route.Bind(in, scheduling.Plan.SchedulingAnalyses)).Paid(cycle.ByWork),
		route.ListBelow(ofBaseline, cycle.Paging{},
			route.BindBelow(in, scheduling.Plan.BaselineSchedulingAnalyses)).Paid(cycle.ByWork),
		route.Answer(paths.Operation("critical", http.MethodGet, tasks+"/critical-path",
			"Get the critical path of a Schedule"), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (scheduling.Path, error) {
				return in(x.Nth(0)).CriticalPath(ctx)
			}),
		drivingPathRoute(paths, tasks, in),
	}, slices.Concat(chartRoutes(svc), comparisonRoutes(svc), qualityRoutes(svc), wbsDatesRoutes(svc), riskRoutes(svc),
		progressRoutes(svc), cycle.Routes{workbookRoute(svc)})...)
	for _, r := range all {
		r.Computes = true
	}
	return all
}

// drivingPathRoute tells why a task is where it is.
func drivingPathRoute(paths *route.Resource, tasks string, in func(string) scheduling.Plan) *cycle.Route {
	type query = scheduling.DrivingPathQuery
	filters := []route.Filter{
		route.Text("baselineId", "Say by how much each task is later than in this baseline.",
			func(q *query) *string { return &q.BaselineID }),
	}
	o := route.Filtered(paths.Operation("driving", http.MethodGet, tasks+"/{taskId}/driving-path",
		"Get why a Task is where it is"), filters)
	return route.Answer(o, http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (path scheduling.Path, err error) {
			var q query
			if err := route.Fill(x, &q, filters); err != nil {
				return path, err
			}
			return in(x.Nth(0)).DrivingPath(ctx, x.Nth(1), q)
		})
}

func chartRoutes(svc *schedules.Service) cycle.Routes {
	type query = analysis.ChartQuery
	n := &route.Resource{Many: "gantt"}
	filters := []route.Filter{
		route.Text("baselineId", "Show this baseline with the plan.", func(q *query) *string { return &q.BaselineID }),
		route.AtLeastOne("page", "The page, from 1 on.", func(q *query) *int { return &q.Page }),
		route.AtLeastOne("rows", "The number of tasks on a page: 200 unless it is given, 2,000 at most.",
			func(q *query) *int { return &q.Rows }),
		route.Count("levels", "How deep the tree of tasks is shown.", func(q *query) *int { return &q.Levels }),
		route.Text("scale", "How much room time takes: fit, day, week, month or quarter.",
			func(q *query) *string { return &q.Scale }),
		route.Text("orderBy", "The order of the tasks below one: outline, start or plan. Unless it is given it is "+
			"outline, which is that of the plan where a parent has one, and else by start.", func(q *query) *string {
			return &q.OrderBy
		}),
		route.Instant("from", "The first time that is shown.",
			func(q *query) *twinplatform.DateTime { return &q.From }),
		route.Instant("to", "The last time that is shown.", func(q *query) *twinplatform.DateTime { return &q.To }),
		route.Flag("withoutLinks", "True leaves the links out.", func(q *query) *bool { return &q.WithoutLinks }),
		route.Texts("toggled", "Tasks that are folded although 'levels' shows what is below them, or unfolded "+
			"although it does not, separated by commas.", func(q *query) *[]string {
			return &q.Toggled
		}),
		route.Text("search", "Show only tasks whose name, code or id has this text, with those that they are below.",
			func(q *query) *string { return &q.Search }),
		route.Flag("critical", "True shows only what is critical, with what it is below.",
			func(q *query) *bool { return &q.Critical }),
	}
	picture := append(slices.Clone(filters),
		route.Flag("withoutTable", "True leaves out the columns next to the bars.",
			func(q *query) *bool { return &q.WithoutTable }),
		route.Flag("bare", "True leaves out the colours, for pages that have them.",
			func(q *query) *bool { return &q.Bare }))
	all := cycle.Routes{
		chartRoute(n, "svg", "image/svg+xml", "Draw a Schedule as a Gantt chart", picture,
			route.Bind(analysisIn(svc), analysis.Plan.GanttSVG)),
		route.Answer(route.Filtered(n.Operation("json", http.MethodGet, route.Schedule+"/gantt.json",
			"Get the rows of the Gantt chart of a Schedule"), filters), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out chartAnswer, err error) {
				var q query
				if err := route.Fill(x, &q, filters); err != nil {
					return out, err
				}
				out.Chart, err = analysisIn(svc)(x.Nth(0)).GanttRows(ctx, q)
				return out, err
			}),
		chartRoute(n, "pdf", "application/pdf", "Draw a Schedule as a Gantt chart on paper", filters,
			route.Bind(analysisIn(svc), analysis.Plan.GanttPDF)),
		chartRoute(n, "mmd", "text/plain", "Write a Schedule as a Gantt diagram of Mermaid", filters,
			route.Bind(analysisIn(svc), analysis.Plan.GanttMermaid)),
	}
	for _, r := range all {
		r.Literal = true // a parameter that is passed over gives another picture than was asked for
	}
	return all
}

// workbookRoute answers with the tasks of a schedule as a workbook.
func workbookRoute(svc *schedules.Service) *cycle.Route {
	type query struct{ baselineID string }
	filters := []route.Filter{route.Text("baselineId", "Show this baseline next to the tasks. Unless it is given, "+
		"the current one is shown, where there is one.", func(q *query) *string { return &q.baselineID })}
	n := &route.Resource{Many: "tasks"}
	return &cycle.Route{
		PaidBy: cycle.ByWork,
		Operation: route.Filtered(n.Operation("xlsx", http.MethodGet, route.Schedule+"/tasks.xlsx",
			"Get the Tasks of a Schedule as a workbook for spreadsheets"), filters),
		Replies: cycle.Bytes([]string{analysis.WorkbookType}, "Content-Disposition"),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			var q query
			if err := route.Fill(x, &q, filters); err != nil {
				return err
			}
			book, err := analysisIn(svc)(x.Nth(0)).TasksXLSX(ctx, q.baselineID)
			if err != nil {
				return err
			}
			return x.Give(cycle.Download{
				Reader: bytes.NewReader(book), Name: "tasks.xlsx", MediaType: analysis.WorkbookType,
				Size: int64(len(book)),
			})
		},
	}
}

// chartAnswer are the rows of a chart under their key.
type chartAnswer struct {
	Chart analysis.ChartRows `json:"gantt"`
}

// chartRoute answers with a picture. Page-Count is how many pages there are.
func chartRoute(n *route.Resource, format, media, summary string, filters []route.Filter,
	draw func(context.Context, string, analysis.ChartQuery) (analysis.Chart, error),
) *cycle.Route {
	headers := []string{"Content-Security-Policy", "Page-Count"}
	if format == "pdf" {
		headers = append(headers, "Replaced-Letters")
	}
	return &cycle.Route{
		PaidBy: cycle.ByWork,
		Operation: route.Filtered(n.Operation(format, http.MethodGet, route.Schedule+"/gantt."+format, summary),
			filters),
		Replies: cycle.Bytes([]string{media}, headers...),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			var q analysis.ChartQuery
			if err := route.Fill(x, &q, filters); err != nil {
				return err
			}
			c, err := draw(ctx, x.Nth(0), q)
			if err != nil {
				return err
			}
			x.W.Header().Set("Content-Security-Policy", c.Policy)
			x.W.Header().Set("Page-Count", strconv.Itoa(c.Pages))
			if format == "pdf" {
				x.W.Header().Set("Replaced-Letters", strconv.Itoa(c.Replaced))
			}
			return x.Give(cycle.Download{
				Reader: bytes.NewReader(c.Text), Name: "", MediaType: c.MediaType,
				Size: int64(len(c.Text)),
			})
		},
	}
}

func comparisonRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/baselines/{baselineId}/comparison", Many: "comparisons",
		One: "comparison",
	}
	return cycle.Routes{
		route.WindowOf(n.Operation("get", http.MethodGet, n.Path, "Compare a Schedule with one of its Baselines"),
			n.One,
			func(ctx context.Context, x *cycle.Exchange, q analysis.ComparisonQuery) (analysis.Comparison, int, int,
				error,
			) {
				page, err := analysisIn(svc)(x.Nth(0)).CompareBaseline(ctx, x.Nth(1), q)
				return page.Comparison, page.Top, page.Next, err
			},
			func(q *analysis.ComparisonQuery) *int { return &q.Top },
			func(q *analysis.ComparisonQuery) *int { return &q.Skip },
			route.Text("taskId", "Compare this task alone, also where it is Unchanged, with the links that differ to "+
				"it and from it.", func(q *analysis.ComparisonQuery) *string { return &q.TaskID })),
		finishMoveRoute(svc),
		{
			PaidBy: cycle.ByWork,
			Operation: n.Operation("csv", http.MethodGet, n.Path+".csv",
				"Compare a Schedule with one of its Baselines in lines of fields"),
			Replies: cycle.Bytes([]string{"text/csv"}, "Content-Disposition"),
			Serve: func(ctx context.Context, x *cycle.Exchange) error {
				text, err := analysisIn(svc)(x.Nth(0)).CompareBaselineCSV(ctx, x.Nth(1))
				if err != nil {
					return err
				}
				return x.Give(cycle.Download{
					Reader: text, Name: "comparison.csv", MediaType: "text/csv; charset=utf-8",
					Size: text.Size,
				})
			},
		},
	}
}

// finishMoveRoute answers why the finish moved.
func finishMoveRoute(svc *schedules.Service) *cycle.Route {
	type query = analysis.FinishMoveQuery
	n := &route.Resource{
		Path: route.Schedule + "/baselines/{baselineId}/finish-move", Many: "finishMoves",
		One: "finishMove",
	}
	filters := []route.Filter{
		route.Text("toBaselineId", "Compare with this baseline, not with the schedule as it is.",
			func(q *query) *string { return &q.ToBaselineID }),
	}
	o := route.Filtered(n.Operation("get", http.MethodGet, n.Path,
		"Get why the finish of a Schedule has moved since one of its Baselines"), filters)
	return route.Answer(o, http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out finishMoveAnswer, err error) {
			var q query
			if err := route.Fill(x, &q, filters); err != nil {
				return out, err
			}
			out.FinishMove, err = analysisIn(svc)(x.Nth(0)).FinishMove(ctx, x.Nth(1), q)
			return out, err
		})
}

// finishMoveAnswer is why a finish moved under its key.
type finishMoveAnswer struct {
	FinishMove analysis.FinishMove `json:"finishMove"`
}

// qualityAnswer is what came of judging a schedule.
type qualityAnswer struct {
	Results []analysis.QualityResult `json:"qualityResults"`
}

func qualityRoutes(svc *schedules.Service) cycle.Routes {
	type query = analysis.QualityViolationQuery
	n := &route.Resource{
		Path: route.Schedule + "/quality/dcma/violations", Many: "qualityViolations",
		Plural: "the tasks and links that fail points of quality of a Schedule",
	}
	analyze := route.Answer(n.Operation("analyze", http.MethodPost, route.Schedule+"/quality/dcma/analyze",
		"Judge the quality of a Schedule"), http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, o analysis.QualityOptions) (out qualityAnswer, err error) {
			out.Results, err = analysisIn(svc)(x.Nth(0)).AnalyzeQuality(ctx, o)
			return out, err
		})
	analyze.BodyOptional = true
	return cycle.Routes{
		analyze,
		route.WindowIn(n, route.Bind(analysisIn(svc), analysis.Plan.QualityViolations),
			route.Skip(func(q *query) *int { return &q.Skip }),
			route.Texts("points", "List those that fail these points, separated by commas.",
				func(q *query) *[]analysis.QualityPoint { return &q.Points }),
			route.Text("baselineId", "Judge with this baseline: with the current one unless it is given.",
				func(q *query) *string { return &q.BaselineID }),
			route.AtLeastOne("highFloatDays",
				"From how many working days on a total float is high: 44 unless it is given.",
				func(q *query) *int { return &q.HighFloatDays }),
			route.AtLeastOne("highDurationDays",
				"From how many working days on a duration is high: 44 unless it is given.",
				func(q *query) *int { return &q.HighDurationDays }),
			route.Flag("includeMilestones", "True counts milestones as tasks.",
				func(q *query) *bool { return &q.IncludeMilestones })).Unversioned().Paid(cycle.ByWork),
	}
}

// wbsDatesRoutes are the dates of WBS tasks that follow from what is below them.
func wbsDatesRoutes(svc *schedules.Service) cycle.Routes {
	type query = analysis.WBSDatesQuery
	n := &route.Resource{
		Path: route.Schedule + "/wbs-dates", Many: "wbsDates",
		Plural: "the dates of WBS tasks that follow from the Tasks below them",
	}
	return cycle.Routes{route.WindowIn(n, route.Bind(analysisIn(svc), analysis.Plan.WBSDates),
		route.Skip(func(q *query) *int { return &q.Skip }),
		route.Text("taskId", "List this WBS task alone.",
			func(q *query) *string { return &q.TaskID })).Unversioned().Paid(cycle.ByWork)}
}

// rescheduleRoute moves the tasks of a schedule, or says where they would go.
func rescheduleRoute(svc *schedules.Service) *cycle.Route {
	n := &route.Resource{Path: route.Schedule + "/tasks/reschedule", Many: "tasks"}
	dryRun := route.Flag("dryRun", "True says what would change, and changes nothing.",
		func(dry *bool) *bool { return dry })
	r := route.Writes(route.Filtered(n.Operation("reschedule", http.MethodPost, n.Path, "Reschedule Tasks"),
		[]route.Filter{dryRun}), route.Accepted(route.Many(n.Many)),
		func(ctx context.Context, x *cycle.Exchange, b scheduling.Rescheduling) (twinplatform.Result[schedules.Task],
			error,
		) {
			return scheduling.In(svc.In(x.Nth(0))).Reschedule(ctx, b)
		})
	r.BodyOptional = true
	r.Replies = append(r.Replies, route.RecordReply(reflect.TypeFor[scheduling.Simulation](), http.StatusOK, ""))
	reschedule := r.Serve
	r.Serve = func(ctx context.Context, x *cycle.Exchange) error {
		var dry bool
		if err := dryRun.Set(x, &dry); err != nil {
			return err
		}
		if !dry {
			return reschedule(ctx, x)
		}
		b, err := x.Body()
		if err != nil {
			return err
		}
		sim, err := scheduling.In(svc.In(x.Nth(0))).Simulate(ctx, *b.(*scheduling.Rescheduling))
		if err != nil {
			return err
		}
		text, err := wire.Marshal(sim)
		if err != nil {
			return err
		}
		return x.Send(http.StatusOK, text)
	}
	return r
}

// analysisIn leads to the plans of schedules, for those who look at them.
func analysisIn(svc *schedules.Service) func(scheduleID string) analysis.Plan {
	return func(scheduleID string) analysis.Plan { return analysis.In(svc.In(scheduleID)) }
}
