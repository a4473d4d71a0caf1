package transform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// changed is what the events about whole models tell.
func (c caller) changed(modelID string) event.ModelCreated {
	p, _ := c.Caller()
	return event.ModelCreated{ModelID: modelID, UserID: p.ID}
}

// completed emits that a transformation is done, one way or another.
func (c caller) completed(u *records.Update, conf *Configuration, transformationID string, status TransformationStatus) error {
	r := &conf.References
	at, _, err := c.TwinOf(conf.AccountID, r.TargetProjectID)
	if err != nil {
		return err
	}
	return c.Emit(u, at, event.TransformationJobCompleted{
		TransformationID: transformationID, ConfigurationID: conf.ID, TransformType: conf.TransformType, Status: string(status),
		SourceTwinID: r.SourceProjectID, TargetTwinID: r.TargetProjectID, TargetModelID: r.TargetModelID,
	})
}

// deletionOf is the event that a model is deleted, for the journal of the deletion.
func (c caller) deletionOf(m *Model, at twinplatform.Target) (twinplatform.Event, error) {
	return event.New(c.s.env, at, event.ModelDeleted(c.changed(m.ID)))
}
