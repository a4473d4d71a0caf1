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

func (s *seeder) applySchedules(ctx context.Context, w *World) (tally, error) {
	return each(ctx, s, "schedules", "schedule", w.Schedules, func(plan *Schedule) (context.Context, part) {
		ctx, account := s.within(ctx, plan.TwinID)
		return ctx, part{
			id: plan.ID, account: account,
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
	if _, err := s.Schedules.CreateSchedule(ctx, plan.NewSchedule); err != nil {
		return err
	}
	f := filling{seeder: s, plan: plan}
	for _, fill := range []func(context.Context) error{
		f.tasks, f.taskLinks, f.resources, f.resourceGroups, f.statuses, f.entities3D, f.userFields, f.userFieldValues, f.baselines, f.synchronizers,
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

// filling puts into a schedule what it holds.
type filling struct {
	*seeder
	plan *Schedule
}

func (f filling) tasks(ctx context.Context) error {
	tasks := parentsFirst(f.plan.Tasks, func(t *schedules.NewTask) string { return t.ID }, func(t *schedules.NewTask) string { return t.ParentID })
	return inBatches("tasks", tasks, func(batch []schedules.NewTask) error {
		return outcome(f.Schedules.CreateTasks(ctx, f.plan.ID, batch))
	})
}

// taskLinks makes the links of one moment together.
func (f filling) taskLinks(ctx context.Context) error {
	links := slices.Clone(f.plan.TaskLinks)
	slices.SortStableFunc(links, func(a, b TaskLink) int { return a.CreatedOn.Compare(b.CreatedOn.Time) })
	defer func() { f.at = time.Time{} }()
	for len(links) > 0 {
		n := slices.IndexFunc(links, func(l TaskLink) bool { return !l.CreatedOn.Equal(links[0].CreatedOn.Time) })
		if n < 0 {
			n = len(links)
		}
		f.at = links[0].CreatedOn.Time
		made := make([]schedules.NewTaskLink, n)
		for i, l := range links[:n] {
			made[i] = l.NewTaskLink
		}
		if err := inBatches("taskLinks", made, func(batch []schedules.NewTaskLink) error {
			return outcome(f.Schedules.CreateTaskLinks(ctx, f.plan.ID, batch))
		}); err != nil {
			return err
		}
		links = links[n:]
	}
	return nil
}

func (f filling) resources(ctx context.Context) error {
	resources := parentsFirst(f.plan.Resources, func(r *schedules.NewResource) string { return r.ID }, func(r *schedules.NewResource) string { return r.ParentID })
	return inBatches("resources", resources, func(batch []schedules.NewResource) error {
		return outcome(f.Schedules.CreateResources(ctx, f.plan.ID, batch))
	})
}

func (f filling) resourceGroups(ctx context.Context) error {
	return oneByOne("resourceGroups", f.plan.ResourceGroups, func(g ResourceGroup) error {
		if _, err := f.Schedules.CreateResourceGroup(ctx, f.plan.ID, g.NewResourceGroup); err != nil {
			return err
		}
		return inBatches("resourceIds", g.ResourceIDs, func(batch []string) error {
			return outcome(f.Schedules.AddResourcesToGroup(ctx, f.plan.ID, g.ID, batch))
		})
	})
}

func (f filling) statuses(ctx context.Context) error {
	if err := oneByOne("resourceStatusCategories", f.plan.ResourceStatusCategories, func(n schedules.NewResourceStatusCategory) error {
		return outcome(f.Schedules.CreateResourceStatusCategory(ctx, f.plan.ID, n))
	}); err != nil {
		return err
	}
	if err := oneByOne("resourceStatusSets", f.plan.ResourceStatusSets, func(n schedules.NewResourceStatusSet) error {
		return outcome(f.Schedules.CreateResourceStatusSet(ctx, f.plan.ID, n))
	}); err != nil {
		return err
	}
	return oneByOne("resourceStatusItems", f.plan.ResourceStatusItems, func(n schedules.NewResourceStatusItem) error {
		return outcome(f.Schedules.CreateResourceStatusItem(ctx, f.plan.ID, n))
	})
}

func (f filling) entities3D(ctx context.Context) error {
	entities := parentsFirst(f.plan.Entities3D, func(n *schedules.NewEntity3D) string { return n.ID }, func(n *schedules.NewEntity3D) string { return string(n.ParentID) })
	return oneByOne("entities3d", entities, func(n schedules.NewEntity3D) error {
		return outcome(f.Schedules.CreateEntity3D(ctx, f.plan.ID, n))
	})
}

func (f filling) userFields(ctx context.Context) error {
	return oneByOne("userFields", f.plan.UserFields, func(n schedules.NewUserField) error {
		return outcome(f.Schedules.CreateUserField(ctx, f.plan.ID, n))
	})
}

func (f filling) userFieldValues(ctx context.Context) error {
	return oneByOne("userFieldValues", f.plan.UserFieldValues, func(v UserFieldValue) error {
		if v.Value != nil {
			field, err := f.Schedules.UserField(ctx, f.plan.ID, v.UserFieldID)
			if err != nil {
				return err
			}
			if err := v.read(field.Value.Type); err != nil {
				return err
			}
		}
		return outcome(f.Schedules.SetUserFieldValue(ctx, f.plan.ID, v.category(), v.NewUserFieldValue))
	})
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

func (f filling) baselines(ctx context.Context) error {
	return oneByOne("baselines", f.plan.Baselines, func(b Baseline) error {
		if b.Tasks != nil || b.TaskLinks != nil {
			return outcome(f.Schedules.RestoreBaseline(ctx, f.plan.ID, schedules.Baseline{ID: b.ID, Name: b.Name, CreatedOn: b.CreatedOn}, b.Tasks, b.TaskLinks))
		}
		f.at = b.CreatedOn.Time
		defer func() { f.at = time.Time{} }()
		return outcome(f.Schedules.CreateBaseline(ctx, f.plan.ID, b.NewBaseline))
	})
}

// synchronizers are made as their import left them and then brought up to date:
// what the import left open is not what came later.
func (f filling) synchronizers(ctx context.Context) error {
	return oneByOne("synchronizers", f.plan.Synchronizers, func(y schedules.Synchronizer) error {
		var later schedules.SynchronizerPatch
		if y.OriginalProjectName == "" && !y.OriginalSynchronizationTime.IsZero() && y.ProjectName != "" {
			later.ProjectName = twinplatform.Set(y.ProjectName)
			y.ProjectName = ""
		}
		if y.OriginalProjectPath == "" && !y.OriginalSynchronizationTime.IsZero() && y.ProjectPath != "" {
			later.ProjectPath = twinplatform.Set(y.ProjectPath)
			y.ProjectPath = ""
		}
		if _, err := f.Schedules.CreateSynchronizer(ctx, f.plan.ID, y); err != nil {
			return err
		}
		if !later.ProjectName.Present() && !later.ProjectPath.Present() {
			return nil
		}
		return outcome(f.Schedules.UpdateSynchronizer(ctx, f.plan.ID, y.ID, later))
	})
}

// oneByOne hands items over one after the other.
func oneByOne[T any](name string, items []T, create func(T) error) error {
	for i, item := range items {
		if err := create(item); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	return nil
}

// inBatches hands items over in batches that one call takes.
func inBatches[T any](name string, items []T, create func([]T) error) error {
	at := 0
	for batch := range slices.Chunk(items, schedules.MaxBatch) {
		if err := create(batch); err != nil {
			return fmt.Errorf("%s %d to %d: %w", name, at+1, at+len(batch), err)
		}
		at += len(batch)
	}
	return nil
}
