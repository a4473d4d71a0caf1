package realitydata_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// scanned is a world with a scan of two files, and maker, who may use and make data there.
func scanned(t *testing.T) (f *files, w *world, maker context.Context, scan realitydata.RealityData) {
	t.Helper()
	f = newFiles(t)
	w = newWorld(t, f.folder)
	scan = w.create(realitydata.NewRealityData{RootDocument: "a/one.las", Classification: realitydata.Terrain, Authoring: true})
	f.fill(w, scan.ID, map[string]string{"a/one.las": "first", "two.las": "second"})
	return f, w, w.as("maker", "realitydata_use", "bridge", "realitydata_create", "bridge"), scan
}

func (f *files) fill(w *world, id string, content map[string]string) {
	f.t.Helper()
	access, err := w.WriteAccess(f.t.Context(), id, "")
	if err != nil {
		f.t.Fatal(err)
	}
	for name, body := range content {
		if status, text := f.do("PUT", access.URL, name, body); status != 201 {
			f.t.Fatal(name, status, text)
		}
	}
}

// read is what a file of reality data holds.
func (f *files) read(w *world, id, name string) string {
	f.t.Helper()
	access, err := w.ReadAccess(f.t.Context(), id, "")
	if err != nil {
		f.t.Fatal(err)
	}
	status, text := f.do("GET", access.URL, name, "")
	return fmt.Sprint(status, " ", text)
}

// job makes a job.
func (w *world) job(ctx context.Context, of realitydata.JobService, typ realitydata.JobType, inputs ...string) realitydata.Job {
	w.t.Helper()
	n := realitydata.NewJob{Type: typ, Name: "Job", TwinID: "bridge"}
	if of == realitydata.ConversionJobs {
		n.Outputs = []string{"LAS"}
	}
	for _, id := range inputs {
		n.Inputs = append(n.Inputs, realitydata.JobInput{ID: id})
	}
	res, err := w.CreateJob(ctx, of, n)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Value()
}

func (w *world) submit(ctx context.Context, of realitydata.JobService, id string) realitydata.Job {
	w.t.Helper()
	res, err := w.UpdateJob(ctx, of, id, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobActive)})
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Value()
}

// covers: operations conversionJobs.create conversionJobs.get conversionJobs.update conversionJobs.progress
func TestConversionJobCopiesTheFilesOfItsInputs(t *testing.T) {
	t.Parallel()
	f, w, maker, scan := scanned(t)
	made := w.job(maker, realitydata.ConversionJobs, realitydata.ConversionJob, scan.ID)
	if made.State != realitydata.JobUnsubmitted || made.Outputs[0].ID != "" || made.Inputs[0].Type != "LAS" || made.OwnerID != "maker" {
		t.Errorf("%+v", made)
	}
	asItIs := realitydata.JobPatch{State: twinplatform.Set(made.State), Name: twinplatform.Set(made.Name), Options: twinplatform.Set(made.Options)}
	if res, err := w.UpdateJob(maker, realitydata.ConversionJobs, made.ID, asItIs); err != nil || res.Value().State != realitydata.JobUnsubmitted {
		t.Errorf("sent back as it was read: %+v, %v", res.Value(), err)
	}
	done := w.submit(maker, realitydata.ConversionJobs, made.ID)
	_, err := w.UpdateJob(maker, realitydata.ConversionJobs, made.ID, asItIs)
	wantFault(t, err, "JobSubmitted")
	if done.State != realitydata.JobSucceeded || done.ExecutionInformation.EndedDateTime == nil {
		t.Fatalf("%+v", done)
	}
	out := string(done.Outputs[0].ID)
	for name, want := range map[string]string{"a/one.las": "200 first", "two.las": "200 second"} {
		if got := f.read(w, out, name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	rec, err := w.RealityData(maker, out, "bridge")
	if d := rec.Value; err != nil || d.Authoring || d.Size != 1 || d.RootDocument != "a/one.las" || d.Classification != realitydata.Terrain || d.OwnerID != "maker" || d.Type != "LAS" {
		t.Errorf("%+v, %v", d, err)
	}
	if p, err := w.JobProgress(maker, realitydata.ConversionJobs, made.ID); err != nil || p.Percentage != 100 || p.State != realitydata.JobSucceeded {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = w.UpdateJob(maker, realitydata.ConversionJobs, made.ID, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobActive)})
	wantFault(t, err, "JobSubmitted")
	_, err = w.UpdateJob(maker, realitydata.ConversionJobs, made.ID, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobCancelled)})
	wantFault(t, err, "JobNotActive")
}

func wantFault(t *testing.T, err error, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, problemtest.Brief(err)); diff != "" {
		t.Error(diff)
	}
}

// covers: operations analysisJobs.create analysisJobs.get analysisJobs.update analysisJobs.progress
func TestAnalysesWriteSumsAndListings(t *testing.T) {
	t.Parallel()
	f, w, maker, scan := scanned(t)
	other := w.create(realitydata.NewRealityData{Type: "OPC", Authoring: true})
	f.fill(w, other.ID, map[string]string{"b.opc": "x"})
	sums := w.submit(maker, realitydata.AnalysisJobs, w.job(maker, realitydata.AnalysisJobs, realitydata.ChecksumJob, scan.ID, other.ID).ID)
	out := string(sums.Outputs[0].ID)
	// The sum of "second".
	want := "200 16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4  two.las\n"
	if got := f.read(w, out, scan.ID+"/two.las.sha256"); got != want {
		t.Errorf("%q", got)
	}
	if got := f.read(w, out, other.ID+"/b.opc.sha256"); !strings.HasSuffix(got, "  b.opc\n") {
		t.Errorf("%q", got)
	}
	tiles := w.submit(maker, realitydata.AnalysisJobs, w.job(maker, realitydata.AnalysisJobs, realitydata.TileListingJob, scan.ID).ID)
	if got := f.read(w, string(tiles.Outputs[0].ID), "tiles.json"); got != `200 {"tiles":[{"name":"a/one.las","size":5},{"name":"two.las","size":6}]}` {
		t.Error(got)
	}
}

func TestJobsThatThePlatformDoesNotDoAreRefusedByName(t *testing.T) {
	t.Parallel()
	_, w, maker, scan := scanned(t)
	elsewhere := w.create(realitydata.NewRealityData{TwinID: "road"})
	create := func(ctx context.Context, of realitydata.JobService, change func(*realitydata.NewJob)) error {
		n := realitydata.NewJob{Type: realitydata.ConversionJob, Name: "Job", TwinID: "bridge", Inputs: []realitydata.JobInput{{ID: scan.ID}}, Outputs: []string{"LAS"}}
		change(&n)
		_, err := w.CreateJob(ctx, of, n)
		return err
	}
	for want, change := range map[string]func(*realitydata.NewJob){
		"InvalidValue type":              func(n *realitydata.NewJob) { n.Type = "Full" },
		"MissingRequiredProperty type":   func(n *realitydata.NewJob) { n.Type = "" },
		"MissingRequiredProperty name":   func(n *realitydata.NewJob) { n.Name = "  " },
		"InvalidValue name":              func(n *realitydata.NewJob) { n.Name = strings.Repeat("x", realitydata.MaxName+1) },
		"MissingRequiredProperty twinId": func(n *realitydata.NewJob) { n.TwinID = "" },
		"MissingRequiredProperty inputs": func(n *realitydata.NewJob) { n.Inputs = nil },
		"InvalidValue inputs": func(n *realitydata.NewJob) {
			n.Inputs = make([]realitydata.JobInput, realitydata.MaxJobInputs+1)
			fillIDs(n.Inputs)
		},
		"MissingRequiredProperty outputs":        func(n *realitydata.NewJob) { n.Outputs = nil },
		"InvalidValue outputs":                   func(n *realitydata.NewJob) { n.Outputs = []string{"OPC"} },
		"InvalidValue options.merge":             func(n *realitydata.NewJob) { n.Options.Merge = true },
		"InvalidValue options.processingEngines": func(n *realitydata.NewJob) { n.Options.ProcessingEngines = -1 },
		"InvalidValue costEstimationParameters.gigaPixels": func(n *realitydata.NewJob) {
			n.CostEstimationParameters = &realitydata.JobCostParameters{GigaPixels: -1}
		},
	} {
		wantFault(t, create(maker, realitydata.ConversionJobs, change), "InvalidRealityDataRequest", want)
	}
	same := func(*realitydata.NewJob) {}
	err := create(maker, realitydata.AnalysisJobs, same)
	if brief := fmt.Sprint(problemtest.Brief(err)); !strings.Contains(brief, "InvalidValue type") {
		t.Errorf("a conversion by the analysis: %v", err)
	}
	wantFault(t, create(maker, realitydata.ConversionJobs, func(n *realitydata.NewJob) { n.Inputs[0].ID = elsewhere.ID }), "RealityDataNotFound")
	if err := create(w.as("reader", "realitydata_use", "bridge"), realitydata.ConversionJobs, same); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("a reader makes a job: %v", err)
	}
	if err := create(w.as("blind", "realitydata_create", "bridge"), realitydata.ConversionJobs, same); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("who may not read the input makes a job of it: %v", err)
	}
	none := newWorld(t, nil)
	made := none.job(t.Context(), realitydata.ConversionJobs, realitydata.ConversionJob, none.create(realitydata.NewRealityData{}).ID)
	_, err = none.UpdateJob(t.Context(), realitydata.ConversionJobs, made.ID, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobActive)})
	wantFault(t, err, "StorageUnavailable")
}

func fillIDs(all []realitydata.JobInput) {
	for i := range all {
		all[i].ID = fmt.Sprint(i)
	}
}

// covers: operations conversionJobs.list analysisJobs.list conversionJobs.delete analysisJobs.delete
func TestJobsAreListedChangedAndDeletedByWhoMay(t *testing.T) {
	t.Parallel()
	_, w, maker, scan := scanned(t)
	first := w.job(maker, realitydata.ConversionJobs, realitydata.ConversionJob, scan.ID)
	second := w.submit(maker, realitydata.ConversionJobs, w.job(maker, realitydata.ConversionJobs, realitydata.ConversionJob, scan.ID).ID)
	w.job(maker, realitydata.AnalysisJobs, realitydata.ChecksumJob, scan.ID)
	reader, stranger := w.as("reader", "realitydata_use", "bridge"), w.as("stranger")
	count := func(ctx context.Context, q realitydata.JobQuery) int {
		n := 0
		q.Top = 1
		list := func(ctx context.Context, q realitydata.JobQuery) (twinplatform.Page[realitydata.Job], error) {
			return w.Jobs(ctx, realitydata.ConversionJobs, q)
		}
		for _, err := range twinplatform.All(ctx, list, q) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	for name, tt := range map[string]struct {
		ctx  context.Context
		q    realitydata.JobQuery
		want int
	}{
		"of the maker":                {maker, realitydata.JobQuery{}, 2},
		"of the twin":                 {reader, realitydata.JobQuery{TwinID: "bridge"}, 2},
		"of the reader":               {reader, realitydata.JobQuery{}, 0},
		"of a twin that is not there": {stranger, realitydata.JobQuery{TwinID: twinplatform.NewGUID()}, 0},
		"that have succeeded":         {maker, realitydata.JobQuery{State: realitydata.JobSucceeded}, 1},
		"of the account":              {w.admin("acme"), realitydata.JobQuery{Type: realitydata.ConversionJob}, 2},
		"of another account":          {w.admin("other"), realitydata.JobQuery{}, 0},
		"of all":                      {t.Context(), realitydata.JobQuery{}, 2},
	} {
		if got := count(tt.ctx, tt.q); got != tt.want {
			t.Errorf("jobs %s: %d, want %d", name, got, tt.want)
		}
	}
	for _, ctx := range []context.Context{stranger, w.admin("other")} {
		_, err := w.Jobs(ctx, realitydata.ConversionJobs, realitydata.JobQuery{TwinID: "bridge"})
		wantFault(t, err, "InvalidRealityDataRequest", "InvalidValue twinId")
	}
	_, err := w.Jobs(maker, realitydata.ConversionJobs, realitydata.JobQuery{State: "done", Type: realitydata.ChecksumJob})
	wantFault(t, err, "InvalidRealityDataRequest", "InvalidValue state", "InvalidValue type")
	_, err = w.Job(maker, realitydata.AnalysisJobs, first.ID)
	wantFault(t, err, "JobNotFound")
	_, err = w.Job(stranger, realitydata.ConversionJobs, first.ID)
	wantFault(t, err, "JobNotFound")
	if err := w.DeleteJob(reader, realitydata.ConversionJobs, first.ID); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("a reader deletes a job: %v", err)
	}
	patch := realitydata.JobPatch{Name: twinplatform.Set("Other"), CostEstimationParameters: twinplatform.Set(realitydata.JobCostParameters{GigaPixels: 2.5})}
	res, err := w.UpdateJob(maker, realitydata.ConversionJobs, first.ID, patch)
	if j := res.Value(); err != nil || j.Name != "Other" || j.CostEstimation.GigaPixels != 2.5 || j.CostEstimation.EstimatedCost != 0 {
		t.Errorf("%+v, %v", j, err)
	}
	_, err = w.UpdateJob(maker, realitydata.ConversionJobs, second.ID, patch)
	wantFault(t, err, "JobSubmitted")
	_, err = w.UpdateJob(maker, realitydata.ConversionJobs, first.ID, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobFailed), Name: twinplatform.Null[string]()})
	wantFault(t, err, "InvalidRealityDataRequest", "InvalidValue state", "MissingRequiredProperty name")
	for _, id := range []string{first.ID, second.ID} {
		if err := w.DeleteJob(maker, realitydata.ConversionJobs, id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.RealityData(maker, string(second.Outputs[0].ID), ""); err != nil {
		t.Error("what a job has made goes with the job:", err)
	}
	wantFault(t, w.DeleteJob(maker, realitydata.ConversionJobs, first.ID), "JobNotFound")
}

// reluctant is a folder of which a file cannot be written.
type reluctant struct {
	*filestore.Store
	before func()
}

func (r *reluctant) ListFiles(ctx context.Context, containerID, after string, yield func(name string, size int64) bool) error {
	if r.before != nil {
		r.before()
	}
	return r.Store.ListFiles(ctx, containerID, after, yield)
}

// What a job has made goes where the job does not come to its end, in records and in bytes.
func TestNothingIsLeftOfAJobThatFailsOrIsCancelled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		at   int // the listing of its input before which it is stopped; the file is there at the second
		stop func(w *world, maker context.Context, id string)
		want realitydata.JobState
	}{
		"its maker loses the right": {1, func(w *world, _ context.Context, _ string) {
			delete(w.grants, [3]string{"maker", "realitydata_use", "bridge"})
			delete(w.grants, [3]string{"maker", "realitydata_create", "bridge"})
		}, realitydata.JobFailed},
		"it is cancelled": {2, func(w *world, maker context.Context, id string) {
			if _, err := w.UpdateJob(maker, realitydata.ConversionJobs, id, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobCancelled)}); err != nil {
				w.t.Error(err)
			}
		}, realitydata.JobCancelled},
		"it is deleted": {2, func(w *world, maker context.Context, id string) {
			if err := w.DeleteJob(maker, realitydata.ConversionJobs, id); err != nil {
				w.t.Error(err)
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFiles(t)
			r := &reluctant{Store: f.folder}
			w := newWorld(t, r)
			if err := f.folder.Follow(t.Context(), w.Service); err != nil {
				t.Fatal(err)
			}
			scan := w.create(realitydata.NewRealityData{Authoring: true})
			f.fill(w, scan.ID, map[string]string{"one.las": "first"})
			maker := w.as("maker", "realitydata_use", "bridge", "realitydata_create", "bridge")
			id := w.job(maker, realitydata.ConversionJobs, realitydata.ConversionJob, scan.ID).ID
			times, out := 0, ""
			r.before = func() {
				if times++; times == tt.at {
					rec, err := w.Job(t.Context(), realitydata.ConversionJobs, id)
					if err != nil {
						t.Fatal(err)
					}
					out = string(rec.Value.Outputs[0].ID)
					tt.stop(w, maker, id)
				}
			}
			res, err := w.UpdateJob(maker, realitydata.ConversionJobs, id, realitydata.JobPatch{State: twinplatform.Set(realitydata.JobActive)})
			switch j := res.Value(); {
			case tt.want == "":
				wantFault(t, err, "JobNotFound")
			case name == "its maker loses the right":
				rec, err := w.Job(t.Context(), realitydata.ConversionJobs, id)
				if j = rec.Value; err != nil || j.State != tt.want || j.FailureDescription == "" || j.Outputs[0].ID != "" {
					t.Errorf("%+v, %v", j, err)
				}
			case err != nil || j.State != tt.want || j.Outputs[0].ID != "":
				t.Errorf("%+v, %v", j, err)
			}
			if _, err := w.RealityData(t.Context(), out, ""); !errors.Is(err, twinplatform.NotFound) {
				t.Errorf("the record remains: %v", err)
			}
			if n, err := f.folder.ContainerSize(t.Context(), out); err != nil || n != 0 {
				t.Errorf("%d bytes remain, %v", n, err)
			}
		})
	}
}

// Another process does what one has accepted, as the user that submitted it.
func TestJobInTheBackgroundOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	store, ended := storetest.New(t), make(chan struct{}, 1)
	if err := records.New(store).Update(t.Context(), func(u *records.Update) error { return u.Listen() }); err != nil {
		t.Fatal(err)
	}
	open := func() *world {
		w := &world{t: t, grants: grants{}, now: noon}
		w.Service = realitydata.New(store, realitydata.Config{
			Env: twinplatform.Env{Authorizer: w.grants, Background: true, OnEvents: func() {
				select {
				case ended <- struct{}{}:
				default:
				}
			}},
			Twins: directory{"bridge": "acme"}, Containers: f.folder,
		})
		if err := f.folder.Follow(t.Context(), w.Service); err != nil {
			t.Fatal(err)
		}
		return w
	}
	first := open()
	scan := first.create(realitydata.NewRealityData{Authoring: true})
	f.fill(first, scan.ID, map[string]string{"one.las": "first"})
	id := first.job(t.Context(), realitydata.ConversionJobs, realitydata.ConversionJob, scan.ID).ID
	if j := first.submit(t.Context(), realitydata.ConversionJobs, id); j.State != realitydata.JobActive {
		t.Fatalf("%+v", j)
	}
	second := open()
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- second.Run(ctx) }()
	<-ended
	stop()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	rec, err := second.Job(t.Context(), realitydata.ConversionJobs, id)
	if err != nil || rec.Value.State != realitydata.JobSucceeded {
		t.Fatalf("%s, %v", rec.JSON, err)
	}
	if got := f.read(second, string(rec.Value.Outputs[0].ID), "one.las"); got != "200 first" {
		t.Error(got)
	}
}
