package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// BenchmarkDomainAgainstPgx compares calls of the domain, by a member of a twin, with
// statements written by hand over their own tables that keep the same promises:
// permissions read in the transaction that acts on them, ids and user-defined ids used
// once, versions of records, the order of changes, serializable. Theirs are sent in as few
// journeys as can be, one of which begins the transaction and one of which commits it.
// Both run alternately, the server as far away as the name says; "of-pgx" is the
// throughput of ours as a share of theirs.
func BenchmarkDomainAgainstPgx(b *testing.B) {
	for _, away := range []time.Duration{0, time.Millisecond} {
		b.Run(fmt.Sprintf("%v away", away), func(b *testing.B) {
			server := postgrestest.Shared(b)
			url := server.URL(delayed(b, server.Address, away))
			ours, theirs := newOurTasks(b, server, url), newTheirTasks(b, server, url)
			for _, c := range []struct {
				name         string
				rounds       int
				ours, theirs func(ctx context.Context, i int) error
			}{
				{"create", 20, ours.create, theirs.create},
				{"get", 20, ours.get, theirs.get},
				{"page of 100", 20, ours.page, theirs.page},
				{"delta of 100", 20, ours.delta, theirs.delta},
				{"batch of 1,000", 1, ours.batch, theirs.batch},
			} {
				b.Run(c.name, func(b *testing.B) { alternately(b, c.rounds, c.ours, c.theirs) })
			}
		})
	}
}

// alternately reports how fast two are that do the same, in medians.
func alternately(b *testing.B, rounds int, ours, theirs func(ctx context.Context, i int) error) {
	b.Helper()
	var took [2][]time.Duration
	for i := range rounds * b.N {
		for who, do := range []func(ctx context.Context, i int) error{ours, theirs} {
			began := time.Now()
			if err := do(b.Context(), i); err != nil {
				b.Fatal(err)
			}
			took[who] = append(took[who], time.Since(began))
		}
	}
	var median [2]float64
	for who := range took {
		slices.Sort(took[who])
		median[who] = took[who][len(took[who])/2].Seconds()
	}
	b.ReportMetric(100*median[1]/median[0], "%-of-pgx")
	b.ReportMetric(1000*median[0], "ours-ms")
	b.ReportMetric(1000*median[1], "theirs-ms")
	b.ReportMetric(0, "ns/op")
}

// seeded is how many tasks there are before.
const seeded = 2000

func taskID(i int) string { return fmt.Sprintf("task-%07d", i) }

// taskCode is the user-defined id of a task, whose order is another than that of ids.
func taskCode(i int) string { return fmt.Sprintf("U-%02d-%d", i*37%100, i) }

// newTask is what both make.
func newTask(i int) schedules.NewTask {
	day := int32(28_800)
	return schedules.NewTask{
		ID: taskID(i), Name: "Pour the concrete of " + taskID(i), Type: schedules.Work, UserDefinedID: taskCode(i),
		PlannedStart: twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)), PlannedDuration: &day,
	}
}

func newTasks(from, n int) (batch []schedules.NewTask) {
	for i := range n {
		batch = append(batch, newTask(from+i))
	}
	return batch
}

// ourTasks are those of a schedule of the platform.
type ourTasks struct {
	*platform.Platform

	ann   twinplatform.Principal
	made  int
	since string
}

func newOurTasks(b *testing.B, server *postgrestest.Server, url string) *ourTasks {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	store, err := postgres.Open(b.Context(), url, postgres.Options{Schema: server.Schema(b), MaxConns: 4, Logger: quiet})
	must(err)
	p, err := platform.New(store, platform.Config{Env: twinplatform.Env{Logger: quiet}})
	must(err)
	b.Cleanup(func() { _ = p.Close() })
	twin, err := p.Twins.CreateTwin(b.Context(), twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
	must(err)
	id := twin.Value().ID
	role, err := p.Twins.CreateRole(b.Context(), id, twins.NewRole{DisplayName: "Planner", Permissions: []string{schedules.PermissionRead, schedules.PermissionModify}})
	must(err)
	_, err = p.Twins.CreateMember(b.Context(), id, twins.NewMember{ID: "ann", RoleIDs: []string{role.Value().ID}})
	must(err)
	o := &ourTasks{Platform: p, ann: twinplatform.Principal{ID: "ann", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}}}
	ctx := o.as(b.Context())
	_, err = p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: id})
	must(err)
	for o.made < seeded {
		if seeded-o.made == 1000 {
			page, err := p.Schedules.In("plan").Tasks(ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: 10_000}})
			must(err)
			o.since = page.Delta
		}
		must(o.batch(b.Context(), 0))
	}
	return o
}

func (o *ourTasks) as(ctx context.Context) context.Context {
	return twinplatform.WithPrincipal(ctx, o.ann)
}

func (o *ourTasks) create(ctx context.Context, _ int) error {
	o.made++
	_, err := o.Schedules.CreateTask(o.as(ctx), "plan", newTask(o.made))
	return err
}

func (o *ourTasks) batch(ctx context.Context, _ int) error {
	o.made += 1000
	_, err := o.Schedules.In("plan").CreateTasks(o.as(ctx), newTasks(o.made-999, 1000))
	return err
}

func (o *ourTasks) get(ctx context.Context, i int) error {
	_, err := o.Schedules.In("plan").Task(o.as(ctx), taskID(1+i%seeded))
	return err
}

// list wants a page of 100.
func (o *ourTasks) list(ctx context.Context, opts twinplatform.ListOptions) error {
	opts.Top = 100
	page, err := o.Schedules.In("plan").Tasks(o.as(ctx), schedules.TaskQuery{ListOptions: opts})
	if err != nil {
		return err
	}
	values, err := page.Values()
	return errors.Join(err, wantHundred(len(values)))
}

func (o *ourTasks) page(ctx context.Context, _ int) error {
	return o.list(ctx, twinplatform.ListOptions{})
}

func (o *ourTasks) delta(ctx context.Context, _ int) error {
	return o.list(ctx, twinplatform.ListOptions{Delta: o.since})
}

func wantHundred(n int) error {
	if n != 100 {
		return fmt.Errorf("a page of %d", n)
	}
	return nil
}

// theirTasks are those of tables written for them.
type theirTasks struct {
	pool *pgxpool.Pool
	made int
}

// theirTables are what someone would have who needs no more than this benchmark.
const theirTables = `
create table members (twin text, id text, role text, primary key (twin, id));
create table role_permissions (role text, permission text, primary key (role, permission));
create table schedules (account text, id text, twin text not null, state text not null, revision bigint not null, primary key (account, id));
create table tasks (schedule text, id text, name text not null, type text not null, parent text, user_defined_id text not null,
	planned_start timestamptz, planned_finish timestamptz, planned_duration int, status text not null, percent_complete double precision not null,
	comment text, url text, created bigint not null, revision bigint not null, deleted timestamptz, primary key (schedule, id));
create unique index on tasks (schedule, user_defined_id);
create index on tasks (schedule, parent);
create unique index on tasks (schedule, revision, id);
create table operations (schedule text, id text, kind text, status text, subjects text[], created timestamptz, primary key (schedule, id));
insert into members values ('tower', 'ann', 'planner');
insert into role_permissions values ('planner', 'schedules_read'), ('planner', 'schedules_modify');
insert into schedules values ('acme', 'plan', 'tower', 'Ready', 0);`

const (
	theirPermission = `select s.state from schedules s join members m on m.twin = s.twin and m.id = $2
		join role_permissions p on p.role = m.role and p.permission = $3 where s.account = 'acme' and s.id = $1`
	theirColumns = `t.id, t.name, t.type, coalesce(t.parent, ''), t.user_defined_id, t.planned_start, t.planned_finish, t.planned_duration, t.status,
		t.percent_complete, coalesce(t.comment, ''), coalesce(t.url, ''), t.created, t.revision, t.deleted`
	theirInsert = `with next as (update schedules set revision = revision + cardinality($2::text[]) where account = 'acme' and id = $1 returning revision)
		insert into tasks (schedule, id, name, type, user_defined_id, planned_start, planned_duration, status, percent_complete, created, revision)
		select $1, n.id, n.name, n.type, n.code, n.planned_start, n.planned_duration, 'Planned', 0,
			next.revision - cardinality($2::text[]) + n.at, next.revision - cardinality($2::text[]) + n.at
		from next, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::int[])
			with ordinality n (id, code, name, type, planned_start, planned_duration, at)
		returning ` + `id, revision`
)

// theirTask is a row.
type theirTask struct {
	ID, Name, Type, Parent, UserDefinedID string
	PlannedStart, PlannedFinish           *time.Time
	PlannedDuration                       *int32
	Status                                string
	PercentComplete                       float64
	Comment, URL                          string
	Created, Revision                     int64
	Deleted                               *time.Time
}

func newTheirTasks(b *testing.B, server *postgrestest.Server, url string) *theirTasks {
	b.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		b.Fatal(err)
	}
	config.MaxConns = 4
	schema := server.Schema(b)
	config.ConnConfig.RuntimeParams["search_path"] = schema
	pool, err := pgxpool.NewWithConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	conn, err := pool.Acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Conn().PgConn().Exec(b.Context(), "create schema "+schema+";"+theirTables).ReadAll(); err != nil {
		b.Fatal(err)
	}
	h := &theirTasks{pool: pool}
	for h.made < seeded {
		if err := h.batch(b.Context(), 0); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := conn.Exec(b.Context(), "analyze"); err != nil {
		b.Fatal(err)
	}
	return h
}

// insert makes tasks in two journeys.
func (h *theirTasks) insert(ctx context.Context, n int, tracked bool) error {
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	h.made += n
	ids, codes, names, types := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	starts, durations := make([]time.Time, n), make([]int32, n)
	for i, t := range newTasks(h.made-n+1, n) {
		ids[i], codes[i], names[i], types[i] = t.ID, t.UserDefinedID, t.Name, string(t.Type)
		starts[i], durations[i] = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), *t.PlannedDuration
	}
	var state string
	var first, then pgx.Batch
	first.Queue("begin isolation level serializable")
	first.Queue(theirPermission, "plan", "ann", schedules.PermissionModify).QueryRow(func(row pgx.Row) error { return row.Scan(&state) })
	if err := conn.SendBatch(ctx, &first).Close(); err != nil || state != "Ready" {
		_, _ = conn.Exec(ctx, "rollback")
		return errors.Join(err, errors.New("their schedule is "+state))
	}
	made := 0
	then.Queue(theirInsert, "plan", ids, codes, names, types, starts, durations).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			made++
		}
		return rows.Err()
	})
	if tracked {
		then.Queue("insert into operations values ('plan', $1, 'createTask', 'Succeeded', $2, $3)", twinplatform.NewGUID(), ids, time.Now())
	}
	then.Queue("commit")
	if err := conn.SendBatch(ctx, &then).Close(); err != nil || made != n {
		_, _ = conn.Exec(ctx, "rollback")
		return errors.Join(err, fmt.Errorf("%d tasks", made))
	}
	return nil
}

func (h *theirTasks) create(ctx context.Context, _ int) error { return h.insert(ctx, 1, true) }
func (h *theirTasks) batch(ctx context.Context, _ int) error  { return h.insert(ctx, 1000, false) }

func (h *theirTasks) get(ctx context.Context, i int) error {
	rows, err := h.pool.Query(ctx, "select "+theirColumns+` from schedules s join members m on m.twin = s.twin and m.id = $2
		join role_permissions p on p.role = m.role and p.permission = $3 join tasks t on t.schedule = s.id and t.id = $4 and t.deleted is null
		where s.account = 'acme' and s.id = $1`, "plan", "ann", schedules.PermissionRead, taskID(1+i%seeded))
	if err != nil {
		return err
	}
	_, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[theirTask])
	return err
}

// list reads a page in one journey, and what the next delta begins at with it.
func (h *theirTasks) list(ctx context.Context, query string, after any) error {
	var batch pgx.Batch
	var state string
	var revision int64
	var tasks []theirTask
	batch.Queue("begin isolation level repeatable read read only")
	batch.Queue(theirPermission, "plan", "ann", schedules.PermissionRead).QueryRow(func(row pgx.Row) error { return row.Scan(&state) })
	batch.Queue("select revision from schedules where account = 'acme' and id = 'plan'").QueryRow(func(row pgx.Row) error { return row.Scan(&revision) })
	batch.Queue("select "+theirColumns+" from tasks t where t.schedule = 'plan' and "+query+" limit 101", after).Query(func(rows pgx.Rows) (err error) {
		tasks, err = pgx.CollectRows(rows, pgx.RowToStructByPos[theirTask])
		return err
	})
	batch.Queue("commit")
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return errors.Join(conn.SendBatch(ctx, &batch).Close(), wantHundred(min(len(tasks), 100)))
}

func (h *theirTasks) page(ctx context.Context, _ int) error {
	return h.list(ctx, "t.id > $1 and t.deleted is null order by t.id", "")
}

func (h *theirTasks) delta(ctx context.Context, _ int) error {
	return h.list(ctx, "t.revision > $1 order by t.revision", seeded-1000)
}
