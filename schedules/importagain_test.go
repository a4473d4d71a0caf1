package schedules_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestImportBehindAnImportAnalyzesWhatOthersHaveChanged imports a plan that the same program
// has analyzed already: what it finds is what a program finds that begins again.
func TestImportBehindAnImportAnalyzesWhatOthersHaveChanged(t *testing.T) {
	t.Parallel()
	content := xerOf(t, randomXER(9, 60))
	for name, change := range map[string]func(p *plan, task schedules.Task) error{
		"nothing": nil,
		"a task": func(p *plan, x schedules.Task) error {
			p.patch(x.ID, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(900_000))})
			return nil
		},
		"a deletion": func(p *plan, x schedules.Task) error { p.delete(x.ID); return nil },
		"a data date": func(p *plan, _ schedules.Task) error {
			_, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(twinplatform.At(morning.AddDate(0, 1, 0)))})
			return err
		},
		"a link": func(p *plan, _ schedules.Task) error {
			links, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.TaskLink], error) {
				return p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{ListOptions: o})
			})
			_, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{{ID: links[0].ID, Lag: twinplatform.Set(int32(40 * 24 * time.Hour / time.Second))}})
			return err
		},
		"a calendar": func(p *plan, x schedules.Task) error {
			short := []schedules.DayType{{ID: "day-1", Type: schedules.NormalDay, TimeBlocks: blocks("08:00-09:00")}, {ID: "day-2", Type: schedules.NonWorkingDay}}
			_, err := p.in().UpdateCalendar(p.ctx, string(x.CalendarID), schedules.CalendarPatch{DayTypes: twinplatform.Set(short)})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.importPlan(content, exchange.PlannerImportOptions{})
			p.synchronize(content, exchange.IntegrateMode)
			before := p.found()
			if change != nil {
				tasks, _ := p.allTasks(twinplatform.ListOptions{})
				for _, x := range tasks {
					if x.Type == schedules.Work && !x.IsWBS {
						if err := change(p, x); err != nil {
							t.Fatal(err)
						}
						break
					}
				}
			}
			store, err := memory.Fork(p.store)
			if err != nil {
				t.Fatal(err)
			}
			fresh := *p
			fresh.T, fresh.store, fresh.svc = t, store, newService(store, schedules.Config{})
			p.synchronize(content, exchange.IntegrateMode)
			fresh.synchronize(content, exchange.IntegrateMode)
			if diff := cmp.Diff(fresh.found(), p.found()); diff != "" {
				t.Errorf("analyses (-again +again):\n%s", diff)
			}
			if same := cmp.Equal(before, p.found()); same != (change == nil) {
				t.Errorf("the analyses are as they were: %v", same)
			}
		})
	}
}

// covers: Files and imports: rule a second import of a file changes nothing
func TestASecondImportChangesNothingWhereNamesAreMissingOrTwice(t *testing.T) {
	t.Parallel()
	contents := map[string][]byte{"random": xerOf(t, randomXER(5, 30))}
	for _, name := range plannerFiles(t) {
		if content := plannerFile(t, name); strings.HasSuffix(name, ".xer") && len(content) < 100<<10 {
			contents[name] = content
		}
	}
	seeds := 12
	if testing.Short() {
		seeds = 3
	}
	for name, content := range contents {
		for seed := range seeds {
			t.Run(fmt.Sprint(name, "/", seed), func(t *testing.T) {
				t.Parallel()
				p, content := inMemory(t), confused(content, seed)
				made := p.importPlan(content, exchange.PlannerImportOptions{})
				if changes(t, made)["created"]["tasks"] == 0 {
					t.Fatal("no task is imported")
				}
				for _, mode := range []exchange.SyncMode{exchange.IntegrateMode, exchange.ConsolidateMode, exchange.SynchronizeMode} {
					if diff := cmp.Diff(noChanges, changes(t, p.synchronize(content, mode))); diff != "" {
						t.Errorf("once more, to %s:\n%s", mode, diff)
					}
				}
			})
		}
	}
}

// The process that has imported a file knows it again. It finds nothing to do where no one has changed
// the schedule, and what is to be done where someone has, or where another file was imported.
func TestAFileThatIsImportedOnceMoreBringsBackWhatWasChangedSince(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content, other := xerOf(t, randomXER(6, 30)), xerOf(t, randomXER(7, 30))
	p.importPlan(content, exchange.PlannerImportOptions{})
	whole := allBy(exchange.SynchronizeMode)
	whole.MaxDeletedShare = twinplatform.Set(1.0)
	p.synchronizeBy(content, whole)
	first := p.synchronizer("planner")
	again := p.synchronizeBy(content, whole)
	if diff := cmp.Diff(noChanges, changes(t, again)); diff != "" || !cmp.Equal(first.SynchronizationDetails.Warnings, again.SynchronizationDetails.Warnings) {
		t.Errorf("the same once more:\n%s", diff)
	}
	id := p.byCode()["A3"]
	name := p.task(id).Name
	p.patch(id, schedules.TaskPatch{Name: twinplatform.Set("changed here")})
	if did := changes(t, p.synchronizeBy(content, whole)); did["updated"]["tasks"] != 1 || p.task(id).Name != name {
		t.Errorf("behind a change of the schedule it did %v", did)
	}
	p.delete(p.byCode()["A4"])
	if did := changes(t, p.synchronizeBy(content, whole)); did["created"]["tasks"] != 1 {
		t.Errorf("behind a deletion it did %v", did)
	}
	if did := changes(t, p.synchronizeBy(other, whole)); cmp.Equal(noChanges, did) {
		t.Error("another file does nothing")
	}
	if did := changes(t, p.synchronizeBy(content, whole)); cmp.Equal(noChanges, did) {
		t.Error("the file before the last one does nothing")
	}
	links, _ := p.allLinks(twinplatform.ListOptions{Top: schedules.MaxTop})
	if _, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{{ID: links[0].ID, Lag: twinplatform.Set(int32(86_400))}}); err != nil {
		t.Fatal(err)
	}
	integrate := allBy(exchange.IntegrateMode)
	if did := changes(t, p.synchronizeBy(content, integrate)); !cmp.Equal(noChanges, did) {
		t.Errorf("with other modes it did %v", did)
	}
	if did := changes(t, p.synchronizeBy(content, whole)); did["updated"]["links"] != 1 {
		t.Errorf("with those of before it did %v", did)
	}
}

// BenchmarkImportAgain imports a plan of 12,000 activities once more, which changes nothing.
func BenchmarkImportAgain(b *testing.B) {
	content := xerOf(b, randomXER(1, 12_000))
	p := &plan{ctx: b.Context(), store: memory.New(), id: "plan"}
	svc := newService(p.store, schedules.Config{})
	if _, err := svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: p.id, Name: "Plan", TwinID: "twin"}); err != nil {
		b.Fatal(err)
	}
	file, err := files.In(svc.In(p.id)).CreateFile(p.ctx, files.NewFile{Length: int64(len(content))})
	if err == nil {
		_, err = files.In(svc.In(p.id)).AppendFile(p.ctx, file.Value.ID, 0, bytes.NewReader(content))
	}
	if err == nil {
		err = p.startImport(p.ctx, svc, file.Value.ID)
	}
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := p.startImport(p.ctx, svc, file.Value.ID); err != nil {
			b.Fatal(err)
		}
	}
}

// The same file once more writes its synchronizer and no more, and reads no tasks to find that out.
func TestTheSameFileAgainTakesAFewJourneysWhateverItsSize(t *testing.T) {
	t.Parallel()
	took := make(map[int]int)
	for _, tasks := range []int{100, 1_200} {
		far := distant.Over(memory.New())
		p := &plan{T: t, ctx: t.Context(), store: far, id: "plan"}
		svc := newService(p.store, schedules.Config{})
		if _, err := svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: p.id, Name: "Plan", TwinID: "twin"}); err != nil {
			t.Fatal(err)
		}
		content := xerOf(t, randomXER(3, tasks))
		file, err := files.In(svc.In(p.id)).CreateFile(p.ctx, files.NewFile{Length: int64(len(content))})
		if err == nil {
			_, err = files.In(svc.In(p.id)).AppendFile(p.ctx, file.Value.ID, 0, bytes.NewReader(content))
		}
		for range 2 {
			if err == nil {
				far.Journeys()
				err = p.startImport(p.ctx, svc, file.Value.ID)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		took[tasks] = far.Journeys()
	}
	if took[1_200] > took[100]+10 {
		t.Errorf("journeys by tasks: %v", took)
	}
}

// What a process remembers of an import holds for the schedule it was made into, and not for one of the same id.
func TestTheSameFileIsReadAgainIntoAScheduleThatIsMadeOnceMore(t *testing.T) {
	t.Parallel()
	p := &plan{T: t, ctx: t.Context(), store: memory.New(), id: "plan"}
	svc := newService(p.store, schedules.Config{})
	content := xerOf(t, randomXER(5, 40))
	var want int
	for life := range 3 {
		if _, err := svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: p.id, Name: "Plan", TwinID: "twin"}); err != nil {
			t.Fatal(err)
		}
		file, err := files.In(svc.In(p.id)).CreateFile(p.ctx, files.NewFile{Length: int64(len(content))})
		if err == nil {
			_, err = files.In(svc.In(p.id)).AppendFile(p.ctx, file.Value.ID, 0, bytes.NewReader(content))
		}
		if err == nil {
			err = p.startImport(p.ctx, svc, file.Value.ID)
		}
		if err != nil {
			t.Fatalf("life %d: %v", life, err)
		}
		page, err := svc.In(p.id).Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: 1_000}})
		if life == 0 {
			want = page.Len()
		}
		if err != nil || page.Len() != want || want < 40 {
			t.Fatalf("life %d: %d of %d tasks (%v)", life, page.Len(), want, err)
		}
		if err := svc.DeleteSchedule(p.ctx, p.id); err != nil {
			t.Fatal(err)
		}
	}
}

// Of two nodes of one code the one has no GUID. It is taken out of the file, and the other gets
// another GUID.
func TestNodeThatHasAnotherGUIDIsKnownByItsOwnCode(t *testing.T) {
	t.Parallel()
	content := string(xerOf(t, xer{nodes: []xerNode{{code: "W2", name: "One"}, {code: "W3", name: "Two"}}, tasks: []xerTask{{code: "A1", hours: 8}}}))
	content = strings.NewReplacer("W2\tOne", "W\tOne", "W3\tTwo", "W\tTwo", "\tg0-2\n", "\t\n").Replace(content)
	p := inMemory(t)
	p.importPlan([]byte(content), exchange.PlannerImportOptions{})
	at := strings.Index(content, "%R\t2\t1\tN\tW\tOne")
	end := at + strings.Index(content[at:], "\n") + 1
	content = strings.Replace(content[:at]+content[end:], "g0-3", "g0-9", 1)
	want := map[string]map[string]int{"created": {}, "updated": {}, "deleted": {"tasks": 1}}
	if diff := cmp.Diff(want, changes(t, p.synchronize([]byte(content), exchange.IntegrateMode))); diff != "" {
		t.Error(diff)
	}
}

// confused is an XER in which half of the items have no GUID, or one that is the number of
// another, and many have the code of the one before.
func confused(content []byte, seed int) []byte {
	rnd := rand.New(rand.NewPCG(uint64(seed), 7))
	codes := []string{"wbs_short_name", "task_code", "rsrc_short_name", "actv_code_name", "short_name"}
	var fields, before []string
	lines := strings.Split(string(content), "\n")
	for n, line := range lines {
		cells := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		switch cells[0] {
		case "%F":
			fields, before = cells, nil
		case "%R":
			for i := 1; i < min(len(cells), len(fields)); i++ {
				switch {
				case fields[i] == "guid" && rnd.IntN(2) == 0:
					cells[i] = []string{"", fmt.Sprint(1 + rnd.IntN(20))}[rnd.IntN(2)]
				case before != nil && i < len(before) && slices.Contains(codes, fields[i]) && rnd.IntN(3) == 0:
					cells[i] = before[i]
				}
			}
			before, lines[n] = cells, strings.Join(cells, "\t")
		}
	}
	return []byte(strings.Join(lines, "\n"))
}
