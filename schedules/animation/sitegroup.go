package animation

import (
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// shownGroups are the groups of which entities of a page show tasks, each with these tasks.
type shownGroups map[string]names

func (g shownGroups) add(id, taskID string) {
	tasks := g[id]
	tasks.add(taskID)
	g[id] = tasks
}

// readGroups reads the bindings of entities that are in one group at one task with those of the page: the box around
// all of them is that of each. Without a model there are no boxes, and a group is nothing.
func (r *siteReader) readGroups() error {
	groups, all := make(shownGroups), make(names)
	if r.query.ModelID != "" {
		for i := range r.Bindings {
			if b := &r.Bindings[i]; b.GroupID != "" {
				groups.add(b.GroupID, b.TaskID)
				all.add(b.GroupID)
			}
		}
	}
	read := 0
	for _, id := range all.sorted() {
		if err := r.readBound(id, groups[id], &read); err != nil {
			return err
		}
		if err := r.readMembers(id, groups[id], &read); err != nil {
			return err
		}
	}
	r.nameElements()
	return nil
}

// countGrouped counts a binding in a group.
func countGrouped(read *int) error {
	if *read++; *read > MaxSiteGrouped {
		return tooMuch("The groups of the page have more than %d bindings. "+fewer, MaxSiteGrouped)
	}
	return nil
}

// readBound reads the bindings that put entities into a group at tasks.
func (r *siteReader) readBound(group string, tasks names, read *int) error {
	for b, err := range bindingRecords.Find(r.View, r.scope, boundGroup, group) {
		if err != nil {
			return err
		}
		if err := countGrouped(read); err != nil {
			return err
		}
		if _, there := r.elements[b.AnimatedEntityID]; there || !tasks[b.TaskID] {
			continue
		}
		if err := r.bind(b.shown()); err != nil {
			return err
		}
	}
	return nil
}

// readMembers reads the entities of a v6.5 schedule that show resources of a group, as far as these are assigned to
// the tasks.
func (r *siteReader) readMembers(group string, tasks names, read *int) error {
	if r.of != model.V65 {
		return nil
	}
	for m, err := range model.GroupMembers.All(r.View, r.scope, records.Join(group, "")) {
		if err != nil {
			return err
		}
		if r.groupOf(m.ID) != group {
			continue
		}
		for e, err := range entity3DRecords.Find(r.View, r.scope, shownResource, m.ID) {
			if err != nil {
				return err
			}
			if err := countGrouped(read); err != nil {
				return err
			}
			if _, there := r.elements[e.ID]; there {
				continue
			}
			if err := r.entity3D(e, func(taskID string) bool { return tasks[taskID] }); err != nil {
				return err
			}
		}
	}
	return nil
}

// groupOf is the resource group in which the entities of a v6.5 schedule that show a resource are one object: of
// several the first by id.
func (r *siteReader) groupOf(resource string) string {
	group, known := r.groups[resource]
	if !known {
		if id, in := model.GroupMembers.FirstID(r.View, r.scope, model.MemberResource, resource, ""); in {
			group, _, _ = strings.Cut(id, "/")
		}
		r.groups[resource] = group
	}
	return group
}

// nameElements names the elements of entities of which nothing says another one.
func (r *siteReader) nameElements() {
	for i := range r.Bindings {
		if id := r.Bindings[i].EntityID; r.elements[id] == "" {
			r.elements[id] = id
		}
	}
}
