package realitydata

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// NewRealityData asks for reality data. Null and left out are the same in it.
type NewRealityData struct {
	// TwinID, DisplayName and Type are required.
	TwinID      string `json:"twinId"`
	DisplayName string `json:"displayName"`
	// Type is a registered type, or another name of at most 100 characters.
	Type string `json:"type"`
	// Classification is Undefined when empty.
	Classification Classification          `json:"classification"`
	Description    twinplatform.NullString `json:"description"`  // up to MaxDescription characters
	Dataset        twinplatform.NullString `json:"dataset"`      // up to MaxName characters
	Group          twinplatform.NullString `json:"group"`        // up to MaxName characters
	Attribution    twinplatform.NullString `json:"attribution"`  // up to MaxName characters
	TermsOfUse     twinplatform.NullString `json:"termsOfUse"`   // up to MaxDescription characters
	RootDocument   twinplatform.NullString `json:"rootDocument"` // the entry point, with the folders before it; up to MaxName characters
	// Tags are at most 15, of at most 60 characters each.
	Tags        []string     `json:"tags"`
	Acquisition *Acquisition `json:"acquisition"` // nil for not known
	Extent      *Extent      `json:"extent"`      // nil for not known; both corners otherwise
	CRS         *CRS         `json:"crs"`         // nil for not known
	Authoring   bool         `json:"authoring"`   // true while they are being made
	// OwnerID is the caller when empty.
	OwnerID twinplatform.NullString `json:"ownerId"`
}

// data is the record asked for, without what the platform adds.
func (n *NewRealityData) data(c *refuse.Checks) *RealityData {
	d := &RealityData{
		DisplayName: n.DisplayName, Type: n.Type, Classification: n.Classification,
		Description: n.Description, Dataset: n.Dataset, Group: n.Group, Attribution: n.Attribution,
		TermsOfUse: n.TermsOfUse, RootDocument: n.RootDocument, Tags: n.Tags,
		Acquisition: n.Acquisition, Extent: n.Extent, CRS: n.CRS, Authoring: n.Authoring, OwnerID: n.OwnerID,
	}
	if n.TwinID == "" {
		c.Missing("twinId")
	}
	d.check(c)
	return d
}

// check checks what a client may set, and brings it into its stored form.
func (d *RealityData) check(c *refuse.Checks) {
	if strings.TrimSpace(d.DisplayName) == "" {
		c.Missing("displayName")
	}
	plainText(c, "displayName", d.DisplayName, MaxName, false)
	plainText(c, "dataset", string(d.Dataset), MaxName, false)
	plainText(c, "group", string(d.Group), MaxName, false)
	plainText(c, "description", string(d.Description), MaxDescription, true)
	readable(c, "attribution", string(d.Attribution), MaxName, false)
	readable(c, "termsOfUse", string(d.TermsOfUse), MaxDescription, true)
	readable(c, "rootDocument", string(d.RootDocument), MaxName, false)
	readable(c, "ownerId", string(d.OwnerID), MaxName, false)
	d.checkType(c)
	if d.Classification == "" {
		d.Classification = Undefined
	} else if !slices.Contains(classifications, d.Classification) {
		c.Bad("classification", "The value of 'classification' is one of Terrain, Imagery, Pinned, Model, Undefined.")
	}
	d.Tags = checkTags(c, d.Tags)
	if a := d.Acquisition; a != nil {
		readable(c, "acquisition.acquirer", string(a.Acquirer), MaxName, false)
		if !a.EndDateTime.IsZero() && a.EndDateTime.Before(a.StartDateTime.Time) {
			c.Bad("acquisition.endDateTime", "The acquisition ends before it starts.")
		}
	}
	if d.Extent != nil {
		d.Extent.check(c)
	}
	if d.CRS != nil {
		if d.CRS.ID == "" {
			c.Missing("crs.id")
		}
		readable(c, "crs.id", d.CRS.ID, MaxName, false)
		readable(c, "crs.verticalId", string(d.CRS.VerticalID), MaxName, false)
	}
}

func (d *RealityData) checkType(c *refuse.Checks) {
	if strings.TrimSpace(d.Type) == "" {
		c.Missing("type")
	}
	plainText(c, "type", d.Type, MaxType, false)
	for _, reserved := range reservedTypes {
		if d.Type != reserved && strings.EqualFold(d.Type, reserved) {
			c.Bad("type", "The registered type is written '%s'.", reserved)
		}
	}
}

func (e *Extent) check(c *refuse.Checks) {
	for _, corner := range []struct {
		name string
		at   *Coordinate
	}{{"southWest", e.SouthWest}, {"northEast", e.NorthEast}} {
		target, at := "extent."+corner.name, corner.at
		if at == nil {
			c.Missing(target)
			continue
		}
		at.check(c, target)
	}
	if e.SouthWest == nil || e.NorthEast == nil {
		return
	}
	if south, north := e.SouthWest.Latitude, e.NorthEast.Latitude; south != nil && north != nil && *south > *north {
		c.Bad("extent.northEast.latitude", "The north-east corner is south of the south-west one.")
	}
}

func (at *Coordinate) check(c *refuse.Checks, target string) {
	for _, angle := range []struct {
		name  string
		value *float64
		limit float64
	}{{"latitude", at.Latitude, 90}, {"longitude", at.Longitude, 180}} {
		switch v := angle.value; {
		case v == nil:
			c.Missing(target + "." + angle.name)
		case !(*v >= -angle.limit && *v <= angle.limit): // which NaN is not
			c.Bad(target+"."+angle.name, "A %s is %v to %v degrees.", angle.name, -angle.limit, angle.limit)
		}
	}
}

// CreateRealityData makes reality data (R1), associated with a twin. It needs
// PermissionCreate on the twin.
//
// Errors: InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// for each wrong property; InsufficientPermissions, also for a twin that is
// missing.
func (s *Service) CreateRealityData(ctx context.Context, n NewRealityData) (res twinplatform.Result[RealityData], err error) {
	var c refuse.Checks
	d := n.data(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	now := s.now()
	d.CreatedDateTime, d.ModifiedDateTime, d.LastAccessedDateTime = now, now, now
	d.TwinIDs = []string{n.TwinID}
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && d.OwnerID == "" {
		d.OwnerID = twinplatform.NullString(p.ID)
	}
	err = s.emptied(ctx, &d.ID, func() error {
		return s.update(ctx, func(u *records.Update, c sight) error {
			rec, err := s.insert(u, c, d)
			res.Records = []twinplatform.Record[RealityData]{rec}
			return err
		})
	})
	if err != nil {
		return twinplatform.Result[RealityData]{}, err
	}
	return res, nil
}

// insert adds reality data to the twin that they are made for.
func (s *Service) insert(u *records.Update, c sight, d *RealityData) (rec twinplatform.Record[RealityData], err error) {
	twinID := d.TwinIDs[0]
	target, exists, err := c.Twin(twinID)
	if err != nil {
		return rec, err
	}
	allowed, err := c.Allowed(PermissionCreate, target)
	if err != nil {
		return rec, err
	}
	if !exists || !allowed {
		return rec, refuse.Forbidden
	}
	if d.DataCenterLocation, err = c.place(twinID); err != nil {
		return rec, err
	}
	d.AccountID = target.AccountID
	if d.ID == "" {
		d.ID = s.env.NewGUID()
	}
	if is, err := owed(u, d.ID); err != nil || is {
		return rec, cmp.Or(err, errOwed)
	}
	if rec, err = dataRecords.Insert(u, area, d); err != nil {
		return rec, err
	}
	return rec, copyToTwins(u, d, nil)
}

type placeOf string

// place is where the data of a twin are kept.
func (c sight) place(twinID string) (string, error) {
	if c.s.places == nil {
		return c.s.dataCenter, nil
	}
	place, err := judge.Ask(c.Judge, c.s.places, placeOf(twinID), func(ctx context.Context) (string, error) {
		return c.s.places.TwinDataCenter(ctx, twinID)
	})
	return cmp.Or(place, c.s.dataCenter), err
}
