package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// plannedTasks are tasks as plans have them: no two with the same name, code, dates, duration.
func plannedTasks(from, n int) (batch []schedules.NewTask) {
	of := rand.New(rand.NewPCG(uint64(from), 7)) //nolint:gosec // chance, not secrecy
	pick := func(of *rand.Rand, texts ...string) string { return texts[of.IntN(len(texts))] }
	for i := from; i < from+n; i++ {
		hours := int32(3600 * (1 + of.IntN(400)))
		batch = append(batch, schedules.NewTask{
			Name: fmt.Sprintf("%s %s of %s, axis %d", pick(of, "Pour", "Strip", "Inspect", "Deliver", "Assemble"),
				pick(of, "slab", "façade", "lining", "formwork", "façade anchors"), pick(of, "tower A", "Längsträger", "deck 12", "the annex"), i),
			Type:            schedules.Work,
			UserDefinedID:   fmt.Sprintf("U-%s-%06d", pick(of, "A", "bz", "KÖ"), i),
			PlannedStart:    twinplatform.At(time.Date(2026, 1, 5, 7, 0, 0, 0, time.UTC).Add(time.Duration(of.IntN(20_000)) * time.Hour)),
			PlannedDuration: &hours,
		})
	}
	return batch
}

// A task is three rows, with its code and its place in the order of changes, in the table and its
// index. A fifth of each page of the table is left free for counters (schema.sql): without it a task
// takes 850 bytes, and 6 % of those who write forms in different accounts meet.
func TestATaskTakesNoMoreThanSoManyBytes(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	store, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 4, Logger: quiet})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	p, err := platform.New(store, platform.Config{Env: twinplatform.Env{Logger: quiet}})
	must(err)
	defer func() { _ = p.Close() }()
	ctx := t.Context()
	twin, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
	must(err)
	_, err = p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "0c6ae3e4-7b5b-4d0a-9a5c-8f8c2f0f9a11", Name: "Plan", TwinID: twin.Value().ID})
	must(err)
	n := 10_000
	if testing.Short() {
		n = 2000
	}
	before := relationBytes(t, server, schema)
	for made := 0; made < n; made += 1000 {
		_, err = p.Schedules.In("0c6ae3e4-7b5b-4d0a-9a5c-8f8c2f0f9a11").CreateTasks(ctx, plannedTasks(made, 1000))
		must(err)
	}
	each := (relationBytes(t, server, schema) - before) / n
	t.Logf("%d bytes a task", each)
	if most := 1000; n == 10_000 && each > most {
		t.Errorf("%d bytes a task, want at most %d", each, most)
	}
}

func relationBytes(t *testing.T, server *postgrestest.Server, schema string) (n int) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err == nil {
		defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
		err = c.QueryRow(t.Context(), "select pg_total_relation_size('"+schema+".entries')").Scan(&n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
