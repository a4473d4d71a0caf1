package twins

import (
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.Keeps(&twinRecords), entity.Keeps(&roleRecords), entity.Keeps(&memberRecords), entity.Keeps(&invitationRecords),
	entity.Keeps(&epochs), entity.Passes(&formerEpochs), entity.Keeps(favoriteRecords), entity.Keeps(recentRecords), entity.Keeps(&repositoryRecords), entity.Keeps(&imageRecords), entity.Keeps(&exportRecords), entity.Keeps(&blob.Pieces),
	entity.Keeps(&personRecords),
}
