package house_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachFindingCanBeRunAndIsInTheDocs goes over the scripts that show where tools of others surprise.
func TestEachFindingCanBeRunAndIsInTheDocs(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("findings/*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("there are %d findings: %v", len(scripts), err)
	}
	page, err := os.ReadFile("docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".sh")
		if !strings.Contains(string(page), "(`"+name+"`)") {
			t.Errorf("docs/comparison.md does not have %s", name)
		}
		info, err := os.Stat(script)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run", script)
		}
	}
}
