package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"

	"github.com/seed-933f9a09/twinplatform"
)

// kinds are all types of records of the area.
func (s *Service) kinds(ctx context.Context) []entity.Stored {
	return []entity.Stored{
		entity.HeldIn("forms", &summaryRecords,
			func(twinID string) (records.Scope, string) { return inTwin(twinID), "" },
			entity.InList("forms")),
		{
			Name: definitionRecords.Name, Held: "form definitions",
			Has: func(v *records.View, twinID string) (bool, error) {
				return s.hasDefinitions(v.Within(ctx), v, twinID)
			}, World: entity.InList("formDefinitions"),
		},
		entity.Keeps(&formRecords, entity.InList("forms")), entity.Keeps(&formPlaces, entity.InList("forms")),
		entity.Keeps(&counters, entity.InList("forms")),
		entity.Keeps(&commentRecords, howTheyCame), entity.Keeps(&auditRecords, howTheyCame),
		entity.Keeps(&attachmentRecords, withoutBytes), entity.Keeps(&blob.Pieces, withoutBytes),
		entity.Passes(&blob.Objects), entity.Keeps(&uploads, withoutBytes),
		entity.Keeps(&layouts, ofTheDesigner), entity.Keeps(&foreignSecurities, entity.InList("formDefinitions")),
	}
}

// Why worlds do not have some types of records.
const (
	howTheyCame   = entity.NotInWorld("a world has what forms are, not how they came to be")
	ofTheDesigner = entity.NotInWorld("the designer keeps layouts, which no create request has")
	withoutBytes  = entity.NotInWorld("a world has no bytes")
)

// Kinds are all types of records of the area.
func Kinds() []entity.Stored { return new(Service).kinds(context.Background()) }

// Transactional implements twinplatform.Transactional: HoldsOf reads through the
// transaction that its context carries, and asks no one outside the store.
func (*Service) Transactional() {}

// HoldsOf reports what the area holds of a twin: "forms", "form definitions", or nothing.
// It asks for no permission: it keeps twins from being deleted with something in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	twinID, ok := parseGUID(twinID)
	if !ok {
		return "", nil
	}
	return entity.HoldsOf(ctx, s.db, s.kinds(ctx), twinID)
}

// hasDefinitions reports whether a twin has definitions. It looks at those of the twin's
// account, or at all there are where the account is not known within a transaction.
func (s *Service) hasDefinitions(within context.Context, v *records.View, twinID string) (has bool, err error) {
	accountID, ok := "", s.cfg.Twins == nil
	if transactional(s.cfg.Twins) {
		if accountID, ok, err = s.cfg.Twins.TwinAccount(within, twinID); err != nil {
			return false, err
		}
	}
	candidates := definitionRecords.All(v, allAccounts, "")
	if ok {
		candidates = definitionRecords.Find(v, inAccount(accountID), byAccount, accountKey(accountID))
	}
	for d, err := range candidates {
		if err != nil || d.TwinID == twinID {
			return true, err
		}
	}
	return false, nil
}

// transactional reports whether a directory answers through the transaction that
// its context carries.
func transactional(d twinplatform.TwinDirectory) bool {
	_, ok := d.(twinplatform.Transactional)
	return ok
}
