package transform_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// background is another service over the same store, which leaves runs to Run.
func (p *plant) background(store storage.Store) *transform.Service {
	return transform.New(store, transform.Config{
		Env:   twinplatform.Env{Authorizer: p.Grants, Background: true, Now: func() time.Time { return noon.Add(time.Hour) }},
		Twins: twins{"source", "target"}, ModelPermissions: p.Grants,
	})
}

func start(t *testing.T, svc *transform.Service, configurationID string, queue bool) transform.Transformation {
	t.Helper()
	res, err := svc.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: configurationID, Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	return res.Value()
}

func status(t *testing.T, svc *transform.Service, id string) transform.TransformationStatus {
	t.Helper()
	rec, err := svc.Transformation(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return rec.Value.Status
}

func TestOneTransformationOfATargetRunsAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlant(t)
		p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", "")}})
		p.configure(models.View{}, "")
		svc := p.background(p.Store)
		first := start(t, svc, p.conf, false)
		if first.Status != transform.Created {
			t.Errorf("it begins as %s", first.Status)
		}
		if _, err := svc.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: p.conf}); !modelstest.IsCode(err, "TransformationInProgress") {
			t.Errorf("a second one: %v", err)
		}
		second := start(t, svc, p.conf, true)
		if err := svc.DeleteConfiguration(t.Context(), p.conf); !modelstest.IsCode(err, "ConfigurationInUse") {
			t.Errorf("its configuration: %v", err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- svc.Run(ctx) }()
		synctest.Wait()
		for _, id := range []string{first.ID, second.ID} {
			if got := status(t, svc, id); got != transform.Succeeded {
				t.Errorf("%s is %s", id, got)
			}
		}
		p.holds(map[string]string{"wall": whole("wall", ",")})
		if page, err := p.Models().Changesets(t.Context(), "target-model", models.ChangesetQuery{}); err != nil || page.Len() != 1 {
			t.Errorf("%d changesets, %v", page.Len(), err)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// covers: operations transformations.list transformations.get transformations.report transformations.delete
func TestTransformationsAreListedAndAborted(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", "")}})
	p.configure(models.View{}, "")
	done := p.run()
	p.Change(models.NewChangeset{Deleted: []string{"wall"}})
	svc := p.background(p.Store)
	waiting := start(t, svc, p.conf, false)
	if _, err := svc.CancelTransformation(t.Context(), done.ID); !modelstest.IsCode(err, "TransformationEnded") {
		t.Errorf("aborting one that is done: %v", err)
	}
	reader := p.As("reader", "twins_read", "target", "models_read", "target")
	if _, err := svc.CancelTransformation(reader, waiting.ID); !modelstest.IsCode(err, "InsufficientPermissions") {
		t.Errorf("aborting by a reader: %v", err)
	}
	aborted, err := svc.CancelTransformation(t.Context(), waiting.ID)
	if err != nil || aborted.Value.Status != transform.Aborted || aborted.Value.FinishedDateTime.IsZero() {
		t.Errorf("%+v, %v", aborted.Value, err)
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		q    transform.TransformationQuery
		want []string
	}{
		"of a configuration":             {t.Context(), transform.TransformationQuery{ConfigurationID: p.conf}, []string{done.ID, waiting.ID}},
		"into a model":                   {t.Context(), transform.TransformationQuery{TargetModelID: "target-model"}, []string{done.ID, waiting.ID}},
		"in a state":                     {t.Context(), transform.TransformationQuery{ConfigurationID: p.conf, Status: transform.Aborted}, []string{waiting.ID}},
		"for a caller that sees nothing": {p.As("stranger"), transform.TransformationQuery{ConfigurationID: p.conf}, nil},
		"for a reader":                   {reader, transform.TransformationQuery{ConfigurationID: p.conf, Skip: 1}, []string{waiting.ID}},
		"of a missing one":               {t.Context(), transform.TransformationQuery{ConfigurationID: "none"}, nil},
		"of both that do not match":      {t.Context(), transform.TransformationQuery{ConfigurationID: p.conf, TargetModelID: "source-model"}, nil},
	} {
		page, err := svc.Transformations(test.ctx, test.q)
		var ids []string
		for v := range page.OnPage() {
			ids = append(ids, v.ID)
		}
		if diff := gocmp.Diff(test.want, ids); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
	if _, err := svc.Transformation(p.As("stranger"), done.ID); !modelstest.IsCode(err, "TransformationNotFound") {
		t.Errorf("a stranger reads it: %v", err)
	}
	report, err := svc.TransformationReport(t.Context(), done.ID)
	if diff := gocmp.Diff(transform.Report{TransformID: done.ID, Full: true, InsertedCount: 3}, report); err != nil || diff != "" {
		t.Error(err, diff)
	}
	p.run()
	p.holds(nil)
}

func TestTransformationsAreListedInAnOrderAndShort(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", "")}})
	p.configure(models.View{}, "")
	all, none := p.run().ID, p.run().ID
	svc := p.background(p.Store)
	aborted := start(t, svc, p.conf, false).ID
	if _, err := svc.CancelTransformation(t.Context(), aborted); err != nil {
		t.Fatal(err)
	}
	for order, want := range map[string][]string{
		"":                           {all, none, aborted},
		"id desc":                    {aborted, none, all},
		"createdDateTime":            {all, none, aborted},
		"startedDateTime":            {aborted, all, none},
		"finishedDateTime desc":      {aborted, all, none},
		"status":                     {aborted, all, none},
		"totalElementCount":          {none, aborted, all},
		"processedElementCount desc": {all, none, aborted},
	} {
		var ids []string
		for v, err := range twinplatform.All(t.Context(), svc.Transformations, transform.TransformationQuery{
			ListOptions: twinplatform.ListOptions{Top: 1}, ConfigurationID: p.conf, OrderBy: order,
		}) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, v.ID)
		}
		if diff := gocmp.Diff(want, ids); diff != "" {
			t.Errorf("by %q: %s", order, diff)
		}
	}
	if _, err := svc.Transformations(t.Context(), transform.TransformationQuery{ConfigurationID: p.conf, OrderBy: "status up"}); !modelstest.IsCode(err, "InvalidTransformationsRequest") {
		t.Errorf("in no order: %v", err)
	}
	page, err := svc.Transformations(t.Context(), transform.TransformationQuery{ConfigurationID: p.conf, Minimal: true})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"configurationId":"%s","id":"%s","status":"Succeeded"}`, p.conf, all)
	if got := string(page.JSON()[0]); got != want {
		t.Errorf("short: %s", got)
	}
	short, err := svc.Configurations(t.Context(), transform.ConfigurationQuery{ProjectID: "target", Minimal: true})
	if want := fmt.Sprintf(`{"id":"%s","transformName":"%s","transformType":"FilterBySavedView"}`, p.conf, wanted().TransformName); err != nil || string(short.JSON()[0]) != want {
		t.Errorf("short: %s, %v", short.JSON(), err)
	}
}

func TestWhatIsLeftOutOfAListIsLeftOutOfItsBeginningAlone(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.configure(models.View{}, "")
	var want, got []string
	for range 5 {
		want = append(want, p.run().ID)
	}
	for v, err := range twinplatform.All(t.Context(), p.Transformations, transform.TransformationQuery{
		ListOptions: twinplatform.ListOptions{Top: 1}, ConfigurationID: p.conf, Skip: 1,
	}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v.ID)
	}
	if diff := gocmp.Diff(want[1:], got); diff != "" {
		t.Error(diff)
	}
}

func TestRunNeedsToReadTheSourceAndToWriteTheTarget(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.configure(models.View{}, "")
	n := transform.NewTransformation{ConfigurationID: p.conf}
	for name, test := range map[string]struct {
		ctx  context.Context
		code string
	}{
		"nothing":             {p.As("a"), "ConfigurationNotFound"},
		"the target alone":    {p.As("b", "models_write", "target"), "ModelNotFound"},
		"reading both":        {p.As("c", "models_read", "source", "models_read", "target"), "InsufficientPermissions"},
		"both, at the models": {p.As("d", "models_read", "source-model", "models_write", "target-model"), ""},
	} {
		_, err := p.RunTransformation(test.ctx, n)
		if test.code == "" && err != nil || test.code != "" && !modelstest.IsCode(err, test.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := p.RunTransformation(t.Context(), transform.NewTransformation{}); !modelstest.IsCode(err, "InvalidTransformationsRequest") {
		t.Errorf("without a configuration: %v", err)
	}
}

// dying is a store that fails for good at one of its commits.
type dying struct {
	storage.Store

	left *atomic.Int64
}

var errDied = errors.New("the process died")

func (s dying) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if s.left.Add(-1) < 0 {
		return errDied
	}
	return s.Store.Update(ctx, fn)
}

// workOff lets a service in a bubble do what is in the background, until it has
// nothing left or its store dies.
func (p *plant) workOff(svc *transform.Service) {
	ctx, stop := context.WithCancel(p.T.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = svc.Run(ctx) // it may die
	}()
	synctest.Wait()
	stop()
	<-ended
}

func TestRunThatWasKilledAnywhereIsResumedAndTheTargetIsNeverHalfWritten(t *testing.T) {
	t.Parallel()
	for kill, died := 0, true; kill < 24 && died; kill++ {
		synctest.Test(t, func(t *testing.T) { died = killedAt(t, kill) })
	}
}

// walls gives the source so many elements.
func (p *plant) walls(n int) {
	p.T.Helper()
	var all []models.NewElement
	for i := range n {
		all = append(all, part(fmt.Sprint("wall-", i), "walls", "", ""))
	}
	p.Change(models.NewChangeset{Inserted: all})
}

// killedAt kills a run at one of its commits and resumes it. It reports whether the
// run came that far.
func killedAt(t *testing.T, kill int) bool {
	p := newPlant(t)
	p.walls(120)
	p.configure(models.View{}, "")
	svc := p.background(p.Store)
	id := start(t, svc, p.conf, false).ID
	left := new(atomic.Int64)
	left.Store(int64(kill))
	if p.workOff(p.background(dying{p.Store, left})); left.Load() >= 0 {
		return false // it came to its end before that
	}
	page, err := p.Models().Changesets(t.Context(), "target-model", models.ChangesetQuery{})
	if got := len(p.content()); err != nil || got != 0 && got != 120 || page.Len() != 0 && got != 120 {
		t.Fatalf("killed at commit %d: the target has %d elements and %d changesets, %v", kill, got, page.Len(), err)
	}
	p.workOff(p.background(p.Store))
	if got := status(t, svc, id); got != transform.Succeeded {
		t.Fatalf("killed at commit %d: it is %s", kill, got)
	}
	if page, err = p.Models().Changesets(t.Context(), "target-model", models.ChangesetQuery{}); err != nil || page.Len() != 1 || len(p.content()) != 120 {
		t.Fatalf("killed at commit %d: %d changesets, %d elements, %v", kill, page.Len(), len(p.content()), err)
	}
	return true
}
