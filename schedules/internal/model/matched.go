package model

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Element is one of a model, as far as it is matched with tasks.
type Element struct {
	ID, Code, GUID string
	Properties     map[string]any
}

// Elements has the elements of models.
type Elements interface {
	// Elements yields the elements of a model that the caller may read. An error ends them.
	Elements(ctx context.Context, modelID string) iter.Seq2[Element, error]
}

// TaskValue is the value of a user field of a task.
type TaskValue struct {
	TaskID      string `json:"taskId"`
	UserFieldID string `json:"userFieldId"`
	Value       string `json:"value"`
}

// ValuesOfField is the index of TaskValues by user field.
const ValuesOfField = "field"

// TaskValues are the values of the user fields of tasks, for features that read them and write none.
var TaskValues = records.Collection[TaskValue]{
	Name: "task-values",
	ID:   func(v *TaskValue) string { return records.Join(v.TaskID, v.UserFieldID) },
	Indexes: []records.Index[TaskValue]{{
		Name:  ValuesOfField,
		Value: func(v *TaskValue) string { return v.UserFieldID },
	}},
}

// NamedCodeValue is a value of a code.
type NamedCodeValue struct {
	ID     string `json:"id"`
	CodeID string `json:"codeId"`
	Name   string `json:"name"`
}

// ValuesOfCode is the index of CodeValues by code.
const ValuesOfCode = "code"

// CodeValues are the values of codes, for features that read them and write none.
var CodeValues = records.Collection[NamedCodeValue]{
	Name: "code-values",
	ID:   func(v *NamedCodeValue) string { return v.ID },
	Indexes: []records.Index[NamedCodeValue]{{
		Name:  ValuesOfCode,
		Value: func(v *NamedCodeValue) string { return v.CodeID },
	}},
}

// CodedTask records that a task has a value of a code.
type CodedTask struct {
	TaskID      string `json:"taskId"`
	CodeValueID string `json:"codeValueId"`
}

// TasksOfValue is the index of CodedTasks by value.
const TasksOfValue = "value"

// CodedTasks are the assignments of the values of codes, for features that read them and write none.
var CodedTasks = records.Collection[CodedTask]{
	Name: "code-value-assignments",
	ID:   func(v *CodedTask) string { return records.Join(v.TaskID, v.CodeValueID) },
	Indexes: []records.Index[CodedTask]{{
		Name:  TasksOfValue,
		Value: func(v *CodedTask) string { return v.CodeValueID },
	}},
}

// UserFields and Codes are asked of alone whether they are there.
var (
	UserFields = records.Collection[struct{}]{Name: "user-fields"}
	Codes      = records.Collection[struct{}]{Name: "codes"}
)
