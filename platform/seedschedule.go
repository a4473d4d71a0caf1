package platform

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func (s *seeder) schedules(w *World) []part {
	return partsOf(w.Schedules, func(plan *Schedule) part {
		return part{
			id: plan.ID, key: key(plan.TwinID, plan.ID), twin: plan.TwinID,
			find:   func(ctx context.Context) error { return outcome(s.Schedules.Schedule(ctx, plan.ID)) },
			make:   func(ctx context.Context) error { return s.makeSchedule(ctx, plan) },
			remove: func(ctx context.Context) error { return s.removeSchedule(ctx, plan.ID) },
		}
	})
}

// removeSchedule removes a schedule that was not completed; one that is
// Processing would refuse it.
func (s *seeder) removeSchedule(ctx context.Context, id string) error {
	if err := s.Schedules.SetState(ctx, id, schedules.Ready); err != nil {
		return err
	}
	return s.Schedules.DeleteSchedule(ctx, id)
}

func (s *seeder) makeSchedule(ctx context.Context, plan *Schedule) error {
	made := plan.NewSchedule
	made.Elapsed = true // the world says which calendars there are
	if _, err := s.Schedules.CreateSchedule(ctx, made); err != nil {
		return err
	}
	f := filling{seeder: s, plan: plan, into: s.Schedules.In(plan.ID)}
	for _, fill := range []filler{
		singles("calendars", f.into.CreateCalendar, plan.orderedCalendars()),
		f.projectScheduling,
		batches("tasks", f.into.CreateTasks, plan.orderedTasks()),
		f.taskLinks,
		batches("resources", f.into.CreateResources, plan.orderedResources()),
		batches("resourceAssignments", f.into.CreateResourceAssignments, plan.ResourceAssignments),
		singles("resourceGroups", f.resourceGroup, plan.ResourceGroups),
		singles("resourceStatusCategories", f.into.CreateResourceStatusCategory, plan.ResourceStatusCategories),
		singles("resourceStatusSets", f.into.CreateResourceStatusSet, plan.ResourceStatusSets),
		singles("resourceStatusItems", f.into.CreateResourceStatusItem, plan.ResourceStatusItems),
		singles("statusHistoryItems", f.statusHistoryItem, plan.StatusHistory),
		singles("entities3d", f.into.CreateEntity3D, plan.orderedEntities()),
		singles("userFields", f.into.CreateUserField, plan.UserFields),
		singles("userFieldValues", f.userFieldValue, plan.UserFieldValues),
		singles("appearanceProfiles", f.appearanceProfile, plan.orderedProfiles()),
		batches("animation3dTransforms", f.into.CreateAnimation3DTransforms, plan.Animation3DTransforms),
		singles("animation3dPaths", f.into.CreateAnimation3DPath, plan.Animation3DPaths),
		batches("keyframes", f.into.CreateKeyframes, plan.Keyframes),
		singles("animation3dPathAssignments", f.into.CreateAnimation3DPathAssignment, plan.Animation3DPathAssignments),
		batches("animationBindings", f.into.CreateAnimationBindings, plan.AnimationBindings),
		singles("codes", f.into.CreateCode, plan.Codes),
		batches("codeValues", f.into.CreateCodeValues, plan.orderedCodeValues()),
		batches("codeValueAssignments", f.into.CreateCodeValueAssignments, plan.CodeValueAssignments),
		singles("rules", f.into.CreateRule, plan.orderedRules()),
		singles("taskQueryFilters", f.taskQueryFilter, plan.TaskQueryFilters),
		singles("baselines", f.baseline, plan.Baselines),
		singles("synchronizers", f.synchronizer, plan.Synchronizers),
		f.automatic,
	} {
		if err := fill(ctx); err != nil {
			return err
		}
	}
	if plan.State == "" || plan.State == schedules.Ready {
		return nil
	}
	return s.Schedules.SetState(ctx, plan.ID, plan.State)
}

func (s *Schedule) orderedTasks() []schedules.NewTask {
	return parentsFirst(s.Tasks, func(t *schedules.NewTask) string { return t.ID }, func(t *schedules.NewTask) string { return t.ParentID })
}

func (s *Schedule) orderedResources() []schedules.NewResource {
	return parentsFirst(s.Resources, func(r *schedules.NewResource) string { return r.ID }, func(r *schedules.NewResource) string { return r.ParentID })
}

func (s *Schedule) orderedEntities() []schedules.NewEntity3D {
	return parentsFirst(s.Entities3D, func(n *schedules.NewEntity3D) string { return n.ID }, func(n *schedules.NewEntity3D) string { return string(n.ParentID) })
}

func (s *Schedule) orderedProfiles() []AppearanceProfile {
	return parentsFirst(s.AppearanceProfiles, func(p *AppearanceProfile) string { return p.ID }, func(p *AppearanceProfile) string { return p.ParentID })
}

func (s *Schedule) orderedCodeValues() []schedules.NewCodeValue {
	return parentsFirst(s.CodeValues, func(v *schedules.NewCodeValue) string { return v.ID }, func(v *schedules.NewCodeValue) string { return v.ParentID })
}

func (s *Schedule) orderedRules() []schedules.NewRule {
	return parentsFirst(s.Rules, func(r *schedules.NewRule) string { return r.ID }, func(r *schedules.NewRule) string { return r.ParentID })
}

func (s *Schedule) orderedCalendars() []schedules.NewCalendar {
	return parentsFirst(s.Calendars, func(v *schedules.NewCalendar) string { return v.ID }, func(v *schedules.NewCalendar) string { return v.ParentID })
}

// filler puts one list into a schedule.
type filler func(ctx context.Context) error

// singles creates items one after the other.
func singles[N, R any](name string, create func(context.Context, N) (R, error), items []N) filler {
	return func(ctx context.Context) error {
		for i, item := range items {
			if _, err := create(ctx, item); err != nil {
				return fmt.Errorf("%s[%d]: %w", name, i, err)
			}
		}
		return nil
	}
}

// batches creates items in batches that one call takes.
func batches[N, R any](name string, create func(context.Context, []N) (R, error), items []N) filler {
	return func(ctx context.Context) error {
		at := 0
		for batch := range slices.Chunk(items, schedules.MaxBatch) {
			if _, err := create(ctx, batch); err != nil {
				return fmt.Errorf("%s %d to %d: %w", name, at+1, at+len(batch), err)
			}
			at += len(batch)
		}
		return nil
	}
}

// filling puts into a schedule what it holds.
type filling struct {
	*seeder
	plan *Schedule
	into schedules.Plan
}

// taskLinks makes the links of one moment together.
func (f filling) taskLinks(ctx context.Context) error {
	links := slices.Clone(f.plan.TaskLinks)
	slices.SortStableFunc(links, func(a, b TaskLink) int { return a.CreatedOn.Compare(b.CreatedOn.Time) })
	defer func() { f.at = time.Time{} }()
	for from := 0; from < len(links); {
		f.at = links[from].CreatedOn.Time
		var made []schedules.NewTaskLink
		for ; from < len(links) && links[from].CreatedOn.Equal(f.at); from++ {
			made = append(made, links[from].NewTaskLink)
		}
		if err := batches("taskLinks", f.into.CreateTaskLinks, made)(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (f filling) resourceGroup(ctx context.Context, g ResourceGroup) (struct{}, error) {
	if _, err := f.into.CreateResourceGroup(ctx, g.NewResourceGroup); err != nil {
		return struct{}{}, err
	}
	return struct{}{}, batches("resourceIds", func(ctx context.Context, batch []string) (twinplatform.Result[schedules.Resource], error) {
		return f.into.AddResourcesToGroup(ctx, g.ID, batch)
	}, g.ResourceIDs)(ctx)
}

func (f filling) statusHistoryItem(ctx context.Context, h StatusHistoryItem) (twinplatform.Result[schedules.StatusHistoryItem], error) {
	f.at = h.RecordDate.Time
	defer func() { f.at = time.Time{} }()
	return f.into.CreateStatusHistoryItem(ctx, h.NewStatusHistoryItem)
}

func (f filling) appearanceProfile(ctx context.Context, p AppearanceProfile) (twinplatform.Result[schedules.AppearanceProfile], error) {
	f.at = p.CreatedOn.Time
	defer func() { f.at = time.Time{} }()
	return f.into.CreateAppearanceProfile(ctx, p.NewAppearanceProfile)
}

func (f filling) taskQueryFilter(ctx context.Context, n TaskQueryFilter) (twinplatform.Result[schedules.TaskQueryFilter], error) {
	return f.into.CreateTaskQueryFilter(by(ctx, n.CreatedBy), n.NewTaskQueryFilter)
}

// projectScheduling sets how a plan is scheduled, but for whether it is by itself: what
// fills it is not followed by a rescheduling each.
func (f filling) projectScheduling(ctx context.Context) error {
	if f.plan.ProjectScheduling == nil {
		return nil
	}
	patch := *f.plan.ProjectScheduling
	patch.IsAutomatic = twinplatform.Optional[bool]{}
	return outcome(f.into.UpdateProjectScheduling(ctx, patch))
}

// automatic lets the filled plan be scheduled by itself from now on.
func (f filling) automatic(ctx context.Context) error {
	if f.plan.ProjectScheduling == nil || !f.plan.ProjectScheduling.IsAutomatic.Or(false) {
		return nil
	}
	return outcome(f.into.UpdateProjectScheduling(ctx, schedules.ProjectSchedulingPatch{IsAutomatic: f.plan.ProjectScheduling.IsAutomatic}))
}

func (f filling) userFieldValue(ctx context.Context, v UserFieldValue) (res twinplatform.Result[schedules.UserFieldValue], err error) {
	if v.Value != nil {
		field, err := f.into.UserField(ctx, v.UserFieldID)
		if err == nil {
			err = v.read(field.Value.Type)
		}
		if err != nil {
			return res, err
		}
	}
	return f.into.SetUserFieldValue(ctx, v.category(), v.NewUserFieldValue)
}

// category says which of the four objects has the value.
func (v *UserFieldValue) category() schedules.UserFieldCategory {
	switch {
	case v.TaskID != "":
		return schedules.TaskField
	case v.ResourceID != "":
		return schedules.ResourceField
	case v.ResourceGroupID != "":
		return schedules.ResourceGroupField
	case v.Entity3DID != "":
		return schedules.Entity3DField
	}
	return schedules.UnknownFieldCategory
}

// read makes the member of the create request of the wire form of a value.
func (v *UserFieldValue) read(fieldType schedules.UserFieldType) (err error) {
	text := *v.Value
	switch fieldType {
	case schedules.BooleanField:
		v.BoolValue, err = parsed(strconv.ParseBool(text))
	case schedules.IntegerField:
		v.IntValue, err = parsed(strconv.ParseInt(text, 10, 64))
	case schedules.FloatField:
		v.FloatValue, err = parsed(strconv.ParseFloat(text, 64))
	case schedules.StartDateField, schedules.FinishDateField:
		err = v.DateValue.UnmarshalJSON([]byte(strconv.Quote(text)))
	default:
		v.StringValue = &text
	}
	return err
}

func parsed[T any](v T, err error) (*T, error) { return &v, err }

func (f filling) baseline(ctx context.Context, b Baseline) (struct{}, error) {
	if b.Tasks != nil || b.TaskLinks != nil {
		return struct{}{}, outcome(f.into.RestoreBaseline(ctx, schedules.Baseline{ID: b.ID, Name: b.Name, CreatedOn: b.CreatedOn}, b.Tasks, b.TaskLinks))
	}
	f.at = b.CreatedOn.Time
	defer func() { f.at = time.Time{} }()
	return struct{}{}, outcome(f.into.CreateBaseline(ctx, b.NewBaseline))
}

// synchronizer makes one as its import left it and then brings it up to date: what
// the import left open is not what came later.
func (f filling) synchronizer(ctx context.Context, y schedules.Synchronizer) (res twinplatform.Result[schedules.Synchronizer], err error) {
	var later schedules.SynchronizerPatch
	for _, p := range []struct {
		original string
		now      *string
		later    *twinplatform.Optional[string]
	}{{y.OriginalProjectName, &y.ProjectName, &later.ProjectName}, {y.OriginalProjectPath, &y.ProjectPath, &later.ProjectPath}} {
		if p.original == "" && !y.OriginalSynchronizationTime.IsZero() && *p.now != "" {
			*p.later = twinplatform.Set(*p.now)
			*p.now = ""
		}
	}
	res, err = f.into.CreateSynchronizer(ctx, y)
	if err != nil || !later.ProjectName.Present() && !later.ProjectPath.Present() {
		return res, err
	}
	return f.into.UpdateSynchronizer(ctx, y.ID, later)
}
