package server

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
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

// keysOf is how many keys a store has.
func keysOf(t *testing.T, db string) (n int) {
	t.Helper()
	store, err := buntdb.Open(db, buntdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	err = store.View(t.Context(), func(r storage.Reader) error {
		n = 0
		for range r.Scan("", "") {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// circle is a plan whose tasks wait for each other.
const circle = `<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project"><Name>Circle</Name><StartDate>2026-03-02T08:00:00</StartDate><Tasks>` +
	`<Task><UID>1</UID><ID>1</ID><Name>Dig</Name><Duration>PT8H0M0S</Duration><PredecessorLink><PredecessorUID>2</PredecessorUID><Type>1</Type></PredecessorLink></Task>` +
	`<Task><UID>2</UID><ID>2</ID><Name>Pour</Name><Duration>PT16H0M0S</Duration><PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type></PredecessorLink></Task>` +
	`</Tasks></Project>`

// manyDays is a plan whose calendars are larger than a schedule takes.
func manyDays() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project"><Name>Days</Name><StartDate>2026-03-02T08:00:00</StartDate><Calendars>`)
	for i := range 9 {
		fmt.Fprintf(&b, `<Calendar><UID>%d</UID><Name>Shift %d</Name><IsBaseCalendar>1</IsBaseCalendar><WeekDays><WeekDay><DayType>2</DayType><DayWorking>1</DayWorking>`+
			`<WorkingTimes><WorkingTime><FromTime>0%d:00:00</FromTime><ToTime>16:30:00</ToTime></WorkingTime></WorkingTimes></WeekDay></WeekDays>`+
			`<Exceptions><Exception><TimePeriod><FromDate>1990-01-01T00:00:00</FromDate><ToDate>2260-01-01T23:59:00</ToDate></TimePeriod>`+
			`<Type>1</Type><Period>2</Period><DayWorking>0</DayWorking></Exception></Exceptions></Calendar>`, i+1, i, i)
	}
	b.WriteString(`</Calendars><Tasks><Task><UID>1</UID><ID>1</ID><Name>Dig</Name><Duration>PT8H0M0S</Duration></Task></Tasks></Project>`)
	return b.String()
}

func TestOfARefusedImportNothingStays(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	refused := make(map[string]string) // names of files, and what their refusal says
	write := func(name, text, wants string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		refused[name] = wants
	}
	for _, name := range []string{
		"BaselineProjects.xml", "MultiprojectWithExternal.xer", "MultiprojectWithExternal.xml", "mspdi-mp_j30_a2_nr1.xml", "p6-5.0-roles-resources.xer",
	} {
		whole, err := os.ReadFile(filepath.Join(planner, name))
		if err != nil {
			t.Fatal(err)
		}
		write("empty-"+name, "", "Upload-Length")
		write("begun-"+name, string(whole[:5]), "")
		write("other-"+name, "%PDF-1.7\n"+string(whole), "XER")
		if strings.HasSuffix(name, "xml") {
			write("torn-"+name, string(whole[:len(whole)/2]), "")
			write(name, string(whole[:len(whole)-20]), "") // one of them in place of a plan that is there
		}
	}
	write("circle.xml", circle, "cycle")
	write("days.xml", manyDays(), "runs of equal days")
	db := filepath.Join(folder, "data.db")
	importing := func(file string) error {
		return run(t.Context(), []string{"import", "-db", db, file}, nil, t.Output(), t.Output())
	}
	if err := importing(planner + "/mspdi-mp_j30_a2_nr1.xml"); err != nil {
		t.Fatal(err)
	}
	before := keysOf(t, db)
	for name, wants := range refused {
		err := importing(filepath.Join(folder, name))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), wants) {
			t.Errorf("the import of %s ended with %v", name, err)
		}
		if after := keysOf(t, db); after != before {
			t.Errorf("the refused import of %s took the store from %d to %d keys", name, before, after)
			before = after
		}
	}
	if err := importing(filepath.Join(folder, "missing.xer")); err == nil || keysOf(t, db) != before {
		t.Errorf("of a file that is not there: %v", err)
	}
	// One of several is enough.
	err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-db", db, "-import", planner + "/MultiprojectWithExternal.xer", "-import", filepath.Join(folder, "circle.xml")}, nil, t.Output(), t.Output())
	if after := keysOf(t, db); err == nil || after != before {
		t.Errorf("a file that is refused behind another took the store from %d to %d keys: %v", before, after, err)
	}
}

// An update is a copy of the project under the name of the file that was imported first.
func TestImportSaysBeforehandWhatItWouldChange(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db, file := filepath.Join(folder, "data.db"), filepath.Join(folder, "bridge.xer")
	bring := func(n int, options ...string) string {
		t.Helper()
		content, err := os.ReadFile(fmt.Sprintf("%s/updates/update-%d.xer", planner, n))
		if err == nil {
			err = os.WriteFile(file, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		args := append(append([]string{"import", "-db", db}, options...), file)
		if err := run(t.Context(), args, nil, &out, t.Output()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if said := bring(1, "-preview"); !strings.Contains(said, "tasks: 45 created\n") || !strings.Contains(said, "  A1010 Survey 1.1\n") {
		t.Errorf("the preview of a new plan is\n%s", said)
	}
	bring(1)
	before := keysOf(t, db)
	if said := bring(3, "-preview"); !strings.Contains(said, "tasks: 1 deleted\n  A1260 Pour 2.1\n") || !strings.Contains(said, "nothing was changed") {
		t.Errorf("the preview of an update is\n%s", said)
	}
	if after := keysOf(t, db); after > before+2 { // of the file that was deleted
		t.Errorf("previews took the store from %d to %d keys", before, after)
	}
	bring(3)
	if said := bring(3, "-preview"); !strings.Contains(said, "nothing would change") {
		t.Errorf("the preview of the same file is\n%s", said)
	}
}
