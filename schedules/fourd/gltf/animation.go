package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Animation is what moves in a model.
type Animation struct {
	Name     string
	Channels []Channel
	// Extras are written as they are; nil for none.
	Extras json.RawMessage
}

// Path is what of a node a channel moves.
type Path string

// The paths. What has a path has so many numbers for each time: 3, 4 and 3.
const (
	Translation Path = "translation"
	Rotation    Path = "rotation"
	Scale       Path = "scale"
)

// Channel is how something moves.
type Channel struct {
	// Node and Path are what moves, or else Pointer is, as KHR_animation_pointer has it.
	Node    int
	Path    Path
	Pointer string
	// Step says that each value holds until the next time; else it moves linearly there.
	Step bool
	// Times are in seconds from the beginning, each above the one before.
	Times []float32
	// Values are so many numbers for each time as the target has.
	Values []float32
	// Flags are in place of Values where the target is true or false.
	Flags []bool
}

type samplerJSON struct {
	Input         int    `json:"input"`
	Output        int    `json:"output"`
	Interpolation string `json:"interpolation,omitempty"`
}

type targetJSON struct {
	Node       *int            `json:"node,omitempty"`
	Path       Path            `json:"path"`
	Extensions json.RawMessage `json:"extensions,omitempty"`
}

type channelJSON struct {
	Sampler int        `json:"sampler"`
	Target  targetJSON `json:"target"`
}

type animationJSON struct {
	Name     string          `json:"name,omitempty"`
	Channels []channelJSON   `json:"channels"`
	Samplers []samplerJSON   `json:"samplers"`
	Extras   json.RawMessage `json:"extras,omitempty"`
}

const pointerExtension = "KHR_animation_pointer"

// Animate gives the model its one animation. One without channels is none.
func (d *Draft) Animate(a Animation) {
	delete(d.raw, "animations")
	if len(a.Channels) == 0 {
		return
	}
	to := animationJSON{Name: a.Name, Extras: a.Extras}
	known := make(map[samplerJSON]int)
	for _, c := range a.Channels {
		s := samplerJSON{Input: d.times(c.Times), Output: d.output(&c)}
		if c.Step {
			s.Interpolation = "STEP"
		}
		at, ok := known[s]
		if !ok {
			at = len(to.Samplers)
			known[s], to.Samplers = at, append(to.Samplers, s)
		}
		target := targetJSON{Node: &c.Node, Path: c.Path}
		if c.Pointer != "" {
			d.Use(pointerExtension)
			target = targetJSON{Path: "pointer", Extensions: encode(map[string]map[string]string{
				pointerExtension: {"pointer": c.Pointer},
			})}
		}
		to.Channels = append(to.Channels, channelJSON{Sampler: at, Target: target})
	}
	d.raw["animations"] = encode([]animationJSON{to})
}

// times is the accessor of the times of a channel. Channels with the same times share one.
func (d *Draft) times(list []float32) int {
	b := floatBytes(list)
	return d.once("times "+string(b), func() int {
		low, high := bounds(list, 1)
		return d.floatAccessor(b, accessorJSON{Count: len(list), Type: "SCALAR", Min: low, Max: high})
	})
}

// output is the accessor of the values of a channel.
func (d *Draft) output(c *Channel) int {
	if c.Flags != nil {
		b := make([]byte, len(c.Flags))
		for i, on := range c.Flags {
			if on {
				b[i] = 1
			}
		}
		return d.once("flags "+string(b), func() int {
			a := accessorJSON{ComponentType: typeByte, ByteOffset: d.flags.Len(), Count: len(b), Type: "SCALAR"}
			d.flags.Write(b)
			return d.later(a, true)
		})
	}
	width := len(c.Values) / len(c.Times)
	b := floatBytes(c.Values)
	return d.once(fmt.Sprintf("values %d %s", width, b), func() int {
		kind := "SCALAR"
		if width > 1 {
			kind = fmt.Sprintf("VEC%d", width)
		}
		return d.floatAccessor(b, accessorJSON{Count: len(c.Times), Type: kind})
	})
}

func (d *Draft) floatAccessor(b []byte, a accessorJSON) int {
	a.ComponentType, a.ByteOffset = typeFloat, d.floats.Len()
	d.floats.Write(b)
	return d.later(a, false)
}

// later adds an accessor whose bufferView is made once all of its kind are there.
func (d *Draft) later(a accessorJSON, flags bool) int {
	d.accessors = append(d.accessors, encode(a))
	d.pending = append(d.pending, pending{len(d.accessors) - 1, flags})
	return len(d.accessors) - 1
}

// flush makes the bufferViews of the accessors that have none yet: one of numbers, one of flags.
func (d *Draft) flush() {
	floats, flags := len(d.views), len(d.views)
	if d.floats.Len() > 0 {
		b := d.floats.Bytes()
		d.views = append(d.views, encode(viewJSON{ByteOffset: d.append(b), ByteLength: len(b)}))
		flags++
	}
	if d.flags.Len() > 0 {
		b := d.flags.Bytes()
		d.views = append(d.views, encode(viewJSON{ByteOffset: d.append(b), ByteLength: len(b)}))
	}
	for _, p := range d.pending {
		view := floats
		if p.flags {
			view = flags
		}
		set(&d.accessors[p.accessor], "bufferView", view)
	}
	// The binary chunk refers to what they had.
	d.pending, d.floats, d.flags = nil, bytes.Buffer{}, bytes.Buffer{}
}
