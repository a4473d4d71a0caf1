package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
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

// seeder fills a store with a world, each part of it once in the life of the
// store. What users have done to one since, also deleting it, stays.
type seeder struct {
	*platform.Platform // of the system; it runs operations at once

	store storage.Store
	owner twinplatform.Principal // of what says no owner or account
	log   *slog.Logger
	next  string // id of what is made next, which the platform would choose
}

func newSeeder(store storage.Store, owner twinplatform.Principal, files realitydata.Containers, log *slog.Logger) (*seeder, error) {
	s := &seeder{store: store, owner: owner, log: log}
	env := twinplatform.Env{Logger: log}
	random := env.WithDefaults()
	env.NewID, env.NewGUID = s.chosen(random.NewID), s.chosen(random.NewGUID)
	var err error
	s.Platform, err = platform.New(store, platform.Config{Env: env, RealityData: realitydata.Config{Containers: files}})
	return s, err
}

// chosen is a source of ids that begins with the one of the seed.
func (s *seeder) chosen(otherwise func() string) func() string {
	return func() string {
		if id := s.next; id != "" {
			s.next = ""
			return id
		}
		return otherwise()
	}
}

func (s *seeder) apply(ctx context.Context, w *world) error {
	for _, step := range []func(context.Context, *world) error{
		s.applyTwins, s.applyRoles, s.applyMembers, s.applyModels, s.applySavedViews, s.applyDefinitions, s.applyForms,
		s.applyRealityData, s.applyDetectors, s.applySchedules,
	} {
		if err := step(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// part is how one thing of a world is made.
type part struct {
	id string
	// find fails with NotFound where the thing is not there.
	find func(context.Context) error
	make func(context.Context) error
	// remove undoes a make that did not come to its end; nil where that makes
	// all or nothing.
	remove func(context.Context) error
}

// each makes those parts of a world that were never made in this store.
func each[T any](ctx context.Context, s *seeder, kind, noun string, items []T, as func(*T) part) error {
	made, before := 0, 0
	for i := range items {
		p := as(&items[i])
		mark := sha256.Sum256([]byte(p.id))
		done, err := s.once(ctx, kind+"/"+hex.EncodeToString(mark[:]), p)
		s.next = ""
		if err != nil {
			return fmt.Errorf("seeding %s[%d], the %s %q: %w", kind, i, noun, p.id, err)
		}
		if done {
			before++
		} else {
			made++
		}
	}
	if len(items) > 0 {
		s.log.InfoContext(ctx, "seed applied", "of", kind, "made", made, "before", before)
	}
	return nil
}

// once makes a part unless a mark tells that it was made before.
func (s *seeder) once(ctx context.Context, mark string, p part) (done bool, err error) {
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
