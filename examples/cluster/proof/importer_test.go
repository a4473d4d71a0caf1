package proof_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
)

// importer imports a planner file, each time under its own name.
type importer struct {
	*clients

	file string
	n    int
	came map[string]outcome // by the name of the import
}

const (
	importsPath = "/schedules/imports"
	mostImports = 12 // each of which makes the tasks of the file once more
)

func newImporter(c *clients, twin string) *importer {
	c.create(0, "/schedules", map[string]any{"id": "imports", "name": "imports", "twinId": twin})
	content, err := os.ReadFile(library + "/schedules/planner/testdata/MultiprojectWithExternal.xer")
	if err != nil {
		c.t.Fatal(err)
	}
	header := http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Length": {strconv.Itoa(len(content))}}
	a := c.send(0, request{method: "POST", path: importsPath + "/files", header: header})
	i := &importer{clients: c, file: a.text("file", "id"), came: make(map[string]outcome)}
	header = http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Offset": {"0"}, "Content-Type": {"application/offset+octet-stream"}}
	if a = c.send(1, request{method: "PATCH", path: importsPath + "/files/" + i.file, header: header, body: content}); a.outcome != made {
		c.t.Fatalf("uploading a plan: %d %s", a.status, a.raw)
	}
	return i
}

// step imports the file, once.
func (i *importer) step() {
	for range 120 { // an import is large work, and rare
		pause()
	}
	if i.n >= mostImports {
		return
	}
	i.n++
	name := fmt.Sprintf("import-%02d", i.n)
	a := i.send(i.any(), request{method: "POST", path: importsPath + "/imports/planner", body: map[string]any{"fileId": i.file, "synchronizerId": name}})
	i.came[name] = a.outcome
	switch {
	case a.outcome == made:
		if failed, ok := i.await(a); !ok || failed != "" {
			i.fault("%s failed: %s", name, failed)
		}
	case a.outcome == refused && a.status == http.StatusConflict: // one of unknown outcome is still being made
	case a.outcome == refused && !a.passing():
		i.fault("%s is refused with %d %s", name, a.status, a.raw)
	}
}

// check wants of each import what it was answered, at a node.
func (i *importer) check(node int) {
	counts := make(map[string]int)
	for name, came := range i.came {
		status := i.readAt(node, importsPath+"/imports/planner/synchronizers/"+name).status
		if came == made && status != http.StatusOK || came == refused && status != http.StatusNotFound {
			i.fault("node %d answers %d for %s, which was %v", node, status, name, came)
		}
		counts[came.String()]++
	}
	i.t.Logf("node %d, imports: %v", node, counts)
}
