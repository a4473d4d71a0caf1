package filestoretest

import (
	"encoding/xml"
	"io/fs"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// spelled are all names of up to so many parts, of which some say nothing or lead elsewhere.
func spelled(parts int) (names []string) {
	short := []string{""}
	for n := range parts {
		var longer []string
		for _, name := range short {
			for _, part := range []string{"", ".", "..", "é 1", "tile"} {
				if n > 0 {
					part = name + "/" + part
				}
				longer = append(longer, part)
			}
		}
		short = longer
		names = append(names, longer...)
	}
	return names
}

// namesAreTheirOwn has no name lead to the file of another, and none of a folder to a file.
func namesAreTheirOwn(s *subject) {
	r := newRecords()
	n := s.node(r, filestore.Config{Rate: filestore.Unlimited})
	id, address := n.data()
	n.want(201, "", "PUT", address, "kept/", "")
	n = s.node(r, filestore.Config{Rate: filestore.Unlimited})
	n.wantList(address, "&delimiter=/", "[kept/]")
	s.wantMeasure(id, 0, 1)
	for _, name := range spelled(3) {
		folder, isFolder := strings.CutSuffix(name, "/")
		switch {
		case name == "": // the container
		case fs.ValidPath(name) && name != ".":
			n.keepsFile(name)
		case isFolder && fs.ValidPath(folder) && folder != ".":
			n.keepsFolder(name)
		default:
			n.refusesName(name)
		}
	}
	for _, name := range []string{".part-folder/file", "tile/.part-folder", "tile/.part-folder/", ".part-folder/"} {
		n.refusesName(name)
	}
}

func (n *node) keepsFile(name string) {
	n.s.Helper()
	id, address := n.data()
	n.want(201, "", "PUT", address, name, "bytes")
	n.want(200, "bytes", "GET", address, name, "")
	n.s.wantMeasure(id, 5, 1)
	n.wantList(address, "", name)
}

// keepsFolder has a folder without files there until it is removed, whatever becomes of those that
// come into it.
func (n *node) keepsFolder(name string) {
	n.s.Helper()
	id, address := n.data()
	n.want(422, "InvalidFileName", "PUT", address, name, "bytes")
	n.s.wantMeasure(id, 0, 0)
	top, _, _ := strings.Cut(name, "/")
	above := "[" + top + "/]"
	for _, marked := range []bool{false, true} {
		if _, marks := n.s.b.(filestore.Marking); marked && marks {
			stub := append([]string{"x-ms-blob-type", "BlockBlob", "x-ms-meta-hdi_isfolder", "true"}, protocol...)
			if got := n.do("PUT", address, strings.TrimSuffix(name, "/"), strings.NewReader(""),
				stub...); got.status != 201 {
				n.s.Errorf("a stub of %q: %d %s", name, got.status, got.body)
			}
		} else {
			n.want(201, "", "PUT", address, name, "")
		}
		n.want(200, "", "GET", address, name, "")
		n.wantList(address, "")
		n.wantList(address, "&delimiter=/", above)
		n.wantList(address, "&delimiter=/&prefix="+strings.ReplaceAll(name, " ", "%20"))
		n.s.wantMeasure(id, 0, 1)
	}
	n.want(201, "", "PUT", address, name+"x", "bytes")
	n.wantList(address, "", name+"x")
	n.wantList(address, "&delimiter=/", above)
	var yielded []string
	if _, ok := n.s.b.(filestore.Shelf); ok {
		if err := n.files.ListFiles(n.s.Context(), id, "", func(file string, _ int64) bool {
			yielded = append(yielded, file)
			return true
		}); err != nil || !slices.Equal(yielded, []string{name + "x"}) {
			n.s.Errorf("the files are %q, %v", yielded, err)
		}
	}
	n.want(204, "", "DELETE", address, name+"x", "")
	n.want(404, "FileNotFound", "GET", address, name+"x", "")
	n.wantList(address, "&delimiter=/", above)
	n.want(204, "", "DELETE", address, name, "")
	n.want(404, "FileNotFound", "DELETE", address, name, "")
	n.want(404, "FileNotFound", "GET", address, name, "")
	n.wantList(address, "&delimiter=/")
	n.s.wantMeasure(id, 0, 0)
}

func (n *node) refusesName(name string) {
	n.s.Helper()
	id, address := n.data()
	for _, method := range []string{"PUT", "GET", "DELETE"} {
		n.want(422, "InvalidFileName", method, address, name, "")
		got := n.do(method, address, name, strings.NewReader(""), protocol...)
		if got.status != 400 || got.header.Get("x-ms-error-code") != "InvalidResourceName" {
			n.s.Errorf("%s %q: %d %s", method, name, got.status, got.body)
		}
	}
	n.s.wantMeasure(id, 0, 0)
}

// protocol makes a request one of block-blob clients.
var protocol = []string{"x-ms-version", "2021-12-02"}

// wantList wants files, and folders in brackets, in a list, from a backend that has one.
func (n *node) wantList(address, query string, want ...string) {
	n.s.Helper()
	if _, ok := n.s.b.(filestore.Shelf); !ok {
		return
	}
	got := n.ask("GET", address, "", "&restype=container&comp=list"+query, nil, protocol...)
	var page struct {
		Blobs struct {
			Blob, BlobPrefix []struct{ Name string }
		}
	}
	if err := xml.Unmarshal([]byte(got.body), &page); err != nil || got.status != 200 {
		n.s.Errorf("the list: %d %s, %v", got.status, got.body, err)
	}
	var names []string
	for _, b := range page.Blobs.Blob {
		names = append(names, b.Name)
	}
	for _, b := range page.Blobs.BlobPrefix {
		names = append(names, "["+b.Name+"]")
	}
	if !slices.Equal(names, want) {
		n.s.Errorf("the list%s has %q, want %q", query, names, want)
	}
}
