package schedules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
)

// staffed is a plan of Primavera P6 with a crew and sand, of which there is so much.
func staffed(t *testing.T, crew, sand string) []byte {
	t.Helper()
	content := string(xerOf(t, xer{
		tasks: []xerTask{{code: "A10", hours: 8}}, resources: []string{"R1", "R2"}, assignments: []xerAssignment{{"A10", "R1", 8}},
	}))
	content = strings.Replace(content, "R2\tRT_Labor", "R2\tRT_Mat", 1)
	rates := "%T\tRSRCRATE\n%F\trsrc_rate_id\trsrc_id\tmax_qty_per_hr\tcost_per_qty\tstart_date\n" +
		"%R\t2\t1\t9\t0\t2027-01-01 00:00\n%R\t1\t1\t" + crew + "\t0\t2026-01-01 00:00\n%R\t3\t2\t" + sand + "\t0\t2026-01-01 00:00\n"
	return []byte(strings.Replace(content, "%E\n", rates+"%E\n", 1))
}

func TestImportedResourceHasTheQuantityThatItsPlannerHas(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	quantities := func() map[string]float64 {
		said := make(map[string]float64)
		all, _ := p.allResources(twinplatform.ListOptions{})
		for _, r := range all {
			if r.Quantity != nil {
				said[string(r.UserDefinedID)] = *r.Quantity
			}
		}
		return said
	}
	p.importPlan(staffed(t, "2.5", "30"), exchange.PlannerImportOptions{})
	if diff := cmp.Diff(map[string]float64{"R1": 2.5}, quantities()); diff != "" {
		t.Errorf("imported (-want +got):\n%s", diff)
	}
	y := p.synchronize(staffed(t, "4", "60"), exchange.SynchronizeMode)
	if diff := cmp.Diff(map[string]float64{"R1": 4}, quantities()); diff != "" {
		t.Errorf("synchronized (-want +got):\n%s", diff)
	}
	if n := counted(t, y.SynchronizationDetails.Updated)["resources"]; n != 2 { // of the sand the rate alone
		t.Errorf("%d resources were changed, want 2", n)
	}
	p.synchronize(staffed(t, "0", "0"), exchange.SynchronizeMode)
	if diff := cmp.Diff(map[string]float64{}, quantities()); diff != "" {
		t.Errorf("no longer in the file (-want +got):\n%s", diff)
	}
}
