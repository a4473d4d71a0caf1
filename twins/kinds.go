package twins

import (
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
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
