package importing

import (
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Project is one of a file, or one that a schedule has had of earlier files, by what it is known.
type Project struct {
	Called, ExternalID string
	// Own reports that the synchronizer has had it.
	Own bool
	// Said is the place of the one that the request says it is; None where it says nothing.
	Said int
}

// SameProjects finds the projects of a file among those that a schedule has had: the place of each,
// None for those that are new. What the request says counts first, then the ids that the planner
// gives them, and what it calls them. One project and the one that the synchronizer has had are the
// same, whatever they are called: a planner who copies the project for each update gives the copy
// another id and another name.
func SameProjects(file, had []Project) []int {
	said := func(i int) string {
		if file[i].Said == dated.None {
			return ""
		}
		return strconv.Itoa(file[i].Said)
	}
	sole := func(all []Project) func(int) string {
		own := 0
		for i := range all {
			if all[i].Own {
				own++
			}
		}
		return func(i int) string {
			if own != 1 || !all[i].Own {
				return ""
			}
			return "sole"
		}
	}
	external := func(all []Project) func(int) string {
		return func(i int) string { return External(all[i].ExternalID) }
	}
	called := func(all []Project) func(int) string { return func(i int) string { return all[i].Called } }
	return dated.Pairs(
		len(file), len(had),
		dated.Round{Of: said, In: strconv.Itoa},
		dated.Round{Of: external(file), In: external(had)},
		dated.Round{Of: called(file), In: called(had)},
		dated.Round{Of: sole(file), In: sole(had)},
	)
}

// projectsKind are the items of projects that are called otherwise by now: the id of the record is
// what the first file called it, by which tasks and codes are known, and the alias the name by now.
const projectsKind = "projects"

// CallProjects returns the label of each project of a file in the names of items: the name
// that the first file gave it, so that items keep their names when a project is renamed.
// now holds the names in this file, before the names in the file that was imported last.
func (d *Diff) CallProjects(now, before []string) (labels []string, err error) {
	items := d.ItemsOf(projectsKind)
	taken := make(map[string]bool)
	labels = make([]string, len(now))
	for i := range now {
		label := before[i]
		was := items.ByAlias(projectAlias(before[i]))
		if was != nil {
			label = was.RecordID
		}
		for n := 2; taken[label] || was == nil && items.record(label) != nil; n++ {
			label, was = before[i]+"#"+strconv.Itoa(n), nil
		}
		taken[label], labels[i] = true, label
		if alias := ShortName(projectAlias(now[i])); was == nil && label != now[i] || was != nil && was.Alias != alias {
			items.Put(&Item{Sort: projectsKind, RecordID: label, SynchronizerID: d.Synchronizer, Alias: alias}, false)
		}
	}
	return labels, d.KeepItems(projectsKind)
}

func projectAlias(name string) string { return "c:" + name }
