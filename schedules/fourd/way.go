package fourd

import (
	"cmp"
	"slices"
)

// Way is a path as an object passes it. Position and turn have stops of their own.
type Way struct {
	Positions []Stop[Vector]
	Turns     []Stop[Quaternion] // between two the shortest way round
}

// Stop is a value at a share of the way. Of two with one share the value jumps from the first
// to the second.
type Stop[V any] struct {
	Share float64
	Value V
}

// Quaternion is a turn, of length 1.
type Quaternion struct{ X, Y, Z, W float64 }

// Motion is where an object is while it moves along a path.
type Motion struct {
	PathID   string
	From, To float64 // shares of the way, 0 to 1, at the moment and just before the next
	Way      *Way
	// Anchor is the point that is on the way, where Placed puts it.
	Anchor Vector
	// Placed is the matrix of the transform, which is applied first.
	Placed Matrix
}

// Matrix is the matrix of the object at a share of the way: it applies Placed, moves Anchor to
// the origin, turns, and moves to the position.
func (m *Motion) Matrix(share float64) Matrix {
	position := m.Anchor
	if len(m.Way.Positions) > 0 {
		position = at(m.Way.Positions, share, Vector.towards)
	}
	out := moving(m.Anchor.times(-1))
	if len(m.Way.Turns) > 0 {
		turn := at(m.Way.Turns, share, Quaternion.towards).Matrix()
		out = turn.Times(&out)
	}
	to := moving(position)
	out = to.Times(&out)
	return out.Times(&m.Placed)
}

// at is the value at a share of the way, with mix between two stops.
func at[V any](stops []Stop[V], share float64, mix func(a, b V, share float64) V) V {
	behind, _ := slices.BinarySearchFunc(stops, share, func(s Stop[V], share float64) int {
		if s.Share <= share {
			return -1
		}
		return 1
	})
	switch behind {
	case 0:
		return stops[0].Value
	case len(stops):
		return stops[behind-1].Value
	}
	a, b := &stops[behind-1], &stops[behind]
	return mix(a.Value, b.Value, (share-a.Share)/(b.Share-a.Share))
}

// wayOf is the way of a path, nil where it leads nowhere. What is not understood is warned of.
func wayOf(p *Path, warn func(WarningKind)) *Way {
	frames := make([]Keyframe, 0, len(p.Keyframes))
	for _, k := range p.Keyframes {
		if !k.usable() {
			warn(KeyframeUnusable)
			continue
		}
		frames = append(frames, k)
	}
	slices.SortStableFunc(frames, func(a, b Keyframe) int { return cmp.Compare(a.Time, b.Time) })
	if n := len(frames); n > 1 && frames[0].Time == frames[n-1].Time {
		warn(PathWithoutTimes)
		spread(frames)
	}
	way := new(Way)
	for i := range frames {
		if p := frames[i].Position; p != nil {
			way.Positions = append(way.Positions, Stop[Vector]{frames[i].Time, *p})
		}
		if r := frames[i].Rotation; r != nil {
			turn, ok := r.turn()
			if !ok {
				warn(AxisMissing)
			}
			way.Turns = append(way.Turns, Stop[Quaternion]{frames[i].Time, turn})
		}
	}
	switch {
	case len(way.Positions) == 0 && len(way.Turns) == 0:
		warn(PathWithoutKeyframes)
		return nil
	case len(frames) == 1:
		warn(PathOfOneKeyframe)
	}
	return way
}

func (k *Keyframe) usable() bool {
	return k.Time >= 0 && k.Time <= 1 && (k.Position == nil || k.Position.usable()) &&
		(k.Rotation == nil || usable(k.Rotation.Angle) && k.Rotation.Axis.usable())
}

// spread gives keyframes without times of their own those at which an object passes them that
// moves at one speed: by their distance along the path, or evenly where that has no length.
func spread(frames []Keyframe) {
	passed := make([]float64, len(frames))
	var length float64
	var last *Vector
	for i := range frames {
		if p := frames[i].Position; p != nil {
			if last != nil {
				length += p.minus(*last).length()
			}
			last = p
		}
		passed[i] = length
	}
	for i := range frames {
		if length > 0 {
			frames[i].Time = passed[i] / length
		} else {
			frames[i].Time = float64(i) / float64(len(frames)-1)
		}
	}
}

// Part is the way from one share to another, which may be before it: its own shares are from 0 to 1. It has no
// positions or no turns where the way has none.
func (w *Way) Part(from, to float64) *Way {
	if to < from {
		w, from, to = w.reversed(), 1-from, 1-to
	}
	return &Way{part(w.Positions, from, to, Vector.towards), part(w.Turns, from, to, Quaternion.towards)}
}

func part[V any](stops []Stop[V], from, to float64, mix func(a, b V, share float64) V) []Stop[V] {
	if len(stops) == 0 {
		return nil
	}
	out := []Stop[V]{{0, at(stops, from, mix)}}
	for _, s := range stops {
		if s.Share > from && s.Share < to {
			out = append(out, Stop[V]{(s.Share - from) / (to - from), s.Value})
		}
	}
	return append(out, Stop[V]{1, at(stops, to, mix)})
}

// reversed is the way from its end to its beginning.
func (w *Way) reversed() *Way { return &Way{backwards(w.Positions), backwards(w.Turns)} }

func backwards[V any](stops []Stop[V]) []Stop[V] {
	out := slices.Clone(stops)
	slices.Reverse(out)
	for i := range out {
		out[i].Share = 1 - out[i].Share
	}
	return out
}
