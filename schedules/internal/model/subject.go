package model

import (
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Subject is a type of record of the core that records of features belong to.
type Subject struct {
	// One and Many are its names, as in operations, and Resource is what errors call one.
	One, Many, Resource string
	// Missing is the error of one that is not there.
	Missing *problem.Absent

	records records.Collection[struct{}] // of which it is asked alone whether they are there
}

// The types of records that records of features belong to.
var (
	Tasks = &Subject{
		One: "task", Many: "tasks", Resource: "task", Missing: problem.NotFound("TaskNotFound", "taskId", "task"),
		records: records.Collection[struct{}]{Name: "tasks"},
	}
	Resources = &Subject{
		One: "resource", Many: "resources", Resource: "resource", Missing: problem.NotFound("ResourceNotFound",
			"resourceId", "resource"),
		records: records.Collection[struct{}]{Name: "resources"},
	}
	ResourceGroups = &Subject{
		One: "resourceGroup", Many: "resourceGroups", Resource: "resource group",
		Missing: problem.NotFound("ResourceGroupNotFound", "", "resource group"),
		records: records.Collection[struct{}]{Name: "resource-groups"},
	}
	ResourceAssignments = &Subject{
		One: "resourceAssignment", Many: "resourceAssignments", Resource: "resource assignment",
		Missing: problem.NotFound("ResourceAssignmentNotFound", "resourceAssignmentId", "resource assignment"),
		records: records.Collection[struct{}]{Name: Assignments.Name},
	}
	Entities3D = &Subject{
		One: "entity3d", Many: "entities3d", Resource: "3D entity", Missing: problem.NotFound("Entity3dNotFound",
			"entity3dId", "3D entity"),
		records: records.Collection[struct{}]{Name: "entities-3d"},
	}
)

// Collection is the name of the collection that has the records.
func (s *Subject) Collection() string { return s.records.Name }

// Table is what is asked whether a record is there.
func (s *Subject) Table() *records.Table { return s.records.Table() }

// Needs are the records with ids, of which some may be empty.
func (s *Subject) Needs(in records.Scope, ids ...string) []records.Need {
	return s.records.Needs(in, ids...)
}

// NeedsAll is the beginning of what Count reads.
func (s *Subject) NeedsAll(in records.Scope) []records.Need { return s.records.NeedsAll(in) }

// Has reports whether there is a record with an id.
func (s *Subject) Has(tx records.Reading, in records.Scope, id string) (bool, error) {
	return s.records.Has(tx, in, id)
}

// Exists checks within a list that the record which it belongs to is there.
func (s *Subject) Exists(id string) func(*records.View, records.Scope) error {
	return Exists(&s.records, id)
}

// Count is how many records there are.
func (s *Subject) Count(tx records.Reading, in records.Scope) int { return s.records.Count(tx, in) }
