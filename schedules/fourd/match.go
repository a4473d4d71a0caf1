package fourd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
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

// Limits of Match. What would pass one of the last two is refused.
const (
	MaxMatchValue   = 1_000   // bytes of a value: a longer one never matches
	MaxChoices      = 10      // tasks that a Choice names
	MaxPattern      = 200     // bytes of a pattern
	MaxPatternSteps = 1 << 30 // sizes of a pattern and of the values that it is sought in, multiplied
)

// Errors of Match.
var (
	// ErrPattern is what a match fails with whose pattern is no regular expression, or too long.
	ErrPattern = errors.New("fourd: a pattern is a regular expression of 200 bytes at most")
	// ErrPatternSteps is what a match fails with whose pattern would take too long for all values.
	ErrPatternSteps = errors.New("fourd: the pattern takes too long for so many values")
)

// MatchRule says which values of entities and of tasks belong together. Those that are empty or blank never do, nor
// those of more than MaxMatchValue bytes.
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
	TaskIDs  []string // the first MaxChoices; entities share the list, which must stay as it is
	Tasks    int      // how many there are
}

// Match finds for each entity the task that a rule leads to. It takes a time that grows with the values and their
// lengths, and looks at the context meanwhile. It fails with ErrPattern, ErrPatternSteps or why the context ended.
func Match(ctx context.Context, r MatchRule, entities, tasks []Keyed) (m Matched, err error) {
	f, err := r.finder(tasks)
	if err != nil {
		return m, err
	}
	found := make(map[string][]*valued)
	for i, e := range entities {
		if i%256 == 0 && ctx.Err() != nil {
			return m, context.Cause(ctx)
		}
		of, err := f.tasksOf(e.Value)
		if err != nil {
			return m, err
		}
		all := found[e.ID]
		if of != nil && !slices.Contains(all, of) {
			of.used, all = true, append(all, of)
		}
		found[e.ID] = all
	}
	for entity, of := range found {
		if ctx.Err() != nil {
			return m, context.Cause(ctx)
		}
		switch ids, n := union(of); n {
		case 0:
			m.Entities = append(m.Entities, entity)
		case 1:
			m.Bound = append(m.Bound, Pair{entity, ids[0]})
		default:
			m.Ambiguous = append(m.Ambiguous, Choice{entity, ids, n})
		}
	}
	m.Tasks = f.left(tasks)
	slices.Sort(m.Entities)
	slices.SortFunc(m.Bound, func(a, b Pair) int { return cmp.Compare(a.EntityID, b.EntityID) })
	slices.SortFunc(m.Ambiguous, func(a, b Choice) int { return cmp.Compare(a.EntityID, b.EntityID) })
	return m, nil
}

// valued are the tasks that have one value.
type valued struct {
	ids  []string // in their order, each once
	used bool     // an entity is led to them
}

// union is the first MaxChoices of tasks, and how many there are. Most entities have one value: its tasks are not
// copied, since many entities may have it.
func union(of []*valued) ([]string, int) {
	switch len(of) {
	case 0:
		return nil, 0
	case 1:
		ids := of[0].ids
		return ids[:min(len(ids), MaxChoices)], len(ids)
	}
	var ids []string
	for _, v := range of {
		ids = append(ids, v.ids...)
	}
	ids = inOrderOnce(ids)
	return slices.Clone(ids[:min(len(ids), MaxChoices)]), len(ids)
}

func inOrderOnce(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// finder finds the tasks that a rule leads to.
type finder struct {
	*MatchRule

	byValue map[string]*valued
	lengths []int // of the values of tasks, the longest first, for PrefixMatch
	pattern *regexp.Regexp
	size    int // of the pattern as it is compiled
	steps   int
}

func (r *MatchRule) finder(tasks []Keyed) (*finder, error) {
	f := &finder{MatchRule: r, byValue: make(map[string]*valued)}
	if r.Kind == PatternMatch {
		if err := f.compile(); err != nil {
			return nil, err
		}
	}
	for _, t := range tasks {
		v := r.folded(t.Value)
		if v == "" {
			continue
		}
		if f.byValue[v] == nil {
			f.byValue[v], f.lengths = new(valued), append(f.lengths, len(v))
		}
		f.byValue[v].ids = append(f.byValue[v].ids, t.ID)
	}
	for _, v := range f.byValue {
		v.ids = inOrderOnce(v.ids)
	}
	slices.Sort(f.lengths)
	f.lengths = slices.Compact(f.lengths)
	slices.Reverse(f.lengths)
	return f, nil
}

func (f *finder) compile() (err error) {
	if len(f.Pattern) > MaxPattern {
		return ErrPattern
	}
	parsed, err := syntax.Parse(f.Pattern, syntax.Perl)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPattern, err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPattern, err)
	}
	f.size = len(program.Inst)
	if f.pattern, err = regexp.Compile(f.Pattern); err != nil {
		return fmt.Errorf("%w: %w", ErrPattern, err)
	}
	return nil
}

// folded is a value as it is compared, empty for one that never matches.
func (r *MatchRule) folded(v string) string {
	if len(v) > MaxMatchValue {
		return ""
	}
	if v = strings.TrimSpace(v); r.IgnoreCase {
		return strings.ToLower(v)
	}
	return v
}

// tasksOf are the tasks that the value of an entity leads to, nil for none.
func (f *finder) tasksOf(value string) (*valued, error) {
	if len(value) > MaxMatchValue {
		return nil, nil
	}
	if f.pattern != nil {
		if f.steps += f.size * (len(value) + 1); f.steps > MaxPatternSteps {
			return nil, ErrPatternSteps
		}
		found := f.pattern.FindStringSubmatch(value)
		if found == nil {
			return nil, nil
		}
		value = found[min(1, len(found)-1)]
	}
	value = f.folded(value)
	if f.Kind != PrefixMatch {
		return f.byValue[value], nil
	}
	for _, n := range f.lengths {
		if n > len(value) {
			continue
		}
		if of := f.byValue[value[:n]]; of != nil {
			return of, nil
		}
	}
	return nil, nil
}

// left are the tasks that no entity is led to.
func (f *finder) left(tasks []Keyed) (ids []string) {
	used := make(map[string]bool)
	for _, of := range f.byValue {
		if !of.used {
			continue
		}
		for _, id := range of.ids {
			used[id] = true
		}
	}
	for _, t := range tasks {
		if !used[t.ID] {
			used[t.ID] = true
			ids = append(ids, t.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
