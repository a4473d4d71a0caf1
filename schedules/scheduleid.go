package schedules

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The id of a schedule is unique within the account of its twin. So a record's key is
// account and id.

// scheduleKey is the key of a schedule's record.
func scheduleKey(sc *Schedule) string { return records.Join(sc.AccountID, sc.ID) }

// ambiguous refuses an id that schedules of several accounts have.
var ambiguous = problem.Conflict("AmbiguousId", "scheduleId",
	"Schedules of several accounts have this id; act for one of the accounts.")

// of returns the schedule of an account with an id, or records.ErrNotFound. It
// must not be changed.
func (s *Service) of(tx records.Reading, accountID, id string) (*Schedule, error) {
	return knownOf(s).schedules.Value(tx, &scheduleRecords, inAccount(accountID), records.Join(accountID, id))
}

// named returns the schedules of all accounts with an id.
func (s *Service) named(tx records.Reading, id string) (all []*Schedule, err error) {
	for _, key := range slices.Collect(scheduleRecords.IDs(tx, allAccounts, "id", id)) {
		sc, err := knownOf(s).schedules.Value(tx, &scheduleRecords, allAccounts, key)
		switch {
		case missingRecord(err):
		case err != nil:
			return nil, err
		default:
			all = append(all, sc)
		}
	}
	return all, nil
}

// had reports whether an account had a schedule with an id, as long as deletions are
// remembered.
func (s *Service) had(tx records.Reading, accountID, id string) (bool, error) {
	return scheduleRecords.Had(tx, inAccount(accountID), records.Join(accountID, id))
}

// visible returns the schedule that a caller means by an id: that of its own account and,
// where the account has and had none, the only one that it may see of the others. An id
// that the own account has or had never leads to what someone else made under it. m is
// the error where there is none.
func (s *Service) visible(tx records.Reading, j *judge.Judge, id string, m *problem.Absent) (*Schedule, error) {
	p, known := j.Caller()
	if !known {
		return s.ofSystem(tx, j, id, m)
	}
	s.expect(tx, j, p.AccountID, id)
	own, err := s.of(tx, p.AccountID, id)
	if err == nil {
		s.found(tx, j, own)
		return own, m.Unless(j.Allowed(PermissionRead, own.target()))
	}
	if !missingRecord(err) {
		return nil, err
	}
	all, err := s.named(tx, id)
	if err != nil {
		return nil, err
	}
	if p.AccountID != "" && len(all) > 0 {
		if had, err := s.had(tx, p.AccountID, id); had || err != nil {
			return nil, m.Unless(!had, err)
		}
	}
	for _, sc := range all {
		s.found(tx, j, sc)
	}
	found, err := theOne(j, all, m)
	if err == nil {
		s.meant.put(records.Join(p.AccountID, id), scheduleKey(found))
	}
	return found, err
}

// expect declares what tells which schedule a caller of an account means by an id, and what
// is read of the one that it was when it was read last.
func (s *Service) expect(tx records.Reading, j *judge.Judge, accountID, id string) {
	if !records.Remote(tx) {
		return
	}
	own := records.Join(accountID, id)
	records.Declare(tx, scheduleRecords.Needs(allAccounts, own)...)
	meant, seen := s.meant.get(own)
	last, ok := knownOf(s).schedules.Last(&scheduleRecords, allAccounts, cmp.Or(meant, own))
	if ok = ok && last.ID == id; ok {
		s.found(tx, j, last)
	}
	if ok && !seen { // it is one of the account itself
		return
	}
	records.Declare(tx, scheduleRecords.Needs(allAccounts, meant)...)
	records.Declare(tx, scheduleRecords.NeedsIndexed(allAccounts, "id", id)...)
	if accountID != "" {
		records.Declare(tx, scheduleRecords.NeedsOfHad(inAccount(accountID), own)...)
	}
}

// found declares what is read of a schedule.
func (s *Service) found(tx records.Reading, j *judge.Judge, sc *Schedule) {
	if records.Remote(tx) {
		records.DeclareIn(tx, sc.scope())
		j.Expect(sc.target())
	}
}

// AmbiguousID implements twinplatform.NamingHolder.
func (s *Service) AmbiguousID(ctx context.Context, twinID string) (id string, err error) {
	err = s.bench().View(ctx, func(v *records.View, j *judge.Judge) error {
		id = ""
		for key := range scheduleRecords.IDs(v, allAccounts, "twin", twinID) {
			sc, err := knownOf(s).schedules.Value(v, &scheduleRecords, allAccounts, key)
			if err != nil {
				return err
			}
			if clashes, err := s.clashes(v, j, sc); clashes || err != nil {
				id = sc.ID
				return err
			}
		}
		return nil
	})
	return id, err
}

// clashes reports whether the id of a schedule means another one to the caller.
func (s *Service) clashes(tx records.Reading, j *judge.Judge, sc *Schedule) (bool, error) {
	p, _ := j.Caller()
	if had, err := s.had(tx, p.AccountID, sc.ID); had || err != nil {
		return had, err
	}
	all, err := s.named(tx, sc.ID)
	if err != nil {
		return false, err
	}
	for _, other := range all {
		if other.AccountID == p.AccountID {
			return true, nil
		}
		if other.AccountID == sc.AccountID {
			continue
		}
		if seen, err := j.Allowed(PermissionRead, other.target()); seen || err != nil {
			return seen, err
		}
	}
	return false, nil
}

// ofSystem is visible for the system, which means the only schedule with an id.
func (s *Service) ofSystem(tx records.Reading, j *judge.Judge, id string, m *problem.Absent) (*Schedule, error) {
	if last, ok := s.recent.get(id); ok {
		if only, err := last.Holds(tx); only || err != nil {
			return last.sc, err
		}
	}
	all, err := s.named(tx, id)
	if err != nil {
		return nil, err
	}
	found, err := theOne(j, all, m)
	if err != nil {
		return nil, err
	}
	at, err := scheduleRecords.Table().CachedLookup(tx, allAccounts, scheduleKey(found), "id", id)
	if err == nil {
		s.recent.keep(seen{found, at})
	}
	return found, err
}

// theOne returns the only one of several schedules that the caller may see.
func theOne(j *judge.Judge, all []*Schedule, m *problem.Absent) (found *Schedule, err error) {
	for _, sc := range all {
		seen, err := j.Allowed(PermissionRead, sc.target())
		switch {
		case err != nil:
			return nil, err
		case seen && found != nil:
			return nil, ambiguous
		case seen:
			found = sc
		}
	}
	if found == nil {
		return nil, m.Err()
	}
	return found, nil
}

// seen is a schedule as it was last seen, when no other had its id.
type seen struct {
	sc *Schedule
	*records.CachedLookup
}

// meanings are the keys of the schedules of other accounts that callers meant last, by what
// would be the key of one of their own.
type meanings struct {
	mu sync.RWMutex
	m  map[string]string
}

func (n *meanings) get(own string) (key string, ok bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	key, ok = n.m[own]
	return key, ok
}

func (n *meanings) put(own, key string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.m == nil || len(n.m) >= maxRecent {
		n.m = make(map[string]string)
	}
	n.m[own] = key
}

// recently holds the schedules that the system named last, by their ids.
type recently struct {
	mu sync.RWMutex
	m  map[string]seen
}

// maxRecent is the number of schedules that are held; then it begins again.
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
