package platform

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func (e *exporter) schedules(ctx context.Context, twinID string) {
	for _, sc := range values(e, twinplatform.All(ctx, e.Schedules.Schedules, schedules.ScheduleQuery{TwinID: twinID})) {
		var plan Schedule
		e.recast(sc, &plan)
		if sc.State != schedules.Ready {
			plan.State = sc.State
		}
		e.fill(ctx, &plan)
		e.world.Schedules = append(e.world.Schedules, plan)
	}
}

// fill collects what a schedule holds.
func (e *exporter) fill(ctx context.Context, p *Schedule) {
	s, id := e.Schedules, p.ID
	e.list(&p.Tasks, func(o options) (wirePage, error) {
		return wire(s.In(id).Tasks(ctx, schedules.TaskQuery{ListOptions: o}))
	})
	for i := range p.Tasks {
		withoutDerived(&p.Tasks[i])
	}
	e.list(&p.TaskLinks, func(o options) (wirePage, error) {
		return wire(s.In(id).TaskLinks(ctx, schedules.TaskLinkQuery{ListOptions: o}))
	})
	e.list(&p.Resources, func(o options) (wirePage, error) {
		return wire(s.In(id).Resources(ctx, schedules.ResourceQuery{ListOptions: o}))
	})
	e.list(&p.ResourceAssignments, func(o options) (wirePage, error) {
		return wire(s.In(id).ResourceAssignments(ctx, schedules.ResourceAssignmentQuery{ListOptions: o}))
	})
	e.resourceGroups(ctx, p)
	e.list(&p.ResourceStatusCategories, func(o options) (wirePage, error) {
		return wire(s.In(id).ResourceStatusCategories(ctx, schedules.ResourceStatusCategoryQuery{ListOptions: o}))
	})
	e.list(&p.ResourceStatusSets, func(o options) (wirePage, error) {
		return wire(s.In(id).ResourceStatusSets(ctx, schedules.ResourceStatusSetQuery{ListOptions: o}))
	})
	e.list(&p.ResourceStatusItems, func(o options) (wirePage, error) {
		return wire(s.In(id).ResourceStatusItems(ctx, schedules.ResourceStatusItemQuery{ListOptions: o}))
	})
	e.list(&p.StatusHistory, func(o options) (wirePage, error) {
		return wire(s.In(id).StatusHistoryItems(ctx, schedules.StatusHistoryQuery{ListOptions: o}))
	})
	if p.Type == schedules.V65 {
		e.list(&p.Entities3D, func(o options) (wirePage, error) {
			return wire(s.In(id).Entities3D(ctx, schedules.Entity3DQuery{ListOptions: o}))
		})
	} else {
		e.list(&p.Synchronizers, func(o options) (wirePage, error) {
			return wire(s.In(id).Synchronizers(ctx, schedules.SynchronizerQuery{ListOptions: o}))
		})
	}
	e.animation(ctx, p)
	e.codes(ctx, p)
	e.list(&p.UserFields, func(o options) (wirePage, error) {
		return wire(s.In(id).UserFields(ctx, schedules.UserFieldQuery{ListOptions: o}))
	})
	e.userFieldValues(ctx, p)
	e.baselines(ctx, p)
}

// animation collects how the objects of a schedule look and move.
func (e *exporter) animation(ctx context.Context, p *Schedule) {
	s, id := e.Schedules, p.ID
	e.list(&p.AppearanceProfiles, func(o options) (wirePage, error) {
		return wire(s.In(id).AppearanceProfiles(ctx, schedules.AppearanceProfileQuery{ListOptions: o}))
	})
	e.list(&p.Animation3DTransforms, func(o options) (wirePage, error) {
		return wire(s.In(id).Animation3DTransforms(ctx, schedules.Animation3DTransformQuery{ListOptions: o}))
	})
	e.list(&p.Animation3DPaths, func(o options) (wirePage, error) {
		return wire(s.In(id).Animation3DPaths(ctx, schedules.Animation3DPathQuery{ListOptions: o}))
	})
	e.list(&p.Keyframes, func(o options) (wirePage, error) {
		return wire(s.In(id).Keyframes(ctx, schedules.KeyframeQuery{ListOptions: o}))
	})
	e.list(&p.Animation3DPathAssignments, func(o options) (wirePage, error) {
		return wire(s.In(id).Animation3DPathAssignments(ctx, schedules.Animation3DPathAssignmentQuery{ListOptions: o}))
	})
	e.list(&p.AnimationBindings, func(o options) (wirePage, error) {
		return wire(s.In(id).AnimationBindings(ctx, schedules.AnimationBindingQuery{ListOptions: o}))
	})
}

// codes collects how a schedule is sorted and computed.
func (e *exporter) codes(ctx context.Context, p *Schedule) {
	s, id := e.Schedules, p.ID
	e.list(&p.Codes, func(o options) (wirePage, error) {
		return wire(s.In(id).Codes(ctx, schedules.CodeQuery{ListOptions: o}))
	})
	e.list(&p.CodeValues, func(o options) (wirePage, error) {
		return wire(s.In(id).CodeValues(ctx, schedules.CodeValueQuery{ListOptions: o}))
	})
	e.list(&p.CodeValueAssignments, func(o options) (wirePage, error) {
		return wire(s.In(id).CodeValueAssignments(ctx, schedules.CodeValueAssignmentQuery{ListOptions: o}))
	})
	e.list(&p.Rules, func(o options) (wirePage, error) {
		return wire(s.In(id).Rules(ctx, schedules.RuleQuery{ListOptions: o}))
	})
	e.list(&p.TaskQueryFilters, func(o options) (wirePage, error) {
		return wire(s.In(id).TaskQueryFilters(ctx, schedules.TaskQueryFilterQuery{ListOptions: o}))
	})
	e.scheduling(ctx, p)
}

// scheduling collects in which working time a plan is scheduled.
func (e *exporter) scheduling(ctx context.Context, p *Schedule) {
	e.list(&p.Calendars, func(o options) (wirePage, error) {
		return wire(e.Schedules.In(p.ID).Calendars(ctx, schedules.CalendarQuery{ListOptions: o}))
	})
	for i := range p.Resources {
		r := &p.Resources[i] // which in earlier versions could name any calendar
		if !slices.ContainsFunc(p.Calendars, func(v schedules.NewCalendar) bool { return v.ID == r.CalendarID }) {
			r.CalendarID = ""
		}
	}
	set, err := e.Schedules.In(p.ID).ProjectScheduling(ctx)
	if e.failed(err) {
		return
	}
	if patch := set.Value.Patch(); patch != (schedules.ProjectSchedulingPatch{}) {
		p.ProjectScheduling = &patch
	}
}

// withoutDerived clears what follows from the rest of a task.
func withoutDerived(n *schedules.NewTask) {
	n.TaskAsRead, n.StatusID = schedules.TaskAsRead{}, ""
	switch n.Type {
	case schedules.ShortHammock, schedules.LongHammock:
		n.PlannedStart, n.PlannedFinish, n.PlannedDuration = twinplatform.DateTime{}, twinplatform.DateTime{}, nil
	case schedules.FinishKeyDate:
	default:
		n.PlannedFinish = twinplatform.DateTime{}
	}
}

func (e *exporter) resourceGroups(ctx context.Context, p *Schedule) {
	e.list(&p.ResourceGroups, func(o options) (wirePage, error) {
		return wire(e.Schedules.In(p.ID).ResourceGroups(ctx, schedules.ResourceGroupQuery{ListOptions: o}))
	})
	for i := range p.ResourceGroups {
		var members []schedules.NewResource
		g := &p.ResourceGroups[i]
		e.list(&members, func(o options) (wirePage, error) {
			return wire(e.Schedules.In(p.ID).GroupResources(ctx, g.ID, schedules.ResourceQuery{ListOptions: o}))
		})
		for _, r := range members {
			g.ResourceIDs = append(g.ResourceIDs, r.ID)
		}
	}
}

func (e *exporter) userFieldValues(ctx context.Context, p *Schedule) {
	categories := []schedules.UserFieldCategory{schedules.TaskField, schedules.ResourceField, schedules.ResourceGroupField}
	if p.Type == schedules.V65 {
		categories = append(categories, schedules.Entity3DField)
	}
	for _, category := range categories {
		var values []UserFieldValue
		e.list(&values, func(o options) (wirePage, error) {
			return wire(e.Schedules.In(p.ID).UserFieldValues(ctx, category, schedules.UserFieldValueQuery{ListOptions: o}))
		})
		p.UserFieldValues = append(p.UserFieldValues, values...)
	}
}

// baselines have both lists of rows, if they are empty: left out, the rows would
// be made.
func (e *exporter) baselines(ctx context.Context, p *Schedule) {
	e.list(&p.Baselines, func(o options) (wirePage, error) {
		return wire(e.Schedules.In(p.ID).Baselines(ctx, schedules.BaselineQuery{ListOptions: o}))
	})
	for i := range p.Baselines {
		b := &p.Baselines[i]
		e.list(&b.Tasks, func(o options) (wirePage, error) {
			return wire(e.Schedules.In(p.ID).BaselineTasks(ctx, b.ID, schedules.BaselineTaskQuery{ListOptions: o}))
		})
		e.list(&b.TaskLinks, func(o options) (wirePage, error) {
			return wire(e.Schedules.In(p.ID).BaselineTaskLinks(ctx, b.ID, schedules.BaselineTaskLinkQuery{ListOptions: o}))
		})
	}
}
