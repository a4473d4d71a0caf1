package cli

import (
	_ "embed"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// demo is the plan of a house, of our own.
//
//go:embed demo.xer
var demo string

func showFlags(c *command, set *flag.FlagSet) func([]string) error {
	closed := set.Bool("closed", false, "open no browser")
	return func(files []string) error {
		if len(files) > 1 {
			return fmt.Errorf("a page is of one file: %w", errUsage)
		}
		s, d, err := c.dated(files[0])
		if err != nil {
			return err
		}
		return c.show(s, d, *closed)
	}
}

// demonstrate shows the plan that the program has with it.
func (c *command) demonstrate() error {
	p, err := c.read.Read(strings.NewReader(demo))
	if err != nil {
		return err
	}
	s, err := p.Schedule()
	if err != nil {
		return err
	}
	return c.show(s, s.Dated(), false)
}

// show prints the critical path of a plan, and writes a page with its chart: to the file that -o names, or to
// one of its own, which a browser opens where people look at what is printed.
func (c *command) show(s *planner.Scheduled, d *dated.Plan, closed bool) error {
	page, err := pageOf(d)
	if err != nil {
		return err
	}
	if c.to != "" {
		_, err := io.WriteString(c.out, page)
		return err
	}
	for _, w := range append(texts(s.Plan.Warnings), texts(s.Warnings)...) {
		fmt.Fprintln(c.errs, "warning:", w)
	}
	if err := c.path(d); err != nil {
		return err
	}
	f, err := os.CreateTemp("", "plan-*.html")
	if err != nil {
		return err
	}
	if _, err := f.WriteString(page); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	address := "file://" + filepath.ToSlash(f.Name())
	if runtime.GOOS == "windows" {
		address = "file:///" + filepath.ToSlash(f.Name())
	}
	fmt.Fprintf(c.out, "\nchart: %s\n", address)
	if out, ok := c.out.(*os.File); ok && !closed && isTerminal(out) {
		openInBrowser(address)
	}
	return nil
}

// path prints the tasks without which the plan would end earlier, in the order of their starts.
func (c *command) path(d *dated.Plan) error {
	tasks, from, to := driving(d)
	fmt.Fprintf(c.out, "%s\n%d tasks, %v to %v\n\n", heading(d), leaves(d), day10(from), day10(to))
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "critical path\tstart\tfinish")
	for _, i := range tasks {
		t := &d.Tasks[i]
		fmt.Fprintf(w, "%s %s\t%s\t%s\n", d.Label(i), t.Name, minute(t.Start), minute(t.Finish))
	}
	return w.Flush()
}

func heading(d *dated.Plan) string {
	if d.Name != "" {
		return d.Name
	}
	return d.ProjectNames()
}

// leaves counts the tasks that span no others.
func leaves(d *dated.Plan) (n int) {
	for i := range d.Tasks {
		if work(&d.Tasks[i]) {
			n++
		}
	}
	return n
}

func work(t *dated.Task) bool { return t.Kind != cpm.Summary && !t.Inactive }

// driving are the tasks on the longest path, and when the plan begins and ends.
func driving(d *dated.Plan) (tasks []int, from, to worktime.Time) {
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if !work(t) || t.Start == 0 {
			continue
		}
		if from == 0 || t.Start < from {
			from = t.Start
		}
		to = max(to, t.Finish)
		if t.Longest {
			tasks = append(tasks, i)
		}
	}
	slices.SortStableFunc(tasks, func(a, b int) int { return int(d.Tasks[a].Start - d.Tasks[b].Start) })
	return tasks, from, to
}

// minute is a time as people write it, to the minute.
func minute(t worktime.Time) string {
	if t == 0 {
		return "-"
	}
	return strings.Replace(t.String()[:len("2026-01-05T08:00")], "T", " ", 1)
}

func day10(t worktime.Time) string { return minute(t)[:min(len("2026-01-05"), len(minute(t)))] }

// pageOf is a page of HTML that needs nothing else: what the plan comes to, its chart and its critical path.
func pageOf(d *dated.Plan) (string, error) {
	tasks, from, to := driving(d)
	title := html.EscapeString(heading(d))
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>%s%s</style>\n"+
		"<h1>%s</h1>\n<p>%d tasks, %s to %s</p>\n", title, pageStyle, gantt.Style(), title, leaves(d), day10(from),
		day10(to))
	o := gantt.Options{Bare: true}
	pages, err := gantt.Pages(d, o)
	if err != nil {
		return "", err
	}
	for o.Page = 1; o.Page <= pages; o.Page++ {
		b.WriteString("<figure>")
		if err := gantt.SVG(&b, d, o); err != nil {
			return "", err
		}
		b.WriteString("</figure>\n")
	}
	b.WriteString("<h2>Critical path</h2>\n<table><tr><th>Task</th><th>Start</th><th>Finish</th></tr>\n")
	for _, i := range tasks {
		t := &d.Tasks[i]
		name := html.EscapeString(strings.TrimSpace(d.Label(i) + " " + t.Name))
		fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", name, minute(t.Start), minute(t.Finish))
	}
	b.WriteString("</table>\n</html>\n")
	return b.String(), nil
}

const pageStyle = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:2rem;max-width:80rem}` +
	`figure{margin:1rem 0;overflow-x:auto}td,th{text-align:left;padding:.1rem 1.5rem .1rem 0}` +
	`td+td{font-variant-numeric:tabular-nums;white-space:nowrap}`

// openInBrowser asks the desktop to show an address. Where there is none, nothing opens: it was printed.
func openInBrowser(address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if cmd := exec.Command(name, args...); cmd.Start() == nil {
		go cmd.Wait() //nolint:errcheck // how the desktop ends is nothing of this program
	}
}
