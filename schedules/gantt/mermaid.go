package gantt

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Mermaid writes a page of the plan as a Gantt diagram of Mermaid, which many tools show
// within Markdown. Tasks are below the name of what they are below; links, float and
// baselines have no place there. Mermaid draws 50,000 characters by default: about 500
// tasks.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan, and what the writer fails with.
func Mermaid(w io.Writer, p *dated.Plan, o Options) error {
	page, err := NewPage(p, o)
	if err != nil {
		return err
	}
	return page.Mermaid(w)
}

// Mermaid writes the page as a Gantt diagram of Mermaid.
//
// Errors: what the writer fails with.
func (p *Page) Mermaid(w io.Writer) error {
	c := newChart(p)
	c.put("gantt\n    title ", words(c.title()),
		"\n    dateFormat YYYY-MM-DDTHH:mm:ss\n    axisFormat %d %b %y\n    todayMarker off\n")
	section := dated.None
	for i, r := range c.rows {
		t := &c.plan.Tasks[r.task]
		if t.Start == 0 || isSummary(t) {
			continue
		}
		if parent := above(c.plan, r.task); i == 0 || parent != section {
			if section = parent; section != dated.None {
				c.put("    section ", words(sectionName(c.plan, section)), "\n")
			} else if i > 0 {
				c.put("    section ", words(c.title()), "\n")
			}
		}
		c.put("    ", words(strings.TrimSpace(c.plan.Label(r.task)+" "+t.Name)), " :", tags(t), "t",
			strconv.Itoa(r.task), ", ", t.Start.String(), ", ")
		if t.Milestone() {
			c.put("0d\n")
		} else {
			c.put(max(t.Start, t.Finish).String(), "\n")
		}
	}
	_, err := w.Write(c.out)
	return err
}

// sectionName is what a task is called that others are below: a project by its code, too.
func sectionName(p *dated.Plan, task int) string {
	t := &p.Tasks[task]
	if !isProject(p, task) || t.Code == t.Name {
		return t.Name
	}
	return strings.TrimSpace(t.Code + " " + t.Name)
}

// tags are what a task is in Mermaid.
func tags(t *dated.Task) (s string) {
	if t.Milestone() {
		s = "milestone, "
	}
	switch {
	case t.Ended():
		s = "done, " + s
	case Critical(t):
		s = "crit, " + s
	}
	if t.ActualStart != 0 && !t.Ended() {
		s = "active, " + s
	}
	return s
}

// words are text in which Mermaid sees no markup.
func words(s string) string {
	s = strings.TrimSpace(signs.Replace(clean(s)))
	lower := strings.ToLower(s)
	for _, keyword := range []string{
		"gantt", "title", "section", "dateformat", "axisformat", "tickinterval",
		"todaymarker", "excludes", "includes", "weekday", "weekend", "click", "acctitle", "accdescr",
		"inclusiveenddates", "topaxis", "call", "href", "vert",
	} {
		if strings.HasPrefix(lower, keyword) {
			return "\u2060" + s // a word joiner, which is not seen
		}
	}
	if day.MatchString(s) { // which Mermaid takes for one wherever a line begins with it
		return "\u2060" + s
	}
	if s == "" {
		return "-"
	}
	return s
}

// day is how Mermaid writes one.
var day = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

// signs replaces the characters to which Mermaid gives a meaning by ones that look like
// them.
var signs = strings.NewReplacer(":", "∶", ";", ",", "#", "＃", "%%", "%", "<", "‹", ">", "›", "`", "'")
