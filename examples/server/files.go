package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/seed-933f9a09/twinplatform/realitydata"
)

// filesPath is where the bytes of reality data are served, beside the REST API.
const filesPath = "/files"

// fileFolder is where the bytes of reality data are.
type fileFolder struct {
	*realitydata.Folder
	temporary string // removed in the end; empty for one that lasts
}

// openFiles opens the folder that cfg says, to be served under baseURL.
func openFiles(cfg config, baseURL string) (*fileFolder, error) {
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
	folder, err := realitydata.NewFolder(dir, baseURL+filesPath, nil)
	if err != nil {
		return nil, fmt.Errorf("opening the folder for files: %w", err)
	}
	f.Folder = folder
	return f, nil
}

// Close releases the folder, and removes a temporary one.
func (f *fileFolder) Close() error {
	err := f.Folder.Close()
	if f.temporary != "" {
		err = errors.Join(err, os.RemoveAll(f.temporary))
	}
	return err
}

// besides serves the files beside the REST API. A ServeMux would redirect paths
// that the API answers itself.
func (f *fileFolder) besides(api http.Handler) http.Handler {
	files := http.StripPrefix(filesPath, f)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, filesPath+"/") {
			files.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}
