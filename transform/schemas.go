package transform

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas tells what the checks of this area know of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	entity.Describe(b, kinds)
	modelKind.Describe(b)
	configurationKind.Describe(b)
	describeElements(b)
	describeViews(b)
	schema.Enum(b, viewModes)
	schema.Enum(b, transformationStatuses)
	b.Has(reflect.TypeFor[NewConfiguration](), schema.Need("transformParameters", schema.Value{}))
	b.Has(reflect.TypeFor[NewParameters](), schema.NeedText("savedViewId", MaxID), schema.May("viewMode", schema.Value{Default: IncludeNewContent}))
}
