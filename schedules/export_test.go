package schedules

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// SeedAnyhow is Seed with the lists in any order that what their records refer to allows.
func (c *Contents) SeedAnyhow(ctx context.Context, p Plan, at func(model.Date), r *rand.Rand) error {
	lists := entity.Lists[*content](kinds)
	r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	return seedLists(ctx, lists, &content{model.Transfer{At: at}, p, c})
}

// KeepTasks keeps the networks of so many tasks and links.
func KeepTasks(s *Service, n int) { planningOf(s).networks.most = n }

// ShowTasks keeps so many tasks and links as they are shown, and reports how many there are of each plan.
func ShowTasks(s *Service, n int) (shown func() []int) {
	k := &planningOf(s).networks
	k.mostShown = n
	return func() (sizes []int) {
		for _, p := range k.shown {
			sizes = append(sizes, p.size())
		}
		return sizes
	}
}

// FileContent is what imports take of a file for a part of a record.
type FileContent struct {
	Record string
	// Of is a new one, which always is the same.
	Of func() any
	// Compared is the hash of one, and Set the JSON of a record that it was set in.
	Compared, Set func(content any) string
}

// FileContents are those that have members.
func FileContents() []FileContent {
	duration, quantity := int32(7200), 2.5
	task := func() *Task { return &Task{PlannedDuration: &duration} }
	return []FileContent{
		fileContent("content of a task", task, func() *filedTaskContent { return &filedTaskContent{Type: Work} }),
		fileContent("rare content of a task", task, func() *filedTaskContent {
			return &filedTaskContent{Type: FinishKeyDate, Project: "p", Priority: new(int32(600)), Splits: []TaskSplit{{After: 1, Duration: 2}}}
		}),
		fileContent("progress of a task", task, func() *filedProgress { return &filedProgress{Status: Started} }),
		fileContent("rare progress of a task", task, func() *filedProgress {
			return &filedProgress{Status: Started, Remaining: new(int32(60)), Of: PercentPhysical, Physical: 20, Steps: []TaskStep{{Name: "s"}}}
		}),
		fileContent("constraints of a task", task, func() *filedConstraints { return &filedConstraints{Constraint: StartOn} }),
		fileContent("notes of a task", task, func() *filedNotes { return &filedNotes{"c", []TaskNote{{Text: "n"}}} }),
		fileContent("link", func() *TaskLink { return new(TaskLink) }, func() *filedLink { return &filedLink{Type: FinishToStart} }),
		fileContent("resource", func() *Resource { return new(Resource) }, func() *filedResource { return &filedResource{Type: HumanResource} }),
		fileContent("resource with all", func() *Resource { return new(Resource) }, func() *filedResource {
			return &filedResource{Type: HumanResource, Quantity: &quantity, UnitName: "u", ExternalID: "e"}
		}),
		fileContent("assignment", func() *ResourceAssignment { return new(ResourceAssignment) }, func() *filedAssignment { return new(filedAssignment) }),
		fileContent("assignment with a delay", func() *ResourceAssignment { return new(ResourceAssignment) }, func() *filedAssignment {
			return &filedAssignment{Delay: 60, externalID: "e"}
		}),
		fileContent("costs of an assignment", func() *ResourceAssignment { return new(ResourceAssignment) }, func() *filedCosts { return new(filedCosts) }),
		fileContent("rules of a plan", func() *ProjectScheduling { return new(ProjectScheduling) }, func() *filedRules { return &filedRules{Profile: ProfileP6} }),
		fileContent("projects of a plan", func() *ProjectScheduling { return new(ProjectScheduling) }, func() *filedProjects { return new(filedProjects) }),
		fileContent("calendar", func() *Calendar { return new(Calendar) }, func() *filedCalendar { return &filedCalendar{Name: "c"} }),
		fileContent("baseline", func() *importedBaseline { return new(importedBaseline) }, func() *filedBaseline {
			return &filedBaseline{Name: "b", Current: true, DataDate: 1, zone: time.UTC}
		}),
		fileContent("baseline with all", func() *importedBaseline { return new(importedBaseline) }, func() *filedBaseline {
			return &filedBaseline{Name: "b", Code: "c", ProjectID: "p", DataDate: 1, zone: time.UTC}
		}),
		fileContent("value of a code", func() *codes.CodeValue { return new(codes.CodeValue) }, func() *filedCodeValue { return &filedCodeValue{Color: "#0"} }),
		fileContent("user field", func() *userfields.UserField { return new(userfields.UserField) }, func() *filedField { return &filedField{Of: planner.OfTasks} }),
	}
}

func fileContent[P any, C importing.Content[P]](record string, fresh func() P, of func() C) FileContent {
	return FileContent{
		Record: record, Of: func() any { return of() },
		Compared: func(content any) string { return importing.HashOf(content.(C).Compared(new(importing.Facts))) },
		Set: func(content any) string {
			v := fresh()
			content.(C).Set(v)
			data, err := json.Marshal(v)
			if err != nil {
				panic(err)
			}
			return string(data)
		},
	}
}

// Reference is a member that refers to another record, with the lists of worlds that have the
// records and what they refer to.
type Reference struct {
	entity.Fact

	List, ToList string
}

// References are the members of all types of records of schedules of which the kit checks what
// they refer to.
func References() (all []Reference) {
	lists := make(map[string]string)
	for _, k := range kinds {
		if l, listed := k.World.(*entity.List[*content]); listed {
			lists[k.Name] = l.Name
		}
	}
	for _, f := range entity.Facts(kinds) {
		if f.Checked {
			all = append(all, Reference{f, lists[f.Kind], lists[f.To]})
		}
	}
	return all
}

// Drop deletes a record of a schedule, and nothing that belongs to it.
func Drop(ctx context.Context, p Plan, collection, id string) error {
	i := slices.IndexFunc(kinds, func(k entity.Stored) bool { return k.Name == collection })
	return p.s.area().Change(ctx, p.id, nil, func(u *records.Update, sc *model.Schedule) error {
		return kinds[i].Records.Delete(u, sc.Scope, id)
	})
}

// Delete deletes a record of a schedule with all that goes with it, each step in a transaction, as
// the operation does.
func Delete(ctx context.Context, p Plan, collection, id string) error {
	i := slices.IndexFunc(kinds, func(k entity.Stored) bool { return k.Name == collection })
	kind := kinds[i].Kind.(interface {
		RemoveAll(u *records.Update, s records.Scope, d *entity.Deletion) (whole bool, err error)
	})
	left := entity.Deletion{IDs: []string{id}}
	for {
		var next entity.Deletion
		var whole bool
		err := p.s.area().Change(ctx, p.id, nil, func(u *records.Update, sc *model.Schedule) (err error) {
			next = left
			whole, err = kind.RemoveAll(u, sc.Scope, &next)
			return err
		})
		if whole || err != nil {
			return err
		}
		left = next
	}
}
