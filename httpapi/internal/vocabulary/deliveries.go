package vocabulary

import (
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Deliveries puts the bodies of deliveries to webhooks into the words of a
// deployment. The zero value leaves them as they are.
type Deliveries struct{ written, read *shape.Shape }

// Deliveries translates the events that are delivered to webhooks to the names of the
// webhooks area. It fails where two members of a delivery would have one name.
func (v Vocabulary) Deliveries() (Deliveries, error) {
	if v.Key() == "" {
		return Deliveries{}, nil
	}
	c := clashes{v: v}
	t := translation{
		made: make(map[spoken]*shape.Shape), clashes: &c, Lexicon: v.Of("webhooks"),
		operation: "a delivery", seconded: true,
	}
	envelope := deliveryShape()
	d := Deliveries{t.writes(envelope), t.reads(envelope, nil)}
	t.contents(envelope, d)
	if err := c.err(); err != nil {
		return Deliveries{}, err
	}
	return d, nil
}

// worded are the members of contents that hold words of enumerations. The others hold ids,
// numbers and texts of people.
var worded = []string{"accountOwnerType", "memberType", "status", "transformType", "twinClass", "twinSubClass"}

// contents gives the members of contents the names that they have there, and words of
// enumerations in them theirs.
func (t *translation) contents(envelope *shape.Shape, d Deliveries) {
	in := envelope.Fields["content"].In
	written, read := &shape.Shape{Fields: make(map[string]shape.Property)},
		&shape.Shape{Fields: make(map[string]shape.Property), Open: true}
	met := make(map[string]string)
	was := t.valuesOf()
	is := make(map[string]string, len(was))
	for as, word := range was {
		is[word] = as
	}
	for _, name := range slices.Sorted(maps.Keys(in.Fields)) {
		as := t.Content(name)
		t.clashes.note(met, t.operation, "members", name, as)
		written.Fields[name], read.Fields[as] = shape.Property{As: as, Also: t.also(name)}, shape.Property{As: name}
		if slices.Contains(worded, name) {
			written.Fields[name] = withIn(written.Fields[name], &shape.Shape{Words: is})
			read.Fields[as] = withIn(read.Fields[as], &shape.Shape{Words: was})
		}
		for _, second := range t.Seconds(name) {
			t.clashes.note(met, t.operation, "members", name, second)
			renamed := shape.Property{As: name, Twin: true, In: read.Fields[as].In}
			read.Fields[as], read.Fields[second] = renamed, renamed
		}
	}
	d.written.Fields["content"] = withIn(d.written.Fields["content"], written)
	for _, as := range append(t.Seconds("content"), t.Member("content")) {
		d.read.Fields[as] = withIn(d.read.Fields[as], read)
	}
}

// withIn is a property of another shape.
func withIn(p shape.Property, in *shape.Shape) shape.Property {
	p.In = in
	return p
}

// deliveryShape is the body of a delivery in the specification's names.
func deliveryShape() *shape.Shape {
	content, types := &shape.Shape{Fields: make(map[string]shape.Property)}, []string(nil)
	for _, kind := range append(event.Catalogue(), testSent) {
		types = append(types, kind.Type())
		for name := range kind.Members() {
			content.Fields[name] = shape.Property{}
		}
	}
	return &shape.Shape{Fields: map[string]shape.Property{
		"content": {In: content}, "eventType": {In: &shape.Shape{Words: sameWords(types)}},
		"enqueuedDateTime": {}, "twinId": {}, "messageId": {}, "webhookId": {},
	}}
}

// Write is the body of a delivery in the deployment's words.
func (d Deliveries) Write(body []byte) []byte { return d.in(d.written, body) }

// Read translates the body of a delivery from the deployment's words to the words of the
// specification. Check the signature first, on the body as it came, and then read the body;
// what is no JSON stays as it is.
func (d Deliveries) Read(body []byte) []byte { return d.in(d.read, body) }

func (Deliveries) in(sh *shape.Shape, body []byte) []byte {
	if sh == nil {
		return body
	}
	return Renamed(body, sh)
}
