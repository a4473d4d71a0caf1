// Package units names in what the resources and the quantities of a schedule are measured.
//
//	plan.CreateResource(ctx, schedules.NewResource{Name: "Sand", Type: schedules.MaterialResource, UnitType: units.CubicMeter})
package units

// ResourceUnitType says in what a resource or a quantity is measured.
type ResourceUnitType string

// The units.
const (
	CubicFeet   ResourceUnitType = "CubicFeet"
	CubicMeter  ResourceUnitType = "CubicMeter"
	Liter       ResourceUnitType = "Liter"
	Millimeter  ResourceUnitType = "Millimeter"
	Meter       ResourceUnitType = "Meter"
	Feet        ResourceUnitType = "Feet"
	Each        ResourceUnitType = "Each"
	Pair        ResourceUnitType = "Pair"
	Dozen       ResourceUnitType = "Dozen"
	Gross       ResourceUnitType = "Gross"
	SqFoot      ResourceUnitType = "SqFoot"
	SqYard      ResourceUnitType = "SqYard"
	SqMeter     ResourceUnitType = "SqMeter"
	Pound       ResourceUnitType = "Pound"
	Gram        ResourceUnitType = "Gram"
	Kilo        ResourceUnitType = "Kilo"
	Bag         ResourceUnitType = "Bag"
	Box         ResourceUnitType = "Box"
	Bucket      ResourceUnitType = "Bucket"
	Bundle      ResourceUnitType = "Bundle"
	Card        ResourceUnitType = "Card"
	Carton      ResourceUnitType = "Carton"
	Coil        ResourceUnitType = "Coil"
	Pack        ResourceUnitType = "Pack"
	Pegs        ResourceUnitType = "Pegs"
	Length      ResourceUnitType = "Length"
	Outer       ResourceUnitType = "Outer"
	Pallet      ResourceUnitType = "Pallet"
	Roll        ResourceUnitType = "Roll"
	Sachet      ResourceUnitType = "Sachet"
	Set         ResourceUnitType = "Set"
	Sheet       ResourceUnitType = "Sheet"
	Ton         ResourceUnitType = "Ton"
	Person      ResourceUnitType = "Person"
	Item        ResourceUnitType = "Item"
	CubicYard   ResourceUnitType = "CubicYard"
	MetricTon   ResourceUnitType = "MetricTon"
	Hour        ResourceUnitType = "Hour"
	LinearMeter ResourceUnitType = "LinearMeter"
	Unknown     ResourceUnitType = "Unknown"
)

var all = []ResourceUnitType{
	CubicFeet, CubicMeter, Liter, Millimeter, Meter, Feet, Each, Pair, Dozen, Gross, SqFoot, SqYard, SqMeter,
	Pound, Gram, Kilo, Bag, Box, Bucket, Bundle, Card, Carton, Coil, Pack, Pegs, Length, Outer, Pallet, Roll,
	Sachet, Set, Sheet, Ton, Person, Item, CubicYard, MetricTon, Hour, LinearMeter, Unknown,
}

// All are the units, in the order of the specification. It is for the checks of values; no
// caller changes it.
func All() []ResourceUnitType { return all }
