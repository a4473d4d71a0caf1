package webhooks

import (
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// kinds are all types of records of the area.
var kinds = append([]entity.Stored{entity.Keeps(&webhookRecords), entity.Keeps(&keyrings)}, delivery.Kinds...)
