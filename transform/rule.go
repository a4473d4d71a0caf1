package transform

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform/transform/internal/filter"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// rule is what decides on the content of a target.
type rule struct {
	View      models.View `json:"view"`
	Changeset int         `json:"changeset"` // the index of the changeset at which the view was made
	Mode      ViewMode    `json:"mode"`
}

// name identifies a rule.
func (r rule) name() string {
	b, _ := json.Marshal(r)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// filter is the rule as it is applied.
func (r rule) filter() *filter.View {
	f := &filter.View{
		Changeset: r.Changeset, IncludeNew: r.Mode != FilterContent, Exclusive: r.View.Exclusive,
		Always: set(r.View.AlwaysDrawn), Never: set(r.View.NeverDrawn),
		ShownCategories: set(r.View.ShownCategories), HiddenCategories: set(r.View.HiddenCategories),
		ShownModels: set(r.View.ShownModels), HiddenModels: set(r.View.HiddenModels),
		Overrides: make(map[filter.Override]bool),
	}
	for _, o := range r.View.CategoryOverrides {
		f.Overrides[filter.Override{SubModel: o.SubModelID, Category: o.Category}] = o.Visible
	}
	return f
}

func set(ids []string) map[string]bool {
	out := make(map[string]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out
}
