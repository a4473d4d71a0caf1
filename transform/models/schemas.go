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
	schema.Has[Changeset](b, schema.Person("createdBy"))
	schema.Has[NamedVersion](b, schema.Person("createdBy"))
	schema.Has[ViewGroup](b, schema.Person("createdBy"))
	schema.Has[ViewTag](b, schema.Person("createdBy"))
	schema.Has[Element](b, schema.Refers("parentId", "elements"))
	schema.Has[NewElement](b, schema.Refers("parentId", "elements"))
	describeViews(b)
}
