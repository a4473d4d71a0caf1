package house_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// A folder is a package of the repository, of whichever module.
type folder struct {
	synopsis string
	imports  map[string]bool // folders, by their paths below the repository
	nested   bool            // has a go.mod of its own, or is below one
}

// folders reads the packages of the repository; the root is ".".
func folders(t *testing.T) map[string]*folder {
	t.Helper()
	out := make(map[string]*folder)
	listed := string(run(t, "git", "ls-files", "--cached", "--others", "--exclude-standard", "*.go", "go.mod", "*/go.mod"))
	var modules []string
	for name := range strings.Lines(listed) {
		name = strings.TrimSpace(name)
		dir := path.Dir(name)
		switch {
		case path.Base(name) == "go.mod" && dir != ".":
			modules = append(modules, dir)
		case strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/") || !strings.HasSuffix(name, ".go"):
		default:
			if _, err := os.Stat(name); err != nil {
				continue // deleted, and not committed yet
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			at := out[dir]
			if at == nil {
				at = &folder{imports: make(map[string]bool)}
				out[dir] = at
			}
			at.add(file)
		}
	}
	for dir, at := range out {
		at.nested = slices.ContainsFunc(modules, func(m string) bool { return dir == m || strings.HasPrefix(dir, m+"/") })
	}
	return out
}

func (f *folder) add(file *ast.File) {
	if file.Doc != nil {
		f.synopsis = cmp.Or(f.synopsis, new(doc.Package).Synopsis(file.Doc.Text()))
	}
	for _, i := range file.Imports {
		if to, err := strconv.Unquote(i.Path.Value); err == nil && (to == module || strings.HasPrefix(to, module+"/")) {
			f.imports[cmp.Or(strings.TrimPrefix(strings.TrimPrefix(to, module), "/"), ".")] = true
		}
	}
}

// generated holds the part of a page between two comments to what is made of the code.
func generated(t *testing.T, page, part, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+part+": made by go test ./internal/house -update -->\n", "<!-- end -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	got, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no part %q", page, begin)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%s is not as the code is; run go test ./internal/house -update (-want +got):\n%s", page, diff)
	}
}

// Each package says in its first sentence what it is for, and the page lists them all.
func TestThePageOfPackagesListsThemAll(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| package | what it is for |\n|---|---|\n")
	all := folders(t)
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		name, sentence, ok := strings.Cut(all[dir].synopsis, " ")
		if name != "Package" && name != "Command" || !ok {
			if strings.HasPrefix(dir, ".ci/") {
				continue
			}
			t.Errorf("package %s does not say what it is for", dir)
			continue
		}
		_, sentence, _ = strings.Cut(sentence, " ")
		if all[dir].nested {
			sentence += " (A module of its own.)"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", dir, strings.ReplaceAll(sentence, "|", "\\|"))
	}
	generated(t, "docs/packages.md", "packages", b.String())
}

// rooms are what the picture of the imports shows, by the folders that are in them: the longest that fits counts.
var rooms = map[string]string{
	".": "the shared words", "storage": "storage: the seam", "storage/memory": "engines", "storage/buntdb": "engines",
	"storage/postgres": "engines", "internal/records": "internal/records", "internal/jobs": "internal/jobs",
	"internal/entity": "internal/entity", "schedules": "schedules", "forms": "forms", "twins": "twins", "webhooks": "webhooks",
	"realitydata": "realitydata", "transform": "transform", "platform": "platform", "httpapi": "httpapi",
	"httpapi/httpapitest": "httpapi/httpapitest", "httpapi/console": "httpapi/console", "httpapi/server": "httpapi/server",
	"cmd": "cmd", "examples": "examples", "webhooks/event": "webhooks/event",
	"schedules/planner": pure, "schedules/cpm": pure, "schedules/worktime": pure, "schedules/gantt": pure,
	"schedules/compare": pure, "schedules/quality": pure, "schedules/risk": pure, "schedules/progress": pure,
	"schedules/dated": pure, "schedules/units": pure, "schedules/internal/plot": pure, "schedules/internal/plan": pure,
}

const pure = "pure: planner, cpm, gantt …"

func roomOf(dir string) string {
	for at := dir; ; at = path.Dir(at) {
		if room := rooms[at]; room != "" && (at != "." || dir == ".") {
			return room
		}
		if at == "." {
			return ""
		}
	}
}

// The picture is made of the imports: an arrow from who imports to what is imported, but for those that follow
// from others.
func TestArchitectureIsDrawnFromTheImports(t *testing.T) {
	t.Parallel()
	arrows := make(map[string]map[string]bool)
	for dir, f := range folders(t) {
		from := roomOf(dir)
		if strings.HasSuffix(dir, "test") && dir != "httpapi/httpapitest" {
			continue // what is for tests of others is no part of the house
		}
		for to := range f.imports {
			if in := roomOf(filepath.ToSlash(to)); from != "" && in != "" && in != from {
				if arrows[from] == nil {
					arrows[from] = make(map[string]bool)
				}
				arrows[from][in] = true
			}
		}
	}
	names := make(map[string]string)
	for _, room := range rooms {
		names[room] = ""
	}
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for i, room := range slices.Sorted(maps.Keys(names)) {
		names[room] = fmt.Sprintf("r%d", i)
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", names[room], room)
	}
	for _, from := range slices.Sorted(maps.Keys(names)) {
		for _, to := range slices.Sorted(maps.Keys(arrows[from])) {
			if !leads(arrows, from, to, map[string]bool{from: true}, true) {
				fmt.Fprintf(&b, "  %s --> %s\n", names[from], names[to])
			}
		}
	}
	b.WriteString("```\n")
	generated(t, "docs/architecture.md", "imports", b.String())
}

// leads reports whether another way than the arrow itself leads from one room to another.
func leads(arrows map[string]map[string]bool, from, to string, seen map[string]bool, first bool) bool {
	for next := range arrows[from] {
		if next == to {
			if first {
				continue
			}
			return true
		}
		if !seen[next] {
			seen[next] = true
			if leads(arrows, next, to, seen, false) {
				return true
			}
		}
	}
	return false
}
