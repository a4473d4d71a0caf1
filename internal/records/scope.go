package records

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Scope names a group of collections that share one revision.
//
// A scope whose name ends with a "#" is divided: many share it, such as all accounts,
// and each of them has a revision and an order of changes of its own, so that no two of
// them write one key. [Scope.Of] names the part of one. Records are found by their ids
// and indexes whosever part they are in, and are written and listed in the part of their
// own. The divided scope itself, as it stands, lists the records of all parts, and is the
// part of the caller that has no name:
//
//	S/rev            revision of the part without a name
//	S/rev/<part>     revision of another part, and the one at which it began
//	S/C/o/<part>/<rev>  change order of a part, from where it began
//	S/C/purged/<part>   latest revision of which a tombstone of it was forgotten
//
// A scope that is divided once there are records has had one revision for all: the parts
// begin at that revision, and from then on the part without a name continues it. So what
// was written before is in no part, and a list of changes since then reports it first.
type Scope string

// divides stands between a divided scope and the part in it.
const divides = "#"

// Of is the part of a divided scope that belongs to an account, a user or the caller that
// shares it.
func (s Scope) Of(part string) Scope { return s + Scope(part) }

// place is what the keys in a scope begin with, and the part in it, if the scope is
// divided.
func (s Scope) place() (place, part string) {
	place, part, _ = strings.Cut(string(s), divides)
	return place, part
}

// key begins the keys in a scope.
func (s Scope) key() string {
	place, _ := s.place()
	return place + "/"
}

// divided reports whether the scope is a divided one as it stands: the part of the caller that
// has no name, and all parts together.
func (s Scope) divided() bool { return strings.HasSuffix(string(s), divides) }

// Revision returns the revision of a scope: 0 before its first write. That of a divided
// scope as it stands counts the writes of all parts.
func (s Scope) Revision(tx Reading) (uint64, error) {
	at, err := s.standing(tx)
	if err != nil || !s.divided() {
		return at.revision, err
	}
	common, err := s.written(tx)
	return at.revision + common, err
}

// written counts the writes of the parts of a divided scope that have a name.
func (s Scope) written(tx Reading) (all uint64, _ error) {
	for other, err := range s.parts(tx) {
		if err != nil {
			return 0, err
		}
		all += other.revision - other.began
	}
	return all, nil
}

// standing is where a scope stands.
type standing struct {
	revision uint64
	began    uint64 // the revision before the first that is of a part alone
	stage    stage  // of a scope that is not divided
}

// standing of a part that was not written yet is where it will begin.
func (s Scope) standing(tx Reading) (standing, error) {
	place, part := s.place()
	v := tx.view()
	if part != "" {
		key := s.revisionKeyIn(v)
		stored, err := lookup(tx, key)
		if err != nil || stored != nil {
			return readStanding(key, stored, err)
		}
	}
	stored, err := lookup(tx, v.texts.join(place, "/", revisionKey))
	if err != nil {
		return standing{}, err
	}
	at, err := readStage(place, stored)
	if err == nil && part == "" {
		v.staged = scoped{s, at.stage}
	}
	return at, err
}

// state is the revision of a scope, and how often the part without a name was written
// since the scope, where that is another part, began.
func (s Scope) state(tx Reading) (revision, common uint64, err error) {
	place, part := s.place()
	if part == "" {
		revision, err = s.Revision(tx)
		return revision, 0, err
	}
	at, err := s.standing(tx)
	if err != nil {
		return 0, 0, err
	}
	n, err := getNumber(tx.view().r, place+"/"+revisionKey)
	return at.revision, n - at.began, err
}

// parts yields where the parts of a divided scope stand that have a name.
func (s Scope) parts(tx Reading) func(yield func(standing, error) bool) {
	return func(yield func(standing, error) bool) {
		place, _ := s.place()
		for key, stored := range tx.view().r.Scan(place+"/"+revisionKey+"/", "") {
			if at, err := readStanding(key, stored, nil); !yield(at, err) || err != nil {
				return
			}
		}
	}
}

// shared reports whether a divided scope as it stands has parts with a name: then the
// changes in it have no one order.
func (s Scope) shared(tx Reading) bool {
	if !s.divided() {
		return false
	}
	place, _ := s.place()
	for range tx.view().r.Scan(place+"/"+revisionKey+"/", "") {
		return true
	}
	return false
}

func readStanding(key string, stored []byte, err error) (standing, error) {
	if err == nil && len(stored) != 16 {
		err = fmt.Errorf("records: %q holds no standing", key)
	}
	if err != nil {
		return standing{}, err
	}
	return standing{revision: binary.BigEndian.Uint64(stored), began: binary.BigEndian.Uint64(stored[8:])}, nil
}

// revisionKey is what the keys of revisions have behind the scope. They come before its collections, since
// the last of those has an end to which every writer of the scope adds: see endedPrefix.
const revisionKey = "0rev"

func (s Scope) revisionKey() string {
	place, part := s.place()
	if part == "" {
		return place + "/" + revisionKey
	}
	return place + "/" + revisionKey + "/" + valuePart(part)
}

// revisionKeyIn is revisionKey for a transaction.
func (s Scope) revisionKeyIn(v *View) string {
	place, part := s.place()
	if part == "" {
		return v.texts.join(place, "/", revisionKey)
	}
	return v.texts.join(place, "/", revisionKey, "/", valuePart(part))
}

// next takes the next revision of a scope, which comes after prior. It is kept once, at
// the end of the transaction.
func (u *Update) next(s Scope, prior uint64) (uint64, error) {
	at, err := u.at(s)
	if err != nil {
		return 0, err
	}
	at.revision = max(at.revision, prior) + 1
	u.revisions[s] = at
	return at.revision, nil
}

// Reached is the revision of a scope that is not divided behind what the transaction has
// written so far.
func (s Scope) Reached(u *Update) (uint64, error) {
	if at, ok := u.revisions[s]; ok {
		return at.revision, nil
	}
	return s.Revision(u)
}

// at is where a scope stands in the transaction, and will be written down.
func (u *Update) at(s Scope) (standing, error) {
	at, ok := u.revisions[s]
	if ok {
		return at, nil
	}
	at, err := s.standing(u)
	if err != nil {
		return at, err
	}
	if u.revisions == nil {
		u.revisions = make(map[Scope]standing, 1)
	}
	u.revisions[s] = at
	return at, nil
}

// Parts returns the parts of a divided scope that the transaction has written in, sorted.
func (u *Update) Parts(s Scope) (parts []string) {
	for written := range u.revisions {
		if part, is := strings.CutPrefix(string(written), string(s)); is {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}

// reach makes a revision the one of a scope that is not divided.
func (u *Update) reach(s Scope, revision uint64) {
	if u.revisions == nil {
		u.revisions = make(map[Scope]standing, 1)
	}
	u.revisions[s] = standing{revision: revision}
}

func (u *Update) flush() error {
	for s, at := range u.revisions {
		stored := binary.BigEndian.AppendUint64(nil, at.revision)
		if _, part := s.place(); part != "" {
			stored = binary.BigEndian.AppendUint64(stored, at.began)
		}
		if err := u.w.Put(s.revisionKeyIn(&u.View), at.stage.seal(stored)); err != nil {
			return err
		}
	}
	return u.flushChunks()
}

// NewScope makes a scope that was never used before, so that what is deleted and made
// again under the same id begins with nothing of the old. It is named after whose it is,
// by the next revision there.
func (u *Update) NewScope(prefix string, of Scope) (Scope, error) {
	n, err := u.next(of, 0)
	if err != nil {
		return "", err
	}
	made := Scope(prefix + "-" + of.mark() + strconv.FormatUint(n, 36))
	made.MadeUp(u)
	return made, nil
}

// MadeUp says that nothing was ever in a scope, such as that of a record whose id was just made up: see
// Collection.MadeUp.
func (s Scope) MadeUp(u *Update) {
	if u.reads != nil {
		u.reads.unused = append(u.reads.unused, s.key())
	}
}

// mark tells a scope from all others, in 16 letters and digits.
func (s Scope) mark() string {
	sum := sha256.Sum256([]byte(s))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// etag is the version of a record, as in the HTTP header. The store's mark in
// it keeps versions of different stores apart.
func (s Scope) etag(tx Reading, revision uint64) string {
	place, _ := s.place()
	_, n, _ := strings.Cut(place, "-")
	var room [64]byte
	b := append(append(append(room[:0], '"'), tx.view().keys.mark...), n...)
	return tx.view().tags.tag(append(strconv.AppendUint(append(b, '.'), revision, 36), '"'))
}

// Erase removes keys of a scope that is not divided for good, as many as one step does,
// and reports whether any are left.
func (s Scope) Erase(u *Update) (more bool, err error) {
	step := NewStep(u)
	step.records = keysPerStep
	for key, value := range u.r.Scan(s.key(), "") {
		if ok, err := step.Next(len(key)); !ok || err != nil {
			return true, err
		}
		noted, err := u.unnoteEnd(key, value)
		if err != nil {
			return false, err
		}
		if err := u.w.Delete(key); err != nil {
			return false, err
		}
		if noted {
			step.Spend(len(key))
		}
	}
	delete(u.revisions, s)
	return false, nil
}

// NeedOfErase is what Erase reads first.
func (s Scope) NeedOfErase() Need { return Need{at: s.key(), scan: longSpan} }

// lookup returns the value of a key, or nil.
func lookup(tx Reading, key string) ([]byte, error) {
	stored, _, err := storage.Find(tx.view().r, key)
	return stored, err
}

func getNumber(r storage.Reader, key string) (uint64, error) {
	v, ok, err := storage.Find(r, key)
	if !ok || err != nil {
		return 0, err
	}
	if len(v) != 8 {
		return 0, fmt.Errorf("records: %q holds no number", key)
	}
	return binary.BigEndian.Uint64(v), nil
}
