package recording

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// surveyor makes a seed of what answers show of the world before the session: what is seen before
// it is changed, and was not made in it.
type surveyor struct {
	lists     map[string][]object            // of the world, except for schedules
	schedules map[string]map[string][]object // what schedules hold, by list
	settings  map[string]object              // project scheduling, by schedule
	met       map[string]bool                // ids by their lists
	shown     map[string]object              // the entries of those, to which later answers add
	changed   map[string]bool                // that the session has changed
	unclear   map[string]bool                // lists in which a record was made whose id no answer shows
	twins     []string                       // that are named
	dropped   []string                       // records that a seed cannot have, and why
	owner     twinplatform.Principal
	spec      *specification
}

func newSurveyor(owner twinplatform.Principal, spec *specification) *surveyor {
	return &surveyor{
		spec:  spec,
		lists: make(map[string][]object), schedules: make(map[string]map[string][]object),
		settings: make(map[string]object),
		met:      make(map[string]bool), shown: make(map[string]object), changed: make(map[string]bool),
		unclear: make(map[string]bool), owner: owner,
	}
}

// What seeds have: the lists of a world, and those of a schedule, with the members of their entries.
var (
	ofWorld    = listsOf(reflect.TypeFor[platform.World]())
	ofSchedule = listsOf(reflect.TypeFor[platform.Schedule]())
	inSettings = membersOf(ofOptional(reflect.TypeFor[platform.Schedule](), "ProjectScheduling"))
)

func ofOptional(t reflect.Type, field string) reflect.Type {
	f, _ := t.FieldByName(field)
	return f.Type.Elem()
}

func listsOf(t reflect.Type) map[string]map[string]bool {
	out := make(map[string]map[string]bool)
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && f.Type.Kind() == reflect.Slice &&
			f.Type.Elem().Kind() == reflect.Struct {
			out[name] = membersOf(f.Type.Elem())
		}
	}
	return out
}

func membersOf(t reflect.Type) map[string]bool {
	out := make(map[string]bool)
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" && f.IsExported() {
			out[name] = true
		}
	}
	return out
}

// see takes what an answer shows.
func (s *surveyor) see(x *exchanged) {
	names := inPath(x.operation.Path, x.target)
	if twin := names["twinId"]; twin != "" && x.status < 300 && x.operation.ID != "twins.delete" {
		s.twin(twin)
	}
	if x.known && x.status < 300 && x.method == http.MethodPost {
		s.made(x, names)
	}
	if !x.known || x.status >= 300 || x.status == http.StatusAccepted || x.method == http.MethodDelete ||
		!x.answerJSON {
		return
	}
	list, _, _ := strings.Cut(x.operation.ID, ".")
	schedule := names["scheduleId"]
	if list == "projectScheduling" && s.settings[schedule] == nil {
		for _, r := range records(x.answer, list) {
			s.settings[schedule] = only(r, inSettings)
		}
		return
	}
	members := ofSchedule[list]
	if list == "schedules" || schedule == "" {
		members, schedule = ofWorld[list], ""
	}
	if members == nil {
		return
	}
	for _, r := range records(x.answer, list) {
		s.record(x, list, schedule, names, members, r)
	}
}

// made notes what a request makes, by the ids that it gives; without them what is new in the list
// from now on.
func (s *surveyor) made(x *exchanged, names map[string]string) {
	list, _, _ := strings.Cut(x.operation.ID, ".")
	schedule := names["scheduleId"]
	if list == "schedules" {
		schedule = ""
	}
	body, _ := x.sent.(object)
	each := []object{body}
	for _, v := range body {
		if entries, ok := v.([]any); ok {
			each = append(each, objects(entries)...)
		}
	}
	given := false
	for _, e := range each {
		if id, _ := e["id"].(string); id != "" {
			s.met[keyOf(list, schedule, names, id)], given = true, true
		}
	}
	if !given && x.status == http.StatusAccepted {
		s.unclear[list+"\n"+schedule] = true
	}
}

func (s *surveyor) record(x *exchanged, list, schedule string, names map[string]string, members map[string]bool,
	r object,
) {
	id, _ := r["id"].(string)
	key := keyOf(list, schedule, names, id)
	if id == "" {
		key += fmt.Sprint(r["displayName"], r["taskId"], r["codeValueId"])
	}
	s.complement(x, key, schedule, only(r, members))
	if s.met[key] || r["deleted"] == true || list == "roles" && r["type"] == "System" {
		return
	}
	s.met[key] = true
	if x.method == http.MethodPost || s.unclear[list+"\n"+schedule] && player.Generated(id) {
		return // it was made in the session
	}
	if sent := s.spec.sentTo(list + ".create"); schedule != "" && len(sent) > 0 {
		members = maps.Clone(members)
		maps.DeleteFunc(members, func(name string, _ bool) bool { return sent[name] == nil && name != "id" })
	}
	entry := only(r, members)
	for _, name := range []string{"twinId", "repositoryId"} {
		if members[name] && entry[name] == nil && names[name] != "" {
			entry[name] = names[name]
		}
	}
	if twin, _ := entry["twinId"].(string); twin != "" {
		s.twin(twin)
	}
	if roles, ok := entry["roles"].([]any); ok {
		entry["roles"] = displayed(roles)
		delete(entry, "roleIds") // which a seed gives again
	} else {
		s.shown[key] = entry
	}
	switch {
	case schedule == "":
		s.lists[list] = append(s.lists[list], entry)
	case s.schedules[schedule] == nil:
		s.schedules[schedule] = map[string][]object{list: {entry}}
	default:
		s.schedules[schedule][list] = append(s.schedules[schedule][list], entry)
	}
}

// complement adds to an entry what a list did not show of it, until the session changes it.
func (s *surveyor) complement(x *exchanged, key, schedule string, r object) {
	s.changed[key] = s.changed[key] || x.method != http.MethodGet
	entry := s.shown[key]
	if entry == nil || s.changed[key] || schedule != "" {
		return
	}
	for name, v := range r {
		if _, known := entry[name]; !known {
			entry[name] = v
		}
	}
}

// keyOf is the key of a record.
func keyOf(list, schedule string, names map[string]string, id string) string {
	twin := ""
	switch list {
	case "roles", "members", "groups", "groupMembers", "repositories", "repositoryResources":
		twin = names["twinId"] + "\n" + names["repositoryId"]
	}
	return strings.Join([]string{list, schedule, twin, id}, "\n")
}

// displayed are the names of roles, by which seeds know them.
func displayed(roles []any) []any {
	out := make([]any, len(roles))
	for i, r := range roles {
		out[i] = r
		if of, ok := r.(object); ok {
			out[i] = of["displayName"]
		}
	}
	return out
}

func (s *surveyor) twin(id string) {
	if !slices.Contains(s.twins, id) {
		s.twins = append(s.twins, id)
	}
}

// dates are the members of the entries of seeds in which null is a record without a date.
var dates = func() map[string]bool {
	names := make(map[string]bool)
	for _, t := range []reflect.Type{reflect.TypeFor[platform.World](), reflect.TypeFor[platform.Schedule]()} {
		for _, f := range reflect.VisibleFields(t) {
			if f.Type.Kind() != reflect.Slice || f.Type.Elem().Kind() != reflect.Struct {
				continue
			}
			for _, m := range reflect.VisibleFields(f.Type.Elem()) {
				if name, _, _ := strings.Cut(m.Tag.Get("json"),
					","); m.Type == reflect.TypeFor[twinplatform.Optional[twinplatform.DateTime]]() {
					names[name] = true
				}
			}
		}
	}
	return names
}()

// only is a record with the members that seeds have, and without what is null except for
// dates.
func only(r object, members map[string]bool) object {
	out := make(object)
	for name, v := range r {
		if members[name] && (v != nil || dates[name]) {
			out[name] = v
		}
	}
	return out
}

// records are what an answer is about: entries of a list, or a record alone.
func records(answer any, list string) (out []object) {
	body, _ := answer.(object)
	for _, v := range []any{body[list], body} {
		of, ok := v.(object)
		if entries, isList := v.([]any); isList {
			return objects(entries)
		}
		for _, name := range slices.Sorted(maps.Keys(of)) {
			entries, isList := of[name].([]any)
			if ok && isList && of["id"] == nil {
				return objects(entries)
			}
		}
	}
	for name, v := range body {
		if of, ok := v.(object); ok && !strings.HasPrefix(name, "_") {
			out = append(out, of)
		}
	}
	return out
}

func objects(entries []any) (out []object) {
	for _, e := range entries {
		if of, ok := e.(object); ok {
			out = append(out, of)
		}
	}
	return out
}

// inPath are the values of the names that a path has in braces.
func inPath(pattern, target string) map[string]string {
	out := make(map[string]string)
	path, _, _ := strings.Cut(target, "?")
	values := strings.Split(strings.TrimSuffix(path, "/"), "/")
	for i, name := range strings.Split(pattern, "/") {
		if strings.HasPrefix(name, "{") && i < len(values) {
			out[strings.Trim(name, "{}")] = player.Unescaped(values[i])
		}
	}
	return out
}

// world is the seed. It takes what the platform takes, list by list; what it refuses is left out.
func (s *surveyor) world(ctx context.Context) (*platform.World, error) {
	w := make(map[string][]object)
	s.complete()
	kept := platform.World{}
	for _, list := range worldOrder {
		taken, err := s.taken(ctx, list, s.lists[list],
			func(some []object) map[string]any { return with(w, list, some) })
		if err != nil {
			return nil, err
		}
		if w[list] = taken; list != "schedules" {
			continue
		}
		for i := range taken {
			if err := s.fill(ctx, w, i); err != nil {
				return nil, err
			}
		}
	}
	err := decoded(with(w, "", nil), &kept)
	return &kept, err
}

// complete adds the twins that were named and not shown, and takes out what leads to others.
func (s *surveyor) complete() {
	for _, id := range s.twins {
		if !has(s.lists["twins"], id) && !s.met[keyOf("twins", "", nil, id)] {
			s.lists["twins"] = append(s.lists["twins"], object{"id": id})
		}
	}
	for _, t := range s.lists["twins"] {
		if parent, _ := t["parentId"].(string); !has(s.lists["twins"], parent) {
			delete(t, "parentId")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.schedules)) {
		if !has(s.lists["schedules"], id) && !s.met[keyOf("schedules", "", nil, id)] {
			s.dropped = append(s.dropped, "schedules "+id+": it was not shown, and what it holds was")
		}
	}
}

// worldOrder are the lists as they build on one another.
var worldOrder = []string{
	"twins", "roles", "members", "groups", "groupMembers", "repositories", "repositoryResources", "models",
	"savedViews",
	"formDefinitions", "forms", "realityData", "detectors", "schedules",
}

// scheduleOrder are the lists of a schedule as they build on one another.
var scheduleOrder = []string{
	"calendars", "tasks", "taskLinks", "resources", "resourceStatusCategories", "resourceStatusSets",
	"resourceStatusItems", "appearanceProfiles",
	"resourceAssignments", "resourceGroups", "statusHistoryItems", "entities3d", "userFields", "animation3dTransforms",
	"animation3dPaths",
	"keyframes", "animation3dPathAssignments", "animationBindings", "codes", "codeValues", "codeValueAssignments",
	"rules", "taskQueryFilters",
}

// fill gives a schedule what it holds.
func (s *surveyor) fill(ctx context.Context, w map[string][]object, at int) error {
	id, _ := w["schedules"][at]["id"].(string)
	holds := s.schedules[id]
	put := func(list string, v any) map[string]any {
		plans := slices.Clone(w["schedules"])
		plans[at] = maps.Clone(plans[at])
		plans[at][list] = v
		return with(w, "schedules", plans)
	}
	if ids := statusIDs(holds["tasks"]); len(ids) > 0 && s.seeds(ctx, put("taskStatusIds", ids)) == nil {
		w["schedules"][at]["taskStatusIds"] = ids
	}
	if set := s.settings[id]; len(set) > 0 && set["calendarId"] == nil &&
		s.seeds(ctx, put("projectScheduling", set)) == nil {
		w["schedules"][at]["projectScheduling"] = set
	}
	for _, list := range scheduleOrder {
		for _, e := range holds[list] {
			if parent, _ := e["parentId"].(string); !has(holds[list], parent) {
				delete(e, "parentId")
			}
		}
		taken, err := s.taken(ctx, list, holds[list], func(some []object) map[string]any { return put(list, some) })
		if err != nil {
			return err
		}
		if len(taken) > 0 {
			w["schedules"][at][list] = taken
		}
	}
	if set := s.settings[id]; len(set) > 0 && set["calendarId"] != nil &&
		s.seeds(ctx, put("projectScheduling", set)) == nil {
		w["schedules"][at]["projectScheduling"] = set
	}
	return nil
}

// statusIDs are the ids of the statuses that tasks show, which they have from their schedule.
func statusIDs(tasks []object) object {
	ids := make(object)
	for _, t := range tasks {
		status, _ := t["status"].(string)
		if id, _ := t["statusId"].(string); id != "" && status != "" {
			ids[status] = id
		}
		delete(t, "statusId")
	}
	return ids
}

func has(entries []object, id string) bool {
	return slices.ContainsFunc(entries, func(e object) bool { return e["id"] == id && id != "" })
}

func with(w map[string][]object, list string, entries []object) map[string]any {
	out := make(map[string]any, len(w)+1)
	for name, entries := range w {
		out[name] = entries
	}
	if list != "" {
		out[list] = entries
	}
	return out
}

// taken are the entries that the platform takes: all of them, or those that pass a trial
// import.
func (s *surveyor) taken(ctx context.Context, list string, entries []object,
	world func([]object) map[string]any,
) ([]object, error) {
	if len(entries) == 0 || s.seeds(ctx, world(entries)) == nil {
		return entries, nil
	}
	var kept, later []object
	refused := make(map[string]bool) // members that entries may not have
	last := false                    // what is named and not there is left out
	var try func(some []object)
	try = func(some []object) {
		if len(some) == 0 || ctx.Err() != nil {
			return
		}
		err := s.seeds(ctx, world(append(slices.Clone(kept), some...)))
		if err != nil && len(refused) > 0 {
			lacking := without(some, refused)
			if s.seeds(ctx, world(append(slices.Clone(kept), lacking...))) == nil {
				kept = append(kept, lacking...)
				return
			}
		}
		switch {
		case err == nil:
			kept = append(kept, some...)
		case len(some) == 1 && s.repaired(some, err, refused, last):
			try(some)
		case len(some) == 1 && !last:
			later = append(later, some[0]) // what it names may come
		case len(some) == 1:
			s.dropped = append(s.dropped, fmt.Sprintf("%s %v: %v", list,
				cmp.Or[any](some[0]["id"], some[0]["displayName"], "without an id"), err))
		default:
			try(some[:len(some)/2])
			try(some[len(some)/2:])
		}
	}
	try(slices.Clone(entries))
	for waiting := len(entries) + 1; len(later) > 0 && !last; {
		again := later
		last, waiting, later = len(again) == waiting, len(again), nil
		for _, e := range again {
			try([]object{e})
		}
	}
	return kept, ctx.Err()
}

// without are entries without some members.
func without(entries []object, members map[string]bool) []object {
	out := make([]object, len(entries))
	for i, e := range entries {
		out[i] = maps.Clone(e)
		maps.DeleteFunc(out[i], func(name string, _ any) bool { return members[name] })
	}
	return out
}

// repaired takes out of an entry what an error is about, and reports whether there was
// something.
func (*surveyor) repaired(some []object, err error, refused map[string]bool, references bool) bool {
	known, ok := errors.AsType[*twinplatform.Error](err)
	if !ok {
		return false
	}
	entry, before := maps.Clone(some[0]), len(some[0])
	for _, d := range known.Details {
		name := d.Target[strings.LastIndexByte(d.Target, ']')+1:]
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "."), ".")
		if name == "id" || strings.HasSuffix(name, "Id") && !references {
			continue
		}
		delete(entry, name)
		refused[name] = refused[name] || !strings.HasSuffix(name, "Id") // which is wrong of itself
	}
	some[0] = entry
	return len(entry) < before
}

// seeds tries a world on its own platform.
func (s *surveyor) seeds(ctx context.Context, world map[string]any) error {
	var w platform.World
	if err := decoded(world, &w); err != nil {
		return err
	}
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }() // of a store in memory
	return p.Seed(ctx, &w, platform.SeedOptions{Owner: s.owner})
}

func decoded(world map[string]any, w *platform.World) error {
	for name, entries := range world {
		if list, ok := entries.([]object); ok && len(list) == 0 {
			delete(world, name)
		}
	}
	raw, err := json.Marshal(world)
	if err != nil {
		return err
	}
	read, err := platform.ReadWorld(bytes.NewReader(raw))
	if err == nil {
		*w = *read
	}
	return err
}
