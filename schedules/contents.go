package schedules

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// worldLists are the lists of worlds that have what a schedule holds.
var worldLists = sync.OnceValue(func() []*entity.List[*content] { return entity.Lists[*content](kinds) })

// Export reads everything that a schedule holds.
//
// Errors: ScheduleNotFound.
func (c *Contents) Export(ctx context.Context, p Plan) error {
	sc, err := p.s.Schedule(ctx, p.id)
	if err != nil {
		return err
	}
	for _, list := range worldLists() {
		if err := list.Export(ctx, &content{model.Transfer{Of: string(sc.Value.Type)}, p, c}); err != nil {
			return err
		}
	}
	return nil
}

// Seed makes everything in a schedule that holds nothing, not even a calendar. at is
// given the time at which what is made next was made: left out for the present, and null
// for what has no date. The caller moves the clock of the service by it, which is the zero
// time then.
//
// A v6.5 schedule takes the animation that it shows and that no call changes.
//
// Errors are those of the calls that make it, with the list and the place in it.
func (c *Contents) Seed(ctx context.Context, p Plan, at func(twinplatform.Optional[twinplatform.DateTime])) error {
	sc, err := p.s.Schedule(ctx, p.id)
	if err != nil {
		return err
	}
	into := &content{model.Transfer{Of: string(sc.Value.Type), At: at}, p, c}
	return seedLists(model.Seeding(ctx), worldLists(), into)
}

// seedLists seeds lists in the order of what their records refer to.
func seedLists(ctx context.Context, lists []*entity.List[*content], into *content) error {
	lists, err := entity.SeedOrder(lists)
	if err != nil {
		return err
	}
	for _, list := range lists {
		if err := list.Seed(ctx, into); err != nil {
			return err
		}
	}
	for _, list := range lists {
		if list.Finish == nil {
			continue
		}
		if err := list.Finish(ctx, into); err != nil {
			return err
		}
	}
	return nil
}

// content is what a schedule holds, on its way into a world or out of one.
type content struct {
	model.Transfer // see Contents.Seed

	plan  Plan
	world *Contents
}

func (c *content) in() Plan { return c.plan }

// listed is the list of a type of record in a world.
type listed[W any] = model.Listed[*content, W]

// keeps is a type of record that is listed in worlds as the requests that make such records.
func keeps[T, N, P, Q any, O twinplatform.QueryOf[Q]](
	k *entity.Kind[T, N, P], name string, items func(*Contents) *[]N,
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error), seed model.SeedOf[*content, N],
) entity.Stored {
	of := func(c *content) *[]N { return items(c.world) }
	return model.Keeps(k, listed[N]{Name: name, Items: of, Read: reading[N, T, Q, O](list), Seed: seed})
}

// plain is as keeps, for a type of record whose changes follow from its kind. changed says in
// which kinds of schedules there are any; nil: in all.
func plain[T, N, P, Q any, O twinplatform.QueryOf[Q]](
	k *entity.Kind[T, N, P], changed func(*model.Schedule) error, name string, items func(*Contents) *[]N,
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error), seed model.SeedOf[*content, N],
) entity.Stored {
	row := keeps[T, N, P, Q, O](k, name, items, list, seed)
	row.Kind = model.Plain[T, N, P]{Kind: k, Changed: changed}
	return row
}

// inWorlds are the types of records of a feature, with the lists that Contents has for them.
func inWorlds[L any](f *model.Feature, lists func(*Contents) L) (kinds []entity.Stored) {
	for _, k := range f.Kinds {
		if l, ok := k.World.(*entity.List[*model.Content[L]]); ok {
			k.World = entity.Through(l, func(c *content) *model.Content[L] {
				return &model.Content[L]{Transfer: c.Transfer, Plan: c.plan, Lists: lists(c.world)}
			})
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// reading reads the records that a method of Plan lists.
func reading[W, T, Q any, O twinplatform.QueryOf[Q]](
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error),
) model.ExportOf[*content, W] {
	return model.Reading[W, *content, Plan, T, Q, O]((*content).in, list)
}

// single makes items one after the other.
func single[W, R any](create func(Plan, context.Context, W) (R, error)) model.SeedOf[*content, W] {
	return model.Single((*content).in, create)
}

// batched makes items in batches that one call takes.
func batched[W, R any](create func(Plan, context.Context, []W) (R, error)) model.SeedOf[*content, W] {
	return model.Batched((*content).in, create)
}

// timed makes items one after the other, each as of the time that it was made.
func timed[W, R any](
	made func(*W) model.Date, create func(Plan, context.Context, *W) (R, error),
) model.SeedOf[*content, W] {
	return model.Timed((*content).in, made, create)
}

// withoutDerived clears what follows from the rest of a task. A finish in the last year that
// there is stays: it says that the rest of the duration was cut off there.
func withoutDerived(_ context.Context, _ *content, tasks []NewTask) error {
	for i := range tasks {
		n := &tasks[i]
		n.TaskAsRead, n.StatusID = TaskAsRead{}, ""
		switch n.Type {
		case ShortHammock, LongHammock:
			n.PlannedStart, n.PlannedFinish, n.PlannedDuration = twinplatform.DateTime{}, twinplatform.DateTime{}, nil
		case FinishKeyDate:
		default:
			if n.PlannedFinish.UTC().Year() < lastDate.Year() {
				n.PlannedFinish = twinplatform.DateTime{}
			}
		}
	}
	return nil
}

var tasksInWorld = listed[NewTask]{
	Name:  "tasks",
	Items: func(c *content) *[]NewTask { return &c.world.Tasks },
	Read:  reading[NewTask](Plan.Tasks), Then: withoutDerived,
	Seed: batched(Plan.CreateTasks), Node: taskKind.Node,
	After: []string{"projectScheduling"}, // of which they name projects
}.List()

// TaskLinkSeed is a task link of a world.
type TaskLinkSeed struct {
	NewTaskLink
	// the moment of the seeding when left out, none when null
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
}

var taskLinksInWorld = listed[TaskLinkSeed]{
	Name:  "taskLinks",
	Items: func(c *content) *[]TaskLinkSeed { return &c.world.TaskLinks },
	Read:  reading[TaskLinkSeed](Plan.TaskLinks), Seed: seedTaskLinks,
}.List()

// seedTaskLinks makes the links of one moment together.
func seedTaskLinks(ctx context.Context, c *content, list string, items []TaskLinkSeed) error {
	links := slices.Clone(items)
	slices.SortStableFunc(links, func(a, b TaskLinkSeed) int { return compareDates(a.CreatedOn, b.CreatedOn) })
	defer c.At(model.Date{})
	for from := 0; from < len(links); {
		at := links[from].CreatedOn
		c.At(at)
		var made []NewTaskLink
		for ; from < len(links) && compareDates(links[from].CreatedOn, at) == 0; from++ {
			made = append(made, links[from].NewTaskLink)
		}
		if err := batched(Plan.CreateTaskLinks)(ctx, c, list, made); err != nil {
			return err
		}
	}
	return nil
}

// compareDates puts the dates that are left out first, then those that are null.
func compareDates(a, b model.Date) int {
	if c := cmp.Compare(rankOf(a), rankOf(b)); c != 0 {
		return c
	}
	none := twinplatform.DateTime{}
	return a.Or(none).Compare(b.Or(none).Time)
}

func rankOf(d model.Date) int {
	switch {
	case !d.Present():
		return 0
	case d.IsNull():
		return 1
	default:
		return 2
	}
}

// ResourceGroupSeed is a resource group of a world and the resources in it.
type ResourceGroupSeed struct {
	NewResourceGroup
	ResourceIDs []string `json:"resourceIds,omitempty"` // resources of the schedule
}

var resourceGroupsInWorld = listed[ResourceGroupSeed]{
	Name:  "resourceGroups",
	Items: func(c *content) *[]ResourceGroupSeed { return &c.world.ResourceGroups },
	Read:  reading[ResourceGroupSeed](Plan.ResourceGroups), Then: membersOfGroups,
	Seed: single(seedResourceGroup),
}.List()

func membersOfGroups(ctx context.Context, c *content, groups []ResourceGroupSeed) error {
	for i := range groups {
		g := &groups[i]
		members := func(ctx context.Context, q ResourceQuery) (twinplatform.Page[Resource], error) {
			return c.plan.GroupResources(ctx, g.ID, q)
		}
		for r, err := range twinplatform.All(ctx, members, ResourceQuery{}) {
			if err != nil {
				return err
			}
			g.ResourceIDs = append(g.ResourceIDs, r.ID)
		}
	}
	return nil
}

func seedResourceGroup(p Plan, ctx context.Context, g ResourceGroupSeed) (struct{}, error) {
	if _, err := p.CreateResourceGroup(ctx, g.NewResourceGroup); err != nil {
		return struct{}{}, err
	}
	return struct{}{}, entity.Batches("resourceIds", g.ResourceIDs, MaxBatch, func(batch []string) error {
		_, err := p.AddResourcesToGroup(ctx, g.ID, batch)
		return err
	})
}

// TaskQueryFilterSeed is a task query filter of a world.
type TaskQueryFilterSeed struct {
	NewTaskQueryFilter
	CreatedBy twinplatform.NullString `json:"createdBy"` // a principal; null for the platform itself
}

var taskQueryFiltersInWorld = listed[TaskQueryFilterSeed]{
	Name:  "taskQueryFilters",
	Items: func(c *content) *[]TaskQueryFilterSeed { return &c.world.TaskQueryFilters },
	Read:  reading[TaskQueryFilterSeed](Plan.TaskQueryFilters),
	Seed: single(func(p Plan, ctx context.Context, n TaskQueryFilterSeed) (twinplatform.Result[TaskQueryFilter],
		error,
	) {
		return p.CreateTaskQueryFilter(entity.As(ctx, n.CreatedBy), n.NewTaskQueryFilter)
	}),
}.List()

var calendarsInWorld = listed[NewCalendar]{
	Name:  "calendars",
	Items: func(c *content) *[]NewCalendar { return &c.world.Calendars },
	Read:  reading[NewCalendar](Plan.Calendars), Seed: single(Plan.CreateCalendar),
	Node: func(n *NewCalendar) (id, parent string) { return n.ID, n.ParentID },
}.List()

var resourcesInWorld = listed[NewResource]{
	Name:  "resources",
	Items: func(c *content) *[]NewResource { return &c.world.Resources },
	Read:  reading[NewResource](Plan.Resources),
	Seed:  batched(Plan.CreateResources), Node: resourceKind.Node,
}.List()

// projectSchedulingInWorld is how a plan is scheduled. Whether it is automatic is set when
// all else is there: what fills it is not followed by a rescheduling each.
var projectSchedulingInWorld = &entity.List[*content]{
	Name: "projectScheduling", After: []string{"calendars"},
	Export: func(ctx context.Context, c *content) error {
		set, err := c.plan.ProjectScheduling(ctx)
		if patch := set.Value.Patch(); err == nil && !set.Value.same(&unscheduled) {
			c.world.ProjectScheduling = &patch
		}
		return err
	},
	Seed: func(ctx context.Context, c *content) (err error) {
		if c.world.ProjectScheduling != nil {
			patch := *c.world.ProjectScheduling
			patch.IsAutomatic = twinplatform.Optional[bool]{}
			_, err = c.plan.UpdateProjectScheduling(ctx, patch)
		}
		return err
	},
	Finish: func(ctx context.Context, c *content) (err error) {
		if set := c.world.ProjectScheduling; set != nil && set.IsAutomatic.Or(false) {
			_, err = c.plan.UpdateProjectScheduling(ctx, ProjectSchedulingPatch{IsAutomatic: set.IsAutomatic})
		}
		return err
	},
}

// BaselineSeed is a baseline of a world with its rows as they were. Where it has neither
// list it is made of the tasks and links of the world.
type BaselineSeed struct {
	NewBaseline
	// whose baseline it is in its planner
	ProjectID twinplatform.NullString `json:"projectId,omitzero"`
	// the moment of the seeding when left out, none when null
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Tasks     []BaselineTask                               `json:"baselineTasks,omitzero"`
	TaskLinks []BaselineTaskLink                           `json:"baselineTaskLinks,omitzero"`
}

var baselinesInWorld = listed[BaselineSeed]{
	Name:  "baselines",
	Items: func(c *content) *[]BaselineSeed { return &c.world.Baselines },
	Read:  reading[BaselineSeed](Plan.Baselines), Then: rowsOfBaselines,
	Seed:  timed(func(b *BaselineSeed) model.Date { return b.CreatedOn }, seedBaseline),
	After: []string{"tasks", "taskLinks", "resourceAssignments"},
}.List()

// rowsOfBaselines reads both lists of rows, if they are empty: left out, the rows would be
// made.
func rowsOfBaselines(ctx context.Context, c *content, baselines []BaselineSeed) (err error) {
	for i := range baselines {
		b := &baselines[i]
		tasks := func(p Plan, ctx context.Context, q BaselineTaskQuery) (twinplatform.Page[BaselineTask], error) {
			return p.BaselineTasks(ctx, b.ID, q)
		}
		links := func(p Plan, ctx context.Context, q BaselineTaskLinkQuery) (twinplatform.Page[BaselineTaskLink],
			error,
		) {
			return p.BaselineTaskLinks(ctx, b.ID, q)
		}
		if b.Tasks, err = reading[BaselineTask](tasks)(ctx, c); err != nil {
			return err
		}
		if b.TaskLinks, err = reading[BaselineTaskLink](links)(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func seedBaseline(p Plan, ctx context.Context, b *BaselineSeed) (struct{}, error) {
	if b.Tasks != nil || b.TaskLinks != nil {
		_, err := p.RestoreBaseline(ctx, Baseline{
			ID: b.ID, Name: b.Name, Code: b.Code, IsCurrent: b.IsCurrent, ProjectID: b.ProjectID,
			CreatedOn: b.CreatedOn.Or(twinplatform.DateTime{}),
		}, b.Tasks, b.TaskLinks)
		return struct{}{}, err
	}
	_, err := p.CreateBaseline(ctx, b.NewBaseline)
	return struct{}{}, err
}

// RestoreBaseline puts a baseline with the rows that it had elsewhere into a
// schedule, as a seed or a migration does: CreateBaseline shows the present. The
// rows name neither tasks nor links that must be there, and their BaselineID is
// set. A large baseline is put back in steps and is there once it is complete;
// what an interrupted call has written goes with the schedule. It needs
// PermissionModify. The REST API has no operation for it.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name, code, createdOn, projectId, baselineTasks[3].taskId,
// baselineTaskLinks[3].type); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) RestoreBaseline(ctx context.Context, b Baseline, tasks []BaselineTask,
	links []BaselineTaskLink,
) (rec twinplatform.Record[Baseline], err error) {
	b.ID, b.Deleted, b.rows = p.s.idOr(b.ID), false, p.s.env.NewID()
	if b.CreatedOn.IsZero() {
		b.CreatedOn = p.s.now()
	}
	if err := b.check(tasks, links); err != nil {
		return rec, err
	}
	err = p.s.bench().Call(ctx, func(j *judge.Judge) error {
		rec, err = p.s.putBaseline(ctx, j, p.id, b, tasks, links)
		return err
	})
	return rec, err
}

// putBaseline writes the rows of a baseline, and then the baseline.
func (s *Service) putBaseline(ctx context.Context, j *judge.Judge, scheduleID string, b Baseline, tasks []BaselineTask,
	links []BaselineTaskLink,
) (rec twinplatform.Record[Baseline], err error) {
	sc, err := s.opened(ctx, j, scheduleID)
	if err != nil {
		return rec, err
	}
	within := sc.place()
	step := func(fn func(*records.Update) error) error {
		return s.db.Update(model.Contended(ctx, scheduleID), func(u *records.Update) error {
			if err := s.still(u, j, scheduleID, sc); err != nil {
				return err
			}
			if _, err := s.ready(u, within, false); err != nil {
				return err
			}
			return fn(u)
		})
	}
	if err := putRows(step, baselineTasks(b.rows), within.Scope, tasks,
		func(t *BaselineTask) { t.BaselineID, t.Deleted = b.ID, false }); err != nil {
		return rec, err
	}
	if err := putRows(step, baselineTaskLinks(b.rows), within.Scope, links,
		func(l *BaselineTaskLink) { l.BaselineID, l.Deleted = b.ID, false }); err != nil {
		return rec, err
	}
	err = step(func(u *records.Update) error {
		rec, err = baselineRecords.Insert(u, within.Scope, &b)
		return written(err, baselineMissing, "baseline", b.ID)
	})
	return rec, err
}

// putRows writes rows in transactions that hold them.
func putRows[T any](step func(func(*records.Update) error) error, c *records.Collection[T], scope records.Scope,
	rows []T, own func(*T),
) error {
	for some := range slices.Chunk(rows, MaxBatch) {
		err := step(func(u *records.Update) error {
			for _, row := range some {
				own(&row)
				if _, err := c.Put(u, scope, &row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// check checks a baseline with its rows.
func (b *Baseline) check(tasks []BaselineTask, links []BaselineTaskLink) error {
	var c problem.Checks
	c.ID("id", b.ID)
	c.Need("name", b.Name, MaxText)
	c.AtMost("code", b.Code, MaxText)
	c.AtMost("projectId", string(b.ProjectID), MaxText)
	c.Writable("", b)
	seen := make(map[string]bool)
	for i, t := range tasks {
		c.At("baselineTasks", i)
		checkRow(&c, seen, "taskId", t.TaskID)
		c.AtMost("name", t.Name, MaxText)
		c.AtMost("userDefinedId", t.UserDefinedID, MaxText)
		c.AtMost("externalId", t.ExternalID, MaxText)
		c.Writable("", &t)
	}
	clear(seen)
	for i, l := range links {
		c.At("baselineTaskLinks", i)
		checkRow(&c, seen, "taskLinkId", l.TaskLinkID)
		c.Need("predecessorId", l.PredecessorID, MaxText)
		c.Need("successorId", l.SuccessorID, MaxText)
		problem.OneOf(&c, "type", l.Type, taskLinkTypes)
	}
	return c.Err(InvalidRequest)
}

// checkRow checks that a row has its own id.
func checkRow(c *problem.Checks, seen map[string]bool, target, id string) {
	c.Need(target, id, MaxText)
	c.ID(target, id)
	if seen[id] {
		c.Bad(target, "The id '%s' is given twice.", id)
	}
	seen[id] = true
}
