package forms

import (
	"encoding/json"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Point3D is a point in space.
type Point3D struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

// UnmarshalJSON reads a point, of which no coordinate may be left out.
func (p *Point3D) UnmarshalJSON(b []byte) error {
	var in struct{ X, Y, Z *float64 }
	if err := json.Unmarshal(b, &in); err != nil || in.X == nil || in.Y == nil || in.Z == nil {
		return errors.New("a point has the numbers x, y and z")
	}
	*p = Point3D{*in.X, *in.Y, *in.Z}
	return nil
}

func (p Point3D) check(c *problem.Checks, target string) {
	finite(c, target+".x", p.X)
	finite(c, target+".y", p.Y)
	finite(c, target+".z", p.Z)
}

func checkPoint(c *problem.Checks, target string, p twinplatform.Optional[Point3D]) {
	if p, ok := p.Get(); ok {
		p.check(c, target)
	}
}

// merge changes a property to a value that was sent. Null clears a property that
// was set; one that never was stays so.
func merge[T any](to *twinplatform.Optional[T], sent twinplatform.Optional[T]) {
	if _, ok := sent.Get(); ok || sent.IsNull() && to.Present() {
		*to = sent
	}
}

// container is an object with its own properties.
type container[T any] interface {
	comparable
	// cleared is the object with every property sent as null.
	cleared() T
}

// mergeObject is merge for a container: what is left out of it stays, and null
// clears all that it holds.
func mergeObject[T container[T]](to **T, sent twinplatform.Optional[T], each func(to, sent *T)) {
	var out, nothing T
	if *to != nil {
		out = **to
	}
	in, ok := sent.Get()
	if sent.IsNull() {
		in, ok = nothing.cleared(), true
	}
	if !ok {
		return
	}
	if each(&out, &in); *to != nil || out != nothing {
		*to = &out
	}
}

// BoundingBox is a region in the form of a rectangular prism. It has both of its
// corners or none.
type BoundingBox struct {
	// a corner, opposite to the other
	LowerLeftPoint3D twinplatform.Optional[Point3D] `json:"lowerLeftPoint3D,omitzero"`
	// a corner, opposite to the other
	UpperRightPoint3D twinplatform.Optional[Point3D] `json:"upperRightPoint3D,omitzero"`
}

func (BoundingBox) cleared() BoundingBox {
	return BoundingBox{twinplatform.Null[Point3D](), twinplatform.Null[Point3D]()}
}

func (b *BoundingBox) check(c *problem.Checks) {
	checkPoint(c, "boundingBox.lowerLeftPoint3D", b.LowerLeftPoint3D)
	checkPoint(c, "boundingBox.upperRightPoint3D", b.UpperRightPoint3D)
}

func (b *BoundingBox) merge(sent *BoundingBox) {
	merge(&b.LowerLeftPoint3D, sent.LowerLeftPoint3D)
	merge(&b.UpperRightPoint3D, sent.UpperRightPoint3D)
}

// whole checks that the box as it is now has both corners or none.
func (b *BoundingBox) whole(c *problem.Checks) {
	_, low := b.LowerLeftPoint3D.Get()
	_, high := b.UpperRightPoint3D.Get()
	switch {
	case low && !high:
		c.Missing("boundingBox.upperRightPoint3D")
	case high && !low:
		c.Missing("boundingBox.lowerLeftPoint3D")
	}
}

// ModelPin is a point in a model.
type ModelPin struct {
	Description twinplatform.Optional[string]  `json:"description,omitzero"` // up to MaxDescription characters
	Location    twinplatform.Optional[Point3D] `json:"location,omitzero"`    // in the coordinates of the model
}

func (ModelPin) cleared() ModelPin {
	return ModelPin{twinplatform.Null[string](), twinplatform.Null[Point3D]()}
}

func (p *ModelPin) check(c *problem.Checks) {
	c.AtMost("modelPin.description", p.Description.Or(""), MaxDescription)
	checkPoint(c, "modelPin.location", p.Location)
}

func (p *ModelPin) merge(sent *ModelPin) {
	merge(&p.Description, sent.Description)
	merge(&p.Location, sent.Location)
}

// ModelView is a view of a model.
type ModelView struct {
	CameraView twinplatform.Optional[CameraView] `json:"cameraView,omitzero"` // merged into what is there
	// ModelJsView is the id of a saved view.
	ModelJsView twinplatform.Optional[string] `json:"modelJsView,omitzero"`
}

func (ModelView) cleared() ModelView {
	return ModelView{twinplatform.Null[CameraView](), twinplatform.Null[string]()}
}

func (m *ModelView) check(c *problem.Checks) {
	if v, ok := m.CameraView.Get(); ok {
		v.check(c, "modelView.cameraView")
	}
	c.AtMost("modelView.modelJsView", m.ModelJsView.Or(""), MaxText)
}

func (m *ModelView) merge(sent *ModelView) {
	merge(&m.CameraView, sent.CameraView)
	merge(&m.ModelJsView, sent.ModelJsView)
}

// CameraView is a camera. It is given whole: a patch replaces it.
type CameraView struct {
	// Direction is where the camera looks: the end of a vector from the
	// origin. Required, as are Up and ViewPoint.
	Direction twinplatform.Optional[Point3D] `json:"direction,omitzero"`
	// FieldOfView is in degrees. Only one of it and ViewToWorldScale is given.
	FieldOfView twinplatform.Optional[float64] `json:"fieldOfView,omitzero"`
	Up          twinplatform.Optional[Point3D] `json:"up,omitzero"`
	ViewPoint   twinplatform.Optional[Point3D] `json:"viewPoint,omitzero"`
	// ViewToWorldScale turns a unit of the view into meters.
	ViewToWorldScale twinplatform.Optional[float64] `json:"viewToWorldScale,omitzero"`
}

func (v *CameraView) check(c *problem.Checks, target string) {
	for _, p := range []struct {
		name  string
		point twinplatform.Optional[Point3D]
	}{{"direction", v.Direction}, {"up", v.Up}, {"viewPoint", v.ViewPoint}} {
		at, ok := p.point.Get()
		if c.Given(target+"."+p.name, ok) {
			at.check(c, target+"."+p.name)
		}
	}
	angle, perspective := v.FieldOfView.Get()
	scale, orthographic := v.ViewToWorldScale.Get()
	finite(c, target+".fieldOfView", angle)
	finite(c, target+".viewToWorldScale", scale)
	if perspective && orthographic {
		c.Bad(target+".fieldOfView", "Only one of 'viewToWorldScale' and 'fieldOfView' can be given.")
	}
}

// Location is a geographical location.
type Location struct {
	Description twinplatform.Optional[string] `json:"description,omitzero"` // up to MaxDescription characters
	// Elevation has no set unit.
	Elevation twinplatform.Optional[float64] `json:"elevation,omitzero"`
	// Latitude is -90 to 90 degrees, north positive.
	Latitude twinplatform.Optional[float64] `json:"latitude,omitzero"`
	// Longitude is -180 to 180 degrees, east positive.
	Longitude twinplatform.Optional[float64] `json:"longitude,omitzero"`
}

func (Location) cleared() Location {
	return Location{
		twinplatform.Null[string](), twinplatform.Null[float64](), twinplatform.Null[float64](),
		twinplatform.Null[float64](),
	}
}

func (l *Location) check(c *problem.Checks) {
	c.AtMost("location.description", l.Description.Or(""), MaxDescription)
	finite(c, "location.elevation", l.Elevation.Or(0))
	c.Within("location.latitude", l.Latitude.Or(0), -90, 90)
	c.Within("location.longitude", l.Longitude.Or(0), -180, 180)
}

func (l *Location) merge(sent *Location) {
	merge(&l.Description, sent.Description)
	merge(&l.Elevation, sent.Elevation)
	merge(&l.Latitude, sent.Latitude)
	merge(&l.Longitude, sent.Longitude)
}
