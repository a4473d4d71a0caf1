// Package models is a registry of models: which there are, what they hold as of each of
// their changesets, and their saved views. It is for platforms whose models live nowhere
// else. Transformations, package transform, build on it:
//
//	svc := transform.New(store, transform.Config{}).Models()
//	model, err := svc.CreateModel(ctx, models.NewModel{TwinID: twin, DisplayName: "Site"})
//
// Every failure is a *twinplatform.Error with the documented code.
package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Permissions that the registry asks for on a twin.
const (
	// PermissionProjectRead lets a caller see that a project is there.
	PermissionProjectRead = twinplatform.PermissionTwinsRead
	// PermissionModelsRead lets a caller read the models of a project.
	PermissionModelsRead = twinplatform.PermissionModelsRead
	// PermissionModelsWrite lets a caller change the models of a project.
	PermissionModelsWrite = twinplatform.PermissionModelsWrite
)

// Limits of texts, in characters.
const (
	MaxName    = 255
	MaxComment = 1_000
	MaxID      = 128
)

// Pages of models and of what they hold.
const (
	DefaultTop = 100
	MaxTop     = 1_000
)

// ModelAuthorizer reports what callers may do with a single model where their project
// grants nothing: it is asked for a permission that the caller does not hold on the
// project, and never takes away one that it does.
type ModelAuthorizer interface {
	// AllowedOnModel reports whether p holds the permission on a model of the
	// target's twin. Ids of models are unique within an account alone.
	AllowedOnModel(ctx context.Context, p twinplatform.Principal, permission string, target twinplatform.Target,
		modelID string) (bool, error)
}

// Service is the registry of models. It is safe for concurrent use.
type Service struct {
	db     *records.DB
	env    twinplatform.Env
	bench  judge.Bench
	grants ModelAuthorizer // nil: the members of models
	roles  RoleDirectory
	uses   area.Uses

	blobs *blob.Keeper
	// known is a *known. Behind an interface, what imports this package does not compile
	// every generic type that it is made of once more.
	known any
}

// Config configures a Service: these fields mean what they mean in the Config of package
// transform.
type Config struct {
	Roles            RoleDirectory
	ModelPermissions ModelAuthorizer
}

// New returns the registry of an area. It is of use to package transform alone, whose
// service has it.
func New(a area.Area, cfg Config, uses area.Uses) *Service {
	s := &Service{db: a.DB, env: a.Env, bench: a.Bench, grants: cfg.ModelPermissions, roles: cfg.Roles, uses: uses}
	s.blobs = blob.NewKeeper(s.db, s.env)
	s.known = &known{deletion: jobs.Define(a.Jobs, "model.delete", s.removeModel, "models.delete")}
	a.Jobs.AddGC(s.blobs.Sweep)
	return s
}

// none is the patch of what is not changed by one.
type none struct{}

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }
