package platform_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// plenty is a budget that nothing here comes near: what is written is counted.
var plenty = platform.Budget{Account: 1 << 40, Store: 1 << 40}

// A store that was seeded is counted as any other, and its budget is kept.
func TestSeedIsCountedAndTheBudgetHoldsBehindIt(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p, err := platform.New(store, platform.Config{Budget: plenty})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	seed(t, p, worldFrom(t, bridgeFile))
	use := p.Budget()
	if use.Used < 1_000 || use.Accounts == 0 {
		t.Errorf("of a seeded store %d bytes of %d accounts are counted", use.Used, use.Accounts)
	}
	p.SetBudget(platform.Budget{Account: use.Fullest, Store: plenty.Store})
	ctx := twinplatform.WithPrincipal(t.Context(), owner.Owner)
	if _, err := p.Twins.CreateTwin(ctx, twins.NewTwin{DisplayName: "One too many", Class: "Thing"}); err == nil {
		t.Error("a full account takes a further twin")
	}
}

// usage is what a platform counts.
type usage struct {
	Store    int64
	Accounts map[string]int64
}

func used(p *platform.Platform) usage {
	u := usage{p.Budget().Used, make(map[string]int64)}
	for _, a := range accounts {
		u.Accounts[a] = p.BytesOf(a)
	}
	return u
}

// recounted is what there is in a store, by a platform that has seen nothing of how it
// came to be.
func recounted(t *testing.T, store storage.Store) usage {
	t.Helper()
	second, bytes := memory.New(), int64(0)
	copied := func(w storage.Writer, after string) (last string, err error) {
		err = store.View(t.Context(), func(r storage.Reader) error {
			n := 0
			for key, value := range r.Scan("", after) {
				if n++; n > 5_000 {
					return nil
				}
				last = key
				bytes += int64(len(key) + len(value))
				if err := w.Put(key, slices.Clone(value)); err != nil {
					return err
				}
			}
			last = ""
			return nil
		})
		return last, err
	}
	for after, more := "", true; more; more = after != "" {
		err := second.Update(t.Context(), func(w storage.Writer) (err error) {
			after, err = copied(w, after)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	u := used(over(t, second, platform.Config{Budget: plenty}))
	if u.Store != bytes {
		t.Errorf("a store of %d bytes is counted as %d", bytes, u.Store)
	}
	return u
}

const p6 = "ERMHDR\t20.12\t2026-03-02\tProject\tadmin\tadmin\tdb\tProject Management\tUSD\n" +
	"%T\tPROJECT\n%F\tproj_id\tproj_short_name\tclndr_id\n%R\t1\tTower\t1\n" +
	"%T\tCALENDAR\n%F\tclndr_id\tclndr_name\tclndr_type\tclndr_data\tdefault_flag\n%R\t1\tFive days\tCA_Base\t\tY\n" +
	"%T\tTASK\n%F\ttask_id\tproj_id\ttask_code\ttask_name\tclndr_id\n%R\t1\t1\tA1\tDig\t1\n%E\n"

// besides writes what a gardener does not.
func (g *gardener) besides() {
	for _, a := range accounts {
		ctx := g.admin(a)
		for _, f := range g.forms {
			at, err := g.Forms.CreateAttachment(ctx, f, forms.NewAttachment{FileName: "a.txt"})
			if err != nil {
				continue
			}
			_, err = g.Forms.WriteAttachment(ctx, f, at.Value().ID, strings.NewReader("some bytes"))
			g.do("attachment", err)
			if !g.often(2) {
				_, err = g.Forms.WriteAttachment(ctx, f, at.Value().ID, strings.NewReader("other"))
				g.do("attachment.again", err)
			}
			if !g.often(3) {
				g.do("form.gone", g.Forms.DeleteForm(ctx, f))
			}
		}
		for _, twin := range g.twins {
			_, err := g.Twins.SetTwinImage(ctx, twin, strings.NewReader(string(picture())))
			g.do("image", err)
			to := twins.TwinPatch{ParentID: twinplatform.Set(choice(g, g.twins))}
			_, err = g.Twins.UpdateTwin(g.t.Context(), twin, to)
			g.do("move", err)
		}
	}
	for _, p := range g.plans {
		_, err := g.Schedules.CloneSchedule(p.ctx, p.id, schedules.NewClone{ID: p.id + "-clone-" + fmt.Sprint(g.r.IntN(9)), Name: "Clone"})
		g.do("clone", err)
		g.upload(p)
		id := twinplatform.NewGUID()
		if _, err := g.Schedules.CreateTask(p.ctx, p.id, schedules.NewTask{ID: id, Name: "Gone", Type: schedules.Work}); err == nil {
			_, err = g.Schedules.In(p.id).DeleteTasks(p.ctx, []string{id})
			g.do("task.delete", err)
		}
		if !g.often(4) {
			g.do("plan.delete", g.Schedules.DeleteSchedule(p.ctx, p.id))
		}
	}
}

// upload imports a planner file.
func (g *gardener) upload(p grown) {
	file, err := files.In(g.Schedules.In(p.id)).CreateFile(p.ctx, files.NewFile{Length: int64(len(p6))})
	if !g.do("file", err) {
		return
	}
	_, err = files.In(g.Schedules.In(p.id)).AppendFile(p.ctx, file.Value.ID, 0, strings.NewReader(p6))
	if g.do("file.written", err) {
		_, err = exchange.In(g.Schedules.In(p.id)).Import(p.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: file.Value.ID, FilePath: "plan", SynchronizerID: "planner"}})
		g.do("import", err)
	}
}

// Whatever is written in whichever area, and however often the store is opened: what is
// counted is what there is, of every account.
func TestCountOfTheBytesNeverDriftsFromTheStore(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(t *testing.T, path string) storage.Store{
		"memory": func(*testing.T, string) storage.Store { return memory.New() },
		"buntdb": func(t *testing.T, path string) storage.Store {
			t.Helper()
			s, err := buntdb.Open(path, buntdb.Options{Durability: buntdb.SyncNever})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done := make(map[string]int)
			for seed := range uint64(2) {
				path := filepath.Join(t.TempDir(), "world.db")
				for opening := range uint64(2) {
					store := open(t, path)
					p := over(t, store, platform.Config{Budget: plenty})
					g := &gardener{Platform: p, t: t, r: rand.New(rand.NewPCG(seed, opening)), done: done}
					for round := range 2 {
						g.grow(600)
						g.besides()
						want := recounted(t, store)
						if diff := cmp.Diff(want, used(p)); diff != "" {
							t.Errorf("world %d, opening %d, round %d: counted otherwise than what there is (-there +counted):\n%s", seed, opening, round, diff)
						}
						if sum := want.Accounts[accounts[0]] + want.Accounts[accounts[1]]; sum < want.Store/2 {
							t.Errorf("world %d: of %d bytes only %d are some account's", seed, want.Store, sum)
						}
					}
					if err := p.Close(); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, needed := range []string{"attachment", "image", "clone", "form.gone", "plan.delete", "task.delete", "move", "file.written", "import"} {
				if done[needed] == 0 {
					t.Errorf("no %s was done: %v", needed, done)
				}
			}
		})
	}
}

// crowded is a platform with two accounts that have a schedule each, of which the first has
// no room for more.
type crowded struct {
	*platform.Platform
	ctx       []context.Context
	twins     []string
	schedules []string
}

func crowd(t *testing.T, store storage.Store) *crowded {
	t.Helper()
	c := &crowded{Platform: over(t, store, platform.Config{Budget: plenty})}
	g := &gardener{Platform: c.Platform, t: t, done: make(map[string]int)}
	for _, a := range accounts {
		ctx := g.admin(a)
		account := made[twinplatform.Record[twins.Twin]](t)(c.Twins.PrimaryAccount(ctx))
		twin := made[twinplatform.Result[twins.Twin]](t)(c.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower", ParentID: account.Value.ID})).Value().ID
		c.ctx, c.twins = append(c.ctx, ctx), append(c.twins, twin)
		c.schedules = append(c.schedules, made[twinplatform.Result[schedules.Schedule]](t)(c.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: twin})).Value().ID)
	}
	return c
}

func (c *crowded) add(account int, id string) error {
	_, err := c.Schedules.CreateTask(c.ctx[account], c.schedules[account], schedules.NewTask{ID: id, Name: strings.Repeat("n", 200), Type: schedules.Work})
	return err
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Code != code || e.Kind != twinplatform.Conflict {
		t.Errorf("got %v, want a conflict %s", err, code)
	}
}

func TestFullAccountIsRefusedWhileAnotherOneContinues(t *testing.T) {
	t.Parallel()
	c := crowd(t, memory.New())
	for i := range 5 {
		if err := c.add(0, fmt.Sprint("task-", i)); err != nil {
			t.Fatal(err)
		}
	}
	c.SetBudget(platform.Budget{Account: c.BytesOf(accounts[0])})
	err := c.add(0, "more")
	wantCode(t, err, "AccountStorageFull")
	if allowed := fmt.Sprintf("%d allowed", c.BytesOf(accounts[0])); err == nil || !strings.Contains(err.Error(), allowed) {
		t.Errorf("the refusal is %v, want %q in it", err, allowed)
	}
	if err := c.add(1, "more"); err != nil {
		t.Errorf("another account: %v", err)
	}
	if _, err := c.Schedules.In(c.schedules[0]).Task(c.ctx[0], "task-1"); err != nil {
		t.Errorf("reading: %v", err)
	}
	if _, err := c.Schedules.In(c.schedules[0]).UpdateTask(c.ctx[0], "task-1", schedules.TaskPatch{Name: twinplatform.Set("short")}); err != nil {
		t.Errorf("what gets shorter: %v", err)
	}
	_, err = c.Schedules.In(c.schedules[0]).UpdateTask(c.ctx[0], "task-1", schedules.TaskPatch{Name: twinplatform.Set(strings.Repeat("long", 200))})
	wantCode(t, err, "AccountStorageFull")
	if _, err := c.Schedules.In(c.schedules[0]).DeleteTasks(c.ctx[0], []string{"task-2"}); err != nil {
		t.Errorf("deleting a task: %v", err)
	}
	if err := c.Schedules.DeleteSchedule(c.ctx[0], c.schedules[0]); err != nil {
		t.Errorf("deleting a schedule: %v", err)
	}
	plan, err := c.Schedules.CreateSchedule(c.ctx[0], schedules.NewSchedule{Name: "Plan", TwinID: c.twins[0]})
	if err != nil {
		t.Fatalf("after the deletion there is room: %v", err)
	}
	c.schedules[0] = plan.Value().ID
	if err := c.add(0, "again"); err != nil {
		t.Errorf("after the deletion there is room: %v", err)
	}
}

func TestFullStoreIsRefusedForEveryAccount(t *testing.T) {
	t.Parallel()
	c := crowd(t, memory.New())
	c.SetBudget(platform.Budget{Store: c.Budget().Used})
	for account := range accounts {
		wantCode(t, c.add(account, "more"), "StorageFull")
	}
	c.SetBudget(platform.Budget{Store: c.Budget().Used + 1<<20})
	for account := range accounts {
		if err := c.add(account, "more"); err != nil {
			t.Errorf("with a larger budget: %v", err)
		}
	}
}

func TestBudgetHoldsForWhatIsWrittenAheadOfItsTurn(t *testing.T) {
	t.Parallel()
	c := crowd(t, memory.New())
	allowed := c.BytesOf(accounts[0]) + 20_000
	c.SetBudget(platform.Budget{Account: allowed})
	var many []schedules.NewTask
	for i := range 200 {
		many = append(many, schedules.NewTask{ID: fmt.Sprint("task-", i), Name: strings.Repeat("n", 200), Type: schedules.Work})
	}
	_, err := c.Schedules.In(c.schedules[0]).CreateTasks(c.ctx[0], many)
	wantCode(t, err, "AccountStorageFull")
	if n := c.BytesOf(accounts[0]); n > allowed {
		t.Errorf("the account has %d bytes of %d", n, allowed)
	}
	if _, err := c.Schedules.In(c.schedules[0]).CreateTasks(c.ctx[0], many[:4]); err != nil {
		t.Errorf("a few: %v", err)
	}
}

// writersOf is a store that counts the transactions whose writes fail once there are many of
// them: as long as they take, everybody waits.
type writersOf struct {
	storage.Observable
	losses atomic.Int64
}

// manyPuts is how many writes are many.
const manyPuts = 100

// Epoch implements storage.Exclusive.
func (s *writersOf) Epoch() string { return storage.Epoch(s.Observable) }

// Update implements storage.Store.
func (s *writersOf) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Observable.Update(ctx, func(w storage.Writer) error {
		c := &countedPuts{Pending: w.(storage.Pending)}
		err := fn(c)
		if err != nil && c.puts >= manyPuts {
			s.losses.Add(1)
		}
		return err
	})
}

type countedPuts struct {
	storage.Pending
	puts int
}

// Put implements storage.Writer.
func (c *countedPuts) Put(key string, value []byte) error {
	c.puts++
	return c.Pending.Put(key, value)
}

func TestBatchWithoutRoomIsRefusedBeforeItTakesTheWriter(t *testing.T) {
	t.Parallel()
	store := &writersOf{Observable: memory.New().(storage.Observable)}
	c := crowd(t, store)
	used := c.BytesOf(accounts[0])
	c.SetBudget(platform.Budget{Account: used + 20_000})
	var many []schedules.NewTask
	for i := range 200 {
		many = append(many, schedules.NewTask{ID: fmt.Sprint("task-", i), Name: strings.Repeat("n", 200), Type: schedules.Work})
	}
	_, err := c.Schedules.In(c.schedules[0]).CreateTasks(c.ctx[0], many)
	wantCode(t, err, "AccountStorageFull")
	if want := fmt.Sprintf("%d are used", used); !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say that %s", err, want)
	}
	if n := store.losses.Load(); n > 0 {
		t.Errorf("%d transactions wrote the batch and failed while all others waited", n)
	}
	c.SetBudget(platform.Budget{Account: used + 1_000_000})
	if _, err := c.Schedules.In(c.schedules[0]).CreateTasks(c.ctx[0], many); err != nil {
		t.Errorf("with room: %v", err)
	}
}

// silent is an engine that does not report what it writes.
type silent struct{ storage.Store }

func (s silent) Epoch() string { return storage.Epoch(s.Store) }

func TestBudgetIsNotCountedByAnEngineThatReportsNothing(t *testing.T) {
	t.Parallel()
	c := crowd(t, silent{memory.New()})
	c.SetBudget(platform.Budget{Account: 1, Store: 1})
	if err := c.add(0, "task"); err != nil {
		t.Error(err)
	}
	if _, err := c.Schedules.CloneSchedule(c.ctx[0], c.schedules[0], schedules.NewClone{Name: "Clone"}); err != nil {
		t.Error(err)
	}
	if use := c.Budget(); use.Counted || use.Used != 0 {
		t.Errorf("it is counted: %+v", use)
	}
}

// What counting costs each write: compared with the same platform without a budget.
func BenchmarkWriteUnderBudget(b *testing.B) {
	for name, budget := range map[string]platform.Budget{"none": {}, "counted": plenty} {
		p, err := platform.New(memory.New(), platform.Config{Budget: budget})
		if err != nil {
			b.Fatal(err)
		}
		ctx := b.Context()
		twin, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
		if err != nil {
			b.Fatal(err)
		}
		plan, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: twin.Value().ID})
		if err != nil {
			b.Fatal(err)
		}
		id := plan.Value().ID
		b.Run(name+"/create", func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Schedules.CreateTask(ctx, id, schedules.NewTask{Name: "Dig", Type: schedules.Work}); err != nil {
					b.Fatal(err)
				}
			}
		})
		if _, err := p.Schedules.CreateTask(ctx, id, schedules.NewTask{ID: "one", Name: "Dig", Type: schedules.Work}); err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/update", func(b *testing.B) {
			i := 0
			for b.Loop() {
				i++
				if _, err := p.Schedules.In(id).UpdateTask(ctx, "one", schedules.TaskPatch{Name: twinplatform.Set(fmt.Sprint("Dig ", i%10))}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
