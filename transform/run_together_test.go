package transform_test

import (
	"cmp"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// process is another service over the same store, as another process has it.
func (p *plant) process(store storage.Store) *transform.Service {
	return p.serving(store, twins{"source", "target"})
}

// serving is a process that knows some twins.
func (p *plant) serving(store storage.Store, known twins) *transform.Service {
	return transform.New(store, transform.Config{Env: twinplatform.Env{Authorizer: p.Grants}, Twins: known, ModelPermissions: p.Grants})
}

// resume makes a process do all that others have left, as it does before its own work.
func (p *plant) resume() {
	p.T.Helper()
	p.resumeBy(p.process(p.Store), "source")
}

// resumeBy makes a process that knows a twin do so.
func (p *plant) resumeBy(process *transform.Service, twin string) {
	p.T.Helper()
	res, err := p.Models().CreateModel(p.T.Context(), models.NewModel{TwinID: twin, DisplayName: "spare"})
	if err == nil {
		err = process.Models().DeleteModel(p.T.Context(), res.Value().ID)
	}
	if err != nil {
		p.T.Fatal(err)
	}
}

// latest is the transformation that was asked for last; false when there is none.
func (p *plant) latest() (v transform.Transformation, ok bool) {
	p.T.Helper()
	for t, err := range twinplatform.All(p.T.Context(), p.Transformations, transform.TransformationQuery{TargetModelID: "target-model"}) {
		if err != nil {
			p.T.Fatal(err)
		}
		v, ok = t, true
	}
	return v, ok
}

// meanwhile is what another process does while one is at a transformation.
var meanwhile = map[string]func(p *plant, id string){
	"does it": func(p *plant, _ string) { p.resume() },
	"does it after the source has changed": func(p *plant, _ string) {
		p.Change(models.NewChangeset{Inserted: []models.NewElement{part("late", "walls", "", "")}})
		p.resume()
	},
	"aborts it": func(p *plant, id string) { p.abort(id) },
	"aborts it and drops what was written": func(p *plant, id string) {
		p.abort(id)
		p.resume()
	},
	"aborts it and forgets what was to be done": func(p *plant, id string) {
		if p.abort(id); p.DeleteConfiguration(p.T.Context(), p.conf) == nil {
			p.resume()
			p.configure(models.View{}, "")
		}
	},
	"fails, as the source is not there for it": func(p *plant, _ string) {
		p.resumeBy(p.serving(p.Store, twins{"target"}), "target")
	},
}

func (p *plant) abort(id string) {
	p.T.Helper()
	if _, err := p.process(p.Store).CancelTransformation(p.T.Context(), id); err != nil && !modelstest.IsCode(err, "TransformationEnded") {
		p.T.Fatal(err)
	}
}

// Whatever a second process does at any point of a transformation, and whether the first
// continues or dies: the transformation ends, makes one changeset or none, and leaves no
// draft behind.
func TestTwoProcessesAtOneTransformationLeaveNoDraftAndMakeNothingTwice(t *testing.T) {
	t.Parallel()
	for name, happens := range meanwhile {
		for _, dies := range []int{-1, 0, 1} {
			t.Run(fmt.Sprintf("%s, and the first dies after %d", name, dies), func(t *testing.T) {
				t.Parallel()
				for at, reached := 0, true; reached; at += testsize.Of(1, 3) {
					synctest.Test(t, func(t *testing.T) { reached = together(t, at, dies, happens) })
				}
			})
		}
	}
}

// together lets something happen before one of the updates of a process, which dies after
// so many more, and never when that is negative. It reports whether it came that far.
func together(t *testing.T, at, dies int, happens func(p *plant, id string)) bool {
	p := newPlant(t)
	p.walls(20)
	p.configure(models.View{}, "")
	first := storetest.Over(p.Store)
	reached := false
	first.Before(func() error {
		last, begun := p.latest()
		if at--; at >= 0 || !begun {
			return nil
		}
		reached = true
		first.Rest()
		happens(p, last.ID)
		if dies >= 0 {
			first.FailAfter(dies, errDied)
		}
		return nil
	})
	conf := p.conf
	_, err := p.process(first).RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: conf})
	if err != nil && !errors.Is(err, errDied) && p.conf == conf {
		t.Errorf("update %d: %v", at, err)
	}
	p.resume()
	p.finished(conf)
	return reached
}

// A transformation takes its turn as soon as the one before it is aborted, and need not
// wait until the draft of that one is dropped.
func TestTransformationTakesTheTargetFromOneThatWasAbortedInAnotherProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlant(t)
		p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", "")}})
		p.configure(models.View{}, "")
		res, err := p.Models().CreateModel(t.Context(), models.NewModel{TwinID: "source", DisplayName: "spare"})
		if err != nil {
			t.Fatal(err)
		}
		second := p.process(p.Store)
		if err := second.Models().DeleteModel(t.Context(), res.Value().ID); err != nil { // from now on it looks after its own work alone
			t.Fatal(err)
		}
		first := storetest.Over(p.Store)
		first.FailAfter(5, errDied)
		if res, err := p.process(first).RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: p.conf}); err != nil || res.Status.Done() {
			t.Fatal(res.Operation, err)
		}
		if _, err := p.Models().CreateChangeset(t.Context(), "target-model", models.NewChangeset{}); !modelstest.IsCode(err, "ChangesetInProgress") {
			t.Fatalf("it had not begun to write: %v", err)
		}
		dead, _ := p.latest()
		waiting := make(chan transform.TransformationStatus, 1)
		go func() {
			res, err := second.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: p.conf, Queue: true})
			if err != nil {
				t.Error(err)
			}
			waiting <- res.Value().Status
		}()
		synctest.Wait()
		if _, err := p.background(p.Store).CancelTransformation(t.Context(), dead.ID); err != nil {
			t.Fatal(err)
		}
		if got := <-waiting; got != transform.Succeeded {
			t.Errorf("the second one is %s", got)
		}
		p.holds(map[string]string{"wall": whole("wall", ",")})
		p.resume()
		p.holds(map[string]string{"wall": whole("wall", ",")})
	})
}

// finished fails unless everything has come to its end, and continues as if nothing had
// happened.
func (p *plant) finished(conf string) {
	p.T.Helper()
	if n := p.Keys("jobs-transform/pending"); n > 0 {
		p.T.Errorf("the journal has %d entries", n)
	}
	page, err := p.Models().Changesets(p.T.Context(), "target-model", models.ChangesetQuery{})
	if err != nil {
		p.T.Fatal(err)
	}
	last, _ := p.latest()
	switch want := map[bool]int{true: 1}[last.Status == transform.Succeeded]; {
	case !last.Status.Done() && p.conf == conf:
		p.T.Errorf("it ends as %+v", last)
	case page.Len() != want && p.conf == conf:
		p.T.Errorf("%d changesets of %+v", page.Len(), last)
	case want == 1 && (last.TotalElementCount < 20 || last.Report.InsertedCount != last.TotalElementCount+2 || !last.Report.Full):
		p.T.Errorf("it has %+v", last)
	}
	if _, err := p.Models().CreateChangeset(p.T.Context(), "target-model", models.NewChangeset{Inserted: []models.NewElement{part("mine", "walls", "", "")}}); err != nil {
		p.T.Errorf("a changeset after %s: %v", cmp.Or(last.Status, "it"), err)
	}
	p.run()
	want := map[string]string{}
	for id := range p.AllElements("source-model", models.ElementQuery{}) {
		want[id] = whole(id, ",")
	}
	p.holds(want)
}
