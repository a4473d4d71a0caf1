package realitydata

import (
	"slices"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// DetectorType is what a detector looks at.
type DetectorType string

// The detector types.
const (
	PhotoObjectDetector            DetectorType = "PhotoObjectDetector"
	PhotoSegmentationDetector      DetectorType = "PhotoSegmentationDetector"
	OrthophotoSegmentationDetector DetectorType = "OrthophotoSegmentationDetector"
	PointCloudSegmentationDetector DetectorType = "PointCloudSegmentationDetector"
)

// Limits of detectors.
const (
	MaxDetectorText     = 255 // characters of name, displayName and a label
	MaxDetectorVersions = 100
	MaxDetectorLabels   = 1_000 // of one version
)

var detectorTypes = []DetectorType{
	PhotoObjectDetector, PhotoSegmentationDetector, OrthophotoSegmentationDetector, PointCloudSegmentationDetector,
}

// Detector is a detector of the AI library. It belongs to the account of its
// maker and is visible there; once a version is published, it is visible to
// all.
type Detector struct {
	// up to MaxDescription characters; null when there is none
	Description twinplatform.NullString `json:"description"`
	// up to MaxDetectorText characters; null when there is none
	DisplayName twinplatform.NullString `json:"displayName"`
	// up to MaxDescription characters; null when there is none
	DocumentationURL twinplatform.NullString `json:"documentationUrl"`
	// LatestVersion is the newest Ready version; empty when there is none.
	LatestVersion string       `json:"latestVersion,omitempty"`
	Name          string       `json:"name"` // unique within the account; never changes
	Type          DetectorType `json:"type"` // never changes

	// Versions lists the versions of the detector, newest first. They are on the wire of
	// a single detector and not on that of a list.
	Versions []DetectorVersion `json:"-"`
	// OwnerID and AccountID identify the maker. They are not on the wire.
	OwnerID   string `json:"-"`
	AccountID string `json:"-"`
}

type hiddenDetector struct {
	Versions  *[]DetectorVersion `json:"versions"`
	OwnerID   *string            `json:"ownerId"`
	AccountID *string            `json:"accountId"`
}

var detectorRecords = records.Collection[Detector]{
	Name: "detectors", Untracked: true,
	ID: (*Detector).key,
	Hidden: func(d *Detector) any {
		return &hiddenDetector{&d.Versions, &d.OwnerID, &d.AccountID}
	},
	Indexes: []records.Index[Detector]{
		{Name: "name", Value: func(d *Detector) string { return d.Name }},
		{Name: "published", Value: func(d *Detector) string {
			if !d.published() {
				return ""
			}
			return d.Name
		}},
	},
}

var detectorKind = entity.Kind[Detector, NewDetector, DetectorPatch]{
	Records: &detectorRecords, One: "detector", Many: "detectors", Resource: "detector",
	Missing: problem.NotFound("DetectorNotFound", "detectorName", "detector"), Bad: &InvalidDetectorRequest,
	Members: func(d *Detector, n *NewDetector, p *DetectorPatch) []entity.Member {
		return []entity.Member{
			entity.Text("detector.name", &d.Name, &n.Name, nil).Valid(checkDetectorName).Required(),
			entity.Enum("detector.type", &d.Type, &n.Type, nil, detectorTypes).Required(),
			entity.Text("detector.displayName", &d.DisplayName, &n.DisplayName,
				&p.DisplayName).Valid(plainLine(MaxDetectorText)),
			entity.Text("detector.description", &d.Description, &n.Description,
				&p.Description).Valid(lines(MaxDescription)),
			entity.Text("detector.documentationUrl", &d.DocumentationURL, &n.DocumentationURL,
				&p.DocumentationURL).Valid(line(MaxDescription)),
		}
	},
}

func checkDetectorName(c *problem.Checks, target, name string) {
	c.Holds(schema.May(target, schema.AtMost(MaxDetectorText)))
	switch {
	case name == ".", name == "..", name == "/":
		c.Bad(target, "The name '%s' cannot be part of an address.", name)
	case !problem.Printable(name) || utf8.RuneCountInString(name) > MaxDetectorText:
		c.Bad(target, "A name has 1 to %d printable characters.", MaxDetectorText)
	}
}

func (d *Detector) published() bool {
	return slices.ContainsFunc(d.Versions, func(v DetectorVersion) bool { return v.Published })
}

// latest is the newest version that is Ready.
func (d *Detector) latest() string {
	for _, v := range d.Versions {
		if v.Status == VersionReady {
			return v.VersionNumber
		}
	}
	return ""
}
