package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Element is an element of a model as it is at a changeset.
type Element struct {
	Aspects     []Aspect                `json:"aspects"`     // set by transformations; never null
	BoundingBox *Box                    `json:"boundingBox"` // null where it takes no space
	Category    twinplatform.NullString `json:"category"`    // null where it is nothing to look at
	// ChangesetID and ChangesetIndex are the changeset that made it what it is.
	ChangesetID    string                  `json:"changesetId"`
	ChangesetIndex int                     `json:"changesetIndex"`
	Class          string                  `json:"class"`          // 1 to MaxName characters
	Code           twinplatform.NullString `json:"code"`           // up to MaxName characters
	CreatedIndex   int                     `json:"createdIndex"`   // index of the changeset that inserted it
	Deleted        bool                    `json:"deleted"`        // true in changes alone
	FederationGUID twinplatform.NullString `json:"federationGuid"` // null where it has none
	// Geometry is opaque, up to MaxGeometryBytes; base64 in JSON. Lists leave it out.
	Geometry []byte `json:"geometry"`
	// GeometryHash identifies a geometry; null where there is none.
	GeometryHash twinplatform.NullString `json:"geometryHash"`
	// index of the changeset that brought the geometry; 0 where there is none
	GeometryIndex int    `json:"geometryIndex"`
	ID            string `json:"id"` // unique within the model; never changes
	// MandatoryProperties are the names of those of the properties that the class
	// demands: a transformation never clears them.
	MandatoryProperties []string                `json:"mandatoryProperties"`
	ParentID            twinplatform.NullString `json:"parentId"`   // element that it is a part of
	Properties          ElementProperties       `json:"properties"` // by name; up to MaxPropertiesBytes as JSON
	ScopeID             twinplatform.NullString `json:"scopeId"`    // element within which its code is unique
	SubModelID          twinplatform.NullString `json:"subModelId"` // part of the model that views show or hide
}

// sequence returns the index of the changeset that last changed the element.
func (e *Element) sequence() uint64 { return uint64(e.ChangesetIndex) }

// ElementProperties are the properties of an element by their names.
type ElementProperties map[string]any

// UnmarshalJSON reads an object, and its numbers as they are written.
func (p *ElementProperties) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode((*map[string]any)(p))
}

// Aspect is what a transformation notes at an element of its target.
type Aspect struct {
	Filter     string     `json:"filter"`     // what decided on the content, of a ScopeAspect; else empty
	Identifier string     `json:"identifier"` // of the source element or, of a ScopeAspect, the source model
	Kind       AspectKind `json:"kind"`
	SourceID   string     `json:"sourceId"` // element of the target that stands for the source
	Version    string     `json:"version"`  // synchronized changeset of a ScopeAspect; else empty
}

// AspectKind is what an aspect is about.
type AspectKind string

// The kinds of aspects.
const (
	// ScopeAspect notes up to which changeset of the source a target is.
	ScopeAspect AspectKind = "Scope"
	// ElementAspect notes which source element an element without a federation GUID
	// comes from.
	ElementAspect AspectKind = "Element"
)

var aspectKinds = []AspectKind{ScopeAspect, ElementAspect}

// Point is a place in the coordinates of a model.
type Point struct {
	X float64 `json:"x"` // in the unit of the model, as Y and Z
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

// Box is a space with sides along the axes.
type Box struct {
	Low  Point `json:"low"`  // its lowest coordinates
	High Point `json:"high"` // its highest, none of them below those of Low
}

// union is the smallest box that holds both; nil holds nothing.
func (b *Box) union(other *Box) *Box {
	if b == nil || other == nil {
		if b == nil {
			return other
		}
		return b
	}
	return &Box{
		Low:  Point{min(b.Low.X, other.Low.X), min(b.Low.Y, other.Low.Y), min(b.Low.Z, other.Low.Z)},
		High: Point{max(b.High.X, other.High.X), max(b.High.Y, other.High.Y), max(b.High.Z, other.High.Z)},
	}
}

// upright is the box with its lowest corner as Low.
func (b *Box) upright() *Box {
	if b == nil {
		return nil
	}
	return (&Box{b.Low, b.Low}).union(&Box{b.High, b.High})
}

// elementRecords keeps each version of an element under the element's id and its
// sequence, the newest first: reading an element as of a changeset is one seek.
var elementRecords = records.Collection[Element]{
	Name: "elements", Untracked: true,
	ID: func(e *Element) string { return versionKey(e.ID, e.sequence()) },
	Indexes: []records.Index[Element]{
		{Name: "parent", Value: func(e *Element) string { return string(e.ParentID) }},
		{Name: "scope", Value: func(e *Element) string { return string(e.ScopeID) }},
		{Name: "category", Value: func(e *Element) string { return string(e.Category) }},
		{Name: "class", Value: func(e *Element) string { return e.Class }},
	},
}

// geometry holds the geometry of an element. It has a collection of its own, so that no
// list of elements reads its bytes.
type geometry struct {
	ID       string `json:"id"` // of the element
	Sequence uint64 `json:"sequence"`
	Data     []byte `json:"data"`
}

var geometryRecords = records.Collection[geometry]{
	Name: "geometries", Untracked: true,
	ID: func(g *geometry) string { return versionKey(g.ID, g.Sequence) },
}

// versionKey is where a version of an element is kept, or its geometry.
func versionKey(id string, sequence uint64) string {
	return records.Join(id, newestFirst(sequence))
}

// hashOf identifies a geometry.
func hashOf(data []byte) twinplatform.NullString {
	if len(data) == 0 {
		return ""
	}
	sum := sha256.Sum256(data)
	return twinplatform.NullString(hex.EncodeToString(sum[:16]))
}

// inOrder is a sequence as text that sorts as sequences do.
func inOrder(sequence uint64) string {
	const zeros = "0000000000000000"
	s := strconv.FormatUint(sequence, 16)
	return zeros[len(s):] + s
}

// newestFirst is a sequence as text that sorts the other way round.
func newestFirst(sequence uint64) string { return inOrder(^sequence) }

// Above are the elements that one cannot be without: its parent, and the one that its code
// is unique within.
func (e *Element) Above() (ids []string) {
	if e.ParentID != "" {
		ids = append(ids, string(e.ParentID))
	}
	if e.ScopeID != "" {
		ids = append(ids, string(e.ScopeID))
	}
	return ids
}

// Normal is the element in the one form in which it is kept: with no list that is null.
func (e Element) Normal() Element {
	if e.Aspects == nil {
		e.Aspects = []Aspect{}
	}
	if e.MandatoryProperties == nil {
		e.MandatoryProperties = []string{}
	}
	if e.Properties == nil {
		e.Properties = ElementProperties{}
	}
	return e
}
