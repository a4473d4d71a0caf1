package realitydata

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// VersionStatus says whether the bytes of a detector version are there.
type VersionStatus string

// The statuses of a detector version.
const (
	AwaitingData VersionStatus = "AwaitingData" // until Complete
	VersionReady VersionStatus = "Ready"
)

// DetectorExport says what a detector can find.
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

func (n *NewDetectorVersion) check() error {
	var c refuse.Checks
	if !versionNumber.MatchString(n.VersionNumber) {
		c.Add(twinplatform.Detail{Code: "InvalidProperty", Target: "versionNumber", Message: "A version number is major.minor, such as 1.0."})
	}
	for _, export := range n.Capabilities.Exports {
		if !slices.Contains(detectorExports, export) {
			c.Bad("capabilities.exports", "An export is one of Objects, Lines, Polygons, Locations.")
		}
	}
	if len(n.Capabilities.Labels) > MaxDetectorLabels {
		c.Bad("capabilities.labels", "There can be at most %d labels.", MaxDetectorLabels)
	}
	for _, label := range n.Capabilities.Labels {
		readable(&c, "capabilities.labels", label, MaxDetectorText, false)
	}
	return c.Err(InvalidDetectorRequest)
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
func (s *Service) CreateDetectorVersion(ctx context.Context, name string, n NewDetectorVersion) (v DetectorVersion, uploadURL string, err error) {
	if err := n.check(); err != nil {
		return v, "", err
	}
	p, _ := twinplatform.PrincipalFrom(ctx)
	v = DetectorVersion{
		VersionNumber: n.VersionNumber, Status: AwaitingData, CreationDate: s.now(), CreatorID: p.ID,
		Capabilities: Capabilities{Exports: n.Capabilities.Exports, Labels: n.Capabilities.Labels},
	}
	if v.Capabilities.Exports == nil {
		v.Capabilities.Exports = []DetectorExport{}
	}
	if v.Capabilities.Labels == nil {
		v.Capabilities.Labels = []string{}
	}
	res, err := s.addVersion(ctx, name, v)
	if err != nil {
		return DetectorVersion{}, "", err
	}
	d := res.Value()
	uploadURL, err = s.containers.ContainerURL(ctx, d.build(n.VersionNumber), true)
	if errors.Is(err, errNowhere) {
		uploadURL, err = "", nil // a platform without bytes still keeps the books
	}
	return v, uploadURL, err
}

// addVersion adds a version, whose container is empty.
func (s *Service) addVersion(ctx context.Context, name string, v DetectorVersion) (res twinplatform.Result[Detector], err error) {
	var container string
	for attempt := 0; ; attempt++ {
		res, err = s.changeDetector(ctx, name, "", func(u *records.Update, d *Detector) error {
			container = d.build(v.VersionNumber)
			if is, err := owed(u, container); err != nil || is {
				return cmp.Or(err, errOwed)
			}
			return d.add(v)
		})
		if !errors.Is(err, errOwed) || attempt > 0 {
			return res, err
		}
		if err := s.remove(ctx, container); err != nil {
			return res, err
		}
	}
}

func (d *Detector) add(v DetectorVersion) error {
	if len(d.Versions) >= MaxDetectorVersions {
		return refuse.With(InvalidDetectorRequest, refuse.BadValue("versionNumber", "A detector has at most %d versions.", MaxDetectorVersions))
	}
	if d.version(v.VersionNumber) != nil {
		return &twinplatform.Error{
			Kind: twinplatform.Conflict, Code: "DetectorVersionExists", Target: "versionNumber",
			Message: "The detector has this version already.",
		}
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

// buildPrefix begins the ids of the containers of detector versions.
const buildPrefix = "detector-"

// build is the container of a version.
func (d *Detector) build(number string) string {
	return buildPrefix + base64.RawURLEncoding.EncodeToString([]byte(d.key())) + "-" + number
}

// detectorOf returns the detector that a container belongs to, or nil, and the
// number of its version.
func detectorOf(tx records.Reading, containerID string) (d *Detector, number string, err error) {
	rest := strings.TrimPrefix(containerID, buildPrefix)
	i := strings.LastIndexByte(rest, '-')
	key, err := base64.RawURLEncoding.DecodeString(rest[:max(i, 0)])
	if err != nil || len(key) == 0 {
		return nil, "", nil
	}
	d, err = detectorRecords.Value(tx, area, string(key))
	if errors.Is(err, records.ErrNotFound) {
		return nil, "", nil
	}
	return d, rest[i+1:], err
}

// buildRight is ContainerRight for the container of a detector version. It is
// written until the version is Ready, and read from then on.
func (s *Service) buildRight(ctx context.Context, containerID string, write bool) (accountID string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		d, number, err := detectorOf(v, containerID)
		if err != nil {
			return err
		}
		if d == nil || !seesDetector(ctx, d) || d.version(number) == nil {
			return errNoDetectorBuild.Err()
		}
		accountID = d.AccountID
		version, changes := d.version(number), s.mayChange(ctx, d) == nil
		switch {
		case !changes && !d.member(ctx) && !version.Published:
			return errNoDetectorBuild.Err()
		case write && !changes:
			return refuse.Forbidden
		case write && version.Status == VersionReady:
			return errVersionReady
		case !changes && version.Status != VersionReady:
			return errNoDetectorBuild.Err()
		}
		return nil
	})
	return accountID, err
}

// errVersionReady refuses to write the bytes of a version that is Ready.
var errVersionReady = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "DetectorVersionReady", Target: "versionNumber",
	Message: "The version is complete. Its data cannot be written any more.",
}

// DownloadURL returns an address at which the bytes of a Ready version can be
// read; it is empty where the platform keeps none.
//
// Errors: DetectorNotFound; DetectorVersionNotFound, also for a version that is
// not Ready.
func (s *Service) DownloadURL(ctx context.Context, name, number string) (string, error) {
	rec, err := s.Detector(ctx, name)
	if err != nil {
		return "", err
	}
	if v := rec.Value.version(number); v == nil || v.Status != VersionReady {
		return "", errNoDetectorBuild.Err()
	}
	u, err := s.containers.ContainerURL(ctx, rec.Value.build(number), false)
	if errors.Is(err, errNowhere) {
		return "", nil
	}
	return u, err
}

// CompleteDetectorVersion says that the bytes of a version are there: it is
// Ready from then on.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions.
func (s *Service) CompleteDetectorVersion(ctx context.Context, name, number string) error {
	return s.changeVersion(ctx, name, number, func(_ *records.Update, _ *Detector, v *DetectorVersion) error {
		v.Status = VersionReady
		return nil
	})
}

// PublishDetectorVersion lets all accounts use a Ready version.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions;
// DetectorVersionNotReady; DetectorExists while another account has published a
// detector with this name.
func (s *Service) PublishDetectorVersion(ctx context.Context, name, number string) error {
	return s.changeVersion(ctx, name, number, func(u *records.Update, d *Detector, v *DetectorVersion) error {
		if v.Status != VersionReady {
			return &twinplatform.Error{
				Kind: twinplatform.Conflict, Code: "DetectorVersionNotReady", Target: "versionNumber",
				Message: "The version still awaits its data.",
			}
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
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions.
func (s *Service) UnpublishDetectorVersion(ctx context.Context, name, number string) error {
	return s.changeVersion(ctx, name, number, func(_ *records.Update, _ *Detector, v *DetectorVersion) error {
		v.Published = false
		return nil
	})
}

// DeleteDetectorVersion removes a version with its bytes.
//
// Errors: DetectorNotFound; DetectorVersionNotFound; InsufficientPermissions.
func (s *Service) DeleteDetectorVersion(ctx context.Context, name, number string) error {
	var container string
	_, err := s.changeDetector(ctx, name, "", func(u *records.Update, d *Detector) error {
		if d.version(number) == nil {
			return errNoDetectorBuild.Err()
		}
		d.Versions = slices.DeleteFunc(slices.Clone(d.Versions), func(v DetectorVersion) bool { return v.VersionNumber == number })
		container = d.build(number)
		return s.owe(u, container)
	})
	if err == nil {
		s.settle(ctx, container)
	}
	return err
}

func (s *Service) changeVersion(ctx context.Context, name, number string, fn func(*records.Update, *Detector, *DetectorVersion) error) error {
	_, err := s.changeDetector(ctx, name, "", func(u *records.Update, d *Detector) error {
		d.Versions = slices.Clone(d.Versions)
		v := d.version(number)
		if v == nil {
			return errNoDetectorBuild.Err()
		}
		return fn(u, d, v)
	})
	return err
}
