package bench_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Lists take no writer. What counts is how long a page takes.
var listRows = []row{
	{"reality-data-by-name", 5_000, 50, func(w *world, n int) func(context.Context) error {
		return w.realityData(n, realitydata.RealityDataQuery{OrderBy: "displayName"})
	}},
	{"reality-data-by-search", 5_000, 50, func(w *world, n int) func(context.Context) error {
		return w.realityData(n, realitydata.RealityDataQuery{Search: "00001"})
	}},
	{"twins-of-their-maker", 5_000, 50, func(w *world, n int) func(context.Context) error {
		maker := worker
		maker.AdministratorRoles = nil
		for i := range n {
			_, err := w.Twins.CreateTwin(w.ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("twin ", i)})
			w.must(err)
		}
		return func(ctx context.Context) error {
			page, err := w.Twins.Twins(twinplatform.WithPrincipal(ctx, maker), twins.TwinQuery{})
			return cmp.Or(err, full(page.Len(), 50))
		}
	}},
	{"pending-deliveries", 5_000, 50, func(w *world, n int) func(context.Context) error {
		ids := w.webhooks(1)
		for range n {
			w.publish()
		}
		_, err := w.Webhooks.Deliver(w.application())
		w.must(err)
		return func(context.Context) error {
			page, err := w.Webhooks.Deliveries(w.application(), ids[0], webhooks.DeliveryQuery{State: webhooks.Pending})
			return cmp.Or(err, full(page.Len(), 50))
		}
	}},
	{"delivered-among-pending", 5_000, 50, func(w *world, n int) func(context.Context) error {
		ids := w.webhooks(1)
		for range n {
			w.publish()
		}
		_, err := w.Webhooks.Deliver(w.application())
		w.must(err)
		return func(context.Context) error {
			_, err := w.Webhooks.Deliveries(w.application(), ids[0], webhooks.DeliveryQuery{State: webhooks.Delivered})
			return err
		}
	}},
	{"forms-by-type-and-state", 5_000, 50, func(w *world, n int) func(context.Context) error {
		w.someForms(n)
		return func(ctx context.Context) error {
			page, err := w.Forms.FormSummaries(ctx, forms.FormQuery{TwinID: w.twin, Type: "RFI", State: forms.StateClosed})
			return cmp.Or(err, full(page.Len(), 1))
		}
	}},
	{"groups-by-name", 5_000, 50, func(w *world, n int) func(context.Context) error {
		for i := range n {
			_, err := w.Schedules.In("s").CreateResourceGroup(w.ctx, schedules.NewResourceGroup{Name: fmt.Sprintf("group %06d", i)})
			w.must(err)
		}
		return func(ctx context.Context) error {
			page, err := w.Schedules.In("s").ResourceGroups(ctx, schedules.ResourceGroupQuery{Name: "group 0000"})
			return cmp.Or(err, full(page.Len(), 1))
		}
	}},
}

// realityData makes so many and returns the reading of a page of them.
func (w *world) realityData(n int, q realitydata.RealityDataQuery) func(context.Context) error {
	w.tb.Helper()
	for i := range n {
		_, err := w.RealityData.CreateRealityData(w.ctx, realitydata.NewRealityData{TwinID: w.twin, DisplayName: fmt.Sprintf("scan %06d", n-i), Type: "LAS"})
		w.must(err)
	}
	q.TwinID = w.twin
	return func(ctx context.Context) error {
		page, err := w.RealityData.RealityDataList(ctx, q)
		return cmp.Or(err, full(page.Len(), 1))
	}
}

// someForms makes so many, of which each fiftieth is both an RFI and closed, and most
// are one of the two.
func (w *world) someForms(n int) {
	w.tb.Helper()
	var ids []string
	for _, typ := range []string{"RFI", "NCR"} {
		d, err := w.Forms.CreateFormDefinition(w.ctx, forms.NewFormDefinition{DisplayName: typ, Type: typ, TwinID: w.twin, Status: forms.Approved})
		w.must(err)
		ids = append(ids, d.Value().ID)
	}
	for i := range n {
		of, status := i%2, []string{"Open", "Closed"}[i%2]
		if i%50 == 0 {
			status = "Closed"
		}
		_, err := w.Forms.CreateForm(w.ctx, forms.NewForm{FormID: ids[of], FormFields: forms.FormFields{Status: twinplatform.Set(status)}})
		w.must(err)
	}
}

// full fails where a page has fewer records than it should.
func full(n, least int) error {
	if n < least {
		return fmt.Errorf("a page of %d", n)
	}
	return nil
}
