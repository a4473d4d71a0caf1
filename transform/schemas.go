package transform

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Schemas returns what the checks of this area declare of the types of its bodies, with
// those of the registry of models, for the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	models.Schemas(b)
	entity.Describe(b, own)
	configurationKind.Describe(b)
	schema.Enum(b, viewModes)
	schema.Enum(b, transformationStatuses)
	b.Has(reflect.TypeFor[NewConfiguration](), schema.Need("transformParameters", schema.Value{}))
	schema.Has[Report](b, schema.Refers("transformationId", transformationRecords.Name))
	schema.Has[Transformation](b, schema.Refers("sourceChangeSetId", "changesets"),
		schema.Refers("targetChangeSetId", "changesets"))
	schema.Has[NewParameters](b, schema.Refers("savedViewId", "saved-views"), schema.NeedText("savedViewId", MaxID),
		schema.May("viewMode", schema.Value{Default: IncludeNewContent}))
}
