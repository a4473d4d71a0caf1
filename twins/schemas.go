package twins

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas returns what the checks of this area declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	entity.Describe(b, kinds)
	describeRepositories(b)
	describeRepositoryResources(b)
	describeExports(b)
	schema.Has[Share](b, schema.Secret("shareKey"))
	b.Has(reflect.TypeFor[NewOwner](), schema.May("email", schema.AtMost(MaxText).And(email)),
		schema.May("id", schema.AtMost(MaxText)))
	b.Has(reflect.TypeFor[NewMembers](), schema.Need("members", schema.List(1, MaxAssignments, schema.Value{})),
		schema.May("customMessage", schema.AtMost(MaxMessage)))
	b.Is(reflect.TypeFor[People](), schema.Value{})
	b.Has(reflect.TypeFor[NewGroupMember](), schema.NeedText("groupId", MaxText),
		schema.Refers("groupId", groupRecords.Name))
	schema.Has[Twin](b, schema.Refers("twinAccountId", twinRecords.Name))
	schema.Has[Twin](b, schema.Person("createdBy"), schema.Person("lastModifiedBy"))
	schema.Has[Invitation](b, schema.Person("createdBy"))
	schema.Has[Share](b, schema.Person("createdBy"))
	schema.Has[Export](b, schema.Person("createdBy"))
	schema.Has[NewGroup](b, schema.Refers("members", "members"))
	schema.Has[GroupPatch](b, schema.Refers("members", "members"))
	schema.Enum(b, classes)
	schema.Enum(b, subClasses)
	schema.Enum(b, statuses)
	schema.Enum(b, queryScopes)
	schema.Enum(b, dataCenterLocations)
	schema.Enum(b, memberTypes)
	schema.Enum(b, []InvitationStatus{InvitationPending})
	schema.Enum(b, roleTypes)
	// Lists write it themselves, and with the same members.
	b.Has(reflect.TypeFor[Summary](), schema.May("number", schema.AtMost(MaxText)))
}
