package twins

import (
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.KeepsKind(twinKind.Core()), entity.KeepsKind(roleKind.Core()), entity.KeepsKind(memberKind.Core()), entity.KeepsKind(invitationKind.Core()),
	entity.Keeps(&epochs), entity.Passes(&formerEpochs), entity.Keeps(favoriteRecords), entity.Keeps(recentRecords), entity.KeepsKind(repositoryKind.Core()),
	entity.Keeps(&imageRecords), entity.Keeps(&exportRecords), entity.Keeps(&blob.Pieces), entity.Passes(&blob.Objects),
	entity.Keeps(&personRecords), entity.Keeps(&removalRecords), entity.Keeps(&removalCounts),
}
