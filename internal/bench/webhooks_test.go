package bench_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

var webhooksRows = []row{
	{"fan-out", 1_000, 20, func(w *world, hooks int) func(context.Context) error {
		w.webhooks(hooks)
		w.publish()
		return func(ctx context.Context) error {
			_, err := w.Webhooks.Deliver(twinplatform.WithPrincipal(ctx, worker))
			return err
		}
	}},
}

// nowhere is an address at which no one listens, so that a delivery costs little compared
// with what is stored of it.
const nowhere = "https://127.0.0.1:1/"

// webhooks makes so many active webhooks, and returns their ids.
func (w *world) webhooks(n int) (ids []string) {
	w.tb.Helper()
	for range n {
		ids = append(ids, w.webhook(nowhere))
	}
	return ids
}

// application is the context of the worker's program.
func (w *world) application() context.Context {
	p := worker
	p.Kind = twinplatform.Service
	return twinplatform.WithPrincipal(w.tb.Context(), p)
}

func (w *world) publish() {
	w.tb.Helper()
	_, err := w.Webhooks.Publish(w.tb.Context(), twinplatform.Event{
		Type: string(event.TypeRealityConversionJobCompleted), TwinID: w.twin, AccountID: worker.AccountID, Content: []byte(`{"jobId":"job"}`),
	})
	w.must(err)
}
