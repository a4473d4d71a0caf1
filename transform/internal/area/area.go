// Package area is what the registry of models, transform/models, and the transformations
// over it, transform, have in common. The transformations build on the registry, which
// knows of them only [Uses].
package area

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Area is the store of the area, and what works on it.
type Area struct {
	DB    *records.DB
	Env   twinplatform.Env
	Bench judge.Bench
	// Jobs runs the operations of both: their journal is one.
	Jobs *jobs.Runner
}

// New returns the area of a store.
func New(store storage.Store, env twinplatform.Env, twins twinplatform.TwinDirectory) Area {
	a := Area{DB: records.New(store), Env: env.WithDefaults()}
	a.Bench = judge.Bench{DB: a.DB, Env: a.Env, Twins: twins}
	a.Jobs = jobs.NewRunner(a.DB, a.Env, "transform")
	a.DB.OnEvents(a.Env.OnEvents)
	return a
}

// Uses reports what names the entries of the registry, within the transaction of a judge.
type Uses interface {
	// NeedsOfModel are what ModelUnused reads.
	NeedsOfModel(modelKey string) []records.Need
	// ModelUnused fails while the model with a key is named.
	ModelUnused(tx records.Reading, modelKey string) error
	// ViewUnused fails while a saved view of the model with a key is named, and names
	// what of it the caller may see.
	ViewUnused(j *judge.Judge, tx records.Reading, modelKey, savedViewID string) error
}

// Writer is who writes to a model on behalf of the platform.
type Writer interface {
	// Writes fails where the writer writes no more, and reports that what it has written
	// is whole: what another process has ended, or begun to commit, stays as it is.
	Writes(tx records.Reading) (whole bool, err error)
	// Needs are what Writes reads.
	Needs() []records.Need
}

// How much is written to a draft in one transaction.
const (
	ItemsPerBatch = 256
	BytesPerBatch = 4 << 20
	TimePerBatch  = 5 * time.Millisecond
	// Over a network no one waits for the writer of the store, but what lasts loses races to what is short.
	TimePerFarBatch = 250 * time.Millisecond
)

// NoModel is the 404 of a project or model that is not there for the caller.
func NoModel(target string) *problem.Absent {
	return problem.NotFound("ModelNotFound", target, "project or model")
}

// NoView is the 404 of a saved view that is not there for the caller.
func NoView() *problem.Absent {
	return problem.NotFound("SavedViewNotFound", "savedViewId", "saved view")
}
