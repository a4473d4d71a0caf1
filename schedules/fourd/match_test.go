package fourd_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
)

func TestRuleBindsEntitiesToTheTasksThatTheirValuesLeadTo(t *testing.T) {
	t.Parallel()
	entities := []fourd.Keyed{
		{ID: "1", Value: "A10"}, {ID: "2", Value: "a10-07"}, {ID: "3", Value: "B20 Wall"}, {ID: "4", Value: ""}, {ID: "5", Value: "Z"},
	}
	tasks := []fourd.Keyed{
		{ID: "a", Value: "A10"}, {ID: "a1", Value: "A1"}, {ID: "b", Value: "B20"}, {ID: "b2", Value: "B20"}, {ID: "c"},
	}
	for _, c := range []struct {
		name string
		rule fourd.MatchRule
		want fourd.Matched
	}{
		{"the same value", fourd.MatchRule{}, fourd.Matched{
			Bound: []fourd.Pair{{EntityID: "1", TaskID: "a"}}, Entities: []string{"2", "3", "4", "5"}, Tasks: []string{"a1", "b", "b2", "c"},
		}},
		{"the longest beginning", fourd.MatchRule{Kind: fourd.PrefixMatch, IgnoreCase: true}, fourd.Matched{
			Bound:     []fourd.Pair{{EntityID: "1", TaskID: "a"}, {EntityID: "2", TaskID: "a"}},
			Ambiguous: []fourd.Choice{{EntityID: "3", TaskIDs: []string{"b", "b2"}, Tasks: 2}}, Entities: []string{"4", "5"}, Tasks: []string{"a1", "c"},
		}},
		{"what a group of a pattern finds", fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: `^([A-Z]\d)`}, fourd.Matched{
			Bound: []fourd.Pair{{EntityID: "1", TaskID: "a1"}}, Entities: []string{"2", "3", "4", "5"}, Tasks: []string{"a", "b", "b2", "c"},
		}},
		{"what all of a pattern finds", fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: `B\d+`}, fourd.Matched{
			Ambiguous: []fourd.Choice{{EntityID: "3", TaskIDs: []string{"b", "b2"}, Tasks: 2}}, Entities: []string{"1", "2", "4", "5"}, Tasks: []string{"a", "a1", "c"},
		}},
	} {
		got, err := fourd.Match(t.Context(), c.rule, entities, tasks)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got) %v\n%s", c.name, err, diff)
		}
	}
}

func TestPatternThatIsNoneOrTooLongIsRefused(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"(", `a{1001}`, strings.Repeat("a", fourd.MaxPattern+1)} {
		_, err := fourd.Match(t.Context(), fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: pattern}, nil, nil)
		if !errors.Is(err, fourd.ErrPattern) {
			t.Errorf("the pattern %.20q is taken: %v", pattern, err)
		}
	}
}

func TestAmbiguousEntityNamesTenOfItsTasksAndCountsAll(t *testing.T) {
	t.Parallel()
	var entities, tasks []fourd.Keyed
	for i := range 20_000 {
		entities = append(entities, fourd.Keyed{ID: fmt.Sprintf("e%05d", i), Value: "Wall"})
		tasks = append(tasks, fourd.Keyed{ID: fmt.Sprintf("t%05d", i), Value: "Wall"})
	}
	got, err := fourd.Match(t.Context(), fourd.MatchRule{}, entities, tasks)
	if err != nil || len(got.Ambiguous) != 20_000 || len(got.Tasks) != 0 {
		t.Fatalf("%d are ambiguous, %d tasks are left: %v", len(got.Ambiguous), len(got.Tasks), err)
	}
	want := fourd.Choice{EntityID: "e00000", Tasks: 20_000}
	for i := range fourd.MaxChoices {
		want.TaskIDs = append(want.TaskIDs, fmt.Sprintf("t%05d", i))
	}
	if diff := cmp.Diff(want, got.Ambiguous[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBlankOrLongValueBindsNothing(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", fourd.MaxMatchValue+1)
	entities := []fourd.Keyed{{ID: "1"}, {ID: "2", Value: " "}, {ID: "3", Value: "A"}, {ID: "4", Value: long}}
	tasks := []fourd.Keyed{{ID: "a", Value: " \t"}, {ID: "b", Value: long}}
	for _, rule := range []fourd.MatchRule{{}, {Kind: fourd.PrefixMatch}, {Kind: fourd.PatternMatch, Pattern: "()"}} {
		got, err := fourd.Match(t.Context(), rule, entities, tasks)
		want := fourd.Matched{Entities: []string{"1", "2", "3", "4"}, Tasks: []string{"a", "b"}}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got) %v\n%s", rule, err, diff)
		}
	}
}

func TestPatternThatTakesTooLongIsRefusedAndMatchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	entities := slices.Repeat([]fourd.Keyed{{ID: "1", Value: strings.Repeat("a", fourd.MaxMatchValue)}}, 1_000)
	slow := fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: "(?:.?){900}x"}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fourd.Match(gone, slow, entities, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the match goes on: %v", err)
	}
	if testing.Short() {
		t.Skip("the pattern is sought until the limit")
	}
	if _, err := fourd.Match(t.Context(), slow, entities, nil); !errors.Is(err, fourd.ErrPatternSteps) {
		t.Errorf("the slow pattern is taken: %v", err)
	}
}
