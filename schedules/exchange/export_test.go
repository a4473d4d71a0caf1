package exchange

import (
	"encoding/json"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

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
	task := func() *schedules.Task { return &schedules.Task{PlannedDuration: &duration} }
	return []FileContent{
		fileContent("content of a task", task, func() *filedTaskContent { return &filedTaskContent{Type: schedules.Work} }),
		fileContent("rare content of a task", task, func() *filedTaskContent {
			return &filedTaskContent{Type: schedules.FinishKeyDate, Project: "p", Priority: new(int32(600)), Splits: []schedules.TaskSplit{{After: 1, Duration: 2}}}
		}),
		fileContent("progress of a task", task, func() *filedProgress { return &filedProgress{Status: schedules.Started} }),
		fileContent("rare progress of a task", task, func() *filedProgress {
			return &filedProgress{Status: schedules.Started, Remaining: new(int32(60)), Of: schedules.PercentPhysical, Physical: 20, Steps: []schedules.TaskStep{{Name: "s"}}}
		}),
		fileContent("constraints of a task", task, func() *filedConstraints { return &filedConstraints{Constraint: schedules.StartOn} }),
		fileContent("notes of a task", task, func() *filedNotes { return &filedNotes{"c", []schedules.TaskNote{{Text: "n"}}} }),
		fileContent("link", func() *schedules.TaskLink { return new(schedules.TaskLink) }, func() *filedLink { return &filedLink{Type: schedules.FinishToStart} }),
		fileContent("resource", func() *schedules.Resource { return new(schedules.Resource) }, func() *filedResource { return &filedResource{Type: schedules.HumanResource} }),
		fileContent("resource with all", func() *schedules.Resource { return new(schedules.Resource) }, func() *filedResource {
			return &filedResource{Type: schedules.HumanResource, Quantity: &quantity, UnitName: "u", ExternalID: "e"}
		}),
		fileContent("assignment", func() *schedules.ResourceAssignment { return new(schedules.ResourceAssignment) }, func() *filedAssignment { return new(filedAssignment) }),
		fileContent("assignment with a delay", func() *schedules.ResourceAssignment { return new(schedules.ResourceAssignment) }, func() *filedAssignment {
			return &filedAssignment{Delay: 60, externalID: "e"}
		}),
		fileContent("costs of an assignment", func() *schedules.ResourceAssignment { return new(schedules.ResourceAssignment) }, func() *filedCosts { return new(filedCosts) }),
		fileContent("rules of a plan", func() *schedules.ProjectScheduling { return new(schedules.ProjectScheduling) }, func() *filedRules { return &filedRules{Profile: schedules.ProfileP6} }),
		fileContent("projects of a plan", func() *schedules.ProjectScheduling { return new(schedules.ProjectScheduling) }, func() *filedProjects { return new(filedProjects) }),
		fileContent("calendar", func() *schedules.Calendar { return new(schedules.Calendar) }, func() *filedCalendar { return &filedCalendar{Name: "c"} }),
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
