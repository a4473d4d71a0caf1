package twins

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Where repositories are, and what each of them holds.
const (
	repositories       = route.Twins + "/{twinId}/repositories"
	resources          = repositories + "/{repositoryId}/resources"
	globalRepositories = route.Twins + "/repositories"
	globalResources    = globalRepositories + "/{repositoryId}/resources"
)

// reachable is a repository with the address of its resources.
func reachable(x *cycle.Exchange, r *twins.Repository, stored []byte) ([]byte, error) {
	if r.Capabilities == nil {
		return stored, nil
	}
	at := x.Filled(resources, x.Path("twinId"), r.ID)
	if x.Route.Apart != "" {
		at = x.Filled(globalResources, r.ID)
	}
	r.Capabilities = &twins.RepositoryCapabilities{Resources: twins.RepositoryCapability{URI: at}}
	return wire.Marshal(r)
}

// capable is where a client asks for the graphics of a resource; nil where there are none.
func capable(x *cycle.Exchange, c *twins.RepositoryResourceCapabilities,
	id string,
) *twins.RepositoryResourceCapabilities {
	if c == nil {
		return nil
	}
	at := x.Filled(resources+"/{repositoryResourceId}/graphics", x.Path("twinId"), x.Path("repositoryId"), id)
	if x.Route.Apart != "" {
		at = x.Filled(globalResources+"/{repositoryResourceId}/graphics", x.Path("repositoryId"), id)
	}
	return &twins.RepositoryResourceCapabilities{Graphics: twins.RepositoryCapability{URI: at}}
}

// drawable is a resource with the address of its graphics.
func drawable(x *cycle.Exchange, r *twins.RepositoryResource, _ []byte) ([]byte, error) {
	r.Capabilities = capable(x, r.Capabilities, r.ID)
	return wire.Marshal(r)
}

// repositoryFilters are what lists of repositories are asked by.
func repositoryFilters() []route.Filter {
	type query = twins.RepositoryQuery
	return []route.Filter{
		route.Skip(func(q *query) *int { return &q.Skip }),
		route.Text("class", "List repositories of this class.", func(q *query) *string { return &q.Class }),
		route.Text("subClass", "List repositories of this subclass. It goes with class.",
			func(q *query) *string { return &q.SubClass }),
	}
}

func repositoryRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: repositories, Many: "repositories", One: "repository",
		Plural: "the repositories of a twin", Singular: "a repository of a twin",
	}
	list := n.WindowRoute(reflect.TypeFor[twins.Repository](), reflect.TypeFor[twins.RepositoryQuery](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			from, err := svc.Repositories(ctx, x.Nth(0), *q.(*twins.RepositoryQuery))
			if err != nil {
				return cycle.Page{}, err
			}
			return route.MapPage(x, from, reachable)
		}, repositoryFilters())
	return cycle.Routes{
		list,
		route.Completed(route.GetIn(n, svc.Repository), reachable),
		route.Completed(route.CreateIn(n, route.Makes(svc.CreateRepository)),
			reachable).Summarized("Note a repository of a twin"),
		route.Completed(route.UpdateIn(n, route.Changes(svc.UpdateRepository)), reachable),
		route.DiscardIn(n, svc.DeleteRepository).Summarized("Forget a repository of a twin"),
	}.RefuseMisspelt()
}

// resourceFilters are what lists of resources of repositories are asked by.
func resourceFilters() []route.Filter {
	type query = twins.RepositoryResourceQuery
	return []route.Filter{
		route.Skip(func(q *query) *int { return &q.Skip }),
		route.Short(func(q *query) *bool { return &q.Minimal }),
		route.Text("$search", "List resources whose display name or id contains this text, in upper or lower case.",
			func(q *query) *string { return &q.Search }),
		route.Text("type", "List resources of this type.", func(q *query) *string { return &q.Type }),
	}
}

// resourceList is a route that answers with resources and the addresses of their graphics.
func resourceList(n *route.Resource,
	call func(ctx context.Context, x *cycle.Exchange,
		q twins.RepositoryResourceQuery) (twinplatform.Page[twins.RepositoryResource], error),
) *cycle.Route {
	return n.WindowRoute(reflect.TypeFor[twins.RepositoryResource](), reflect.TypeFor[twins.RepositoryResourceQuery](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			asked := *q.(*twins.RepositoryResourceQuery)
			from, err := call(ctx, x, asked)
			if err != nil {
				return cycle.Page{}, err
			}
			return route.MapPage(x, from, func(x *cycle.Exchange, r *twins.RepositoryResource, stored []byte) ([]byte,
				error,
			) {
				if !asked.Minimal {
					return drawable(x, r, stored)
				}
				short := r.Summary()
				short.Capabilities = capable(x, short.Capabilities, r.ID)
				return wire.Marshal(short)
			})
		}, resourceFilters()).Shortly(reflect.TypeFor[twins.RepositoryResourceSummary]())
}

// graphicsAnswer is how a resource is drawn.
type graphicsAnswer struct {
	Graphics []twins.RepositoryResourceGraphics `json:"graphics"` // none where the platform knows of none
}

// metadataAnswer is what is known of a resource.
type metadataAnswer struct {
	Metadata twins.RepositoryResourceMetadata `json:"metadata"`
}

func repositoryResourceRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: resources, Many: "resources", One: "resource", Name: "repositoryResources", ID: "repositoryResourceId",
		Plural: "the resources of a repository of a twin", Singular: "a resource of a repository of a twin",
	}
	get := n.GetRoute(reflect.TypeFor[twins.RepositoryResource](),
		func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
			rec, err := svc.RepositoryResource(ctx, x.Nth(0), x.Nth(1), x.Nth(2))
			return route.RecordOf(x, &rec, err)
		})
	create := route.Writes(n.Creates(), route.Created(n.One),
		func(ctx context.Context, x *cycle.Exchange,
			b twins.NewRepositoryResource,
		) (twinplatform.Result[twins.RepositoryResource], error) {
			return svc.CreateRepositoryResource(ctx, x.Nth(0), x.Nth(1), b)
		})
	update := route.Writes(n.Updates(), route.Changed(n.One),
		func(ctx context.Context, x *cycle.Exchange,
			b twins.RepositoryResourcePatch,
		) (twinplatform.Result[twins.RepositoryResource], error) {
			return svc.UpdateRepositoryResource(ctx, x.Nth(0), x.Nth(1), x.Nth(2), b, x.Preconditions()...)
		})
	graphics := n.Operation("graphics", http.MethodGet, n.Each()+"/graphics",
		"Get where a resource of a repository of a twin is drawn")
	metadata := n.Operation("metadata", http.MethodGet, n.Each()+"/metadata",
		"Get what is known of a resource of a repository of a twin")
	return cycle.Routes{
		resourceList(n, func(ctx context.Context, x *cycle.Exchange,
			q twins.RepositoryResourceQuery,
		) (twinplatform.Page[twins.RepositoryResource], error) {
			return svc.RepositoryResources(ctx, x.Nth(0), x.Nth(1), q)
		}),
		route.Completed(get, drawable),
		route.Completed(create, drawable).Summarized("Note a resource of a repository of a twin"),
		route.Completed(update, drawable),
		route.DiscardRoute(n.Deletes(), func(ctx context.Context, x *cycle.Exchange) error {
			return svc.DeleteRepositoryResource(ctx, x.Nth(0), x.Nth(1), x.Nth(2), x.Preconditions()...)
		}).Summarized("Forget a resource of a repository of a twin"),
		route.Answer(graphics, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out graphicsAnswer, err error) {
				out.Graphics, err = svc.RepositoryResourceGraphics(ctx, x.Nth(0), x.Nth(1), x.Nth(2))
				return out, err
			}),
		route.Answer(metadata, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out metadataAnswer, err error) {
				out.Metadata, err = svc.RepositoryResourceMetadata(ctx, x.Nth(0), x.Nth(1), x.Nth(2))
				return out, err
			}),
	}.RefuseMisspelt()
}

// globalRepositoryRoutes are the reads of the repositories for all twins.
func globalRepositoryRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: globalRepositories, Many: "repositories", One: "repository", Name: "globalRepositories",
		Plural: "the repositories for all twins", Singular: "a repository for all twins",
	}
	in := &route.Resource{
		Path: globalResources, Many: "resources", One: "resource", Name: "globalRepositoryResources",
		ID:     "repositoryResourceId",
		Plural: "the resources of a repository for all twins", Singular: "a resource of a repository for all twins",
	}
	list := n.WindowRoute(reflect.TypeFor[twins.Repository](), reflect.TypeFor[twins.RepositoryQuery](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			from, err := svc.GlobalRepositories(ctx, *q.(*twins.RepositoryQuery))
			if err != nil {
				return cycle.Page{}, err
			}
			return route.MapPage(x, from, func(x *cycle.Exchange, r *twins.Repository, _ []byte) ([]byte, error) {
				r.Capabilities.Resources.URI = x.Filled(globalResources, r.ID)
				return wire.Marshal(r)
			})
		}, repositoryFilters())
	graphics := in.Operation("graphics", http.MethodGet, in.Each()+"/graphics",
		"Get where a resource of a repository for all twins is drawn")
	apart := cycle.Routes{
		route.Completed(route.Get(n, svc.GlobalRepository), reachable),
		resourceList(in, func(ctx context.Context, x *cycle.Exchange,
			q twins.RepositoryResourceQuery,
		) (twinplatform.Page[twins.RepositoryResource], error) {
			return svc.GlobalRepositoryResources(ctx, x.Path("repositoryId"), q)
		}),
		route.Completed(route.GetIn(in, svc.GlobalRepositoryResource), drawable),
		route.Answer(graphics, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out graphicsAnswer, err error) {
				out.Graphics, err = svc.GlobalRepositoryResourceGraphics(ctx, x.Nth(0), x.Nth(1))
				return out, err
			}),
	}
	for _, r := range apart {
		r.Apart = "repositories" // next to /twins/{twinId}/repositories
		r.Unversioned()
	}
	return append(apart, list.Unversioned()).Need("none")
}
