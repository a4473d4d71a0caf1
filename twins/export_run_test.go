package twins_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// file is what the address of an export serves.
func file(t *testing.T, w *world, e twins.Export) string {
	t.Helper()
	f, err := w.OpenExport(t.Context(), strings.TrimPrefix(string(e.OutputURL), twins.ExportPath+"/"))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil || int64(len(content)) != f.Size {
		t.Fatalf("%d bytes of %d: %v", len(content), f.Size, err)
	}
	var r io.Reader = bytes.NewReader(content)
	switch e.Request.OutputFormat {
	case twins.JSONGZip, twins.CSVGZip:
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	case twins.JSONZipArchive:
		archive, err := zip.NewReader(bytes.NewReader(content), f.Size)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = archive.Open("twins.json"); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// covers: operations exports.create exports.list exports.get exports.read
func TestExportHoldsWhatItsMakerSees(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	a := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A, B", Number: "1"})
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "C", Number: "2"})
	w.grant(t, a.ID, "reader", twins.PermissionRead)
	reader := as(t, user("reader", acme))
	select2 := twinplatform.NullString("displayName, number,latitude")
	const array, lines = `[{"displayName":"A, B","latitude":null,"number":"1"}]`, "displayName,number,latitude\n\"A, B\",1,\n"
	for format, want := range map[twins.ExportFormat]string{twins.JSONGZip: array, twins.JSONZipArchive: array, twins.CSV: lines, twins.CSVGZip: lines} {
		res, err := w.CreateExport(reader, twins.ExportRequest{OutputFormat: format, Select: select2, Filter: "status+eq+'Active'"})
		if err != nil || res.Value().Status != twins.ExportCompleted {
			t.Fatalf("%s: %+v, %v", format, res.Value(), err)
		}
		if got := file(t, w, res.Value()); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
		got, err := w.Export(reader, res.Value().ID)
		if err != nil || got.Value.CreatedBy != "reader" || got.Value.CompletedDateTime.IsZero() {
			t.Errorf("%+v, %v", got.Value, err)
		}
		_, err = w.Export(admin(t), res.Value().ID)
		wantProblem(t, err, twinplatform.NotFound, "twinExportNotFound exportId:")
	}
	res, err := w.CreateExport(as(t, user("stranger", acme)), twins.ExportRequest{OutputFormat: twins.JSONGZip})
	if err != nil || file(t, w, res.Value()) != "[]" {
		t.Errorf("a stranger gets %+v, %v", res.Value(), err)
	}
	page, err := w.Exports(reader, twins.ExportQuery{})
	if err != nil || page.Len() != 4 {
		t.Errorf("%d, %v", page.Len(), err)
	}
}

// formulas are texts that spreadsheets take for formulas.
var formulas = []string{
	"=cmd|' /C calc'!A0", `=HYPERLINK("http://evil.example","x")`, "+1+1", "-2+3", "@SUM(1)", "\t=1+1", "\r=1+1",
}

func TestTextOfACSVExportIsNoFormulaAndNumbersStayNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	made := make(map[string]bool)
	for i, name := range formulas {
		w.twin(t, admin(t), twins.NewTwin{
			DisplayName: "Pont n° " + strconv.Itoa(i), Number: name, GeographicLocation: twinplatform.NullString(name), Latitude: new(-12.5 - float64(i)), Longitude: new(float64(i)),
		})
		made[name] = true
	}
	for _, format := range []twins.ExportFormat{twins.CSV, twins.CSVGZip} {
		res, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: format, Select: "number,geographicLocation,latitude"})
		if err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(strings.NewReader(file(t, w, res.Value()))).ReadAll()
		if err != nil || len(lines) != 1+len(formulas) {
			t.Fatalf("%q, %v", lines, err)
		}
		for _, line := range lines[1:] {
			text, quoted := strings.CutPrefix(line[0], "'")
			if !quoted || !made[text] || line[1] != line[0] || !strings.HasPrefix(line[2], "-1") {
				t.Errorf("%s has the line %q", format, line)
			}
		}
	}
}

func TestExportsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	for want, r := range map[string]twins.ExportRequest{
		"MissingRequiredProperty outputFormat":         {},
		"InvalidValue outputFormat":                    {OutputFormat: "Xml"},
		"InvalidValue queryScope":                      {OutputFormat: twins.CSV, QueryScope: "all"},
		"InvalidValue subClass":                        {OutputFormat: twins.CSV, SubClass: "Asset,Bridge"},
		"InvalidValue subClass, InvalidValue subClass": {OutputFormat: twins.CSV, SubClass: twinplatform.NullString(strings.Repeat(",", twins.MaxExportText+1))},
		"InvalidValue select":                          {OutputFormat: twins.CSV, Select: twinplatform.NullString(strings.Repeat("id,", twins.MaxExportText) + "id")},
		"InvalidValue filter":                          {OutputFormat: twins.CSV, Filter: "status is 'Active'"},
	} {
		_, err := w.CreateExport(admin(t), r)
		wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : "+want)
	}
	_, err := w.OpenExport(t.Context(), "")
	wantProblem(t, err, twinplatform.NotFound, "twinExportNotFound fileName:")
}

func TestExportsAreKeptForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	res, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV})
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(string(res.Value().OutputURL), twins.ExportPath+"/")
	w.now = w.now.Add(twins.ExportTime)
	if _, err := w.Export(admin(t), res.Value().ID); err != nil {
		t.Error(err)
	}
	if got := file(t, w, res.Value()); got == "" {
		t.Error("the file is gone before its time")
	}
	w.now = w.now.Add(time.Second)
	_, err = w.Export(admin(t), res.Value().ID)
	wantProblem(t, err, twinplatform.NotFound, "twinExportNotFound exportId:")
	_, err = w.OpenExport(t.Context(), name)
	wantProblem(t, err, twinplatform.NotFound, "twinExportNotFound fileName:")
	if page, err := w.Exports(admin(t), twins.ExportQuery{}); err != nil || page.Len() != 0 {
		t.Errorf("%d exports, %v", page.Len(), err)
	}
}

// storedExports are how many exports the store holds, and how many keys of their bytes:
// two for each that is short.
func storedExports(t *testing.T, w *world) (exports, keys int) {
	t.Helper()
	dump := recordstest.Dump(t, w.store)
	return strings.Count(dump, "\"twin-exports/exports/r/"), strings.Count(dump, "\n\"twinexport-")
}

func TestRunForgetsExportsWithTheirBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, twins.Config{Env: twinplatform.Env{Background: true, Now: time.Now}})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		res, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV})
		if err != nil || res.Value().Status != twins.ExportQueued || res.Value().OutputURL != "" || !res.Value().StartedDateTime.IsZero() {
			t.Fatalf("%+v, %v", res.Value(), err)
		}
		go func() { done <- w.Run(ctx) }()
		synctest.Wait()
		rec, err := w.Export(admin(t), res.Value().ID)
		if err != nil || rec.Value.Status != twins.ExportCompleted {
			t.Fatalf("%+v, %v", rec.Value, err)
		}
		for range twins.MaxExports {
			time.Sleep(time.Second)
			if _, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		page, err := w.Exports(admin(t), twins.ExportQuery{})
		if err != nil || page.Len() != twins.MaxExports {
			t.Errorf("%d exports, %v", page.Len(), err)
		}
		_, err = w.Export(admin(t), res.Value().ID)
		wantProblem(t, err, twinplatform.NotFound, "twinExportNotFound exportId:")
		if exports, keys := storedExports(t, w); exports != twins.MaxExports || keys != 2*twins.MaxExports {
			t.Errorf("%d exports with %d keys of bytes are kept", exports, keys)
		}
		time.Sleep(twins.ExportTime + 2*time.Hour)
		synctest.Wait()
		if exports, keys := storedExports(t, w); exports != 0 || keys != 0 {
			t.Errorf("%d exports with %d keys of bytes are left", exports, keys)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestAsManyExportsAsMayBeAreUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{Env: twinplatform.Env{Background: true}})
	for range twins.MaxExports {
		if _, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV})
	wantProblem(t, err, twinplatform.Conflict, "LimitExceeded :")
	w.now = w.now.Add(twins.ExportTime + time.Second)
	if _, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV}); err != nil {
		t.Errorf("what is no longer kept takes a place: %v", err)
	}
}

func TestExportIsOfTheRightThatItAsksFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "B", Status: twins.Inactive})
	w.twin(t, as(t, user("foreigner", other, "Account Administrator")), twins.NewTwin{DisplayName: "C"})
	for name, c := range map[string]struct {
		request twins.ExportRequest
		want    string
	}{
		"as a member":               {twins.ExportRequest{}, "[]"},
		"as an administrator":       {twins.ExportRequest{QueryScope: twins.ExportOrganizationAdmin, SubClass: "Project"}, `[{"displayName":"A"}]`},
		"with inactive ones":        {twins.ExportRequest{QueryScope: twins.ExportOrganizationAdmin, IncludeInactive: true, SubClass: "Project", Filter: "displayName ne 'A'"}, `[{"displayName":"B"}]`},
		"of an unused subclass":     {twins.ExportRequest{QueryScope: twins.ExportOrganizationAdmin, SubClass: "Portfolio, Asset"}, "[]"},
		"of a subclass that is had": {twins.ExportRequest{QueryScope: twins.ExportOrganizationAdmin, SubClass: "Asset,Project"}, `[{"displayName":"A"}]`},
	} {
		c.request.OutputFormat, c.request.Select = twins.JSONGZip, "displayName"
		res, err := w.CreateExport(as(t, user("boss", acme, "Account Administrator")), c.request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := file(t, w, res.Value()); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestFileOfAnExportIsOfTheRightsAtTheTimeItIsMade(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, twins.Config{Env: twinplatform.Env{Background: true, Now: time.Now}})
		a := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
		w.grant(t, a.ID, "reader", twins.PermissionRead)
		reader := as(t, user("reader", acme))
		res, err := w.CreateExport(reader, twins.ExportRequest{OutputFormat: twins.JSONGZip})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.DeleteMember(admin(t), a.ID, "reader"); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Run(ctx) }()
		synctest.Wait()
		rec, err := w.Export(reader, res.Value().ID)
		if err != nil || file(t, w, rec.Value) != "[]" {
			t.Errorf("%+v, %v", rec.Value, err)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
