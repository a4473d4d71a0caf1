package models

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Limits of an element.
const (
	// MaxGeometryBytes is how long the geometry of an element may be.
	MaxGeometryBytes = 256 << 10
	// MaxPropertiesBytes is how long the properties of an element may be as JSON.
	MaxPropertiesBytes = 64 << 10
)

// ElementUpdate is an element as it is to be in place of one that is there. Its id is
// required.
type ElementUpdate NewElement

// NewElement is an element of a changeset as it is to be.
type NewElement struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Class is required and has at most 255 characters.
	Class string `json:"class"`
	// Category makes the element one to look at: views show and hide what has one.
	Category   twinplatform.NullString `json:"category"`
	ParentID   twinplatform.NullString `json:"parentId"`   // element that it is a part of; one of the model
	ScopeID    twinplatform.NullString `json:"scopeId"`    // element within which its code is unique; one of the model
	SubModelID twinplatform.NullString `json:"subModelId"` // part of the model that views show or hide
	// Code has at most 255 characters.
	Code twinplatform.NullString `json:"code"`
	// FederationGUID is a GUID.
	FederationGUID twinplatform.NullString `json:"federationGuid"`
	// BoundingBox may have its corners in any order.
	BoundingBox *Box `json:"boundingBox"`
	// Geometry has at most 256 KiB; base64 in JSON. An update that leaves it out
	// leaves it as it is, and null clears it.
	Geometry twinplatform.Optional[[]byte] `json:"geometry,omitzero"`
	// Properties have at most 64 KiB as JSON.
	Properties ElementProperties `json:"properties"`
	// MandatoryProperties name some of the properties.
	MandatoryProperties []string `json:"mandatoryProperties"`
}

// check reports the violations of the element by itself, and how long it is.
func (n *NewElement) check(c *problem.Checks) (size int) {
	c.ID("id", n.ID)
	c.Need("class", n.Class, MaxName)
	c.AtMost("category", string(n.Category), MaxID)
	c.AtMost("parentId", string(n.ParentID), MaxID)
	c.AtMost("scopeId", string(n.ScopeID), MaxID)
	c.AtMost("subModelId", string(n.SubModelID), MaxID)
	c.AtMost("code", string(n.Code), MaxName)
	if n.FederationGUID != "" && !problem.IsGUID(string(n.FederationGUID)) {
		c.Bad("federationGuid", "The value of 'federationGuid' is a GUID.")
	}
	if n.BoundingBox != nil && !n.BoundingBox.finite() {
		c.Bad("boundingBox", "The coordinates of a box are finite.")
	}
	geometry := n.Geometry.Or(nil)
	if len(geometry) > MaxGeometryBytes {
		c.Bad("geometry", "The geometry of an element has %d bytes at most.", MaxGeometryBytes)
	}
	for _, name := range n.MandatoryProperties {
		if _, ok := n.Properties[name]; !ok {
			c.Bad("mandatoryProperties", "The element has no property '%s'.", name)
		}
	}
	return len(geometry) + n.checkProperties(c)
}

func (n *NewElement) checkProperties(c *problem.Checks) (size int) {
	if len(n.Properties) == 0 {
		return 0
	}
	if slices.Contains(slices.Collect(maps.Keys(n.Properties)), "") {
		c.Bad("properties", "A property has a name.")
	}
	b, err := json.Marshal(n.Properties)
	switch {
	case err != nil:
		c.Bad("properties", "The properties cannot be written as JSON.")
	case len(b) > MaxPropertiesBytes:
		c.Bad("properties", "The properties of an element have %d bytes at most.", MaxPropertiesBytes)
	}
	return len(b)
}

func (b *Box) finite() bool {
	for _, x := range []float64{b.Low.X, b.Low.Y, b.Low.Z, b.High.X, b.High.Y, b.High.Z} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// element is the element that is asked for. stored is what it takes the place of, or
// nil.
func (n *NewElement) element(id string, stored *Element) Element {
	e := Element{
		ID: id, Class: n.Class, Category: n.Category, ParentID: n.ParentID, ScopeID: n.ScopeID,
		SubModelID: n.SubModelID,
		Code:       n.Code, FederationGUID: n.FederationGUID, BoundingBox: n.BoundingBox.upright(),
		Geometry:            n.Geometry.Or(nil),
		Properties:          n.Properties,
		MandatoryProperties: slices.Compact(slices.Sorted(slices.Values(n.MandatoryProperties))),
	}
	if stored != nil {
		e.Aspects = stored.Aspects
		if !n.Geometry.Present() {
			e.GeometryHash = stored.GeometryHash
		}
	}
	return e.Normal()
}

// asNew is what would be asked for to make the element.
func (e *Element) asNew() NewElement {
	return NewElement{
		ID: e.ID, Class: e.Class, Category: e.Category, ParentID: e.ParentID, ScopeID: e.ScopeID,
		SubModelID: e.SubModelID,
		Code:       e.Code, FederationGUID: e.FederationGUID, BoundingBox: e.BoundingBox,
		Geometry:   twinplatform.Set(e.Geometry),
		Properties: e.Properties, MandatoryProperties: e.MandatoryProperties,
	}
}

// target is an element of a request, and where it is there.
type target struct {
	list string
	at   int
	id   string
}

func (w target) bad(c *problem.Checks, property, format string, args ...any) {
	c.At(w.list, w.at)
	c.Bad(property, format, args...)
}

// insert adds an element, whatever it refers to.
func (d *draft) insert(c *problem.Checks, w target, n *NewElement) error {
	there, err := d.element(w.id)
	if err != nil {
		return err
	}
	if there != nil {
		w.bad(c, "id", "The model has an element '%s' already.", w.id)
		return nil
	}
	return d.put(n.element(w.id, nil))
}

// named is the element that a change names; nil where there is none, which is reported to
// c.
func (d *draft) named(c *problem.Checks, w target) (*Element, error) {
	stored, err := d.element(w.id)
	if err == nil && stored == nil {
		w.bad(c, "id", "The model has no element '%s'.", w.id)
	}
	return stored, err
}

// update replaces an element, whatever it refers to.
func (d *draft) update(c *problem.Checks, w target, n *NewElement) error {
	stored, err := d.named(c, w)
	if stored == nil {
		return err
	}
	return d.put(n.element(w.id, stored))
}

// delete removes an element, whatever refers to it.
func (d *draft) delete(c *problem.Checks, w target) error {
	stored, err := d.named(c, w)
	if stored == nil {
		return err
	}
	return d.remove(w.id)
}

// unused reports of a deleted element that others refer to it.
func (d *draft) unused(c *problem.Checks, w target) error {
	used, err := d.dependents(w.id)
	if used {
		w.bad(c, "id", "An element that is a part of the element '%s', or has its code within it, remains.", w.id)
	}
	return err
}

// validate reports of a written element that it refers to what is not there, or to itself.
func (d *draft) validate(c *problem.Checks, w target) error {
	e, err := d.element(w.id)
	if e == nil || err != nil {
		return err
	}
	for _, above := range []struct{ property, id string }{
		{"parentId", string(e.ParentID)},
		{"scopeId", string(e.ScopeID)},
	} {
		if above.id == "" {
			continue
		}
		up, err := d.element(above.id)
		if err != nil {
			return err
		}
		if up == nil {
			w.bad(c, above.property, "The model has no element '%s'.", above.id)
		}
	}
	if err := d.acyclic(e); errors.Is(err, errCycle) {
		w.bad(c, "parentId", "The element '%s' is a part of itself, has its code within itself, or stands below more "+
			"than %d others.", w.id, maxHeight)
	} else if err != nil {
		return err
	}
	return nil
}

func describeElements(b *schema.Book) {
	b.Is(reflect.TypeFor[ElementProperties](), schema.Value{})
	schema.Enum(b, aspectKinds)
	schema.Enum(b, changeKinds)
	for _, t := range []reflect.Type{
		reflect.TypeFor[Element](), reflect.TypeFor[NewElement](), reflect.TypeFor[ElementUpdate](),
	} {
		b.Has(t, schema.Refers("parentId", elementRecords.Name), schema.Refers("scopeId", elementRecords.Name),
			schema.NotRef("subModelId", "it is a part of the geometry that views show or hide"))
	}
	schema.Has[ElementChange](b, schema.Refers("elementId", elementRecords.Name))
	schema.Has[Aspect](b, schema.Refers("sourceId", elementRecords.Name))
	members := []schema.Member{
		schema.NeedText("class", MaxName),
		schema.May("category", schema.AtMost(MaxID)), schema.May("parentId", schema.AtMost(MaxID)),
		schema.May("scopeId", schema.AtMost(MaxID)),
		schema.May("subModelId", schema.AtMost(MaxID)), schema.May("code", schema.AtMost(MaxName)),
		schema.May("federationGuid", schema.Format("uuid", "8f2c4d10-6a41-4c4e-9d0a-2f9f0b7f8a11")),
	}
	b.Has(reflect.TypeFor[NewElement](), append(members, schema.May("id", schema.AtMost(MaxID)))...)
	b.Has(reflect.TypeFor[ElementUpdate](), append(members, schema.NeedText("id", MaxID))...)
}
