package animated

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// nothing is in the place of a look while a piece is not there.
const nothing = -1

// acts is what a piece does in the course of the time.
type acts struct {
	travel *travel
	growth *growth
	looks  []look // the first is that of the model
	places map[look]int
	which  track // the look that is there, by its place, or nothing
}

// turn is when a look comes and goes.
type turn struct {
	times []float32
	there []bool
}

// turns are those of the looks, each with what it begins with.
func (a *acts) turns() []turn {
	list, before := make([]turn, len(a.looks)), nothing
	for i := range list {
		list[i] = turn{a.which.times[:1:1], []bool{false}}
	}
	for k, v := range a.which.values {
		now := int(v[0])
		switch {
		case k == 0 && now != nothing:
			list[now].there[0] = true
		case k > 0 && now != before:
			for _, i := range [2]int{before, now} {
				if i != nothing {
					list[i].times = append(list[i].times, a.which.times[k])
					list[i].there = append(list[i].there, i == now)
				}
			}
		}
		before = now
	}
	return list
}

// play has a piece do what the timeline says of its entity.
//
// Errors: gltf.ErrTooLarge.
func (b *builder) play(p *piece) error {
	a := acts{
		travel: newTravel(func(text string) { b.warn(p, text) }), growth: newGrowth(p.box), looks: []look{{}},
		places: map[look]int{{}: 0}, which: track{step: true},
	}
	intervals := b.intervals(p.entity)
	if len(intervals) == 0 {
		return nil
	}
	for i := range intervals {
		b.act(p, &a, &intervals[i])
	}
	moved := !a.travel.path.plain() || !a.travel.place.plain()
	grown := a.growth.grows()
	if !moved && !grown && !a.which.moves() && a.which.last()[0] == 0 {
		return nil // it is there as the model has it, all the time
	}
	frame, back, ok := b.frame(p)
	if (moved || grown) && !ok {
		b.warn(p, "What it is in is scaled unequally and turned: it neither grows nor moves.")
		moved, grown = false, false
	}
	extras := b.changes(p, intervals)
	if grown && !moved {
		if l, inner, ok := a.growth.within(frame, back); ok {
			tops, err := b.copies(p, &a, inner)
			b.put(p, []int{b.level(l, tops, extras)})
			return cmp.Or(err, b.checkSize())
		}
	}
	if !moved && !grown {
		frame, back = gltf.Rest, gltf.Rest
	}
	tops, err := b.copies(p, &a, back)
	if grown {
		tops = []int{b.level(a.growth.outer, []int{b.level(a.growth.inner, tops, nil)}, nil)}
	}
	if moved {
		tops = []int{b.level(a.travel.path, []int{b.level(a.travel.place, tops, nil)}, nil)}
	}
	top := gltf.NewNode{TRS: frame, Mesh: gltf.None, Children: tops, Extras: extras}
	b.put(p, []int{b.draft.AddNode(top)})
	return cmp.Or(err, b.checkSize())
}

// act adds what a piece does in an interval.
func (b *builder) act(p *piece, a *acts, x *interval) {
	a.travel.add(x)
	there := a.growth.add(x)
	if !x.Present || there.nothing {
		a.which.jump(x.from, nothing)
		return
	}
	l := b.look(p, x)
	at, known := a.places[l]
	if !known {
		at = len(a.looks)
		a.places[l], a.looks = at, append(a.looks, l)
	}
	if there.from > x.from {
		a.which.jump(x.from, nothing)
	}
	a.which.jump(there.from, float64(at))
	if there.to < x.to {
		a.which.jump(there.to, nothing)
	}
}

// frame is what turns the axes of package fourd to those of what a piece is put into, and back turns them back; false
// where that is not to be had from scales and turns.
func (b *builder) frame(p *piece) (frame, back gltf.TRS, ok bool) {
	inverse, ok := p.frame.Inverse()
	if !ok {
		return gltf.Rest, gltf.Rest, false
	}
	m := inverse.Times(gltf.FromZUp)
	frame, exact := m.TRS()
	inverse, ok = m.Inverse()
	back, exactBack := inverse.TRS()
	return frame, back, ok && exact && exactBack
}

// copies adds a node for each look of a piece, of which one is there at a time. They are placed as back says.
//
// Errors: gltf.ErrTooLarge.
func (b *builder) copies(p *piece, a *acts, back gltf.TRS) (tops []int, err error) {
	turns := a.turns()
	for i, l := range a.looks {
		if err := b.checkSize(); err != nil {
			return nil, err
		}
		scale := track{step: true, times: turns[i].times}
		for _, there := range turns[i].there {
			if there {
				scale.values = append(scale.values, back.Scale[:])
			} else {
				scale.values = append(scale.values, []float64{0, 0, 0})
			}
		}
		trs := back
		trs.Scale = [3]float64(scale.last())
		content := []int{b.content(p, l)}
		node := b.draft.AddNode(gltf.NewNode{Name: l.name(), TRS: trs, Mesh: gltf.None, Children: content})
		if scale.moves() {
			b.draft.SetVisible(node, true)
			b.move(scale.channel(node, gltf.Scale), gltf.Channel{
				Pointer: fmt.Sprintf("/nodes/%d/extensions/KHR_node_visibility/visible", node), Step: true,
				Times: scale.times, Flags: turns[i].there,
			})
		}
		tops = append(tops, node)
	}
	return tops, nil
}

// content is what of the model is at a look of a piece: the node itself, or a copy with other materials.
func (b *builder) content(p *piece, l look) int {
	mesh := b.model.Nodes[p.node].Mesh
	switch {
	case p.alone && l == look{}:
		b.draft.DropMesh(p.node)
		return b.draft.AddNode(gltf.NewNode{TRS: gltf.Rest, Mesh: mesh})
	case p.alone:
		return b.draft.AddNode(gltf.NewNode{TRS: gltf.Rest, Mesh: b.repaint(mesh, l)})
	case l == look{}:
		return p.node
	}
	copies := make(map[int]int)
	for _, i := range slices.Backward(slices.Collect(b.model.Below(p.node))) {
		n := &b.model.Nodes[i]
		mesh := gltf.None
		if n.Mesh != gltf.None {
			mesh = b.repaint(n.Mesh, l)
		}
		children := make([]int, 0, len(n.Children))
		for _, c := range n.Children {
			children = append(children, copies[c])
		}
		copies[i] = b.draft.CopyNode(i, mesh, children)
	}
	return copies[p.node]
}

// changeJSON is when something becomes of a piece, and by which task.
type changeJSON struct {
	Time    float64 `json:"time"`
	Date    string  `json:"date"`
	Present bool    `json:"present"`
	Task    string  `json:"task,omitempty"`
	Phase   string  `json:"phase,omitempty"`
}

// changes are the extras of a piece.
func (b *builder) changes(p *piece, intervals []interval) json.RawMessage {
	to := struct {
		Entity  string       `json:"entity"`
		Changes []changeJSON `json:"changes"`
	}{Entity: p.entity}
	for i := range intervals {
		x := &intervals[i]
		c := changeJSON{x.from, x.begin.String(), x.Present, x.Why.TaskID, string(x.Why.Phase)}
		if n := len(to.Changes); n > 0 {
			before := to.Changes[n-1]
			if before.Time, before.Date = c.Time, c.Date; before == c {
				continue
			}
		}
		to.Changes = append(to.Changes, c)
	}
	return encode(to)
}

// maxWarnings is how many warnings a report has.
const maxWarnings = 1_000

func (b *builder) warn(p *piece, text string) {
	w := gltf.Warning{What: fmt.Sprintf("node %d", p.node), Text: text}
	if n := len(b.report.Warnings); n < maxWarnings && (n == 0 || b.report.Warnings[n-1] != w) {
		b.report.Warnings = append(b.report.Warnings, w)
	}
}
