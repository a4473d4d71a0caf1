package realitydata_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// TestMemberOfOneTwinLearnsNothingOfAnother has data that belong to two twins,
// of which the caller may see one.
func TestMemberOfOneTwinLearnsNothingOfAnother(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := newWorld(t, f.folder)
	d := w.create(realitydata.NewRealityData{OwnerID: "owner"})
	if err := w.Associate(t.Context(), d.ID, "road"); err != nil {
		t.Fatal(err)
	}
	user := w.as("user", "realitydata_use", "bridge", "realitydata_manage", "bridge")
	calls := map[string]func(twinID string) error{
		"get": func(twinID string) error {
			_, err := w.RealityData(user, d.ID, twinID)
			return err
		},
		"read access": func(twinID string) error {
			_, err := w.ReadAccess(user, d.ID, twinID)
			return err
		},
		"write access": func(twinID string) error {
			_, err := w.WriteAccess(user, d.ID, twinID)
			return err
		},
		"update": func(twinID string) error {
			_, err := w.UpdateRealityData(user, d.ID, realitydata.RealityDataPatch{TwinID: twinplatform.Set(twinID)})
			return err
		},
		"dissociate": func(twinID string) error { return w.Dissociate(user, d.ID, twinID) },
	}
	for name, call := range calls {
		hidden, missing := call("road"), call("none")
		if diff := cmp.Diff(problemtest.Brief(missing), problemtest.Brief(hidden)); diff != "" || hidden == nil {
			t.Errorf("%s: a hidden twin differs from a missing one (%v): %s", name, hidden, diff)
		}
		if name == "dissociate" {
			continue
		}
		if err := call("bridge"); err != nil {
			t.Errorf("%s through the own twin: %v", name, err)
		}
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		want []string
	}{
		"member of one": {user, []string{"bridge"}},
		"owner":         {w.as("owner"), []string{"bridge", "road"}},
		"administrator": {w.admin("acme"), []string{"bridge", "road"}},
		"system":        {t.Context(), []string{"bridge", "road"}},
	} {
		got, err := w.Twins(test.ctx, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestAccessThroughATwinNeedsThePermissionThere has a caller who manages one
// twin and sees another.
func TestAccessThroughATwinNeedsThePermissionThere(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := newWorld(t, f.folder)
	d := w.create(realitydata.NewRealityData{})
	if err := w.Associate(t.Context(), d.ID, "road"); err != nil {
		t.Fatal(err)
	}
	ctx := w.as("ann", "realitydata_manage", "bridge", "realitydata_create", "road")
	for twinID, want := range map[string][]string{"": nil, "bridge": nil, "road": {"InsufficientPermissions"}} {
		_, read := w.ReadAccess(ctx, d.ID, twinID)
		_, write := w.WriteAccess(ctx, d.ID, twinID)
		if diff := cmp.Diff([][]string{want, want}, [][]string{problemtest.Brief(read), problemtest.Brief(write)}); diff != "" {
			t.Errorf("%q: %s", twinID, diff)
		}
	}
}

// covers: Reality data: state authoring: true while made, false once uploaded
// written is new reality data in a folder, with an access that writes.
func written(t *testing.T, n realitydata.NewRealityData) (f *files, w *world, d realitydata.RealityData, a realitydata.Access) {
	t.Helper()
	f = newFiles(t)
	w = newWorld(t, f.folder)
	d = w.create(n)
	a, err := w.WriteAccess(t.Context(), d.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	return f, w, d, a
}

func TestPatchLeavesTheSizeAloneUnlessItIsTaken(t *testing.T) {
	t.Parallel()
	f, w, d, a := written(t, realitydata.NewRealityData{Authoring: true})
	if status, text := f.do("PUT", a.URL, "a.las", strings.Repeat("x", 1025)); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	size := func(p realitydata.RealityDataPatch) int64 {
		res, err := w.UpdateRealityData(t.Context(), d.ID, p)
		if err != nil {
			t.Fatal(err)
		}
		return res.Value().Size
	}
	if got := size(realitydata.RealityDataPatch{Group: twinplatform.Set("g")}); got != 0 {
		t.Errorf("while authoring the size is %d", got)
	}
	if got := size(realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)}); got != 2 {
		t.Errorf("once uploaded the size is %d", got)
	}
	if got := size(realitydata.RealityDataPatch{Group: twinplatform.Set("h")}); got != 2 {
		t.Errorf("after another change the size is %d", got)
	}
}

func TestSizeFollowsTheFilesOfDataThatAreNotAuthored(t *testing.T) {
	t.Parallel()
	f, w, d, a := written(t, realitydata.NewRealityData{})
	w.now = noon.Add(time.Minute)
	want := func(when string, size int64) {
		t.Helper()
		got, err := w.RealityData(t.Context(), d.ID, "")
		if err != nil || got.Value.Size != size {
			t.Errorf("%s: the size is %d, %v, want %d", when, got.Value.Size, err, size)
		}
		list, err := w.RealityDataList(t.Context(), realitydata.RealityDataQuery{TwinID: "bridge"})
		if err != nil {
			t.Fatal(err)
		}
		listed, err := list.Values()
		if err != nil || len(listed) != 1 || listed[0].Size != size {
			t.Errorf("%s: the list has %+v, %v, want the size %d", when, listed, err, size)
		}
	}
	do := func(method, file string, bytes, status int) {
		t.Helper()
		if got, text := f.do(method, a.URL, file, strings.Repeat("x", bytes)); got != status {
			t.Fatalf("%s %s: %d %s", method, file, got, text)
		}
	}
	want("without files", 0)
	do("PUT", "a/scan.las", 200_004, 201)
	want("with a file", 196)
	do("PUT", "b.las", 1025, 201)
	want("with another file", 197)
	do("PUT", "b.las", 1, 201)
	want("with a smaller one in its place", 196)
	do("DELETE", "a/scan.las", 0, 204)
	want("with one file less", 1)
	if _, err := w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Authoring: twinplatform.Set(true)}); err != nil {
		t.Fatal(err)
	}
	do("PUT", "c.las", 5_000, 201)
	want("while they are made", 1)
	if _, err := w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)}); err != nil {
		t.Fatal(err)
	}
	want("once they are made", 5)
}

func TestManyFilesAtOnceAreAllInTheSize(t *testing.T) {
	t.Parallel()
	f, w, d, a := written(t, realitydata.NewRealityData{})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			if status, text := f.do("PUT", a.URL, fmt.Sprint(i, ".las"), strings.Repeat("x", 2048)); status != 201 {
				t.Errorf("%d %s", status, text)
			}
		})
	}
	all.Wait()
	if got, err := w.RealityData(t.Context(), d.ID, ""); err != nil || got.Value.Size != 24 {
		t.Errorf("twelve files of 2 kB are %d kB, %v", got.Value.Size, err)
	}
}

// measuring counts how often containers are read for their size.
type measuring struct {
	*filestore.Store

	times int
}

func (m *measuring) ContainerSize(ctx context.Context, id string) (int64, error) {
	m.times++
	return m.Store.ContainerSize(ctx, id)
}

func TestNotingTheSizeAfterEachFileReadsNoOtherFiles(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	m := &measuring{Store: f.folder}
	w := newWorld(t, m)
	if err := f.folder.Follow(t.Context(), w.Service); err != nil {
		t.Fatal(err)
	}
	for size, d := range map[int64]*realitydata.RealityData{
		0: new(w.create(realitydata.NewRealityData{Authoring: true})), 24: new(w.create(realitydata.NewRealityData{})),
	} {
		a, err := w.WriteAccess(t.Context(), d.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			if status, text := f.do("PUT", a.URL, fmt.Sprint(i, ".las"), strings.Repeat("x", 2048)); status != 201 {
				t.Fatal(status, text)
			}
		}
		if got, err := w.RealityData(t.Context(), d.ID, ""); err != nil || got.Value.Size != size {
			t.Errorf("twelve files of 2 kB are %d kB, %v, want %d", got.Value.Size, err, size)
		}
	}
	if m.times != 0 {
		t.Errorf("the containers were read %d times", m.times)
	}
}

// covers: Limits of reality data: limit characters prohibited in tags
func TestTagsHaveNoneOfTheProhibitedCharacters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	n := realitydata.NewRealityData{TwinID: "bridge", DisplayName: "x", Type: "LAS"}
	for _, mark := range `\/:*?,"<>|` {
		n.Tags = []string{"a" + string(mark)}
		_, err := w.CreateRealityData(t.Context(), n)
		if diff := cmp.Diff([]string{"InvalidRealityDataRequest", "InvalidValue tags"}, problemtest.Brief(err)); diff != "" {
			t.Errorf("%c: %s", mark, diff)
		}
	}
}

// TestOtherAccountsSeeNoUnpublishedVersion has two Ready versions, of which the
// older is published.
func TestOtherAccountsSeeNoUnpublishedVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	ann, eve := in(t, "acme", "ann"), in(t, "other", "eve")
	if _, err := w.CreateDetector(ann, realitydata.NewDetector{Name: "a", Type: "PhotoObjectDetector"}); err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"1.0", "2.0"} {
		if _, _, err := w.CreateDetectorVersion(ann, "a", realitydata.NewDetectorVersion{VersionNumber: number}); err != nil {
			t.Fatal(err)
		}
		if err := w.CompleteDetectorVersion(ann, "a", number); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.PublishDetectorVersion(ann, "a", "1.0"); err != nil {
		t.Fatal(err)
	}
	for who, test := range map[string]struct {
		ctx  context.Context
		want string
	}{"colleague": {in(t, "acme", "bob"), "2.0"}, "another account": {eve, "1.0"}} {
		rec, err := w.Detector(test.ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		if rec.Value.LatestVersion != test.want || !strings.Contains(string(rec.JSON), `"latestVersion":"`+test.want+`"`) {
			t.Errorf("%s gets %s in %s", who, rec.Value.LatestVersion, rec.JSON)
		}
		page, err := w.Detectors(test.ctx, realitydata.DetectorQuery{})
		if err != nil {
			t.Fatal(err)
		}
		values, err := page.Values()
		if err != nil || len(values) != 1 || values[0].LatestVersion != test.want || !strings.Contains(string(page.JSON()[0]), `"latestVersion":"`+test.want+`"`) {
			t.Errorf("%s lists %+v, %s, %v", who, values, page.JSON(), err)
		}
	}
}

func TestDetectorsOfTheSystemBelongToNoAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	if _, err := w.CreateDetector(t.Context(), realitydata.NewDetector{Name: "a", Type: "PhotoObjectDetector"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.CreateDetector(in(t, "acme", "ann"), realitydata.NewDetector{Name: "a", Type: "PhotoSegmentationDetector"}); err != nil {
		t.Fatal(err)
	}
	if d, err := w.Detector(t.Context(), "a"); err != nil || d.Value.Type != "PhotoObjectDetector" {
		t.Errorf("the system means its own: %v, %v", d.Value, err)
	}
	if err := w.DeleteDetector(in(t, "acme", "ann"), "a"); err != nil {
		t.Fatal(err)
	}
	for _, account := range []string{"", "acme"} {
		if _, err := w.Detector(in(t, account, ""), "a"); problemtest.Brief(err) == nil || problemtest.Brief(err)[0] != "DetectorNotFound" {
			t.Errorf("account %q: %v", account, err)
		}
		if err := w.DeleteDetector(in(t, account, ""), "a"); problemtest.Brief(err) == nil || problemtest.Brief(err)[0] != "DetectorNotFound" {
			t.Errorf("account %q deletes: %v", account, err)
		}
	}
}

// Who belongs to no account sees the own detectors and those of no one else.
func TestDetectorOfSomeoneWithoutAnAccountIsTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	mine, other := in(t, "", "noa"), in(t, "", "ben")
	if _, err := w.CreateDetector(mine, realitydata.NewDetector{Name: "a", Type: "PhotoObjectDetector"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Detector(mine, "a"); err != nil {
		t.Errorf("its maker reads it: %v", err)
	}
	if _, err := w.Detector(other, "a"); problemtest.Brief(err) == nil || problemtest.Brief(err)[0] != "DetectorNotFound" {
		t.Errorf("another one reads it: %v", err)
	}
	if err := w.DeleteDetector(other, "a"); problemtest.Brief(err) == nil || problemtest.Brief(err)[0] != "DetectorNotFound" {
		t.Errorf("another one deletes it: %v", err)
	}
	if err := w.DeleteDetector(mine, "a"); err != nil {
		t.Errorf("its maker deletes it: %v", err)
	}
}

func TestDetectorNamesThatNoPathCanCarry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, name := range []string{".", "..", "/"} {
		_, err := w.CreateDetector(t.Context(), realitydata.NewDetector{Name: name, Type: "PhotoObjectDetector"})
		if diff := cmp.Diff([]string{"InvalidRealityAnalysisRequest", "InvalidValue detector.name"}, problemtest.Brief(err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTwinsThatHoldDataAreReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d := w.create(realitydata.NewRealityData{})
	for twinID, want := range map[string]string{"bridge": "reality data", "bridg": "", "road": ""} {
		if got, err := w.HoldsOf(t.Context(), twinID); got != want || err != nil {
			t.Errorf("%s: %q, %v", twinID, got, err)
		}
	}
	if err := w.DeleteRealityData(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := w.HoldsOf(t.Context(), "bridge"); got != "" || err != nil {
		t.Errorf("after the deletion: %q, %v", got, err)
	}
}
