package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
)

// deletion is work that erases marks, one in each step.
func (d *domain) deletion() jobs.Kind[chore, mark] {
	return jobs.Define(d.runner, "mark.delete", func(u *records.Update, w *jobs.Work[chore, mark]) (jobs.Progress, error) {
		if err := marks.Erase(u, board, w.Payload.Marks[0]); err != nil {
			return jobs.Progress{}, err
		}
		if w.Payload.Marks = w.Payload.Marks[1:]; len(w.Payload.Marks) == 0 {
			return jobs.Done, nil
		}
		return jobs.Progress{Percent: 40}, nil
	}, "marks.deleteMany", "marks.delete")
}

// Work that an earlier process has left is done before the first new one. Where it finds no
// space, deletions do not wait for it.
func TestADeletionDoesNotWaitForWorkThatWantsSpace(t *testing.T) {
	t.Parallel()
	disk := storetest.NewFull(storetest.New(t))
	died := newDomain(t, disk, twinplatform.Env{Background: true})
	for _, id := range []string{"a", "b"} {
		err := died.db.Update(t.Context(), func(u *records.Update) error {
			_, err := marks.Insert(u, board, &mark{ID: id})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := died.start(t.Context(), chore{Marks: []string{"left by it"}}, true); err != nil {
		t.Fatal(err)
	}
	disk.Leave(storetest.Reserve)
	d := newDomain(t, disk, twinplatform.Env{})
	if _, err := d.deletion().Start(t.Context(), jobs.Spec{Scope: board, Keep: true}, &chore{Marks: []string{"a"}}); err != nil {
		t.Errorf("a deletion is answered with %v", err)
	}
	if _, err := d.start(t.Context(), chore{Marks: []string{"c"}}, true); !errors.Is(err, twinplatform.Unavailable) {
		t.Errorf("work that makes no room is answered with %v", err)
	}
	disk.Leave(storetest.Plenty)
	if _, err := d.start(t.Context(), chore{Marks: []string{"c"}}, true); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]int{"b": 0, "c": 1, "left by it": 1}, d.marks()); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

// On a full disk deletions are accepted and done, also in the background and in several steps,
// though each leaves an operation. No other work is.
func TestDeletionsAreDoneOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		disk := storetest.NewFull(storetest.New(t))
		d := newDomain(t, disk, twinplatform.Env{Background: background})
		deletion := d.deletion()
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- d.runner.Run(ctx) }()
		settle := func(res twinplatform.Result[mark], err error) {
			t.Helper()
			if err == nil {
				_, err = res.Wait(ctx)
			}
			if err != nil {
				t.Errorf("in the background: %t: %v", background, err)
			}
		}
		settle(d.start(ctx, chore{Marks: []string{"a", "b", "c"}}, true))
		disk.Leave(storetest.Reserve)
		if _, err := d.start(ctx, chore{Marks: []string{"d"}}, true); !errors.Is(err, twinplatform.Unavailable) {
			t.Errorf("in the background: %t: work that makes no room is answered with %v", background, err)
		}
		settle(deletion.Start(ctx, jobs.Spec{Scope: board, Keep: true}, &chore{Marks: []string{"a"}}))
		settle(deletion.Start(ctx, jobs.Spec{Scope: board, Keep: true}, &chore{Marks: []string{"b", "c"}}))
		if left := d.marks(); len(left) > 0 {
			t.Errorf("in the background: %t: what is left is %v", background, left)
		}
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	}
}
