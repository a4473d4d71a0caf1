package realitydata

import (
	"cmp"
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// NewRealityData asks for reality data. Null and left out are the same in it.
type NewRealityData struct {
	// TwinID, DisplayName and Type are required.
	TwinID      string `json:"twinId"`
	DisplayName string `json:"displayName"`
	// Type is a registered type such as LAS, or another name of at most 100 characters.
	Type string `json:"type"`
	// Classification is Undefined when empty.
	Classification Classification          `json:"classification"`
	Description    twinplatform.NullString `json:"description"` // up to MaxDescription characters
	Dataset        twinplatform.NullString `json:"dataset"`     // up to MaxName characters
	Group          twinplatform.NullString `json:"group"`       // up to MaxName characters
	Attribution    twinplatform.NullString `json:"attribution"` // up to MaxName characters
	TermsOfUse     twinplatform.NullString `json:"termsOfUse"`  // up to MaxDescription characters
	// the entry point, with the folders before it; up to MaxName characters
	RootDocument twinplatform.NullString `json:"rootDocument"`
	// Tags are at most 15, of at most 60 characters each.
	Tags        []string     `json:"tags"`
	Acquisition *Acquisition `json:"acquisition"` // nil for not known
	Extent      *Extent      `json:"extent"`      // nil for not known; both corners otherwise
	CRS         *CRS         `json:"crs"`         // nil for not known
	Authoring   bool         `json:"authoring"`   // true while they are being made
	// OwnerID is the caller when empty.
	OwnerID twinplatform.NullString `json:"ownerId"`

	// ModifiedDateTime and LastAccessedDateTime are noted of data that the system makes, such
	// as those that come from elsewhere. Left out they are that of the creation; null says
	// that they are not known.
	ModifiedDateTime     twinplatform.Optional[twinplatform.DateTime] `json:"-"`
	LastAccessedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"-"`
}

// CreateRealityData makes reality data (R1), associated with a twin. It needs
// PermissionCreate on the twin.
//
// Errors: InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// for each wrong property; InsufficientPermissions, also for a twin that is
// missing.
func (s *Service) CreateRealityData(ctx context.Context, n NewRealityData) (res twinplatform.Result[RealityData],
	err error,
) {
	var c problem.Checks
	n.check(&c)
	dataKind.CheckNew(&n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	d := dataKind.New(&n)
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && d.OwnerID == "" {
		d.OwnerID = twinplatform.NullString(p.ID)
	}
	return write(ctx, s, func(u *records.Update, c caller) (twinplatform.Record[RealityData], error) {
		return c.insert(u, d, &n)
	})
}

// check checks what is no member of the data.
func (n *NewRealityData) check(c *problem.Checks) { c.GivenText("twinId", n.TwinID) }

// insert adds reality data to the twin that they are made for.
func (c caller) insert(u *records.Update, d *RealityData, n *NewRealityData) (rec twinplatform.Record[RealityData],
	err error,
) {
	target, err := c.creatable(n.TwinID)
	if err != nil {
		return rec, err
	}
	if d.DataCenterLocation, err = c.place(n.TwinID); err != nil {
		return rec, err
	}
	d.AccountID, d.TwinIDs = target.AccountID, []string{n.TwinID}
	d.CreatedDateTime = c.s.now()
	d.ModifiedDateTime, d.LastAccessedDateTime = d.CreatedDateTime, d.CreatedDateTime
	if _, named := c.Caller(); !named {
		n.ModifiedDateTime.Apply(&d.ModifiedDateTime)
		n.LastAccessedDateTime.Apply(&d.LastAccessedDateTime)
	}
	d.ID = cmp.Or(d.ID, c.s.env.NewGUID())
	dataRecords.MadeUp(u, inAccount(d.AccountID), d.ID)
	if rec, err = dataRecords.Insert(u, inAccount(d.AccountID), d); err != nil {
		return rec, err
	}
	return rec, c.copyToTwins(u, d, nil)
}

type placeOf string

// place is where the data of a twin are kept.
func (c caller) place(twinID string) (string, error) {
	if c.s.places == nil {
		return c.s.dataCenter, nil
	}
	place, err := judge.Ask(c.Judge, c.s.places, placeOf(twinID), func(ctx context.Context) (string, error) {
		return c.s.places.TwinDataCenter(ctx, twinID)
	})
	return cmp.Or(place, c.s.dataCenter), err
}
