// Package transform keeps the configurations of transformations: what geometry
// of a source model goes into a target model. It also has a registry of models
// and of their saved views, for platforms whose models live nowhere else.
//
// Creating a configuration runs nothing. It checks all that a run will need: the
// projects and models on both sides, the saved view, and what the caller may do.
//
// Projects are twins. Every failure is a *twinplatform.Error with the documented
// code.
package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
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

// Pages of configurations, models and saved views.
const (
	DefaultTop = 100
	MaxTop     = 1_000
)

// ModelDirectory says which models and saved views there are. Like a TwinDirectory and
// an authorizer, one that is twinplatform.Transactional is asked within the transaction
// that acts on the answer, any other before it.
type ModelDirectory interface {
	LookupModel(ctx context.Context, modelID string) (m Model, ok bool, err error)
	LookupSavedView(ctx context.Context, savedViewID string) (v SavedView, ok bool, err error)
}

// ModelAuthorizer says what callers may do with a single model where their project
// says nothing: it is asked for a permission that the caller does not hold on the
// project, and never takes away one that it does.
type ModelAuthorizer interface {
	// AllowedOnModel reports whether p holds the permission on a model of the
	// target's twin. Ids of models are unique within an account alone.
	AllowedOnModel(ctx context.Context, p twinplatform.Principal, permission string, target twinplatform.Target, modelID string) (bool, error)
}

// Config says how a Service is to work. The zero value is ready.
type Config struct {
	// Env is the clock, the ids, the log and the authorizer.
	Env twinplatform.Env
	// Twins says which projects there are. Nil takes every id for a twin of the
	// caller's own account, and of none where the system calls.
	Twins twinplatform.TwinDirectory
	// Models says which models and saved views there are. Nil asks the
	// service's own registry.
	Models ModelDirectory
	// Contents knows the content of the models of Models. Nil means that they have
	// none to transform. Without Models, models hold their own.
	Contents Contents
	// Roles says what the roles of twins hold, which members of models are given. Nil
	// means that there are none, and so no members of models.
	Roles RoleDirectory
	// ModelPermissions grants permissions on single models in the place of their
	// members. With nil, members decide: see CreateModelMember.
	ModelPermissions ModelAuthorizer
}

// Service is the transformations area. It is safe for concurrent use.
type Service struct {
	db     *records.DB
	env    twinplatform.Env
	bench  judge.Bench
	models ModelDirectory  // nil: the registry
	grants ModelAuthorizer // nil: the members of models
	roles  RoleDirectory

	jobs        *jobs.Runner
	blobs       *blob.Keeper
	deleteModel jobs.Kind[removal, Model]
	transform   jobs.Kind[transforming, struct{}]
	forgetRuns  jobs.Kind[forgetting, Configuration]
	contents    Contents // nil: the registry's own
}

// New returns the transformations area over a store.
func New(store storage.Store, cfg Config) *Service {
	s := &Service{db: records.New(store), env: cfg.Env.WithDefaults(), models: cfg.Models, grants: cfg.ModelPermissions, roles: cfg.Roles}
	s.bench = judge.Bench{DB: s.db, Env: s.env, Twins: cfg.Twins}
	s.blobs = blob.NewKeeper(s.db, s.env)
	s.jobs = jobs.NewRunner(s.db, s.env, "transform")
	s.deleteModel = jobs.Define(s.jobs, "model.delete", s.removeModel, "models.delete")
	s.forgetRuns = jobs.Define(s.jobs, "configuration.delete", s.removeConfiguration, "configurations.delete")
	s.jobs.Tidy(s.forgetEnded)
	s.jobs.Tidy(s.blobs.Sweep)
	s.contents = cfg.Contents
	s.transform = jobs.DefineOutside(s.jobs, "transformation.run", jobs.Outside[transforming]{Step: s.transformStep, Failed: s.transformFailed}, "transformations.create").Holdable()
	s.db.OnEvents(s.env.OnEvents)
	s.db.Clock(s.env.Now)
	return s
}

// none is the patch of what is not changed by one.
type none struct{}

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }
