package jobs_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// spree makes marks, one step each, and takes them all back when it fails.
type spree struct {
	Marks   []string            `json:"marks"`
	Made    []string            `json:"made"`
	Failure *twinplatform.Error `json:"failure"`
}

// definedSpree is the kind of work, which fails at a mark that is called bad.
func definedSpree(d *domain) jobs.Kind[spree, mark] {
	return jobs.Define(d.runner, "spree", func(u *records.Update, w *jobs.Work[spree, mark]) (jobs.Progress, error) {
		p := &w.Payload
		switch {
		case p.Failure != nil && len(p.Made) == 0:
			return jobs.Progress{}, p.Failure
		case p.Failure != nil:
			err := marks.Erase(u, board, p.Made[0])
			p.Made = p.Made[1:]
			return jobs.Progress{}, err
		case len(p.Marks) == 0:
			return jobs.Done, nil
		}
		id := p.Marks[0]
		if _, err := marks.Put(u, board, &mark{ID: id, Times: 1}); err != nil {
			return jobs.Progress{}, err
		}
		p.Marks, p.Made = p.Marks[1:], append(slices.Clip(p.Made), id)
		d.before(id)
		if id == "bad" {
			return jobs.Progress{}, errRefused
		}
		return jobs.Progress{}, nil
	}).Compensate(func(s spree, failure *twinplatform.Error) (spree, bool) {
		if s.Failure != nil || len(s.Made) == 0 {
			return s, false
		}
		s.Failure = failure
		return s, true
	})
}

func TestFailedWorkClearsAwayWhatItHasLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		marks []string
		fails error
		left  map[string]int
	}{
		"in its first step":            {[]string{"bad"}, errRefused, map[string]int{}},
		"in a later one":               {[]string{"a", "b", "bad", "c"}, errRefused, map[string]int{}},
		"by a panic":                   {[]string{"a", "panic"}, twinplatform.Internal, map[string]int{}},
		"that is not where none fails": {[]string{"a", "b"}, nil, map[string]int{"a": 1, "b": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDomain(t, memory.New(), twinplatform.Env{})
			d.before = func(id string) {
				if id == "panic" {
					panic("boom")
				}
			}
			_, err := definedSpree(d).Start(context.Background(), jobs.Spec{Scope: board}, &spree{Marks: c.marks})
			if !errors.Is(err, c.fails) {
				t.Errorf("got %v, want %v", err, c.fails)
			}
			d.wantMarks(c.left)
		})
	}
}

func TestWorkReportsItsFailureWithoutItsOperation(t *testing.T) {
	t.Parallel()
	d := newDomain(t, memory.New(), twinplatform.Env{})
	doomed := jobs.Define(d.runner, "doomed", func(u *records.Update, w *jobs.Work[chore, mark]) (jobs.Progress, error) {
		switch len(w.Payload.Marks) {
		case 0:
			return jobs.Progress{}, errRefused
		case 1:
			if _, err := board.Erase(u); err != nil {
				return jobs.Progress{}, err
			}
		}
		w.Payload.Marks = w.Payload.Marks[1:]
		return jobs.Progress{}, nil
	})
	if _, err := doomed.Start(context.Background(), jobs.Spec{Scope: board}, &chore{Marks: []string{"a", "b"}}); !errors.Is(err, errRefused) {
		t.Errorf("got %v", err)
	}
}
