package realitydata

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Summary is reality data as a list carries them unless the client prefers whole
// records.
type Summary struct {
	DisplayName string `json:"displayName"`
	ID          string `json:"id"`
	Type        string `json:"type"`
}

// summarize is a page whose JSON carries summaries.
func summarize(page twinplatform.Page[RealityData]) (twinplatform.Page[RealityData], error) {
	return page.Map(func(rec twinplatform.Record[RealityData]) (_ twinplatform.Record[RealityData], err error) {
		d := &rec.Value
		rec.JSON, err = wire.Marshal(Summary{DisplayName: d.DisplayName, ID: d.ID, Type: d.Type})
		return rec, err
	})
}
