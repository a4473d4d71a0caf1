package animated

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// look is how a piece looks at a time. The zero look is that of the model.
type look struct {
	color string // #rrggbb; empty for that of the model
	// set says that the transparency is not that of the model.
	set bool
	// first and last are the transparency in percent, from a time until another where they differ.
	first, last float64
	from, to    float64
}

// name is what the node of a look is called.
func (l *look) name() string {
	if l.set && l.color == "" {
		return fmt.Sprintf("transparent %g", (l.first+l.last)/2)
	}
	return l.color
}

// look is how a piece looks in an interval.
func (b *builder) look(p *piece, x *interval) look {
	l := look{color: strings.ToLower(x.Color)}
	if _, ok := linear(l.color); !ok {
		l.color = ""
	}
	if !x.OriginalTransparency {
		l.set = true
		first, last := x.Transparency, x.Until.Transparency
		l.first, l.last = mix(first, last, x.first), mix(first, last, x.last)
		if l.first != l.last {
			l.from, l.to = x.from, x.to
		}
	}
	if l == (look{set: true}) && b.opaque(p) {
		return look{}
	}
	return l
}

// opaque reports whether all of a piece is opaque in the model.
func (b *builder) opaque(p *piece) bool {
	for i := range b.model.Below(p.node) {
		mesh := b.model.Nodes[i].Mesh
		if mesh == gltf.None || p.alone && i != p.node {
			continue
		}
		all, known := b.opaques[mesh]
		if !known {
			all = b.opaqueMesh(mesh)
			b.opaques[mesh] = all
		}
		if !all {
			return false
		}
	}
	return true
}

func (b *builder) opaqueMesh(mesh int) bool {
	return !slices.ContainsFunc(b.draft.Materials(mesh), func(m int) bool {
		var of materialJSON
		return json.Unmarshal(b.draft.Material(m), &of) == nil && of.AlphaMode != "" && of.AlphaMode != "OPAQUE"
	})
}

// materialJSON is what of a material says how transparent it is.
type materialJSON struct {
	AlphaMode string `json:"alphaMode"`
	PBR       struct {
		BaseColorFactor []float64 `json:"baseColorFactor"`
	} `json:"pbrMetallicRoughness"`
}

// coat is a mesh in a look.
type coat struct {
	mesh int
	look look
}

// repaint is the mesh in a look.
func (b *builder) repaint(mesh int, l look) int {
	c := coat{mesh, l}
	i, ok := b.painted[c]
	if !ok {
		i = b.draft.Repaint(mesh, l.color != "", func(was int) int { return b.material(was, l) })
		b.painted[c] = i
	}
	return i
}

// members are those of an object of JSON.
func members(raw json.RawMessage) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage)
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return make(map[string]json.RawMessage)
	}
	return m
}

// fade is a material that becomes more or less transparent.
type fade struct {
	was  int
	look look
}

// material is a material in a look.
func (b *builder) material(was int, l look) int {
	raw := b.draft.Material(was)
	var of materialJSON
	if json.Unmarshal(raw, &of) != nil || len(of.PBR.BaseColorFactor) != 4 {
		of.PBR.BaseColorFactor = []float64{1, 1, 1, 1}
	}
	color := [4]float64(of.PBR.BaseColorFactor)
	m := members(raw)
	surface := members(m["pbrMetallicRoughness"])
	if rgb, ok := linear(l.color); ok {
		copy(color[:3], rgb[:])
		m, surface = painted(m)
		if !l.set {
			m["alphaMode"] = encode(of.alphaMode())
		}
	}
	alpha := func(transparency float64) float64 { return 1 - min(max(transparency, 0), 100)/100 }
	if l.set {
		delete(m, "alphaCutoff")
		m["alphaMode"] = encode("OPAQUE")
		if color[3] = alpha((l.first + l.last) / 2); color[3] < 1 {
			m["alphaMode"] = encode("BLEND")
		}
	}
	surface["baseColorFactor"] = encode(color)
	m["pbrMetallicRoughness"] = encode(surface)
	if l.first == l.last {
		return b.draft.AddMaterial(encode(m))
	}
	i, ok := b.fades[fade{was, l}]
	if !ok {
		m["name"] = encode(fmt.Sprintf("fade %d", len(b.fades)))
		i = b.draft.AddMaterial(encode(m))
		b.fades[fade{was, l}] = i
		values := track{}
		values.move(l.from, color[0], color[1], color[2], alpha(l.first))
		values.move(l.to, color[0], color[1], color[2], alpha(l.last))
		c := values.channel(0, "")
		c.Pointer = fmt.Sprintf("/materials/%d/pbrMetallicRoughness/baseColorFactor", i)
		b.move(c)
	}
	return i
}

// alphaMode is that of a material that says none.
func (m *materialJSON) alphaMode() string {
	if m.AlphaMode == "" {
		return "OPAQUE"
	}
	return m.AlphaMode
}

// painted is what a material keeps in another colour: all but what would change the colour.
func painted(m map[string]json.RawMessage) (material, surface map[string]json.RawMessage) {
	material = make(map[string]json.RawMessage)
	for _, name := range []string{"name", "doubleSided", "alphaCutoff"} {
		if raw, ok := m[name]; ok {
			material[name] = raw
		}
	}
	const unlit = "KHR_materials_unlit"
	if raw, ok := members(m["extensions"])[unlit]; ok {
		material["extensions"] = encode(map[string]json.RawMessage{unlit: raw})
	}
	return material, map[string]json.RawMessage{"metallicFactor": encode(0), "roughnessFactor": encode(0.9)}
}

// linear is a colour #rrggbb of screens as materials have it: red, green and blue by the light that they are.
func linear(color string) (rgb [3]float64, ok bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil || len(color) != 7 || color[0] != '#' {
		return rgb, false
	}
	for i := range 3 {
		c := float64(n>>(16-8*i)&0xFF) / 255
		if rgb[i] = c / 12.92; c > 0.04045 {
			rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return rgb, true
}
