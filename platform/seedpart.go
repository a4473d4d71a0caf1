package platform

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// lists are what a world holds, in the order in which it is applied.
var lists = []struct {
	name, resource string
	parts          func(*seeder, *World) []part
}{
	{"twins", "twin", (*seeder).twins},
	{"roles", "role", (*seeder).rolesOfTwins},
	{"members", "member", (*seeder).members},
	{"groups", "group", (*seeder).groups},
	{"groupMembers", "member", (*seeder).groupMembers},
	{"repositories", "repository", (*seeder).repositories},
	{"repositoryResources", "resource of a repository", (*seeder).repositoryResources},
	{"models", "model", (*seeder).models},
	{"savedViews", "saved view", (*seeder).savedViews},
	{"configurations", "configuration", (*seeder).configurations},
	{"formDefinitions", "form definition", (*seeder).definitions},
	{"forms", "form", (*seeder).forms},
	{definitionsFinal, "form definition", (*seeder).finalDefinitions},
	{"realityData", "reality data", (*seeder).realityData},
	{"detectors", "detector", (*seeder).detectors},
	{"schedules", "schedule", (*seeder).schedules},
}

// part is how one record of a world is made.
type part struct {
	index int
	id    string
	// key is what no other part of the list has; empty when the id is malformed.
	key string
	// twin is the one within whose account the part is made, and owner is in whose
	// name; neither where ids are unique over all accounts.
	twin   string
	owner  *twinplatform.Principal
	at     date
	parent string // comes before it
	late   bool   // comes after all that are not
	// find fails with NotFound where the record is not there.
	find func(context.Context) error
	make func(context.Context) error
	// remove undoes a make that did not come to its end; nil where that makes
	// all or nothing.
	remove func(context.Context) error
}

func partsOf[T any](items []T, as func(*T) part) []part {
	parts := make([]part, len(items))
	for i := range items {
		parts[i] = as(&items[i])
		parts[i].index = i
	}
	return parts
}

// inOrder returns parts in an order in which they can be made.
func inOrder(parts []part) []part {
	parts = entity.ParentsFirst(parts, func(p *part) (id, parent string) { return p.id, p.parent })
	slices.SortStableFunc(parts, func(a, b part) int {
		switch {
		case a.late == b.late:
			return 0
		case a.late:
			return 1
		default:
			return -1
		}
	})
	return parts
}

// check finds what would make it unclear what a world has been applied to. All
// else is for the services to refuse.
func (w *World) check() error {
	for _, l := range lists {
		seen := make(map[string]bool)
		for _, p := range l.parts(new(seeder), w) {
			if p.key == "" || seen[p.key] {
				return fmt.Errorf("%s[%d]: the id %q is empty, malformed or is there twice", l.name, p.index, p.id)
			}
			seen[p.key] = true
		}
	}
	return nil
}

// outcome is the error of a call whose result no one needs.
func outcome[T any](_ T, err error) error { return err }

// asChosen fails unless what was made has the id of the seed.
func asChosen(want, got string, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("it was made as %q", got)
	}
	return err
}
