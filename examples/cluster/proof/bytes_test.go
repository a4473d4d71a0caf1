package proof_test

import (
	"bytes"
	"crypto/rand"
	"net/url"
	"strconv"
)

// surveyor writes files into reality data, and remembers their bytes.
type surveyor struct {
	*clients

	id    string
	n     int
	files map[string][]byte // nil: of unknown outcome
	sent  map[string][]byte // those of unknown outcome
}

func newSurveyor(c *clients, twin string) *surveyor {
	a := c.create(0, "/reality-management/reality-data/", map[string]any{"twinId": twin, "displayName": "Files", "type": "3MX"})
	return &surveyor{clients: c, id: a.text("realityData", "id"), files: make(map[string][]byte), sent: make(map[string][]byte)}
}

// address is that of a file, for reading or writing, as a node gives it.
func (s *surveyor) address(node int, access, file string) (path string, a answer) {
	a = s.send(node, request{method: "GET", path: "/reality-management/reality-data/" + s.id + "/" + access})
	u, err := url.Parse(a.text("_links", "containerUrl", "href"))
	if err != nil {
		s.fault("the address of a container is %s", a.raw)
	}
	return u.Path + "/" + file + "?" + u.RawQuery, a
}

// step writes a file, with the address of one node at either of them.
func (s *surveyor) step() {
	s.n++
	file := "f" + strconv.Itoa(s.n)
	address, a := s.address(s.any(), "writeaccess", file)
	if a.outcome != made {
		pause()
		return
	}
	content := make([]byte, 1+number(300_000))
	_, _ = rand.Read(content)
	a = s.send(s.any(), request{method: "PUT", path: address, body: content})
	switch {
	case a.outcome == made:
		s.files[file] = content
	case a.outcome == unknown:
		s.sent[file] = content
	case !a.passing():
		s.fault("writing a file is refused with %d %s", a.status, a.raw)
	}
	pause()
}

// check wants the files that were taken to be there, and of others all or nothing.
func (s *surveyor) check(node int) {
	half := 0
	for _, all := range []map[string][]byte{s.files, s.sent} {
		for file, content := range all {
			address, a := s.address(node, "readaccess", file)
			if a.outcome != made {
				s.fault("node %d gives no address: %d %s", node, a.status, a.raw)
				return
			}
			got := s.readAt(node, address)
			_, doubtful := s.sent[file]
			switch {
			case doubtful && got.status == 404:
			case got.status != 200 || !bytes.Equal(got.raw, content):
				s.fault("node %d answers with %d and %d bytes for a file of %d (acknowledged: %v)", node, got.status, len(got.raw), len(content), !doubtful)
			case doubtful:
				half++
			}
		}
	}
	s.t.Logf("node %d, files: %d acknowledged, %d of unknown outcome, %d of these are there", node, len(s.files), len(s.sent), half)
}
