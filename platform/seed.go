package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// seededPrefix is where the store keeps how far each part of a seed has come. No
// scope of the platform's own records begins like that.
const seededPrefix = "examples/server/seeded/"

// The marks under it.
const (
	seedBegun = "begun" // being made; what is there may not be whole
	seedDone  = "done"  // belongs to the users now
)

// SeedOptions say what a world leaves open. The zero value is ready.
type SeedOptions struct {
	// Owner is who detectors belong to that name no owner, and whose account
	// twins belong to that name no account.
	Owner twinplatform.Principal
}

// Seed fills the platform with a world, whole or not at all: the seeding is
// rehearsed beside the store before anything is written to it. Each part is made
// once in the life of the store. What users have done to one since, also deleting
// it, stays; so a program may seed at each start.
//
// Errors name the part and what its service says. It fails where the store has a
// part that comes from nowhere else than its users. When the process dies, or the
// store fails, in the middle of the seeding, the next call goes on with it.
func (p *Platform) Seed(ctx context.Context, w *World, o SeedOptions) error {
	if err := w.check(); err != nil {
		return fmt.Errorf("seeding: %w", err)
	}
	stage, err := p.stage(o)
	if err != nil {
		return err
	}
	if err := stage.apply(ctx, w, false); err != nil {
		return errors.Join(err, stage.store.Close())
	}
	if err := stage.store.Close(); err != nil {
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
	next  string    // id of what is made next
	at    time.Time // when it was made; zero for the present
}

func newSeeder(p *Platform, cfg Config, store storage.Store, o SeedOptions) (*seeder, error) {
	s := &seeder{owner: o.Owner}
	env := cfg.Env.WithDefaults()
	cfg.Env.NewID, cfg.Env.NewGUID = s.chosen(env.NewID), s.chosen(env.NewGUID)
	cfg.Env.Now = func() time.Time {
		if !s.at.IsZero() {
			return s.at
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
	cfg.Env.Authorizer, cfg.Env.Background = insiders{}, false
	var err error
	s.Platform, err = New(store, cfg)
	return s, err
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

func (s *seeder) apply(ctx context.Context, w *World, told bool) error {
	for _, step := range []func(context.Context, *World) (tally, error){
		s.applyTwins, s.applyRoles, s.applyMembers, s.applyModels, s.applySavedViews, s.applyDefinitions, s.applyForms,
		s.applyStatuses, s.applyRealityData, s.applyDetectors, s.applySchedules,
	} {
		t, err := step(ctx, w)
		if err != nil {
			return err
		}
		if told && t.made+t.before > 0 {
			s.cfg.Env.Logger.InfoContext(ctx, "seed applied", "of", t.of, "made", t.made, "before", t.before)
		}
	}
	return nil
}

// tally counts the parts of one list of a world.
type tally struct {
	of           string
	made, before int
}

// part is how one thing of a world is made.
type part struct {
	id string
	// account is whose id it is; nil where ids are unique over all accounts.
	account *string
	at      twinplatform.DateTime
	// find fails with NotFound where the thing is not there.
	find func(context.Context) error
	make func(context.Context) error
	// remove undoes a make that did not come to its end; nil where that makes
	// all or nothing.
	remove func(context.Context) error
}

// each makes those parts of a world that were never made in this store.
func each[T any](ctx context.Context, s *seeder, list, noun string, items []T, as func(*T) (context.Context, part)) (tally, error) {
	t := tally{of: list}
	for i := range items {
		ctx, p := as(&items[i])
		s.at = p.at.Time
		done, err := s.once(ctx, list, p)
		s.next, s.at = "", time.Time{}
		if err != nil {
			return t, fmt.Errorf("seeding %s[%d], the %s %q: %w", list, i, noun, p.id, err)
		}
		if done {
			t.before++
		} else {
			t.made++
		}
	}
	return t, nil
}

// once makes a part unless a mark tells that it was made before.
func (s *seeder) once(ctx context.Context, list string, p part) (done bool, err error) {
	mark := markOf(list, p.id)
	state, err := s.mark(ctx, mark)
	if p.account != nil && err == nil {
		// A mark with the bare id is from before accounts had ids of their own.
		mark = markOf(list, *p.account+"\n"+p.id)
		if state == "" {
			state, err = s.mark(ctx, mark)
		}
	}
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

func markOf(list, id string) string {
	sum := sha256.Sum256([]byte(id))
	return list + "/" + hex.EncodeToString(sum[:])
}

func (s *seeder) mark(ctx context.Context, name string) (string, error) {
	var mark []byte
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		mark, err = r.Get(seededPrefix + name)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	})
	return string(mark), err
}

func (s *seeder) setMark(ctx context.Context, name, mark string) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		return w.Put(seededPrefix+name, []byte(mark))
	})
}

// outcome is the error of a call whose result nobody needs.
func outcome[T any](_ T, err error) error { return err }
