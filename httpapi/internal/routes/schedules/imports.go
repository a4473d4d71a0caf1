package schedules

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// exchangeOf opens a schedule for files of planning tools.
func exchangeOf(svc *schedules.Service) func(id string) exchange.Plan {
	return func(id string) exchange.Plan { return exchange.In(svc.In(id)) }
}

func importRoutes(svc *schedules.Service) cycle.Routes {
	in := exchangeOf(svc)
	return append(
		importsOf("planner", "a planner file", "plannerImports", svc,
			func(n, again *route.Resource) (*cycle.Route, *cycle.Route) {
				return previewed(route.AcceptUnless(n, route.On(in, exchange.Plan.Import),
						previews[exchange.PlannerImport](in))),
					previewed(route.AcceptUnless(again, route.On(in, exchange.Plan.Synchronize),
						previews[exchange.PlannerSynchronization](in)))
			}),
		importsOf("microsoft-project", "a Microsoft Project file", "microsoftProjectImports", svc,
			func(n, again *route.Resource) (*cycle.Route, *cycle.Route) {
				return previewed(route.AcceptUnless(n, route.On(in, exchange.Plan.ImportMicrosoftProject),
						previews[exchange.MicrosoftProjectImport](in))),
					previewed(route.AcceptUnless(again, route.On(in, exchange.Plan.SynchronizeMicrosoftProject),
						previews[exchange.MicrosoftProjectSynchronization](in)))
			})...)
}

// importsOf are the routes of imports from the files of a tool.
func importsOf(tool, file, name string, svc *schedules.Service,
	routesOf func(n, again *route.Resource) (*cycle.Route, *cycle.Route),
) cycle.Routes {
	n := &route.Resource{Path: route.Schedule + "/imports/" + tool, One: "synchronizer", Name: name}
	again := &route.Resource{Path: n.Path + "/synchronize", One: n.One, Name: name}
	first, next := routesOf(n, again)
	recorded := &route.Resource{
		Path: n.Path + "/synchronizers", One: n.One,
		Singular: "a Synchronizer of " + file + " import", Name: name,
	}
	tasks := &route.Resource{
		Path: recorded.Each() + "/tasks", Many: "plannedTasks",
		Plural: "what " + file + " has of the dates of tasks",
	}
	listed := route.ListBelow(tasks, cycle.Paging{}, route.BindBelow(exchangeOf(svc), exchange.Plan.PlannedTasks),
		route.Flag("differing", "List the tasks alone of which the file has other dates or another float than the "+
			"schedule as it is now.",
								func(q *exchange.PlannedTaskQuery) *bool { return &q.Differing })).
		Named(name + ".listTasks").Paid(cycle.ByWork) // of scheduling the plan
	out := cycle.Routes{
		first.Summarized("Import " + file),
		next.Named(name + ".synchronize").Summarized("Synchronize with " + file), listed,
	}
	if tool != "planner" { // of which the specification has the synchronizer
		out = append(out, route.GetIn(recorded,
			route.Bind(synchronizersOf(svc), synchronizers.Plan.MicrosoftProjectSynchronizer)).Named(name+
			".getSynchronizer").Summarized("Get a Synchronizer of "+file+" import"))
	}
	return out
}

// previewAnswer is what an import would do under its key, with a picture of what moves.
type previewAnswer struct {
	Preview previewWithPicture `json:"importPreview"`
}

type previewWithPicture struct {
	exchange.ImportPreview

	// Picture is an SVG of the tasks that would be created or move, the first 200: a bar for where
	// each would be, and a line below it for where it is now. It is empty where none is.
	Picture string `json:"picture"`
}

// previewed is a route of an import that answers what would be done where the body asks for that.
func previewed(r *cycle.Route) *cycle.Route {
	r.Replies = append(r.Replies, route.RecordReply(reflect.TypeFor[previewAnswer](), http.StatusOK, ""))
	return r
}

// previews answers what would be done.
func previews[R exchange.PlannerRequest](in func(string) exchange.Plan) func(ctx context.Context, x *cycle.Exchange,
	b R) (done bool, err error) {
	return func(ctx context.Context, x *cycle.Exchange, b R) (done bool, err error) {
		if !b.Previews() {
			return false, nil
		}
		return true, sendPreview(ctx, x, in(x.Nth(0)), b)
	}
}

func sendPreview(ctx context.Context, x *cycle.Exchange, plan exchange.Plan, r exchange.PlannerRequest) error {
	preview, err := plan.PreviewImport(ctx, r)
	if err != nil {
		return err
	}
	picture, err := preview.MovesSVG()
	if err != nil {
		return err
	}
	text, err := wire.Marshal(previewAnswer{previewWithPicture{preview, string(picture)}})
	if err != nil {
		return err
	}
	return x.Send(http.StatusOK, text)
}
