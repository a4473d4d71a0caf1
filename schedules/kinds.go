package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// coreKinds are the types of records of the core.
var coreKinds = []entity.Stored{
	entity.HeldBy("schedules", &scheduleRecords, allAccounts, "twin"),
	entity.KeepsKind(&taskKind), entity.KeepsKind(&taskLinkKind),
	entity.KeepsKind(&resourceKind), entity.KeepsKind(&groupKind), entity.Keeps(&memberRecords), entity.KeepsKind(&assignmentKind),
	entity.KeepsKind(&statusCategoryKind), entity.KeepsKind(&statusSetKind), entity.KeepsKind(&statusItemKind),
	entity.KeepsKind(&historyKind), entity.Keeps(&currentStatuses),
	entity.KeepsKind(&userFieldKind), entity.Keeps(taskValues), entity.Keeps(resourceValues), entity.Keeps(groupValues), entity.Keeps(entity3DValues),
	entity.KeepsKind(&entity3DKind), entity.KeepsKind(&profileKind),
	entity.KeepsKind(&bindingKind), entity.KeepsKind(&transformKind), entity.KeepsKind(&pathKind), entity.KeepsKind(&keyframeKind), entity.KeepsKind(&pathAssignmentKind), entity.Keeps(&synchronizerRecords),
	entity.KeepsKind(&codeKind), entity.KeepsKind(&codeValueKind), entity.KeepsKind(&codeValueAssignmentKind), entity.KeepsKind(&ruleKind), entity.KeepsKind(&filterKind), entity.Keeps(&projectSchedulingRecords), entity.Keeps(&analysisRecords), entity.KeepsKind(&calendarKind),
	entity.Keeps(&baselineRecords),
	entity.Keeps(baselineTasks("")).Settled(dropRowsOf(baselineTasks)), entity.Keeps(baselineTaskLinks("")).Settled(dropRowsOf(baselineTaskLinks)), entity.Keeps(baselineAnalyses("")).Settled(dropRowsOf(baselineAnalyses)),
	entity.Keeps(&statusPlaces).Settled(placeStatuses), entity.Passes(&indexingRecords), entity.Passes(&dueRecords),
	entity.Keeps(&importedRecords), entity.Keeps(&plannedTaskRecords),
	entity.Passes(&blob.Pieces), entity.Passes(&blob.Objects), entity.Passes(&importStates), entity.Passes(&importBatches),
}

var _ twinplatform.NamingHolder = (*Service)(nil)

// HoldsOf says what the area holds of a twin: "schedules", or nothing. It asks
// for no permission: it keeps twins from being deleted with schedules in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	return entity.HoldsOf(ctx, s.db, kinds, twinID)
}

// Transactional says that HoldsOf, called within a transaction over the same
// store, answers from it.
func (s *Service) Transactional() {}
