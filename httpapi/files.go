package httpapi

import (
	"context"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
)

// What the tus protocol for resumable uploads is called, and what of it is served.
const (
	tusVersion    = "1.0.0"
	tusExtensions = "creation,expiration,termination"
	tusPart       = "application/offset+octet-stream" // the media type of a part
)

// The headers of that protocol.
const (
	tusResumable   = "Tus-Resumable"
	uploadLength   = "Upload-Length"
	uploadOffset   = "Upload-Offset"
	uploadMetadata = "Upload-Metadata"
)

var (
	errTusVersion = refusal{status: http.StatusPreconditionFailed, err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedTusVersion", Target: tusResumable,
		Message: "The version of the upload protocol is " + tusVersion + ".",
	}}
	errTusPart = refusal{status: http.StatusUnsupportedMediaType, err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedMediaType", Target: "Content-Type",
		Message: "A part of a file is sent as " + tusPart + ".",
	}}
)

// fileRows serve files by the tus protocol.
func fileRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/files", many: "files", one: "file", things: "Files", thing: "a File"}
	resumable := Parameter{Name: tusResumable, Description: "The version of the upload protocol, " + tusVersion + ".", Required: true}
	create := (&row{
		cost:      byRequest,
		Operation: n.creates(),
		serve:     func(ctx context.Context, x *exchange) error { return x.createFile(ctx, svc) },
		replies:   []reply{recordReply(reflect.TypeFor[files.File](), http.StatusCreated, n.one, "Location", tusResumable, uploadOffset, "Upload-Expires")},
	}).says("Create a File to upload")
	create.Headers = []Parameter{
		resumable,
		{Name: uploadLength, Description: "How many bytes the file has.", Required: true, Number: true},
		{Name: uploadMetadata, Description: "What its sender says of it: keys, each with a value in base64 behind a blank, separated by commas."},
	}
	part := discardRow(n.updates(), func(ctx context.Context, x *exchange) error {
		return x.appendFile(ctx, svc)
	}).says("Upload a part of a File")
	part.raw = true
	part.Headers = []Parameter{resumable, {Name: uploadOffset, Description: "How many bytes of the file are there.", Required: true, Number: true}}
	part.replies[0].headers = []string{tusResumable, uploadOffset, "Upload-Expires"}
	get := &row{
		cost:      byRequest,
		Operation: n.gets(),
		serve:     func(ctx context.Context, x *exchange) error { return x.file(ctx, svc) },
		replies:   []reply{recordReply(reflect.TypeFor[files.File](), http.StatusOK, n.one, "ETag", tusResumable, uploadLength, uploadOffset, "Upload-Expires", "Cache-Control")},
	}
	get.replies[0].perhaps = []string{uploadMetadata}
	unchanged := get.replies[0]
	unchanged.status, unchanged.schema = http.StatusNotModified, nil
	get.replies = append(get.replies, unchanged)
	options := discardRow(n.operation("options", http.MethodOptions, n.path, "Ask what of the upload protocol is served"), func(ctx context.Context, x *exchange) error {
		if _, err := svc.Schedule(ctx, x.nth(0)); err != nil {
			return err
		}
		x.set("Tus-Version", tusVersion)
		x.set("Tus-Extension", tusExtensions)
		x.set("Tus-Max-Size", strconv.Itoa(files.MaxFileBytes))
		return nil
	})
	options.replies[0].headers = []string{"Tus-Version", "Tus-Extension", "Tus-Max-Size"}
	remove := func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) error {
		return files.In(svc.In(in)).DeleteFile(ctx, id, pre...)
	}
	return rows{create, options, part, get, discardIn(n, remove)}
}

// tus checks that a request is of the upload protocol. All answers to such say so.
func (x *exchange) tus() error {
	header := x.w.Header()
	header.Set(tusResumable, tusVersion)
	switch version := x.header(tusResumable); {
	case version == "":
		return x.row.invalid(problem.Missing(tusResumable))
	case version != tusVersion:
		header.Set("Tus-Version", tusVersion)
		return errTusVersion
	}
	return nil
}

// headerNumber is a header that is a whole number.
func (x *exchange) headerNumber(name string) (int64, error) {
	value := x.header(name)
	if value == "" {
		return 0, x.row.invalid(problem.Missing(name))
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return 0, x.row.invalid(badValue(name, "The value of '"+name+"' is a whole number."))
	}
	return n, nil
}

func (x *exchange) createFile(ctx context.Context, svc *schedules.Service) error {
	if err := x.tus(); err != nil {
		return err
	}
	length, err := x.headerNumber(uploadLength)
	if err != nil {
		return err
	}
	rec, err := files.In(svc.In(x.nth(0))).CreateFile(ctx, files.NewFile{Length: length, Metadata: x.header(uploadMetadata)})
	if err != nil {
		return err
	}
	x.w.Header().Set("Location", string(x.member(nil, rec.Value.ID)))
	x.tellFile(&rec.Value)
	return x.sendRecord(http.StatusCreated, "file", record{json: rec.JSON})
}

func (x *exchange) appendFile(ctx context.Context, svc *schedules.Service) error {
	if err := x.tus(); err != nil {
		return err
	}
	if media, _, err := mime.ParseMediaType(x.header("Content-Type")); err != nil || media != tusPart {
		return errTusPart
	}
	offset, err := x.headerNumber(uploadOffset)
	if err != nil {
		return err
	}
	return x.take(files.MaxFileBytes, func(body io.Reader) error {
		rec, err := files.In(svc.In(x.nth(0))).AppendFile(ctx, x.nth(1), offset, body, x.preconditions()...)
		if err == nil {
			x.tellFile(&rec.Value)
		}
		return err
	})
}

func (x *exchange) file(ctx context.Context, svc *schedules.Service) error {
	x.w.Header().Set(tusResumable, tusVersion)
	rec, err := files.In(svc.In(x.nth(0))).File(ctx, x.nth(1))
	if err != nil {
		return err
	}
	x.tellFile(&rec.Value)
	header := x.w.Header()
	header.Set(uploadLength, strconv.FormatInt(rec.Value.Length, 10))
	if rec.Value.Metadata != "" {
		header.Set(uploadMetadata, rec.Value.Metadata)
	}
	header.Set("Cache-Control", "no-store")
	if x.notModified(rec.ETag) {
		x.set("Etag", rec.ETag)
		return x.sendNothing(http.StatusNotModified)
	}
	return x.sendRecord(http.StatusOK, "file", record{etag: rec.ETag, json: rec.JSON})
}

// tellFile tells in headers how far a file is.
func (x *exchange) tellFile(f *files.File) {
	header := x.w.Header()
	header.Set(uploadOffset, strconv.FormatInt(f.Offset, 10))
	header.Set("Upload-Expires", f.ExpiresAt.UTC().Format(http.TimeFormat))
}
