package schedules

import (
	"context"
	"math"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// ResourceAvailability is how much of a resource its tasks leave. Quantities are in the
// unit type of the resource where that has one; they are those of its own assignments, and
// not of the resources below it.
type ResourceAvailability struct {
	// AvailableQuantity is Quantity without what is used and reserved. It is less than 0
	// where tasks take more than there is, and null where the resource has no quantity.
	AvailableQuantity *float64 `json:"availableQuantity"`
	Quantity          *float64 `json:"quantity"`  // of the resource; null where it has none
	Renewable         bool     `json:"renewable"` // of the resource: nothing is used up or reserved
	// ReservedQuantity is what tasks are still to take: the remaining utilizations of the
	// resource's assignments. It is 0 or more, and 0 for a renewable resource.
	ReservedQuantity float64          `json:"reservedQuantity"`
	ResourceID       string           `json:"resourceId"`
	UnitType         ResourceUnitType `json:"unitType"` // of the resource
	// UsedQuantity is what tasks have taken: the actual utilizations of the resource's
	// assignments. It is 0 or more, and 0 for a renewable resource.
	UsedQuantity float64 `json:"usedQuantity"`
}

// ResourceAvailability returns how much of a resource is left (GET
// …/resources/{resourceId}/availability): of a renewable one its quantity, which tasks give
// back; of another what its tasks neither have used nor will. It follows from the resource
// and its assignments, and takes as long as these are many. The version changes with
// anything in the schedule.
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the caller to
// see.
func (p Plan) ResourceAvailability(
	ctx context.Context, resourceID string,
) (rec twinplatform.Record[ResourceAvailability], err error) {
	err = p.s.read(ctx, p.id, resourceMissing, func(v *records.View, sc *Schedule) error {
		at := sc.scope()
		r, err := resourceRecords.Value(v, at, resourceID)
		if err != nil {
			return resourceMissing.Or(err)
		}
		a, err := availabilityOf(v, at, r)
		if err != nil {
			return err
		}
		rec, err = records.Summary(v, at, a)
		return err
	})
	return rec, err
}

func availabilityOf(tx records.Reading, s records.Scope, r *Resource) (a ResourceAvailability, err error) {
	a = ResourceAvailability{Quantity: r.Quantity, Renewable: r.Renewable, ResourceID: r.ID, UnitType: r.UnitType}
	if !r.Renewable {
		for use, err := range assignmentRecords.Find(tx, s, assignedResource, r.ID) {
			if err != nil {
				return a, err
			}
			a.UsedQuantity += use.ActualUtilization.ResourceUnits
			a.ReservedQuantity += use.RemainingUtilization.ResourceUnits
		}
	}
	if r.Quantity != nil {
		a.AvailableQuantity = new(*r.Quantity - a.UsedQuantity - a.ReservedQuantity)
	}
	return a, nil
}

func checkQuantity(c *problem.Checks, name string, quantity *float64) { c.Quantity(name, *quantity) }

// checkQuantity refuses a part of a unit of a resource that is not divided.
func (r *Resource) checkQuantity(c *problem.Checks) {
	if r.WholeUnits && r.Quantity != nil && *r.Quantity != math.Trunc(*r.Quantity) {
		c.Bad("quantity", "The resource is not divided: its quantity is a whole number.")
	}
}
