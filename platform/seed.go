package platform

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// SeedOptions say what a world leaves open. The zero value is ready.
type SeedOptions struct {
	// Owner is who detectors belong to that name no owner, and whose account
	// twins belong to that name no account.
	Owner twinplatform.Principal
}

// Seed fills the platform with a world, whole or not at all: the seeding is first a dry
// run, before anything is written to the store. Each part is made once in the life of the
// store. What users have done to one since, also deleting it, stays; so a program may
// seed at each start. A nil world has no parts.
//
// Errors name the part and what its service says. It fails where the store has a part
// that comes from nowhere else than its users. When the process dies, or the store fails,
// in the middle of the seeding, the next call continues with it. Several processes over
// one store may seed it at once: they do so one after the other.
func (p *Platform) Seed(ctx context.Context, w *World, o SeedOptions) error {
	if w == nil {
		return nil
	}
	if err := w.check(); err != nil {
		return fmt.Errorf("seeding: %w", err)
	}
	return p.underLease(ctx, func(ctx context.Context) error { return p.seed(ctx, w, o) })
}

// seed is Seed of a world that is checked.
func (p *Platform) seed(ctx context.Context, w *World, o SeedOptions) error {
	stage, err := p.stage(o)
	if err != nil {
		return err
	}
	if err := errors.Join(stage.apply(ctx, w, false), stage.store.Close()); err != nil {
		return err
	}
	s, err := newSeeder(p, p.cfg, p.store, o)
	if err != nil {
		return err
	}
	return s.apply(ctx, w, true)
}

// seeder makes the parts of a world. Its services are the system's: they run
// operations at once, and take from it the ids and the times that the platform
// would choose.
type seeder struct {
	*Platform

	owner twinplatform.Principal
	next  string // id of what is made next
	at    date   // when it was made
}

// date is when something of a world was made or changed: at the present where it is left
// out, and at no known time where it is null.
type date = twinplatform.Optional[twinplatform.DateTime]

func newSeeder(p *Platform, cfg Config, store storage.Store, o SeedOptions) (*seeder, error) {
	s := &seeder{owner: o.Owner}
	env := cfg.Env.WithDefaults()
	cfg.Env.NewID, cfg.Env.NewGUID = s.chosen(env.NewID), s.chosen(env.NewGUID)
	cfg.Env.Now = func() time.Time {
		if s.at.Present() {
			return s.at.Or(twinplatform.DateTime{}).Time
		}
		return env.Now()
	}
	cfg.Env.OnEvents = func() {
		if store == p.store {
			p.Webhooks.Wake()
			env.OnEvents()
		}
	}
	cfg.Env.Logger = env.Logger
	cfg.Env.Authorizer, cfg.Env.Background = systemClients{}, false
	if err := cfg.check(); err != nil {
		return nil, err
	}
	var ledger *records.Ledger // of a store that is written to, which counts for p
	if store == p.store {
		ledger = p.ledger
	}
	s.Platform = newPlatform(store, cfg, ledger)
	return s, nil
}

// chosen is a source of ids that begins with the one of the world.
func (s *seeder) chosen(otherwise func() string) func() string {
	return func() string {
		if id := s.next; id != "" {
			s.next = ""
			return id
		}
		return otherwise()
	}
}

func (s *seeder) apply(ctx context.Context, w *World, logged bool) error {
	for _, l := range lists {
		made, before := 0, 0
		for _, p := range inOrder(l.parts(s, w)) {
			done, err := s.once(ctx, l.name, p)
			switch {
			case err != nil:
				return fmt.Errorf("seeding %s[%d], the %s %q: %w", l.name, p.index, l.resource, p.id, err)
			case done:
				before++
			default:
				made++
			}
		}
		if logged && made+before > 0 && l.name != definitionsFinal {
			s.cfg.Env.Logger.InfoContext(ctx, "seed applied", "of", l.name, "made", made, "before", before)
		}
	}
	return nil
}

// once makes a part unless a mark shows that it was made before.
func (s *seeder) once(ctx context.Context, list string, p part) (done bool, err error) {
	s.at = p.at
	defer func() { s.next, s.at = "", date{} }()
	ctx, account := s.actingFor(ctx, p)
	mark := markOf(list, p.id)
	if account != nil {
		mark = markOf(list, *account+"\n"+p.id)
	}
	state, err := s.mark(ctx, mark)
	if err != nil || state == seedDone {
		return true, err
	}
	err = p.find(ctx)
	there := err == nil
	if !there && !errors.Is(err, twinplatform.NotFound) {
		return false, err
	}
	switch {
	case there && state != seedBegun:
		return false, errors.New("the store has one that does not come from a seed")
	case there && p.remove == nil:
		return false, s.setMark(ctx, mark, seedDone)
	case there:
		if err := p.remove(ctx); err != nil {
			return false, err
		}
	}
	if err := s.setMark(ctx, mark, seedBegun); err != nil {
		return false, err
	}
	if err := p.make(ctx); err != nil {
		return false, err
	}
	return false, s.setMark(ctx, mark, seedDone)
}

// actingFor is the context in which a part is made, and the account whose id its
// id is; nil where ids are unique over all accounts.
func (s *seeder) actingFor(ctx context.Context, p part) (context.Context, *string) {
	switch {
	case p.owner != nil && p.owner.ID == "" && p.owner.AccountID == "":
		return ctx, &p.owner.AccountID // the system
	case p.owner != nil:
		return twinplatform.WithPrincipal(ctx, *p.owner), &p.owner.AccountID
	case p.twin != "":
		return s.within(ctx, p.twin)
	}
	return ctx, nil
}
