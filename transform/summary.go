package transform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// TransformationSummary is a transformation as lists with return=minimal carry it.
type TransformationSummary struct {
	ConfigurationID string               `json:"configurationId"`
	ID              string               `json:"id"` // sorts by creation
	Status          TransformationStatus `json:"status"`
}

// ConfigurationSummary is a configuration as lists with return=minimal carry it.
type ConfigurationSummary struct {
	ID            string `json:"id"` // sorts by creation
	TransformName string `json:"transformName"`
	TransformType string `json:"transformType"` // FilterBySavedView
}

// Summary is what a minimal list carries of the transformation.
func (t *Transformation) Summary() TransformationSummary {
	return TransformationSummary{ConfigurationID: t.ConfigurationID, ID: t.ID, Status: t.Status}
}

// Summary is what a minimal list carries of the configuration.
func (c *Configuration) Summary() ConfigurationSummary {
	return ConfigurationSummary{ID: c.ID, TransformName: c.TransformName, TransformType: c.TransformType}
}

// minimal makes a page carry the summaries of its records.
func minimal[T, S any](page twinplatform.Page[T], summary func(*T) S) (twinplatform.Page[T], error) {
	return page.Map(func(rec twinplatform.Record[T]) (_ twinplatform.Record[T], err error) {
		rec.JSON, err = wire.Marshal(summary(&rec.Value))
		return rec, err
	})
}
