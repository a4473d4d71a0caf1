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
	values, err := page.Values()
	if err != nil {
		return page, err
	}
	items := make([][]byte, len(values))
	for i, d := range values {
		if items[i], err = wire.Marshal(Summary{DisplayName: d.DisplayName, ID: d.ID, Type: d.Type}); err != nil {
			return page, err
		}
	}
	return rewritten(page, items, values), nil
}

// rewritten is a page with other JSON and values in the place of its own.
func rewritten[T any](page twinplatform.Page[T], wire [][]byte, values []T) twinplatform.Page[T] {
	out := twinplatform.NewPage(wire, func(i int) (T, error) { return values[i], nil })
	out.Next, out.Delta, out.ETag, out.Top, out.NotModified = page.Next, page.Delta, page.ETag, page.Top, page.NotModified
	return out
}
