package schedules

import (
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

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
	filters      *model.Family[TaskQueryFilter, NewTaskQueryFilter, NewTaskQueryFilter]
	scheduling   model.Change[schedulingChange, ProjectScheduling]
	// plain are those that follow from their kinds, by the names of these.
	plain map[string]model.Defined
}

func familiesOf(s *Service) *families { return s.families.(*families) }

// familyOf is what a service does with a type of record that is plain among the kinds.
func familyOf[T, N, P any](s *Service, k *entity.Kind[T, N, P]) *model.Family[T, N, P] {
	return familiesOf(s).plain[k.Records.Name].(*model.Family[T, N, P])
}

func defineFamilies(s *Service) *families {
	return &families{
		plain:        make(map[string]model.Defined),
		tasks:        tasksOf(s),
		taskLinks:    taskLinksOf(s),
		baselines:    defineBaselineKinds(s),
		groupMembers: defineGroupMemberKinds(s),
		assignments:  assignmentsOf(s),
		resources:    resourcesOf(s),
		groups:       model.FamilyOf(s.area(), &groupKind),
		calendars:    calendarsOf(s),
		filters:      model.FamilyOf(s.area(), &filterKind).ChangedIn(model.V10Only),
		scheduling: model.DefineInSteps(s.area(), "projectScheduling.update", setProjectScheduling, "projectScheduling.update").
			Only(model.V10Only),
	}
}
