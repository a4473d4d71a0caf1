package schedules

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// The id of a schedule is unique within the account of its twin. So a record's
// key is account and id. Records from before accounts were told apart keep the
// bare id as their key.

// scheduleKey is the key of a schedule's record.
func scheduleKey(sc *Schedule) string {
	if !sc.scoped {
		return sc.ID
	}
	return records.Join(sc.AccountID, sc.ID)
}

// ambiguous refuses an id that schedules of several accounts bear.
var ambiguous = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "AmbiguousId", Target: "scheduleId",
	Message: "Schedules of several accounts have this id; act for one of the accounts.",
}

// of returns the schedule of an account with an id, or records.ErrNotFound. It
// must not be changed.
func (s *Service) of(tx records.Reading, accountID, id string) (*Schedule, error) {
	for _, key := range []string{records.Join(accountID, id), id} {
		sc, err := s.schedules.Value(tx, &scheduleRecords, account, key)
		if err == nil && sc.ID == id && sc.AccountID == accountID {
			return sc, nil
		}
		if err != nil && !missingRecord(err) {
			return nil, err
		}
	}
	return nil, records.ErrNotFound
}

// named returns the schedules of all accounts with an id.
func (s *Service) named(tx records.Reading, id string) (all []*Schedule, err error) {
	keys := slices.AppendSeq([]string{id}, scheduleRecords.IDs(tx, account, "id", id))
	for _, key := range keys {
		sc, err := s.schedules.Value(tx, &scheduleRecords, account, key)
		switch {
		case missingRecord(err):
		case err != nil:
			return nil, err
		case sc.ID == id:
			all = append(all, sc)
		}
	}
	return all, nil
}

// find returns the schedule that a caller means by an id: of those that it may
// see the one of its own account, else the only one. m is what it is told where
// there is none.
func (s *Service) find(ctx context.Context, tx records.Reading, id string, m *refuse.Absent, sees func(*Schedule) (bool, error)) (*Schedule, error) {
	p, known := twinplatform.PrincipalFrom(ctx)
	if !known {
		if last, ok := s.recent.get(id); ok {
			if only, err := s.only(tx, last); only || err != nil {
				return last.sc, err
			}
		}
	} else {
		own, err := s.of(tx, p.AccountID, id)
		if err == nil {
			if seen, err := sees(own); seen || err != nil {
				return own, err
			}
		} else if !missingRecord(err) {
			return nil, err
		}
	}
	all, err := s.named(tx, id)
	if err != nil {
		return nil, err
	}
	var found *Schedule
	for _, sc := range all {
		if known && sc.AccountID == p.AccountID {
			continue
		}
		seen, err := sees(sc)
		switch {
		case err != nil:
			return nil, err
		case !seen:
		case found != nil:
			return nil, ambiguous
		default:
			found = sc
		}
	}
	if found == nil {
		return nil, m.Err()
	}
	if known {
		return found, nil
	}
	revision, err := account.Revision(tx)
	if err == nil {
		s.recent.keep(seen{found, revision})
	}
	return found, err
}

// only reports whether a schedule is as it was last seen, and no other has its id:
// nothing was written to the list of schedules since.
func (s *Service) only(tx records.Reading, last seen) (bool, error) {
	revision, err := account.Revision(tx)
	if err != nil || revision != last.revision {
		return false, err
	}
	now, err := s.schedules.Value(tx, &scheduleRecords, account, scheduleKey(last.sc))
	if missingRecord(err) {
		return false, nil
	}
	return now == last.sc, err
}

// still returns a schedule as it is by now, or errReplaced.
func (s *Service) still(tx records.Reading, sc *Schedule) (*Schedule, error) {
	now, err := s.schedules.Value(tx, &scheduleRecords, account, scheduleKey(sc))
	if missingRecord(err) || err == nil && now.scope() != sc.scope() {
		return nil, errReplaced
	}
	return now, err
}

// lastSeen returns the schedule that the caller is likely to mean by an id, as it
// was when it was last read. Whether the caller may see it is not judged.
func (s *Service) lastSeen(ctx context.Context, id string) (*Schedule, bool) {
	p, known := twinplatform.PrincipalFrom(ctx)
	if !known {
		last, ok := s.recent.get(id)
		return last.sc, ok
	}
	for _, key := range []string{records.Join(p.AccountID, id), id} {
		if sc, ok := s.schedules.Last(&scheduleRecords, account, key); ok && sc.ID == id && sc.AccountID == p.AccountID {
			return sc, true
		}
	}
	return nil, false
}

// seen is a schedule as it was at a revision of the list of schedules.
type seen struct {
	sc       *Schedule
	revision uint64
}

// recently holds the schedules that the system named last, by their ids.
type recently struct {
	mu sync.RWMutex
	m  map[string]seen
}

// maxRecent is the number of schedules that are held; then it begins anew.
const maxRecent = 4_096

func (r *recently) get(id string) (seen, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	last, ok := r.m[id]
	return last, ok
}

func (r *recently) keep(last seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.m == nil || len(r.m) >= maxRecent {
		r.m = make(map[string]seen)
	}
	r.m[last.sc.ID] = last
}

// errReplaced says that a schedule was deleted, and perhaps made again, since it
// was last seen. To a caller it is missing.
var errReplaced = errors.Join(errors.New("schedules: replaced"), scheduleMissing.Err())
