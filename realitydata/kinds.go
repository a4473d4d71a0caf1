package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.HeldIn("reality data", &twinRecords, func(twinID string) (records.Scope, string) {
		return allAccounts, records.Join(twinID, "")
	}, entity.InList("realityData")),
	entity.KeepsKind(&dataKind, entity.InList("realityData")),
	jobsInWorld,
	entity.KeepsKind(&detectorKind, entity.InList("detectors")),
	entity.Passes(&removals),
}

// Kinds are all types of records of the area.
func Kinds() []entity.Stored { return kinds }

// Transactional implements twinplatform.Transactional: HoldsOf reads through the
// transaction that its context carries, and asks nothing outside the store.
func (*Service) Transactional() {}

// HoldsOf reports what the area holds of a twin: "reality data", or nothing. It asks for
// no permission: it keeps twins from being deleted with data in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	return entity.HoldsOf(ctx, s.db, kinds, twinID)
}
