package models

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// changed is the content of the events about whole models.
func (c caller) changed(modelID string) event.ModelCreated {
	p, _ := c.Caller()
	return event.ModelCreated{ModelID: modelID, UserID: p.ID}
}

// deletionOf is the event that a model is deleted, for the journal of the deletion.
func (c caller) deletionOf(m *Model, at twinplatform.Target) (twinplatform.Event, error) {
	return event.New(c.s.env, at, event.ModelDeleted(c.changed(m.ID)))
}
