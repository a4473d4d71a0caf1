package transform

import (
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// writer is the transformation with an id, as a registered model knows who writes to it.
type writer struct{ id string }

// Writes implements area.Writer: what another process has ended, or begun to commit, stays
// as it is.
func (w writer) Writes(tx records.Reading) (whole bool, err error) {
	t, err := transformationRecords.Lookup(tx, area.AllAccounts, w.id)
	if err == nil && (t == nil || t.Status.Done()) {
		err = errOver
	}
	return err == nil && t.Committing, err
}

// Needs implements area.Writer.
func (w writer) Needs() []records.Need { return transformationRecords.Needs(area.AllAccounts, w.id) }

// entrusted is a registered model as a transformation reads and writes it.
func (s *Service) entrusted(m *models.Model, transformationID string) models.Endpoint {
	return s.models.Entrusted(area.InAccount(m.AccountID), area.Key(m.AccountID, m.ID), writer{transformationID})
}
