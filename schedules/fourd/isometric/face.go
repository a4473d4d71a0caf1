package isometric

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
)

// face is a side of a solid that is seen, as a convex polygon: before it is placed, y points up.
type face struct {
	corners [4][2]float64
	color   string
	opacity float64
}

// grey is the colour of what has none.
const grey = "#b5b5b5"

// block is what is there of a solid.
type block struct {
	points  [8]fourd.Vector // bit 0 of the index says that x is the greater one, bit 1 y and bit 2 z
	around  fourd.Box       // along the axes
	color   string
	opacity float64
}

// facesOf are the faces of solids, those behind first.
func facesOf(solids []Solid) (faces []face) {
	var blocks []block
	for i := range solids {
		if b, ok := blockOf(&solids[i]); ok {
			blocks = append(blocks, b)
		}
	}
	for _, i := range order(blocks) {
		faces = append(faces, blocks[i].faces()...)
	}
	return faces
}

// blockOf is what is there of a solid; false where nothing is.
func blockOf(s *Solid) (b block, ok bool) {
	box, there := remaining(s.Box, &s.State.Growth)
	if !s.State.Present || !there {
		return b, false
	}
	b.color, b.opacity = s.State.Color, 1
	if b.color == "" {
		b.color = grey
	}
	if !s.State.OriginalTransparency {
		b.opacity = 1 - s.State.Transparency/100
	}
	for i := range b.points {
		p := box.Min
		if i&1 != 0 {
			p.X = box.Max.X
		}
		if i&2 != 0 {
			p.Y = box.Max.Y
		}
		if i&4 != 0 {
			p.Z = box.Max.Z
		}
		if s.State.Moved {
			p = s.State.Matrix.Apply(p)
		}
		if sum := p.X + p.Y + p.Z; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return b, false
		}
		if i == 0 {
			b.around = fourd.Box{Min: p, Max: p}
		}
		low, high := &b.around.Min, &b.around.Max
		low.X, low.Y, low.Z = min(low.X, p.X), min(low.Y, p.Y), min(low.Z, p.Z)
		high.X, high.Y, high.Z = max(high.X, p.X), max(high.Y, p.Y), max(high.Z, p.Z)
		b.points[i] = p
	}
	return b, b.opacity > 0
}

// remaining is what a plane along an axis leaves of a box; false where that is nothing.
func remaining(b fourd.Box, g *fourd.Growth) (fourd.Box, bool) {
	if !g.Cut {
		return b, true
	}
	for _, axis := range []struct {
		normal    float64
		low, high *float64
	}{
		{g.Plane.Normal.X, &b.Min.X, &b.Max.X},
		{g.Plane.Normal.Y, &b.Min.Y, &b.Max.Y},
		{g.Plane.Normal.Z, &b.Min.Z, &b.Max.Z},
	} {
		switch axis.normal {
		case 1:
			*axis.high = min(*axis.high, g.Plane.Offset)
		case -1:
			*axis.low = max(*axis.low, -g.Plane.Offset)
		default:
			continue
		}
		return b, *axis.low < *axis.high
	}
	return b, true
}

// sides are the corners of the faces of a block, one after the other around each.
var sides = [6][4]int{{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}}

// faces are those that who looks sees.
func (b *block) faces() (list []face) {
	center := scaled(plus(b.points[0], b.points[7]), 0.5)
	for _, side := range sides {
		var f face
		middle := scaled(plus(b.points[side[0]], b.points[side[2]]), 0.5)
		normal := cross(minus(b.points[side[1]], b.points[side[0]]), minus(b.points[side[3]], b.points[side[0]]))
		if dot(normal, minus(middle, center)) < 0 {
			normal = scaled(normal, -1)
		}
		length := math.Sqrt(dot(normal, normal))
		if length == 0 || dot(normal, viewer)/length < 1e-6 {
			continue
		}
		for i, k := range side {
			f.corners[i] = projected(b.points[k])
		}
		f.color, f.opacity = shaded(b.color, scaled(normal, 1/length)), b.opacity
		list = append(list, f)
	}
	return list
}

// viewer is in which direction who looks is.
var viewer = fourd.Vector{X: 1, Y: -1, Z: 1}

// projected is where a point is seen.
func projected(p fourd.Vector) [2]float64 {
	return [2]float64{(p.X + p.Y) / math.Sqrt2, (2*p.Z + p.Y - p.X) / math.Sqrt(6)}
}

// shaded is a colour on a face: what lies is bright, the right side dark.
func shaded(color string, normal fourd.Vector) string {
	digits := strings.TrimPrefix(color, "#")
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		n = 0xb5b5b5
	}
	light := min(1, 0.8+0.2*max(normal.Z, 0)-0.08*normal.Y-0.08*normal.X)
	part := func(shift int) int { return int(math.Round(light * float64(n>>shift&0xff))) }
	return fmt.Sprintf("#%02x%02x%02x", part(16), part(8), part(0))
}

// order is in which order blocks are drawn: none before one that is behind it.
func order(blocks []block) []int {
	depth := func(i int) float64 {
		b := &blocks[i].around
		return dot(viewer, plus(b.Min, b.Max))
	}
	byDepth := make([]int, len(blocks))
	for i := range byDepth {
		byDepth[i] = i
	}
	slices.SortStableFunc(byDepth, func(a, b int) int {
		switch x, y := depth(a), depth(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	var list []int
	state := make([]int, len(blocks)) // 1 is under way, 2 is drawn
	var draw func(int)
	draw = func(i int) {
		state[i] = 1
		for _, k := range byDepth {
			if state[k] == 0 && behind(&blocks[k].around, &blocks[i].around) {
				draw(k)
			}
		}
		state[i] = 2
		list = append(list, i)
	}
	for _, i := range byDepth {
		if state[i] == 0 {
			draw(i)
		}
	}
	return list
}

// behind reports whether a box may be hidden by another one and hides nothing of it.
func behind(a, b *fourd.Box) bool { return apart(a, b) && !apart(b, a) }

// apart reports whether there is a plane between two boxes, with who looks on the side of the second.
func apart(a, b *fourd.Box) bool {
	const touching = 1e-9
	return a.Max.X <= b.Min.X+touching || a.Min.Y >= b.Max.Y-touching || a.Max.Z <= b.Min.Z+touching
}

// visible are the faces of which at least one pixel is seen.
func visible(faces []face) []face {
	covered := make([]bool, sceneWidth*sceneHeight)
	kept := make([]face, 0, len(faces))
	for _, f := range slices.Backward(faces) {
		if f.cover(covered) {
			kept = append(kept, f)
		}
	}
	slices.Reverse(kept)
	return kept
}

// cover marks the pixels of a face, and reports whether one of them was seen.
func (f *face) cover(covered []bool) (seen bool) {
	low, high := f.corners[0], f.corners[0]
	for _, p := range f.corners {
		low, high = [2]float64{min(low[0], p[0]), min(low[1], p[1])}, [2]float64{max(high[0], p[0]), max(high[1], p[1])}
	}
	for y := max(int(low[1]), 0); y <= min(int(high[1]), sceneHeight-1); y++ {
		for x := max(int(low[0]), 0); x <= min(int(high[0]), sceneWidth-1); x++ {
			if !f.has(float64(x)+0.5, float64(y)+0.5) {
				continue
			}
			at := &covered[y*sceneWidth+x]
			seen = seen || !*at
			*at = *at || f.opacity >= 1
		}
	}
	return seen
}

// has reports whether a point is in the face.
func (f *face) has(x, y float64) bool {
	left, right := false, false
	for i, p := range f.corners {
		q := f.corners[(i+1)%len(f.corners)]
		side := (q[0]-p[0])*(y-p[1]) - (q[1]-p[1])*(x-p[0])
		left, right = left || side > 0, right || side < 0
	}
	return left != right
}

func plus(a, b fourd.Vector) fourd.Vector {
	return fourd.Vector{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z}
}

func minus(a, b fourd.Vector) fourd.Vector {
	return fourd.Vector{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z}
}

func scaled(a fourd.Vector, by float64) fourd.Vector {
	return fourd.Vector{X: a.X * by, Y: a.Y * by, Z: a.Z * by}
}

func dot(a, b fourd.Vector) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

func cross(a, b fourd.Vector) fourd.Vector {
	return fourd.Vector{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
}
