package schedules

import (
	"context"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
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
	errTusVersion = cycle.Refusal{Status: http.StatusPreconditionFailed, Err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedTusVersion", Target: tusResumable,
		Message: "The version of the upload protocol is " + tusVersion + ".",
	}}
	errTusPart = cycle.Refusal{Status: http.StatusUnsupportedMediaType, Err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedMediaType", Target: "Content-Type",
		Message: "A part of a file is sent as " + tusPart + ".",
	}}
)

// fileRoutes serve files by the tus protocol.
func fileRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/files", Many: "files", One: "file", Plural: "Files",
		Singular: "a File",
	}
	resumable := cycle.Parameter{
		Name:        tusResumable,
		Description: "The version of the upload protocol, " + tusVersion + ".", Required: true,
	}
	create := (&cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: n.Creates(),
		Serve:     func(ctx context.Context, x *cycle.Exchange) error { return createFile(ctx, x, svc) },
		Replies: []cycle.Reply{route.RecordReply(reflect.TypeFor[files.File](), http.StatusCreated, n.One, "Location",
			tusResumable, uploadOffset, "Upload-Expires")},
	}).Summarized("Create a File to upload")
	create.Refusals = []cycle.Refusal{errTusVersion}
	create.Headers = []cycle.Parameter{
		resumable,
		{Name: uploadLength, Description: "How many bytes the file has.", Required: true, Number: true},
		{Name: uploadMetadata, Description: "Metadata of the file from its sender: keys, each with a value in base64 " +
			"behind a blank, separated by commas."},
	}
	part := route.DiscardRoute(n.Updates(), func(ctx context.Context, x *cycle.Exchange) error {
		return appendFile(ctx, x, svc)
	}).Summarized("Upload a part of a File")
	part.Raw, part.Media, part.Refusals = true, tusPart, []cycle.Refusal{errTusVersion, errTusPart}
	part.Headers = []cycle.Parameter{
		resumable,
		{Name: uploadOffset, Description: "How many bytes of the file are there.", Required: true, Number: true},
	}
	part.Replies[0].Headers = []string{tusResumable, uploadOffset, "Upload-Expires"}
	get := &cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: n.Gets(),
		Serve:     func(ctx context.Context, x *cycle.Exchange) error { return readFile(ctx, x, svc) },
		Replies: []cycle.Reply{route.RecordReply(reflect.TypeFor[files.File](), http.StatusOK, n.One, "ETag",
			tusResumable, uploadLength, uploadOffset, "Upload-Expires", "Cache-Control")},
	}
	get.Giving(n.One, reflect.TypeFor[files.File]())
	get.Replies[0].Perhaps = []string{uploadMetadata}
	unchanged := get.Replies[0]
	unchanged.Status, unchanged.Schema = http.StatusNotModified, nil
	get.Replies = append(get.Replies, unchanged)
	options := route.DiscardRoute(n.Operation("options", http.MethodOptions, n.Path,
		"Ask what of the upload protocol is served"), func(ctx context.Context, x *cycle.Exchange) error {
		if !x.OfStranger() {
			if _, err := svc.Schedule(ctx, x.Nth(0)); err != nil {
				return err
			}
		}
		x.Set("Tus-Version", tusVersion)
		x.Set("Tus-Extension", tusExtensions)
		x.Set("Tus-Max-Size", strconv.Itoa(files.MaxFileBytes))
		return nil
	})
	options.Discovers = true // it is the same for every schedule
	options.Replies[0].Headers = []string{"Tus-Version", "Tus-Extension", "Tus-Max-Size"}
	remove := func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) error {
		return files.In(svc.In(in)).DeleteFile(ctx, id, pre...)
	}
	return cycle.Routes{create, options, part, get, route.DiscardIn(n, remove)}
}

// tus checks that a request is of the upload protocol. All answers to such declare it.
func tus(x *cycle.Exchange) error {
	header := x.W.Header()
	header.Set(tusResumable, tusVersion)
	switch version := x.Header(tusResumable); {
	case version == "":
		return x.Route.Invalid(problem.Missing(tusResumable))
	case version != tusVersion:
		header.Set("Tus-Version", tusVersion)
		return errTusVersion
	}
	return nil
}

// headerNumber is a header that is a whole number.
func headerNumber(x *cycle.Exchange, name string) (int64, error) {
	value := x.Header(name)
	if value == "" {
		return 0, x.Route.Invalid(problem.Missing(name))
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return 0, x.Route.Invalid(cycle.BadValue(name, "The value of '"+name+"' is a whole number."))
	}
	return n, nil
}

func createFile(ctx context.Context, x *cycle.Exchange, svc *schedules.Service) error {
	if err := tus(x); err != nil {
		return err
	}
	length, err := headerNumber(x, uploadLength)
	if err != nil {
		return err
	}
	rec, err := files.In(svc.In(x.Nth(0))).CreateFile(ctx,
		files.NewFile{Length: length, Metadata: x.Header(uploadMetadata)})
	if err != nil {
		return err
	}
	x.W.Header().Set("Location", string(x.Member(nil, rec.Value.ID)))
	uploadProgress(x, &rec.Value)
	return x.SendRecord(http.StatusCreated, "file", cycle.Record{JSON: rec.JSON})
}

func appendFile(ctx context.Context, x *cycle.Exchange, svc *schedules.Service) error {
	if err := tus(x); err != nil {
		return err
	}
	if media, _, err := mime.ParseMediaType(x.Header("Content-Type")); err != nil || media != tusPart {
		return errTusPart
	}
	offset, err := headerNumber(x, uploadOffset)
	if err != nil {
		return err
	}
	return x.Take(files.MaxFileBytes, func(body io.Reader) error {
		rec, err := files.In(svc.In(x.Nth(0))).AppendFile(ctx, x.Nth(1), offset, body, x.Preconditions()...)
		if err == nil {
			uploadProgress(x, &rec.Value)
		}
		return err
	})
}

func readFile(ctx context.Context, x *cycle.Exchange, svc *schedules.Service) error {
	x.W.Header().Set(tusResumable, tusVersion)
	rec, err := files.In(svc.In(x.Nth(0))).File(ctx, x.Nth(1))
	if err != nil {
		return err
	}
	uploadProgress(x, &rec.Value)
	header := x.W.Header()
	header.Set(uploadLength, strconv.FormatInt(rec.Value.Length, 10))
	if rec.Value.Metadata != "" {
		header.Set(uploadMetadata, rec.Value.Metadata)
	}
	header.Set("Cache-Control", "no-store")
	if x.NotModified(rec.ETag) {
		x.Set("Etag", rec.ETag)
		return x.SendNothing(http.StatusNotModified)
	}
	return x.SendRecord(http.StatusOK, "file", cycle.Record{ETag: rec.ETag, JSON: rec.JSON})
}

// uploadProgress sets the headers that show how far the upload of a file is.
func uploadProgress(x *cycle.Exchange, f *files.File) {
	header := x.W.Header()
	header.Set(uploadOffset, strconv.FormatInt(f.Offset, 10))
	header.Set("Upload-Expires", f.ExpiresAt.UTC().Format(http.TimeFormat))
}
