package realitydata

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Acquisition is who took reality data and when.
type Acquisition struct {
	Acquirer      twinplatform.NullString `json:"acquirer,omitzero"`      // up to MaxName characters
	EndDateTime   twinplatform.DateTime   `json:"endDateTime,omitzero"`   // not before StartDateTime
	StartDateTime twinplatform.DateTime   `json:"startDateTime,omitzero"` // in UTC
}

// Extent is the region that reality data show.
type Extent struct {
	NorthEast *Coordinate `json:"northEast"` // a corner; both are required
	SouthWest *Coordinate `json:"southWest"` // a corner; both are required
}

// Coordinate is a place in degrees. Both are required.
type Coordinate struct {
	Latitude  *float64 `json:"latitude"`  // -90 to 90
	Longitude *float64 `json:"longitude"` // -180 to 180
}

// CRS is a coordinate reference system.
type CRS struct {
	ID         string                  `json:"id"`                  // required, such as EPSG:4326
	VerticalID twinplatform.NullString `json:"verticalId,omitzero"` // that of heights, if it is another
}

func checkAcquisition(c *problem.Checks, name string, a *Acquisition) {
	line(MaxName)(c, name+".acquirer", string(a.Acquirer))
	if !a.EndDateTime.IsZero() && a.EndDateTime.Before(a.StartDateTime.Time) {
		c.Bad(name+".endDateTime", "The acquisition ends before it starts.")
	}
}

func checkCRS(c *problem.Checks, name string, crs *CRS) {
	c.GivenText(name+".id", crs.ID)
	line(MaxName)(c, name+".id", crs.ID)
	line(MaxName)(c, name+".verticalId", string(crs.VerticalID))
}

func checkExtent(c *problem.Checks, name string, e *Extent) {
	checkCorner(c, name+".southWest", e.SouthWest)
	checkCorner(c, name+".northEast", e.NorthEast)
	if e.SouthWest == nil || e.NorthEast == nil {
		return
	}
	if south, north := e.SouthWest.Latitude, e.NorthEast.Latitude; south != nil && north != nil && *south > *north {
		c.Bad(name+".northEast.latitude", "The north-east corner is south of the south-west one.")
	}
}

func checkCorner(c *problem.Checks, name string, at *Coordinate) {
	if c.Given(name, at != nil) {
		checkAngle(c, name, "latitude", at.Latitude, 90)
		checkAngle(c, name, "longitude", at.Longitude, 180)
	}
}

func checkAngle(c *problem.Checks, corner, name string, degrees *float64, limit float64) {
	c.Holds(schema.Need(corner+"."+name, schema.Range(-limit, limit)))
	if degrees == nil {
		c.Missing(corner + "." + name)
	} else if !(*degrees >= -limit && *degrees <= limit) { // which NaN is not
		c.Bad(corner+"."+name, "A %s is %v to %v degrees.", name, -limit, limit)
	}
}
