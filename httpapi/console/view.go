package console

import (
	"bytes"
	"embed"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/svg"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// view is the main part of a page: a template of pages, and what is shown by it.
type view struct {
	template string
	data     any
}

// show is a page by a template, which is named like its file in pages. In it $ is data, a
// struct that embeds the request for its methods:
//
//	<a href="{{$.Link "/webhooks"}}">Webhooks</a>
func (r *request) show(template string, data any) (view, error) { return view{template, data}, nil }

//go:embed pages
var pageFiles embed.FS

// templates are all pages and the parts that they share, read when the first is asked for.
var templates = sync.OnceValue(func() executor {
	set, err := template.Parse(pageFiles, "pages/*.html", functions, called)
	if err != nil {
		panic(err) // tests show every page
	}
	return set
})

type executor interface {
	Execute(w io.Writer, name string, data any) error
}

// functions are those of templates.
var functions = map[string]any{
	"add":    func(a, b int) int { return a + b },
	"at":     at,
	"cause":  causeText,
	"is":     object.is,
	"moment": momentText,
	"object": object.object,
	"status": statusText,
	"text":   object.text,
	"tone":   tone,
	"words":  words,
}

// html is the view as it is written into the page.
func (v view) html() (template.HTML, error) {
	var b bytes.Buffer
	err := templates().Execute(&b, v.template+".html", v.data)
	return template.HTML(b.String()), err
}

// picture is an SVG picture that the API drew, as a part of a page. One that holds anything
// that does not draw is refused.
func picture(drawn []byte) (template.HTML, error) {
	if err := svg.Check(drawn); err != nil {
		return "", err
	}
	return template.HTML(drawn), nil
}

// tone is the class of a state, whose word means the same as its colour.
func tone(state string) string {
	switch state {
	case "Succeeded", "Delivered", "Passed", "Active", "Approved", "Completed", "Finished", "Accepted":
		return "good"
	case "Failed", "Dead", "Rejected", "Unanswered", "Blocked", "Aborted":
		return "bad"
	case "Pending", "InProgress", "Running", "Queued", "Started", "paused":
		return "warn"
	}
	return ""
}

// valueView is a value of a record: a text, which may be a state, or a link to the record
// that it names.
type valueView struct {
	Text string
	Link string // of the page on what the value names
	Note string // next to the text: the id of what has a name
	Hint string // the tooltip
	Code bool   // a name of machines
	Tag  bool   // a state

	Several []valueView // in place of all else
}

// factView is a value with its name.
type factView struct {
	Name  string
	Value valueView
}

// optionView is one of several values of a field.
type optionView struct {
	Value, Text string
	Chosen      bool
}

// options are values with what they are called, in pairs.
func options(chosen string, pairs ...string) (all []optionView) {
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, optionView{pairs[i], pairs[i+1], pairs[i] == chosen})
	}
	return all
}

// actionView is a link to a form, or to another page, that looks like a button.
type actionView struct{ Link, Text string }

// frame is what is around the main part of a page.
type frame struct {
	*request
	Main template.HTML
}

// Title is that of the page; empty for the first.
func (r *request) Title() string { return r.title }

// Viewer is who is signed in. Before sign-in it is nil, so that the page shows nothing of
// the server.
func (f frame) Viewer() *twinplatform.Principal {
	if !f.who.known() {
		return nil
	}
	return &f.who.principal
}

// Switches reports whether the viewer may act as others without their tokens.
func (f frame) Switches() bool { return len(f.console.cfg.Demo) > 1 }

// sectionView is an entry of the navigation; Current is the value of aria-current.
type sectionView struct{ Path, Name, Current string }

// Sections are those whose areas are served. That of the page is marked.
func (f frame) Sections() (all []sectionView) {
	if !f.who.known() {
		return nil
	}
	here := strings.TrimPrefix(f.URL.Path, f.console.cfg.Path)
	for _, s := range sections {
		if s.area != "" && !f.console.areas[s.area] {
			continue
		}
		current := ""
		if here == s.path {
			current = "page"
		} else if s.path != "/" && strings.HasPrefix(here, s.path+"/") {
			current = "true"
		}
		all = append(all, sectionView{s.path, s.name, current})
	}
	return all
}

// Notice is the message about the last action.
func (f frame) Notice() string {
	if signed := f.Query("notice"); signed != "" && f.who.known() && f.Method != http.MethodPost {
		return f.console.notices.text(f.who.principal.ID, signed)
	}
	return ""
}

// Trail is the way from the section to the page.
func (f frame) Trail() []step { return f.trail }

// called are the methods that pages call. Each is named by a constant, so that the program keeps the methods with these
// names alone: see package template.
var called = map[string]func(reflect.Value) reflect.Value{
	"Answer":       func(v reflect.Value) reflect.Value { return v.MethodByName("Answer") },
	"Answered":     func(v reflect.Value) reflect.Value { return v.MethodByName("Answered") },
	"AssetLink":    func(v reflect.Value) reflect.Value { return v.MethodByName("AssetLink") },
	"Button":       func(v reflect.Value) reflect.Value { return v.MethodByName("Button") },
	"Caller":       func(v reflect.Value) reflect.Value { return v.MethodByName("Caller") },
	"ChartFile":    func(v reflect.Value) reflect.Value { return v.MethodByName("ChartFile") },
	"Dead":         func(v reflect.Value) reflect.Value { return v.MethodByName("Dead") },
	"Described":    func(v reflect.Value) reflect.Value { return v.MethodByName("Described") },
	"Field":        func(v reflect.Value) reflect.Value { return v.MethodByName("Field") },
	"Format":       func(v reflect.Value) reflect.Value { return v.MethodByName("Format") },
	"Header":       func(v reflect.Value) reflect.Value { return v.MethodByName("Header") },
	"Here":         func(v reflect.Value) reflect.Value { return v.MethodByName("Here") },
	"Highest":      func(v reflect.Value) reflect.Value { return v.MethodByName("Highest") },
	"ID":           func(v reflect.Value) reflect.Value { return v.MethodByName("ID") },
	"JSON":         func(v reflect.Value) reflect.Value { return v.MethodByName("JSON") },
	"Levels":       func(v reflect.Value) reflect.Value { return v.MethodByName("Levels") },
	"Link":         func(v reflect.Value) reflect.Value { return v.MethodByName("Link") },
	"Media":        func(v reflect.Value) reflect.Value { return v.MethodByName("Media") },
	"Modules":      func(v reflect.Value) reflect.Value { return v.MethodByName("Modules") },
	"Name":         func(v reflect.Value) reflect.Value { return v.MethodByName("Name") },
	"Named":        func(v reflect.Value) reflect.Value { return v.MethodByName("Named") },
	"Notice":       func(v reflect.Value) reflect.Value { return v.MethodByName("Notice") },
	"Number":       func(v reflect.Value) reflect.Value { return v.MethodByName("Number") },
	"Orders":       func(v reflect.Value) reflect.Value { return v.MethodByName("Orders") },
	"Part":         func(v reflect.Value) reflect.Value { return v.MethodByName("Part") },
	"Path":         func(v reflect.Value) reflect.Value { return v.MethodByName("Path") },
	"PathValue":    func(v reflect.Value) reflect.Value { return v.MethodByName("PathValue") },
	"Permission":   func(v reflect.Value) reflect.Value { return v.MethodByName("Permission") },
	"PlanLink":     func(v reflect.Value) reflect.Value { return v.MethodByName("PlanLink") },
	"Query":        func(v reflect.Value) reflect.Value { return v.MethodByName("Query") },
	"Reading":      func(v reflect.Value) reflect.Value { return v.MethodByName("Reading") },
	"Recording":    func(v reflect.Value) reflect.Value { return v.MethodByName("Recording") },
	"RoomLeft":     func(v reflect.Value) reflect.Value { return v.MethodByName("RoomLeft") },
	"Rows":         func(v reflect.Value) reflect.Value { return v.MethodByName("Rows") },
	"Scales":       func(v reflect.Value) reflect.Value { return v.MethodByName("Scales") },
	"ScheduleTabs": func(v reflect.Value) reflect.Value { return v.MethodByName("ScheduleTabs") },
	"Sections":     func(v reflect.Value) reflect.Value { return v.MethodByName("Sections") },
	"Sent":         func(v reflect.Value) reflect.Value { return v.MethodByName("Sent") },
	"Short":        func(v reflect.Value) reflect.Value { return v.MethodByName("Short") },
	"Size":         func(v reflect.Value) reflect.Value { return v.MethodByName("Size") },
	"Switches":     func(v reflect.Value) reflect.Value { return v.MethodByName("Switches") },
	"Title":        func(v reflect.Value) reflect.Value { return v.MethodByName("Title") },
	"Tone":         func(v reflect.Value) reflect.Value { return v.MethodByName("Tone") },
	"Took":         func(v reflect.Value) reflect.Value { return v.MethodByName("Took") },
	"Tour":         func(v reflect.Value) reflect.Value { return v.MethodByName("Tour") },
	"Trail":        func(v reflect.Value) reflect.Value { return v.MethodByName("Trail") },
	"Troubles":     func(v reflect.Value) reflect.Value { return v.MethodByName("Troubles") },
	"Undo":         func(v reflect.Value) reflect.Value { return v.MethodByName("Undo") },
	"Unknown":      func(v reflect.Value) reflect.Value { return v.MethodByName("Unknown") },
	"Upload":       func(v reflect.Value) reflect.Value { return v.MethodByName("Upload") },
	"Viewer":       func(v reflect.Value) reflect.Value { return v.MethodByName("Viewer") },
	"Well":         func(v reflect.Value) reflect.Value { return v.MethodByName("Well") },
	"When":         func(v reflect.Value) reflect.Value { return v.MethodByName("When") },
	"Writable":     func(v reflect.Value) reflect.Value { return v.MethodByName("Writable") },
}
