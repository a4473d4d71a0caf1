package realitydata

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// notPeople is why the id of a person refers to nothing.
const notPeople = "people are no records of the platform"

// Schemas returns what the checks of this area declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	entity.Describe(b, kinds)
	schema.Enum(b, classifications)
	describeJobs(b)
	schema.Enum(b, detectorTypes)
	schema.Enum(b, detectorExports)
	schema.Enum(b, versionStatuses)
	b.Has(reflect.TypeFor[NewRealityData](), problem.RulesOf(new(NewRealityData).check).Own()...)
	b.Has(reflect.TypeFor[RealityDataPatch](), schema.Stays("authoring", schema.Value{}),
		schema.Stays("id", schema.Value{}))
	b.Has(reflect.TypeFor[Acquisition](), partRules(checkAcquisition)...)
	b.Has(reflect.TypeFor[CRS](), partRules(checkCRS)...)
	schema.Has[CRS](b, schema.NotRef("verticalId", "it is a code of EPSG"))
	schema.Has[DetectorVersion](b, schema.NotRef("creatorId", notPeople))
	b.Has(reflect.TypeFor[Extent](), partRules(checkExtent)...)
	b.Has(reflect.TypeFor[Coordinate](), partRules(checkCorner)...)
	version := problem.RulesOf(new(NewDetectorVersion).check)
	b.Has(reflect.TypeFor[NewDetectorVersion](), version.Own()...)
	b.Has(reflect.TypeFor[Capabilities](), version.In("capabilities")...)
}

// partRules is what a check holds the members of a part to.
func partRules[T any](check func(c *problem.Checks, name string, part *T)) problem.Rules {
	return problem.RulesOf(func(c *problem.Checks) { check(c, "part", new(T)) }).In("part")
}
