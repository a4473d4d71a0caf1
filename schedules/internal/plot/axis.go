package plot

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Frame is where values over time are drawn.
type Frame struct {
	Left, Top, Right, Bottom float64
	From, To                 worktime.Time
	Max                      float64 // at the top; 0 is at the bottom
}

// X is where a time is, at the edge where it is beyond.
func (r *Frame) X(t worktime.Time) float64 {
	share := float64(t-r.From) / math.Max(float64(r.To-r.From), 1)
	return r.Left + math.Min(math.Max(share, 0), 1)*(r.Right-r.Left)
}

// Y is where a value is.
func (r *Frame) Y(v float64) float64 {
	if r.Max <= 0 {
		return r.Bottom
	}
	return r.Bottom - v/r.Max*(r.Bottom-r.Top)
}

// Values draws lines at round values, with their values next to them, and lets the frame
// end with one of them. About so many lines are drawn; whole values have no fractions
// between them.
func (f *Figure) Values(r *Frame, lines int, whole bool, unit string) {
	step := roundStep(r.Max / float64(max(lines, 1)))
	if whole {
		step = math.Max(math.Round(step), 1)
	}
	r.Max = math.Max(math.Ceil(r.Max/step-1e-9), 1) * step
	for i := 0; float64(i)*step <= r.Max+step/2; i++ {
		v := float64(i) * step
		f.Line("g", []Point{{r.Left, r.Y(v)}, {r.Right, r.Y(v)}})
		f.Text("m n", r.Left-6, r.Y(v)+4, Number(v))
	}
	f.Text("m", r.Left, r.Top-8, unit)
}

// Number is a value as people read it: thousands apart, and no more decimals than there are.
func Number(v float64) string {
	s := strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	whole := len(s)
	for i := range s {
		if s[i] == '.' {
			whole = i
		}
	}
	for at := whole - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// roundStep is a step of 1, 2 or 5 times a power of ten, that is no smaller.
func roundStep(step float64) float64 {
	if !(step > 0) || math.IsInf(step, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= step-power*1e-9 {
			return m * power
		}
	}
	return 10 * power
}

// tick is a unit of time whose beginnings have labels.
type tick struct {
	days, months int
	label        string
}

var ticks = []tick{
	{1, 0, "2 Jan 06"},
	{2, 0, "2 Jan 06"},
	{7, 0, "2 Jan 06"},
	{14, 0, "2 Jan 06"},
	{0, 1, "Jan 2006"},
	{0, 2, "Jan 2006"},
	{0, 3, "Jan 2006"},
	{0, 6, "Jan 2006"},
	{0, 12, "2006"},
	{0, 24, "2006"},
	{0, 60, "2006"},
	{0, 120, "2006"},
	{0, 600, "2006"},
	{0, 1200, "2006"},
	{0, 6000, "2006"},
}

// room is how many pixels a label of time takes with what is around it.
const room = 70.0

// Times draws lines where days, weeks, months or years begin, and labels below the frame.
// Every label of a unit is there, or none of that unit.
func (f *Figure) Times(r *Frame) {
	pixels := (r.Right - r.Left) / (math.Max(float64(r.To-r.From), 1) / worktime.Day)
	for _, k := range ticks {
		if days := float64(k.days) + 30*float64(k.months); days*pixels < room && k.months < 6000 {
			continue
		}
		for t := k.begin(r.From); t.Unix() <= int64(r.To); t = t.AddDate(0, k.months, k.days) {
			at := worktime.Time(t.Unix())
			if at < r.From {
				continue
			}
			x := r.X(at)
			f.Line("g", []Point{{x, r.Top}, {x, r.Bottom}})
			f.Line("a", []Point{{x, r.Bottom}, {x, r.Bottom + 4}})
			if x <= r.Right-Width(k.label)/2+Margin {
				f.Text("m e", x, r.Bottom+17, t.Format(k.label))
			}
		}
		break
	}
	f.Line("a", []Point{{r.Left, r.Bottom}, {r.Right, r.Bottom}})
}

// begin is the beginning of the unit in which a time is.
func (k *tick) begin(t worktime.Time) time.Time {
	at := time.Unix(int64(t), 0).UTC()
	if k.months > 0 {
		months := at.Year()*12 + int(at.Month()) - 1
		months -= months % k.months
		return time.Date(months/12, time.Month(months%12+1), 1, 0, 0, 0, 0, time.UTC)
	}
	day := t.Midnight()
	monday := (int(at.Weekday()) + 6) % 7
	if k.days >= 7 {
		day -= worktime.Time(monday) * worktime.Day
	}
	return time.Unix(int64(day), 0).UTC()
}

// Mark is a line at a time with a name above the frame.
type Mark struct {
	Line, Text string // classes
	At         worktime.Time
	Name       string
}

// markHeight is how much room each mark takes above a frame.
const markHeight = 13.0

// Marks draws marks, the name of the earliest highest, so that no line crosses a name. A
// name is to the left where there is no room to the right.
func (f *Figure) Marks(r *Frame, marks []Mark) {
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.At, b.At) })
	for i, m := range marks {
		x, y := r.X(m.At), r.Top-4-markHeight*float64(len(marks)-1-i)
		f.Line(m.Line, []Point{{x, y - 9}, {x, r.Bottom}})
		if x+4+Width(m.Name) > r.Right+Margin {
			f.label(m.Text, " n", x-4, y, m.Name)
		} else {
			f.label(m.Text, "", x+4, y, m.Name)
		}
	}
}

// Day is a time's day as pictures write it.
func Day(t worktime.Time) string {
	if t == 0 {
		return "-"
	}
	return time.Unix(int64(t), 0).UTC().Format("2 Jan 2006")
}
