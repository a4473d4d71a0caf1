package realitydata_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// storedWorld fills a store with every type of record, changed and deleted ones
// among them.
func storedWorld(t *testing.T, store storage.Store) *realitydata.Service {
	t.Helper()
	n := 0
	svc := realitydata.New(store, realitydata.Config{Env: twinplatform.Env{
		Now:     func() time.Time { return noon },
		NewGUID: func() string { n++; return fmt.Sprintf("id-%04d", n) },
	}})
	must := recordstest.Must(t)
	ctx := t.Context()
	n1 := whole()
	n1.TwinID, n1.DisplayName = "bridge", recordstest.Name
	_, err := svc.CreateRealityData(ctx, n1)
	must(err)
	for _, name := range []string{"second", "gone"} {
		_, err = svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: "bridge", DisplayName: name, Type: "LAS", OwnerID: "ann"})
		must(err)
	}
	must(svc.Associate(ctx, "id-0002", "road"))
	must(svc.Dissociate(ctx, "id-0002", "bridge"))
	must(svc.Associate(ctx, "id-0001", "road"))
	_, err = svc.UpdateRealityData(ctx, "id-0002", realitydata.RealityDataPatch{OwnerID: twinplatform.Set("bob"), Tags: twinplatform.Set([]string{"Tag"})})
	must(err)
	must(svc.DeleteRealityData(ctx, "id-0003"))
	maker := in(t, "acme", "ann")
	for _, name := range []string{"@ann/cracks", "gone"} {
		_, err = svc.CreateDetector(maker, realitydata.NewDetector{Name: name, Type: realitydata.PhotoObjectDetector, DisplayName: "Cracks"})
		must(err)
	}
	for _, number := range []string{"1.2", "1.10"} {
		_, _, err = svc.CreateDetectorVersion(maker, "@ann/cracks", realitydata.NewDetectorVersion{
			VersionNumber: number, Capabilities: realitydata.Capabilities{Labels: []string{"crack"}, Exports: []realitydata.DetectorExport{realitydata.ExportLines}},
		})
		must(err)
	}
	must(svc.CompleteDetectorVersion(maker, "@ann/cracks", "1.2"))
	must(svc.PublishDetectorVersion(maker, "@ann/cracks", "1.2"))
	must(svc.DeleteDetector(maker, "gone"))
	_, err = svc.CreateJob(ctx, realitydata.AnalysisJobs, realitydata.NewJob{
		Type: realitydata.ChecksumJob, Name: recordstest.Name, TwinID: "road", Inputs: []realitydata.JobInput{{ID: "id-0001"}},
		CostEstimationParameters: &realitydata.JobCostParameters{GigaPixels: 2.5},
	})
	must(err)
	return svc
}

// readEverything reads all that the stored world holds.
func readEverything(t *testing.T, svc *realitydata.Service) (lines []string) {
	t.Helper()
	ctx := t.Context()
	for _, twinID := range []string{"", "bridge", "road"} {
		page, err := svc.RealityDataList(ctx, realitydata.RealityDataQuery{TwinID: twinID})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%q %s", twinID, page.JSON()))
	}
	for _, id := range []string{"id-0001", "id-0002"} {
		rec, err := svc.RealityData(ctx, id, "")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %q %q", rec.ETag, rec.JSON, rec.Value.TwinIDs, rec.Value.AccountID))
	}
	page, err := svc.Detectors(ctx, realitydata.DetectorQuery{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := svc.Detector(ctx, "@ann/cracks")
	if err != nil {
		t.Fatal(err)
	}
	lines = append(lines, fmt.Sprintf("%s %s %+v %s %s", page.JSON(), rec.ETag, rec.Value.Versions, rec.Value.OwnerID, rec.Value.AccountID))
	work, err := svc.Jobs(ctx, realitydata.AnalysisJobs, realitydata.JobQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if work.Len() > 0 {
		lines = append(lines, fmt.Sprintf("jobs %s", work.JSON()))
	}
	return lines
}

var storedFormat = recordstest.Stored{
	World: func(t *testing.T, store storage.Store) { storedWorld(t, store) },
	Read: func(t *testing.T, store storage.Store) []string {
		return readEverything(t, realitydata.New(store, realitydata.Config{}))
	},
	Kinds: realitydata.Kinds(),
}

func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, nil)
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}
