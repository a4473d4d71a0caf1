package realitydata

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

// progressAnswer is how far a job is.
type progressAnswer struct {
	Progress realitydata.JobProgress `json:"progress"`
}

// newConversionJob and newAnalysisJob ask for a job of one service: each has its own types and
// outputs.
type (
	newConversionJob struct{ realitydata.NewJob }
	newAnalysisJob   struct{ realitydata.NewJob }
)

// newJob is what both are made of.
type newJob interface {
	newConversionJob | newAnalysisJob
	asked() realitydata.NewJob
}

func (n newConversionJob) asked() realitydata.NewJob { return n.NewJob }
func (n newAnalysisJob) asked() realitydata.NewJob   { return n.NewJob }

func jobSchemas(b *schema.Book) {
	realitydata.DescribeNewJob(b, reflect.TypeFor[newConversionJob](), realitydata.ConversionJobs)
	realitydata.DescribeNewJob(b, reflect.TypeFor[newAnalysisJob](), realitydata.AnalysisJobs)
}

// jobRoutes are the jobs of both services.
func jobRoutes(svc *realitydata.Service) cycle.Routes {
	return append(
		jobsOf[newConversionJob](svc, realitydata.ConversionJobs, &route.Resource{
			Path: "/reality-conversion/jobs", Many: "jobs", One: "job", Name: "conversionJobs",
			Plural: "jobs that make reality data of others", Singular: "a job that makes reality data of others",
		}),
		jobsOf[newAnalysisJob](svc, realitydata.AnalysisJobs, &route.Resource{
			Path: "/reality-analysis/jobs", Many: "jobs", One: "job", Name: "analysisJobs",
			Plural:   "jobs that find out what is in reality data",
			Singular: "a job that finds out what is in reality data",
		})...)
}

func jobsOf[N newJob](svc *realitydata.Service, of realitydata.JobService, n *route.Resource) cycle.Routes {
	type query = realitydata.JobQuery
	list := func(ctx context.Context, q query) (twinplatform.Page[realitydata.Job], error) {
		return svc.Jobs(ctx, of, q)
	}
	progress := n.Operation("progress", http.MethodGet, n.Each()+"/progress", "Get how far "+n.Singular+" is")
	rs := cycle.Routes{
		route.List(n, cycle.Paging{Continuation: "continuationToken", NoDelta: true, Bare: true}, list,
			route.Text("twinId", "List the jobs of the twin of this GUID; without it, those that the caller made.",
				func(q *query) *string { return &q.TwinID }),
			route.Text("state", "List the jobs of this state.",
				func(q *query) *realitydata.JobState { return &q.State }),
			route.Text("type", "List the jobs of this type.", func(q *query) *realitydata.JobType { return &q.Type })),
		route.Get(n, func(ctx context.Context, id string) (twinplatform.Record[realitydata.Job], error) {
			return svc.Job(ctx, of, id)
		}),
		route.Create(n, func(ctx context.Context, b N) (twinplatform.Result[realitydata.Job], error) {
			return svc.CreateJob(ctx, of, b.asked())
		}).Needs(realitydata.PermissionCreate + " on the twin and " + realitydata.PermissionUse + " on the inputs"),
		route.Update(n, func(ctx context.Context, id string, p realitydata.JobPatch,
			pre ...twinplatform.Precondition,
		) (twinplatform.Result[realitydata.Job], error) {
			return svc.UpdateJob(ctx, of, id, p, pre...)
		}).Summarized("Change, submit or cancel " + n.Singular),
		route.Discard(n, func(ctx context.Context, id string, pre ...twinplatform.Precondition) error {
			return svc.DeleteJob(ctx, of, id, pre...)
		}),
		route.Answer(progress, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out progressAnswer, err error) {
				out.Progress, err = svc.JobProgress(ctx, of, x.Nth(0))
				return out, err
			}),
	}
	return rs.RefuseMisspelt()
}
