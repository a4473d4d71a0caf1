package models

import (
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// kinds are all types of records of the registry.
var kinds = []entity.Stored{
	entity.HeldBy("models", &modelRecords, area.AllAccounts, "twin", entity.InList("models")),
	viewKinds(),
	entity.KeepsKind(&viewGroupKind, entity.InList("models.savedViewGroups")),
	entity.KeepsKind(&viewTagKind, entity.InList("models.savedViewTags")),
	entity.KeepsKind(&viewExtensionKind, entity.InList("savedViews.extensions")),
	entity.Keeps(&viewImageRecords, withoutBytes),
	entity.Keeps(&blob.Pieces, withoutBytes),
	entity.Passes(&blob.Objects),
	entity.KeepsKind(&changesetKind, entity.InList("models.changesets")),
	entity.Keeps(&elementRecords, entity.InList("models.changesets")),
	entity.Keeps(&geometryRecords, entity.InList("models.changesets")),
	entity.Keeps(&changeRecords, entity.InList("models.changesets")),
	entity.Keeps(&stateRecords, entity.InList("models.changesets")),
	entity.KeepsKind(&namedVersionKind, entity.InList("models.namedVersions")),
	entity.KeepsKind(&modelMemberKind, entity.InList("models.members")),
}

// withoutBytes is why worlds do not have images.
const withoutBytes = entity.NotInWorld("a world has no bytes but those of elements")

// viewKinds are the saved views. Those of a twin without a model keep it.
func viewKinds() entity.Stored {
	kept := entity.KeepsKind(&savedViewKind, entity.InList("savedViews"))
	held := entity.HeldBy("saved views", &savedViewRecords, area.AllAccounts, "twin", kept.World)
	kept.Held, kept.Has = held.Held, held.Has
	return kept
}

// Kinds are all types of records of the registry.
func Kinds() []entity.Stored { return kinds }
