package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// OpenShared is Open of a folder that several processes have open at once: those of one
// machine, or of several over a file system in which a file that was renamed is there for
// all, such as NFS. They have one Config.Key, and each calls Run, which removes what a
// dead process left.
//
// Limits of bytes and files hold for what a process knows: its own writes at once, those
// of others half a minute later. Limits of what is sent at once, and rates, are a process's
// own.
func OpenShared(dir string, cfg Config) (*Store, error) {
	if len(cfg.Key) == 0 {
		return nil, errors.New("filestore: processes that share a folder need one Config.Key")
	}
	f, err := openSharedFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", err)
	}
	return New(f, cfg)
}

// sharedFolder is a folder that others write to as well.
type sharedFolder struct{ *folder }

var _ Shared = sharedFolder{}

// fresh is how long what was counted is believed.
const fresh = 30 * time.Second

func openSharedFolder(dir string) (sharedFolder, error) {
	if err := os.MkdirAll(path.Join(dir, uploadsFolder), 0o700); err != nil {
		return sharedFolder{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return sharedFolder{}, err
	}
	f := &folder{root: root}
	if err := f.sync("."); err != nil {
		return sharedFolder{}, errors.Join(err, root.Close())
	}
	return sharedFolder{f}, nil
}

// Fresh implements Shared.
func (sharedFolder) Fresh() time.Duration { return fresh }

// Sweep implements Shared. It also removes what is left of containers whose removal was
// cut off.
func (f sharedFolder) Sweep(ctx context.Context, longest time.Duration) error {
	drafts, err := fs.ReadDir(f.root.FS(), uploadsFolder)
	if err != nil {
		return err
	}
	for _, e := range drafts {
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > longest { // written to for the last time
			err = f.root.Remove(path.Join(uploadsFolder, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), removedPrefix) {
			continue
		}
		if err := f.root.RemoveAll(e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
