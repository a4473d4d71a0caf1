package platform_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// between is a store that is looked at before each update.
type between struct {
	storage.Observable
	look func()
}

func (s *between) Epoch() string { return storage.Epoch(s.Observable) }

func (s *between) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if look := s.look; look != nil {
		s.look = nil // which writes itself
		look()
		s.look = look
	}
	return s.Observable.Update(ctx, fn)
}

// reserving is a crowd over such a store, with a schedule that takes several steps to copy.
type reserving struct {
	*crowded
	store *between
}

const tasksToCopy = 4_000

func reserved(t *testing.T) reserving {
	t.Helper()
	store := &between{Observable: memory.New().(storage.Observable)}
	r := reserving{crowd(t, store), store}
	var batch []schedules.NewTask
	for i := range tasksToCopy {
		batch = append(batch, schedules.NewTask{
			ID: fmt.Sprintf("task-%05d", i*7919%tasksToCopy), UserDefinedID: fmt.Sprint("U-", i),
			Name: "Task " + strings.Repeat("é", i%40) + fmt.Sprint(i), Type: schedules.Work,
		})
	}
	for part := range slices.Chunk(batch, 500) {
		made[twinplatform.Result[schedules.Task]](t)(r.Schedules.In(r.schedules[0]).CreateTasks(r.ctx[0], part))
	}
	return r
}

func (r reserving) clone(id string) error {
	_, err := r.Schedules.CloneSchedule(r.ctx[0], r.schedules[0], schedules.NewClone{ID: id, Name: "Clone"})
	return err
}

// most is the most that the first account has while something is done.
func (r reserving) most(do func() error) (bytes int64, err error) {
	r.store.look = func() { bytes = max(bytes, r.BytesOf(accounts[0])) }
	err = do()
	r.store.look = nil
	return bytes, err
}

func TestCloneWithoutRoomIsRefusedBeforeAnythingIsCopied(t *testing.T) {
	t.Parallel()
	r := reserved(t)
	before := r.BytesOf(accounts[0])
	r.SetBudget(platform.Budget{Account: before + before/2})
	most, err := r.most(func() error { return r.clone("clone") })
	wantCode(t, err, "AccountStorageFull")
	if copied := most - before; copied > 10_000 {
		t.Errorf("%d bytes were copied before the clone was refused", copied)
	}
	r.SetBudget(platform.Budget{Account: 3 * before})
	if err := r.clone("clone"); err != nil {
		t.Errorf("with room: %v", err)
	}
}

func TestRoomOfARunningCloneIsReserved(t *testing.T) {
	t.Parallel()
	r := reserved(t)
	before := r.BytesOf(accounts[0])
	allowed := before + before + before/4
	r.SetBudget(platform.Budget{Account: allowed})
	// Others write elsewhere in the account, so that nothing more is there to be copied.
	other := made[twinplatform.Result[schedules.Schedule]](t)(r.Schedules.CreateSchedule(r.ctx[0],
		schedules.NewSchedule{Name: "Beside", TwinID: r.twins[0]})).Value().ID
	var full []schedules.NewTask
	for range 50 {
		full = append(full, schedules.NewTask{Name: strings.Repeat("n", 200), Type: schedules.Work})
	}
	steps, refused := 0, 0
	r.store.look = func() {
		if r.BytesOf(accounts[0]) < before+before/2 {
			return // it has not reserved anything yet
		}
		for range 20 {
			if _, err := r.Schedules.In(other).CreateTasks(r.ctx[0], full); err != nil {
				wantCode(t, err, "AccountStorageFull")
				refused++
				break
			}
		}
		steps++
	}
	err := r.clone("clone")
	r.store.look = nil
	if err != nil {
		t.Errorf("the clone that had reserved its room: %v", err)
	}
	if steps < 3 || refused == 0 {
		t.Fatalf("in %d steps of the clone %d writes of others were refused", steps, refused)
	}
	if used := r.BytesOf(accounts[0]); used > allowed+allowed/8 {
		t.Errorf("%d bytes are used of %d", used, allowed)
	}
}

func TestReservationsEndWithTheirWork(t *testing.T) {
	t.Parallel()
	r := reserved(t)
	if err := r.clone("clone"); err != nil {
		t.Fatal(err)
	}
	r.importFile(t, "mspdi-mp_j30_a2_nr1.xml")
	reservations := 0
	err := r.store.View(t.Context(), func(v storage.Reader) error {
		for key := range v.Scan("", "") {
			if strings.HasSuffix(key, "/reserved/r") {
				reservations++
			}
		}
		return nil
	})
	if err != nil || reservations > 0 {
		t.Errorf("%d reservations are left (%v)", reservations, err)
	}
	if want, got := recounted(t, r.store).Store, r.Budget().Used; want != got {
		t.Errorf("%d bytes are counted of %d", got, want)
	}
}

func TestReservationEndsWithItsWorkWhenThereIsNoBudgetAnyMore(t *testing.T) {
	t.Parallel()
	r := reserved(t)
	before, reservedSome := r.BytesOf(accounts[0]), false
	r.store.look = func() {
		if reservedSome = reservedSome || r.BytesOf(accounts[0]) > before+before/2; reservedSome {
			r.SetBudget(platform.Budget{})
		}
	}
	err := r.clone("clone")
	r.store.look = nil
	if err != nil || !reservedSome {
		t.Fatalf("%v, and something was reserved: %v", err, reservedSome)
	}
	if want, got := recounted(t, r.store).Store, r.Budget().Used; want != got {
		t.Errorf("%d bytes are counted of %d", got, want)
	}
}

func (r reserving) importFile(t *testing.T, name string) {
	t.Helper()
	if err := r.uploaded(t, name)(); err != nil {
		t.Fatal(err)
	}
}

// uploaded uploads one of the planner files for the schedule of the second account, which is
// empty, and returns what imports it.
func (r reserving) uploaded(t *testing.T, name string) (imports func() error) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "schedules", "planner", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	plan := r.Schedules.In(r.schedules[1])
	file := made[twinplatform.Record[files.File]](t)(files.In(plan).CreateFile(r.ctx[1], files.NewFile{Length: int64(len(content))}))
	if _, err := files.In(plan).AppendFile(r.ctx[1], file.Value.ID, 0, strings.NewReader(string(content))); err != nil {
		t.Fatal(err)
	}
	from := exchange.PlannerFile{FileID: file.Value.ID, FilePath: name, SynchronizerID: "planner-" + name}
	return func() error {
		if strings.HasPrefix(name, "mspdi") {
			_, err := exchange.In(plan).ImportMicrosoftProject(r.ctx[1], exchange.MicrosoftProjectImport{PlannerFile: from})
			return err
		}
		_, err := exchange.In(plan).Import(r.ctx[1], exchange.PlannerImport{PlannerFile: from})
		return err
	}
}

// An import is refused before the schedule has changed. With room for what it writes, and
// for what it keeps of that before it begins, it is not.
func TestImportReservesWhatItWrites(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"mspdi-mp_j30_a2_nr1.xml", "MultiprojectWithExternal.xer", "BaselineProjects.xml"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fresh := func() (r reserving, imports func() error, before int64) {
				store := &between{Observable: memory.New().(storage.Observable)}
				r = reserving{crowd(t, store), store}
				imports = r.uploaded(t, name)
				return r, imports, r.BytesOf(accounts[1])
			}
			r, imports, before := fresh()
			if err := imports(); err != nil {
				t.Fatal(err)
			}
			grown := r.BytesOf(accounts[1]) - before

			for _, share := range []int64{4, 6, 9} {
				r, imports, before = fresh()
				r.SetBudget(platform.Budget{Account: before + grown*share/10})
				wantCode(t, imports(), "AccountStorageFull")
				tasks, err := r.Schedules.In(r.schedules[1]).Tasks(r.ctx[1], schedules.TaskQuery{})
				if err != nil || tasks.Len() > 0 {
					t.Errorf("with %d tenths of the room %d tasks are there (%v)", share, tasks.Len(), err)
				}
			}
			r, imports, before = fresh()
			r.SetBudget(platform.Budget{Account: before + 5*grown/2})
			if err := imports(); err != nil {
				t.Errorf("with room: %v", err)
			}
		})
	}
}
