package platform_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestAFileHasAllOfAWorldOrIsAsItWas(t *testing.T) {
	t.Parallel()
	world := &platform.World{Twins: []platform.Twin{{
		ID: "9e0ffa90-7f2c-4e2b-a1a2-4d5d0d0a0b01", NewTwin: twins.NewTwin{DisplayName: "Tower", Number: "T-1"},
	}}}
	folder := t.TempDir()
	file := filepath.Join(folder, "world.json")
	if err := world.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v; want a file for its owner alone", info, err)
	}
	var want bytes.Buffer
	if err := world.Write(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if diff := cmp.Diff(want.String(), string(got)); diff != "" || err != nil {
		t.Errorf("the file (-want +got): %v\n%s", err, diff)
	}
	if err := world.WriteFile(folder); err == nil {
		t.Error("a folder is written over")
	}
	if left, _ := filepath.Glob(folder + "*.part"); left != nil {
		t.Errorf("%v are left", left)
	}
}
