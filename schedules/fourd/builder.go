package fourd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// builder makes the segments of a timeline.
type builder struct {
	*Timeline

	at      resolved
	warned  []bool          // tasks of which warnings were given
	undated map[*bool]bool  // rules of growth and of motion that lack a data date, of which was warned
	ends    []int32         // of the bindings of each entity
	groups  map[group]int32 // the places of their boxes
	// grouped reports that there are groups.
	grouped bool
	sweep   sweep
}

// group is what grows and moves as one: the entities of a resource group at a task.
type group struct {
	task int32
	id   string
}

func (b *builder) build() {
	of := b.resolveBindings()
	b.sortByEntity(of)
	b.shareBoxes()
	b.times = make([]worktime.Time, 0, 2*len(b.bounds)+len(b.entities))
	b.choices = make([]choice, 0, cap(b.times))
	for i := range b.entities {
		b.entities[i].first = int32(len(b.times))
		b.entity(b.boundsOf(i))
	}
	b.resources()
}

// boundsOf are the places of the bindings of an entity.
func (b *builder) boundsOf(i int) (from, to int) {
	if i > 0 {
		from = int(b.ends[i-1])
	}
	return from, int(b.ends[i])
}

// resolveBindings finds what the bindings name, and which entity each has: entities are in the order in
// which they are met.
func (b *builder) resolveBindings() (of []int32) {
	all := b.site.Bindings
	b.bounds, of = make([]bound, 0, len(all)), make([]int32, 0, len(all))
	met := make(places, len(all)/4+1)
	for i := range all {
		n := &all[i]
		entityAt, seen := met[n.EntityID]
		if !seen {
			entityAt = int32(len(b.entities))
			met[n.EntityID] = entityAt
			b.entities = append(b.entities, entity{id: n.EntityID, shown: none})
		}
		task, there := b.at.tasks[n.TaskID]
		if !there {
			b.warn(TaskMissing, BindingSort, n.ID)
			continue
		}
		k := bound{binding: int32(i), task: task, box: none}
		k.profile = b.at.profiles.find(n.ProfileID, func() { b.warn(ProfileMissing, BindingSort, n.ID) })
		k.transform = b.at.transforms.find(n.TransformID, func() { b.warn(TransformMissing, BindingSort, n.ID) })
		k.assignment = b.at.assignments.find(n.PathAssignmentID, func() {
			b.warn(PathAssignmentMissing, BindingSort, n.ID)
		})
		if k.assignment != none && b.assignments[k.assignment].way == nil {
			k.assignment = none
		}
		b.grouped = b.grouped || n.GroupID != ""
		b.tell(&k)
		b.bounds, of = append(b.bounds, k), append(of, entityAt)
	}
	return of
}

// tell warns of the task of a binding.
func (b *builder) tell(k *bound) {
	if !b.warned[k.task] {
		b.warned[k.task] = true
		task := &b.site.Tasks[k.task]
		b.site.span(task, b.warns(TaskSort, task.ID))
		if percent(task.PercentComplete) != task.PercentComplete {
			b.warn(PercentOutOfRange, TaskSort, task.ID)
		}
	}
	b.tellUndated(k)
	if b.pauses(k) && !b.spans[k.task].paused() {
		b.warn(TaskTooLong, TaskSort, b.site.Tasks[k.task].ID)
	}
}

// tellUndated warns of what is to follow the progress of a task that has no data date.
func (b *builder) tellUndated(k *bound) {
	if !b.site.showsProgress() || b.site.dataDate(&b.site.Tasks[k.task]) != 0 {
		return
	}
	tell := func(byPercent *bool, sort Sort, id string) {
		if *byPercent && !b.undated[byPercent] {
			b.undated[byPercent] = true
			b.warn(DataDateMissing, sort, id)
		}
	}
	if b.grows(k) {
		tell(&b.profiles[k.profile].Active.Growth.ByPercentComplete, ProfileSort, b.profiles[k.profile].ID)
	}
	if k.assignment != none {
		tell(&b.assignments[k.assignment].ByPercentComplete, PathAssignmentSort, b.assignments[k.assignment].ID)
	}
}

// pauses reports whether what a binding shows is to pause while no work is done.
func (b *builder) pauses(k *bound) bool {
	if k.assignment != none && b.assignments[k.assignment].WorkingTimeOnly {
		return true
	}
	return b.grows(k) && b.profiles[k.profile].Active.Growth.WorkingTimeOnly
}

func (b *builder) grows(k *bound) bool { return k.profile != none && b.profiles[k.profile].growing }

// sortByEntity puts the entities in order, and the bindings in that of their entities.
func (b *builder) sortByEntity(of []int32) {
	order := make([]int32, len(b.entities))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return strings.Compare(b.entities[x].id, b.entities[y].id) })
	sorted, rank := make([]entity, len(order)), make([]int32, len(order))
	for i, from := range order {
		sorted[i], rank[from] = b.entities[from], int32(i)
	}
	next := make([]int32, len(order)+1)
	for _, e := range of {
		next[rank[e]+1]++
	}
	for i := range order {
		next[i+1] += next[i]
	}
	bounds := make([]bound, len(b.bounds))
	for i := range b.bounds {
		e := rank[of[i]]
		bounds[next[e]] = b.bounds[i]
		next[e]++
	}
	b.entities, b.bounds, b.ends = sorted, bounds, next[:len(order)]
}

// shareBoxes gives each binding that grows or moves the box of its entity, or that of its group.
func (b *builder) shareBoxes() {
	b.findGroups()
	for i := range b.entities {
		from, to := b.boundsOf(i)
		own, known := none, false
		for n := from; n < to; n++ {
			k := &b.bounds[n]
			common, grouped := b.groupBox(k)
			if !grouped && !b.boxed(k) {
				continue
			}
			if !known {
				own, known = b.boxOf(b.entities[i].id), true
			}
			if k.box = own; grouped && own != none {
				b.join(k, common, own)
			}
		}
	}
	if len(b.groups) == 0 {
		return
	}
	for i := range b.bounds {
		if common, grouped := b.groupBox(&b.bounds[i]); grouped {
			b.bounds[i].box = common
		}
	}
}

// join makes the box of a group reach around that of one more entity.
func (b *builder) join(k *bound, common, own int32) {
	if common == none {
		b.groups[b.groupOf(k)] = int32(len(b.boxes))
		b.boxes = append(b.boxes, b.boxes[own])
		return
	}
	b.boxes[common] = b.boxes[common].union(b.boxes[own])
}

// groupBox is the box of the group of a binding, if it is in a group that needs one.
func (b *builder) groupBox(k *bound) (box int32, grouped bool) {
	if len(b.groups) == 0 {
		return none, false
	}
	box, grouped = b.groups[b.groupOf(k)]
	return box, grouped
}

// boxed reports whether it takes a box to show what a binding says.
func (b *builder) boxed(k *bound) bool {
	return b.grows(k) || k.assignment != none && b.assignments[k.assignment].boxed()
}

// findGroups finds the groups that need a box, of which all members are part.
func (b *builder) findGroups() {
	if !b.grouped {
		return
	}
	b.groups = make(map[group]int32)
	for i := range b.bounds {
		if k := &b.bounds[i]; b.site.Bindings[k.binding].GroupID != "" && b.boxed(k) {
			b.groups[b.groupOf(k)] = none
		}
	}
}

func (b *builder) groupOf(k *bound) group { return group{k.task, b.site.Bindings[k.binding].GroupID} }

// boxOf adds the box of an entity.
func (b *builder) boxOf(entityID string) int32 {
	var box Box
	there := false
	if b.site.Box != nil {
		box, there = b.site.Box(entityID)
	}
	switch {
	case !there:
		b.warn(BoxMissing, EntitySort, entityID)
		return none
	case !box.usable():
		b.warn(BoxEmpty, EntitySort, entityID)
		return none
	}
	b.boxes = append(b.boxes, box)
	return int32(len(b.boxes) - 1)
}

// entity adds the segments of an entity, whose bindings are at these places.
func (b *builder) entity(from, to int) {
	bounds := b.bounds[from:to]
	slices.SortFunc(bounds, func(x, y bound) int {
		xs, ys := &b.spans[x.task], &b.spans[y.task]
		if order := cmp.Or(cmp.Compare(xs.start, ys.start), cmp.Compare(xs.finish, ys.finish)); order != 0 {
			return order
		}
		return strings.Compare(b.site.Bindings[x.binding].ID, b.site.Bindings[y.binding].ID)
	})
	b.sweep.run(b.Timeline, bounds, int32(from))
}

// saysOf is about what a binding says something.
func (t *Timeline) saysOf(k *bound) (all says) {
	if k.profile != none {
		all = t.profiles[k.profile].says
	}
	if k.transform != none {
		all |= sayingMoved(place)
	}
	if k.assignment != none {
		all |= sayingMoved(path)
	}
	return all
}
