package compare

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/internal/spreadsheet"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// WriteTasks writes the tasks as CSV with a line of names: times as worktime.Layout has
// them, durations, floats and variances in seconds, nothing for what is not there.
//
// Text that begins with = + - @, a tab or the end of a line gets an apostrophe before it,
// so that spreadsheets do not take it for a formula; numbers are written as they are.
func (c *Comparison) WriteTasks(w io.Writer) error {
	_, err := io.Copy(w, c.ReadTasks())
	return err
}

// ReadTasks reads what WriteTasks writes. Lines are made when they are read, so that there
// is never more than one of them.
func (c *Comparison) ReadTasks() io.Reader {
	r := &taskLines{left: c.Tasks}
	r.out = spreadsheet.NewWriter(&r.text)
	_ = r.out.Names("change", "id", "code", "name", "baselineStart", "start", "startVariance", "baselineFinish",
		"finish", "finishVariance",
		// into memory
		"baselineDuration", "duration", "durationVariance", "baselineTotalFloat", "totalFloat", "totalFloatVariance",
		"baselineCritical", "critical")
	return r
}

// taskLines are the lines of tasks.
type taskLines struct {
	left []Task
	out  *spreadsheet.Writer
	text bytes.Buffer // what was made of lines and is not read yet
}

// Read implements io.Reader.
func (r *taskLines) Read(p []byte) (int, error) {
	if err := r.out.Flush(); err != nil {
		return 0, err
	}
	for r.text.Len() == 0 && len(p) > 0 {
		if len(r.left) == 0 {
			return 0, io.EOF
		}
		if err := errors.Join(r.out.Write(r.left[0].cells()...), r.out.Flush()); err != nil {
			return 0, err
		}
		r.left = r.left[1:]
	}
	return r.text.Read(p)
}

func (t *Task) cells() []spreadsheet.Cell {
	var a, b State
	if t.Baseline != nil {
		a = *t.Baseline
	}
	if t.Plan != nil {
		b = *t.Plan
	}
	var v [3]string
	var float *int64
	if t.Variance != nil {
		for i, n := range []int64{t.Variance.Start, t.Variance.Finish, t.Variance.Duration} {
			v[i] = strconv.FormatInt(n, 10)
		}
		float = t.Variance.TotalFloat
	}
	return cells(
		[]string{string(t.Change)}, []string{t.ID, t.Code, t.Name}, []string{
			at(a.Start), at(b.Start), v[0], at(a.Finish), at(b.Finish), v[1], t.duration(t.Baseline),
			t.duration(t.Plan), v[2],
			seconds(a.TotalFloat), seconds(b.TotalFloat), seconds(float), critical(t.Baseline), critical(t.Plan),
		})
}

// cells makes the cells of a line: own words, then texts that users wrote, which a
// spreadsheet must not take for formulas, then numbers and times.
func cells(words, texts, values []string) (all []spreadsheet.Cell) {
	for _, s := range words {
		all = append(all, spreadsheet.Plain(s))
	}
	for _, s := range texts {
		all = append(all, spreadsheet.Text(s))
	}
	for _, s := range values {
		all = append(all, spreadsheet.Plain(s))
	}
	return all
}

func (t *Task) duration(s *State) string {
	if s == nil {
		return ""
	}
	return strconv.FormatInt(s.Duration, 10)
}

func critical(s *State) string {
	if s == nil {
		return ""
	}
	return strconv.FormatBool(s.Critical)
}

// WriteLinks writes the links as CSV with a line of names, as WriteTasks does; lags are
// in seconds, or in percent where percent is true.
func (c *Comparison) WriteLinks(w io.Writer) error {
	out := spreadsheet.NewWriter(w)
	err := out.Names("change", "id", "predecessorId", "successorId", "predecessor", "successor",
		"baselineType", "type", "baselineLag", "lag", "baselinePercent", "percent", "baselineElapsed", "elapsed")
	for i := 0; i < len(c.Links) && err == nil; i++ {
		l := &c.Links[i]
		a, b := l.Baseline.fields(), l.Plan.fields()
		err = out.Write(cells([]string{string(l.Change)},
			[]string{l.ID, l.PredecessorID, l.SuccessorID, l.Predecessor, l.Successor},
			[]string{a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]})...)
	}
	return errors.Join(err, out.Flush())
}

func (s *LinkState) fields() (f [4]string) {
	if s == nil {
		return f
	}
	return [4]string{
		TypeName(s.Type), strconv.FormatInt(s.Lag, 10), strconv.FormatBool(s.Percent),
		strconv.FormatBool(s.Elapsed),
	}
}

// TypeName is how the trade writes the type of a link: FS, SS, FF or SF.
func TypeName(t cpm.LinkType) string {
	return [...]string{
		cpm.FinishToStart: "FS", cpm.StartToStart: "SS", cpm.FinishToFinish: "FF",
		cpm.StartToFinish: "SF",
	}[t]
}

func at(t worktime.Time) string {
	if t == 0 {
		return ""
	}
	return t.String()
}

func seconds(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}
