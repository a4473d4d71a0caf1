package animation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// MaxMatchedElements is how many elements a model may have whose elements are bound by a rule, and MaxMatchesShown how
// many items each list of a preview has.
const (
	MaxMatchedElements = 100_000
	MaxMatchesShown    = 1_000
)

// EntityKey is by what of an element of a model it is matched.
type EntityKey string

// The keys of entities.
const (
	EntityID       EntityKey = "Id"
	EntityCode     EntityKey = "Code"
	EntityGUID     EntityKey = "Guid"     // its federation GUID
	EntityName     EntityKey = "Name"     // its property Name
	EntityProperty EntityKey = "Property" // the one that is named
)

var entityKeys = []EntityKey{EntityID, EntityCode, EntityGUID, EntityName, EntityProperty}

// TaskKey is by what of a task it is matched.
type TaskKey string

// The keys of tasks.
const (
	TaskCode         TaskKey = "Code"         // its userDefinedId
	TaskName         TaskKey = "Name"         // its name
	TaskUserField    TaskKey = "UserField"    // the value of the user field that is named
	TaskActivityCode TaskKey = "ActivityCode" // the names of its values of the code that is named
)

var taskKeys = []TaskKey{TaskCode, TaskName, TaskUserField, TaskActivityCode}

var matchKinds = []fourd.MatchKind{fourd.ExactMatch, fourd.PrefixMatch, fourd.PatternMatch}

// BindingMatch says which elements of a model show which tasks.
type BindingMatch struct {
	// AppearanceProfileID is the profile of the bindings that are made.
	AppearanceProfileID string    `json:"appearanceProfileId"`
	CodeID              string    `json:"codeId"`    // of ActivityCode
	EntityKey           EntityKey `json:"entityKey"` // Code when left out
	IgnoreCase          bool      `json:"ignoreCase"`
	// Kind is how the value of an element leads to a task; Exact when left out.
	Kind    fourd.MatchKind `json:"kind"`
	ModelID string          `json:"modelId"` // required
	// Pattern is the regular expression of the kind Pattern, up to 200 bytes: the task has what its first group
	// finds, or all of it.
	Pattern     string  `json:"pattern"`
	Property    string  `json:"property"`    // of the key Property
	TaskKey     TaskKey `json:"taskKey"`     // Code when left out
	UserFieldID string  `json:"userFieldId"` // of UserField
}

func (m *BindingMatch) check() error {
	var c problem.Checks
	c.Need("modelId", m.ModelID, model.MaxText)
	m.EntityKey, m.TaskKey = cmp.Or(m.EntityKey, EntityCode), cmp.Or(m.TaskKey, TaskCode)
	m.Kind = cmp.Or(m.Kind, fourd.ExactMatch)
	problem.OneOf(&c, "entityKey", m.EntityKey, entityKeys)
	problem.OneOf(&c, "taskKey", m.TaskKey, taskKeys)
	problem.OneOf(&c, "kind", m.Kind, matchKinds)
	if m.EntityKey == EntityProperty {
		c.Need("property", m.Property, model.MaxText)
	}
	if m.TaskKey == TaskUserField {
		c.Need("userFieldId", m.UserFieldID, model.MaxText)
	}
	if m.TaskKey == TaskActivityCode {
		c.Need("codeId", m.CodeID, model.MaxText)
	}
	if m.Kind == fourd.PatternMatch {
		c.Need("pattern", m.Pattern, model.MaxText)
	}
	return c.Err(model.InvalidRequest)
}

// MatchPreview is what a rule makes of the elements of a model and the tasks of a schedule. Each list has up to
// MaxMatchesShown items, in the order of ids. Values of more than fourd.MaxMatchValue bytes match nothing: what has
// no other is left.
type MatchPreview struct {
	Ambiguous         []AmbiguousMatch `json:"ambiguous"` // elements that the rule leads to several tasks
	AmbiguousCount    int              `json:"ambiguousCount"`
	Bound             []Match          `json:"bound"`             // bindings to be made
	BoundAlreadyCount int              `json:"boundAlreadyCount"` // pairs that have a binding
	BoundCount        int              `json:"boundCount"`
	LeftEntityCount   int              `json:"leftEntityCount"`
	LeftEntityIDs     []string         `json:"leftEntityIds"` // elements without a task
	LeftTaskCount     int              `json:"leftTaskCount"`
	LeftTaskIDs       []string         `json:"leftTaskIds"` // tasks without an element
}

// Match is an element and the task that it is to show.
type Match struct {
	AnimatedEntityID string `json:"animatedEntityId"`
	TaskID           string `json:"taskId"`
}

// AmbiguousMatch is an element and the tasks that it might show.
type AmbiguousMatch struct {
	AnimatedEntityID string   `json:"animatedEntityId"`
	TaskCount        int      `json:"taskCount"`
	TaskIDs          []string `json:"taskIds"` // the first 10
}

// Elements has the elements of models.
type Elements = model.Elements

// Element is one of a model, as far as it is matched with tasks.
type Element = model.Element

// matched is what came of a rule, without the pairs that have a binding.
type matched struct {
	fourd.Matched

	already int
	taken   map[string]bool // ids of bindings
}

// PreviewMatch reports which elements of a model a rule binds to which tasks, and makes no binding (POST
// …/animation-bindings/match?dryRun=true). It needs no more than PermissionRead, and to read the model.
//
// Errors: ScheduleNotFound; ModelNotFound; InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (modelId, property, userFieldId, codeId, pattern) or InvalidValue
// (modelId, entityKey, taskKey, kind, pattern); LimitExceeded for a model of more than MaxMatchedElements elements, and
// for a pattern that would take too long for all of them.
func (p Plan) PreviewMatch(ctx context.Context, m BindingMatch) (out MatchPreview, err error) {
	found, err := p.match(ctx, &m)
	if err != nil {
		return out, err
	}
	out = MatchPreview{
		Ambiguous: []AmbiguousMatch{}, AmbiguousCount: len(found.Ambiguous), Bound: []Match{},
		BoundAlreadyCount: found.already, BoundCount: len(found.Bound), LeftEntityCount: len(found.Entities),
		LeftEntityIDs: shownOf(found.Entities), LeftTaskCount: len(found.Tasks), LeftTaskIDs: shownOf(found.Tasks),
	}
	for _, pair := range shownOf(found.Bound) {
		out.Bound = append(out.Bound, Match{pair.EntityID, pair.TaskID})
	}
	for _, a := range shownOf(found.Ambiguous) {
		out.Ambiguous = append(out.Ambiguous, AmbiguousMatch{a.EntityID, a.Tasks, a.TaskIDs})
	}
	return out, nil
}

// shownOf are the first of a list, as many as a preview has.
func shownOf[T any](all []T) []T { return append([]T{}, all[:min(len(all), MaxMatchesShown)]...) }

// MatchBindings makes the bindings that PreviewMatch reports as bound, the first 1,000 of them, all or none (POST
// …/animation-bindings/match). Pairs that have a binding are left out: called again it makes the next ones. The ids
// follow from the pairs, so that two calls at once do not bind a pair twice. It needs
// PermissionModify, and to read the model.
//
// Errors: as PreviewMatch and CreateBindings; InvalidValue (kind) where the rule binds nothing that has no binding.
func (p Plan) MatchBindings(ctx context.Context, m BindingMatch) (res twinplatform.Result[Binding], err error) {
	if err := m.check(); err != nil {
		return res, err
	}
	// Who may not change the schedule learns nothing more, and one that is being set up has nothing to bind yet.
	nothing := func(*records.Update, *model.Schedule) error { return nil }
	if err := p.area.Change(ctx, p.id, model.V10Only, nothing); err != nil {
		return res, err
	}
	for range matchTries {
		if res, err = p.bindMatched(ctx, &m); !isThere(err) {
			break
		}
	}
	return res, err
}

// matchTries is how often a rule is applied that finds its pairs bound by another call meanwhile.
const matchTries = 3

func isThere(err error) bool {
	var refused *twinplatform.Error
	return errors.As(err, &refused) && refused.Code == "AlreadyExists"
}

// bindMatched makes the bindings of a rule. The ids follow from the pairs: of two calls at once one is refused.
func (p Plan) bindMatched(ctx context.Context, m *BindingMatch) (res twinplatform.Result[Binding], err error) {
	found, err := p.match(ctx, m)
	if err != nil {
		return res, err
	}
	if len(found.Bound) == 0 {
		return res, model.Invalid(problem.BadValue("kind",
			"The rule binds no element to a task that it does not show yet."))
	}
	var batch []NewBinding
	for _, pair := range found.Bound[:min(len(found.Bound), model.MaxBatch)] {
		id := idOf(pair)
		if found.taken[id] {
			id = "" // a binding had this pair, and was changed: any id will do
		}
		batch = append(batch, NewBinding{
			ID: id, AnimatedEntityID: pair.EntityID, TaskID: pair.TaskID, AppearanceProfileID: m.AppearanceProfileID,
		})
	}
	return p.CreateBindings(ctx, batch)
}

// matchPrefix begins the ids of the bindings that rules make.
const matchPrefix = "match-"

// idOf is the id of the binding that a rule makes for a pair.
func idOf(pair fourd.Pair) string {
	sum := sha256.Sum256([]byte(records.Join(pair.EntityID, pair.TaskID)))
	return matchPrefix + hex.EncodeToString(sum[:16])
}

// match applies a rule.
func (p Plan) match(ctx context.Context, m *BindingMatch) (out matched, err error) {
	if err := m.check(); err != nil {
		return out, err
	}
	tasks, bound, taken, err := p.matchedTasks(ctx, m)
	if err != nil {
		return out, err
	}
	entities, err := p.matchedEntities(ctx, m)
	if err != nil {
		return out, err
	}
	rule := fourd.MatchRule{Kind: m.Kind, Pattern: m.Pattern, IgnoreCase: m.IgnoreCase}
	out.Matched, err = fourd.Match(ctx, rule, entities, tasks)
	switch {
	case errors.Is(err, fourd.ErrPattern):
		return out, model.Invalid(problem.BadValue("pattern",
			"The value of 'pattern' is a regular expression of at most %d bytes.", fourd.MaxPattern))
	case errors.Is(err, fourd.ErrPatternSteps):
		return out, problem.Conflict("LimitExceeded", "pattern",
			"The pattern takes too long for so many elements. Use a shorter one, or one with smaller repetitions.")
	case err != nil:
		return out, err
	}
	pairs := out.Bound[:0]
	for _, pair := range out.Bound {
		if bound[pair] {
			out.already++
			continue
		}
		pairs = append(pairs, pair)
	}
	out.Bound, out.taken = pairs, taken
	return out, nil
}

// matchedTasks are the tasks with the values by which they are matched, the pairs that have a binding, and those of
// the ids of bindings that a rule might give.
func (p Plan) matchedTasks(ctx context.Context, m *BindingMatch) (all []fourd.Keyed, bound map[fourd.Pair]bool,
	taken map[string]bool, err error,
) {
	err = p.area.Read(ctx, p.id, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		if err := model.V10Only(sc); err != nil {
			return err
		}
		if err := m.refers(v, sc.Scope); err != nil {
			return err
		}
		all, bound, taken = nil, make(map[fourd.Pair]bool), make(map[string]bool)
		values, err := m.valuesOfTasks(v, sc.Scope)
		if err != nil {
			return err
		}
		for t, err := range p.area.PlannedTasks(v, sc.Scope, nil) {
			switch {
			case err != nil:
				return err
			case m.TaskKey == TaskCode:
				all = append(all, keyed(t.ID, t.Code))
			case m.TaskKey == TaskName:
				all = append(all, keyed(t.ID, t.Name))
			default:
				all = append(all, fourd.Keyed{ID: t.ID})
				for _, value := range values[t.ID] {
					all = append(all, keyed(t.ID, value))
				}
			}
		}
		return readBound(v, sc.Scope, bound, taken)
	})
	return all, bound, taken, err
}

// readBound adds the pairs that have a binding, and those of the ids of bindings that a rule might give.
func readBound(v *records.View, s records.Scope, bound map[fourd.Pair]bool, taken map[string]bool) error {
	for b, err := range bindingRecords.From(v, s, "") {
		if err != nil {
			return err
		}
		bound[fourd.Pair{EntityID: b.AnimatedEntityID, TaskID: b.TaskID}] = true
		if strings.HasPrefix(b.ID, matchPrefix) {
			taken[b.ID] = true
		}
	}
	return nil
}

// refers checks that what a rule names is there.
func (m *BindingMatch) refers(v *records.View, s records.Scope) error {
	var c problem.Checks
	for _, named := range []struct {
		name, id string
		has      func(records.Reading, records.Scope, string) (bool, error)
	}{
		{"appearanceProfileId", m.AppearanceProfileID, profileRecords.Has},
		{"codeId", m.CodeID, model.Codes.Has},
		{"userFieldId", m.UserFieldID, model.UserFields.Has},
	} {
		if named.id == "" {
			continue
		}
		there, err := named.has(v, s, named.id)
		if err != nil {
			return err
		}
		if !there {
			c.Bad(named.name, "The schedule does not have '%s'.", named.id)
		}
	}
	return c.Err(model.InvalidRequest)
}

// valuesOfTasks are the values of a user field or of a code, by task.
func (m *BindingMatch) valuesOfTasks(v *records.View, s records.Scope) (map[string][]string, error) {
	values := make(map[string][]string)
	switch m.TaskKey {
	case TaskUserField:
		for value, err := range model.TaskValues.Find(v, s, model.ValuesOfField, m.UserFieldID) {
			if err != nil {
				return nil, err
			}
			values[value.TaskID] = append(values[value.TaskID], value.Value)
		}
	case TaskActivityCode:
		for value, err := range model.CodeValues.Find(v, s, model.ValuesOfCode, m.CodeID) {
			if err != nil {
				return nil, err
			}
			for a, err := range model.CodedTasks.Find(v, s, model.TasksOfValue, value.ID) {
				if err != nil {
					return nil, err
				}
				values[a.TaskID] = append(values[a.TaskID], value.Name)
			}
		}
	case TaskCode, TaskName:
	}
	return values, nil
}

// matchedEntities are the elements of the model with the values by which they are matched.
func (p Plan) matchedEntities(ctx context.Context, m *BindingMatch) (all []fourd.Keyed, err error) {
	if p.area.Elements == nil {
		return nil, model.Invalid(problem.BadValue("modelId", "There are no models here."))
	}
	for e, err := range p.area.Elements.Elements(ctx, m.ModelID) {
		if err != nil {
			return nil, err
		}
		if len(all) >= MaxMatchedElements {
			return nil, tooMuch("The model has more than %d elements: it is too large for a rule.", MaxMatchedElements)
		}
		all = append(all, keyed(e.ID, m.valueOf(&e)))
	}
	return all, nil
}

// keyed is an element or a task by its value, of which one is not kept that is too long to match.
func keyed(id, value string) fourd.Keyed {
	if len(value) > fourd.MaxMatchValue {
		value = ""
	}
	return fourd.Keyed{ID: id, Value: value}
}

func (m *BindingMatch) valueOf(e *model.Element) string {
	switch m.EntityKey {
	case EntityID:
		return e.ID
	case EntityGUID:
		return e.GUID
	case EntityName:
		return property(e, "Name")
	case EntityProperty:
		return property(e, m.Property)
	case EntityCode:
	}
	return e.Code
}

// property is the value of a property as a text. A name that differs in case alone is the same where none is equal;
// of several the first one in order counts.
func property(e *model.Element, name string) string {
	if v, there := e.Properties[name]; there {
		return plain(v)
	}
	same := ""
	for n := range e.Properties {
		if strings.EqualFold(n, name) && (same == "" || n < same) {
			same = n
		}
	}
	return plain(e.Properties[same])
}

// plain is a text, a number or a boolean as a text, and else empty: lists and objects match nothing.
func plain(v any) string {
	switch v.(type) {
	case string, bool, json.Number, int, int64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

func matchSchemas(b *schema.Book) {
	schema.Enum(b, entityKeys)
	schema.Enum(b, taskKeys)
	schema.Enum(b, matchKinds)
	schema.Call[BindingMatch](b, "AnimationBindingMatch")
	schema.Call[MatchPreview](b, "AnimationBindingMatchPreview")
	schema.Call[Match](b, "AnimationMatch")
	schema.Call[AmbiguousMatch](b, "AmbiguousAnimationMatch")
	b.Has(reflect.TypeFor[MatchPreview](), schema.Refers("leftTaskIds", model.Tasks.Collection()),
		schema.NotRef("leftEntityIds", "they are elements of a 3D model"))
}
