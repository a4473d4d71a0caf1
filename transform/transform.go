// Package transform keeps the configurations of transformations, what geometry of a
// source model goes into a target model, and runs them. It builds on a registry of
// models, [Service.Models], for platforms whose models live nowhere else.
//
// Creating a configuration runs nothing. It checks all that a run will need: the
// projects and models on both sides, the saved view, and what the caller may do.
//
// Projects are twins. Every failure is a *twinplatform.Error with the documented
// code.
//
// # Configurations and runs
//
// [Service.CreateConfiguration] says what is to be copied: the elements that a saved view shows. A [Transformation] is a
// run of it; each run after the first brings what has changed in the source since.
//
// # Models
//
// Package models keeps models, their changesets and elements, and saved views. Package transformtest has the suite for
// models of a program's own.
package transform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Permissions that transformations ask for on a twin.
const (
	// PermissionProjectRead lets a caller see that a project is there.
	PermissionProjectRead = twinplatform.PermissionTwinsRead
	// PermissionModelsRead lets a caller read the models of a project. It is
	// what a configuration needs at its source.
	PermissionModelsRead = twinplatform.PermissionModelsRead
	// PermissionModelsWrite lets a caller change the models of a project. It is
	// what a configuration needs at its target.
	PermissionModelsWrite = twinplatform.PermissionModelsWrite
)

// Limits of texts, in characters.
const (
	MaxName    = 255
	MaxComment = 1_000
	MaxID      = 128
)

// Pages of configurations and transformations.
const (
	DefaultTop = 100
	MaxTop     = 1_000
)

// Config configures a Service. The zero value is ready.
type Config struct {
	// Env is the clock, the ids, the log and the authorizer.
	Env twinplatform.Env
	// Twins reports which projects there are. Nil takes every id for a twin of the
	// caller's own account, and of none where the system calls.
	Twins twinplatform.TwinDirectory
	// Models reports which models and saved views there are. Nil asks the service's own
	// registry.
	Models ModelDirectory
	// Contents knows the content of the models of Models. Nil means that they have
	// none to transform. Without Models, models hold their own.
	Contents Contents
	// Roles reports what the roles of twins hold, which members of models are given. Nil
	// means that there are none, and so no members of models.
	Roles models.RoleDirectory
	// ModelPermissions grants permissions on single models in place of their members.
	// With nil, members decide: see [models.Service.CreateModelMember].
	ModelPermissions models.ModelAuthorizer
}

// Service is the transformations area. It is safe for concurrent use.
type Service struct {
	db        *records.DB
	env       twinplatform.Env
	bench     judge.Bench
	models    *models.Service
	directory ModelDirectory // nil: the registry
	contents  Contents       // nil: the registry's own

	jobs *jobs.Runner
	// long is a *long. Behind an interface, what imports this package does not compile every
	// generic type that it is made of once more.
	long any
}

// long is what a service does as long-running operations.
type long struct {
	transform  jobs.Kind[transforming, struct{}]
	forgetRuns jobs.Kind[forgetting, Configuration]
}

func longOf(s *Service) *long { return s.long.(*long) }

// New returns the transformations area over a store.
func New(store storage.Store, cfg Config) *Service {
	a := area.New(store, cfg.Env, cfg.Twins)
	s := &Service{db: a.DB, env: a.Env, bench: a.Bench, jobs: a.Jobs, directory: cfg.Models, contents: cfg.Contents}
	if cfg.Models != nil && cfg.ModelPermissions == nil {
		cfg.ModelPermissions = noMembers{}
	}
	s.models = models.New(a, models.Config{Roles: cfg.Roles, ModelPermissions: cfg.ModelPermissions}, uses{s})
	s.long = &long{
		forgetRuns: jobs.Define(s.jobs, "configuration.delete", s.removeConfiguration, "configurations.delete"),
		transform: jobs.DefineOutside(s.jobs, "transformation.run",
			jobs.Outside[transforming]{Step: s.transformStep, Failed: s.transformFailed},
			"transformations.create").Holdable(),
	}
	s.jobs.AddGC(s.forgetEnded)
	return s
}

// Models is the registry of models over the same store. That of a nil Service is nil.
func (s *Service) Models() *models.Service {
	if s == nil {
		return nil
	}
	return s.models
}

// none is the patch of what is not changed by one.
type none struct{}

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }
