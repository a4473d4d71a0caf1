package realitydata

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Classification is what kind of object reality data shows.
type Classification string

// The classifications.
const (
	Terrain   Classification = "Terrain"
	Imagery   Classification = "Imagery"
	Pinned    Classification = "Pinned"
	Modelled  Classification = "Model"
	Undefined Classification = "Undefined"
)

var classifications = []Classification{Terrain, Imagery, Pinned, Modelled, Undefined}

// RealityData is a record of reality data. What was never given, or was cleared, is
// left out of its wire form: the specification has no null in it.
type RealityData struct {
	// Acquisition is who took the data and when; nil when not given.
	Acquisition *Acquisition            `json:"acquisition,omitzero"`
	Attribution twinplatform.NullString `json:"attribution,omitzero"` // up to MaxName characters
	// Authoring is true while the data are being made, and false once they are
	// uploaded completely.
	Authoring       bool                  `json:"authoring"`
	Classification  Classification        `json:"classification"`  // Undefined until it is set
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // set by the platform, in UTC
	// CRS is the coordinate reference system; nil when not given.
	CRS *CRS `json:"crs,omitzero"`
	// that of the twin they were made in; never changes
	DataCenterLocation string `json:"dataCenterLocation"`
	// a loose grouping; up to MaxName characters
	Dataset twinplatform.NullString `json:"dataset,omitzero"`
	// up to MaxDescription characters; no addresses, no code
	Description twinplatform.NullString `json:"description,omitzero"`
	DisplayName string                  `json:"displayName"` // 1 to MaxName characters; no addresses, no code
	// Extent is the region that the data show; nil when not given.
	Extent *Extent `json:"extent,omitzero"`
	// a second grouping; up to MaxName characters
	Group twinplatform.NullString `json:"group,omitzero"`
	ID    string                  `json:"id"` // a GUID, chosen by the platform
	// when access to the bytes was last given, in UTC
	LastAccessedDateTime twinplatform.DateTime `json:"lastAccessedDateTime"`
	ModifiedDateTime     twinplatform.DateTime `json:"modifiedDateTime"` // when the record last changed, in UTC
	// who may read and write the bytes; the maker at first
	OwnerID twinplatform.NullString `json:"ownerId,omitzero"`
	// RootDocument is the entry point of the data, with the folders before it.
	RootDocument twinplatform.NullString `json:"rootDocument,omitzero"`
	// Size is in kilobytes of 1,024 bytes, rounded up.
	Size int64 `json:"size"`
	// Tags are in lower case.
	Tags       []string                `json:"tags"`
	TermsOfUse twinplatform.NullString `json:"termsOfUse,omitzero"` // up to MaxDescription characters
	Type       string                  `json:"type"`                // the format, such as LAS; up to MaxType characters

	// TwinIDs are the twins that the data are associated with, the first one
	// they were made for. They are not on the wire.
	TwinIDs []string `json:"-"`
	// AccountID is the account that the data belong to. It is not on the wire.
	AccountID string `json:"-"`

	// copyOf is the twin that this is the copy of the record for.
	copyOf string
	// complete is true once authoring went from true to false, until it is true again.
	// Data that were made without it are neither.
	complete bool
}

// Every record is kept once by its id, and once for each twin that it is
// associated with, so that the list of a twin is a range of keys that holds the
// very bytes of its answer.
var (
	dataRecords = records.Collection[RealityData]{
		Name: "data", Untracked: true, ID: func(d *RealityData) string { return d.ID },
		Hidden: func(d *RealityData) any { return hiddenOf(d) },
		Indexes: []records.Index[RealityData]{{
			Name:  "owner",
			Value: func(d *RealityData) string { return string(d.OwnerID) },
		}},
	}
	twinRecords = records.Collection[RealityData]{
		Name: "by-twin", Untracked: true, ID: func(d *RealityData) string { return records.Join(d.copyOf, d.ID) },
		Hidden: func(d *RealityData) any { return hiddenOf(d) },
	}
)

var dataKind = entity.Kind[RealityData, NewRealityData, RealityDataPatch]{
	Records: &dataRecords, One: "realityData", Many: "realityData", Resource: "reality data",
	Missing: problem.NotFound("RealityDataNotFound", "realityDataId", "reality data"), Bad: &InvalidRequest,
	Members: func(d *RealityData, n *NewRealityData, p *RealityDataPatch) []entity.Member {
		return []entity.Member{
			entity.Text("displayName", &d.DisplayName, &n.DisplayName,
				&p.DisplayName).Valid(plainLine(MaxName)).Required(),
			entity.Text("dataset", &d.Dataset, &n.Dataset, &p.Dataset).Valid(plainLine(MaxName)),
			entity.Text("group", &d.Group, &n.Group, &p.Group).Valid(plainLine(MaxName)),
			entity.Text("description", &d.Description, &n.Description,
				&p.Description).Valid(plainLines(MaxDescription)),
			entity.Text("attribution", &d.Attribution, &n.Attribution, &p.Attribution).Valid(line(MaxName)),
			entity.Text("termsOfUse", &d.TermsOfUse, &n.TermsOfUse, &p.TermsOfUse).Valid(lines(MaxDescription)),
			entity.Text("rootDocument", &d.RootDocument, &n.RootDocument, &p.RootDocument).Valid(line(MaxName)),
			entity.Text("ownerId", &d.OwnerID, &n.OwnerID, &p.OwnerID).Valid(line(MaxName)).
				NotRef(notPeople).Person(),
			entity.Text("type", &d.Type, &n.Type, &p.Type).Valid(plainLine(MaxType)).Valid(checkType).Required(),
			entity.Enum("classification", &d.Classification, &n.Classification, &p.Classification, classifications).
				Blank(func(c Classification) bool { return c == "" }).Default(Undefined),
			entity.Value("tags", &d.Tags, &n.Tags, &p.Tags).Valid(checkTags),
			entity.Part("acquisition", &d.Acquisition, &n.Acquisition, &p.Acquisition, checkAcquisition),
			entity.Part("extent", &d.Extent, &n.Extent, &p.Extent, checkExtent),
			entity.Part("crs", &d.CRS, &n.CRS, &p.CRS, checkCRS),
			entity.Value("authoring", &d.Authoring, &n.Authoring, &p.Authoring),
		}
	},
	AfterCreate: func(d *RealityData, _ *NewRealityData, _ *problem.Checks) { d.Tags = lower(d.Tags) },
	AfterUpdate: func(d, stored *RealityData, p *RealityDataPatch, _ *problem.Checks) {
		d.Tags = lower(d.Tags)
		if authoring, ok := p.Authoring.Get(); ok {
			d.complete = !authoring && (stored.complete || stored.Authoring)
		}
	},
}

// checkType checks that a type is none of the reserved ones in other letters.
func checkType(c *problem.Checks, name, typ string) {
	for _, reserved := range reservedTypes {
		if typ != reserved && strings.EqualFold(typ, reserved) {
			c.Bad(name, "The registered type is written '%s'.", reserved)
		}
	}
}

// copyToTwins brings the copies of a record into line with it: those for the
// twins that it has, and those for the twins that it had before.
func (c caller) copyToTwins(u *records.Update, d *RealityData, before []string) error {
	expectCopies(u, d, before, d.TwinIDs)
	for _, twinID := range before {
		if slices.Contains(d.TwinIDs, twinID) {
			continue
		}
		in, err := c.ofTwin(d.AccountID, twinID)
		if err != nil {
			return err
		}
		if err := twinRecords.Erase(u, in, records.Join(twinID, d.ID)); err != nil {
			return err
		}
	}
	for _, twinID := range d.TwinIDs {
		in, err := c.ofTwin(d.AccountID, twinID)
		if err != nil {
			return err
		}
		forTwin := *d
		forTwin.copyOf = twinID
		if _, err := twinRecords.Put(u, in, &forTwin); err != nil {
			return err
		}
	}
	return nil
}
