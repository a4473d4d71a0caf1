package realitydata

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// VersionStatus is whether the bytes of a detector version are there.
type VersionStatus string

// The statuses of a detector version.
const (
	AwaitingData VersionStatus = "AwaitingData" // until Complete
	VersionReady VersionStatus = "Ready"
)

var versionStatuses = []VersionStatus{AwaitingData, VersionReady}

// DetectorExport is what a detector can find.
type DetectorExport string

// The exports of a detector.
const (
	ExportObjects   DetectorExport = "Objects"
	ExportLines     DetectorExport = "Lines"
	ExportPolygons  DetectorExport = "Polygons"
	ExportLocations DetectorExport = "Locations"
)

var detectorExports = []DetectorExport{ExportObjects, ExportLines, ExportPolygons, ExportLocations}

// DetectorVersion is one build of a detector.
type DetectorVersion struct {
	Capabilities Capabilities          `json:"capabilities"` // never change
	CreationDate twinplatform.DateTime `json:"creationDate"` // set by the platform
	CreatorID    string                `json:"creatorId"`    // the principal who made it
	// Published versions can be used by all accounts.
	Published bool          `json:"published"`
	Status    VersionStatus `json:"status"` // AwaitingData until it is completed, then Ready
	// VersionNumber is major.minor, such as 1.0.
	VersionNumber string `json:"versionNumber"`
}

// Capabilities are what a detector version can find.
type Capabilities struct {
	Exports []DetectorExport `json:"exports"` // what a run can write
	Labels  []string         `json:"labels"`  // what it finds; up to MaxDetectorLabels of MaxDetectorText characters
}

// NewDetectorVersion asks for a detector version.
type NewDetectorVersion struct {
	// VersionNumber is required: major.minor.
	VersionNumber string       `json:"versionNumber"`
	Capabilities  Capabilities `json:"capabilities"` // none of it is required
}

var versionNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})$`)

func (n *NewDetectorVersion) check(c *problem.Checks) {
	c.Holds(schema.Need("versionNumber", schema.Pattern(versionNumber.String(), "1.0")))
	if !versionNumber.MatchString(n.VersionNumber) {
		c.Add(twinplatform.Detail{
			Code: "InvalidProperty", Target: "versionNumber",
			Message: "A version number is major.minor, such as 1.0.",
		})
	}
	for _, export := range n.Capabilities.Exports {
		if !slices.Contains(detectorExports, export) {
			c.Bad("capabilities.exports", "An export is one of %s.", problem.Alternatives(detectorExports))
		}
	}
	c.Holds(schema.May("capabilities.labels", schema.List(0, MaxDetectorLabels, schema.AtMost(MaxDetectorText))))
	if len(n.Capabilities.Labels) > MaxDetectorLabels {
		c.Bad("capabilities.labels", "There can be at most %d labels.", MaxDetectorLabels)
	}
	for _, label := range n.Capabilities.Labels {
		line(MaxDetectorText)(c, "capabilities.labels", label)
	}
}

// newer orders version numbers from the newest down.
func newer(a, b DetectorVersion) int {
	return slices.Compare(versionParts(b.VersionNumber), versionParts(a.VersionNumber))
}

func versionParts(number string) []int {
	major, minor, _ := strings.Cut(number, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	return []int{a, b}
}

// CreateDetectorVersion makes a version that awaits its bytes, and returns the
// address to write them to. The maker of the detector may, and organization
// administrators.
//
// Errors: InvalidRealityAnalysisRequest with InvalidProperty (versionNumber) or
// InvalidValue (capabilities.exports, capabilities.labels); DetectorNotFound;
// InsufficientPermissions; DetectorVersionExists.
func (s *Service) CreateDetectorVersion(ctx context.Context, name string, n NewDetectorVersion) (v DetectorVersion,
	uploadURL string, err error,
) {
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidDetectorRequest); err != nil {
		return v, "", err
	}
	p, _ := twinplatform.PrincipalFrom(ctx)
	v = DetectorVersion{
		VersionNumber: n.VersionNumber, Status: AwaitingData, CreationDate: s.now(), CreatorID: p.ID,
		Capabilities: Capabilities{
			Exports: append([]DetectorExport{}, n.Capabilities.Exports...),
			Labels:  append([]string{}, n.Capabilities.Labels...),
		},
	}
	var container string
	for again := true; again; again, err = s.removed(ctx, container, err) {
		_, err = s.changeDetector(ctx, name, "", func(u *records.Update, d *Detector) error {
			container = d.container(v.VersionNumber)
			if err := notPending(u, container); err != nil {
				return err
			}
			return d.add(v)
		})
	}
	if err != nil {
		return DetectorVersion{}, "", err
	}
	uploadURL, err = s.versionURL(ctx, container, true)
	return v, uploadURL, err
}

func (d *Detector) add(v DetectorVersion) error {
	if len(d.Versions) >= MaxDetectorVersions {
		return problem.With(InvalidDetectorRequest,
			problem.BadValue("versionNumber", "A detector has at most %d versions.", MaxDetectorVersions))
	}
	if d.version(v.VersionNumber) != nil {
		return problem.Conflict("DetectorVersionExists", "versionNumber", "The detector has this version already.")
	}
	d.Versions = append(slices.Clone(d.Versions), v)
	slices.SortFunc(d.Versions, newer)
	return nil
}

func (d *Detector) version(number string) *DetectorVersion {
	i := slices.IndexFunc(d.Versions, func(v DetectorVersion) bool { return v.VersionNumber == number })
	if i < 0 {
		return nil
	}
	return &d.Versions[i]
}

// CompleteDetectorVersion reports that the bytes of a version are there: it is Ready from
// then on.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) CompleteDetectorVersion(ctx context.Context, name, number string,
	pre ...twinplatform.Precondition,
) error {
	return s.changeVersion(ctx, name, number, pre, func(_ *records.Update, _ *Detector, v *DetectorVersion) error {
		v.Status = VersionReady
		return nil
	})
}

// PublishDetectorVersion lets all accounts use a Ready version.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions;
// DetectorVersionNotReady; DetectorExists while another account has published a
// detector with this name; VersionMismatch.
func (s *Service) PublishDetectorVersion(ctx context.Context, name, number string,
	pre ...twinplatform.Precondition,
) error {
	return s.changeVersion(ctx, name, number, pre, func(u *records.Update, d *Detector, v *DetectorVersion) error {
		if v.Status != VersionReady {
			return problem.Conflict("DetectorVersionNotReady", "versionNumber", "The version still awaits its data.")
		}
		if err := d.publishable(u); err != nil {
			return err
		}
		v.Published = true
		return nil
	})
}

// UnpublishDetectorVersion keeps a version to its account again.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) UnpublishDetectorVersion(ctx context.Context, name, number string,
	pre ...twinplatform.Precondition,
) error {
	return s.changeVersion(ctx, name, number, pre, func(_ *records.Update, _ *Detector, v *DetectorVersion) error {
		v.Published = false
		return nil
	})
}

// DeleteDetectorVersion removes a version with its bytes.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteDetectorVersion(ctx context.Context, name, number string,
	pre ...twinplatform.Precondition,
) error {
	var container string
	_, err := s.changeDetector(ctx, name, twinplatform.ConditionOf(pre...), func(u *records.Update, d *Detector) error {
		if d.version(number) == nil {
			return versionMissing.Err()
		}
		d.Versions = slices.DeleteFunc(slices.Clone(d.Versions),
			func(v DetectorVersion) bool { return v.VersionNumber == number })
		container = d.container(number)
		return s.removeLater(u, container)
	})
	if err == nil {
		s.removeNow(ctx, container)
	}
	return err
}

func (s *Service) changeVersion(ctx context.Context, name, number string, pre []twinplatform.Precondition,
	fn func(*records.Update, *Detector, *DetectorVersion) error,
) error {
	_, err := s.changeDetector(ctx, name, twinplatform.ConditionOf(pre...), func(u *records.Update, d *Detector) error {
		d.Versions = slices.Clone(d.Versions)
		v := d.version(number)
		if v == nil {
			return versionMissing.Err()
		}
		return fn(u, d, v)
	})
	return err
}
