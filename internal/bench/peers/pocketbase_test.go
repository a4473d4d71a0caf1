//go:build peers

package peers_test

import (
	"net/http"
	"testing"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

// pocketBase is PocketBase, with a column for each member of a task, open to all: it checks no
// token. Its pages have at most 1,000 records.
func pocketBase(tb testing.TB) *peer {
	tb.Helper()
	const at = "/api/collections/tasks/records"
	p := started(tb, "PocketBase")
	p.get, p.create, p.page, p.all = at+"/"+planned(42).ID, at, at+"?perPage=100", at+"?perPage=1000"
	return p
}

func pocketBaseServes(tb testing.TB) http.Handler {
	tb.Helper()
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: tb.TempDir(), HideStartBanner: true})
	must(tb, app.Bootstrap())
	tb.Cleanup(func() { _ = app.ResetBootstrapState() })
	must(tb, app.RunAllMigrations())
	all := records(tb)
	collection := core.NewBaseCollection("tasks")
	for name, value := range all[0] {
		if name != "id" {
			collection.Fields.Add(column(name, value))
		}
	}
	for _, rule := range []**string{&collection.ListRule, &collection.ViewRule, &collection.CreateRule} {
		*rule = new("")
	}
	must(tb, app.Save(collection))
	must(tb, app.RunInTransaction(func(tx core.App) error {
		for _, task := range all {
			record := core.NewRecord(collection)
			record.Load(task)
			if err := tx.SaveNoValidate(record); err != nil {
				return err
			}
		}
		return nil
	}))
	router, err := apis.NewRouter(app)
	must(tb, err)
	mux, err := router.BuildMux()
	must(tb, err)
	return mux
}

// column is a field for the values of a member. What is null is a text.
func column(name string, value any) core.Field {
	switch value.(type) {
	case float64:
		return &core.NumberField{Name: name}
	case bool:
		return &core.BoolField{Name: name}
	}
	return &core.TextField{Name: name}
}
