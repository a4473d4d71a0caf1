package forms

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas tells what the checks of this area know of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	schema.Enum(b, definitionStatuses)
	schema.Enum(b, shareTypes)
	schema.Enum(b, errorStatuses)
	schema.Enum(b, states)
	schema.Enum(b, auditActions)
	b.Is(reflect.TypeFor[Properties](), schema.Value{})
	guid := schema.Format("uuid", "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01")
	name, text, long := schema.AtMost(MaxName), schema.AtMost(MaxText), schema.AtMost(MaxDescription)
	prefix := schema.AtMost(MaxIDPrefix)
	number := schema.Value{}
	b.Has(reflect.TypeFor[NewForm](), schema.NeedText("formId", MaxText), schema.May("twinId", guid))
	b.Has(reflect.TypeFor[FormFields](), schema.May("subject", text), schema.May("description", long), schema.May("assignees", schema.List(0, MaxAssignees, schema.Value{})))
	b.Has(reflect.TypeFor[Form](), schema.May("subject", text), schema.May("description", long))
	b.Has(reflect.TypeFor[NewFormDefinition](),
		schema.NeedText("displayName", MaxName), schema.NeedText("type", MaxName), schema.Need("twinId", guid), schema.May("discipline", name),
		schema.May("idPrefix", prefix), schema.May("status", schema.Value{Default: Draft}))
	b.Has(reflect.TypeFor[FormDefinitionPatch](),
		schema.Stays("displayName", schema.Length(1, MaxName)), schema.May("idPrefix", prefix), schema.Stays("status", schema.Value{}), schema.May("shareType", schema.Value{}))
	b.Has(reflect.TypeFor[NewComment](), schema.NeedText("text", MaxDescription))
	b.Has(reflect.TypeFor[NewAttachment](), schema.NeedText("fileName", MaxName), schema.May("caption", text), schema.May("binding", text))
	b.Has(reflect.TypeFor[Person](), schema.Need("id", guid), schema.May("displayName", name))
	b.Has(reflect.TypeFor[Assignee](), schema.Need("id", guid), schema.May("displayName", name))
	b.Has(reflect.TypeFor[Point3D](), schema.Need("x", number), schema.Need("y", number), schema.Need("z", number))
	b.Has(reflect.TypeFor[CameraView](), schema.Need("direction", schema.Value{}), schema.Need("up", schema.Value{}), schema.Need("viewPoint", schema.Value{}))
	b.Has(reflect.TypeFor[Location](),
		schema.May("description", long), schema.May("latitude", schema.Range(-90, 90)), schema.May("longitude", schema.Range(-180, 180)))
	b.Has(reflect.TypeFor[ModelPin](), schema.May("description", long))
	b.Has(reflect.TypeFor[ModelView](), schema.May("modelJsView", text))
	b.Has(reflect.TypeFor[StorageFile](), schema.NeedText("fileId", MaxText), schema.May("fileName", text), schema.May("folderId", text))
	b.Has(reflect.TypeFor[ModelElement](),
		schema.NeedText("modelId", MaxText), schema.NeedText("elementId", MaxDescription), schema.May("changeSetId", text), schema.May("modelName", text))
	b.Has(reflect.TypeFor[Security](), schema.Need("grants", schema.List(0, maxGrants, schema.Value{})))
	b.Has(reflect.TypeFor[Grant](),
		schema.Need("principalId", schema.Length(1, MaxName)),
		schema.Need("permissions", schema.List(1, 0, schema.Value{Enum: anyPermission})))
}
