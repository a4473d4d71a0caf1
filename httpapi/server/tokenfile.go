package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// tokenFile is the name of a file of tokens. Commands change it one after the other, and a
// server reads it.
type tokenFile string

// uses is the default file in which a server notes when each token was last used.
func (f tokenFile) uses() string { return string(f) + ".uses" }

// read are the callers of the file; there may be none.
func (f tokenFile) read() (platform.Callers, error) {
	var callers platform.Callers
	err := readFile("tokens", string(f), &callers, from(platform.ReadCallers))
	if errors.Is(err, platform.ErrNoCallers) {
		return nil, nil
	}
	return callers, err
}

// change replaces the entries of the file by others, whole or not at all; what change leaves
// stays as it was written. A file that is not there yet has none.
func (f tokenFile) change(change func([]json.RawMessage, platform.Callers) ([]json.RawMessage, error)) (err error) {
	if target, err := filepath.EvalSymlinks(string(f)); err == nil {
		f = tokenFile(target) // the link stays, and leads to the new file
	}
	unlock, err := lockFile(string(f) + ".lock")
	if err != nil {
		return fmt.Errorf("-tokens: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	var entries []json.RawMessage
	callers, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := readFile("tokens", string(f), &entries, entriesOf); err != nil {
			return err
		}
	}
	if entries, err = change(entries, callers); err != nil {
		return err
	}
	text, err := written(entries)
	if err != nil {
		return err
	}
	// What is written is what a server will read.
	if _, err := platform.ReadCallers(bytes.NewReader(text)); err != nil && !errors.Is(err, platform.ErrNoCallers) {
		return fmt.Errorf("-tokens: %s is left as it was: %w", f, err)
	}
	if err := replaceFile(systemDisk{}, string(f), text, secretMode(string(f))); err != nil {
		return fmt.Errorf("-tokens: %w", withCure(err))
	}
	return nil
}

func entriesOf(text []byte) (entries []json.RawMessage, err error) {
	return entries, json.Unmarshal(text, &entries)
}

// written is a file of entries.
func written(entries []json.RawMessage) ([]byte, error) {
	if entries == nil {
		entries = []json.RawMessage{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(entries)
	return b.Bytes(), err
}

// warnOfOthers reports that others than the owner of a file of tokens, and the group that may
// read it, can read or change it.
func (s *server) warnOfOthers(file string) {
	if info, err := os.Stat(file); err == nil && openToOthers(info) {
		s.log.Warn("others can read or change the tokens file: chmod g-w,o-rwx it", "file", file, "mode",
			info.Mode().Perm().String())
	}
}

// lastUses notes when tokens were last used, and keeps that in a file.
type lastUses struct {
	file useFile

	mu    sync.Mutex
	since map[platform.TokenDigest]*atomic.Int64 // in seconds since 1970; 0: not by this server
}

// of is what notes the uses of a token. It takes no lock and does not wait.
func (u *lastUses) of(digest platform.TokenDigest) func(time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	last := u.since[digest]
	if last == nil {
		last = new(atomic.Int64)
		if u.since == nil {
			u.since = make(map[platform.TokenDigest]*atomic.Int64)
		}
		u.since[digest] = last
	}
	return func(at time.Time) {
		if now := at.Unix(); last.Load() < now {
			last.Store(now)
		}
	}
}

// keep writes what is newer than the file says, about the tokens that there are. Several
// servers may do so.
func (u *lastUses) keep(d disk, callers platform.Callers) (err error) {
	unlock, err := lockFile(string(u.file) + ".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	known, err := u.file.read()
	if err != nil {
		return err
	}
	kept, changed := make(map[platform.TokenDigest]time.Time), false
	u.mu.Lock()
	for _, c := range callers {
		digest := c.TokenDigest()
		if at, ok := known[digest]; ok {
			kept[digest] = at
		}
		if last := u.since[digest]; last != nil && last.Load() > 0 {
			if at := time.Unix(last.Load(), 0).UTC(); at.After(kept[digest]) {
				kept[digest], changed = at, true
			}
		}
	}
	u.mu.Unlock()
	if !changed {
		return nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return replaceFile(d, string(u.file), append(text, '\n'), 0o600)
}

// useFile is the name of a file with the last uses of tokens, by their digests.
type useFile string

// read is what the file says; nothing where there is none.
func (f useFile) read() (used map[platform.TokenDigest]time.Time, err error) {
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &used)
	}
	if err != nil {
		return nil, fmt.Errorf("-token-uses: %s: %w", f, err)
	}
	return used, nil
}
