package filestore

import (
	"context"
	"time"
)

// tendEvery is how often a Store looks after its backend.
const tendEvery = time.Hour

// Run looks after the backend until ctx is done: blocks that became no file within BlockTime
// are removed. Of a Shared one it also removes drafts that will never be finished,
// and counts containers that this Store has not been asked about, one
// at a time and with rests, for the limit of their account. Any number of Stores may. It
// returns nil once ctx is done, also where there is nothing to look after.
func (s *Store) Run(ctx context.Context) error {
	for (s.shared != nil || s.shelf != nil) && ctx.Err() == nil {
		if err := s.tend(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Logger.WarnContext(ctx, "maintenance of files failed", "error", err)
		}
		s.sleep(ctx, tendEvery)
	}
	<-ctx.Done()
	return nil
}

func (s *Store) sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// longest is how long a client may take to send a file.
func (s *Store) longest() time.Duration {
	seconds := float64(s.cfg.MaxFile) / float64(s.cfg.MinRate)
	const most = 7 * 24 * time.Hour // where nothing is limited
	if seconds > most.Seconds() {
		return most
	}
	return min(most, s.cfg.Grace+time.Duration(seconds*float64(time.Second)))
}

func (s *Store) tend(ctx context.Context) error {
	r := s.following()
	if s.shared == nil {
		if r == nil {
			return nil
		}
		return s.sweepBlocks(ctx, r)
	}
	if err := s.shared.Sweep(ctx, s.longest()); err != nil {
		return err
	}
	if r == nil {
		return nil
	}
	if err := s.sweepBlocks(ctx, r); err != nil {
		return err
	}
	if err := s.forgetRemoved(ctx, s.containersOf(nil)); err != nil || s.cfg.MaxAccount == noLimit {
		return err
	}
	strays := 0
	for id, err := range s.backend.Containers(ctx) {
		if err != nil {
			return err
		}
		accountID, ok, err := accountOf(ctx, r, id)
		if err != nil {
			return err
		}
		if !ok {
			strays++
			continue
		}
		began := time.Now()
		if _, err := s.counted(ctx, id, accountID); err != nil {
			return err
		}
		s.sleep(ctx, 4*time.Since(began))
	}
	s.warnOfStrays(ctx, strays)
	return nil
}

// forgetRemoved gives back what containers take up that another Store has removed.
func (s *Store) forgetRemoved(ctx context.Context, of map[string]*container) error {
	r := s.following()
	for id, c := range of {
		_, there, err := accountOf(ctx, r, id)
		if err != nil {
			return err
		}
		if !there {
			c.commit.Lock()
			s.forget(id, c)
			c.commit.Unlock()
		}
	}
	return nil
}

// unlooked returns the containers of an account, unless a caller has just looked whether
// they are still there: an account that is full may ask for it again and again.
func (s *Store) unlooked(a *account) map[string]*container {
	s.mu.Lock()
	now := s.cfg.Now()
	soon := now.Before(a.looked.Add(s.shared.Fresh()))
	if !soon {
		a.looked = now
	}
	s.mu.Unlock()
	if soon {
		return nil
	}
	return s.containersOf(a)
}

// containersOf returns what is known of the containers of an account, or of all.
func (s *Store) containersOf(a *account) map[string]*container {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := make(map[string]*container)
	for id, c := range s.containers {
		if a == nil || c.account == a {
			found[id] = c
		}
	}
	return found
}
