package animated

import (
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// columns is a matrix of package fourd, which has rows.
func columns(m fourd.Matrix) (to gltf.Matrix) {
	for r := range 4 {
		for c := range 4 {
			to[4*c+r] = m[4*r+c]
		}
	}
	return to
}

// travel is where a piece is: on its path, and put there.
type travel struct {
	path  *level // moves along a path
	place *level // is put somewhere at once
	warn  func(string)
}

func newTravel(warn func(string)) *travel {
	return &travel{&level{scale: track{step: true}}, still(), warn}
}

// add adds an interval.
func (v *travel) add(x *interval) {
	if m := x.Until.Motion; m != nil && m.Way != nil {
		v.along(x, m)
		return
	}
	v.path.jump(x.from, gltf.Rest)
	place := gltf.Rest
	if x.Moved {
		place = v.apart(columns(x.Matrix))
	}
	v.place.jump(x.from, place)
	// The value holds until the end, from where another may move.
	v.path.translation.move(x.to, gltf.Rest.Translation[:]...)
	v.path.rotation.move(x.to, gltf.Rest.Rotation[:]...)
}

// apart takes a matrix apart, and warns where that is not exact.
func (v *travel) apart(m gltf.Matrix) gltf.TRS {
	trs, exact := m.TRS()
	if !exact {
		v.warn("Its transform shears or flattens it, which glTF cannot animate: it is put nearly there.")
	}
	return trs
}

// along moves along a path.
func (v *travel) along(x *interval, m *fourd.Motion) {
	from, to := mix(m.From, m.To, x.first), mix(m.From, m.To, x.last)
	part := m.Way.Part(from, to)
	positions, turns := part.Positions, part.Turns
	begin := gltf.Rest
	begin.Translation = point(m.Anchor)
	if len(positions) > 0 {
		begin.Translation = point(positions[0].Value)
	}
	if len(turns) > 0 {
		begin.Rotation = quaternion(turns[0].Value)
	}
	// What is put on the path is what its matrix does, without where the path begins.
	if back, ok := begin.Matrix().Inverse(); ok {
		v.place.jump(x.from, v.apart(back.Times(columns(m.Matrix(from)))))
	}
	v.path.jump(x.from, begin)
	if len(positions) == 0 {
		v.path.translation.move(x.to, begin.Translation[:]...)
	}
	if len(turns) == 0 {
		v.path.rotation.move(x.to, begin.Rotation[:]...)
	}
	for i, s := range positions {
		v.path.translation.stop(x, i > 0 && s.Share == positions[i-1].Share, s.Share, s.Value.X, s.Value.Y, s.Value.Z)
	}
	for i, s := range turns {
		q := quaternion(s.Value)
		v.path.rotation.stop(x, i > 0 && s.Share == turns[i-1].Share, s.Share, q[:]...)
	}
}

// stop lets the track come to a value at a share of an interval, or jump to it.
func (t *track) stop(x *interval, jump bool, share float64, v ...float64) {
	if at := mix(x.from, x.to, share); jump {
		t.jump(at, v...)
	} else {
		t.move(at, v...)
	}
}

func quaternion(q fourd.Quaternion) gltf.Quaternion { return gltf.Quaternion{q.X, q.Y, q.Z, q.W} }
