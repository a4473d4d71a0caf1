package forms

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Properties holds what a form's type defines and what users defined. Values are
// anything that JSON can hold; numbers that were read are json.Number, digit for
// digit as they were written.
type Properties map[string]any

// UnmarshalJSON reads an object.
func (p *Properties) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode((*map[string]any)(p))
}

// checkProperties checks properties that were sent.
func checkProperties(c *problem.Checks, p Properties) {
	for name := range p {
		if name == "" {
			c.Bad("properties", "A property has a name.")
		}
	}
	b, err := json.Marshal(p)
	if err != nil {
		c.Bad("properties", "The properties cannot be written as JSON.")
		return
	}
	checkPropertiesSize(c, len(b))
}

func checkPropertiesSize(c *problem.Checks, size int) {
	if size > MaxPropertiesBytes {
		c.Bad("properties", "The properties of a form have at most %d bytes as JSON.", MaxPropertiesBytes)
	}
}

// mergeProperties sets the properties that were sent and removes those sent as null. Null
// in place of them all leaves them alone.
func mergeProperties(c *problem.Checks, to Properties, sent twinplatform.Optional[Properties]) Properties {
	in, ok := sent.Get()
	if !ok {
		return to
	}
	out := make(Properties, len(to)+len(in))
	maps.Copy(out, to)
	for name, value := range in {
		if value == nil {
			delete(out, name)
			continue
		}
		out[name] = value
	}
	b, err := json.Marshal(out)
	if err != nil {
		c.Bad("properties", "The properties cannot be written as JSON.")
		return to
	}
	checkPropertiesSize(c, len(b))
	return out
}
