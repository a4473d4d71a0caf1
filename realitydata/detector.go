package realitydata

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// DetectorType says what a detector looks at.
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
	Description      twinplatform.NullString `json:"description"`      // up to MaxDescription characters; null when there is none
	DisplayName      twinplatform.NullString `json:"displayName"`      // up to MaxDetectorText characters; null when there is none
	DocumentationURL twinplatform.NullString `json:"documentationUrl"` // up to MaxDescription characters; null when there is none
	// LatestVersion is the newest Ready version; empty when there is none.
	LatestVersion string       `json:"latestVersion,omitempty"`
	Name          string       `json:"name"` // unique within the account; never changes
	Type          DetectorType `json:"type"` // never changes

	// Versions are those of the detector, newest first. They are on the wire of
	// a single detector and not on that of a list.
	Versions []DetectorVersion `json:"-"`
	// OwnerID and AccountID tell the maker. They are not on the wire.
	OwnerID   string `json:"-"`
	AccountID string `json:"-"`
	// OfAccount says that the name is unique within the detector's account, as it
	// is for all but the oldest ones. It is not on the wire.
	OfAccount bool `json:"-"`
}

type hiddenDetector Detector

type hiddenDetectorFields struct {
	Versions  []DetectorVersion `json:"versions"`
	OwnerID   string            `json:"ownerId"`
	AccountID string            `json:"accountId"`
	OfAccount bool              `json:"ofAccount,omitempty"`
}

func (h *hiddenDetector) MarshalJSON() ([]byte, error) {
	return json.Marshal(hiddenDetectorFields{h.Versions, h.OwnerID, h.AccountID, h.OfAccount})
}

func (h *hiddenDetector) UnmarshalJSON(b []byte) error {
	var f hiddenDetectorFields
	err := json.Unmarshal(b, &f)
	h.Versions, h.OwnerID, h.AccountID, h.OfAccount = f.Versions, f.OwnerID, f.AccountID, f.OfAccount
	return err
}

func (d *Detector) published() bool {
	return slices.ContainsFunc(d.Versions, func(v DetectorVersion) bool { return v.Published })
}

// NewDetector asks for a detector. Null and left out are the same in it.
type NewDetector struct {
	// Name is required: 1 to 255 printable characters, such as @owner/name.
	Name string `json:"name"`
	// Type is required.
	Type             DetectorType            `json:"type"`
	DisplayName      twinplatform.NullString `json:"displayName"`      // up to MaxDetectorText characters
	Description      twinplatform.NullString `json:"description"`      // up to MaxDescription characters
	DocumentationURL twinplatform.NullString `json:"documentationUrl"` // up to MaxDescription characters
}

// CreateDetector makes a detector (POST /reality-analysis/detectors). Every
// caller may make one in the own account.
//
// Errors: InvalidRealityAnalysisRequest with MissingRequiredProperty or
// InvalidValue (detector.name, detector.type, detector.displayName,
// detector.description, detector.documentationUrl); DetectorExists.
func (s *Service) CreateDetector(ctx context.Context, n NewDetector) (res twinplatform.Result[Detector], err error) {
	d := Detector{
		Name: n.Name, Type: n.Type, DisplayName: n.DisplayName, Description: n.Description,
		DocumentationURL: n.DocumentationURL, Versions: []DetectorVersion{},
	}
	var c refuse.Checks
	unfit := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(n.Name) == "":
		c.Missing("detector.name")
	case n.Name == ".", n.Name == "..", n.Name == "/":
		c.Bad("detector.name", "The name '%s' cannot be part of an address.", n.Name)
	case strings.ContainsFunc(n.Name, unfit) || utf8.RuneCountInString(n.Name) > MaxDetectorText:
		c.Bad("detector.name", "A name has 1 to %d printable characters.", MaxDetectorText)
	}
	if n.Type == "" {
		c.Missing("detector.type")
	} else if !slices.Contains(detectorTypes, n.Type) {
		c.Bad("detector.type", "The value of 'type' is one of PhotoObjectDetector, PhotoSegmentationDetector, OrthophotoSegmentationDetector, PointCloudSegmentationDetector.")
	}
	d.check(&c)
	if err := c.Err(InvalidDetectorRequest); err != nil {
		return res, err
	}
	p, _ := twinplatform.PrincipalFrom(ctx)
	d.OwnerID, d.AccountID, d.OfAccount = p.ID, p.AccountID, true
	err = s.db.Update(ctx, func(u *records.Update) error {
		if err := nameIsFree(u, &d); err != nil {
			return err
		}
		rec, err := detectorRecords.Insert(u, area, &d)
		res.Records = []twinplatform.Record[Detector]{rec}
		return err
	})
	if err != nil {
		return twinplatform.Result[Detector]{}, err
	}
	return res, nil
}

// check checks what a patch may change.
func (d *Detector) check(c *refuse.Checks) {
	plainText(c, "detector.displayName", string(d.DisplayName), MaxDetectorText, false)
	readable(c, "detector.description", string(d.Description), MaxDescription, true)
	readable(c, "detector.documentationUrl", string(d.DocumentationURL), MaxDescription, false)
}

// Detector returns a detector with its versions: that of the caller's account with
// this name, else the published one. Errors: DetectorNotFound, also for a detector
// of another account that has no published version; AmbiguousId for the system
// where several accounts have the name.
func (s *Service) Detector(ctx context.Context, name string) (rec twinplatform.Record[Detector], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		d, err := detectorFor(ctx, v, name)
		if err != nil {
			return err
		}
		rec, err = detectorRecords.Get(v, area, d.key())
		return err
	})
	if err != nil {
		return twinplatform.Record[Detector]{}, err
	}
	if rec.Value.member(ctx) {
		return rec, nil
	}
	rec.Value = rec.Value.abroad()
	rec.JSON, err = wire.Marshal(rec.Value)
	return rec, err
}

// member reports whether the caller is the system or of the detector's account.
func (d *Detector) member(ctx context.Context) bool {
	p, ok := twinplatform.PrincipalFrom(ctx)
	return !ok || p.AccountID == d.AccountID && d.AccountID != ""
}

func seesDetector(ctx context.Context, d *Detector) bool { return d.member(ctx) || d.published() }

// abroad is the detector as other accounts see it: with its published versions.
func (d *Detector) abroad() Detector {
	out := *d
	out.Versions = slices.DeleteFunc(slices.Clone(d.Versions), func(v DetectorVersion) bool { return !v.Published })
	out.LatestVersion = out.latest()
	return out
}

// DetectorQuery says which detectors to list.
type DetectorQuery struct {
	twinplatform.ListOptions
	// Filter is empty, or "type eq 'T'" or "name eq 'N'".
	Filter string
}

// Detectors lists the detectors that the caller may see by name, without their
// versions.
//
// Errors: InvalidRealityAnalysisRequest with InvalidValue (filter, top,
// continuation).
func (s *Service) Detectors(ctx context.Context, q DetectorQuery) (page twinplatform.Page[Detector], err error) {
	var c refuse.Checks
	matches := q.matches(&c)
	if err := c.Err(InvalidDetectorRequest); err != nil {
		return page, err
	}
	p, _ := twinplatform.PrincipalFrom(ctx)
	query := records.Query[Detector]{
		ListOptions: q.ListOptions, Op: "detectors", MaxTop: MaxTop, View: p.AccountID, Filter: "visible " + q.Filter,
		Match: func(d *Detector) bool { return seesDetector(ctx, d) && matches(d) },
	}
	err = s.db.View(ctx, func(v *records.View) error {
		page, err = detectorRecords.List(v, area, query)
		return paging.Listed(err, InvalidDetectorRequest)
	})
	if err != nil {
		return page, err
	}
	return seenBy(ctx, page)
}

// seenBy is a page with the detectors as the caller sees them.
func seenBy(ctx context.Context, page twinplatform.Page[Detector]) (twinplatform.Page[Detector], error) {
	return page.Map(func(rec twinplatform.Record[Detector]) (_ twinplatform.Record[Detector], err error) {
		if !rec.Value.member(ctx) {
			rec.Value = rec.Value.abroad()
			rec.JSON, err = wire.Marshal(rec.Value)
		}
		return rec, err
	})
}

func (q DetectorQuery) matches(c *refuse.Checks) func(*Detector) bool {
	if q.Filter == "" {
		return func(*Detector) bool { return true }
	}
	words := strings.SplitN(strings.TrimSpace(q.Filter), " ", 3)
	if len(words) == 3 && words[1] == "eq" && len(words[2]) > 1 && words[2][0] == '\'' && strings.HasSuffix(words[2], "'") {
		value := strings.ReplaceAll(words[2][1:len(words[2])-1], "''", "'")
		switch words[0] {
		case "type":
			return func(d *Detector) bool { return string(d.Type) == value }
		case "name":
			return func(d *Detector) bool { return d.Name == value }
		}
	}
	c.Bad(twinplatform.TargetFilter, "The filter is \"type eq '…'\" or \"name eq '…'\".")
	return nil
}

// DetectorPatch changes a detector: what is left out stays, null clears.
type DetectorPatch struct {
	DisplayName      twinplatform.Optional[string] `json:"displayName,omitzero"`      // null clears it
	Description      twinplatform.Optional[string] `json:"description,omitzero"`      // null clears it
	DocumentationURL twinplatform.Optional[string] `json:"documentationUrl,omitzero"` // null clears it
}

// UpdateDetector changes a detector. Its maker may, and organization
// administrators.
//
// Errors: InvalidRealityAnalysisRequest with InvalidValue; DetectorNotFound;
// InsufficientPermissions; VersionMismatch.
func (s *Service) UpdateDetector(ctx context.Context, name string, p DetectorPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Detector], error) {
	return s.changeDetector(ctx, name, twinplatform.IfMatchHeader(pre...), func(_ *records.Update, d *Detector) error {
		p.DisplayName.Apply((*string)(&d.DisplayName))
		p.Description.Apply((*string)(&d.Description))
		p.DocumentationURL.Apply((*string)(&d.DocumentationURL))
		var c refuse.Checks
		d.check(&c)
		return c.Err(InvalidDetectorRequest)
	})
}

// changeDetector changes a detector for a caller who may.
func (s *Service) changeDetector(ctx context.Context, name, ifMatch string, fn func(*records.Update, *Detector) error) (res twinplatform.Result[Detector], err error) {
	err = s.db.Update(ctx, func(u *records.Update) error {
		d, err := detectorFor(ctx, u, name)
		if err != nil {
			return err
		}
		if err := s.mayChange(ctx, d); err != nil {
			return err
		}
		rec, err := detectorRecords.Modify(u, area, d.key(), ifMatch, func(d *Detector) error {
			err := fn(u, d)
			d.LatestVersion = d.latest()
			return err
		})
		res.Records = []twinplatform.Record[Detector]{rec}
		return errNoDetector.Or(err)
	})
	if err != nil {
		return twinplatform.Result[Detector]{}, err
	}
	return res, nil
}

// mayChange fails unless the caller may change a detector that it sees.
func (s *Service) mayChange(ctx context.Context, d *Detector) error {
	p, ok := twinplatform.PrincipalFrom(ctx)
	switch {
	case !ok, s.env.Administers(p, d.AccountID), p.ID == d.OwnerID && d.member(ctx):
		return nil
	}
	return refuse.Forbidden
}

// DeleteDetector removes a detector with all its versions. Its maker may, and
// organization administrators.
//
// Errors: DetectorNotFound; InsufficientPermissions.
func (s *Service) DeleteDetector(ctx context.Context, name string) error {
	var containers []string
	err := s.db.Update(ctx, func(u *records.Update) error {
		d, err := detectorFor(ctx, u, name)
		if err != nil {
			return err
		}
		if err := s.mayChange(ctx, d); err != nil {
			return err
		}
		containers = containers[:0]
		for _, v := range d.Versions {
			containers = append(containers, d.build(v.VersionNumber))
			if err := s.owe(u, d.build(v.VersionNumber)); err != nil {
				return err
			}
		}
		return detectorRecords.Erase(u, area, d.key())
	})
	if err == nil {
		s.settle(ctx, containers...)
	}
	return err
}
