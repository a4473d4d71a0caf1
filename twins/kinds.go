package twins

import (
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.KeepsKind(&twinKind), entity.KeepsKind(&roleKind), entity.KeepsKind(&memberKind), entity.KeepsKind(&invitationKind),
	entity.Keeps(&epochs), entity.Passes(&formerEpochs), entity.Keeps(favoriteRecords), entity.Keeps(recentRecords), entity.KeepsKind(&repositoryKind),
	entity.Keeps(&imageRecords), entity.Keeps(&exportRecords), entity.Keeps(&blob.Pieces), entity.Passes(&blob.Objects),
	entity.Keeps(&personRecords), entity.Keeps(&removalRecords), entity.Keeps(&removalCounts),
}
