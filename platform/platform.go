// Package platform wires the domains together over one store.
//
//	p, err := platform.New(store, platform.Config{})
//	if err != nil {
//		return err
//	}
//	defer p.Close()
//	go p.Run(ctx)
//	tower, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Thing, DisplayName: "Tower"})
//	if err != nil {
//		return err
//	}
//	_, err = p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: tower.Value().ID})
//
// The twins area knows which twins there are and, unless Config.Env has an authorizer,
// who may do what at them. The other areas ask it. A twin for which they hold records
// cannot be deleted. Each change is an event for webhooks.
//
// A program that wants one area alone, or has its own directory of twins, makes the
// services that it needs by itself; they do not depend on this package.
package platform

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Platform is the areas of the platform over one store. It is safe for
// concurrent use.
type Platform struct {
	// Twins is the twins area with access control.
	Twins *twins.Service
	// Schedules is the schedules area.
	Schedules *schedules.Service
	// Forms is the forms area.
	Forms *forms.Service
	// RealityData is the reality data area with detectors.
	RealityData *realitydata.Service
	// Transform is the transformations area with the registry of models.
	Transform *transform.Service
	// Webhooks is the webhooks area.
	Webhooks *webhooks.Service

	cfg     Config
	formats formats
	store   storage.Store
	db      *records.DB     // over the store
	ledger  *records.Ledger // of the store
	polled  storage.Store   // the store as all areas have it, who look together for what is to be done
	areas   []area

	closing context.Context // done once Close begins
	stop    context.CancelFunc
	running sync.WaitGroup
	seeding chan struct{} // holds one while this process seeds, or grants
	runs    atomic.Int64  // calls of Run that work everything off
	mu      sync.Mutex    // guards the rest, and running.Add against running.Wait
	closed  bool
	counts  bool // what is written is reported to the ledger
}

// New wires the areas together over a store. It starts nothing: see Run. It fails when
// cfg sets for an area what the platform decides, and then the store and the containers
// stay with the caller; otherwise Close closes them.
func New(store storage.Store, cfg Config) (*Platform, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	p := newPlatform(store, cfg, nil)
	p.SetBudget(cfg.Budget)
	return p, nil
}

// newPlatform is a platform that counts by the ledger of another one over the same store,
// to which an engine reports what is written, or by one of its own.
func newPlatform(store storage.Store, cfg Config, ledger *records.Ledger) *Platform {
	p := &Platform{cfg: cfg, formats: ours, store: store, seeding: make(chan struct{}, 1), ledger: ledger}
	if ledger == nil {
		p.ledger = records.NewLedger(whose, upkeep, p.reportBudget)
	}
	p.db = records.New(store)
	p.db.Clock(cfg.Env.WithDefaults())
	p.db.Believed()
	p.closing, p.stop = context.WithCancel(context.Background())
	p.wireAreas(cfg)
	return p
}

// ErrClosed is returned by Run of a platform that is closed.
var ErrClosed = errors.New("platform: it is closed")

// Run does what no request waits for, until ctx is done or the platform is closed:
// operations in background mode and those that an earlier process left, what deleted
// records leave behind, and the delivery of events. It also takes up events that no one
// listens to, which would pile up otherwise.
//
// It returns nil then, once all of it has come to rest, and an error only when the
// store fails, or, a [*FormatError], when a later version of the module begins to write to
// a store that several processes have open: then this one is to end. Several processes over
// one store may each have a Run.
func (p *Platform) Run(ctx context.Context) error {
	if !p.begin() {
		return ErrClosed
	}
	defer p.running.Done()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(p.closing, stop)()
	p.runs.Add(1)
	defer p.runs.Add(-1)
	work := []func(context.Context) error{p.watchFormat, p.watchClock}
	for _, a := range p.areas {
		work = append(work, a.Run)
	}
	ended := make(chan error, len(work))
	for _, run := range work {
		go func() {
			defer stop() // what fails takes the others with it
			ended <- run(ctx)
		}()
	}
	var err error
	for range work {
		err = errors.Join(err, <-ended)
	}
	return err
}

// ForgetDue ends and forgets at once what Run does in its own time: marks of statuses that
// are over; deletions, ended operations and transformations that Env.Retain has run out for.
// It is for programs whose clock is moved, such as tests.
func (p *Platform) ForgetDue(ctx context.Context) error {
	if err := p.Schedules.EndDue(ctx); err != nil {
		return err
	}
	env := p.cfg.Env.WithDefaults()
	if err := jobs.ForgetDue(ctx, p.db, env); err != nil || env.Retain < 0 {
		return err
	}
	return p.Transform.PurgeDeleted(ctx, env.Retain)
}

// Running reports whether a Run is under way: operations in the background are worked
// off, and events delivered.
func (p *Platform) Running() bool { return p.runs.Load() > 0 }

// begin counts a Run, unless the platform is closed.
func (p *Platform) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.running.Add(1)
	}
	return !p.closed
}

// Close ends every Run and waits for it, then closes the containers of reality
// data, where they can be closed, and the store. A second call does nothing.
func (p *Platform) Close() error {
	p.mu.Lock()
	closed := p.closed
	p.closed = true
	p.mu.Unlock()
	if closed {
		return nil
	}
	p.stop()
	p.running.Wait()
	var err error
	if c, ok := p.cfg.RealityData.Containers.(io.Closer); ok {
		err = c.Close()
	}
	return errors.Join(err, p.store.Close())
}
