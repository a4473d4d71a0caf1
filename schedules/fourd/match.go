package fourd

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MatchKind is how the value of an entity leads to a task.
type MatchKind string

// The kinds.
const (
	ExactMatch  MatchKind = "Exact"  // the task has the same value
	PrefixMatch MatchKind = "Prefix" // the value begins with that of the task, of which the longest counts
	// PatternMatch: the task has what a regular expression finds in the value, its first group if it has one.
	PatternMatch MatchKind = "Pattern"
)

// MaxPattern is how long a pattern may be, in bytes.
const MaxPattern = 200

// maxPrefix is how much of a value may be the value of a task, in bytes.
const maxPrefix = 1_000

// ErrPattern is what a match fails with whose pattern is no regular expression, or too long.
var ErrPattern = errors.New("fourd: a pattern is a regular expression of 200 bytes at most")

// MatchRule says which values of entities and of tasks belong together. Those that are empty never do.
type MatchRule struct {
	Kind       MatchKind // ExactMatch when empty
	Pattern    string    // of PatternMatch
	IgnoreCase bool
}

// Keyed is an entity or a task by a value of it. One with several values is there several times.
type Keyed struct{ ID, Value string }

// Matched is what a rule makes of entities and tasks. All lists are in the order of their ids.
type Matched struct {
	Bound     []Pair
	Ambiguous []Choice // entities that the rule leads to several tasks
	// Entities and Tasks are the ids of those that are left over on both sides.
	Entities, Tasks []string
}

// Pair is an entity and the task that it is to show.
type Pair struct{ EntityID, TaskID string }

// Choice is an entity and the tasks that it might show.
type Choice struct {
	EntityID string
	TaskIDs  []string
}

// Match finds for each entity the task that a rule leads to. It takes a time that grows with the values and their
// lengths. It fails with ErrPattern.
func Match(r MatchRule, entities, tasks []Keyed) (m Matched, err error) {
	keysOf, err := r.keys()
	if err != nil {
		return m, err
	}
	byValue, left := make(map[string][]string), make(map[string]bool)
	for _, t := range tasks {
		if left[t.ID] = true; t.Value != "" {
			v := r.folded(t.Value)
			byValue[v] = append(byValue[v], t.ID)
		}
	}
	found := make(map[string][]string)
	for _, e := range entities {
		ids := found[e.ID]
		for key := range keysOf(e.Value) {
			if of := byValue[r.folded(key)]; len(of) > 0 {
				ids = append(ids, of...)
				break
			}
		}
		found[e.ID] = ids
	}
	for entity, ids := range found {
		slices.Sort(ids)
		switch ids = slices.Compact(ids); len(ids) {
		case 0:
			m.Entities = append(m.Entities, entity)
		case 1:
			m.Bound = append(m.Bound, Pair{entity, ids[0]})
		default:
			m.Ambiguous = append(m.Ambiguous, Choice{entity, ids})
		}
		for _, id := range ids {
			delete(left, id)
		}
	}
	for id := range left {
		m.Tasks = append(m.Tasks, id)
	}
	slices.Sort(m.Entities)
	slices.Sort(m.Tasks)
	slices.SortFunc(m.Bound, func(a, b Pair) int { return cmp.Compare(a.EntityID, b.EntityID) })
	slices.SortFunc(m.Ambiguous, func(a, b Choice) int { return cmp.Compare(a.EntityID, b.EntityID) })
	return m, nil
}

func (r *MatchRule) folded(v string) string {
	if v = strings.TrimSpace(v); r.IgnoreCase {
		return strings.ToLower(v)
	}
	return v
}

// keys are the values of tasks that the value of an entity may lead to, of which the first that a task has counts.
func (r *MatchRule) keys() (func(value string) func(yield func(string) bool), error) {
	switch r.Kind {
	case PrefixMatch:
		return func(value string) func(yield func(string) bool) {
			return func(yield func(string) bool) {
				for n := min(len(value), maxPrefix); n > 0 && yield(value[:n]); n-- {
				}
			}
		}, nil
	case PatternMatch:
		if len(r.Pattern) > MaxPattern {
			return nil, ErrPattern
		}
		pattern, err := regexp.Compile(r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPattern, err)
		}
		return func(value string) func(yield func(string) bool) {
			return func(yield func(string) bool) {
				if found := pattern.FindStringSubmatch(value); found != nil {
					yield(found[min(1, len(found)-1)])
				}
			}
		}, nil
	default:
		return func(value string) func(yield func(string) bool) {
			return func(yield func(string) bool) { yield(value) }
		}, nil
	}
}
