// Package model is what the core of the schedules area and its features have in common.
//
// A feature is a package with types of records of its own and a handle to them, such as
// schedules/files. It knows of the area what this package says, and never imports the core.
// The core knows a feature by its [Feature]: what is stored, and what is cleared away. So a
// schedule is cloned and deleted whole whatever a program imports.
package model

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Feature is what the core knows of a feature.
type Feature struct {
	// Kinds are its types of records.
	Kinds []entity.Stored
	// Tidying, when given, returns what clears away what the feature alone knows to be of no
	// more use.
	Tidying func(Area) jobs.Tidying
}

// Area is what a feature gets of the service that it belongs to.
type Area struct {
	Access

	DB    *records.DB
	Env   twinplatform.Env
	Blobs *blob.Keeper
}

// Access leads to the schedules, with the rights of the caller in the context.
type Access interface {
	// Read runs fn over a schedule that is visible to the caller, in one transaction.
	// missing is what the caller is told where there is none.
	Read(ctx context.Context, scheduleID string, missing *problem.Absent, fn func(*records.View, *Schedule) error) error
	// Change runs fn over a schedule that the caller may change and that is ready for
	// changes, in one transaction. fits, when given, says which sorts of schedules take the
	// change, before it is asked whether this one is ready.
	Change(
		ctx context.Context, scheduleID string, fits func(*Schedule) error, fn func(*records.Update, *Schedule) error,
	) error
}

// Schedule is one as features see it.
type Schedule struct {
	AccountID string        // that it belongs to
	Scope     records.Scope // of what it holds
	Type      string        // such as v10
}

// Plan is a handle of the core: schedules.Plan.
type Plan interface {
	// ID is the id of the schedule.
	ID() string
	// Area is the service that has it.
	Area() Area
}
