package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// filesPath is where the bytes of reality data are served, beside the REST API.
const filesPath = "/files"

// fileFolder is where the bytes of reality data are.
type fileFolder struct {
	*filestore.Store
	temporary string // removed in the end; empty for one that lasts
}

// openFiles opens the folder that cfg says. Addresses of files are relative to the
// REST API, which makes them follow -base-url or the host that a request names.
func openFiles(cfg config, log *slog.Logger) (*fileFolder, error) {
	f := new(fileFolder)
	dir := cfg.files
	switch {
	case dir != "":
	case cfg.db != inMemory:
		dir = cfg.db + ".files"
	default:
		var err error
		if dir, err = os.MkdirTemp("", "twinplatform-files-"); err != nil {
			return nil, fmt.Errorf("making a folder for files: %w", err)
		}
		f.temporary = dir
	}
	store, err := filestore.Open(dir, filestore.Config{BaseURL: filesPath, Logger: log})
	if err != nil {
		return nil, fmt.Errorf("opening the folder for files: %w", err)
	}
	f.Store = store
	return f, nil
}

// Close releases the folder, and removes a temporary one.
func (f *fileFolder) Close() error {
	err := f.Store.Close()
	if f.temporary != "" {
		err = errors.Join(err, os.RemoveAll(f.temporary))
	}
	return err
}

// besides serves the files that records tell of beside the REST API. A ServeMux would
// redirect paths that the API answers itself.
func (f *fileFolder) besides(ctx context.Context, api http.Handler, records filestore.Records) (http.Handler, error) {
	if err := f.Follow(ctx, records); err != nil {
		return nil, err
	}
	files := http.StripPrefix(filesPath, f)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, filesPath+"/") {
			files.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	}), nil
}
