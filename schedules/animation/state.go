package animation

import (
	"context"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// EntityState is how an entity of the 3D model is at a time. Package fourd says what it follows from.
type EntityState struct {
	AnimatedEntityID string `json:"animatedEntityId"`
	Look
	Warnings []SiteWarning `json:"warnings"` // what of its records was not understood
}

// Look is how an entity looks and where it is.
type Look struct {
	// Color is in the form #rrggbb, and null for the original one.
	Color     twinplatform.NullString `json:"color"`
	Growth    *Growth                 `json:"growth"`    // null where all of it is there
	IsPresent bool                    `json:"isPresent"` // whether it is there at all
	// IsStatusCritical reports that the status of its resource is marked critical.
	IsStatusCritical bool `json:"isStatusCritical"`
	// Matrix are the 16 numbers of a 4×4 matrix row by row, of which the fourth, eighth and twelfth
	// move. It is left out for an entity that is where the model has it.
	Matrix []float64 `json:"matrix,omitempty"`
	// Transparency is 0 (opaque) to 100 percent. It applies while UseOriginalTransparency is
	// false.
	Transparency            float64 `json:"transparency"`
	UseOriginalTransparency bool    `json:"useOriginalTransparency"` // true leaves Transparency without effect
	Why                     Why     `json:"why"`
}

// Growth is how much of an entity is there.
type Growth struct {
	Direction  Vector `json:"direction"`  // where the plane moves to; of length 1
	IsRemoving bool   `json:"isRemoving"` // what the plane has passed is gone; else what it has not
	// Plane cuts the entity, before its matrix moves it. It is null where the box of the entity is not known.
	Plane *Plane  `json:"plane"`
	Share float64 `json:"share"` // how far it has come, 0 to 1
}

// Plane cuts an entity: what is there are the points p with normal·p ≤ offset.
type Plane struct {
	Normal Vector  `json:"normal"` // of length 1
	Offset float64 `json:"offset"` // in the unit of the model
}

// Why says what the state of an entity follows from, each null where nothing says so.
type Why struct {
	AnimationBindingID          twinplatform.NullString `json:"animationBindingId"`
	Animation3DPathAssignmentID twinplatform.NullString `json:"animation3dPathAssignmentId"` // where it is
	Animation3DTransformID      twinplatform.NullString `json:"animation3dTransformId"`      // where it is put
	AppearanceProfileID         twinplatform.NullString `json:"appearanceProfileId"`         // how it looks
	Phase                       twinplatform.NullString `json:"phase"`                       // Before, During or After a task
	ResourceStatusItemID        twinplatform.NullString `json:"resourceStatusItemId"`        // the status on top
	TaskID                      twinplatform.NullString `json:"taskId"`                      // whether it is there
}

// SiteWarning says what of a record was not understood, and what follows.
type SiteWarning struct {
	ID      string            `json:"id"`   // of the record or the entity
	Kind    fourd.WarningKind `json:"kind"` // package fourd names them all
	Message string            `json:"message"`
}

// StateQuery selects the states to list.
type StateQuery struct {
	SiteQuery
	// Time is required.
	Time twinplatform.DateTime
}

func (q *StateQuery) check() error {
	var c problem.Checks
	if q.Time.IsZero() {
		c.Missing("time")
	}
	q.SiteQuery.check(&c)
	return c.Err(model.InvalidRequest)
}

// At lists how the entities of the 3D model are at a time: whether they are there, how they look, how far they have
// grown and where they are (GET …/animation-state). They are in the order of their first bindings by id, in v6.5
// schedules with 3D entities of these. What has no bindings is as the model has it, and is not listed. The list has
// no delta; its version is that of the schedule.
//
// Errors: ScheduleNotFound; BaselineNotFound; ModelNotFound; InvalidSchedulesRequest with MissingRequiredProperty
// (time, baselineId) or InvalidValue (top, continuation, entityIds, dates, modelId); LimitExceeded for a page that
// takes too much.
func (p Plan) At(ctx context.Context, q StateQuery) (page twinplatform.Page[EntityState], err error) {
	if err := q.check(); err != nil {
		return page, p.refused(ctx, err)
	}
	s, err := p.site(ctx, &q.SiteQuery, "animationStates", q.Time.String())
	if err != nil || s.page.NotModified {
		return unchanged[EntityState](s), err
	}
	timeline, err := fourd.New(&s.Site)
	if err != nil {
		return page, err
	}
	warnings := s.warnings(timeline)
	at := s.at(q.Time)
	return answered(s, func(id string) (EntityState, error) {
		out := EntityState{AnimatedEntityID: id, Warnings: warnings(id)}
		state := fourd.State{Present: true, OriginalTransparency: true}
		if i, bound := timeline.Find(id); bound {
			timeline.StateAt(i, at, &state)
		}
		out.Look = lookOf(&state)
		return out, nil
	})
}

// answered is the page of what is said of each entity of a site.
func answered[T any](s *site, of func(id string) (T, error)) (page twinplatform.Page[T], err error) {
	s.page.Delta = ""
	values, lines := make([]T, len(s.ids)), make([][]byte, len(s.ids))
	for i, id := range s.ids {
		if values[i], err = of(id); err != nil {
			return page, err
		}
		if lines[i], err = wire.Marshal(values[i]); err != nil {
			return page, err
		}
	}
	if s.query.ModelID != "" {
		s.page.ETag = versionOf(s.page.ETag, lines)
		if twinplatform.NamesETag(s.query.IfNoneMatch, s.page.ETag) {
			s.page.NotModified = true
			lines, values = nil, nil
		}
	}
	return twinplatform.MapPage(s.page, lines, func(i int) (T, error) { return values[i], nil }), nil
}

// versionOf is the version of a page that does not follow from the schedule alone.
func versionOf(etag string, lines [][]byte) string {
	h := fnv.New64a()
	for _, line := range lines {
		_, _ = h.Write(line)
	}
	return strings.TrimSuffix(etag, `"`) + "." + strconv.FormatUint(h.Sum64(), 36) + `"`
}

// unchanged is the page of a site that was not read, since nothing has changed, or could not be.
func unchanged[T any](s *site) twinplatform.Page[T] {
	if s == nil {
		return twinplatform.Page[T]{}
	}
	return twinplatform.Page[T](s.page)
}

// warnings are those of each entity of a site. Each entity says where some were left out, which may be its own.
func (s *site) warnings(timeline *fourd.Timeline) func(entityID string) []SiteWarning {
	of := make(map[record][]SiteWarning)
	for _, w := range timeline.Warnings() {
		about := record{w.Sort, w.ID}
		of[about] = append(of[about], SiteWarning{w.ID, w.Kind, w.Message})
	}
	paths := make(map[string]string) // by path assignment
	for i := range s.PathAssignments {
		paths[s.PathAssignments[i].ID] = s.PathAssignments[i].PathID
	}
	return func(entityID string) []SiteWarning {
		all, seen := []SiteWarning{}, make(map[record]bool)
		add := func(r record) {
			if !seen[r] {
				seen[r] = true
				all = append(all, of[r]...)
			}
		}
		add(record{fourd.EntitySort, entityID})
		for _, r := range s.about[entityID] {
			add(r)
			if r.sort == fourd.PathAssignmentSort {
				add(record{fourd.PathSort, paths[r.id]})
			}
		}
		add(record{}) // WarningsLeftOut
		return all
	}
}

func vectorOf(v fourd.Vector) Vector { return Vector{v.X, v.Y, v.Z} }

func lookOf(s *fourd.State) Look {
	l := Look{
		Color: twinplatform.NullString(s.Color), IsPresent: s.Present, IsStatusCritical: s.Critical,
		Transparency: s.Transparency, UseOriginalTransparency: s.OriginalTransparency,
		Why: Why{
			AnimationBindingID:          twinplatform.NullString(s.Why.BindingID),
			Animation3DPathAssignmentID: twinplatform.NullString(s.Why.PathAssignmentID),
			Animation3DTransformID:      twinplatform.NullString(s.Why.TransformID),
			AppearanceProfileID:         twinplatform.NullString(s.Why.ProfileID),
			Phase:                       twinplatform.NullString(s.Why.Phase),
			ResourceStatusItemID:        twinplatform.NullString(s.Why.StatusItemID),
			TaskID:                      twinplatform.NullString(s.Why.TaskID),
		},
	}
	if s.Moved {
		l.Matrix = s.Matrix[:]
	}
	if g := &s.Growth; g.Growing {
		l.Growth = &Growth{Direction: vectorOf(g.Direction), IsRemoving: g.Removing, Share: g.Share}
		if g.Cut {
			l.Growth.Plane = &Plane{vectorOf(g.Plane.Normal), g.Plane.Offset}
		}
	}
	return l
}

// State is the look in the words of package fourd, which needs no service, without what it follows from.
func (l *Look) State() fourd.State {
	s := fourd.State{
		Present: l.IsPresent, Color: string(l.Color), Transparency: l.Transparency,
		OriginalTransparency: l.UseOriginalTransparency, Critical: l.IsStatusCritical, Matrix: fourd.Identity,
	}
	if len(l.Matrix) == transformSize {
		s.Moved, s.Matrix = true, fourd.Matrix(l.Matrix)
	}
	if g := l.Growth; g != nil {
		s.Growth = fourd.Growth{Growing: true, Share: g.Share, Removing: g.IsRemoving, Direction: *g.Direction.shown()}
		if g.Plane != nil {
			s.Growth.Cut, s.Growth.Plane = true, fourd.Plane{Normal: *g.Plane.Normal.shown(), Offset: g.Plane.Offset}
		}
	}
	return s
}
