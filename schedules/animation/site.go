package animation

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Limits of a page of states or of timelines. What would pass them is LimitExceeded.
const (
	MaxSiteBindings  = 100_000 // of the entities of a page
	MaxSiteKeyframes = 20_000  // of the paths that they move along
	MaxSiteMoments   = 20_000  // of a page of timelines
	MaxSiteBoxes     = 10_000  // of the entities of a page and of their groups
	MaxSitePositions = 100_000 // and turns, of the paths of each entity of a page of timelines
	MaxSiteStatuses  = 100_000 // of the resources that they show
	MaxSiteGrouped   = 200_000 // bindings in the groups that they are in
)

// SiteDates is by which dates of its tasks a schedule is shown.
type SiteDates string

// The dates.
const (
	// CurrentSiteDates are the actual dates as far as there are any, and else those that are planned; what
	// has begun ends as estimated.
	CurrentSiteDates  SiteDates = "Current"
	PlannedSiteDates  SiteDates = "Planned"
	BaselineSiteDates SiteDates = "Baseline" // those of a baseline, which is named too
	// ActualSiteDates are what was done: a task that has not begun never does.
	ActualSiteDates SiteDates = "Actual"
)

var siteDates = []SiteDates{CurrentSiteDates, PlannedSiteDates, BaselineSiteDates, ActualSiteDates}

// siteSchemas names what states and timelines are made of, and says to what their ids refer.
func siteSchemas(b *schema.Book) {
	schema.Enum(b, siteDates)
	assigned := schema.Refers("animation3dPathAssignmentId", pathAssignmentRecords.Name)
	schema.Call[EntityState](b, "AnimationState")
	schema.Call[EntityTimeline](b, "AnimationTimeline")
	schema.Call[Moment](b, "AnimationMoment")
	schema.Call[Until](b, "AnimationUntil")
	schema.Call[Growth](b, "AnimationGrowth")
	schema.Call[Plane](b, "AnimationPlane")
	schema.Call[Position](b, "AnimationPosition")
	schema.Call[Turn](b, "AnimationTurn")
	schema.Call[SiteWarning](b, "AnimationWarning")
	schema.Call[Motion](b, "AnimationMotion")
	schema.Call[Way](b, "AnimationWay")
	schema.Call[Why](b, "AnimationReason")
	b.Has(reflect.TypeFor[Motion](), assigned)
	b.Has(reflect.TypeFor[Way](), assigned)
	b.Has(reflect.TypeFor[Why](), assigned, schema.Refers("animationBindingId", bindingRecords.Name),
		schema.Refers("animation3dTransformId", transformRecords.Name),
		schema.Refers("resourceStatusItemId", model.StatusItems.Name))
}

// SiteQuery selects which entities of the 3D model are shown, and by which dates.
type SiteQuery struct {
	// ListOptions without Delta.
	twinplatform.ListOptions
	// EntityIDs are the entities to show, up to MaxBatch; none means all that show tasks.
	EntityIDs []string
	// BaselineID is the baseline by whose dates the schedule is shown.
	BaselineID string
	// Dates are CurrentSiteDates when empty, and BaselineSiteDates where a baseline is named.
	Dates SiteDates
	// ModelID is the model whose elements the entities are: it has the boxes around them. Without one, growth
	// has no planes, and what moves keeps its distance from its path. The version of the answer then follows
	// from its content.
	ModelID string
}

// Boxes has the boxes around the elements of models.
type Boxes = model.Boxes

// Shapes has their geometry as well.
type Shapes = model.Shapes

func (q *SiteQuery) check(c *problem.Checks) {
	if len(q.EntityIDs) > model.MaxBatch {
		c.Bad("entityIds", "At most %d items can be given at once.", model.MaxBatch)
	}
	switch {
	case q.Dates == "" && q.BaselineID != "":
		q.Dates = BaselineSiteDates
	case q.Dates == "":
		q.Dates = CurrentSiteDates
	case q.Dates == BaselineSiteDates && q.BaselineID == "":
		c.Missing("baselineId")
	case q.Dates != BaselineSiteDates && q.BaselineID != "":
		c.Bad("dates", "The dates are those of the baseline that is named.")
	default:
		problem.OneOf(c, "dates", q.Dates, siteDates)
	}
}

// site is what the entities of a page show.
type site struct {
	fourd.Site

	page  twinplatform.Page[any] // of which the entities are
	ids   []string               // of the entities
	clock model.Clock
	// about are the records of all that the state of an entity follows from, for its warnings.
	about map[string][]record
	// elements of the model, by entity, of the page and of groups that entities of it are in
	elements map[string]string
	query    *SiteQuery
}

// record is one by its sort and id.
type record struct {
	sort fourd.Sort
	id   string
}

// site reads what the entities of a page show, in one transaction. op names the list, and view what
// else its answer depends on.
func (p Plan) site(ctx context.Context, q *SiteQuery, op string, view ...string) (*site, error) {
	var s *site
	err := p.area.Read(ctx, p.id, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		r := siteReader{View: v, scope: sc.Scope, area: p.area, site: site{
			about: make(map[string][]record), elements: make(map[string]string), query: q,
		}, of: sc.Type, groups: make(map[string]string)}
		s = &r.site
		return r.read(sc, op, strings.Join(append(view, q.BaselineID, string(q.Dates), q.ModelID), "\x00"))
	})
	if err != nil || q.ModelID == "" || s.page.NotModified {
		return s, err
	}
	return s, s.readBoxes(ctx, p.area.Boxes)
}

// refused is why a request is refused: who may not see the schedule gets to know nothing else.
func (p Plan) refused(ctx context.Context, why error) error {
	return p.area.Read(ctx, p.id, model.ScheduleMissing, func(*records.View, *model.Schedule) error { return why })
}

// readBoxes reads the boxes of the entities.
func (s *site) readBoxes(ctx context.Context, from Boxes) error {
	if from == nil {
		return model.Invalid(problem.BadValue("modelId", "There are no models here."))
	}
	if len(s.elements) > MaxSiteBoxes {
		return tooMuch("The entities of the page and of their groups are more than %d. "+fewer, MaxSiteBoxes)
	}
	boxes, err := from.Boxes(ctx, s.query.ModelID, s.elementIDs())
	s.Box = func(entityID string) (fourd.Box, bool) {
		box, there := boxes[s.elements[entityID]]
		return box, there
	}
	return err
}

// elementIDs are the ids of the elements, in order.
func (s *site) elementIDs() []string { return slices.Compact(slices.Sorted(maps.Values(s.elements))) }

// siteReader reads a site in one transaction.
type siteReader struct {
	*records.View
	site

	scope                                            records.Scope
	area                                             model.Area
	tasks, profiles, transforms, resources, assigned names
	implied                                          names // profiles that may be the name of an action

	of     string            // the type of the schedule
	groups map[string]string // by resource, of a v6.5 schedule
}

// names are ids to be read, in order and each once.
type names map[string]bool

func (n *names) add(id string) {
	if *n == nil {
		*n = make(names)
	}
	if id != "" {
		(*n)[id] = true
	}
}

func (n names) sorted() []string { return slices.Sorted(maps.Keys(n)) }

func (r *siteReader) read(sc *model.Schedule, op, view string) error {
	if err := r.list(sc, op, view); err != nil || r.page.NotModified {
		return err
	}
	records.Declare(r.View, bindingRecords.NeedsIndexed(r.scope, boundEntity, r.ids...)...)
	records.Declare(r.View, entity3DRecords.Needs(r.scope, r.ids...)...)
	for _, id := range r.ids {
		if err := r.entity(id); err != nil {
			return err
		}
	}
	r.declare()
	for _, read := range []func() error{
		r.readGroups, r.readTasks, r.readProfiles, r.readTransforms, r.readPaths, r.readStatuses,
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// declare declares what the bindings name, which is read next.
func (r *siteReader) declare() {
	for _, needs := range [][]records.Need{
		model.Tasks.Needs(r.scope, r.tasks.sorted()...), profileRecords.Needs(r.scope, r.profiles.sorted()...),
		transformRecords.Needs(r.scope, r.transforms.sorted()...),
		pathAssignmentRecords.Needs(r.scope, r.assigned.sorted()...),
		model.StatusHistory.NeedsIndexed(r.scope, model.StatusOfResource, r.resources.sorted()...),
	} {
		records.Declare(r.View, needs...)
	}
}

// list finds the entities of the page: the 3D entities of a v6.5 schedule that has any, and else those that
// bindings name.
func (r *siteReader) list(sc *model.Schedule, op, view string) (err error) {
	options := r.query.ListOptions
	if r.query.ModelID != "" {
		options.IfNoneMatch = "" // the version follows from the content: see answered
	}
	wanted := model.Unique(slices.Sorted(slices.Values(r.query.EntityIDs)))
	has := false
	if sc.Type == model.V65 {
		if has, err = r.hasEntities(); err != nil {
			return err
		}
	}
	if has {
		q := records.Query[Entity3D]{ListOptions: options, Op: op, View: view}
		if len(wanted) > 0 {
			model.Narrow(&q, "entityIds", strings.Join(wanted, "\x00"), func(e *Entity3D) bool {
				_, found := slices.BinarySearch(wanted, e.ID)
				return found
			})
		}
		page, err := model.ListIn(r.View, sc.Type, r.scope, &entity3DRecords, q)
		r.page = twinplatform.Page[any](page)
		return cmp.Or(err, each(&page, func(e *Entity3D) { r.ids = append(r.ids, e.ID) }))
	}
	q := records.Query[Binding]{ListOptions: options, Op: op, View: view + "\x00" + strings.Join(wanted, "\x00")}
	if len(wanted) > 0 {
		q.Index = boundEntity
		q.Among = func(records.Reading, records.Scope) ([]string, error) { return wanted, nil }
	}
	model.Narrow(&q, "first", "", func(b *Binding) bool {
		first, _ := bindingRecords.FirstID(r.View, r.scope, boundEntity, b.AnimatedEntityID, "")
		return first == b.ID
	})
	page, err := model.ListIn(r.View, sc.Type, r.scope, &bindingRecords, q)
	r.page = twinplatform.Page[any](page)
	return cmp.Or(err, each(&page, func(b *Binding) { r.ids = append(r.ids, b.AnimatedEntityID) }))
}

// each calls fn with the records of a page.
func each[T any](page *twinplatform.Page[T], fn func(*T)) error {
	for v, err := range page.OnPage() {
		if err != nil {
			return err
		}
		fn(&v)
	}
	return nil
}

func (r *siteReader) hasEntities() (bool, error) {
	for _, err := range entity3DRecords.From(r.View, r.scope, "") {
		return err == nil, err
	}
	return false, nil
}

// entity reads the bindings of an entity: those that are made, and of one of a v6.5 schedule those that follow
// from the assignments of its resource.
func (r *siteReader) entity(id string) error {
	for b, err := range bindingRecords.Find(r.View, r.scope, boundEntity, id) {
		if err != nil {
			return err
		}
		if err := r.bind(b.shown()); err != nil {
			return err
		}
	}
	r.elements[id] = id
	e, err := entity3DRecords.Lookup(r.View, r.scope, id)
	if err != nil || e == nil {
		return err
	}
	return r.entity3D(e, func(string) bool { return true })
}

// entity3D reads what an entity of a v6.5 schedule shows: its element, and the assignments of its resource to the
// tasks that are wanted.
func (r *siteReader) entity3D(e *Entity3D, wanted func(taskID string) bool) error {
	r.elements[e.ID] = cmp.Or(string(e.ModelElementID), e.ID)
	resource := string(e.ResourceID)
	if resource == "" {
		return nil
	}
	group := r.groupOf(resource)
	for a, err := range model.Assignments.Find(r.View, r.scope, model.AssignedResource, resource) {
		if err != nil {
			return err
		}
		if !wanted(a.TaskID) {
			continue
		}
		r.implied.add(a.AppearanceProfileID)
		err = r.bind(fourd.Binding{
			ID: a.ID, EntityID: e.ID, TaskID: a.TaskID, ProfileID: a.AppearanceProfileID, ResourceID: resource,
			GroupID: group,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *siteReader) bind(b fourd.Binding) error {
	if len(r.Bindings) >= MaxSiteBindings {
		return tooMuch("The entities of the page have more than %d bindings. "+fewer, MaxSiteBindings)
	}
	r.Bindings = append(r.Bindings, b)
	r.tasks.add(b.TaskID)
	r.profiles.add(b.ProfileID)
	r.transforms.add(b.TransformID)
	r.assigned.add(b.PathAssignmentID)
	r.resources.add(b.ResourceID)
	r.about[b.EntityID] = append(r.about[b.EntityID], record{fourd.BindingSort, b.ID},
		record{fourd.TaskSort, b.TaskID}, record{fourd.ProfileSort, b.ProfileID},
		record{fourd.TransformSort, b.TransformID}, record{fourd.PathAssignmentSort, b.PathAssignmentID},
		record{fourd.ResourceSort, b.ResourceID})
	return nil
}

// fewer is what helps where a page would take too much.
const fewer = "Ask for fewer entities, by $top or entityIds."

// tooMuch is the error of a page that would take too much.
func tooMuch(format string, limit int) error {
	return problem.Conflict("LimitExceeded", "", strings.Replace(format, "%d", strconv.Itoa(limit), 1))
}

func (r *siteReader) readTasks() error {
	shown, err := r.area.ShownTasks(r.View, r.scope, r.query.BaselineID, r.tasks.sorted())
	r.Tasks, r.DataDate, r.clock = shown.Tasks, shown.DataDate, shown.Clock
	r.Dates = map[SiteDates]fourd.Dates{
		PlannedSiteDates: fourd.PlannedDates, BaselineSiteDates: fourd.BaselineDates,
		ActualSiteDates: fourd.ActualDates,
	}[r.query.Dates]
	return err
}

func (r *siteReader) readProfiles() error {
	for _, id := range r.profiles.sorted() {
		p, err := profileRecords.Lookup(r.View, r.scope, id)
		switch {
		case err != nil:
			return err
		case p != nil:
			r.Profiles = append(r.Profiles, p.shown())
		case r.implied[id] && slices.Contains(appearanceActions, AppearanceAction(id)):
			r.Profiles = append(r.Profiles, fourd.Profile{ID: id, Action: fourd.Action(id)})
		}
	}
	return nil
}

func (r *siteReader) readTransforms() error {
	for _, id := range r.transforms.sorted() {
		t, err := transformRecords.Lookup(r.View, r.scope, id)
		if err != nil {
			return err
		}
		if t != nil && len(t.Transform) == transformSize {
			r.Transforms = append(r.Transforms, fourd.Transform{ID: id, Matrix: fourd.Matrix(t.Transform)})
		}
	}
	return nil
}

func (r *siteReader) readPaths() error {
	var paths names
	for _, id := range r.assigned.sorted() {
		a, err := pathAssignmentRecords.Lookup(r.View, r.scope, id)
		if err != nil {
			return err
		}
		if a != nil {
			r.PathAssignments = append(r.PathAssignments, a.shown())
			paths.add(a.PathID)
		}
	}
	read := 0
	for _, id := range paths.sorted() {
		path := fourd.Path{ID: id}
		for k, err := range keyframeRecords.Find(r.View, r.scope, pathOf, id) {
			if err != nil {
				return err
			}
			if read++; read > MaxSiteKeyframes {
				return tooMuch("The paths of the page have more than %d keyframes. "+fewer, MaxSiteKeyframes)
			}
			path.Keyframes = append(path.Keyframes, k.shown())
		}
		r.Paths = append(r.Paths, path)
	}
	return nil
}

// readStatuses reads the history of the resources that entities show, in the order in which it was recorded.
func (r *siteReader) readStatuses() error {
	items, read := make(map[string]*model.ShownStatusItem), 0
	for _, id := range r.resources.sorted() {
		var history []*model.ShownStatus
		for h, err := range model.StatusHistory.Find(r.View, r.scope, model.StatusOfResource, id) {
			if err != nil {
				return err
			}
			if read++; read > MaxSiteStatuses {
				return tooMuch("The resources of the page have more than %d statuses. "+fewer, MaxSiteStatuses)
			}
			history = append(history, h)
		}
		slices.SortFunc(history, asRecorded)
		if err := r.addStatuses(history, items); err != nil {
			return err
		}
	}
	return nil
}

// addStatuses adds the statuses of a resource. Items are those that were read before, and are added to.
func (r *siteReader) addStatuses(history []*model.ShownStatus, items map[string]*model.ShownStatusItem) (err error) {
	for _, h := range history {
		item, known := items[h.StatusItemID]
		if !known {
			if item, err = model.StatusItems.Lookup(r.View, r.scope, h.StatusItemID); err != nil {
				return err
			}
			items[h.StatusItemID] = item
		}
		if item != nil {
			r.Statuses = append(r.Statuses, r.status(h, item))
		}
	}
	return nil
}

func asRecorded(a, b *model.ShownStatus) int {
	return cmp.Or(a.RecordDate.Compare(b.RecordDate.Time), strings.Compare(a.ID, b.ID))
}

func (r *siteReader) status(h *model.ShownStatus, item *model.ShownStatusItem) fourd.Status {
	s := fourd.Status{
		ResourceID: h.ResourceID, CategoryID: h.StatusCategoryID, ItemID: h.StatusItemID, Date: r.clock.Local(h.Date),
		Visible: item.IsVisible, Critical: h.IsCritical, CriticalUntil: r.clock.Local(h.CriticalUntil),
	}
	s.Color, s.Transparency, s.OriginalTransparency = item.Color, float64(item.Transparency),
		item.UseOriginalTransparency
	return s
}

// at is a time as the clock of the schedule shows it.
func (s *site) at(d twinplatform.DateTime) worktime.Time { return s.clock.Local(d) }
