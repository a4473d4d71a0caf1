package schedules_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

// anyList lists one of the lists of a schedule.
type anyList struct {
	name string
	page func(p *plan, o twinplatform.ListOptions) (listed, error)
}

// listed is what all pages have in common.
type listed struct {
	next, delta, etag string
	ids               []string
	notModified       bool
}

func pageOf[T any](page twinplatform.Page[T], err error) (listed, error) {
	l := listed{next: page.Next, delta: page.Delta, etag: page.ETag, notModified: page.NotModified}
	for _, b := range page.JSON() {
		l.ids = append(l.ids, string(b))
	}
	return l, err
}

var lists = []anyList{
	{"schedules", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.svc.Schedules(p.ctx, schedules.ScheduleQuery{ListOptions: o, TwinID: "twin"}))
	}},
	{"tasks", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: o}))
	}},
	{"task links", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{ListOptions: o}))
	}},
	{"task links of a predecessor", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{ListOptions: o, PredecessorID: "a"}))
	}},
	{"baselines", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().Baselines(p.ctx, schedules.BaselineQuery{ListOptions: o}))
	}},
	{"baseline tasks", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().BaselineTasks(p.ctx, "one", schedules.BaselineTaskQuery{ListOptions: o}))
	}},
	{"baseline task links", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().BaselineTaskLinks(p.ctx, "one", schedules.BaselineTaskLinkQuery{ListOptions: o}))
	}},
	{"baseline tasks of another baseline", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(p.in().BaselineTasks(p.ctx, "two", schedules.BaselineTaskQuery{ListOptions: o}))
	}},
	{"3D entities", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{ListOptions: o}))
	}},
	{"3D entities of a resource", func(p *plan, o twinplatform.ListOptions) (listed, error) {
		return pageOf(animation.In(p.in()).Entities3DOfResource(p.ctx, "crane", animation.Entity3DQuery{ListOptions: o}))
	}},
}

// listable is a v6.5 schedule in which every list has three records.
func listable(p *plan) {
	p.schedule(schedules.NewSchedule{ID: "other", Name: "n", TwinID: "twin"})
	p.v65()
	p.tasks("a", "b", "c", "d")
	p.links("a StartToStart b", "a FinishToStart c", "a FinishToFinish d")
	p.resources("crane")
	for _, id := range []string{"one", "two", "three"} {
		p.baseline(id)
		p.entity(animation.NewEntity3D{ID: id, ResourceID: "crane"})
	}
	p.delete("b")
	p.links("c StartToStart d")
}

// covers: Errors: error InvalidValue
// covers: Conventions
func TestEveryListKeepsToItsPageSizeAndTokens(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		listable(p)
		tokens := make(map[string]listed)
		for _, l := range lists {
			largest := schedules.MaxTopV65
			if l.name == "schedules" {
				largest = schedules.MaxTop
			}
			for _, top := range []int{-2, -1, largest + 1} {
				_, err := l.page(p, twinplatform.ListOptions{Top: top})
				invalid("InvalidValue top").check(p, err)
			}
			whole, err := l.page(p, twinplatform.ListOptions{Top: largest})
			if err != nil || len(whole.ids) < 2 || whole.next != "" || whole.delta == "" {
				p.Fatalf("%s: %+v, %v", l.name, whole, err)
			}
			first, err := l.page(p, twinplatform.ListOptions{Top: 1})
			if err != nil || len(first.ids) != 1 || first.next == "" || first.delta != "" {
				p.Fatalf("%s: %+v, %v", l.name, first, err)
			}
			tokens[l.name] = listed{next: first.next, delta: whole.delta}
			var paged []string
			for o := (twinplatform.ListOptions{Top: 1}); ; {
				page, err := l.page(p, o)
				if err != nil {
					p.Fatal(err)
				}
				paged = append(paged, page.ids...)
				if o.Continuation = page.next; page.next == "" {
					break
				}
			}
			if diff := cmp.Diff(whole.ids, paged); diff != "" {
				p.Errorf("%s one by one:\n%s", l.name, diff)
			}
			again, err := l.page(p, twinplatform.ListOptions{Top: 1, IfNoneMatch: first.etag})
			if err != nil || !again.notModified || len(again.ids) != 0 {
				p.Errorf("%s unchanged: %+v, %v", l.name, again, err)
			}
			changes, err := l.page(p, twinplatform.ListOptions{Delta: whole.delta})
			if err != nil || len(changes.ids) != 0 || changes.delta == "" {
				p.Errorf("%s without changes: %+v, %v", l.name, changes, err)
			}
		}
		// A token is valid for the list that it comes from, and for no other.
		for _, l := range lists {
			for from, token := range tokens {
				if from == l.name {
					continue
				}
				_, err := l.page(p, twinplatform.ListOptions{Continuation: token.next})
				invalid("InvalidValue continuation").check(p, err)
				_, err = l.page(p, twinplatform.ListOptions{Delta: token.delta})
				invalid("InvalidValue delta").check(p, err)
			}
			own := tokens[l.name]
			for i, broken := range []string{
				"x", " ", "%%%", strings.Repeat("A", 5000), own.next[1:], own.next + "A", own.next[:len(own.next)-1] + "!",
				flip(own.next, 0), flip(own.next, len(own.next)/2), flip(own.next, len(own.next)-2),
			} {
				if _, err := l.page(p, twinplatform.ListOptions{Continuation: broken}); err == nil {
					p.Errorf("%s took the broken token %d", l.name, i)
				} else {
					invalid("InvalidValue continuation").check(p, err)
				}
			}
			_, err := l.page(p, twinplatform.ListOptions{Delta: flip(own.delta, 3)})
			invalid("InvalidValue delta").check(p, err)
			// One kind of token is not the other.
			_, err = l.page(p, twinplatform.ListOptions{Continuation: own.delta})
			invalid("InvalidValue continuation").check(p, err)
			_, err = l.page(p, twinplatform.ListOptions{Delta: own.next})
			invalid("InvalidValue delta").check(p, err)
		}
	})
}

func TestPagesOfV10SchedulesAreSmallerThanThoseOfV65(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, l := range lists {
		_, err := l.page(p, twinplatform.ListOptions{Top: schedules.MaxTop + 1})
		if err == nil {
			t.Errorf("%s: a page of %d is given", l.name, schedules.MaxTop+1)
		}
	}
	_, err := p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: schedules.MaxTop + 1}})
	invalid("InvalidValue top").saying("from 1 to 10000").check(t, err)
}

// flip changes one character of a token.
func flip(token string, i int) string {
	c := byte('A')
	if token[i] == c {
		c = 'B'
	}
	return token[:i] + string(c) + token[i+1:]
}

// TestPagingWhileOthersWrite pages through ten thousand tasks while they are
// changed, deleted and joined by new ones.
func TestPagingWhileOthersWrite(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		const n = 10_000
		p.create(many(n)...)
		stop := make(chan struct{})
		begun, enough := make(chan struct{}), make(chan struct{}) // of the writer, which may be slow to run
		var writer sync.WaitGroup
		touched := make(map[string]string) // id to its name, or "" when deleted
		writer.Go(func() {
			ended := func(c chan struct{}) {
				select {
				case <-c:
				default:
					close(c)
				}
			}
			defer ended(enough)
			defer ended(begun)
			for i := range n { // then the ids of new tasks come again
				if i == 1 {
					close(begun)
				}
				if i == 20 {
					close(enough)
				}
				select {
				case <-stop:
					return
				default:
				}
				id := fmt.Sprintf("task-%06d", i*7919%n)
				var err error
				switch i % 4 {
				case 0:
					id = fmt.Sprintf("task-%06d-new", i*7919%n)
					touched[id] = id
					_, err = p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: id, Name: id, Type: schedules.Work})
				case 1:
					if name, done := touched[id]; done && name == "" {
						continue
					}
					touched[id] = ""
					_, err = p.in().DeleteTasks(p.ctx, []string{id})
				default:
					if name, done := touched[id]; done && name == "" {
						continue
					}
					touched[id] = fmt.Sprint("changed ", i)
					_, err = p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{Name: twinplatform.Set(touched[id])})
				}
				if err != nil {
					p.Error(err)
					return
				}
			}
		})
		seen := make(map[string]int)
		copied := make(map[string]string)
		<-begun
		all, delta := p.allTasks(twinplatform.ListOptions{Top: 250})
		<-enough
		close(stop)
		writer.Wait()
		for _, task := range all {
			seen[task.ID]++
			copied[task.ID] = task.Name
		}
		changes, _ := p.allTasks(twinplatform.ListOptions{Delta: delta})
		for _, task := range changes {
			copied[task.ID] = task.Name
			if task.Deleted {
				delete(copied, task.ID)
			}
		}
		for i := range n {
			id := fmt.Sprintf("task-%06d", i)
			if _, ok := touched[id]; !ok && seen[id] != 1 {
				p.Errorf("the untouched task %s was listed %d times", id, seen[id])
			}
		}
		for id, name := range touched {
			if copied[id] != name {
				p.Errorf("the copy has %q for %s, want %q", copied[id], id, name)
			}
		}
		if len(touched) < 10 {
			p.Errorf("only %d tasks were written meanwhile", len(touched))
		}
	})
}
