package transform

import (
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// modelChanged is the content of models.modelCreated.v1 and models.modelDeleted.v1.
type modelChanged struct {
	ModelID string `json:"modelId"`
	UserID  string `json:"userId"`
}

// changesReady is the content of models.changesReady.v1.
type changesReady struct {
	ChangesetID    string `json:"changesetId"`
	ChangesetIndex string `json:"changesetIndex"`
	ModelID        string `json:"modelId"`
}

// versionNamed is the content of models.namedVersionCreated.v1.
type versionNamed struct {
	ChangesetID    string `json:"changesetId"`
	ChangesetIndex string `json:"changesetIndex"`
	ModelID        string `json:"modelId"`
	UserID         string `json:"userId"`
	VersionID      string `json:"versionId"`
}

// index is that of a changeset as events tell it: as text.
func index(n int) string { return strconv.Itoa(n) }

// event is what happened in a twin.
func (c caller) event(eventType string, target twinplatform.Target, content any) twinplatform.Event {
	text, _ := wire.Marshal(content)
	return twinplatform.Event{
		ID: c.s.env.NewGUID(), Type: eventType, TwinID: target.TwinID, AccountID: target.AccountID,
		Time: c.s.env.Now().UTC(), Content: text,
	}
}

func (c caller) modelEvent(eventType, modelID string, target twinplatform.Target) twinplatform.Event {
	p, _ := c.Caller()
	return c.event(eventType, target, modelChanged{modelID, p.ID})
}
