package filestoretest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// served is what holds with a filestore.Store before the backend, and records next to it.
var served = []promise{
	{"data are made, written, read, measured and deleted", wholeArea},
	{"who writes is judged again at the end", judgedAtTheEnd},
	{"limits are held, and freed again", limitsAreHeld},
	{"ranges and preconditions of reads are answered", rangesAreAnswered},
	{"a removal that a crash cut off is finished", removalIsFinished},
	{"what one node writes another reads", nodesShare},
	{"blocks become a file, or are refused", blocksBecomeAFile},
	{"each file has one name, and a folder's is none", namesAreTheirOwn},
}

// node is a Store over the backend, with a service over records that all nodes share.
type node struct {
	*realitydata.Service
	s     *subject
	files *filestore.Store
}

// records are what all nodes share besides the place.
type records struct {
	store     storage.Store
	dismissed atomic.Bool // all rights have ended
	now       atomic.Int64
}

func newRecords() *records { return &records{store: memory.New()} }

func (r *records) Allowed(_ context.Context, p twinplatform.Principal, _ string, at twinplatform.Target) (bool, error) {
	return !r.dismissed.Load() && p.AccountID == at.AccountID, nil
}

func (r *records) TwinAccount(context.Context, string) (accountID string, ok bool, err error) {
	return "acme", true, nil
}

func (s *subject) node(r *records, cfg filestore.Config) *node {
	s.Helper()
	cfg.BaseURL, cfg.Key = "http://files.test", []byte("for tests of several nodes alone")
	cfg.Now = func() time.Time { return time.Now().Add(time.Duration(r.now.Load())) }
	cfg.Free = func() (int64, error) { return 1 << 50, nil }
	n := &node{s: s}
	var err error
	if n.files, err = filestore.New(s.open(), cfg); err != nil {
		s.Fatal(err)
	}
	n.Service = realitydata.New(r.store, realitydata.Config{
		Env: twinplatform.Env{Authorizer: r}, Twins: r, Containers: n.files,
	})
	if err := n.files.Follow(s.Context(), n.Service); err != nil {
		s.Fatal(err)
	}
	return n
}

func (n *node) ann() context.Context {
	return twinplatform.WithPrincipal(n.s.Context(),
		twinplatform.Principal{ID: "ann", AccountID: "acme", Kind: twinplatform.User})
}

// data makes reality data, and returns an address to write their bytes to.
func (n *node) data() (id, address string) {
	n.s.Helper()
	res, err := n.CreateRealityData(n.s.Context(),
		realitydata.NewRealityData{TwinID: "bridge", DisplayName: "Scan", Type: "LAS", Authoring: true})
	if err != nil {
		n.s.Fatal(err)
	}
	a, err := n.WriteAccess(n.ann(), res.Value().ID, "")
	if err != nil {
		n.s.Fatal(err)
	}
	return res.Value().ID, a.URL
}

// answer is what came back for a request.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request for a file, and goes where it is sent.
func (n *node) do(method, address, file string, body io.Reader, header ...string) answer {
	n.s.Helper()
	return n.ask(method, address, "/"+file, "", body, header...)
}

// ask is do of a path, with more in the query.
func (n *node) ask(method, address, path, query string, body io.Reader, header ...string) answer {
	n.s.Helper()
	u, err := url.Parse(address)
	if err != nil {
		n.s.Fatal(err)
	}
	u.Path += path
	u.RawQuery += query
	req := httptest.NewRequestWithContext(n.s.Context(), method, u.String(), body)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	n.files.ServeHTTP(rec, req)
	res := rec.Result()
	if res.StatusCode == http.StatusTemporaryRedirect {
		to, err := http.NewRequestWithContext(n.s.Context(), method, res.Header.Get("Location"), nil)
		if err != nil {
			n.s.Fatal(err)
		}
		to.Header = req.Header
		if res, err = n.s.Client.Do(to); err != nil {
			n.s.Fatal(err)
		}
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		n.s.Errorf("reading the answer: %v", err)
	}
	return answer{res.StatusCode, res.Header, string(got)}
}

// want sends a request for a file, and wants an answer of a status that has a text.
func (n *node) want(status int, text, method, address, file, body string) {
	n.s.Helper()
	got := n.do(method, address, file, strings.NewReader(body))
	if got.status != status || !strings.Contains(got.body, text) {
		n.s.Errorf("%s %s: %d %.200s, want %d %.40s", method, file, got.status, got.body, status, text)
	}
}

func (n *node) wantSize(id string, want int64) {
	n.s.Helper()
	if got, err := n.files.ContainerSize(n.s.Context(), id); got != want || err != nil {
		n.s.Errorf("%s has %d bytes, %v; want %d", id, got, err, want)
	}
}

func wholeArea(s *subject) {
	n := s.node(newRecords(), filestore.Config{})
	id, address := n.data()
	large := s.large()
	n.want(201, "", "PUT", address, "mesh/root.json", "{}")
	n.want(201, "", "PUT", address, "mesh/tiles/0 1.bin", large)
	n.want(201, "", "PUT", address, "mesh/root.json", "{ }")
	n.want(200, "{ }", "GET", address, "mesh/root.json", "")
	if got := n.do("GET", address, "mesh/tiles/0 1.bin", nil); got.status != 200 || got.body != large {
		s.Errorf("a large file: %d, %d bytes", got.status, len(got.body))
	}
	if got := n.do("HEAD", address, "mesh/tiles/0 1.bin", nil); got.status != 200 || got.body != "" ||
		got.header.Get("Content-Length") != fmt.Sprint(len(large)) {
		s.Errorf("HEAD: %+v", got)
	}
	n.want(404, "FileNotFound", "GET", address, "mesh", "")
	n.want(404, "FileNotFound", "GET", address, "mesh/none", "")
	n.want(404, "", "HEAD", address, "mesh/none", "")
	n.want(404, "FileNotFound", "DELETE", address, "mesh/none", "")
	n.want(422, "InvalidFileName", "PUT", address, strings.Repeat("a", 1_025), "x")
	res, err := n.UpdateRealityData(n.ann(), id, realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)})
	if want := (int64(len(large)) + 3 + 1023) / 1024; err != nil || res.Value().Size != want {
		s.Errorf("they have %d kB, %v; want %d", res.Value().Size, err, want)
	}
	n.want(409, "RealityDataComplete", "PUT", address, "late", "x")
	n.want(409, "RealityDataComplete", "DELETE", address, "mesh/root.json", "")
	if _, err := n.UpdateRealityData(n.ann(), id,
		realitydata.RealityDataPatch{Authoring: twinplatform.Set(true)}); err != nil {
		s.Fatal(err)
	}
	n.want(204, "", "DELETE", address, "mesh/root.json", "")
	n.want(404, "FileNotFound", "GET", address, "mesh/root.json", "")
	n.wantSize(id, int64(len(large)))
	if err := n.DeleteRealityData(s.Context(), id); err != nil {
		s.Fatal(err)
	}
	n.want(404, "RealityDataNotFound", "GET", address, "mesh/tiles/0 1.bin", "")
	s.wantMeasure(id, 0, 0)
}

// atEnd is a body that does something once it is read.
type atEnd struct {
	io.Reader

	end func()
}

func (e *atEnd) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		e.end()
	}
	return n, err
}

func judgedAtTheEnd(s *subject) {
	for name, test := range map[string]struct {
		end    func(r *records, n *node, id string) error
		status int
		left   int64
	}{
		"complete": {func(_ *records, n *node, id string) error {
			_, err := n.UpdateRealityData(s.Context(), id,
				realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)})
			return err
		}, 409, 6},
		"deleted": {
			func(_ *records, n *node, id string) error { return n.DeleteRealityData(s.Context(), id) }, 404,
			0,
		},
		"dismissed": {func(r *records, _ *node, _ string) error { r.dismissed.Store(true); return nil }, 404, 6},
	} {
		for _, content := range []string{"late", s.large()} {
			r := newRecords()
			n := s.node(r, filestore.Config{})
			id, address := n.data()
			n.want(201, "", "PUT", address, "file", "before")
			got := n.do("PUT", address, "file", &atEnd{strings.NewReader(content), func() {
				if err := test.end(r, n, id); err != nil {
					s.Error(err)
				}
			}})
			if got.status != test.status {
				s.Errorf("%s: %d %s", name, got.status, got.body)
			}
			if bytes, _, err := s.b.Measure(s.Context(), id); bytes != test.left || err != nil {
				s.Errorf("%s: there are %d bytes, %v", name, bytes, err)
			}
		}
	}
}

func limitsAreHeld(s *subject) {
	n := s.node(newRecords(), filestore.Config{MaxFile: 10, MaxContainer: 15, MaxAccount: 25, MaxFiles: 3})
	_, first := n.data()
	_, second := n.data()
	put := func(address, file string, bytes, status int, code string) {
		s.Helper()
		n.want(status, code, "PUT", address, file, strings.Repeat("x", bytes))
	}
	put(first, "a", 10, 201, "")
	put(first, "b", 11, 413, "RequestTooLarge")
	put(first, "b", 6, 409, "ContainerFull")
	put(first, "b", 5, 201, "")
	put(second, "a", 10, 201, "")
	put(second, "b", 1, 409, "AccountStorageFull")
	put(first, "c", 0, 201, "")
	put(first, "d", 0, 409, "ContainerFull")
	n.want(204, "", "DELETE", first, "a", "")
	put(second, "b", 5, 201, "")
}

func rangesAreAnswered(s *subject) {
	n := s.node(newRecords(), filestore.Config{})
	_, address := n.data()
	large := s.large()
	n.want(201, "", "PUT", address, "f", large)
	for value, want := range map[string]string{
		"bytes=0-9": large[:10], fmt.Sprintf("bytes=%d-%d", len(large)/2, len(large)/2+99): large[len(large)/2:][:100],
		"bytes=-7": large[len(large)-7:],
	} {
		if got := n.do("GET", address, "f", nil, "Range", value); got.status != 206 || got.body != want {
			s.Errorf("%s: %d %.40q, want %.40q", value, got.status, got.body, want)
		}
	}
	if got := n.do("GET", address, "f", nil, "Range", fmt.Sprintf("bytes=%d-", len(large))); got.status != 416 {
		s.Errorf("behind the end: %d", got.status)
	}
}

func removalIsFinished(s *subject) {
	r := newRecords()
	n := s.node(r, filestore.Config{})
	id, address := n.data()
	n.want(201, "", "PUT", address, "folder/file", "gone")
	keptID, kept := n.data()
	n.want(201, "", "PUT", kept, "file", "kept")
	// A process without the files deletes the record, and comes no further.
	cut := realitydata.New(r.store,
		realitydata.Config{Env: twinplatform.Env{Authorizer: r}, Twins: r, Containers: cutOff{}})
	if err := cut.DeleteRealityData(s.Context(), id); err != nil {
		s.Fatal(err)
	}
	s.wantMeasure(id, 4, 1)
	n = s.node(r, filestore.Config{MaxAccount: 8})
	s.wantMeasure(id, 0, 0)
	s.wantMeasure(keptID, 4, 1)
	n.want(404, "RealityDataNotFound", "GET", address, "folder/file", "")
	n.want(200, "kept", "GET", kept, "file", "")
	n.want(201, "", "PUT", kept, "b", "four")
	n.want(409, "AccountStorageFull", "PUT", kept, "c", "x")
}

// cutOff are containers of a process that dies before it removes one.
type cutOff struct{}

var errDied = errors.New("the process has died")

func (cutOff) ContainerURL(context.Context, string, bool) (string, error) { return "", errDied }
func (cutOff) ContainerSize(context.Context, string) (int64, error)       { return 0, errDied }
func (cutOff) RemoveContainer(context.Context, string) error              { return errDied }

func nodesShare(s *subject) {
	if _, shared := s.open().(filestore.Shared); !shared {
		s.Skip("it is for one process at a time")
	}
	r := newRecords()
	cfg := filestore.Config{MaxFiles: 3, MaxAccount: 100}
	one, other := s.node(r, cfg), s.node(r, cfg)
	fresh := one.s.b.(filestore.Shared).Fresh()
	id, address := one.data()
	one.want(201, "", "PUT", address, "a", "one")
	other.want(200, "one", "GET", address, "a", "")
	other.want(201, "", "PUT", address, "a", "other")
	one.want(200, "other", "GET", address, "a", "")
	one.want(201, "", "PUT", address, "b", "x")
	other.want(201, "", "PUT", address, "c", "x")
	// What the other wrote counts once what is known is no longer fresh.
	r.now.Add(int64(fresh))
	one.want(409, "ContainerFull", "PUT", address, "d", "x")
	other.want(409, "ContainerFull", "PUT", address, "d", "x")
	one.wantSize(id, 7)
	other.want(204, "", "DELETE", address, "b", "")
	one.want(404, "FileNotFound", "GET", address, "b", "")

	// What one removes no longer takes up room at the other.
	_, full := other.data()
	other.want(201, "", "PUT", full, "a", strings.Repeat("x", 94))
	other.want(409, "AccountStorageFull", "PUT", full, "b", "x")
	if err := one.DeleteRealityData(s.Context(), id); err != nil {
		s.Fatal(err)
	}
	s.wantMeasure(id, 0, 0)
	r.now.Add(int64(fresh))
	other.want(201, "", "PUT", full, "b", "x")
}

// describedFiles are files with metadata, and blocks of files that are named again.
func (n *node) describedFiles(address string, version []string) {
	s := n.s
	s.Helper()
	put := func(status int, code, file, query, body string, header ...string) (tag string) {
		s.Helper()
		got := n.ask("PUT", address, "/"+file, query, strings.NewReader(body), append(header, version...)...)
		if got.status != status || got.header.Get("x-ms-error-code") != code {
			s.Errorf("%s %s: %d %s, want %d %s", file, query, got.status, got.body, status, code)
		}
		return got.header.Get("ETag")
	}
	if _, ok := s.b.(filestore.Marking); !ok {
		put(400, "UnsupportedHeader", "described", "", "x", "x-ms-meta-crs", "EPSG:25832")
		return
	}
	want := func(file, crs, tag, content string) {
		s.Helper()
		got := n.do("GET", address, file, nil, version...)
		if got.header.Get("x-ms-meta-crs") != crs || got.header.Get("ETag") != tag || tag == "" || got.body != content {
			s.Errorf("%s: %q of %s, %d bytes; want %q of %s, %d bytes", file, got.header.Get("x-ms-meta-crs"),
				got.header.Get("ETag"), len(got.body), crs, tag, len(content))
		}
		list := n.ask("GET", address, "", "&restype=container&comp=list&include=metadata&prefix="+file, nil, version...)
		item := "<Metadata></Metadata>"
		if crs != "" {
			item = "<Metadata><crs>" + crs + "</crs></Metadata>"
		}
		if !strings.Contains(list.body, "<Etag>"+strings.Trim(tag, `"`)+"</Etag>") ||
			!strings.Contains(list.body, item) {
			s.Errorf("the list: %s, want %s and %s", list.body, tag, item)
		}
	}
	for _, content := range []string{"x", s.large()} {
		first := put(201, "", "described", "", content, "x-ms-meta-crs", "EPSG:25832")
		want("described", "EPSG:25832", first, content)
		second := put(200, "", "described", "&comp=metadata", "", "x-ms-meta-crs", "EPSG:4326", "If-Match", first)
		want("described", "EPSG:4326", second, content)
		put(412, "ConditionNotMet", "described", "&comp=metadata", "", "x-ms-meta-crs", "other", "If-Match", first)
		// The same bytes without them have none.
		third := put(201, "", "described", "", content)
		want("described", "", third, content)
		put(200, "", "described", "&comp=metadata", "", "x-ms-meta-crs", "EPSG:4326")
		n.want(201, "", "PUT", address, "described", content)
		if got := n.do("HEAD", address, "described", nil, version...); got.header.Get("x-ms-meta-crs") != "" {
			s.Errorf("of a file before it there is %v", got.header)
		}
	}
	// One of the former blocks, twice, is as good as one that is sent.
	const first, second, third = "MDAwMQ==", "MDAwMg==", "MDAwMw=="
	put(201, "", "mesh/again", "&comp=block&blockid="+first, "one ")
	put(201, "", "mesh/again", "&comp=block&blockid="+second, s.large())
	put(201, "", "mesh/again", "&comp=blocklist",
		"<BlockList><Latest>"+first+"</Latest><Latest>"+second+"</Latest></BlockList>")
	put(201, "", "mesh/again", "&comp=block&blockid="+third, "three ")
	tag := put(201, "", "mesh/again", "&comp=blocklist",
		"<BlockList><Committed>"+second+"</Committed><Uncommitted>"+third+"</Uncommitted><Latest>"+first+
			"</Latest></BlockList>", "x-ms-meta-crs", "EPSG:4326")
	want("mesh/again", "EPSG:4326", tag, s.large()+"three one ")
	for _, file := range []string{"mesh/again", "described"} {
		n.want(204, "", "DELETE", address, file, "")
	}
}

func blocksBecomeAFile(s *subject) {
	n := s.node(newRecords(), filestore.Config{})
	id, address := n.data()
	version := []string{"x-ms-version", "2021-12-02"}
	n.want(201, "", "PUT", address, "mesh/tile", "before")
	large := s.large()
	put := func(status int, code, query, body string) {
		s.Helper()
		got := n.ask("PUT", address, "/mesh/tile", query, strings.NewReader(body), version...)
		if got.status != status || got.header.Get("x-ms-error-code") != code {
			s.Errorf("%s: %d %s, want %d %s", query, got.status, got.body, status, code)
		}
	}
	const first, second = "MDAwMQ==", "MDAwMg=="
	const list = "<BlockList><Latest>" + first + "</Latest><Uncommitted>" + second + "</Uncommitted><Latest>" + first +
		"</Latest></BlockList>"
	if _, ok := s.b.(filestore.Shelf); !ok {
		put(501, "NotImplemented", "&comp=block&blockid="+first, large)
		put(501, "NotImplemented", "&comp=blocklist", list)
		n.want(200, "before", "GET", address, "mesh/tile", "")
		return
	}
	put(201, "", "&comp=block&blockid="+second, "-")
	put(400, "InvalidBlockList", "&comp=blocklist", list)
	put(400, "InvalidBlobOrBlock", "&comp=block&blockid=MDAx", "x")
	put(201, "", "&comp=block&blockid="+first, large)
	n.want(200, "before", "GET", address, "mesh/tile", "")
	n.wantSize(id, 6)
	put(201, "", "&comp=blocklist", list)
	if got := n.do("GET", address, "mesh/tile", nil, version...); got.status != 200 || got.body != large+"-"+large ||
		got.header.Get("ETag") == "" {
		s.Errorf("the file of blocks: %d, %d bytes, %v", got.status, len(got.body), got.header)
	}
	if got := n.do("GET", address, "mesh/tile", nil,
		append(version, "x-ms-range", "bytes=0-9")...); got.status != 206 || got.body != large[:10] {
		s.Errorf("a range: %d, %d bytes", got.status, len(got.body))
	}
	put(400, "InvalidBlockList", "&comp=blocklist", "<BlockList><Uncommitted>"+first+"</Uncommitted></BlockList>")
	n.describedFiles(address, version)
	n.wantSize(id, int64(2*len(large)+1))
	got := n.ask("GET", address, "", "&restype=container&comp=list&delimiter=/&prefix=mesh/", nil, version...)
	if got.status != 200 || !strings.Contains(got.body, "<Name>mesh/tile</Name>") ||
		!strings.Contains(got.body, fmt.Sprintf("<Content-Length>%d<", 2*len(large)+1)) {
		s.Errorf("the list: %d %s", got.status, got.body)
	}
	if err := n.DeleteRealityData(s.Context(), id); err != nil {
		s.Fatal(err)
	}
	if got := s.containers(); len(got) > 0 {
		s.Errorf("of deleted data there remain %q", got)
	}
}
