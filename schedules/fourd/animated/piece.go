package animated

import (
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// builder makes an animated model.
type builder struct {
	model    *gltf.Model
	draft    *gltf.Draft
	timeline Timeline
	clock    clock
	report   Report
	channels []gltf.Channel
	keys     int // bytes of the channels
	most     int // bytes that may be added; 0 for no limit

	owner []string // the entity that each node shows; empty for none
	mixed []bool   // whether a node has another owner than something below it
	// tops are what comes in the place of a node below its parent, or in a scene.
	tops map[int][]int
	// contents are what is added below a node.
	contents map[int][]int
	fades    map[fade]int
	painted  map[coat]int
	opaques  map[int]bool // by mesh, as far as they were asked for
}

// owners are the entities that nodes show: their own, or that of what they are below.
func owners(m *gltf.Model, entity func(int) string) []string {
	owner := make([]string, len(m.Nodes))
	for i := range m.Nodes {
		if m.Nodes[i].Parent != gltf.None {
			continue
		}
		for k := range m.Below(i) {
			if owner[k] = entity(k); owner[k] == "" && m.Nodes[k].Parent != gltf.None {
				owner[k] = owner[m.Nodes[k].Parent]
			}
		}
	}
	return owner
}

// own finds what each node shows, and which nodes have parts that show something else.
func (b *builder) own(entity func(int) string) {
	seen := make(map[string]bool)
	b.owner = owners(b.model, func(i int) string {
		id := entity(i)
		if id == "" {
			return ""
		}
		if _, found := b.timeline.Find(id); !found {
			return ""
		}
		seen[id] = true
		b.report.Nodes++
		return id
	})
	b.report.Entities = len(seen)
	b.mixed, b.tops, b.contents = make([]bool, len(b.model.Nodes)), make(map[int][]int), make(map[int][]int)
	b.fades, b.painted, b.opaques = make(map[fade]int), make(map[coat]int), make(map[int]bool)
	for i := range b.model.Nodes {
		if b.model.Nodes[i].Parent != gltf.None {
			continue
		}
		for _, k := range slices.Backward(slices.Collect(b.model.Below(i))) {
			p := b.model.Nodes[k].Parent
			if p != gltf.None && (b.mixed[k] || b.owner[k] != b.owner[p]) {
				b.mixed[p] = true
			}
		}
	}
}

// piece is what is played as one: a node with all below it, or the mesh of a node alone.
type piece struct {
	entity string
	node   int
	// alone says that it is the mesh of the node, whose parts show other entities.
	alone bool
	frame gltf.Matrix // where what it is put into is in the model
	box   *gltf.Box   // around it, in the axes of package fourd
}

// pieces cuts the model so that no piece is below another one: so none moves with another.
func (b *builder) pieces() (list []piece) {
	for i := range b.model.Nodes {
		n := &b.model.Nodes[i]
		if b.owner[i] == "" {
			continue
		}
		switch {
		case b.mixed[i] && n.Mesh != gltf.None:
			list = append(list, piece{b.owner[i], i, true, n.World, n.Box.In(gltf.ZUp)})
		case b.mixed[i]:
		case n.Parent == gltf.None:
			list = append(list, piece{b.owner[i], i, false, gltf.Identity, b.model.Bounds(i).In(gltf.ZUp)})
		case b.mixed[n.Parent]:
			box := b.model.Bounds(i).In(gltf.ZUp)
			list = append(list, piece{b.owner[i], i, false, b.model.Nodes[n.Parent].World, box})
		}
	}
	return list
}

// put puts nodes into the place of a piece.
func (b *builder) put(p *piece, tops []int) {
	if p.alone {
		b.contents[p.node] = append(b.contents[p.node], tops...)
	} else {
		b.tops[p.node] = tops
	}
}

// replace puts what is played into the model.
func (b *builder) replace() {
	changed := make(map[int]bool)
	for i := range b.contents {
		changed[i] = true
	}
	for i := range b.tops {
		if p := b.model.Nodes[i].Parent; p != gltf.None {
			changed[p] = true
		}
	}
	for i := range changed {
		var children []int
		for _, c := range b.model.Nodes[i].Children {
			if tops, ok := b.tops[c]; ok {
				children = append(children, tops...)
			} else {
				children = append(children, c)
			}
		}
		b.draft.SetChildren(i, append(children, b.contents[i]...))
	}
	b.draft.Replace(b.tops)
}

// channelBytes is what a channel takes, without its keyframes.
const channelBytes = 200

// move adds channels.
func (b *builder) move(channels ...gltf.Channel) {
	for i := range channels {
		c := &channels[i]
		b.keys += channelBytes + 4*len(c.Times) + 4*len(c.Values) + len(c.Flags)
	}
	b.channels = append(b.channels, channels...)
}

// checkSize refuses what adds too much.
func (b *builder) checkSize() error {
	if b.most > 0 && b.draft.Added()+b.keys > b.most {
		return fmt.Errorf("%w: what is played adds more than %d bytes", gltf.ErrTooLarge, b.most)
	}
	return nil
}
