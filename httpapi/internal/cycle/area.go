package cycle

import (
	"cmp"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Area is a domain as it is served.
type Area struct {
	Name string
	// Served reports whether there is a service behind the routes.
	Served bool
	Scopes []string
	// Read and modify are the permissions of GET and of all other methods.
	Read, Modify string
	Version      int // of the media type; 0 means 1
	Bad          twinplatform.Error
	Operations   string
	// NullLinks reports that links which lead nowhere are written as null. In other areas
	// they are left out: clients refuse a next page that is null.
	NullLinks bool
	// Schemas describes the types of its bodies that no service has.
	Schemas func(*schema.Book)
	// Routes makes the routes; the name of the area says which they are.
	Routes func() Routes
	// MaxTop is the largest page of its lists, MaxBatch how many records one request may
	// be about.
	MaxTop, MaxBatch int
}

// Table returns the routes with what they have in common filled in.
func (a Area) Table() Routes {
	table := a.Routes()
	for _, r := range table {
		a.complete(r)
	}
	return table
}

// complete fills in what a route leaves out.
func (a Area) complete(r *Route) {
	// A caller that may read nothing here is answered that there is nothing; what needs
	// more permissions can be forbidden.
	r.Forbids = !r.ReadOnly() || r.Permission != "" && r.Permission != "none"
	common := a.Modify
	if r.ReadOnly() {
		common = a.Read
	}
	r.Area, r.PathNames, r.MaxTop, r.MaxBatch, r.NullLinks = a.Name, pathNames(r.Path), a.MaxTop, a.MaxBatch,
		a.NullLinks
	r.Conditional = r.Conditional || !r.ReadOnly() && r.Method != http.MethodPost
	r.Permission = cmp.Or(r.Permission, common)
	r.Version = cmp.Or(r.Version, a.Version, 1)
	r.Operations = cmp.Or(r.Operations, a.Operations)
	if r.Scopes == nil {
		r.Scopes = a.Scopes
	}
	if r.Bad.Code == "" {
		r.Bad = a.Bad
	}
	if r.pending != nil && r.Operations != "" {
		r.Replies = append(r.Replies, *r.pending)
	}
	if r.Body != nil {
		r.Shape = shape.Of(r.Body)
		r.showing()
	}
}
