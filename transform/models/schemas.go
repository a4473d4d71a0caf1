package models

import (
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas returns what the checks of the registry declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	entity.Describe(b, kinds)
	modelKind.Describe(b)
	b.Path(viewGroupRecords.Name, "groups")
	b.Path(viewTagRecords.Name, "tags")
	describeElements(b)
	describeViews(b)
}
