package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Configuration returns a configuration. Errors: ConfigurationNotFound, also for
// a caller who may see neither the target project nor the target model.
func (s *Service) Configuration(ctx context.Context, id string) (twinplatform.Record[Configuration], error) {
	return read(ctx, s, func(c caller) (twinplatform.Record[Configuration], error) { return c.visible(id) })
}

// visible returns a configuration that the caller may see. To everybody else it does
// not exist.
func (c caller) visible(id string) (rec twinplatform.Record[Configuration], err error) {
	var none twinplatform.Record[Configuration]
	if rec, err = configurationRecords.Get(c.tx, area.AllAccounts, id); err != nil {
		return none, configurationKind.Missing.Or(err)
	}
	r := &rec.Value.References
	c.expectSides(&rec.Value)
	if err := configurationKind.Missing.Unless(c.seesTarget(rec.Value.AccountID, r.TargetProjectID,
		r.TargetModelID)); err != nil {
		return none, err
	}
	return rec, nil
}

// ConfigurationQuery selects the configurations to list.
type ConfigurationQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many from the beginning.
	Skip int
	// ProjectID is the target project; required unless TargetModelID is given.
	ProjectID string
	// TargetModelID lists the configurations of one target model.
	TargetModelID string
	// Minimal makes Page.JSON carry a [ConfigurationSummary] of each. The values of the
	// page are whole either way.
	Minimal bool
}

// Configurations lists the configurations of a target project or model by id. A
// project that the caller may not see has none.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty (projectId)
// or InvalidValue (top, skip, continuation, delta; projectId, if it is no GUID and the caller
// sees no twin that is called so).
func (s *Service) Configurations(ctx context.Context, q ConfigurationQuery) (page twinplatform.Page[Configuration],
	err error,
) {
	var c problem.Checks
	c.Skip(q.Skip, "configurations to leave out")
	if q.ProjectID == "" && q.TargetModelID == "" {
		c.Need("projectId", "", MaxID)
	}
	c.AtMost("projectId", q.ProjectID, MaxID)
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	page, err = read(ctx, s, func(c caller) (page twinplatform.Page[Configuration], err error) {
		in, query, err := c.listed(q)
		if err != nil {
			return page, err
		}
		return configurationKind.List(c.tx, in, paging, query)
	})
	if err != nil || !q.Minimal {
		return page, err
	}
	return minimal(page, (*Configuration).Summary)
}

// listed is what of a query the caller may see, and where that is kept.
func (c caller) listed(q ConfigurationQuery) (in records.Scope, query records.Query[Configuration], err error) {
	p, _ := c.Caller()
	in = area.InAccount(p.AccountID) // lists nothing, unless the caller sees the target
	query = records.Query[Configuration]{
		ListOptions: q.ListOptions, Skip: q.Skip, Index: "targetProject",
		Equals: area.NoOne,
	}
	if q.TargetModelID == "" {
		twin, err := c.Project(q.ProjectID)
		if err != nil {
			return in, query, err
		}
		if strange := problem.Strange("projectId", q.ProjectID, twin.Visible); strange != nil {
			return in, query, problem.With(InvalidRequest, strange...)
		}
		if twin.Visible {
			in, query.Equals = area.InAccount(twin.Target.AccountID), q.ProjectID
			judge.OwnAlone(c.Judge, &query, twin.Target.AccountID, func(c *Configuration) string { return c.AccountID })
		}
		return in, query, nil
	}
	m, err := c.visibleTarget(q)
	if err == nil && m != nil {
		in, err = c.scopeOfModel(m)
		query.Index, query.Equals, query.Filter = "targetModel", area.Key(m.AccountID, m.ID), m.TwinID
		query.Match = func(c *Configuration) bool { return c.References.TargetProjectID == m.TwinID }
	}
	return in, query, err
}

// scopeOfModel is where what goes to a model is listed.
func (c caller) scopeOfModel(m *models.Model) (records.Scope, error) {
	at, _, err := c.TwinOf(m.AccountID, m.TwinID)
	return area.InAccount(at.AccountID), err
}

// visibleTarget returns the target model of a query, of a project or of those that
// the caller means by its id alone, or nil.
func (c caller) visibleTarget(q ConfigurationQuery) (m *models.Model, err error) {
	sees := func(m *models.Model) (bool, error) { return c.seesTarget(m.AccountID, m.TwinID, m.ID) }
	switch {
	case q.ProjectID != "":
		var target twinplatform.Target
		if target, _, err = c.Twin(q.ProjectID); err == nil {
			m, err = c.lookupModel(target, q.TargetModelID)
		}
	case c.s.directory != nil:
		m, err = c.foreignModel(q.TargetModelID)
	default:
		return c.Meant(q.TargetModelID, sees)
	}
	if m == nil || err != nil {
		return nil, err
	}
	if seen, err := sees(m); !seen || err != nil {
		return nil, err
	}
	return m, nil
}
