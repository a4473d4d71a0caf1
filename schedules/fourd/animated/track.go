package animated

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// track is how a value moves.
type track struct {
	step   bool
	times  []float32
	values [][]float64
}

// last is the value at the end.
func (t *track) last() []float64 { return t.values[len(t.values)-1] }

// jump gives the track a value from a time on. Where it moves linearly, what was before ends just before.
func (t *track) jump(at float64, v ...float64) {
	if len(t.times) == 0 {
		t.put(float32(at), v)
		return
	}
	same := slices.Equal(t.last(), v)
	if t.step && same {
		return
	}
	if !t.step && !same {
		t.endBefore(float32(at))
	}
	t.put(float32(at), v)
}

// endBefore has the track keep its last value until just before a time.
func (t *track) endBefore(at float32) {
	n, before := len(t.times), math.Nextafter32(at, -1)
	switch {
	case before > t.times[n-1]:
		t.put(before, t.last())
	case before < t.times[n-1] && n > 1 && before > t.times[n-2]:
		t.times[n-1] = before
	}
}

// move lets the track come to a value at a time.
func (t *track) move(at float64, v ...float64) { t.put(float32(at), v) }

// put adds a value, in place of one at the same time.
func (t *track) put(at float32, v []float64) {
	n := len(t.times)
	if n > 0 && at <= t.times[n-1] {
		t.values[n-1] = v
		return
	}
	// Of equal values the first and the last are enough.
	if n > 1 && slices.Equal(t.values[n-1], v) && slices.Equal(t.values[n-2], v) {
		t.times[n-1] = at
		return
	}
	t.times, t.values = append(t.times, at), append(t.values, v)
}

// moves reports whether the value is not the same all the time.
func (t *track) moves() bool {
	return slices.ContainsFunc(t.values, func(v []float64) bool { return !slices.Equal(v, t.values[0]) })
}

// channel is the track as a channel of a node.
func (t *track) channel(node int, path gltf.Path) gltf.Channel {
	c := gltf.Channel{Node: node, Path: path, Step: t.step, Times: t.times}
	for _, v := range t.values {
		for _, x := range v {
			c.Values = append(c.Values, float32(x))
		}
	}
	return c
}

// level is a node of a chain, each within the one before: it moves, turns and scales.
type level struct {
	translation, rotation, scale track
}

// still is a level whose values hold until they jump.
func still() *level {
	return &level{track{step: true}, track{step: true}, track{step: true}}
}

// jump puts what is on the level somewhere else at a time.
func (l *level) jump(at float64, to gltf.TRS) {
	l.translation.jump(at, to.Translation[:]...)
	l.rotation.jump(at, to.Rotation[:]...)
	l.scale.jump(at, to.Scale[:]...)
}

// shortest makes each rotation the nearer of the two quaternions that stand for it, so that no viewer takes the longer
// way from the one before.
func (t *track) shortest() {
	for k := 1; k < len(t.values); k++ {
		near, v := 0.0, slices.Clone(t.values[k])
		for i, x := range t.values[k-1] {
			near += x * v[i]
		}
		for i := range v {
			if near < 0 {
				v[i] = -v[i]
			}
		}
		t.values[k] = v
	}
}

// plain reports whether the level leaves everything where it is, all the time.
func (l *level) plain() bool {
	return !l.translation.moves() && !l.rotation.moves() && !l.scale.moves() && l.end() == gltf.Rest
}

// end is what the level does at the end.
func (l *level) end() gltf.TRS {
	return gltf.TRS{
		Translation: [3]float64(l.translation.last()), Rotation: gltf.Quaternion(l.rotation.last()),
		Scale: [3]float64(l.scale.last()),
	}
}

// level adds a node for a level, with its channels.
func (b *builder) level(l *level, children []int, extras json.RawMessage) int {
	l.rotation.shortest()
	node := b.draft.AddNode(gltf.NewNode{TRS: l.end(), Mesh: gltf.None, Children: children, Extras: extras})
	for _, x := range []struct {
		path gltf.Path
		*track
	}{{gltf.Translation, &l.translation}, {gltf.Rotation, &l.rotation}, {gltf.Scale, &l.scale}} {
		if x.moves() {
			b.move(x.channel(node, x.path))
		}
	}
	return node
}
