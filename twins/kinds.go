package twins

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// kinds are all types of records of the area.
var kinds = []entity.Stored{
	entity.KeepsKind(&twinKind, entity.InList("twins")),
	entity.KeepsKind(&roleKind, entity.InList("roles")),
	entity.KeepsKind(&memberKind, entity.InList("members")),
	entity.KeepsKind(&invitationKind, entity.NotInWorld("who is invited answers with a token of this store")),
	entity.KeepsKind(&groupKind, entity.InList("groups")), entity.KeepsKind(&groupMemberKind,
		entity.InList("groupMembers")),
	entity.KeepsKind(&shareKind, entity.NotInWorld("a share answers to a key of this store")),
	entity.Keeps(&belongings, entity.NotInWorld("they follow from the groups")),
	entity.Keeps(&epochs, ofThisStore),
	entity.Keeps(favoriteRecords, ofOnePerson), entity.Keeps(recentRecords, ofOnePerson),
	entity.KeepsKind(&repositoryKind, entity.InList("repositories")),
	entity.KeepsKind(&repositoryResourceKind, entity.InList("repositoryResources")),
	entity.Keeps(&imageRecords, withoutBytes), entity.Keeps(&exportRecords, ofThisStore),
	entity.Keeps(&blob.Pieces, withoutBytes), entity.Passes(&blob.Objects),
	entity.Keeps(&personRecords, entity.NotInWorld("people are recorded again when they call")),
	entity.Keeps(&removalRecords, ofThisStore), entity.Keeps(&removalCounts, ofThisStore),
}

// Why worlds do not have some types of records.
const (
	ofThisStore  = entity.NotInWorld("they record how this store came to be as it is")
	ofOnePerson  = entity.NotInWorld("they are for one person to find twins by, and no part of a twin")
	withoutBytes = entity.NotInWorld("a world has no bytes")
)

// Kinds are all types of records of the area.
func Kinds() []entity.Stored { return kinds }

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
