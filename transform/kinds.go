package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.HeldBy("models", &modelRecords, allAccounts, "twin", entity.InList("models")),
	entity.HeldBy("transformation configurations", &configurationRecords, allAccounts, "targetProject",
		entity.InList("configurations")),
	entity.KeepsKind(&savedViewKind, entity.InList("savedViews")),
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
	entity.KeepsKind(&transformationKind, entity.InList("configurations.transformations")),
	entity.KeepsKind(&modelMemberKind, entity.InList("models.members")),
}

// withoutBytes is why worlds do not have images.
const withoutBytes = entity.NotInWorld("a world has no bytes but those of elements")

// Kinds are all types of records of the area.
func Kinds() []entity.Stored { return kinds }

var _ interface {
	twinplatform.MembershipHolder
	twinplatform.NamingHolder
} = (*Service)(nil)

// Transactional implements twinplatform.Transactional: HoldsOf reads through the
// transaction that its context carries, and asks nothing outside the store.
func (*Service) Transactional() {}

// HoldsOf says what the area holds of a twin: "models", "transformation
// configurations", or nothing. It asks for no permission: it keeps twins from
// being deleted with something in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	return entity.HoldsOf(ctx, s.db, kinds, twinID)
}
