package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// EntityTimeline is how an entity of the 3D model changes.
type EntityTimeline struct {
	AnimatedEntityID string `json:"animatedEntityId"`
	// Moments are its changes in their order. The first one is the state in which it is before the others: it
	// has no time, or is the last one before the time that is asked for.
	Moments  []Moment      `json:"moments"`
	Paths    []Way         `json:"paths"`    // those that it moves along
	Warnings []SiteWarning `json:"warnings"` // what of its records was not understood
}

// Moment is when an entity changes: it is as the look says, until just before the next moment, but for what
// Until says of it.
type Moment struct {
	Time twinplatform.DateTime `json:"time"` // null for what is before all others
	Look
	// Until is what has become of the look just before the next moment: between the two it changes evenly
	// with the time. It is null where nothing does.
	Until *Until `json:"until"`
}

// Until is what has become of a look just before the next moment.
type Until struct {
	Motion       *Motion  `json:"motion"`       // along a path; null where there is none
	PlaneOffset  *float64 `json:"planeOffset"`  // of the plane of growth; null where there is none
	Share        *float64 `json:"share"`        // of growth; null where there is none
	Transparency float64  `json:"transparency"` // 0 to 100
}

// Motion is how an entity moves along a path: it is put by Matrix, moved so that Anchor is at the origin, turned, and
// moved to its position on the way.
type Motion struct {
	Anchor                      Vector    `json:"anchor"`
	Animation3DPathAssignmentID string    `json:"animation3dPathAssignmentId"` // says which of Paths
	From                        float64   `json:"from"`                        // share of the way at the moment, 0 to 1
	Matrix                      []float64 `json:"matrix"`                      // 16 numbers row by row
	To                          float64   `json:"to"`                          // just before the next one
}

// Way is a path as an entity passes it.
type Way struct {
	Animation3DPathAssignmentID string     `json:"animation3dPathAssignmentId"`
	Positions                   []Position `json:"positions"` // by share; straight in between
	Turns                       []Turn     `json:"turns"`     // by share; the shortest way in between
}

// Position is where a way leads.
type Position struct {
	Share float64 `json:"share"` // 0 to 1
	Vector
}

// Turn is how an entity is turned on its way: a quaternion of length 1.
type Turn struct {
	Share float64 `json:"share"` // 0 to 1
	W     float64 `json:"w"`
	Vector
}

// TimelineQuery selects the timelines to list.
type TimelineQuery struct {
	SiteQuery
	// From and To leave out the moments that are over before the one or that begin behind the other,
	// each for all when zero.
	From, To twinplatform.DateTime
}

func (q *TimelineQuery) check() error {
	var c problem.Checks
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From.Time) {
		c.Bad("to", "The end of the time is not before its beginning.")
	}
	q.SiteQuery.check(&c)
	return c.Err(model.InvalidRequest)
}

// Timeline lists how the entities of the 3D model change (GET …/animation-timeline), in the order of At: all that a
// viewer needs. The list has no delta; its version is that of the schedule.
//
// Errors: as At, without time; InvalidValue (to); LimitExceeded for a page with more than MaxSiteMoments moments,
// or more than MaxSitePositions positions and turns of paths.
func (p Plan) Timeline(ctx context.Context, q TimelineQuery) (page twinplatform.Page[EntityTimeline], err error) {
	if err := q.check(); err != nil {
		return page, p.refused(ctx, err)
	}
	s, err := p.site(ctx, &q.SiteQuery, "animationTimelines", q.From.String(), q.To.String())
	if err != nil || s.page.NotModified {
		return unchanged[EntityTimeline](s), err
	}
	timeline, err := fourd.New(&s.Site)
	if err != nil {
		return page, err
	}
	t := momentReader{site: s, timeline: timeline, from: worktime.MinTime, to: worktime.MaxTime}
	if !q.From.IsZero() {
		t.from = s.at(q.From)
	}
	if !q.To.IsZero() {
		t.to = s.at(q.To)
	}
	warnings := s.warnings(timeline)
	return answered(s, func(id string) (EntityTimeline, error) {
		out := EntityTimeline{AnimatedEntityID: id, Moments: []Moment{}, Paths: []Way{}, Warnings: warnings(id)}
		if err := ctx.Err(); err != nil {
			return out, context.Cause(ctx)
		}
		return out, t.read(&out)
	})
}

// momentReader reads the moments of a page.
type momentReader struct {
	*site

	timeline  *fourd.Timeline
	from, to  worktime.Time
	moments   int // of the page
	positions int // and turns, of its paths
}

func (t *momentReader) read(out *EntityTimeline) error {
	i, bound := t.timeline.Find(out.AnimatedEntityID)
	if !bound {
		state := fourd.State{Present: true, OriginalTransparency: true}
		out.Moments = append(out.Moments, Moment{Look: lookOf(&state)})
		return nil
	}
	ways := make(map[string]bool)
	for m := range t.timeline.MomentsFrom(i, t.from) {
		if m.Time > t.to {
			return nil
		}
		if t.moments++; t.moments > MaxSiteMoments {
			return tooMuch("The entities of the page change more than %d times. "+
				"Ask for fewer of them, by $top or entityIds, or for a shorter time, by from and to.", MaxSiteMoments)
		}
		out.Moments = append(out.Moments, t.moment(&m))
		way := m.Until.Motion
		if way == nil || ways[m.Why.PathAssignmentID] {
			continue
		}
		if t.positions += len(way.Way.Positions) + len(way.Way.Turns); t.positions > MaxSitePositions {
			return tooMuch("The paths of the entities of the page have more than %d positions and turns. "+fewer,
				MaxSitePositions)
		}
		ways[m.Why.PathAssignmentID] = true
		out.Paths = append(out.Paths, wayOf(m.Why.PathAssignmentID, way.Way))
	}
	return nil
}

func (t *momentReader) moment(m *fourd.Moment) Moment {
	out := Moment{Look: lookOf(&m.State)}
	if m.Time > worktime.MinTime {
		out.Time = t.clock.Global(m.Time)
	}
	u := &m.Until
	changed := u.Transparency != m.Transparency || u.Share != m.Growth.Share || u.Motion != nil
	if !changed {
		return out
	}
	out.Until = &Until{Transparency: u.Transparency}
	if m.Growth.Growing {
		out.Until.Share = &u.Share
		if m.Growth.Cut {
			out.Until.PlaneOffset = &u.Offset
		}
	}
	if u.Motion != nil {
		out.Until.Motion = &Motion{
			Animation3DPathAssignmentID: m.Why.PathAssignmentID, Anchor: vectorOf(u.Motion.Anchor), From: u.Motion.From,
			To: u.Motion.To, Matrix: u.Motion.Placed[:],
		}
	}
	return out
}

func wayOf(assignmentID string, w *fourd.Way) Way {
	out := Way{Animation3DPathAssignmentID: assignmentID, Positions: []Position{}, Turns: []Turn{}}
	for _, p := range w.Positions {
		out.Positions = append(out.Positions, Position{p.Share, vectorOf(p.Value)})
	}
	for _, q := range w.Turns {
		out.Turns = append(out.Turns, Turn{q.Share, q.Value.W, Vector{q.Value.X, q.Value.Y, q.Value.Z}})
	}
	return out
}
