package transform

import (
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// completed emits that a transformation is done, one way or another.
func (c caller) completed(u *records.Update, conf *Configuration, transformationID string,
	status TransformationStatus,
) error {
	r := &conf.References
	at, _, err := c.TwinOf(conf.AccountID, r.TargetProjectID)
	if err != nil {
		return err
	}
	return c.Emit(u, at, event.TransformationJobCompleted{
		TransformationID: transformationID, ConfigurationID: conf.ID, TransformType: conf.TransformType,
		Status:       string(status),
		SourceTwinID: r.SourceProjectID, TargetTwinID: r.TargetProjectID, TargetModelID: r.TargetModelID,
	})
}
