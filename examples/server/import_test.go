package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// planner is where the planner files are.
const planner = "../../schedules/planner/testdata"

func TestImportShowsPlannerFiles(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "data.db")
	args := []string{"-db", db, "-import", planner + "/mspdi-mp_j30_a2_nr1.xml", "-import", planner + "/MultiprojectWithExternal.xer"}
	for _, turn := range []string{"first", "second"} {
		s := start(t, args...)
		for _, line := range []string{"/schedules/mspdi-mp-j30-a2-nr1-xml (64 tasks of ", "/schedules/multiprojectwithexternal-xer ("} {
			if !strings.Contains(s.banner, line) {
				t.Errorf("at the %s start the banner says\n%s", turn, s.banner)
			}
		}
		tasks := s.call("GET", "/schedules/mspdi-mp-j30-a2-nr1-xml/tasks?$top=100", "", 200).body["tasks"].([]any)
		if len(tasks) != 64 {
			t.Errorf("at the %s start there are %d tasks, want 64", turn, len(tasks))
		}
		details := s.call("GET", "/schedules/mspdi-mp-j30-a2-nr1-xml/imports/planner/synchronizers/import", "", 200).body["synchronizer"].(map[string]any)["synchronizationDetails"]
		made := details.(map[string]any)["created"].(map[string]any)["tasks"]
		if want := map[string]float64{"first": 64, "second": 0}[turn]; made != want {
			t.Errorf("at the %s start %v tasks were made, want %v", turn, made, want)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestImportOfWhatIsNoPlanEndsTheServer(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-import", "import_test.go"}, nil, t.Output(), t.Output())
	if err == nil || !strings.Contains(err.Error(), "-import: import_test.go") || !strings.Contains(err.Error(), "XER") {
		t.Errorf("the server ended with %v", err)
	}
}
