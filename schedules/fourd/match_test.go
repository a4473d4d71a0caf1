package fourd_test

import (
	"errors"
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
			Ambiguous: []fourd.Choice{{EntityID: "3", TaskIDs: []string{"b", "b2"}}}, Entities: []string{"4", "5"}, Tasks: []string{"a1", "c"},
		}},
		{"what a group of a pattern finds", fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: `^([A-Z]\d)`}, fourd.Matched{
			Bound: []fourd.Pair{{EntityID: "1", TaskID: "a1"}}, Entities: []string{"2", "3", "4", "5"}, Tasks: []string{"a", "b", "b2", "c"},
		}},
		{"what all of a pattern finds", fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: `B\d+`}, fourd.Matched{
			Ambiguous: []fourd.Choice{{EntityID: "3", TaskIDs: []string{"b", "b2"}}}, Entities: []string{"1", "2", "4", "5"}, Tasks: []string{"a", "a1", "c"},
		}},
	} {
		got, err := fourd.Match(c.rule, entities, tasks)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got) %v\n%s", c.name, err, diff)
		}
	}
}

func TestPatternThatIsNoneOrTooLongIsRefused(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"(", `a{1001}`, strings.Repeat("a", fourd.MaxPattern+1)} {
		if _, err := fourd.Match(fourd.MatchRule{Kind: fourd.PatternMatch, Pattern: pattern}, nil, nil); !errors.Is(err, fourd.ErrPattern) {
			t.Errorf("the pattern %.20q is taken: %v", pattern, err)
		}
	}
}
