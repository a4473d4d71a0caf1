// Package realitydata keeps reality data: scans, photos, meshes and point clouds
// that belong to twins, with where their bytes are. It also keeps detectors,
// the trained networks that analyse them.
//
// The records live in the store; the bytes live wherever a [Containers] says.
// Package filestore keeps them in a folder and serves them under signed addresses.
//
// Every failure is a *twinplatform.Error with the documented code.
//
// # Records and bytes
//
// [Service.CreateRealityData] makes a record. Its bytes are written to and read from addresses that end, and that are
// signed for one record.
//
// # Detectors
//
// [Service.CreateDetector] makes one, and [Service.CreateJob] submits work on reality data.
package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Permissions of reality data, held on a twin. Each of the last two implies the
// first.
const (
	// PermissionUse lets a caller see reality data and read its bytes.
	PermissionUse = twinplatform.PermissionRealityDataUse
	// PermissionCreate lets a caller make reality data.
	PermissionCreate = twinplatform.PermissionRealityDataCreate
	// PermissionManage lets a caller change, move and delete reality data and
	// write its bytes.
	PermissionManage = twinplatform.PermissionRealityDataManage
)

// Limits. Lengths are in characters.
const (
	MaxName        = 255   // displayName, dataset, group, acquirer, attribution, rootDocument, ids
	MaxDescription = 2_000 // description, termsOfUse
	MaxType        = 100
	MaxTag         = 60
	MaxTags        = 15
	MaxTwins       = 100 // that one piece of reality data is associated with
	DefaultTop     = 100
	MaxTop         = 1_000
)

// TwinPlaces is what a TwinDirectory may be besides: it says where the data of
// twins are kept. The reality data of a twin are kept there too.
type TwinPlaces interface {
	// TwinDataCenter returns the data center of a twin, or nothing where that is
	// not known.
	TwinDataCenter(ctx context.Context, twinID string) (location string, err error)
}

// Containers reports where the bytes of reality data and of detectors are.
type Containers interface {
	// ContainerURL returns an address under which the caller in ctx can read a
	// container, or read and write it, for as long as it may. A client adds the
	// path of a file to its path.
	ContainerURL(ctx context.Context, containerID string, write bool) (string, error)
	// ContainerSize returns the number of bytes in a container; one that was
	// never written to has none.
	ContainerSize(ctx context.Context, containerID string) (int64, error)
	// RemoveContainer deletes a container with all that is in it. Removing
	// what is not there is no error.
	RemoveContainer(ctx context.Context, containerID string) error
}

// ContainerCounts is what Containers may be besides: they count the bytes of containers as files come and go, so
// that noting the size of data after each file reads none of the others.
type ContainerCounts interface {
	// CountedSize returns the number of bytes in a container, and false where it must be measured.
	CountedSize(containerID string) (bytes int64, ok bool)
}

// Config configures a Service. The zero value is ready.
type Config struct {
	// Env is the clock, the ids, the log and the authorizer.
	Env twinplatform.Env
	// Twins reports which twins there are. Nil takes every id for a twin of the caller's
	// own account, and of none where the system calls.
	Twins twinplatform.TwinDirectory
	// Containers is where the bytes are. Nil refuses read and write access with Unavailable,
	// and leaves sizes at 0. Jobs are done where it is a ContainerFiles too, as a
	// filestore.Store is.
	Containers Containers
	// DataCenter is where data are kept whose twin does not say it: "East US"
	// when empty.
	DataCenter string
}

// Service is the reality data area. It is safe for concurrent use.
type Service struct {
	db         *records.DB
	env        twinplatform.Env
	bench      judge.Bench
	places     TwinPlaces // nil when the directory knows none
	containers Containers
	dataCenter string
	removing   keyedMutex     // by container
	sizing     keyedMutex     // by container
	files      ContainerFiles // nil where the containers are none
	runner     *jobs.Runner
	// work is a jobs.Kind[jobWork, struct{}]. Behind an interface, what imports this package does
	// not compile every generic type that it is made of once more.
	work any
}

// New returns the reality data area over a store.
func New(store storage.Store, cfg Config) *Service {
	s := &Service{
		db: records.New(store), env: cfg.Env.WithDefaults(),
		containers: cfg.Containers, dataCenter: cfg.DataCenter,
	}
	s.bench = judge.Bench{DB: s.db, Env: s.env, Twins: cfg.Twins}
	s.places, _ = cfg.Twins.(TwinPlaces)
	if s.containers == nil {
		s.containers = nowhere{}
	}
	s.db.OnEvents(s.env.OnEvents)
	s.files, _ = s.containers.(ContainerFiles)
	s.runner = jobs.NewRunner(s.db, s.env, "realitydata")
	s.defineJobs()
	if s.dataCenter == "" {
		s.dataCenter = "East US"
	}
	return s
}

// Run does the jobs that are in the background, or that an earlier process left, and forgets
// what has ended longer ago than Env.Retain, until ctx is done. It returns nil then, and an
// error only when the store does.
func (s *Service) Run(ctx context.Context) error { return s.runner.Run(ctx) }

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }

// nowhere is where bytes are that are not kept.
type nowhere struct{}

var errNowhere = &twinplatform.Error{
	Kind: twinplatform.Unavailable, Code: "StorageUnavailable",
	Message: "This platform does not keep the bytes of reality data.",
}

func (nowhere) ContainerURL(context.Context, string, bool) (string, error) { return "", errNowhere }
func (nowhere) ContainerSize(context.Context, string) (int64, error)       { return 0, nil }
func (nowhere) RemoveContainer(context.Context, string) error              { return nil }
