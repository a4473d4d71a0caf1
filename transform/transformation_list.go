package transform

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// TransformationQuery selects the transformations to list.
type TransformationQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many from the beginning.
	Skip int
	// ConfigurationID lists those of a configuration; required unless TargetModelID is
	// given.
	ConfigurationID string
	// TargetModelID lists those into one model.
	TargetModelID string
	// Status lists those in one state; empty means all.
	Status TransformationStatus
	// OrderBy is createdDateTime, startedDateTime, finishedDateTime, status,
	// processedElementCount, totalElementCount or id, and " desc" behind it for the other
	// direction; empty means by their creation. What has no such time comes first.
	OrderBy string
	// Minimal makes Page.JSON carry a [TransformationSummary] of each. The values of the
	// page are whole either way.
	Minimal bool
}

// Transformations lists transformations of a configuration or into a model, by their
// creation unless OrderBy says otherwise. A configuration or a model that the caller may
// not see has none. Those that ended longer ago than Env.Retain are forgotten.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty (configurationId)
// or InvalidValue (status, orderBy, top, skip, continuation, delta).
func (s *Service) Transformations(ctx context.Context, q TransformationQuery) (page twinplatform.Page[Transformation],
	err error,
) {
	var c problem.Checks
	c.Skip(q.Skip, "transformations to leave out")
	if q.ConfigurationID == "" && q.TargetModelID == "" {
		c.Need("configurationId", "", MaxID)
	}
	if q.Status != "" {
		problem.OneOf(&c, "status", q.Status, transformationStatuses)
	}
	order, compare := transformationOrders.Read(&c, q.OrderBy, "createdDateTime")
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	page, err = read(ctx, s, func(c caller) (page twinplatform.Page[Transformation], err error) {
		in, query, err := c.listedTransformations(q)
		if err != nil {
			return page, err
		}
		query.Order, query.Compare = order, compare
		return transformationKind.List(c.tx, in, paging, query)
	})
	if err != nil || !q.Minimal {
		return page, err
	}
	return minimal(page, (*Transformation).Summary)
}

// transformationOrders are the properties that transformations are ordered by.
var transformationOrders = entity.Orders[Transformation]{
	"createdDateTime": func(a,
		b *Transformation,
	) int {
		return a.CreatedDateTime.Compare(b.CreatedDateTime.Time)
	},
	"finishedDateTime": func(a,
		b *Transformation,
	) int {
		return a.FinishedDateTime.Compare(b.FinishedDateTime.Time)
	},
	"id": func(a, b *Transformation) int { return cmp.Compare(a.ID, b.ID) },
	"processedElementCount": func(a,
		b *Transformation,
	) int {
		return cmp.Compare(a.ProcessedElementCount, b.ProcessedElementCount)
	},
	"startedDateTime": func(a, b *Transformation) int { return a.StartedDateTime.Compare(b.StartedDateTime.Time) },
	"status":          func(a, b *Transformation) int { return cmp.Compare(a.Status, b.Status) },
	"totalElementCount": func(a, b *Transformation) int {
		return cmp.Compare(a.TotalElementCount,
			b.TotalElementCount)
	},
}

// listedTransformations is what of a query the caller may see, and where that is kept.
func (c caller) listedTransformations(q TransformationQuery) (in records.Scope, query records.Query[Transformation],
	err error,
) {
	p, _ := c.Caller()
	in = area.InAccount(p.AccountID) // lists nothing, unless the caller sees the target
	query = records.Query[Transformation]{
		ListOptions: q.ListOptions, Skip: q.Skip, Index: "configuration",
		Equals: area.NoOne,
	}
	target := ""
	if q.TargetModelID != "" {
		m, err := c.visibleTarget(ConfigurationQuery{TargetModelID: q.TargetModelID})
		if err != nil || m == nil {
			return in, query, err
		}
		target = area.Key(m.AccountID, m.ID)
		if in, err = c.scopeOfModel(m); err != nil {
			return in, query, err
		}
		query.Index, query.Equals = "target", target
	}
	if q.ConfigurationID != "" {
		conf, err := c.visible(q.ConfigurationID)
		if err != nil {
			query.Index, query.Equals = "configuration", area.NoOne
			if errors.Is(err, twinplatform.NotFound) {
				err = nil
			}
			return in, query, err
		}
		twin, _, err := c.TwinOf(conf.Value.AccountID, conf.Value.References.TargetProjectID)
		if err != nil {
			return in, query, err
		}
		in = area.InAccount(twin.AccountID)
		query.Index, query.Equals = "configuration", conf.Value.ID
	}
	query.Filter = strings.Join([]string{target, string(q.Status)}, "\x00")
	query.Match = func(t *Transformation) bool {
		return (target == "" || t.Target == target) && (q.Status == "" || t.Status == q.Status)
	}
	return in, query, nil
}
