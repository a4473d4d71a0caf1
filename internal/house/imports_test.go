package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/seed-933f9a09/twinplatform"

// layer is one folder of the house and what its packages may import besides
// the standard library and one another. Entries that begin with a host are
// packages of other modules; the rest are folders of this one, with everything
// below them when they end in /....
type layer struct {
	folder string
	may    []string
}

// engineRoom is what every engine may use.
var engineRoom = []string{"storage", "storage/engine", "storage/internal/..."}

// The rows are matched by the longest folder. A package that matches none is a
// new top-level folder, and those are not opened in passing.
var layers = []layer{
	{".", []string{"github.com/rs/xid", "internal/wire"}},

	{"storage", []string{"storage/internal/journal"}},
	{"storage/internal/journal", nil},
	{"storage/engine", []string{"storage", "github.com/tidwall/btree"}},
	{"storage/internal", []string{"storage", "storage/engine", "storage/internal/tree", "github.com/tidwall/btree", "github.com/tidwall/buntdb"}},
	{"storage/memory", append([]string{"github.com/tidwall/btree"}, engineRoom...)},
	{"storage/buntdb", append([]string{"github.com/tidwall/btree", "github.com/tidwall/buntdb"}, engineRoom...)},
	{"storage/storagetest", append([]string{"github.com/google/go-cmp/cmp"}, engineRoom...)},

	{"internal", []string{"."}},
	{"internal/records", []string{".", "storage", "internal/...", "github.com/tidwall/btree"}},
	{"internal/records/recordstest", []string{"internal/entity", "internal/records", "storage", "storage/memory", "github.com/google/go-cmp/cmp"}},
	{"internal/jobs", []string{".", "storage", "internal/..."}},
	{"internal/storetest/distant", []string{"storage", "storage/engine"}},
	{"internal/storetest", []string{"internal/storetest/distant", "storage", "storage/memory", "storage/buntdb"}},
	{"internal/plantest", []string{"schedules/cpm", "schedules/planner", "schedules/worktime"}},
	{"internal/problem/problemtest", []string{"."}},
	{"internal/problem", []string{".", "internal/records", "internal/schema"}},
	{"internal/entity", []string{".", "internal/records", "internal/problem", "internal/schema"}},
	{"internal/schema", nil},
	{"internal/bench", []string{"storage"}},
	{"internal/storm", nil},
	{"internal/wire", nil},
	{"internal/effort", nil},
	{"internal/recorder", nil},
	{"internal/allowance", []string{".", "golang.org/x/time/rate"}},
	{"internal/blob", []string{".", "storage", "internal/records"}},
	{"internal/blob/blobtest", []string{".", "storage", "internal/blob", "internal/records", "github.com/google/go-cmp/cmp"}},
	{"internal/blobclient", []string{"realitydata/filestore"}},
	{"internal/judge", []string{".", "storage", "internal/records", "webhooks/event"}},
	{"internal/judge/judgetest", []string{".", "storage", "storage/memory", "internal/records", "github.com/google/go-cmp/cmp"}},

	{"schedules", append([]string{"schedules/animation", "schedules/cpm", "schedules/codes", "schedules/files", "schedules/fourd", "schedules/statuses", "schedules/units", "schedules/synchronizers", "schedules/userfields", "schedules/internal/importing", "schedules/internal/model", "schedules/internal/plan", "schedules/worktime"}, belowDomains...)},
	{"schedules/internal/model", append(append([]string{"schedules/fourd", "schedules/internal/plan"}, looks...), belowDomains...)},
	{"schedules/internal/plan", nil},
	{"schedules/internal/rescheduling", append([]string{"schedules", "schedules/internal/model", "schedules/internal/plan"}, append(slices.Clone(looks), belowDomains...)...)},
	{"schedules/scheduling", append([]string{"schedules", "schedules/analysis", "schedules/compare", "schedules/internal/model", "schedules/internal/rescheduling"}, append(slices.Clone(looks), belowDomains...)...)},
	{"schedules/exchange", append([]string{"schedules", "schedules/analysis", "schedules/animation", "schedules/codes", "schedules/compare", "schedules/files", "schedules/gantt", "schedules/internal/importing", "schedules/internal/model", "schedules/internal/rescheduling", "schedules/planner", "schedules/synchronizers", "schedules/units", "schedules/userfields"}, append(slices.Clone(looks), belowDomains...)...)},
	{"schedules/synchronizers", append([]string{"schedules/internal/model"}, belowDomains...)},
	{"schedules/animation", append([]string{"schedules/fourd", "schedules/fourd/animated", "schedules/fourd/gltf", "schedules/internal/model", "schedules/worktime"}, belowDomains...)},
	{"schedules/analysis", append([]string{"schedules", "schedules/internal/model", "schedules/internal/rescheduling", "schedules/compare", "schedules/gantt", "schedules/progress", "schedules/quality", "schedules/risk", "schedules/table"}, append(slices.Clone(looks), belowDomains...)...)},
	{"schedules/files", append([]string{"schedules/internal/model"}, belowDomains...)},
	{"schedules/codes", append([]string{"schedules/internal/model"}, belowDomains...)},
	{"schedules/statuses", append([]string{"schedules/animation", "schedules/internal/model"}, belowDomains...)},
	{"schedules/internal/importing", append([]string{"schedules/dated", "schedules/internal/model", "schedules/planner"}, belowDomains...)},
	{"schedules/units", nil},
	{"schedules/userfields", append([]string{"schedules/internal/model"}, belowDomains...)},
	{"schedules/worktime", nil},
	{"schedules/cpm", []string{"schedules/worktime"}},
	{"schedules/dated", []string{"schedules/cpm", "schedules/worktime"}},
	{"schedules/fourd", []string{"schedules/worktime"}},
	{"schedules/fourd/animated", []string{"schedules/fourd", "schedules/fourd/gltf", "schedules/worktime"}},
	{"schedules/fourd/gltf", nil},
	{"schedules/fourd/isometric", []string{"schedules/fourd"}},
	{"schedules/gantt", append([]string{"schedules/internal/pdf"}, looks...)},
	{"schedules/internal/pdf", nil},
	{"schedules/compare", append([]string{"internal/spreadsheet"}, looks...)},
	{"schedules/quality", looks},
	{"schedules/series", append([]string{"schedules/compare", "schedules/internal/plot"}, looks...)},
	{"schedules/table", append([]string{"internal/spreadsheet", "schedules/compare", "schedules/progress", "schedules/series"}, looks...)},
	{"schedules/risk", append([]string{"schedules/internal/plot"}, looks...)},
	{"schedules/progress", append([]string{"internal/spreadsheet", "schedules/internal/plot"}, looks...)},
	{"schedules/internal/plot", []string{"schedules/worktime"}},
	{"schedules/planner", looks},
	{"schedules/planner/cli", append([]string{"internal/usage", "schedules/compare", "schedules/fourd", "schedules/fourd/animated", "schedules/fourd/gltf", "schedules/gantt", "schedules/internal/pdf", "schedules/planner", "schedules/progress", "schedules/quality", "schedules/risk", "schedules/series", "schedules/table"}, looks...)},
	{"forms", belowDomains},
	{"twins", belowDomains},
	{"webhooks", append([]string{"webhooks/inbox", "webhooks/receiver"}, belowDomains...)},
	{"webhooks/inbox", []string{".", "webhooks/receiver"}},
	{"webhooks/receiver", nil},
	{"webhooks/event", []string{".", "internal/wire"}}, // a leaf: who emits and who receives share its words
	{"realitydata", belowDomains},
	{"realitydata/filestore", []string{".", "internal/..."}},
	{"realitydata/filestore/filestoretest", []string{".", "realitydata", "realitydata/filestore", "storage", "storage/memory"}},
	{"transform", append([]string{"transform/internal/area", "transform/internal/filter", "transform/models"}, belowDomains...)},
	{"transform/internal/area", belowDomains},
	{"transform/internal/filter", nil},
	{"transform/internal/modelstest", append([]string{"transform", "transform/models"}, belowDomains...)},
	{"transform/models", append([]string{"schedules/fourd/gltf", "transform/internal/area"}, belowDomains...)}, // of schedules it knows the format of 3D models alone
	{"transform/transformtest", []string{".", "transform/models", "github.com/google/go-cmp/cmp", "github.com/google/go-cmp/cmp/cmpopts"}},

	{"platform", append([]string{"schedules/fourd", "storage/memory"}, append(domains, belowDomains...)...)},

	{"httpapi", append([]string{"httpapi/internal/..."}, append(domains, belowDomains...)...)},
	{"httpapi/internal/shape", []string{".", "internal/problem"}},
	{"httpapi/internal/conversations", []string{"httpapi/internal/transcript"}},
	{"httpapi/internal/transcript", nil},
	{"httpapi/internal/player", []string{"httpapi/internal/transcript"}},
	{"httpapi/internal/secret", []string{"httpapi"}},
	{"httpapi/internal/document", []string{".", "httpapi/internal/shape", "internal/problem", "internal/schema"}},                                                // knows no domain and no route table
	{"httpapi/internal/vocabulary", []string{".", "httpapi/internal/document", "httpapi/internal/shape", "internal/problem", "internal/wire", "webhooks/event"}}, // knows no route table
	{"httpapi/internal/cycle", []string{".", "internal/...", "httpapi/internal/document", "httpapi/internal/shape", "httpapi/internal/vocabulary"}},
	{"httpapi/internal/route", []string{".", "internal/...", "httpapi/internal/cycle", "httpapi/internal/document"}},
	{"httpapi/internal/routes/schedules", append([]string{"schedules", "schedules/files", "schedules/animation", "schedules/codes", "schedules/statuses", "schedules/userfields", "schedules/analysis", "schedules/exchange", "schedules/scheduling", "schedules/synchronizers"}, belowRoutes...)},
	{"httpapi/internal/routes/forms", append([]string{"forms"}, belowRoutes...)},
	{"httpapi/internal/routes/twins", append([]string{"twins"}, belowRoutes...)},
	{"httpapi/internal/routes/realitydata", append([]string{"realitydata"}, belowRoutes...)},
	{"httpapi/internal/routes/transformations", append([]string{"transform", "transform/models", "twins"}, belowRoutes...)},
	{"httpapi/internal/routes/webhooks", append([]string{"webhooks"}, belowRoutes...)},
	{"httpapi/journal", []string{".", "httpapi", "httpapi/internal/secret"}},
	{"httpapi/accesslog", []string{".", "httpapi", "httpapi/journal"}},
	{"httpapi/recording", append([]string{".", "httpapi", "httpapi/internal/player", "httpapi/internal/secret", "httpapi/internal/transcript", "internal/recorder", "platform", "storage/memory"}, domains...)},
	{"httpapi/ratelimit", []string{"internal/allowance", "storage"}},
	{"httpapi/compress", nil},
	{"httpapi/console", []string{".", "golang.org/x/time/rate", "httpapi", "httpapi/compress", "httpapi/console/internal/html", "httpapi/journal", "internal/allowance", "schedules/gantt", "schedules/risk", "webhooks/inbox"}}, // all that it shows comes from the API, the colours of charts, and what its receiver got
	{"httpapi/console/internal/html", nil},
	{"httpapi/admin", append([]string{".", "httpapi", "platform", "storage"}, domains...)},
	{"httpapi/httpapitest", append([]string{"github.com/google/go-cmp/cmp", "httpapi", "httpapi/control", "httpapi/internal/conversations", "httpapi/internal/player", "httpapi/internal/transcript", "httpapi/recording", "platform", "storage/memory", "webhooks/receiver"}, append(domains, belowDomains...)...)},

	{"httpapi/signin", []string{".", "internal/allowance", "internal/cors", "internal/httperror", "platform"}},
	{"httpapi/control", append([]string{"httpapi"}, belowDomains...)},
	{"httpapi/server", append([]string{".", "httpapi", "httpapi/accesslog", "httpapi/admin", "httpapi/compress", "httpapi/console", "httpapi/control", "httpapi/journal", "httpapi/ratelimit", "httpapi/recording", "httpapi/signin", "internal/usage", "platform", "realitydata/filestore", "schedules/planner/cli", "storage", "storage/memory", "storage/buntdb", "webhooks/inbox"}, domains...)},
	{"cmd", []string{"httpapi/server", "schedules/planner/cli"}},

	// Examples are to be copied, so they use what everybody may import.
	{"examples", append([]string{".", "httpapi", "httpapi/admin", "httpapi/console", "httpapi/httpapitest", "httpapi/journal", "httpapi/ratelimit", "httpapi/server", "platform", "realitydata/filestore", "schedules/fourd", "schedules/fourd/isometric", "schedules/planner/cli", "webhooks/event", "webhooks/receiver", "storage", "storage/memory", "storage/buntdb"}, domains...)},
}

var (
	domains      = []string{"schedules", "schedules/analysis", "schedules/animation", "schedules/codes", "schedules/files", "schedules/statuses", "schedules/units", "schedules/userfields", "schedules/exchange", "schedules/scheduling", "schedules/synchronizers", "forms", "twins", "webhooks", "realitydata", "transform", "transform/models"}
	belowDomains = []string{".", "storage", "internal/...", "webhooks/event"}
	belowRoutes  = []string{".", "internal/...", "httpapi/internal/cycle", "httpapi/internal/document", "httpapi/internal/route"}
	looks        = []string{"schedules/cpm", "schedules/dated", "schedules/worktime"} // without any store
)

type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func TestImportsFollowTheRule(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	standard := make(map[string]bool)
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	seen := 0
	for _, p := range packages {
		folder, ours := folderOf(p.ImportPath)
		if !ours {
			continue
		}
		seen++
		l, ok := layerOf(folder)
		if !ok {
			t.Errorf("%s lies in no folder that the import rule knows", p.ImportPath)
			continue
		}
		for _, path := range p.Imports {
			if !standard[path] && !l.allows(path) {
				t.Errorf("%s imports %s\n%s may import only %s", p.ImportPath, path, l.folder, strings.Join(append([]string{"the standard library"}, l.may...), ", "))
			}
		}
	}
	if seen == 0 {
		t.Error("no package of this module was listed")
	}
}

// What people install has nothing in it that only tests need.
func TestTheProgramLinksNoTests(t *testing.T) {
	t.Parallel()
	for path := range strings.FieldsSeq(string(run(t, "go", "list", "-deps", "./cmd/twinplatform"))) {
		folder, ours := folderOf(path)
		if within(path, "testing") || path == "net/http/httptest" || ours && (within(folder, "httpapi/httpapitest") || folder == "httpapi/internal/conversations" || strings.HasSuffix(folder, "test")) {
			t.Errorf("cmd/twinplatform links %s, which is for tests", path)
		}
	}
}

// The jobs lie above the records, although both are mechanism.
func TestRecordsKnowNothingOfJobs(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if p.ImportPath == module+"/internal/records" && slices.Contains(p.Imports, module+"/internal/jobs") {
			t.Errorf("%s imports internal/jobs, which is built on it", p.ImportPath)
		}
	}
}

// listPackages returns every package of the module and all that they import,
// tests left aside.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	var out []goPackage
	d := json.NewDecoder(bytes.NewReader(run(t, "go", "list", "-deps", "-json=ImportPath,Standard,Imports", "./...")))
	for {
		var p goPackage
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("reading the packages: %v", err)
		}
		out = append(out, p)
	}
}

func folderOf(path string) (folder string, ours bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func layerOf(folder string) (best layer, ok bool) {
	for _, l := range layers {
		if within(folder, l.folder) && len(l.folder) >= len(best.folder) {
			best, ok = l, true
		}
	}
	return best, ok
}

func within(folder, parent string) bool {
	return folder == parent || strings.HasPrefix(folder, parent+"/")
}

func (l layer) allows(path string) bool {
	folder, ours := folderOf(path)
	if !ours {
		return slices.Contains(l.may, path)
	}
	if own, ok := layerOf(folder); ok && own.folder == l.folder {
		return true
	}
	return slices.ContainsFunc(l.may, func(m string) bool {
		if parent, all := strings.CutSuffix(m, "/..."); all {
			return within(folder, parent)
		}
		return folder == m
	})
}

// run returns what a command prints.
func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, stderr.String())
	}
	return out
}
