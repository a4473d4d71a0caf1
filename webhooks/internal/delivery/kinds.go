package delivery

import "github.com/seed-933f9a09/twinplatform/internal/entity"

// Kinds are all types of records of the engine.
var Kinds = []entity.Stored{
	entity.Keeps(&Deliveries, ofThisStore), entity.Keeps(&messages, ofThisStore), entity.Keeps(&entries, ofThisStore),
	entity.Keeps(&states, ofThisStore), entity.Keeps(&endpointSlots, ofThisStore), entity.Keeps(&flowSlots,
		ofThisStore),
	entity.Keeps(&flowStates, ofThisStore), entity.Keeps(&cursors, ofThisStore),
	entity.Passes(&partials), entity.Passes(&pasts),
}

// ofThisStore is why worlds do not have deliveries.
const ofThisStore = entity.NotInWorld("events of a store are delivered once, by the platform over it")
