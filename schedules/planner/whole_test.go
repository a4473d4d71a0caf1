package planner_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// reference are the members that name records, whose values are no values.
var reference = regexp.MustCompile(`(_id|\.id|Id|UID|GUID|guid)$`)

// piece is where in a file a value is.
type piece struct{ from, to int }

// pieces are the values of a file that are no references: of each member of each kind of record the
// first two and the last two.
func pieces(t testing.TB, text string) map[string][]piece {
	t.Helper()
	all := make(map[string][]piece)
	add := func(of string, from, to int) {
		if from < to && !reference.MatchString(of) {
			if all[of] = append(all[of], piece{from, to}); len(all[of]) > 4 {
				all[of] = slices.Delete(all[of], 2, 3)
			}
		}
	}
	if strings.HasPrefix(text, "ERMHDR") {
		at, table, names := 0, "", []string{}
		for line := range strings.Lines(text) {
			columns := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
			switch columns[0] {
			case "%T":
				table = columns[1]
			case "%F":
				names = columns
			case "%R":
				from := at + len("%R\t")
				for i, v := range columns[1:] {
					if i+1 < len(names) {
						add(table+"."+names[i+1], from, from+len(v))
					}
					from += len(v) + 1
				}
			}
			at += len(line)
		}
	} else {
		d := xml.NewDecoder(strings.NewReader(text))
		var path []string
		var begin, end int
		for {
			before := int(d.InputOffset())
			token, err := d.RawToken()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				path = append(path, token.Name.Local)
				begin, end = int(d.InputOffset()), -1
			case xml.CharData:
				end = int(d.InputOffset())
			case xml.EndElement:
				if begin >= 0 && end == before && len(path) > 1 {
					add(path[len(path)-2]+"."+path[len(path)-1], begin, end)
				}
				path, begin = path[:len(path)-1], -1
			}
		}
	}
	return all
}

// realFiles are the texts of files of the tools.
func realFiles(t testing.TB) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for _, name := range []string{
		"MultiprojectWithExternal.xer", "p6-5.0-roles-resources.xer", "MultiprojectWithExternal.xml", "BaselineProjects.xml",
		"mspdi-mp_j30_a2_nr1.xml",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		var file bytes.Buffer
		if _, err := (planner.Options{Page: planner.UTF8}).Write(&file, random(3, format), format); err != nil {
			t.Fatal(err)
		}
		files["random "+string(format)] = file.String()
	}
	return files
}

// notRead are members of which nothing is made: others say the same, or no date depends on them.
var notRead = []string{
	"Task.OutlineNumber", "Task.ActualDuration", "Calendar.IsBaseCalendar", "Calendar.IsBaselineCalendar",
	"Exception.EnteredByOccurrences", "ExtendedAttribute.CFType", "TimephasedData.Type", "TimephasedData.Unit", "Value.Type",
	"Calendar.HoursPerDay", "Calendar.HoursPerWeek", "Calendar.HoursPerMonth", "Calendar.HoursPerYear", "Calendar.IsDefault",
	"Assignment.Finish", "Assignment.PercentWorkComplete", // of one without a resource
	"Calendar.IsPersonal", "Calendar.Type", "UnitOfMeasure.Name", "UnitOfMeasure.SequenceNumber", "UMEASURE.seq_num", "UMEASURE.unit_name",
	"NotebookTopic.AvailableForEPS", "NotebookTopic.AvailableForProject", "NotebookTopic.AvailableForWBS",
	"NotebookTopic.AvailableForActivity", "NotebookTopic.SequenceNumber",
	"MEMOTYPE.eps_flag", "MEMOTYPE.proj_flag", "MEMOTYPE.wbs_flag", "MEMOTYPE.task_flag", "MEMOTYPE.seq_num",
}

// TestNoValueIsLostInSilence puts nonsense in place of one value after the other: it is in the plan
// as a text, or a warning quotes it, or the file is refused by name.
func TestNoValueIsLostInSilence(t *testing.T) {
	t.Parallel()
	const nonsense = "0000-?x"
	for name, text := range realFiles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, err := planner.Read(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			left := map[string]bool{}
			for _, w := range whole.Warnings {
				if element, ok := strings.CutPrefix(w.What, "element "); ok {
					left[element] = true
				}
			}
			all := pieces(t, text)
			if len(all) < 30 {
				t.Fatalf("%d members are found", len(all))
			}
			for n, of := range slices.Sorted(maps.Keys(all)) {
				if slices.Contains(notRead, of) || left[strings.Split(of, ".")[0]] || testing.Short() && n%5 != 0 {
					continue
				}
				found := false
				for _, p := range all[of] { // of which one may be of a record that is left out
					read, err := planner.Read(strings.NewReader(text[:p.from] + nonsense + text[p.to:]))
					if err != nil {
						t.Errorf("%s: the file is refused: %v", of, err)
						break
					}
					if found = strings.Contains(fmt.Sprintf("%+v", *read), nonsense); found {
						break
					}
				}
				if !found {
					t.Errorf("%s: it is nowhere", of)
				}
			}
		})
	}
}

// TestAFileThatIsCutOffIsRefusedOrWarnedOf cuts files at any byte.
func TestAFileThatIsCutOffIsRefusedOrWarnedOf(t *testing.T) {
	t.Parallel()
	step := 1
	if testing.Short() {
		step = 17
	}
	names, err := filepath.Glob("testdata/values/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			end := len(bytes.TrimRight(text, "\r\n"))
			for n := 0; n < end; n += step {
				p, err := planner.Read(bytes.NewReader(text[:n]))
				if err == nil && !slices.ContainsFunc(p.Warnings, func(w planner.Warning) bool { return strings.Contains(w.Text, "cut off") }) {
					t.Errorf("cut behind byte %d of %d it is read with %d tasks, warned of %v", n, end, len(p.Tasks), p.Warnings)
				}
			}
		})
	}
}

// TestReadingTakesLessThanEightTimesTheFile reads large files of each format, and one of which every
// value is warned of.
//
//nolint:paralleltest // it measures memory
func TestReadingTakesLessThanEightTimesTheFile(t *testing.T) {
	const tasks = 20_000
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		var file bytes.Buffer
		if _, err := planner.Write(&file, large(format, tasks), format); err != nil {
			t.Fatal(err)
		}
		for kind, text := range map[string][]byte{
			"sound": file.Bytes(), "odd": bytes.ReplaceAll(file.Bytes(), []byte("2026-01"), []byte("2026-99")),
		} {
			p, held := heapgauge.Peak(t, func() *planner.Plan {
				p, err := planner.Read(bytes.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				return p
			})
			if held > 8*int64(len(text)) || len(p.Tasks) < tasks {
				t.Errorf("%s, %s: %d tasks of %d bytes take %d", format, kind, len(p.Tasks), len(text), held)
			}
		}
	}
}
