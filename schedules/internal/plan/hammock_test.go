package plan_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// hammocked are the neighbours of a hammock h.
func hammocked(links ...plan.Link) *graph {
	return &graph{links: links, tasks: map[string]plan.Task{
		"a":       {Start: day(1), Finish: day(2)},
		"b":       {Start: day(3), Finish: day(5)},
		"x":       {Start: day(20), Finish: day(22)},
		"start":   {Kind: plan.Milestone, Start: day(1)},
		"finish":  {Kind: plan.Milestone, Finish: day(30)},
		"undated": {},
		"other":   {Kind: plan.LongHammock, Start: day(1), Finish: day(30)},
	}}
}

func into(id string, from, own plan.End, days int) plan.Link {
	return plan.Link{ID: id, Predecessor: id, Successor: "h", PredecessorEnd: from, SuccessorEnd: own, Lag: time.Duration(days) * 24 * time.Hour}
}

func outOf(id string, own, to plan.End, days int) plan.Link {
	return plan.Link{ID: id, Predecessor: "h", Successor: id, PredecessorEnd: own, SuccessorEnd: to, Lag: time.Duration(days) * 24 * time.Hour}
}

func TestHammockDates(t *testing.T) {
	t.Parallel()
	type dates struct{ Start, Finish time.Time }
	const s, f = plan.Start, plan.Finish
	tests := map[string]struct {
		g           *graph
		long, short dates
	}{
		"without links there are none":              {hammocked(), dates{}, dates{}},
		"a long one spans more than a short one":    {hammocked(into("a", f, s, 0), into("b", f, s, 0), outOf("x", f, s, 0), outOf("finish", f, s, 0)), dates{day(2), day(30)}, dates{day(5), day(20)}},
		"a lag moves an anchor away, a lead back":   {hammocked(into("a", f, s, 2), outOf("x", f, s, 3)), dates{day(4), day(17)}, dates{day(4), day(17)}},
		"each end is held by the end it is tied to": {hammocked(into("a", s, s, 0), into("x", f, f, 0)), dates{day(1), day(22)}, dates{day(1), day(22)}},
		"a milestone has one date for both ends":    {hammocked(into("start", f, s, 0), outOf("finish", f, s, 0)), dates{day(1), day(30)}, dates{day(1), day(30)}},
		"an end that nothing holds is open":         {hammocked(into("a", f, s, 0)), dates{Start: day(2)}, dates{Start: day(2)}},
		"no date and another hammock hold nothing":  {hammocked(into("undated", f, s, 0), outOf("other", f, s, 0)), dates{}, dates{}},
		"crossing anchors leave it empty":           {hammocked(into("x", f, s, 0), outOf("b", f, s, 0)), dates{day(22), day(22)}, dates{day(22), day(22)}},
	}
	for name, test := range tests {
		for kind, want := range map[plan.Kind]dates{plan.LongHammock: test.long, plan.ShortHammock: test.short} {
			t.Run(fmt.Sprintf("%s/%d", name, kind), func(t *testing.T) {
				t.Parallel()
				start, finish, err := plan.HammockDates(test.g, test.g, test.g, "h", kind)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, dates{start, finish}); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestUnreadableNeighbourEndsTheDerivation(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]*graph{
		"predecessor": hammocked(into("missing", plan.Finish, plan.Start, 0)),
		"successor":   hammocked(outOf("missing", plan.Finish, plan.Start, 0)),
		"links":       {fails: "h"},
	} {
		if _, _, err := plan.HammockDates(g, g, g, "h", plan.LongHammock); !errors.Is(err, errUnreadable) {
			t.Errorf("%s: got %v, want that it is unreadable", name, err)
		}
	}
}

func TestShiftStaysWithinTheDates(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from time.Time
		by   time.Duration
		want time.Time
	}{
		"an hour later":    {day(1), time.Hour, day(1).Add(time.Hour)},
		"past the last":    {plan.Last, time.Hour, plan.Last},
		"before the first": {plan.First, -time.Hour, plan.First},
	} {
		if got := plan.Shift(test.from, test.by); !got.Equal(test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		note func(*plan.Stale)
		want []string
	}{
		"nothing noted is nothing":                      {func(*plan.Stale) {}, nil},
		"a moved task comes with its neighbours":        {func(s *plan.Stale) { s.Task("b") }, []string{"a", "b", "c"}},
		"a task that is gone comes alone":               {func(s *plan.Stale) { s.Task("gone") }, []string{"gone"}},
		"a link comes with its ends, and no neighbours": {func(s *plan.Stale) { s.Link("d", "a") }, []string{"a", "d"}},
		"each comes once":                               {func(s *plan.Stale) { s.Task("a"); s.Task("b"); s.Link("a", "b") }, []string{"a", "b", "c"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s plan.Stale
			test.note(&s)
			got, err := s.Tasks(&graph{links: links("a>b b>c c>d")})
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	var s plan.Stale
	s.Task("b")
	if _, err := s.Tasks(&graph{fails: "b"}); !errors.Is(err, errUnreadable) {
		t.Errorf("got %v, want that the links of b are unreadable", err)
	}
}
