package twins_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// manyTwins makes twins and returns their numbers, in the order of their ids.
func manyTwins(t *testing.T, w *world, n int) (numbers []string) {
	t.Helper()
	for i := range n {
		numbers = append(numbers, fmt.Sprintf("T-%04d", i))
		w.twin(t, admin(t), twins.NewTwin{DisplayName: numbers[i], Number: numbers[i]})
	}
	return numbers
}

// ascending makes ids that are in the order in which they are made.
func ascending() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
	}
}

// numbersOf is a request for the numbers of all projects.
func numbersOf(format twins.ExportFormat) twins.ExportRequest {
	return twins.ExportRequest{OutputFormat: format, QueryScope: twins.ExportOrganizationAdmin, SubClass: "Project,Project", Select: "number,number"}
}

func linesOf(numbers []string) string { return "number\n" + strings.Join(numbers, "\n") + "\n" }

func TestLongExportIsOneFile(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]twinplatform.Env{"own rights": {}, "another authorizer": {Authorizer: deny{"reader"}}} {
		w := newWorld(t, twins.Config{Env: env})
		own := &world{Service: twins.New(w.store, twins.Config{Env: twinplatform.Env{NewGUID: ascending()}}), store: w.store}
		numbers := manyTwins(t, own, 2_300)
		reader := as(t, user("reader", acme, "Account Administrator"))
		array := `[{"number":"` + strings.Join(numbers, `"},{"number":"`) + `"}]`
		for format, want := range map[twins.ExportFormat]string{twins.JSONGZip: array, twins.JSONZipArchive: array, twins.CSV: linesOf(numbers), twins.CSVGZip: linesOf(numbers)} {
			res, err := w.CreateExport(reader, numbersOf(format))
			if err != nil {
				t.Fatalf("%s, %s: %v", name, format, err)
			}
			if got := file(t, w, res.Value()); got != want {
				t.Errorf("%s, %s: %s", name, format, cmp.Diff(want, got))
			}
		}
		page, err := w.Twins(reader, twins.TwinQuery{Skip: 1_000, Scope: twins.OrganizationAdmin, SubClasses: []twins.SubClass{twins.Project}})
		if err != nil {
			t.Fatal(err)
		}
		if listed, err := page.Values(); err != nil || len(listed) != 100 || listed[0].Number != numbers[1_000] {
			t.Errorf("%s: a list during the exports has %d twins, %v", name, len(listed), err)
		}
	}
}

func TestExportOfMoreThanMayBeFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	w.LimitExports(1_001)
	manyTwins(t, w, 1_001)
	for _, want := range []twins.ExportStatus{twins.ExportCompleted, twins.ExportFailed} {
		res, err := w.CreateExport(admin(t), numbersOf(twins.CSV))
		e := res.Value()
		if err != nil || e.Status != want || e.StartedDateTime.IsZero() || e.CompletedDateTime.IsZero() || (e.OutputURL != "") != (want == twins.ExportCompleted) {
			t.Fatalf("%+v, %v; want %s", e, err, want)
		}
		w.twin(t, admin(t), twins.NewTwin{DisplayName: "after one that is " + string(want)})
	}
	if _, keys := storedExports(t, w); keys != 3 {
		t.Errorf("%d keys of the bytes of the one that is left", keys)
	}
}

func TestExportContinuesAfterARestart(t *testing.T) {
	t.Parallel()
	inner := newWorld(t, twins.Config{})
	store := storetest.Alone(inner.store)
	env := twinplatform.Env{NewGUID: ascending()}
	w := &world{Service: twins.New(store, twins.Config{Env: env}), store: store}
	numbers := manyTwins(t, w, 2_300)
	died := errors.New("the disk is gone")
	store.FailAfter(3, died) // it is accepted, and has its first part
	if _, err := w.CreateExport(admin(t), numbersOf(twins.CSV)); err != nil {
		t.Fatal("what is accepted was refused: ", err)
	}
	store.Rest()
	w.Service = twins.New(store, twins.Config{Env: env})
	e := onlyExport(t, w)
	if e.Status != twins.ExportInProgress || e.StartedDateTime.IsZero() || e.OutputURL != "" {
		t.Errorf("%+v", e)
	}
	if _, err := w.CreateExport(as(t, user("somebody", acme)), twins.ExportRequest{OutputFormat: twins.CSV}); err != nil {
		t.Fatal(err)
	}
	if e = onlyExport(t, w); e.Status != twins.ExportCompleted || file(t, w, e) != linesOf(numbers) {
		t.Errorf("%+v", e)
	}
}

// onlyExport is the one export of the administrator.
func onlyExport(t *testing.T, w *world) twins.Export {
	t.Helper()
	page, err := w.Exports(admin(t), twins.ExportQuery{})
	if err != nil || page.Len() != 1 {
		t.Fatalf("%d exports, %v", page.Len(), err)
	}
	all, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// overtaken is an export of 1,200 twins whose first part another process, for which so
// many are allowed, has come behind when it is to be stored.
func overtaken(t *testing.T, allowed int) (w *world, numbers []string, e twins.Export) {
	t.Helper()
	inner := newWorld(t, twins.Config{})
	store := storetest.Alone(inner.store)
	w = &world{Service: twins.New(store, twins.Config{Env: twinplatform.Env{NewGUID: ascending()}}), store: store}
	numbers = manyTwins(t, w, 1_200)
	other := twins.New(inner.store, twins.Config{})
	other.LimitExports(allowed)
	updates := 0
	store.Before(func() error {
		// The one after the export is accepted is that of its first part.
		if updates++; updates != 2 {
			return nil
		}
		_, err := other.CreateExport(as(t, user("somebody", acme)), twins.ExportRequest{OutputFormat: twins.CSV})
		e = onlyExport(t, w)
		return err
	})
	res, err := w.CreateExport(admin(t), numbersOf(twins.CSVGZip))
	if err != nil || updates < 2 {
		t.Fatalf("%d updates, %v", updates, err)
	}
	if diff := cmp.Diff(e, onlyExport(t, w), cmp.AllowUnexported(twins.Export{})); diff != "" {
		t.Error(diff)
	}
	return w, numbers, res.Value()
}

func TestTwoProcessesWriteEachPartOnce(t *testing.T) {
	t.Parallel()
	w, numbers, e := overtaken(t, twins.MaxExportTwins)
	if got := file(t, w, e); got != linesOf(numbers) {
		t.Error(cmp.Diff(linesOf(numbers), got))
	}
}

func TestExportThatAnotherProcessHasFailedGetsNoPart(t *testing.T) {
	t.Parallel()
	w, _, e := overtaken(t, 1)
	if e.Status != twins.ExportFailed {
		t.Errorf("%+v", e)
	}
	if _, keys := storedExports(t, w); keys != 2 {
		t.Errorf("%d keys of bytes, want those of the other export alone", keys)
	}
}

func TestExportsOfCallersWithoutAnIDTakeNoPlaceOfTheSystem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	res, err := w.CreateExport(t.Context(), twins.ExportRequest{OutputFormat: twins.CSV})
	if err != nil {
		t.Fatal(err)
	}
	for range twins.MaxExports + 1 {
		if _, err := w.CreateExport(as(t, user("", acme)), twins.ExportRequest{OutputFormat: twins.CSV}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Export(t.Context(), res.Value().ID); err != nil {
		t.Error(err)
	}
}
