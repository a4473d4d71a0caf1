package schedules

import (
	"math"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Utilization is how much of a resource a task takes. Every number is 0 or more,
// and kept as it is given: none follows from the others.
type Utilization struct {
	// PercentOfOneResourceUnitPerDay is in percent of what a single resource does
	// in a day: 50 is half of its day.
	PercentOfOneResourceUnitPerDay float64 `json:"percentOfOneResourceUnitPerDay"`
	// PercentOfTotalResourceUnitsPerDay is in percent of what all ResourceCount of
	// them do in a day.
	PercentOfTotalResourceUnitsPerDay float64 `json:"percentOfTotalResourceUnitsPerDay"`
	// ResourceCount is how many such resources the task takes at once. It is a
	// whole number for a resource of whole units.
	ResourceCount float64 `json:"resourceCount"`
	// ResourceUnits is what the whole task takes, in the unit type of the resource
	// where that has one. It is a whole number for a resource of whole units.
	ResourceUnits float64 `json:"resourceUnits"`
	// ResourceUnitsPerDay is what the task takes in a day, in the unit of
	// ResourceUnits.
	ResourceUnitsPerDay float64 `json:"resourceUnitsPerDay"`
}

// ActualUtilization is how much of a resource a task has taken so far.
type ActualUtilization struct {
	// ResourceCount is how many such resources the task has taken at once, 0 or
	// more; a whole number for a resource of whole units.
	ResourceCount float64 `json:"resourceCount"`
	// ResourceUnits is what the task has taken, 0 or more, in the unit type of the
	// resource where that has one; a whole number for a resource of whole units.
	ResourceUnits float64 `json:"resourceUnits"`
}

// checkUtilization checks what does not need the resource of a utilization.
func checkUtilization(c *problem.Checks, name string, u Utilization) {
	c.Quantity(name+".percentOfOneResourceUnitPerDay", u.PercentOfOneResourceUnitPerDay)
	c.Quantity(name+".percentOfTotalResourceUnitsPerDay", u.PercentOfTotalResourceUnitsPerDay)
	c.Quantity(name+".resourceUnitsPerDay", u.ResourceUnitsPerDay)
	checkActual(c, name, u.amounts())
}

func checkActual(c *problem.Checks, name string, u ActualUtilization) {
	c.Quantity(name+".resourceCount", u.ResourceCount)
	c.Quantity(name+".resourceUnits", u.ResourceUnits)
}

// amounts are the numbers that a resource of whole units does not divide.
func (u Utilization) amounts() ActualUtilization {
	return ActualUtilization{ResourceCount: u.ResourceCount, ResourceUnits: u.ResourceUnits}
}

// after is what is left of a planned utilization once so much of it was taken.
func (u Utilization) after(taken ActualUtilization) Utilization {
	u.ResourceUnits = max(u.ResourceUnits-taken.ResourceUnits, 0)
	return u
}

// checkWhole refuses to divide what is not to be divided.
func (u ActualUtilization) checkWhole(c *problem.Checks, name string) {
	if u.ResourceCount != math.Trunc(u.ResourceCount) {
		c.Bad(name+".resourceCount", "The resource is not divided: its count is a whole number.")
	}
	if u.ResourceUnits != math.Trunc(u.ResourceUnits) {
		c.Bad(name+".resourceUnits", "The resource is not divided: its units are a whole number.")
	}
}

func (u ActualUtilization) whole() bool {
	return u.ResourceCount == math.Trunc(u.ResourceCount) && u.ResourceUnits == math.Trunc(u.ResourceUnits)
}
