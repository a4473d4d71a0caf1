package animated

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// growth scales a piece along the direction in which it grows, from where the plane passes it first: outer turns the
// axis Z to that direction and scales, inner turns back.
type growth struct {
	outer, inner *level
	box          *gltf.Box
}

func newGrowth(box *gltf.Box) *growth {
	g := &growth{outer: still(), inner: still(), box: box}
	g.outer.scale.step = false
	return g
}

// shown is from when until when something of a piece is there, if anything is.
type shown struct {
	from, to float64
	nothing  bool
}

// add adds an interval, and returns when in it something of the piece is there, provided that it is present.
func (g *growth) add(x *interval) shown {
	all := shown{from: x.from, to: x.to}
	if !x.Growth.Growing || !x.Growth.Cut || g.box == nil {
		g.outer.scale.jump(x.from, 1, 1, 1)
		g.outer.scale.move(x.to, 1, 1, 1)
		return all
	}
	normal := gltf.Unit(point(x.Growth.Plane.Normal))
	low, high := g.extent(normal)
	offset := x.Growth.Plane.Offset
	begin, end := mix(offset, x.Until.Offset, x.first), mix(offset, x.Until.Offset, x.last)
	part := func(offset float64) float64 {
		switch {
		case offset >= high:
			return 1
		case offset <= low:
			return 0
		}
		return (offset - low) / (high - low)
	}
	g.from(x.from, normal, low)
	g.outer.scale.jump(x.from, 1, 1, part(begin))
	// The plane passes both sides of the piece at one speed, in either direction.
	for _, side := range [2]float64{min(max(begin, low), high), min(max(end, low), high)} {
		if at := crossing(begin, end, side); at > 0 && at < 1 {
			g.outer.scale.move(mix(x.from, x.to, at), 1, 1, part(side))
		}
	}
	g.outer.scale.move(x.to, 1, 1, part(end))
	if part(begin) == 0 && part(end) == 0 {
		return shown{nothing: true}
	}
	if at := crossing(begin, end, low); at > 0 && at < 1 && end > begin {
		all.from = mix(x.from, x.to, at)
	} else if at > 0 && at < 1 {
		all.to = mix(x.from, x.to, at)
	}
	return all
}

// grows reports whether the piece is ever scaled.
func (g *growth) grows() bool {
	return g.outer.scale.moves() || !slices.Equal(g.outer.scale.last(), gltf.Rest.Scale[:])
}

// from has the piece grow along a direction, from so far along it. Before the first it may be turned as well, since it is
// not scaled then.
func (g *growth) from(at float64, normal [3]float64, low float64) {
	if len(g.outer.translation.times) == 0 {
		at = 0
	}
	outer := gltf.TRS{Rotation: gltf.Toward(normal), Scale: [3]float64{1, 1, 1}}
	for i := range 3 {
		outer.Translation[i] = low * normal[i]
	}
	g.outer.translation.jump(at, outer.Translation[:]...)
	g.outer.rotation.jump(at, outer.Rotation[:]...)
	if back, ok := outer.Matrix().Inverse(); ok {
		inner, _ := back.TRS()
		g.inner.jump(at, inner)
	}
}

// within is the growth as one level within a frame, of which back takes back the axes: what most pieces need, which grow in
// one direction and rest. False where one level is not enough.
func (g *growth) within(frame, back gltf.TRS) (l *level, inner gltf.TRS, ok bool) {
	s := frame.Scale
	if g.outer.translation.moves() || g.outer.rotation.moves() || s[0] != s[1] || s[0] != s[2] {
		return nil, gltf.Rest, false
	}
	begin := g.outer.end()
	begin.Scale = gltf.Rest.Scale
	outer, exact := frame.Matrix().Times(begin.Matrix()).TRS()
	inner, exactInner := g.inner.end().Matrix().Times(back.Matrix()).TRS()
	l = still()
	l.jump(0, outer)
	l.scale = track{times: g.outer.scale.times}
	for _, v := range g.outer.scale.values {
		l.scale.values = append(l.scale.values, []float64{v[0] * s[0], v[1] * s[1], v[2] * s[2]})
	}
	return l, inner, exact && exactInner
}

// extent is from where to where the box reaches along a direction.
func (g *growth) extent(d [3]float64) (low, high float64) {
	for i := range 3 {
		a, b := d[i]*g.box.Min[i], d[i]*g.box.Max[i]
		low, high = low+min(a, b), high+max(a, b)
	}
	return low, high
}

// crossing is at which share of its way from one offset to another a plane is at a third; 0 where it never is.
func crossing(begin, end, at float64) float64 {
	if begin == end {
		return 0
	}
	return (at - begin) / (end - begin)
}
