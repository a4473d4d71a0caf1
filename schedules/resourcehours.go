package schedules

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// works reports whether a resource works at a task, rather than being used up by it.
func (r *Resource) works() bool { return r.Type == HumanResource || r.Type == EquipmentResource }

// byResources reports whether a task is done when its resources work.
func (t *Task) byResources() bool {
	return t.UsesResourceCalendars && t.Type.network() == cpm.Work && !t.IsWBS
}

// worker is the resource of an assignment whose calendar counts for the task; nil where it
// does not.
func (a *ResourceAssignment) worker(tx records.Reading, s records.Scope, set *ProjectScheduling) (*Resource, error) {
	if set.Profile == ProfileMicrosoftProject && a.PlannedUtilization.ResourceUnits == 0 {
		return nil, nil
	}
	r, err := resourceRecords.Lookup(tx, s, a.ResourceID)
	if err != nil || r == nil || !r.works() {
		return nil, err
	}
	return r, nil
}

// declareWork declares who works when on those of the tasks that are done when their resources work.
func declareWork(tx records.Reading, s records.Scope, tasks []*Task) error {
	var ids []string
	for _, t := range tasks {
		if t.byResources() {
			ids = append(ids, t.ID)
		}
	}
	return declareWorkers(tx, s, ids)
}

// declareWorkOf is declareWork for values.
func declareWorkOf(tx records.Reading, s records.Scope, tasks []Task) error {
	if !records.Remote(tx) {
		return nil
	}
	all := make([]*Task, len(tasks))
	for i := range tasks {
		all[i] = &tasks[i]
	}
	return declareWork(tx, s, all)
}

// declareWorkers declares who works when on tasks.
func declareWorkers(tx records.Reading, s records.Scope, taskIDs []string) error {
	workers := assignmentRecords.FoundBy(assignedTask)
	workers.Needs = records.NeedsOfValue(func(s records.Scope, a *ResourceAssignment) []records.Need {
		return resourceRecords.Needs(s, a.ResourceID)
	})
	return records.Follow(tx, s, taskIDs, []records.Found{workers})
}

// workKey names what is put together for a task whose resources have calendars with these ids.
func workKey(t *Task, ids []string) string {
	return strings.Join(append([]string{string(t.CalendarID)}, ids...), "\x00")
}

// together is the time at which one of several resources works and the task may be worked at:
// what Microsoft Project counts as its duration. own is nil for a task that may be worked at
// whenever they do. It is nil where they never work then. spent counts exceptional days.
func together(own *worktime.Calendar, work []*worktime.Calendar, spent *int64) (made *worktime.Calendar) {
	for _, x := range work {
		if own != nil {
			both, err := worktime.Both(own, x)
			if err != nil {
				continue // it never works then
			}
			x = both
		}
		if made == nil {
			made = x
			continue
		}
		made = worktime.Either(made, x)
		if *spent += int64(made.Exceptions()); *spent > MaxCalendarRuns {
			break
		}
	}
	return made
}

// slowest is the calendar of the resource that takes longest for a task, behind which P6 lets
// a task end that its resources do each in their own time.
func slowest(work []*worktime.Calendar, from worktime.Time, t *Task) (made *worktime.Calendar) {
	var last worktime.Time
	takes := int64(1)
	if t.PlannedDuration != nil {
		takes = max(int64(*t.PlannedDuration), 1)
	}
	for _, x := range work {
		if at := x.Add(from, takes); made == nil || at > last {
			made, last = x, at
		}
	}
	return made
}

// byWork is the time in which a task is done when its resources work, whose calendar is on.
func (w *workingTime) byWork(t *Task, on working) (working, error) {
	set, err := w.settings()
	if err != nil {
		return on, err
	}
	ids, err := w.workers(t, set)
	if len(ids) == 0 || err != nil {
		return on, err
	}
	work := make([]*worktime.Calendar, len(ids))
	for i, id := range ids {
		if work[i], err = w.named(id); err != nil {
			return on, err
		}
		work[i] = cmp.Or(work[i], worktime.Continuous)
	}
	if set.Profile == ProfileP6 {
		from := cmp.Or(set.StartDate, t.PlannedStart)
		if t.ActualStart.After(from.Time) {
			from = t.ActualStart
		}
		on.calendar = slowest(work, worktime.Of(from.Time, w.zone), t)
	} else if made, err := w.combined(t, ids, work); err != nil {
		return on, err
	} else if made != nil {
		on.calendar = made
	}
	if on.calendar == worktime.Continuous {
		on.calendar = nil
	}
	return on, nil
}

// workers are the ids of the calendars of the resources of a task, none twice.
func (w *workingTime) workers(t *Task, set *ProjectScheduling) (ids []string, err error) {
	for a, err := range assignmentRecords.Find(w.tx, w.scope, assignedTask, t.ID) {
		if err != nil {
			return nil, err
		}
		r, err := a.worker(w.tx, w.scope, set)
		if err != nil {
			return nil, err
		}
		if r != nil && !slices.Contains(ids, string(r.CalendarID)) {
			ids = append(ids, string(r.CalendarID))
		}
	}
	return ids, nil
}

// named is the calendar with an id, or the default one where there is none.
func (w *workingTime) named(id string) (*worktime.Calendar, error) {
	c, err := w.calendar(id)
	if id != "" && missingRecord(err) {
		return w.calendar("")
	}
	return c, err
}

// combined is what together makes of the calendars of a task and of its resources.
func (w *workingTime) combined(t *Task, ids []string, work []*worktime.Calendar) (made *worktime.Calendar, err error) {
	key := workKey(t, ids)
	made, ok := w.made[key]
	if ok {
		return made, nil
	}
	var own *worktime.Calendar
	if t.CalendarID != "" {
		if own, err = w.named(string(t.CalendarID)); err != nil {
			return nil, err
		}
	}
	made = together(own, work, &w.spent)
	if w.made == nil {
		w.made = make(map[string]*worktime.Calendar)
	}
	w.made[key] = made
	return made, nil
}

// followWork renews a task of which a resource may work at another time than before, and the
// hammocks that it holds.
func followWork(u *records.Update, s records.Scope, taskID string) error {
	t, err := taskRecords.Lookup(u, s, taskID)
	if t == nil || err != nil || !t.byResources() {
		return err
	}
	r := readPlan(u, s)
	r.times = workingTimeOf(u, s)
	if err := r.renew(u, t); err != nil {
		return err
	}
	var stale plan.Stale
	stale.Task(taskID)
	return deriveHammocks(u, s, &stale)
}

// resourceUpdate is a patch of a resource on its way into the journal, with what follows.
type resourceUpdate struct {
	ID      string                 `json:"id"`
	Patch   ResourcePatch          `json:"patch"`
	IfMatch twinplatform.Condition `json:"ifMatch"`
	Renewal renewal                `json:"renewal,omitzero"`
}

// resourceFamily are resources with the calls that there are to them.
type resourceFamily struct {
	*model.Family[Resource, NewResource, ResourcePatch]
	update model.Change[resourceUpdate, Resource]
}

// resourcesOf defines the changes to resources: when one works affects tasks.
func resourcesOf(s *Service) resourceFamily {
	return resourceFamily{
		Family: model.FamilyOf(s.area(), &resourceKind),
		update: model.DefineInSteps(s.area(), "resource.update", updateResource, "resources.update"),
	}
}

// Update accepts a change of a resource.
func (f resourceFamily) Update(ctx context.Context, scheduleID, id string, p ResourcePatch,
	pre []twinplatform.Precondition,
) (res twinplatform.Result[Resource], err error) {
	if err := f.Kind.Patching(id, &p); err != nil {
		return res, err
	}
	return f.update.Start(ctx, scheduleID, model.Direct, []string{id},
		resourceUpdate{ID: id, Patch: p, IfMatch: twinplatform.ConditionOf(pre...)})
}

func updateResource(u *records.Update, e *model.Edit[resourceUpdate, Resource]) (progress, error) {
	req := &e.Request
	if !req.Renewal.Begun {
		stored, err := resourceRecords.Lookup(u, e.Scope, req.ID)
		if err != nil {
			return progress{}, err
		}
		rec, err := resourceKind.Modify(u, e.Scope, req.ID, req.IfMatch, &req.Patch)
		if err != nil {
			return progress{}, err
		}
		used := false
		for range assignmentRecords.IDs(u, e.Scope, assignedResource, req.ID) {
			used = true
			break
		}
		if is := &rec.Value; !used || is.works() == stored.works() && is.CalendarID == stored.CalendarID {
			e.Wrote(rec)
			return done, nil
		}
		req.Renewal.Begun = true
	}
	return renewed(u, e, &req.Renewal, &resourceRecords, req.ID)
}
