package schedules

// ResourceUnitType says in what a resource or a quantity is measured.
type ResourceUnitType string

// The resource unit types.
const (
	UnitCubicFeet   ResourceUnitType = "CubicFeet"
	UnitCubicMeter  ResourceUnitType = "CubicMeter"
	UnitLiter       ResourceUnitType = "Liter"
	UnitMillimeter  ResourceUnitType = "Millimeter"
	UnitMeter       ResourceUnitType = "Meter"
	UnitFeet        ResourceUnitType = "Feet"
	UnitEach        ResourceUnitType = "Each"
	UnitPair        ResourceUnitType = "Pair"
	UnitDozen       ResourceUnitType = "Dozen"
	UnitGross       ResourceUnitType = "Gross"
	UnitSqFoot      ResourceUnitType = "SqFoot"
	UnitSqYard      ResourceUnitType = "SqYard"
	UnitSqMeter     ResourceUnitType = "SqMeter"
	UnitPound       ResourceUnitType = "Pound"
	UnitGram        ResourceUnitType = "Gram"
	UnitKilo        ResourceUnitType = "Kilo"
	UnitBag         ResourceUnitType = "Bag"
	UnitBox         ResourceUnitType = "Box"
	UnitBucket      ResourceUnitType = "Bucket"
	UnitBundle      ResourceUnitType = "Bundle"
	UnitCard        ResourceUnitType = "Card"
	UnitCarton      ResourceUnitType = "Carton"
	UnitCoil        ResourceUnitType = "Coil"
	UnitPack        ResourceUnitType = "Pack"
	UnitPegs        ResourceUnitType = "Pegs"
	UnitLength      ResourceUnitType = "Length"
	UnitOuter       ResourceUnitType = "Outer"
	UnitPallet      ResourceUnitType = "Pallet"
	UnitRoll        ResourceUnitType = "Roll"
	UnitSachet      ResourceUnitType = "Sachet"
	UnitSet         ResourceUnitType = "Set"
	UnitSheet       ResourceUnitType = "Sheet"
	UnitTon         ResourceUnitType = "Ton"
	UnitPerson      ResourceUnitType = "Person"
	UnitItem        ResourceUnitType = "Item"
	UnitCubicYard   ResourceUnitType = "CubicYard"
	UnitMetricTon   ResourceUnitType = "MetricTon"
	UnitHour        ResourceUnitType = "Hour"
	UnitLinearMeter ResourceUnitType = "LinearMeter"
	UnknownUnit     ResourceUnitType = "Unknown"
)

var resourceUnitTypes = []ResourceUnitType{
	UnitCubicFeet, UnitCubicMeter, UnitLiter, UnitMillimeter, UnitMeter, UnitFeet, UnitEach, UnitPair, UnitDozen, UnitGross, UnitSqFoot, UnitSqYard, UnitSqMeter,
	UnitPound, UnitGram, UnitKilo, UnitBag, UnitBox, UnitBucket, UnitBundle, UnitCard, UnitCarton, UnitCoil, UnitPack, UnitPegs, UnitLength, UnitOuter, UnitPallet, UnitRoll,
	UnitSachet, UnitSet, UnitSheet, UnitTon, UnitPerson, UnitItem, UnitCubicYard, UnitMetricTon, UnitHour, UnitLinearMeter, UnknownUnit,
}
