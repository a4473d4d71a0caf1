package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.HeldBy("schedules", &scheduleRecords, allAccounts, "twin"),
	entity.Keeps(&taskRecords), entity.Keeps(&taskLinkRecords),
	entity.Keeps(&resourceRecords), entity.Keeps(&groupRecords), entity.Keeps(&memberRecords), entity.Keeps(&assignmentRecords),
	entity.Keeps(&statusCategoryRecords), entity.Keeps(&statusSetRecords), entity.Keeps(&statusItemRecords),
	entity.Keeps(&historyRecords), entity.Keeps(&currentStatuses),
	entity.Keeps(&userFieldRecords), entity.Keeps(taskValues), entity.Keeps(resourceValues), entity.Keeps(groupValues), entity.Keeps(entity3DValues),
	entity.Keeps(&entity3DRecords), entity.Keeps(&profileRecords),
	entity.Keeps(&bindingRecords), entity.Keeps(&transformRecords), entity.Keeps(&pathRecords), entity.Keeps(&keyframeRecords), entity.Keeps(&pathAssignmentRecords), entity.Keeps(&synchronizerRecords),
	entity.Keeps(&codeRecords), entity.Keeps(&codeValueRecords), entity.Keeps(&codeValueAssignmentRecords), entity.Keeps(&ruleRecords), entity.Keeps(&filterRecords), entity.Keeps(&projectSchedulingRecords), entity.Keeps(&analysisRecords), entity.Keeps(&calendarRecords),
	entity.Keeps(&baselineRecords),
	entity.Keeps(baselineTasks("")).Settled(dropRowsOf(baselineTasks)), entity.Keeps(baselineTaskLinks("")).Settled(dropRowsOf(baselineTaskLinks)), entity.Keeps(baselineAnalyses("")).Settled(dropRowsOf(baselineAnalyses)),
	entity.Keeps(&statusPlaces).Settled(placeStatuses), entity.Passes(&indexingRecords), entity.Passes(&dueRecords),
	entity.Keeps(&importedRecords), entity.Keeps(&plannedTaskRecords),
	entity.Passes(&fileRecords), entity.Passes(&blob.Pieces), entity.Passes(&importStates), entity.Passes(&importBatches),
}

// HoldsOf says what the area holds of a twin: "schedules", or nothing. It asks
// for no permission: it keeps twins from being deleted with schedules in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	return entity.HoldsOf(ctx, s.db, kinds, twinID)
}

// Transactional says that HoldsOf, called within a transaction over the same
// store, answers from it.
func (s *Service) Transactional() {}
