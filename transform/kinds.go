package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.HeldBy("models", &modelRecords, allAccounts, "twin"),
	entity.HeldBy("transformation configurations", &configurationRecords, allAccounts, "targetProject"),
	entity.KeepsKind(&savedViewKind),
	entity.KeepsKind(&viewGroupKind),
	entity.KeepsKind(&viewTagKind),
	entity.KeepsKind(&viewExtensionKind),
	entity.Keeps(&viewImageRecords),
	entity.Keeps(&blob.Pieces),
	entity.Passes(&blob.Objects),
	entity.KeepsKind(&changesetKind),
	entity.Keeps(&elementRecords),
	entity.Keeps(&geometryRecords),
	entity.Keeps(&changeRecords),
	entity.Keeps(&stateRecords),
	entity.KeepsKind(&namedVersionKind),
	entity.KeepsKind(&transformationKind),
	entity.KeepsKind(&modelMemberKind),
}

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
