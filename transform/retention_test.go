package transform_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

const month = 30 * 24 * time.Hour

// at is a service over the same store with its own clock.
func (p *plant) at(store storage.Store, now func() time.Time) *transform.Service {
	return transform.New(store, transform.Config{Env: twinplatform.Env{Now: now}, Twins: twins{"source", "target"}})
}

// followed are the transformations into the target that have changed since a listing,
// those that are deleted marked, with the token of the next.
func followed(t *testing.T, svc *transform.Service, delta string) (ids []string, next string) {
	t.Helper()
	page, err := svc.Transformations(t.Context(), transform.TransformationQuery{ListOptions: twinplatform.ListOptions{Delta: delta}, TargetModelID: "target-model"})
	if err != nil {
		t.Fatal(err)
	}
	for v := range page.OnPage() {
		if v.Deleted {
			v.ID += " deleted"
		}
		ids = append(ids, v.ID)
	}
	return ids, page.Delta
}

func TestTransformationsAreForgottenSomeTimeAfterTheirEndAndLaterOnesGoOnFromThem(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	now := noon
	svc := p.at(p.Store, func() time.Time { return now })
	p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", "")}})
	p.configure(models.View{}, "")
	old := start(t, svc, p.conf, false).ID
	ids, token := followed(t, svc, "")
	if diff := gocmp.Diff([]string{old}, ids); diff != "" {
		t.Error(diff)
	}
	if err := svc.PurgeDeleted(t.Context(), time.Second); err != nil || status(t, svc, old) != transform.Succeeded {
		t.Errorf("before its time: %v", err)
	}
	now = now.Add(month)
	if err := svc.PurgeDeleted(t.Context(), month); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Transformation(t.Context(), old); !modelstest.IsCode(err, "TransformationNotFound") {
		t.Errorf("after its time: %v", err)
	}
	p.Change(models.NewChangeset{Inserted: []models.NewElement{part("door", "doors", "", "")}})
	later := start(t, svc, p.conf, false)
	if later.Report.Full || later.TotalElementCount != 1 {
		t.Errorf("a later one looks at everything: %+v", later)
	}
	p.holds(map[string]string{"wall": whole("wall", ","), "door": whole("door", ",")})
	ids, _ = followed(t, svc, token)
	if diff := gocmp.Diff([]string{old + " deleted", later.ID}, ids); diff != "" {
		t.Errorf("a copy gets %s", diff)
	}
	now = now.Add(month)
	if err := svc.PurgeDeleted(t.Context(), month); err != nil {
		t.Fatal(err)
	}
	_, err := svc.Transformations(t.Context(), transform.TransformationQuery{ListOptions: twinplatform.ListOptions{Delta: token}, TargetModelID: "target-model"})
	if !errors.Is(err, twinplatform.ErrTokenExpired) {
		t.Errorf("a token from before what is forgotten: %v", err)
	}
}

func TestRunForgetsTransformationsByRetain(t *testing.T) {
	t.Parallel()
	for retain, want := range map[time.Duration]string{0: "TransformationNotFound", 60 * 24 * time.Hour: "", -1: ""} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlant(t)
			p.configure(models.View{}, "")
			svc := transform.New(p.Store, transform.Config{Env: twinplatform.Env{Retain: retain}, Twins: twins{"source", "target"}})
			id := start(t, svc, p.conf, false).ID
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- svc.Run(ctx) }()
			time.Sleep(month - time.Hour)
			if got := status(t, svc, id); got != transform.Succeeded {
				t.Errorf("retained for %s, before its time: %s", retain, got)
			}
			time.Sleep(3 * time.Hour)
			if _, err := svc.Transformation(t.Context(), id); (err != nil || want != "") && !modelstest.IsCode(err, want) {
				t.Errorf("retained for %s: %v", retain, err)
			}
			if stop(); <-ended != nil {
				t.Error("Run failed")
			}
		})
	}
}

func TestTransformationsGoWithTheirConfigurationInStepsThatSurviveARestart(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.configure(models.View{}, "")
	for range 40 {
		p.run()
	}
	doomed, now := p.conf, noon
	p.configure(models.View{}, "")
	kept := p.run().ID
	_, token := followed(t, p.Service, "")
	dying := storetest.Over(p.Store)
	dying.FailAfter(2, errDied) // the first is that of opening the store
	slow := p.at(dying, func() time.Time { now = now.Add(time.Second); return now })
	if err := slow.DeleteConfiguration(t.Context(), doomed); err != nil { // it continues without its caller
		t.Fatal(err)
	}
	if _, err := p.Configuration(t.Context(), doomed); !modelstest.IsCode(err, "ConfigurationNotFound") {
		t.Errorf("the configuration: %v", err)
	}
	if n := p.Keys("transform/transformations/r/"); n != 25 {
		t.Errorf("after one step, %d transformations are left, want 25", n)
	}
	p.resume()
	if n := p.Keys("transform/transformations/r/"); n != 1 || status(t, p.Service, kept) != transform.Succeeded {
		t.Errorf("in the end, %d transformations are left, want that of the other configuration", n)
	}
	if ids, _ := followed(t, p.Service, token); len(ids) != 40 {
		t.Errorf("a copy gets %q", ids)
	}
}
