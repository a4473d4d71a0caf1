package delivery

import "github.com/seed-933f9a09/twinplatform/internal/entity"

// Kinds are all types of records of the engine.
var Kinds = []entity.Stored{
	entity.Keeps(&Deliveries), entity.Keeps(&messages), entity.Keeps(&entries), entity.Keeps(&states),
	entity.Keeps(&endpointSlots), entity.Keeps(&flowSlots), entity.Keeps(&flowStates), entity.Keeps(&cursors),
	entity.Passes(&partials), entity.Passes(&formerSlots),
}
