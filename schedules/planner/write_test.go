package planner_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// formats are all that are read and written.
var formats = []planner.Format{planner.XER, planner.P6XML, planner.MSPDI}

// withoutWarnings compares plans by all but the warnings about their files, and what a tool asks for
// that plans need not have.
var withoutWarnings = cmp.Options{
	cmpopts.IgnoreFields(planner.Plan{}, "Warnings"), cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b []planner.Table) bool { return len(a)+len(b) > 0 }, cmpopts.AcyclicTransformer("unasked", unasked)),
}

// askedFor are the columns of tables that files have whatever the plan, by their tables; none are all.
var askedFor = map[string][]string{
	"Task":     {"Type", "Work"},
	"CALENDAR": {"default_flag", "proj_id", "clndr_type", "day_hr_cnt", "week_hr_cnt", "month_hr_cnt", "year_hr_cnt"},
	"TASK":     {"duration_type"}, "RSRC": {"curr_id"}, "CURRTYPE": {}, "ACTVTYPE": {"actv_short_len", "seq_num"},
	"RCATTYPE": {"rsrc_catg_short_len", "seq_num"}, "PCATTYPE": {"proj_catg_short_len", "seq_num"},
	"Currency": {}, "Resource": {"CurrencyObjectId"}, "Activity": {"DurationType"},
}

// unasked are tables without the columns that files have whatever the plan.
func unasked(tables []planner.Table) (all []planner.Table) {
	for _, t := range tables {
		asked, some := askedFor[t.Name]
		switch {
		case !some:
			all = append(all, t)
			continue
		case len(asked) == 0:
			continue
		}
		rest := planner.Table{Name: t.Name}
		filter := func(values []string) (kept []string) {
			for i, v := range values {
				if !slices.Contains(asked, t.Fields[i]) {
					kept = append(kept, v)
				}
			}
			return kept
		}
		if rest.Fields = filter(t.Fields); len(rest.Fields) < 2 {
			continue
		}
		for _, row := range t.Rows {
			rest.Rows = append(rest.Rows, strings.TrimRight(strings.Join(filter(strings.Split(row, "\t")), "\t"), "\t"))
		}
		all = append(all, rest)
	}
	return all
}

// written is a plan that was written and read again, with what was lost.
func written(t testing.TB, p *planner.Plan, f planner.Format, o planner.Options) (*planner.Plan, []planner.Warning) {
	t.Helper()
	var file bytes.Buffer
	warnings, err := o.Write(&file, p, f)
	if err != nil {
		t.Fatal(err)
	}
	q, err := o.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return q, warnings
}

func TestWhatWasReadIsWrittenWithEqualMeaning(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"MultiprojectWithExternal.xer", "p6-5.0-roles-resources.xer", "mspdi-mp_j30_a2_nr1.xml",
		"MultiprojectWithExternal.xml", "BaselineProjects.xml",
	} {
		for _, page := range []planner.CodePage{planner.Windows1252, planner.Windows1251, planner.UTF8} {
			p := read(t, name, planner.Options{Page: page})
			q, warnings := written(t, p, p.Format, planner.Options{Page: page})
			if diff := cmp.Diff(p, q, withoutWarnings); diff != "" || len(warnings) > 0 {
				t.Errorf("%s in %s: %v (-read +read again)\n%s", name, page, warnings, diff)
			}
		}
	}
}

// TestPlansKeepTheirDatesInAnotherFormat writes what was read from one format in another,
// and once more in the first.
func TestPlansKeepTheirDatesInAnotherFormat(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.x*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		p := read(t, filepath.Base(name), planner.Options{Page: planner.UTF8})
		for _, f := range formats {
			q, warnings := written(t, p, f, planner.Options{Page: planner.UTF8})
			if diff := cmp.Diff(idList(p), idList(q)); diff != "" {
				t.Errorf("%s as %s: %v (-want +got)\n%s", name, f, warnings, diff)
			}
			again, lost := written(t, q, f, planner.Options{Page: planner.UTF8})
			if diff := cmp.Diff(q, again, withoutWarnings); diff != "" || len(lost) > 0 {
				t.Errorf("%s as %s once more: %v (-want +got)\n%s", name, f, lost, diff)
			}
			if f != p.Format && len(warnings) == 0 {
				t.Errorf("%s as %s loses nothing", name, f)
			}
		}
	}
}

// dates are the dates of the tasks of a plan by their codes, without what is above tasks.
func idList(p *planner.Plan) map[string]string {
	above := make(map[string]bool)
	for i := range p.Tasks {
		above[p.Tasks[i].ParentID] = true
	}
	all := make(map[string]string)
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if above[t.ID] {
			continue
		}
		key := fmt.Sprintf("%s %s", t.Code, t.Name)
		all[key] = fmt.Sprintf("%v-%v early %v-%v late %v-%v actual %v-%v duration %d remaining %d", t.File.Start,
			t.File.Finish, t.File.EarlyStart,
			t.File.EarlyFinish, t.File.LateStart, t.File.LateFinish, t.ActualStart, t.ActualFinish, t.Duration, t.Remaining)
	}
	return all
}

func TestAFormatThatIsNotWrittenIsRefused(t *testing.T) {
	t.Parallel()
	for _, f := range []planner.Format{"MPP", ""} {
		if _, err := planner.Write(&bytes.Buffer{}, &planner.Plan{}, f); !errors.Is(err, planner.ErrFormat) {
			t.Errorf("%s: %v", f, err)
		}
	}
	full := failing{}
	if _, err := planner.Write(
		full, read(t, "mspdi-mp_j30_a2_nr1.xml", planner.Options{}), planner.MSPDI,
	); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
}

// failing is a file that is closed.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

// FuzzWrite writes whatever can be read in all formats: once written it stays as it is.
func FuzzWrite(f *testing.F) {
	for _, name := range []string{"MultiprojectWithExternal.xer", "p6-5.0-roles-resources.xer", "MultiprojectWithExternal.xml"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for seed := range uint64(4) {
		for _, format := range formats {
			var file bytes.Buffer
			if _, err := (planner.Options{Page: planner.UTF8}).Write(&file, random(seed, format), format); err != nil {
				f.Fatal(err)
			}
			f.Add(file.String())
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := planner.Options{Page: planner.UTF8}
		p, err := o.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, format := range formats {
			var file bytes.Buffer
			if _, err := o.Write(&file, p, format); err != nil {
				t.Fatal(err)
			}
			q, err := o.Read(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, &file)
			}
			again, _ := written(t, q, format, o)
			if diff := cmp.Diff(q, again, withoutWarnings); diff != "" {
				t.Errorf("%s: (-written +written again)\n%s\n%s", format, diff, &file)
			}
		}
	})
}
