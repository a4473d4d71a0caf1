package realitydata_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

func in(t *testing.T, account, id string) context.Context {
	return twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: id, AccountID: account})
}

// covers: Detector: value PhotoObjectDetector
// covers: Detector: value PhotoSegmentationDetector
// covers: Detector: value OrthophotoSegmentationDetector
// covers: Detector: value PointCloudSegmentationDetector
// covers: Detector
func TestDetectorHasItsPropertiesAndDefaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, typ := range []realitydata.DetectorType{
		"PhotoObjectDetector", "PhotoSegmentationDetector", "OrthophotoSegmentationDetector", "PointCloudSegmentationDetector",
	} {
		name := "@ann/" + string(typ)
		res, err := w.CreateDetector(in(t, "acme", "ann"), realitydata.NewDetector{Name: name, Type: typ})
		if err != nil {
			t.Fatal(err)
		}
		want := realitydata.Detector{Name: name, Type: typ, Versions: []realitydata.DetectorVersion{}, OwnerID: "ann", AccountID: "acme"}
		if diff := cmp.Diff(want, res.Value()); diff != "" {
			t.Error(diff)
		}
		if want := `{"description":null,"displayName":null,"documentationUrl":null,"name":"` + name + `","type":"` + string(typ) + `"}`; string(res.Records[0].JSON) != want {
			t.Errorf("got %s", res.Records[0].JSON)
		}
	}
}

// covers: Detector: rule name and type are required
// covers: Detector: error InvalidRealityAnalysisRequest
// covers: Detector: error detector.type
func TestWrongDetectorsAreRefusedTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	long := strings.Repeat("x", 256)
	for name, test := range map[string]struct {
		n    realitydata.NewDetector
		want []string
	}{
		"nothing":      {realitydata.NewDetector{}, []string{"InvalidRealityAnalysisRequest", "MissingRequiredProperty detector.name", "MissingRequiredProperty detector.type"}},
		"unknown type": {realitydata.NewDetector{Name: "a", Type: "X"}, []string{"InvalidRealityAnalysisRequest", "InvalidValue detector.type"}},
		"all wrong": {
			realitydata.NewDetector{Name: long, Type: "X", DisplayName: "<b>", Description: "\x00"},
			[]string{"InvalidRealityAnalysisRequest", "InvalidValue detector.name", "InvalidValue detector.type", "InvalidValue detector.displayName", "InvalidValue detector.description"},
		},
	} {
		_, err := w.CreateDetector(t.Context(), test.n)
		if diff := cmp.Diff(test.want, problemtest.Brief(err)); diff != "" || !errors.Is(err, twinplatform.Invalid) {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
	n := realitydata.NewDetector{Name: "a", Type: "PhotoObjectDetector"}
	if _, err := w.CreateDetector(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	if _, err := w.CreateDetector(t.Context(), n); !errors.Is(err, twinplatform.Conflict) || problemtest.Brief(err)[0] != "DetectorExists" {
		t.Errorf("the same name again: %v", err)
	}
}

// covers: operations of detectors
func TestVersionGoesFromAwaitingDataToPublished(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := newWorld(t, f.folder)
	ann, bob := in(t, "acme", "ann"), in(t, "other", "bob")
	const name = "@ann/cracks"
	if _, err := w.CreateDetector(ann, realitydata.NewDetector{Name: name, Type: "PhotoObjectDetector"}); err != nil {
		t.Fatal(err)
	}
	latest := func() string {
		rec, err := w.Detector(ann, name)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Value.LatestVersion
	}
	for _, number := range []string{"1.2", "1.10", "0.9"} {
		v, upload, err := w.CreateDetectorVersion(ann, name, realitydata.NewDetectorVersion{
			VersionNumber: number, Capabilities: realitydata.Capabilities{Labels: []string{"crack"}, Exports: []realitydata.DetectorExport{"Objects", "Lines", "Polygons", "Locations"}},
		})
		if err != nil || v.Status != "AwaitingData" || v.CreatorID != "ann" || upload == "" {
			t.Fatalf("got %+v, %q, %v", v, upload, err)
		}
		if status, text := f.do("PUT", upload, "model.onnx", "bytes"); status != 201 {
			t.Errorf("upload: %d %s", status, text)
		}
	}
	rec, err := w.Detector(ann, name)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []string
	for _, v := range rec.Value.Versions {
		numbers = append(numbers, v.VersionNumber)
	}
	if diff := cmp.Diff([]string{"1.10", "1.2", "0.9"}, numbers); diff != "" || latest() != "" {
		t.Error(diff, latest())
	}
	if _, err := w.DownloadURL(ann, name, "1.2"); problemtest.Brief(err)[0] != "DetectorVersionNotFound" {
		t.Errorf("a version that awaits its data can be loaded: %v", err)
	}
	if err := w.PublishDetectorVersion(ann, name, "1.2"); problemtest.Brief(err)[0] != "DetectorVersionNotReady" {
		t.Errorf("a version that awaits its data is published: %v", err)
	}
	if _, err := w.Detector(bob, name); problemtest.Brief(err)[0] != "DetectorNotFound" {
		t.Errorf("another account sees it: %v", err)
	}
	for _, step := range []func(context.Context, string, string, ...twinplatform.Precondition) error{w.CompleteDetectorVersion, w.PublishDetectorVersion} {
		if err := step(ann, name, "1.2"); err != nil {
			t.Fatal(err)
		}
	}
	if latest() != "1.2" {
		t.Errorf("the latest version is %s", latest())
	}
	download, err := w.DownloadURL(bob, name, "1.2")
	if err != nil {
		t.Fatal(err)
	}
	if status, got := f.do("GET", download, "model.onnx", ""); status != 200 || got != "bytes" {
		t.Errorf("download: %d %q", status, got)
	}
	seen, err := w.Detector(bob, name)
	if err != nil || len(seen.Value.Versions) != 1 {
		t.Errorf("another account sees %+v, %v", seen.Value.Versions, err)
	}
	if err := w.PublishDetectorVersion(bob, name, "1.2"); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("another account changes it: %v", err)
	}
	if err := w.UnpublishDetectorVersion(ann, name, "1.2"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Detector(bob, name); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("after it was taken back: %v", err)
	}
	if err := w.DeleteDetectorVersion(ann, name, "1.2"); err != nil || latest() != "" {
		t.Error(err, latest())
	}
	if err := w.DeleteDetectorVersion(ann, name, "1.2"); problemtest.Brief(err)[0] != "DetectorVersionNotFound" {
		t.Errorf("deleted twice: %v", err)
	}
	if err := w.DeleteDetector(ann, name); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Detector(ann, name); problemtest.Brief(err)[0] != "DetectorNotFound" {
		t.Errorf("got %v", err)
	}
}

func TestWrongVersionsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	if _, err := w.CreateDetector(t.Context(), realitydata.NewDetector{Name: "a", Type: "PhotoObjectDetector"}); err != nil {
		t.Fatal(err)
	}
	create := func(name string, n realitydata.NewDetectorVersion) error {
		_, _, err := w.CreateDetectorVersion(t.Context(), name, n)
		return err
	}
	for _, number := range []string{"", "1", "1.", ".1", "1.0.0", "v1.0", "01.0", "1.x", "-1.0", " 1.0", "1234567.0"} {
		want := []string{"InvalidRealityAnalysisRequest", "InvalidProperty versionNumber"}
		if diff := cmp.Diff(want, problemtest.Brief(create("a", realitydata.NewDetectorVersion{VersionNumber: number}))); diff != "" {
			t.Errorf("%q: %s", number, diff)
		}
	}
	bad := realitydata.NewDetectorVersion{VersionNumber: "1.0", Capabilities: realitydata.Capabilities{Exports: []realitydata.DetectorExport{"Circles"}}}
	if diff := cmp.Diff([]string{"InvalidRealityAnalysisRequest", "InvalidValue capabilities.exports"}, problemtest.Brief(create("a", bad))); diff != "" {
		t.Error(diff)
	}
	if got := problemtest.Brief(create("none", realitydata.NewDetectorVersion{VersionNumber: "1.0"})); got[0] != "DetectorNotFound" {
		t.Errorf("got %v", got)
	}
	for _, want := range []string{"", "DetectorVersionExists"} {
		err := create("a", realitydata.NewDetectorVersion{VersionNumber: "1.0"})
		if got := problemtest.Brief(err); want == "" && err != nil || want != "" && got[0] != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// covers: operations detectors.update
func TestDetectorsAreChangedByTheirMakerAndAdministrators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	if _, err := w.CreateDetector(in(t, "acme", "ann"), realitydata.NewDetector{Name: "a", Type: "PhotoObjectDetector"}); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		want error
	}{
		"maker":                 {in(t, "acme", "ann"), nil},
		"administrator":         {w.admin("acme"), nil},
		"colleague":             {in(t, "acme", "bob"), twinplatform.Forbidden},
		"another account":       {in(t, "other", "ann"), twinplatform.NotFound},
		"another administrator": {w.admin("other"), twinplatform.NotFound},
	} {
		for _, ifMatch := range []string{"", `"old"`} {
			_, err := w.UpdateDetector(test.ctx, "a", realitydata.DetectorPatch{DisplayName: twinplatform.Set(name)}, twinplatform.IfMatch(ifMatch))
			want := test.want
			if ifMatch != "" && want == nil {
				want = twinplatform.Conflict
			}
			if !errors.Is(err, want) || want == nil && err != nil {
				t.Errorf("%s with %q: got %v, want %v", name, ifMatch, err, want)
			}
		}
		if test.want != nil {
			if err := w.DeleteDetector(test.ctx, "a"); !errors.Is(err, test.want) {
				t.Errorf("%s deletes: got %v", name, err)
			}
		}
	}
}

// covers: operations detectors.list
func TestDetectorsAreListedByNameAndFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for name, typ := range map[string]realitydata.DetectorType{"a": "PhotoObjectDetector", "b": "PhotoSegmentationDetector", "it's": "PhotoObjectDetector"} {
		if _, err := w.CreateDetector(in(t, "acme", "ann"), realitydata.NewDetector{Name: name, Type: typ}); err != nil {
			t.Fatal(err)
		}
	}
	list := func(ctx context.Context, filter string) (names []string) {
		page, err := w.Detectors(ctx, realitydata.DetectorQuery{Filter: filter})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range page.OnPage() {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, d.Name)
		}
		return names
	}
	colleague := in(t, "acme", "bob")
	for filter, want := range map[string][]string{
		"": {"a", "b", "it's"}, "type eq 'PhotoObjectDetector'": {"a", "it's"}, "name eq 'it''s'": {"it's"}, "name eq 'x'": nil,
	} {
		if diff := cmp.Diff(want, list(colleague, filter)); diff != "" {
			t.Errorf("%s: %s", filter, diff)
		}
	}
	if got := list(in(t, "other", "eve"), ""); got != nil {
		t.Errorf("another account lists %v", got)
	}
	for _, filter := range []string{"type", "type ne 'a'", "colour eq 'red'", "name eq a", "name eq '"} {
		if _, err := w.Detectors(colleague, realitydata.DetectorQuery{Filter: filter}); len(problemtest.Brief(err)) != 2 || problemtest.Brief(err)[1] != "InvalidValue filter" {
			t.Errorf("%s: got %v", filter, err)
		}
	}
}
