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
	if err := replaceOwn(string(f), text); err != nil {
		return fmt.Errorf("-tokens: %w", err)
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

// replaceOwn writes a file that its owner can read. One that is there already keeps its
// owner and its group, and what the group may read; no one else may read it afterwards.
func replaceOwn(file string, text []byte) error {
	part := file + ".part"
	_ = os.Remove(part) // with whatever mode it was left
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	if before, e := os.Stat(file); err == nil && e == nil {
		err = errors.Join(ownAs(out, before), out.Chmod(before.Mode().Perm()&0o640|0o600))
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part)
	}
	return err
}

// warnOfReaders reports that others than the owner of a file of tokens may read it.
func (s *server) warnOfReaders(file string) {
	if info, err := os.Stat(file); err == nil && readableByOthers(info) {
		s.log.Warn("others can read the tokens file: chmod 600 it", "file", file, "mode", info.Mode().Perm().String())
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
func (u *lastUses) keep(callers platform.Callers) (err error) {
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
	return replaceOwn(string(u.file), append(text, '\n'))
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
