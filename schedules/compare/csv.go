package compare

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// WriteTasks writes the tasks as CSV with a line of names: times as worktime.Layout has
// them, durations, floats and variances in seconds, nothing for what is not there.
//
// Text that begins with = + - @, a tab or a line feed gets an apostrophe before it, so
// that spreadsheets do not take it for a formula; numbers are written as they are.
func (c *Comparison) WriteTasks(w io.Writer) error {
	out := csv.NewWriter(w)
	write(out, []string{
		"change", "id", "code", "name", "baselineStart", "start", "startVariance", "baselineFinish", "finish", "finishVariance",
		"baselineDuration", "duration", "durationVariance", "baselineTotalFloat", "totalFloat", "totalFloatVariance", "baselineCritical", "critical",
	})
	for i := range c.Tasks {
		write(out, c.Tasks[i].fields())
	}
	out.Flush()
	return out.Error()
}

// write writes a line; a csv.Writer keeps the error until it is asked for.
func write(out *csv.Writer, fields []string) { _ = out.Write(fields) }

func (t *Task) fields() []string {
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
	return []string{
		string(t.Change), safe(t.ID), safe(t.Code), safe(t.Name), at(a.Start), at(b.Start), v[0], at(a.Finish), at(b.Finish), v[1],
		t.duration(t.Baseline), t.duration(t.Plan), v[2], seconds(a.TotalFloat), seconds(b.TotalFloat), seconds(float), critical(t.Baseline), critical(t.Plan),
	}
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
	out := csv.NewWriter(w)
	write(out, []string{
		"change", "id", "predecessorId", "successorId", "predecessor", "successor",
		"baselineType", "type", "baselineLag", "lag", "baselinePercent", "percent", "baselineElapsed", "elapsed",
	})
	for i := range c.Links {
		l := &c.Links[i]
		a, b := l.Baseline.fields(), l.Plan.fields()
		write(out, []string{
			string(l.Change), safe(l.ID), safe(l.PredecessorID), safe(l.SuccessorID), safe(l.Predecessor), safe(l.Successor),
			a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3],
		})
	}
	out.Flush()
	return out.Error()
}

func (s *LinkState) fields() (f [4]string) {
	if s == nil {
		return f
	}
	return [4]string{TypeName(s.Type), strconv.FormatInt(s.Lag, 10), strconv.FormatBool(s.Percent), strconv.FormatBool(s.Elapsed)}
}

// TypeName is how the trade writes the type of a link: FS, SS, FF or SF.
func TypeName(t cpm.LinkType) string {
	return [...]string{cpm.FinishToStart: "FS", cpm.StartToStart: "SS", cpm.FinishToFinish: "FF", cpm.StartToFinish: "SF"}[t]
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

// safe is text that no spreadsheet takes for a formula.
func safe(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
