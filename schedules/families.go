package schedules

import "github.com/seed-933f9a09/twinplatform/schedules/internal/model"

// families are what a service does with each type of record of a plan.
type families struct {
	tasks        taskFamily
	taskLinks    taskLinkFamily
	baselines    baselineKinds
	groupMembers groupMemberKinds
	assignments  assignmentFamily
	calendars    calendarFamily
	resources    resourceFamily
	groups       *model.Family[ResourceGroup, NewResourceGroup, ResourceGroupPatch]
	rules        *model.Family[Rule, NewRule, RulePatch]
	filters      *model.Family[TaskQueryFilter, NewTaskQueryFilter, NewTaskQueryFilter]
	scheduling   model.Change[schedulingChange, ProjectScheduling]
}

func familiesOf(s *Service) *families { return s.families.(*families) }

func defineFamilies(s *Service) *families {
	return &families{
		tasks:        tasksOf(s),
		taskLinks:    taskLinksOf(s),
		baselines:    defineBaselineKinds(s),
		groupMembers: defineGroupMemberKinds(s),
		assignments:  assignmentsOf(s),
		resources:    resourcesOf(s),
		groups:       model.FamilyOf(s.area(), &groupKind),
		rules:        model.FamilyOf(s.area(), &ruleKind).ChangedIn(model.V10Only),
		calendars:    calendarsOf(s),
		filters:      model.FamilyOf(s.area(), &filterKind).ChangedIn(model.V10Only),
		scheduling: model.DefineInSteps(s.area(), "projectScheduling.update", setProjectScheduling, "projectScheduling.update").
			Only(model.V10Only),
	}
}
