package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/allowance"
)

// ServeHTTP serves the files of containers to the caller that has their address, for as long
// as the right behind it lasts. It needs a server whose ResponseController sets
// deadlines, as that of net/http does.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.recovered(w, r)
	if r.ContentLength != 0 {
		// A body that no caller reads must not keep the connection open either.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.cfg.Grace))
	}
	if s.share(w, r) {
		return
	}
	if speaksBlob(r) {
		introduce(w, r)
	}
	if err := s.serve(w, r); err != nil {
		s.fail(w, r, err)
	}
}

// recovered keeps a panic from reaching the server.
func (s *Store) recovered(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	s.fail(w, r, fmt.Errorf("panic: %v", v))
}

func (s *Store) serve(w http.ResponseWriter, r *http.Request) error {
	containerID, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	g, err := s.grantIn(containerID, r.URL.Query())
	if over := s.take(r, g); over != nil {
		return over
	}
	if err != nil {
		return err
	}
	if speaksBlob(r) {
		return s.serveBlob(w, r, g, file)
	}
	accountID, err := s.admit(r, g)
	if err != nil {
		return err
	}
	name, err := fileName(r, file)
	if err != nil {
		return err
	}
	switch r.Method {
	case http.MethodPut:
		return s.upload(w, r, g, accountID, name)
	case http.MethodDelete:
		if err := s.remove(r, g, accountID, name, nil); err != nil {
			return err
		}
		s.tellMeasured(r.Context(), containerID)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return s.download(w, r, g, name)
}

// admit lets a request through whose method the holder of an address may use.
func (s *Store) admit(r *http.Request, g *grant) (accountID string, err error) {
	writes := r.Method == http.MethodPut || r.Method == http.MethodDelete
	switch {
	case !writes && r.Method != http.MethodGet && r.Method != http.MethodHead:
		return "", errMethod
	case writes && !g.write:
		return "", errAddress
	}
	return s.judge(r.Context(), g, writes)
}

// take takes a request from the allowance of an address, or from that of the network of a
// client who has none.
func (s *Store) take(r *http.Request, g *grant) error {
	switch {
	case s.rate == nil:
		return nil
	case g == nil:
		return s.rate.Take(r.Context(), allowance.OfNetwork(r.RemoteAddr))
	}
	return s.rate.Take(r.Context(), g.caller())
}

// judge asks whether the right behind an address still lasts.
func (s *Store) judge(ctx context.Context, g *grant, write bool) (accountID string, err error) {
	records := s.following()
	if records == nil {
		return "", errNotServed
	}
	return records.ContainerRight(g.context(ctx), g.containerID, write)
}

// following is what Follow was given, or nil.
func (s *Store) following() Records {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.records
}

// Bounds of a file's path.
const (
	maxPath  = 1_024 // bytes
	maxDepth = 32
)

// folderMark is the name of a file without bytes that keeps a folder. Clients see the folder alone,
// by its name with a slash behind it.
const folderMark = partPrefix + "folder"

func isFolderMark(name string) bool { return path.Base(name) == folderMark }

// fileName is the path within its container of the file that a request is for.
func fileName(r *http.Request, file string) (string, error) {
	if file == "" {
		return "", errNoFile.Err()
	}
	name, isFolder := strings.CutSuffix(file, "/")
	if !fs.ValidPath(name) || name == "." {
		return "", errUncleanName
	}
	if isFolder && r.Method == http.MethodPut && r.ContentLength != 0 {
		return "", errFolderName
	}
	if isFolder {
		name = path.Join(name, folderMark)
	}
	switch {
	case len(name) > maxPath, strings.Count(name, "/") >= maxDepth, strings.ContainsRune(name, 0):
		return "", errName
	case isPart(path.Base(name)), strings.Contains("/"+file+"/", "/"+folderMark+"/"):
		return "", errName
	}
	return name, nil
}
