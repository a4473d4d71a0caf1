package webhooks

import (
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// kinds are all types of records of the area.
var kinds = append([]entity.Stored{
	entity.Keeps(&webhookRecords, entity.NotInWorld("the webhooks of a seeded world are created again")),
	entity.Keeps(&keyrings, entity.NotInWorld("a world has no secrets")),
}, delivery.Kinds...)

// Kinds are all types of records of the area.
func Kinds() []entity.Stored { return kinds }
