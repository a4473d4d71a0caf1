package animation

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Limits of an animated model. What would pass them is LimitExceeded.
const (
	MaxFilmNodes     = 20_000   // of all geometries and boxes
	MaxFilmMoments   = 100_000  // of all entities, for each of their nodes
	MaxFilmPositions = 100_000  // and turns, of the paths of each entity, for each of its nodes
	MaxFilmShapes    = 8 << 20  // bytes of geometry, as it is read and as it is played
	MaxFilmAdded     = 64 << 20 // bytes of what plays the geometry
	MaxFilmSpeed     = 1_000    // days of the plan in a second
)

// FilmType is the media type of an animated model.
const FilmType = "model/gltf-binary"

// FilmQuery selects what of a plan is played.
type FilmQuery struct {
	// SiteQuery selects the entities, all on one page. An empty ModelID is that of the schedule.
	SiteQuery
	// From and To are what is played: from the first change to the last one where they are zero.
	From, To twinplatform.DateTime
	// Speed is how many days of the plan pass in a second: 1 to MaxFilmSpeed, 10 when zero.
	Speed int
}

// Film is an animated model as GLB.
type Film struct {
	GLB         []byte
	ETag        string
	NotModified bool // the caller has this version, and GLB is nil
	Entities    int  // that it shows
	LeftOut     int  // entities that show tasks, of which the model has neither a geometry nor a box
}

// check completes the query, and checks it.
func (q *FilmQuery) check() error {
	var c problem.Checks
	if q.Speed < 0 || q.Speed > MaxFilmSpeed {
		c.Bad("speed", "The speed is 1 to %d days of the plan in a second.", MaxFilmSpeed)
	}
	q.Speed = cmp.Or(q.Speed, int(time.Second/animated.DefaultDay))
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From.Time) {
		c.Bad("to", "The end of the time is not before its beginning.")
	}
	if q.ModelID == "" {
		c.Missing("modelId")
	}
	q.SiteQuery.check(&c)
	q.Top, q.Continuation = model.MaxTop, ""
	return c.Err(model.InvalidRequest)
}

// Film plays the plan in the 3D model (GET …/animation.glb), as package animated writes it: an animated glTF of all
// entities that show tasks. Their shapes are the geometries of the elements, as far as these are GLBs, and else the
// boxes around them. Its version follows from that of the schedule and the content of the model.
//
// Errors: ScheduleNotFound; BaselineNotFound; ModelNotFound; InvalidSchedulesRequest with MissingRequiredProperty
// (baselineId, and modelId for a schedule without a model) or InvalidValue (entityIds, dates, modelId, also where the
// model has nothing of what shows tasks, to, speed); LimitExceeded for what takes too much.
func (p Plan) Film(ctx context.Context, q FilmQuery) (f Film, err error) {
	if q.ModelID == "" {
		err := p.area.Read(ctx, p.id, model.ScheduleMissing, func(_ *records.View, s *model.Schedule) error {
			q.ModelID = s.ModelID
			return nil
		})
		if err != nil {
			return f, err
		}
	}
	if err := q.check(); err != nil {
		return f, p.refused(ctx, err)
	}
	s, err := p.site(ctx, &q.SiteQuery, "animation")
	if err != nil {
		return f, err
	}
	if s.page.Next != "" {
		return f, tooMuch("More than %d entities show tasks. Ask for fewer entities, by entityIds.", model.MaxTop)
	}
	shapes, err := s.readShapes(ctx, p.area.Boxes)
	if err != nil {
		return f, err
	}
	f.ETag = s.filmVersion(shapes, &q)
	if twinplatform.NamesETag(q.IfNoneMatch, f.ETag) {
		f.NotModified = true
		return f, nil
	}
	return f, s.play(ctx, &q, shapes, &f)
}

// readShapes reads the geometries of the elements that are shown: those of the page without those of their groups.
func (s *site) readShapes(ctx context.Context, from Boxes) (map[string][]byte, error) {
	shapes, ok := from.(Shapes)
	if !ok {
		return nil, nil
	}
	own := make(names)
	for _, id := range s.ids {
		own.add(s.elements[id])
	}
	all, whole, err := shapes.Shapes(ctx, s.query.ModelID, own.sorted(), MaxFilmShapes)
	if err == nil && !whole {
		err = tooMuch(tooLarge, MaxFilmShapes)
	}
	return all, err
}

const tooLarge = "The geometry of the entities has more than %d bytes. Ask for fewer entities, by entityIds."

// filmVersion is the version of what is played.
func (s *site) filmVersion(shapes map[string][]byte, q *FilmQuery) string {
	lines := [][]byte{fmt.Appendln(nil, q.From, q.To, q.Speed, s.query.Dates, s.query.BaselineID, s.query.ModelID)}
	for _, id := range s.ids {
		box, there := s.Box(id)
		lines = append(lines, fmt.Appendf(nil, "%q %v %v %d\n", id, box, there, len(shapes[s.elements[id]])),
			shapes[s.elements[id]])
	}
	return versionOf(s.page.ETag, lines)
}

// play writes what is played.
func (s *site) play(ctx context.Context, q *FilmQuery, shapes map[string][]byte, f *Film) error {
	timeline, err := fourd.New(&s.Site)
	if err != nil {
		return err
	}
	scene, err := s.scene(ctx, shapes)
	if err != nil {
		return err
	}
	f.Entities = len(scene.nodes)
	f.LeftOut = len(s.ids) - f.Entities
	if f.Entities == 0 {
		return model.Invalid(problem.BadValue("modelId", "The model has neither a geometry nor a box of an entity "+
			"that shows a task. Bind its elements to tasks, such as by animation-bindings/match."))
	}
	if err := s.checkFilm(ctx, timeline, scene); err != nil {
		return err
	}
	m, err := scene.model()
	if err != nil {
		return filmRefused(err)
	}
	o := animated.Options{Entity: scene.entity, Day: time.Second / time.Duration(q.Speed), MaxAdded: MaxFilmAdded}
	if !q.From.IsZero() {
		o.From = s.at(q.From)
	}
	if !q.To.IsZero() {
		o.To = s.at(q.To)
		if q.From.IsZero() {
			o.From = min(timeline.Span().Start, o.To)
		}
	}
	var b bytes.Buffer
	_, err = animated.Write(ctx, &b, m, timeline, o)
	f.GLB = b.Bytes()
	return filmRefused(err)
}

// scene makes the 3D model that is played: of the geometries, and of the boxes of what has none.
func (s *site) scene(ctx context.Context, shapes map[string][]byte) (*scene, error) {
	to := newScene()
	for _, id := range s.ids {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		done, err := to.insert(id, shapes[s.elements[id]])
		if box, there := s.Box(id); err == nil && !done && there {
			err = to.box(id, box)
		}
		if err != nil {
			return nil, err
		}
	}
	return to, nil
}

// filmRefused says what is wrong in the words of the API.
func filmRefused(err error) error {
	switch {
	case errors.Is(err, animated.ErrOptions):
		return model.Invalid(problem.BadValue("speed", "It would be played for more than %d hours: let more days pass "+
			"in a second, or play less by from and to.", int(animated.MaxPlayed.Hours())))
	case errors.Is(err, gltf.ErrTooLarge):
		return tooMuch("What plays the geometry of the entities has more than %d bytes. Ask for fewer of them, by "+
			"entityIds, or play less by from and to.", MaxFilmAdded)
	}
	return err
}

// checkFilm counts what is played before it is: an entity is played for each of its nodes.
func (s *site) checkFilm(ctx context.Context, t *fourd.Timeline, in *scene) error {
	moments, positions := 0, 0
	for _, id := range s.ids {
		i, bound := t.Find(id)
		nodes := in.nodes[id]
		if !bound || nodes == 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for m := range t.Moments(i) {
			if moments += nodes; moments > MaxFilmMoments {
				return tooMuch("The entities change more than %d times, counted for each node of their geometry. "+
					"Ask for fewer of them, by entityIds.", MaxFilmMoments)
			}
			if way := m.Until.Motion; way != nil {
				positions += nodes * (len(way.Way.Positions) + len(way.Way.Turns))
			}
			if positions > MaxFilmPositions {
				return tooMuch("The paths of the entities have more than %d positions and turns, counted for each "+
					"node of their geometry. Ask for fewer entities, by entityIds.", MaxFilmPositions)
			}
		}
	}
	return nil
}
