package platform

import (
	"context"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func (e *exporter) schedules(ctx context.Context) error {
	for _, t := range e.world.Twins {
		ctx, _ := e.within(ctx, t.ID)
		plans, err := every(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Schedule], error) {
			return e.Schedules.Schedules(ctx, schedules.ScheduleQuery{ListOptions: o, TwinID: t.ID})
		}, func(sc schedules.Schedule, wire []byte) (plan Schedule, err error) {
			if err := json.Unmarshal(wire, &plan); err != nil {
				return plan, err
			}
			if plan.State = sc.State; sc.State == schedules.Ready {
				plan.State = ""
			}
			return plan, emptying{Platform: e.Platform, plan: &plan}.all(ctx)
		})
		if err != nil {
			return err
		}
		e.world.Schedules = append(e.world.Schedules, plans...)
	}
	return nil
}

// emptying takes out of a schedule what it holds.
type emptying struct {
	*Platform
	plan *Schedule
}

func (e emptying) all(ctx context.Context) error {
	for _, list := range []func(context.Context) error{e.lists, e.resourceGroups, e.userFieldValues, e.baselines} {
		if err := list(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lists are those of which each record stands for itself.
func (e emptying) lists(ctx context.Context) (err error) {
	s, id, p := e.Schedules, e.plan.ID, e.plan
	if p.Tasks, err = every(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Task], error) {
		return s.Tasks(ctx, id, schedules.TaskQuery{ListOptions: o})
	}, askedTask); err != nil {
		return err
	}
	if p.TaskLinks, err = asked[schedules.TaskLink, TaskLink](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.TaskLink], error) {
		return s.TaskLinks(ctx, id, schedules.TaskLinkQuery{ListOptions: o})
	}); err != nil {
		return err
	}
	if p.Resources, err = asked[schedules.Resource, schedules.NewResource](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
		return s.Resources(ctx, id, schedules.ResourceQuery{ListOptions: o})
	}); err != nil {
		return err
	}
	if p.ResourceStatusCategories, err = asked[schedules.ResourceStatusCategory, schedules.NewResourceStatusCategory](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusCategory], error) {
		return s.ResourceStatusCategories(ctx, id, schedules.ResourceStatusCategoryQuery{ListOptions: o})
	}); err != nil {
		return err
	}
	if p.ResourceStatusSets, err = asked[schedules.ResourceStatusSet, schedules.NewResourceStatusSet](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusSet], error) {
		return s.ResourceStatusSets(ctx, id, schedules.ResourceStatusSetQuery{ListOptions: o})
	}); err != nil {
		return err
	}
	if p.ResourceStatusItems, err = asked[schedules.ResourceStatusItem, schedules.NewResourceStatusItem](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusItem], error) {
		return s.ResourceStatusItems(ctx, id, schedules.ResourceStatusItemQuery{ListOptions: o})
	}); err != nil {
		return err
	}
	if p.UserFields, err = asked[schedules.UserField, schedules.NewUserField](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.UserField], error) {
		return s.UserFields(ctx, id, schedules.UserFieldQuery{ListOptions: o})
	}); err != nil {
		return err
	}
	if p.Type == schedules.V65 {
		p.Entities3D, err = asked[schedules.Entity3D, schedules.NewEntity3D](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Entity3D], error) {
			return s.Entities3D(ctx, id, schedules.Entity3DQuery{ListOptions: o})
		})
		return err
	}
	p.Synchronizers, err = values(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Synchronizer], error) {
		return s.Synchronizers(ctx, id, schedules.SynchronizerQuery{ListOptions: o})
	})
	return err
}

// askedTask is the task without what follows from the rest.
func askedTask(t schedules.Task, wire []byte) (n schedules.NewTask, err error) {
	err = json.Unmarshal(wire, &n)
	n.TaskAsRead, n.StatusID = schedules.TaskAsRead{}, ""
	switch t.Type {
	case schedules.ShortHammock, schedules.LongHammock:
		n.PlannedStart, n.PlannedFinish, n.PlannedDuration = twinplatform.DateTime{}, twinplatform.DateTime{}, nil
	case schedules.FinishKeyDate:
	default:
		n.PlannedFinish = twinplatform.DateTime{}
	}
	return n, err
}

func (e emptying) resourceGroups(ctx context.Context) (err error) {
	e.plan.ResourceGroups, err = asked[schedules.ResourceGroup, ResourceGroup](func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceGroup], error) {
		return e.Schedules.ResourceGroups(ctx, e.plan.ID, schedules.ResourceGroupQuery{ListOptions: o})
	})
	for i := range e.plan.ResourceGroups {
		g := &e.plan.ResourceGroups[i]
		if err == nil {
			g.ResourceIDs, err = every(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
				return e.Schedules.GroupResources(ctx, e.plan.ID, g.ID, schedules.ResourceQuery{ListOptions: o})
			}, func(r schedules.Resource, _ []byte) (string, error) { return r.ID, nil })
		}
	}
	return err
}

// bearers are the categories of objects that have values in a schedule.
func (s *Schedule) bearers() []schedules.UserFieldCategory {
	all := []schedules.UserFieldCategory{schedules.TaskField, schedules.ResourceField, schedules.ResourceGroupField}
	if s.Type == schedules.V65 {
		all = append(all, schedules.Entity3DField)
	}
	return all
}

func (e emptying) userFieldValues(ctx context.Context) error {
	for _, category := range e.plan.bearers() {
		some, err := every(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.UserFieldValue], error) {
			return e.Schedules.UserFieldValues(ctx, e.plan.ID, category, schedules.UserFieldValueQuery{ListOptions: o})
		}, func(v schedules.UserFieldValue, _ []byte) (UserFieldValue, error) {
			return UserFieldValue{Value: &v.Value, NewUserFieldValue: schedules.NewUserFieldValue{
				Entity3DID: v.Entity3DID, ResourceGroupID: v.ResourceGroupID, ResourceID: v.ResourceID, TaskID: v.TaskID, UserFieldID: v.UserFieldID,
			}}, nil
		})
		if err != nil {
			return err
		}
		e.plan.UserFieldValues = append(e.plan.UserFieldValues, some...)
	}
	return nil
}

func (e emptying) baselines(ctx context.Context) (err error) {
	e.plan.Baselines, err = every(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Baseline], error) {
		return e.Schedules.Baselines(ctx, e.plan.ID, schedules.BaselineQuery{ListOptions: o})
	}, func(b schedules.Baseline, _ []byte) (Baseline, error) {
		out := Baseline{NewBaseline: schedules.NewBaseline{ID: b.ID, Name: b.Name}, CreatedOn: b.CreatedOn}
		tasks, err := values(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTask], error) {
			return e.Schedules.BaselineTasks(ctx, e.plan.ID, b.ID, schedules.BaselineTaskQuery{ListOptions: o})
		})
		if err != nil {
			return out, err
		}
		links, err := values(func(o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTaskLink], error) {
			return e.Schedules.BaselineTaskLinks(ctx, e.plan.ID, b.ID, schedules.BaselineTaskLinkQuery{ListOptions: o})
		})
		// Empty lists say that there were no rows; left out, they would be made.
		out.Tasks, out.TaskLinks = append([]schedules.BaselineTask{}, tasks...), append([]schedules.BaselineTaskLink{}, links...)
		return out, err
	})
	return err
}
