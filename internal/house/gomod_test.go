package house_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A program that imports this module gets these requirements and no others. Code that
// needs more lives in a separate module.
var requirements = []string{
	"github.com/google/go-cmp",
	"github.com/rs/xid",
	"github.com/tidwall/btree",
	"github.com/tidwall/buntdb",
	"golang.org/x/time",
}

// A nested module whose requirement is no version that is ever released can be required by
// no one; here the folder stands for it.
func TestNestedModulesRequireTheOthersAtOneVersionAndReplaceThemByFolders(t *testing.T) {
	t.Parallel()
	versions := make(map[string][]string)
	for file := range strings.FieldsSeq(string(run(t, "git", "ls-files", "*/go.mod"))) {
		var mod goMod
		if err := json.Unmarshal(run(t, "go", "mod", "edit", "-json", file), &mod); err != nil {
			t.Fatal(err)
		}
		for _, r := range mod.Require {
			if r.Path != module && !strings.HasPrefix(r.Path, module+"/") {
				continue
			}
			versions[r.Version] = append(versions[r.Version], file)
			if !slices.ContainsFunc(mod.Replace, func(by replacement) bool { return by.Old.Path == r.Path && strings.HasPrefix(by.New.Path, "..") }) {
				t.Errorf("%s does not replace %s by its folder", file, r.Path)
			}
		}
	}
	if len(versions) != 1 || versions["v0.0.0"] != nil {
		t.Errorf("nested modules require ours at %v; run .ci/release set VERSION", versions)
	}
}

type replacement struct{ Old, New struct{ Path string } }

type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Replace []replacement
	Tool    []any
}

func TestRequirementsStayWithinTheirBudget(t *testing.T) {
	t.Parallel()
	var mod goMod
	if err := json.Unmarshal(run(t, "go", "mod", "edit", "-json"), &mod); err != nil {
		t.Fatal(err)
	}
	var direct []string
	versions := make(map[string]string)
	for _, r := range mod.Require {
		versions[r.Path] = r.Version
		if !r.Indirect {
			direct = append(direct, r.Path)
		} else if !strings.HasPrefix(r.Path, "github.com/tidwall/") {
			t.Errorf("go.mod requires %s indirectly; only what buntdb brings along is expected", r.Path)
		}
	}
	slices.Sort(direct)
	if diff := cmp.Diff(requirements, direct); diff != "" {
		t.Errorf("direct requirements (-agreed +go.mod):\n%s", diff)
	}
	// The proxy's latest is v1.3.0, which brings expired values back to life.
	if got := versions["github.com/tidwall/buntdb"]; got != "v1.3.2" {
		t.Errorf("go.mod requires buntdb %s, want v1.3.2", got)
	}
	if mod.Module.Path != module || mod.Go != "1.26" {
		t.Errorf("go.mod says module %s, go %s; want %s, go 1.26", mod.Module.Path, mod.Go, module)
	}
	if len(mod.Replace)+len(mod.Tool) > 0 {
		t.Error("go.mod replaces modules or names tools; those would not reach, or would burden, its users")
	}
}

// Who passes the program on has to name whose work is in it.
func TestNoticeNamesEveryModuleThatIsRequired(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	var mod goMod
	if err := json.Unmarshal(run(t, "go", "mod", "edit", "-json"), &mod); err != nil {
		t.Fatal(err)
	}
	named := 0
	for line := range strings.Lines(string(text)) {
		if path, _, ok := strings.Cut(line, "  "); ok && strings.Contains(path, "/") {
			named++
			if !slices.ContainsFunc(mod.Require, func(r struct {
				Path, Version string
				Indirect      bool
			},
			) bool {
				return r.Path == path
			}) {
				t.Errorf("NOTICE names %s, which is not required", path)
			}
		}
	}
	if named != len(mod.Require) {
		t.Errorf("NOTICE names %d modules of %d", named, len(mod.Require))
	}
}
