package schedules

import (
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// linkChecker holds the links of a request to the tasks and to the other links of
// the schedule.
type linkChecker struct {
	r      planReader
	list   string // how targets name the request
	above  *plan.Ancestry
	cycles *plan.CycleDetector
}

func newLinkChecker(tx records.Reading, s records.Scope, list string) *linkChecker {
	r := readPlan(tx, s)
	return &linkChecker{r: r, list: list, above: plan.NewAncestry(r), cycles: plan.NewCycleDetector(r)}
}

// check checks the i-th link. Whether it closes a cycle may be left to finish.
func (k *linkChecker) check(l *TaskLink, i int) error {
	var c problem.Checks
	c.At(k.list, i)
	if l.PredecessorID == l.SuccessorID {
		c.Bad("successorId", "A task cannot be linked to itself.")
		return c.Err(InvalidRequest)
	}
	for _, end := range []struct{ target, id, other string }{
		{"predecessorId", l.PredecessorID, l.SuccessorID},
		{"successorId", l.SuccessorID, l.PredecessorID},
	} {
		if err := model.Names(k.r.tx, k.r.scope, taskRecords.Table(), &c, end.target, "task", end.id); err != nil {
			return err
		}
		below, err := k.above.Below(end.id, end.other)
		if err != nil && !missingRecord(err) {
			return err
		}
		if below {
			c.Bad(end.target, "A task cannot be linked to its ancestor.")
		}
	}
	if err := namesCalendar(k.r.tx, k.r.scope, &c, l.CalendarID, ""); err != nil {
		return err
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	return k.refuse(k.cycles.Add(l.link(), i))
}

// finish checks what was left, once all links are written.
func (k *linkChecker) finish() error { return k.refuse(k.cycles.Finish()) }

// refuse gives a cycle its documented error.
func (k *linkChecker) refuse(err error) error {
	cycle, ok := errors.AsType[*plan.CycleError](err)
	if !ok {
		return err
	}
	var c problem.Checks
	c.At(k.list, cycle.Index)
	c.Bad("successorId", "The link would close the cycle %s.", model.InShort(cycle.Tasks))
	return c.Err(InvalidRequest)
}

// What links tie is read with what lies around it: the parents and children of their ends,
// and the links that these have.

// needsOfNewLinks are what is read before links are made.
func needsOfNewLinks(s records.Scope, batch *[]NewTaskLink) (needs []records.Need) {
	for i := range *batch {
		needs = append(needs, taskLinkKind.NeedsOfRequest(s, &(*batch)[i])...)
	}
	ids := ends(*batch)
	return slices.Concat(needs, taskRecords.Needs(s, ids...), taskRecords.NeedsIndexed(s, "parent", ids...), needsAround(s, ids...))
}

// declareEnds declares what is read of tasks that links are to tie.
func declareEnds(u *records.Update, s records.Scope, ids []string) error {
	records.Declare(u, taskRecords.NeedsIndexed(s, "parent", ids...)...)
	records.Declare(u, needsAround(s, ids...)...)
	above := func(s records.Scope, t *Task) []records.Need { return taskRecords.Needs(s, t.parent()) }
	if err := records.DeclareOf(u, s, &taskRecords, ids, above); err != nil {
		return err
	}
	return records.Follow(u, s, ids, linksAround())
}

// linksAround are the links of tasks.
func linksAround() []records.Found {
	return []records.Found{taskLinkRecords.FoundBy("predecessor"), taskLinkRecords.FoundBy("successor")}
}

// needsAround are what leads to the links of tasks.
func needsAround(s records.Scope, ids ...string) []records.Need {
	return records.NeedsOfFound(s, ids, linksAround())
}

// needsOfEnds are the tasks that a link ties.
func needsOfEnds(s records.Scope, l *TaskLink) []records.Need {
	return taskRecords.Needs(s, l.PredecessorID, l.SuccessorID)
}

// patched are the ids of links that are changed.
func patched(patches []TaskLinkPatch) []string {
	ids := make([]string, len(patches))
	for i := range patches {
		ids[i] = patches[i].ID
	}
	return ids
}

// declareHammocks declares what the dates of those of the tasks follow from that are hammocks.
func declareHammocks(u *records.Update, s records.Scope, ids []string) error {
	if !records.Remote(u) {
		return nil
	}
	records.Declare(u, taskRecords.Needs(s, ids...)...)
	var hammocks []string
	for _, id := range ids {
		t, err := taskRecords.Lookup(u, s, id)
		if err != nil {
			return err
		}
		if t != nil && t.Type.hammock() {
			hammocks = append(hammocks, id)
		}
	}
	around := linksAround()
	for i := range around {
		around[i].Needs = records.NeedsOfValue(needsOfEnds)
	}
	return records.Follow(u, s, hammocks, around)
}
