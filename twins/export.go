package twins

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Limits of exports.
const (
	// MaxExports is how many exports of one caller are kept: another one takes the
	// place of the oldest that has ended.
	MaxExports = 20
	// MaxExportTwins is how many twins one export has, and MaxExportBytes how large its
	// file is before it is compressed; larger ones fail.
	MaxExportTwins = 50_000
	MaxExportBytes = 64 << 20
	// MaxExportText is how many characters SubClass and Select of a request have.
	MaxExportText = 4_096
	// ExportTime is how long an export is kept.
	ExportTime = 7 * 24 * time.Hour
)

// Export is a file of twins that a caller has asked for.
type Export struct {
	CompletedDateTime twinplatform.DateTime   `json:"completedDateTime"` // null until it has ended
	CreatedBy         twinplatform.NullString `json:"createdBy"`         // id of who asked for it; null for the system
	CreatedDateTime   twinplatform.DateTime   `json:"createdDateTime"`   // it is kept for ExportTime from then on
	ID                string                  `json:"id"`                // a GUID
	// OutputURL begins with a slash and is relative to the root of the REST API, which
	// serves the file there without a token. It is null until the export is Completed.
	OutputURL       twinplatform.NullString `json:"outputUrl"`
	Request         ExportRequest           `json:"request"`         // as it was made
	StartedDateTime twinplatform.DateTime   `json:"startedDateTime"` // null while it is Queued
	Status          ExportStatus            `json:"status"`

	caller string // the principal that it is made for, as JSON; empty for the system
	file   exportFile
}

// ExportRequest asks for an export.
type ExportRequest struct {
	OutputFormat ExportFormat `json:"outputFormat"` // required
	// QueryScope says by which right the caller sees the twins: MemberOfTwin when empty.
	QueryScope ExportScope             `json:"queryScope"`
	SubClass   twinplatform.NullString `json:"subClass"` // subclasses separated by commas; null for all
	// members separated by commas; null for id, class, subClass, type, number and displayName
	Select twinplatform.NullString `json:"select"`
	// as that of lists of twins; a plus may stand for a blank
	Filter          twinplatform.NullString `json:"filter"`
	IncludeInactive bool                    `json:"includeInactive"` // inactive twins too
}

// ExportFormat is what the file of an export is.
type ExportFormat string

// The formats.
const (
	JSONGZip       ExportFormat = "JsonGZip"       // an array of objects, compressed
	JSONZipArchive ExportFormat = "JsonZipArchive" // an archive with twins.json
	CSVGZip        ExportFormat = "CsvGZip"        // lines of fields below their names, compressed
	CSV            ExportFormat = "Csv"            // the same as it is
)

var exportFormats = []ExportFormat{JSONGZip, JSONZipArchive, CSVGZip, CSV}

// ExportScope says by which right twins are exported.
type ExportScope string

// The scopes of exports.
const (
	ExportMemberOfTwin      ExportScope = "MemberOfTwin"
	ExportOrganizationAdmin ExportScope = "OrganizationAdmin"
)

var exportScopes = []ExportScope{ExportMemberOfTwin, ExportOrganizationAdmin}

// ExportStatus is how far an export has come.
type ExportStatus string

// The statuses.
const (
	ExportQueued     ExportStatus = "Queued"
	ExportInProgress ExportStatus = "InProgress"
	ExportCompleted  ExportStatus = "Completed"
	ExportFailed     ExportStatus = "Failed"
)

var exportStatuses = []ExportStatus{ExportQueued, ExportInProgress, ExportCompleted, ExportFailed}

func (e *Export) ended() bool { return e.Status == ExportCompleted || e.Status == ExportFailed }

func (e *Export) bytesOf() records.Scope { return records.Scope("twinexport-" + e.file.Name) }

// hiddenExport is what is stored of an export in addition to its wire form.
type hiddenExport struct {
	Caller *string     `json:"caller"`
	File   *exportFile `json:"file"`
}

// The indexes of exports.
const (
	indexMaker  = "maker"
	indexMade   = "made" // when; its values are in the order of time
	indexOutput = "output"
)

const secondOrder = "20060102T150405"

func madeAt(t time.Time) string { return t.UTC().Format(secondOrder) }

// output is the name of the file; empty where there is none yet.
func (e *Export) output() string { return strings.TrimPrefix(string(e.OutputURL), ExportPath+"/") }

// maker is the principal that asked for an export. The system differs from a caller
// without an id.
func (e *Export) maker() string {
	if e.caller == "" {
		return "system"
	}
	return userListID(string(e.CreatedBy))
}

var exportRecords = records.Collection[Export]{
	Name: "exports", Unversioned: true,
	ID:     func(e *Export) string { return e.ID },
	Hidden: func(e *Export) any { return &hiddenExport{&e.caller, &e.file} },
	Indexes: []records.Index[Export]{
		{Name: indexMade, Value: func(e *Export) string { return madeAt(e.CreatedDateTime.Time) }},
		{Name: indexMaker, Value: (*Export).maker},
		{Name: indexOutput, Value: (*Export).output},
	},
}

// ExportPath is where the REST API serves the files of exports by their names.
const ExportPath = "/twin-exports"

var (
	exportMissing = problem.NotFound("twinExportNotFound", "exportId", "export")
	exportGone    = problem.NotFound("twinExportNotFound", "fileName", "export")
)

func describeExports(b *schema.Book) {
	schema.Enum(b, exportFormats)
	schema.Enum(b, exportScopes)
	schema.Enum(b, exportStatuses)
	b.Has(reflect.TypeFor[ExportRequest](), schema.Need("outputFormat", schema.Value{}))
}

// query is the query by which an export finds its twins.
func (r *ExportRequest) query() TwinQuery {
	q := TwinQuery{Scope: MemberOfTwin, IncludeInactive: r.IncludeInactive, Filter: string(r.Filter)}
	if r.QueryScope == ExportOrganizationAdmin {
		q.Scope = OrganizationAdmin
	}
	if r.SubClass != "" {
		for name := range strings.SplitSeq(string(r.SubClass), ",") {
			q.SubClasses = append(q.SubClasses, SubClass(strings.TrimSpace(name)))
		}
	}
	q.Select = []string{"id", "class", "subClass", "type", "number", "displayName"}
	if r.Select != "" {
		q.Select = nil
		for name := range strings.SplitSeq(string(r.Select), ",") {
			if name = strings.TrimSpace(name); !slices.Contains(q.Select, name) {
				q.Select = append(q.Select, name)
			}
		}
	}
	if _, _, err := properties.Filter(q.Filter); err != nil {
		q.Filter = strings.ReplaceAll(q.Filter, "+", " ")
	}
	return q
}

// check reports the violations of a request, in its own words.
func (r *ExportRequest) check(ctx context.Context) error {
	var c problem.Checks
	if c.Given("outputFormat", r.OutputFormat != "") {
		problem.OneOf(&c, "outputFormat", r.OutputFormat, exportFormats)
	}
	if r.QueryScope == "" {
		r.QueryScope = ExportMemberOfTwin
	}
	problem.OneOf(&c, "queryScope", r.QueryScope, exportScopes)
	c.AtMost("subClass", string(r.SubClass), MaxExportText)
	c.AtMost("select", string(r.Select), MaxExportText)
	if _, err := r.query().listing(ctx); err != nil {
		for _, d := range twinplatform.AsError(err).Details {
			c.Add(d)
		}
	}
	return c.Err(InvalidRequest)
}

// CreateExport asks for a file of twins that the caller sees (POST /twins/exports). It is
// done when the call returns, or by Run with Env.Background; its record says what came
// of it. The file is written part by part, in the order of ids: each twin is in it once,
// as it is and if the caller sees it when its part is written. An export that more than
// MaxExportTwins match, or whose file has more than MaxExportBytes, fails. Of one caller
// MaxExports are kept, each for ExportTime.
//
// Errors: InvalidTwinsRequest with MissingRequiredProperty (outputFormat) or InvalidValue
// (outputFormat, queryScope, subClass, select, filter); LimitExceeded where MaxExports of
// the caller have not ended.
func (s *Service) CreateExport(ctx context.Context, r ExportRequest) (res twinplatform.Result[Export], err error) {
	if err := r.check(ctx); err != nil {
		return res, err
	}
	e := Export{
		ID: s.env.NewGUID(), Request: r, Status: ExportQueued, CreatedDateTime: s.now(),
		file: exportFile{Name: s.env.NewGUID()},
	}
	if p, named := twinplatform.PrincipalFrom(ctx); named {
		who, err := json.Marshal(p)
		if err != nil {
			return res, err
		}
		e.CreatedBy, e.caller = twinplatform.NullString(p.ID), string(who)
	}
	var rec twinplatform.Record[Export]
	_, err = callsOf(s).exports.Start(ctx,
		jobs.Spec{Subjects: []string{e.ID}, Open: func(u *records.Update) (records.Scope, error) {
			rec = twinplatform.Record[Export]{}
			if err := s.makeRoom(u, e.maker()); err != nil {
				return e.scope(), err
			}
			made := e
			rec, err = exportRecords.Insert(u, e.scope(), &made)
			return e.scope(), err
		}}, &exporting{ExportID: e.ID})
	if rec.ETag == "" {
		return res, err
	}
	latest, unread := s.latestExport(ctx, e.ID)
	switch {
	case err != nil && (unread != nil || !latest.Value.ended()):
		return res, err // Run, or the next call, continues it
	case unread != nil:
		return res, unread
	}
	return twinplatform.Done(latest), nil // its record has the outcome
}

// makeRoom removes the oldest of the exports of a caller that has as many as it may.
func (s *Service) makeRoom(u *records.Update, maker string) error {
	var all []*Export
	for e, err := range exportRecords.Find(u, allExports, indexMaker, maker) {
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	if len(all) < MaxExports {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *Export) int { return a.CreatedDateTime.Compare(b.CreatedDateTime.Time) })
	for _, e := range all {
		if e.ended() || s.expired(e) {
			return eraseExport(u, e)
		}
	}
	return conflict("LimitExceeded", "The caller has reached the limit of exports under way.")
}

func eraseExport(u *records.Update, e *Export) error {
	if err := blob.Erase(u, e.bytesOf()); err != nil {
		return err
	}
	return exportRecords.Erase(u, e.scope(), e.ID)
}

// kept reports whether an export is one of the caller that is kept by now. The system
// sees those of all, and a caller without an id none: it cannot be distinguished from
// others.
func (s *Service) kept(ctx context.Context, e *Export) bool {
	p, named := twinplatform.PrincipalFrom(ctx)
	return (!named || p.ID != "" && string(e.CreatedBy) == p.ID) && !s.expired(e)
}

func (s *Service) expired(e *Export) bool {
	age := s.env.Now().Sub(e.CreatedDateTime.Time)
	return age > ExportTime || age < -ExportTime // by a clock that was that far ahead
}

// Export returns an export of the caller's own (GET /twins/exports/{id}). Errors:
// twinExportNotFound, also once it is no longer kept.
func (s *Service) Export(ctx context.Context, exportID string) (rec twinplatform.Record[Export], err error) {
	rec, err = s.latestExport(ctx, exportID)
	if err == nil && !s.kept(ctx, &rec.Value) {
		err = exportMissing.Err()
	}
	if err != nil {
		return twinplatform.Record[Export]{}, err
	}
	return rec, nil
}

// latestExport is an export as it is by now, who has written it.
func (s *Service) latestExport(ctx context.Context, id string) (rec twinplatform.Record[Export], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = exportRecords.Get(v, allExports, id)
		return exportMissing.Or(err)
	})
	return rec, err
}

// ExportQuery selects the exports to list.
type ExportQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many exports from the beginning.
	Skip int
}

// Exports lists the exports of the caller's own by id (GET /twins/exports). The list has
// no version.
//
// Errors: InvalidTwinsRequest with InvalidValue (top, skip).
func (s *Service) Exports(ctx context.Context, q ExportQuery) (page twinplatform.Page[Export], err error) {
	var c problem.Checks
	w := windowOf(&c, q.ListOptions, q.Skip)
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	of := records.Query[Export]{
		Op: "exports", ListOptions: twinplatform.ListOptions{Top: w.top}, Skip: w.skip, MaxTop: MaxTop,
		Match: func(e *Export) bool { return s.kept(ctx, e) }, Filter: "kept",
	}
	if p, named := twinplatform.PrincipalFrom(ctx); named {
		of.Index, of.Equals = indexMaker, userListID(p.ID)
	}
	err = s.db.View(ctx, func(v *records.View) error {
		page, err = exportRecords.List(v, allExports, of)
		return problem.Paging{MaxTop: MaxTop}.Listed(err, InvalidRequest)
	})
	if page.Delta, page.ETag = "", ""; page.Next != "" {
		page.Next = w.next()
	}
	return page, err
}

// OpenExport returns the file of an export by its name. It asks for no permission: the
// name is known to the principal that asked for the export, or was given by that one, and
// to no other. What a caller no longer sees stays in the files that it has. It is read
// while ctx lasts.
//
// Errors: twinExportNotFound, also while reading, once the export is no longer kept.
func (s *Service) OpenExport(ctx context.Context, fileName string) (*File, error) {
	return open(ctx, s, &exportRecords, allExports, indexOutput, fileName, fileName, exportGone.Err(),
		func(e *Export) (n blob.Named) {
			if !s.expired(e) {
				n = blob.Named{
					Name: e.output(), Type: e.Request.OutputFormat.mediaType(), Size: e.file.Size,
					Scope: e.bytesOf(),
				}
			}
			return n
		})
}
