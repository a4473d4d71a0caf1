package filestore_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// blockID is the id of a block as clients make them.
func blockID(n int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "block-%05d", n))
}

// blockQuery names a block.
func blockQuery(id string) string { return "comp=block&blockid=" + url.QueryEscape(id) }

// list is the body of a request that makes a file of blocks, each with where it is from.
func list(blocks ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><BlockList>`)
	for i := 0; i < len(blocks); i += 2 {
		fmt.Fprintf(&b, "<%s>%s</%[1]s>", blocks[i], blocks[i+1])
	}
	return b.String() + "</BlockList>"
}

// stage sends a block.
func (w *world) stage(address, file, id, content string) {
	w.t.Helper()
	w.blob("PUT", address, file, blockQuery(id), content, "Content-MD5", sum(content)).want(w.t, 201)
}

// wantFile wants a file of a content.
func (w *world) wantFile(address, file, content string) {
	w.t.Helper()
	if got := w.blob("GET", address, file, "", ""); got.status != 200 || got.body != content {
		w.t.Errorf("%s is %d %.60q of %d bytes, want %.60q", file, got.status, got.body, len(got.body), content)
	}
}

func TestFileOfBlocksAppearsWithTheirList(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		id, address := w.data(w.of("acme", "ann"))
		const blocks = 9
		var want strings.Builder
		var ids []string
		for i := range blocks {
			content := strings.Repeat(string(rune('a'+i)), 1<<20+i)
			want.WriteString(content)
			ids = append(ids, "Latest", blockID(i))
		}
		for i := blocks - 1; i >= 0; i-- { // as they come
			w.stage(address, "scans/a.las", blockID(i), strings.Repeat(string(rune('a'+i)), 1<<20+i))
			wantBlobError(t, w.blob("GET", address, "scans/a.las", "", ""), 404, "BlobNotFound")
		}
		if n, err := w.files.ContainerSize(t.Context(), id); n != 0 || err != nil {
			t.Errorf("blocks that are no file have %d bytes, %v", n, err)
		}
		put := w.blob("PUT", address, "scans/a.las", "comp=blocklist", list(ids...)).want(t, 201)
		w.wantFile(address, "scans/a.las", want.String())
		if got := w.blob("HEAD", address, "scans/a.las", "", ""); got.header.Get("ETag") != put.header.Get("ETag") || put.header.Get("ETag") == "" {
			t.Errorf("written as %v, is %v", put.header, got.header)
		}
		if n, err := w.files.ContainerSize(t.Context(), id); n != int64(want.Len()) || err != nil {
			t.Errorf("the data have %d bytes, %v; want %d", n, err, want.Len())
		}
		// What is left next to the file is its list alone.
		if got := w.onDisk(); len(got) != 2 {
			t.Errorf("there are %q", got)
		}
		if err := w.DeleteRealityData(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := w.onDisk(); len(got) != 0 || w.folders() > 0 {
			t.Errorf("of deleted data there remain %q", got)
		}
	})
}

func TestBlocksOfAFileAreUsedAgain(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		for i, content := range []string{"one ", "two ", "three "} {
			w.stage(address, "a", blockID(i), content)
		}
		w.blob("PUT", address, "a", "comp=blocklist", list("Uncommitted", blockID(0), "Latest", blockID(1), "Latest", blockID(2))).want(t, 201)
		w.wantFile(address, "a", "one two three ")
		w.stage(address, "a", blockID(1), "2 ")
		w.stage(address, "a", blockID(3), "four")
		got := w.blob("GET", address, "a", "comp=blocklist&blocklisttype=all", "").want(t, 200)
		want := `<?xml version="1.0" encoding="UTF-8"?>
<BlockList><CommittedBlocks>` +
			`<Block><Name>YmxvY2stMDAwMDA=</Name><Size>4</Size></Block><Block><Name>YmxvY2stMDAwMDE=</Name><Size>4</Size></Block>` +
			`<Block><Name>YmxvY2stMDAwMDI=</Name><Size>6</Size></Block></CommittedBlocks><UncommittedBlocks>` +
			`<Block><Name>YmxvY2stMDAwMDE=</Name><Size>2</Size></Block><Block><Name>YmxvY2stMDAwMDM=</Name><Size>4</Size></Block></UncommittedBlocks></BlockList>`
		if diff := cmp.Diff(want, got.body); diff != "" {
			t.Error(diff)
		}
		w.blob("PUT", address, "a", "comp=blocklist",
			list("Committed", blockID(2), "Latest", blockID(1), "Committed", blockID(1), "Latest", blockID(0), "Uncommitted", blockID(3), "Uncommitted", blockID(3))).want(t, 201)
		w.wantFile(address, "a", "three 2 two one fourfour")
		// A whole file has no blocks, and takes away those that were sent.
		w.stage(address, "a", blockID(7), "seven")
		w.blob("PUT", address, "a", "", "whole").want(t, 201)
		for _, from := range []string{"Committed", "Uncommitted", "Latest"} {
			for _, id := range []int{0, 7} {
				wantBlobError(t, w.blob("PUT", address, "a", "comp=blocklist", list(from, blockID(id))), 400, "InvalidBlockList")
			}
		}
		w.wantFile(address, "a", "whole")
		if got := w.onDisk(); len(got) != 1 {
			t.Errorf("there are %q", got)
		}
		w.blob("PUT", address, "a", "comp=blocklist", list()).want(t, 201)
		w.wantFile(address, "a", "")
	})
}

func TestWrongBlocksAndListsChangeNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	w.put(address, "a", "before")
	w.stage(address, "a", blockID(1), "block")
	many := make([]string, 0, 2*50_001)
	for range 50_001 {
		many = append(many, "Latest", blockID(1))
	}
	for name, test := range map[string]struct{ query, body, code string }{
		"no id":                      {"comp=block", "x", "InvalidBlockId"},
		"an id that is no base64":    {blockQuery("block 1"), "x", "InvalidBlockId"},
		"an id that leads elsewhere": {blockQuery("../../../a"), "x", "InvalidBlockId"},
		"an id that is too long":     {blockQuery(base64.StdEncoding.EncodeToString(make([]byte, 65))), "x", "InvalidBlockId"},
		"an id of another length":    {blockQuery("MTIz"), "x", "InvalidBlobOrBlock"},
		"a block that is not there":  {"comp=blocklist", list("Latest", blockID(1), "Latest", blockID(2)), "InvalidBlockList"},
		"one that is no part yet":    {"comp=blocklist", list("Committed", blockID(1)), "InvalidBlockList"},
		"no XML":                     {"comp=blocklist", "1,2,3", "InvalidXmlDocument"},
		"no list":                    {"comp=blocklist", "<Blocks/>", "InvalidXmlDocument"},
		"half a list":                {"comp=blocklist", "<BlockList><Latest>" + blockID(1) + "</Latest>", "InvalidXmlDocument"},
		"two lists":                  {"comp=blocklist", list() + list(), "InvalidXmlDocument"},
		"nothing":                    {"comp=blocklist", "", "InvalidXmlDocument"},
		"another kind of block":      {"comp=blocklist", list("Oldest", blockID(1)), "InvalidXmlDocument"},
		"a wrong id in a list":       {"comp=blocklist", list("Latest", "?"), "InvalidBlockId"},
		"too many":                   {"comp=blocklist", list(many...), "BlockListTooLong"},
	} {
		res := w.blob("PUT", address, "a", test.query, test.body)
		if wantBlobError(t, res, 400, test.code); t.Failed() {
			t.Fatal(name)
		}
	}
	wantBlobError(t, w.blob("PUT", address, "a", blockQuery(blockID(1)), "other", "Content-MD5", sum("x")), 400, "Md5Mismatch")
	wantBlobError(t, w.blob("PUT", address, "a", "comp=blocklist", list("Latest", blockID(1)), "Content-MD5", sum("x")), 400, "Md5Mismatch")
	wantBlobError(t, w.blob("PUT", address, "a", "comp=blocklist", list("Latest", blockID(1)), "If-None-Match", "*"), 409, "BlobAlreadyExists")
	w.wantFile(address, "a", "before")
	w.blob("PUT", address, "a", "comp=blocklist", list("Latest", blockID(1))).want(t, 201)
	w.wantFile(address, "a", "block")
}

// A process dies between two blocks, and between the last one and their list; the client
// continues where it was.
func TestBlocksOutliveTheProcess(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		again := func() {
			if err := w.files.Close(); err != nil {
				t.Fatal(err)
			}
			w.open(filestore.Config{Key: bytes.Repeat([]byte{8}, filestore.MinKey)})
		}
		id, address := w.data(w.of("acme", "ann"))
		w.put(address, "a", "before")
		w.stage(address, "a", blockID(1), "first ")
		for i, content := range []string{"second ", "third"} {
			again()
			a, err := w.WriteAccess(w.of("acme", "ann"), id, "")
			if err != nil {
				t.Fatal(err)
			}
			address = a.URL
			w.wantFile(address, "a", "before")
			w.stage(address, "a", blockID(2+i), content)
		}
		again()
		a, err := w.WriteAccess(w.of("acme", "ann"), id, "")
		if err != nil {
			t.Fatal(err)
		}
		w.blob("PUT", a.URL, "a", "comp=blocklist", list("Latest", blockID(1), "Latest", blockID(2), "Latest", blockID(3))).want(t, 201)
		w.wantFile(a.URL, "a", "first second third")
	})
}

func TestBlocksCountToTheLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{MaxFile: 1_000, MaxContainer: 2_000, MaxAccount: 2_400, MaxFiles: 3})
	_, address := w.data(w.of("acme", "ann"))
	some := func(n int) string { return strings.Repeat("x", n) }
	w.stage(address, "a", blockID(1), some(800))
	w.stage(address, "a", blockID(2), some(800))
	wantBlobError(t, w.blob("PUT", address, "a", blockQuery(blockID(3)), some(1_001)), 413, "RequestBodyTooLarge")
	wantBlobError(t, w.blob("PUT", address, "a", blockQuery(blockID(3)), some(500)), 409, "ContainerFull")
	w.stage(address, "b", blockID(3), "x")
	wantBlobError(t, w.blob("PUT", address, "a", blockQuery(blockID(4)), "x"), 409, "ContainerFull")
	wantBlobError(t, w.blob("PUT", address, "a", "comp=blocklist", list("Latest", blockID(1), "Latest", blockID(2))), 413, "RequestBodyTooLarge")
	if status, body := w.put(address, "c", some(801)); status != 409 || !strings.Contains(body, "AccountStorageFull") {
		t.Errorf("with blocks pending: %d %s", status, body)
	}
	// The blocks make room for the file.
	w.blob("PUT", address, "a", "comp=blocklist", list("Latest", blockID(1))).want(t, 201)
	w.wantFile(address, "a", some(800))
	if status, body := w.put(address, "c", some(801)); status != 201 {
		t.Errorf("after the list: %d %s", status, body)
	}
}

func TestBlocksThatBecomeNoFileGoAfterAWeek(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		w.stage(address, "old", blockID(1), "x")
		w.stage(address, "young", blockID(1), "x")
		w.stage(address, "young", blockID(2), "x")
		w.blob("PUT", address, "file", "comp=blocklist", list()).want(t, 201)
		// All are old but the last block of young.
		last := filepath.Base(w.find(2)[0])
		err := filepath.WalkDir(w.dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Base(name) != last {
				long := time.Now().Add(-8 * 24 * time.Hour)
				err = os.Chtimes(name, long, long)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.files.Close(); err != nil {
			t.Fatal(err)
		}
		w.shared = false // of which Run does it, in its time
		w.open(filestore.Config{})
		if len(w.find(1)) != 1 || len(w.find(2)) != 1 {
			t.Errorf("there are %q", w.onDisk())
		}
	})
}

// find finds the files that are blocks of a number.
func (w *world) find(n int) (found []string) {
	name := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "block-%05d", n))
	for _, file := range w.onDisk() {
		if filepath.Base(file) == name {
			found = append(found, file)
		}
	}
	return found
}
