package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
)

// On a full disk deletions are accepted and done, also in the background and in several steps,
// though each leaves an operation. No other work is.
func TestDeletionsAreDoneOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		disk := storetest.NewFull(storetest.New(t))
		d := newDomain(t, disk, twinplatform.Env{Background: background})
		deletion := jobs.Define(d.runner, "mark.delete", func(u *records.Update, w *jobs.Work[chore, mark]) (jobs.Progress, error) {
			if err := marks.Erase(u, board, w.Payload.Marks[0]); err != nil {
				return jobs.Progress{}, err
			}
			if w.Payload.Marks = w.Payload.Marks[1:]; len(w.Payload.Marks) == 0 {
				return jobs.Done, nil
			}
			return jobs.Progress{Percent: 40}, nil
		}, "marks.deleteMany", "marks.delete")
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
