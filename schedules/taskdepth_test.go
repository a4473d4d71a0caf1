package schedules_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// chain are n tasks, the last of them at the top and each of the others below the next.
func chain(name string, n int) []schedules.NewTask {
	out := make([]schedules.NewTask, n)
	for i := range out {
		out[i] = schedules.NewTask{ID: fmt.Sprint(name, n-i), Name: name, Type: schedules.Work}
		if i < n-1 {
			out[i].ParentID = fmt.Sprint(name, n-i-1)
		}
	}
	return out
}

func TestTasksLieAtMostSixtyFourDeep(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(chain("a", schedules.MaxDepth)...)
	p.create(chain("b", 2)...)
	p.create(chain("c", schedules.MaxDepth)...)
	below := func(parent string) error {
		_, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "n", Type: schedules.Work, ParentID: parent})
		return err
	}
	move := func(id, parent string) error {
		_, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{ParentID: twinplatform.Set(parent)})
		return err
	}
	_, err := p.in().CreateTasks(p.ctx, chain("d", schedules.MaxDepth+1))
	invalid("InvalidValue batch[0].parentId").saying("64").check(t, err)
	invalid("InvalidValue parentId").saying("64").check(t, below("a64"))
	invalid("InvalidValue parentId").saying("64").check(t, move("b2", "a64"))
	invalid("InvalidValue parentId").saying("64").check(t, move("b1", "a63"))
	for _, err := range []error{below("a63"), move("b1", "a62"), move("c64", "a2"), move("c63", "a3")} {
		if err != nil {
			t.Error(err)
		}
	}
}

// deepen puts one chain below another, which no call does.
func (p *plan) deepen(top, parent string) {
	p.Helper()
	err := p.store.Update(p.ctx, func(w storage.Writer) error {
		for key, value := range w.Scan("", "") {
			if !strings.HasSuffix(key, "/tasks/r/"+top) {
				continue
			}
			scope, _, _ := strings.Cut(key, "/")
			if err := w.Put(scope+"/tasks/i/parent/"+parent+"/"+top, []byte(top)); err != nil {
				return err
			}
			return w.Put(key, bytes.Replace(value, []byte(`"parentId":null`), []byte(`"parentId":"`+parent+`"`), 1))
		}
		return nil
	})
	if err != nil {
		p.Fatal(err)
	}
}

func TestTasksThatLieDeeperSinceLongStayAndCanBeChanged(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(chain("a", schedules.MaxDepth)...)
	p.create(chain("b", schedules.MaxDepth)...)
	p.create(schedules.NewTask{ID: "x", Name: "x", Type: schedules.Work})
	p.deepen("b1", "a64")
	if got := p.task("b1").ParentID; got != "a64" {
		t.Fatalf("b1 lies below %q", got)
	}
	p.patch("b64", schedules.TaskPatch{Name: twinplatform.Set("renamed")})
	p.links("b64 FinishToStart x")
	_, err := p.in().CreateTaskLinks(p.ctx, newLinks(t, "b64 FinishToStart a1"))
	invalid("InvalidValue batch[0].predecessorId").saying("ancestor").check(t, err)
	p.patch("b1", schedules.TaskPatch{ParentID: twinplatform.Set("a63")}) // still deep, but less so
	p.delete("a1")
	if left, _ := p.allTasks(twinplatform.ListOptions{}); len(left) != 1 {
		t.Errorf("%d tasks are left, want x alone", len(left))
	}
}
