// Package animated writes a 3D model that shows how a plan builds it: a GLB whose nodes appear, grow, move and change
// colour as the time of the plan passes. Any viewer of glTF plays it.
//
//	site := fourd.Site{Tasks: tasks, Bindings: bindings, Profiles: profiles, Box: animated.Boxes(model, entity)}
//	timeline, err := fourd.New(&site)
//	if err != nil {
//		log.Fatal(err)
//	}
//	report, err := animated.Write(ctx, file, model, timeline, animated.Options{Entity: entity})
//
// # What is played
//
// Channels of the standard move translations, rotations and scales. A node that is not there has the scale 0, which
// begins and ends at once. A node grows by its scale along the direction of its growth. Each colour that a node has at
// a time is a copy of it with materials of that colour, of which one is there at a time; the copies share the shapes
// of the model. What knows KHR_node_visibility and KHR_animation_pointer hides nodes as well, and fades them
// gradually; for other viewers a node has the middle of its transparencies meanwhile.
//
// Times, as texts, are in the extras of the animation and of the nodes. What stands still is as it is at the end.
package animated

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// DefaultDay is how long a day of the plan is played.
const DefaultDay = 100 * time.Millisecond

// MaxPlayed is how long an animation may be: beyond, its times would be too coarse for one hour of a plan.
const MaxPlayed = 24 * time.Hour

// ErrOptions is what options fail with that contradict themselves.
var ErrOptions = errors.New("animated: the options are wrong")

// Timeline is how entities change. A *fourd.Timeline is one.
type Timeline interface {
	Find(entityID string) (i int, found bool)
	Moments(i int) iter.Seq[fourd.Moment]
	Span() fourd.Span
}

// Options say what is played.
type Options struct {
	// Entity returns the entity of the timeline that a node shows, with all below it that shows no other; empty for
	// none. Several nodes may show one.
	Entity func(node int) string
	// From and To are what of the plan is played, the span of the timeline where they are zero.
	From, To worktime.Time
	// Day is how long a day of the plan is played, DefaultDay when zero.
	Day time.Duration
	// MaxAdded is how many bytes of JSON and of keyframes may be added to the model; no limit when zero.
	MaxAdded int
}

// Report is what was written.
type Report struct {
	Entities int           // entities of the timeline that nodes show
	Nodes    int           // nodes that show them, and are played
	From, To worktime.Time // what of the plan is played
	Played   time.Duration // how long that takes
	Warnings []gltf.Warning
}

// Write writes the model with its one animation as GLB. A node that shows no entity of the timeline stays as it is.
//
// Errors: ErrOptions; gltf.ErrTooLarge, also for more than MaxAdded; those of w; the cause why ctx is done.
func Write(ctx context.Context, w io.Writer, m *gltf.Model, t Timeline, o Options) (*Report, error) {
	c, err := o.clock(t)
	if err != nil {
		return nil, err
	}
	b := &builder{model: m, draft: m.Draft(), timeline: t, clock: c, most: o.MaxAdded}
	b.report = Report{From: c.from, To: c.to, Played: time.Duration(c.at(c.to) * float64(time.Second))}
	b.own(o.Entity)
	for _, p := range b.pieces() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := b.play(&p); err != nil {
			return nil, err
		}
	}
	b.replace()
	b.draft.Animate(gltf.Animation{Name: "plan", Channels: b.channels, Extras: c.extras()})
	return &b.report, b.draft.Write(w)
}

// Boxes are the boxes around the entities that nodes show, in the axes of package fourd, as fourd.Site takes them.
func Boxes(m *gltf.Model, entity func(node int) string) func(entityID string) (fourd.Box, bool) {
	all := make(map[string]*gltf.Box)
	for i, id := range owners(m, entity) {
		if id != "" {
			all[id] = all[id].Union(m.Nodes[i].Box)
		}
	}
	return func(entityID string) (fourd.Box, bool) {
		b := all[entityID].In(gltf.ZUp)
		if b == nil {
			return fourd.Box{}, false
		}
		return fourd.Box{Min: vector(b.Min), Max: vector(b.Max)}, true
	}
}

func vector(p [3]float64) fourd.Vector { return fourd.Vector{X: p[0], Y: p[1], Z: p[2]} }

func point(v fourd.Vector) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// clock says when a time of the plan is played.
type clock struct {
	from, to worktime.Time
	day      float64 // in seconds
}

func (o *Options) clock(t Timeline) (clock, error) {
	span := t.Span()
	c := clock{from: span.Start, to: span.Finish, day: DefaultDay.Seconds()}
	if o.From != 0 {
		c.from = o.From
	}
	if c.to = max(c.to, c.from); o.To != 0 {
		c.to = o.To
	}
	if o.Day != 0 {
		c.day = o.Day.Seconds()
	}
	if o.Entity == nil {
		return c, fmt.Errorf("%w: they say of no node what it shows", ErrOptions)
	}
	if c.day < 0 {
		return c, fmt.Errorf("%w: a day takes %v", ErrOptions, o.Day)
	}
	if c.to < c.from {
		return c, fmt.Errorf("%w: from %v to %v", ErrOptions, c.from, c.to)
	}
	if played := c.at(c.to); played > MaxPlayed.Seconds() {
		return c, fmt.Errorf("%w: the %.0f days from %v to %v would take %.0f s to play, and at most %.0f; let a day "+
			"take less", ErrOptions, played/c.day, c.from, c.to, played, MaxPlayed.Seconds())
	}
	return c, nil
}

// at is when a time is played, in seconds.
func (c clock) at(t worktime.Time) float64 { return float64(t-c.from) / worktime.Day * c.day }

// dateJSON is a moment of the animation.
type dateJSON struct {
	Time float64 `json:"time"` // in seconds from the beginning
	Date string  `json:"date"`
}

// maxDates is how many dates an animation names.
const maxDates = 1_000

// extras name the dates that are played: each midnight, or one in so many of them.
func (c clock) extras() json.RawMessage {
	to := struct {
		From          string     `json:"from"`
		To            string     `json:"to"`
		SecondsPerDay float64    `json:"secondsPerDay"`
		Dates         []dateJSON `json:"dates"`
	}{From: c.from.String(), To: c.to.String(), SecondsPerDay: c.day}
	step := worktime.Time(worktime.Day)
	step *= 1 + (c.to-c.from)/step/maxDates
	for t := c.from.Midnight(); t <= c.to; t += step {
		if t >= c.from {
			to.Dates = append(to.Dates, dateJSON{c.at(t), t.String()[:len(time.DateOnly)]})
		}
	}
	return encode(to)
}

// encode writes a value of this package, which can be written as JSON.
func encode[T any](v T) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
