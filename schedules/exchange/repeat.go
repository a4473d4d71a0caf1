package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// repeats are the imports that this process has made of late: the same import of the same file into
// a schedule that no one has changed since does nothing, and need not find that out. It is
// forgotten with the process, since another version may read more of the file.
type repeats struct {
	mu  sync.Mutex
	all map[string]repeated
}

// repeated is an import by what it was asked for, and the revision of the schedule behind it.
type repeated struct {
	digest, request string
	revision        uint64
}

// mostRepeats is how many are remembered.
const mostRepeats = 1_000

// keep remembers an import that is whole.
func (r *repeats) keep(w *importJob, revision uint64) {
	request, err := w.request()
	if err != nil || w.Digest == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil || len(r.all) >= mostRepeats {
		r.all = make(map[string]repeated)
	}
	r.all[w.repeatKey()] = repeated{w.Digest, request, revision}
}

// of is the last import by the synchronizer of one.
func (r *repeats) of(w *importJob) (repeated, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, ok := r.all[w.repeatKey()]
	return last, ok
}

func (w *importJob) repeatKey() string { return string(w.Scope) + "\x00" + w.SynchronizerID }

// request is all that an import is asked for besides its file.
func (w *importJob) request() (string, error) {
	asked := importJob{Place: w.Place, Projects: w.Projects, Modes: w.Modes, Type: w.Type}
	asked.MaxDeletedShare = w.MaxDeletedShare
	data, err := wire.Marshal(asked)
	return string(data), err
}

// readBefore reports whether an import is the last one of its synchronizer once more.
func (s *exchanges) readBefore(ctx context.Context, w *importJob) (again bool, err error) {
	last, ok := s.repeats.of(w)
	if request, err := w.request(); !ok || err != nil || request != last.request {
		return false, err
	}
	var f *files.File
	err = s.DB.View(ctx, func(v *records.View) (err error) {
		if again, err = unchanged(v, w.Scope, last.revision); again && err == nil {
			f, err = s.importable(v, w.Scope, w.FileID)
		}
		return err
	})
	if !again || err != nil {
		return false, err
	}
	content := files.Of(s.Area).Open(ctx, f)
	defer func() { _ = content.Close() }()
	digest := sha256.New()
	if _, err := io.Copy(digest, content); err != nil {
		return false, err
	}
	w.Digest = hex.EncodeToString(digest.Sum(nil))
	return w.Digest == last.digest, nil
}

// unchanged reports whether nothing that imports write was changed after a revision, which the schedule is at or
// behind: one that was deleted and made again, or comes from a copy, begins at 1.
func unchanged(tx records.Reading, scope records.Scope, since uint64) (bool, error) {
	for _, sort := range core.Imported {
		if sort.Records != nil && records.Remote(tx) {
			records.Declare(tx, sort.Records.NeedsOfChanges(scope, since, 1)...)
		}
	}
	if at, err := scope.Revision(tx); at < since || err != nil {
		return false, err
	}
	for _, sort := range core.Imported {
		if sort.Records == nil { // it goes with others
			continue
		}
		if changed, err := sort.Records.ChangedSince(tx, scope, since); changed || err != nil {
			return false, err
		}
	}
	return true, nil
}

// repeat is what an import writes that was made before: its synchronizer. It is nil where the
// schedule was changed since.
func (s *exchanges) repeat(ctx context.Context, w *importJob) (d *planDiff, err error) {
	last, _ := s.repeats.of(w)
	err = s.DB.View(ctx, func(v *records.View) error {
		same, err := unchanged(v, w.Scope, last.revision)
		if !same || err != nil {
			return err
		}
		stored, err := synchronizers.Records.Value(v, w.Scope, w.SynchronizerID)
		if err != nil {
			return err
		}
		y := *stored
		y.ProjectPath, y.SynchronizationTime, y.SynchronizationType = w.FilePath, s.Now(), w.Type
		y.SynchronizationDetails.Nothing()
		d = &planDiff{s: s, w: w}
		d.Diff = &importing.Diff{Tx: v, Scope: w.Scope, Synchronizer: w.SynchronizerID, NewID: s.Env.NewID}
		return d.Write(synchronizers.Records.Table(), &y, false)
	})
	return d, err
}
