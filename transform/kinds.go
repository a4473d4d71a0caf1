package transform

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// own are the types of records of transformations.
var own = []entity.Stored{
	entity.HeldBy("transformation configurations", &configurationRecords, area.AllAccounts, "targetProject",
		entity.InList("configurations")),
	entity.KeepsKind(&transformationKind, entity.InList("configurations.transformations")),
}

// kinds are all types of records of the area, with those of the registry of models.
var kinds = slices.Concat(models.Kinds(), own)

// Kinds are all types of records of the area, with those of the registry of models.
func Kinds() []entity.Stored { return kinds }

var _ interface {
	twinplatform.MembershipHolder
	twinplatform.NamingHolder
} = (*Service)(nil)

// Transactional implements twinplatform.Transactional: HoldsOf reads through the
// transaction that its context carries, and asks nothing outside the store.
func (*Service) Transactional() {}

// HoldsOf reports what the area holds of a twin: "models", "transformation
// configurations", or nothing. It asks for no permission: it keeps twins from being
// deleted with something in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	return entity.HoldsOf(ctx, s.db, kinds, twinID)
}

// EndMembership implements twinplatform.MembershipHolder: it takes from a principal all
// roles at the models of a twin.
func (s *Service) EndMembership(ctx context.Context, twinID, principalID string) error {
	return s.models.EndMembership(ctx, twinID, principalID)
}

// AmbiguousID implements twinplatform.NamingHolder: for the models of a twin, their saved
// views, and the groups and tags of these.
func (s *Service) AmbiguousID(ctx context.Context, twinID string) (string, error) {
	return s.models.AmbiguousID(ctx, twinID)
}
