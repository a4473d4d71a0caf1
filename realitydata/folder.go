package realitydata

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// accessTime is how long an address of a Folder is good for.
const accessTime = time.Hour

// Folder keeps containers in a folder of the file system and serves them as an
// http.Handler: GET reads a file, PUT writes one, DELETE removes one. Every
// address is signed, good for an hour, and for reading alone or also for
// writing.
type Folder struct {
	root *os.Root
	base string
	key  []byte
	now  func() time.Time
}

var (
	_ Containers   = (*Folder)(nil)
	_ http.Handler = (*Folder)(nil)
)

// NewFolder keeps containers in dir, which is made where it is missing. baseURL
// is the address under which the folder is served. now is the clock; nil means
// time.Now. Addresses are good until the program ends, at most.
func NewFolder(dir, baseURL string, now func() time.Time) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("realitydata: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("realitydata: %w", err)
	}
	if now == nil {
		now = time.Now
	}
	key := make([]byte, 32)
	rand.Read(key)
	return &Folder{root: root, base: strings.TrimSuffix(baseURL, "/"), key: key, now: now}, nil
}

// Close releases the folder. Its files stay.
func (f *Folder) Close() error { return f.root.Close() }

// ContainerURL returns a signed address of a container.
func (f *Folder) ContainerURL(_ context.Context, containerID string, write bool) (string, error) {
	rights := "r"
	if write {
		rights = "rw"
	}
	until := strconv.FormatInt(f.now().Add(accessTime).Unix(), 10)
	q := url.Values{"sp": {rights}, "se": {until}, "sig": {f.sign(containerID, rights, until)}}
	return f.base + "/" + url.PathEscape(containerID) + "?" + q.Encode(), nil
}

func (f *Folder) sign(containerID, rights, until string) string {
	h := hmac.New(sha256.New, f.key)
	fmt.Fprintf(h, "%q %q %q", containerID, rights, until)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// ContainerSize returns the number of bytes in a container.
func (f *Folder) ContainerSize(_ context.Context, containerID string) (n int64, err error) {
	dir, ok := folderName(containerID)
	if !ok {
		return 0, nil
	}
	err = fs.WalkDir(f.root.FS(), dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return n, err
}

// RemoveContainer deletes a container with all that is in it.
func (f *Folder) RemoveContainer(_ context.Context, containerID string) error {
	dir, ok := folderName(containerID)
	if !ok {
		return nil
	}
	return f.root.RemoveAll(dir)
}

// folderName is the folder of a container. Ids that are no plain file names,
// such as those of detectors, are encoded.
func folderName(containerID string) (string, bool) {
	if containerID == "" {
		return "", false
	}
	return "c-" + base64.RawURLEncoding.EncodeToString([]byte(containerID)), true
}

// ServeHTTP serves the files of containers to whoever has their address.
func (f *Folder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	containerID, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	q := r.URL.Query()
	rights, until := q.Get("sp"), q.Get("se")
	expires, err := strconv.ParseInt(until, 10, 64)
	signed := hmac.Equal([]byte(q.Get("sig")), []byte(f.sign(containerID, rights, until)))
	writes := r.Method != http.MethodGet && r.Method != http.MethodHead
	if err != nil || !signed || f.now().Unix() > expires || writes && rights != "rw" {
		http.Error(w, "the address is not good for this", http.StatusForbidden)
		return
	}
	dir, _ := folderName(containerID)
	if file = path.Clean("/" + file)[1:]; file == "" {
		http.Error(w, "the address names no file", http.StatusNotFound)
		return
	}
	name := path.Join(dir, file)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Type", "application/octet-stream")
		f.read(w, r, name)
	case http.MethodPut:
		f.write(w, r, name)
	case http.MethodDelete:
		f.answer(w, f.root.Remove(name), http.StatusNoContent)
	default:
		w.Header().Set("Allow", "GET, HEAD, PUT, DELETE")
		http.Error(w, "only GET, HEAD, PUT and DELETE", http.StatusMethodNotAllowed)
	}
}

func (f *Folder) read(w http.ResponseWriter, r *http.Request, name string) {
	file, err := f.root.Open(name)
	if err != nil {
		f.answer(w, err, 0)
		return
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || info.IsDir() {
		f.answer(w, fs.ErrNotExist, 0)
		return
	}
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// write replaces a file whole or not at all.
func (f *Folder) write(w http.ResponseWriter, r *http.Request, name string) {
	err := f.root.MkdirAll(path.Dir(name), 0o700)
	if err != nil {
		f.answer(w, err, 0)
		return
	}
	part := path.Join(path.Dir(name), ".part-"+rand.Text())
	defer func() { _ = f.root.Remove(part) }() // there only after a failure
	file, err := f.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		f.answer(w, err, 0)
		return
	}
	_, err = io.Copy(file, r.Body)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = f.root.Rename(part, name)
	}
	f.answer(w, err, http.StatusCreated)
}

// answer tells how it went, without what the file system says of itself.
func (f *Folder) answer(w http.ResponseWriter, err error, success int) {
	switch {
	case err == nil:
		w.WriteHeader(success)
	case errors.Is(err, fs.ErrNotExist):
		http.Error(w, "there is no such file", http.StatusNotFound)
	default:
		http.Error(w, "the file cannot be used", http.StatusConflict)
	}
}
