package forms

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Why members that end in Id refer to no record.
const (
	people    = "people are no records of the platform"
	elsewhere = "it is in a storage of others"
)

// Schemas returns what the checks of this area declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	schema.Enum(b, definitionStatuses)
	schema.Enum(b, shareTypes)
	schema.Enum(b, errorStatuses)
	schema.Enum(b, states)
	schema.Enum(b, auditActions)
	b.Is(reflect.TypeFor[Properties](), schema.Value{})

	b.Has(reflect.TypeFor[NewForm](), problem.RulesOf(new(NewForm).check).Own()...)
	fields := problem.RulesOf(new(FormFields).check).Own()
	b.Has(reflect.TypeFor[FormFields](), fields...)
	b.Has(reflect.TypeFor[Form](), fields...)
	schema.Has[NewForm](b, schema.Refers("formId", "formDefinitions"))
	schema.Has[Form](b, schema.Refers("formId", "formDefinitions"))
	schema.Has[AuditTrailEntry](b, schema.NotRef("changeById", people), schema.Person("changeById"))
	schema.Has[Grant](b, schema.NotRef("principalId", people))
	schema.Has[StorageFile](b, schema.NotRef("fileId", elsewhere), schema.NotRef("folderId", elsewhere))
	schema.Has[ModelElement](b, schema.Refers("changeSetId", "changesets"))
	definitionKind.DescribeRequest(b)
	b.Has(reflect.TypeFor[NewFormDefinition](), schema.May("status", schema.Value{Default: Draft}))
	b.Has(
		reflect.TypeFor[FormDefinitionPatch](),
		schema.Stays("displayName", schema.Length(1, MaxName)), schema.Stays("status", schema.Value{}),
		schema.May("idPrefix", schema.AtMost(MaxIDPrefix)), schema.May("shareType", schema.Value{}),
	)
	commentKind.DescribeRequest(b)
	attachmentKind.DescribeRequest(b)
	person := problem.RulesOf(func(c *problem.Checks) { checkPerson(c, "person", Person{}) }).In("person")
	b.Has(reflect.TypeFor[Person](), person...)
	b.Has(reflect.TypeFor[Assignee](), person...)
	number := schema.Value{} // as its encoding has it
	b.Has(reflect.TypeFor[Point3D](), schema.Need("x", number), schema.Need("y", number), schema.Need("z", number))
	b.Has(reflect.TypeFor[CameraView](),
		problem.RulesOf(func(c *problem.Checks) { new(CameraView).check(c, "camera") }).In("camera")...)
	b.Has(reflect.TypeFor[Location](), problem.RulesOf(new(Location).check).In("location")...)
	b.Has(reflect.TypeFor[ModelPin](), problem.RulesOf(new(ModelPin).check).In("modelPin")...)
	b.Has(reflect.TypeFor[ModelView](), problem.RulesOf(new(ModelView).check).In("modelView")...)
	source := problem.RulesOf((&SourceEntity{twinplatform.Set(ModelElement{}), twinplatform.Set(StorageFile{})}).check)
	b.Has(reflect.TypeFor[StorageFile](), source.In("sourceEntity.storageFile")...)
	b.Has(reflect.TypeFor[ModelElement](), source.In("sourceEntity.modelElement")...)
	security := problem.RulesOf((&Security{Grants: []Grant{{}}}).check)
	b.Has(reflect.TypeFor[Security](), security.In("security")...)
	b.Has(reflect.TypeFor[Grant](), security.In("grant")...)
}
