package schedules_test

import (
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// covers: Conventions: limit $top: 100 when not given
func TestPageSizeWhenNoneIsGiven(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	names := make([]string, 101)
	for i := range names {
		names[i] = fmt.Sprintf("t%03d", i)
	}
	p.tasks(names...)
	page, err := p.in().Tasks(p.ctx, schedules.TaskQuery{})
	if err != nil || page.Len() != 100 || page.Next == "" || page.Delta != "" {
		t.Fatalf("%d tasks, next %q, %v", page.Len(), page.Next, err)
	}
	page, err = p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Continuation: page.Next}})
	if err != nil || page.Len() != 1 || page.Next != "" || page.Delta == "" {
		t.Errorf("%d tasks, next %q, %v", page.Len(), page.Next, err)
	}
}
