package twinplatform_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whoever imports this module gets these requirements and no others. Whatever
// needs more lives in a module of its own.
var requirements = []string{
	"github.com/google/go-cmp",
	"github.com/rs/xid",
	"github.com/tidwall/btree",
	"github.com/tidwall/buntdb",
	"golang.org/x/time",
}

type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Replace []any
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
