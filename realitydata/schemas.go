package realitydata

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas tells what the checks of this area know of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	dataKind.Describe(b)
	detectorKind.Describe(b)
	schema.Enum(b, classifications)
	schema.Enum(b, detectorTypes)
	schema.Enum(b, detectorExports)
	schema.Enum(b, versionStatuses)
	name, text := schema.AtMost(MaxName), schema.AtMost(MaxDescription)
	for _, t := range []reflect.Type{reflect.TypeFor[RealityData](), reflect.TypeFor[NewRealityData](), reflect.TypeFor[RealityDataPatch]()} {
		b.Has(t,
			schema.May("displayName", name), schema.May("dataset", name), schema.May("group", name), schema.May("attribution", name),
			schema.May("rootDocument", name), schema.May("ownerId", name), schema.May("description", text), schema.May("termsOfUse", text),
			schema.May("type", schema.AtMost(MaxType)), schema.May("tags", schema.List(0, MaxTags, schema.Length(1, MaxTag))))
	}
	b.Has(reflect.TypeFor[NewRealityData](), schema.Need("twinId", schema.Value{MinLength: 1}))
	b.Has(reflect.TypeFor[RealityDataPatch](), schema.Stays("authoring", schema.Value{}), schema.Stays("id", schema.Value{}))
	b.Has(reflect.TypeFor[Acquisition](), schema.May("acquirer", name))
	b.Has(reflect.TypeFor[CRS](), schema.Need("id", schema.Length(1, MaxName)), schema.May("verticalId", name))
	b.Has(reflect.TypeFor[Extent](), schema.Need("northEast", schema.Value{}), schema.Need("southWest", schema.Value{}))
	b.Has(reflect.TypeFor[Coordinate](), schema.Need("latitude", schema.Range(-90, 90)), schema.Need("longitude", schema.Range(-180, 180)))
	line := schema.AtMost(MaxDetectorText)
	for _, t := range []reflect.Type{reflect.TypeFor[Detector](), reflect.TypeFor[NewDetector](), reflect.TypeFor[DetectorPatch]()} {
		b.Has(t, schema.May("name", line), schema.May("displayName", line), schema.May("description", text), schema.May("documentationUrl", text))
	}
	b.Has(reflect.TypeFor[NewDetectorVersion](), schema.Need("versionNumber", schema.Pattern(versionNumber.String(), "1.0")))
	b.Has(reflect.TypeFor[Capabilities](), schema.May("labels", schema.List(0, MaxDetectorLabels, line)))
}
