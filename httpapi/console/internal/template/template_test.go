package template_test

import (
	"bytes"
	"errors"
	html "html/template"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// file is one template, as a file with a name.
func file(text string) fstest.MapFS { return fstest.MapFS{"page.html": {Data: []byte(text)}} }

type plan struct {
	Name, Link string
	Days       int
	Tasks      []plan
	Codes      map[string]string
	Next       *plan
	Any        any
}

func (p plan) Title(prefix string, rest ...string) string {
	return prefix + p.Name + strings.Join(rest, "")
}

func (p *plan) Later() (*plan, error) {
	if p.Next == nil {
		return nil, errors.New("nothing is later")
	}
	return p.Next, nil
}

var called = template.Called{
	"Title": func(v reflect.Value) reflect.Value { return v.MethodByName("Title") },
	"Later": func(v reflect.Value) reflect.Value { return v.MethodByName("Later") },
}

var functions = map[string]any{"upper": strings.ToUpper}

// Everything that pages may have is written as html/template does, whatever the values are: in text, attributes,
// addresses and their queries, by branches, ranges, variables, calls and functions.
func TestPagesAreWrittenAsHTMLTemplateWritesThem(t *testing.T) {
	t.Parallel()
	const text = `{{define "task"}}<li title="{{.Name}}{{if .Days}} {{.Days}} d{{end}}">{{.Name | upper}}</li>{{end -}}
<p class="a {{.Name}}">{{.Name}}</p><a href="{{.Link}}">1</a><a href="/x/{{.Link}}">2</a><a href="/x?q={{.Link}}&amp;r={{.Name}}">3</a>
<form action="{{.Link}}/{{.Name}}"><textarea>{{.Name}}</textarea></form><title>{{.Name}}</title>
<img src="{{if .Days}}{{.Link}}{{else}}/none{{end}}" alt="{{.Any}}"/>
{{range .Tasks}}{{template "task" .}}{{else}}none{{end}}{{range $i, $t := .Tasks}}{{$i}}: {{$t.Name}} {{$.Days}}{{end}}
{{with $n := .Next}}{{$n.Name}}{{.Days}}{{else}}no next{{end}}{{with .Name}}{{.}}{{else with .Days}}{{.}} days{{else}}neither{{end}}
{{.Title "<"}} {{.Title .Name "b" "c"}} {{(.Title "x") | printf "%q %s" .Days}} {{len .Tasks}} {{index .Codes .Name}} {{.Codes.a}}
{{if and .Name (not .Days)}}1{{end}}{{if or .Next .Codes}}2{{end}}{{if eq .Name "<"}}3{{end}}{{if ne .Days 4}}4{{end}}{{if gt .Days 2}}5{{end}}
{{print .Days .Name}} {{or .Name "nameless"}} {{.Any}}
`
	ours, err := template.Parse(file(text), "*.html", functions, called)
	if err != nil {
		t.Fatal(err)
	}
	theirs := html.Must(html.New("").Funcs(functions).ParseFS(file(text), "*.html"))
	random := rand.New(rand.NewPCG(1, 2))
	marks := []string{
		"", "<", ">", `"`, "'", "&", "+", "%", "%41", "%4", "/", "?", "#", ":", "javascript:", "http://", "HTTPS:", "mailto:", " ",
		"\n", "\x00", "a", "Z9", "-._~", "é", "\u2028", "{{", "<b>", "=", "`", "\\", "[x]", "(y)", "data:", "//h",
	}
	text20 := func() (s string) {
		for range random.IntN(5) {
			s += marks[random.IntN(len(marks))]
		}
		return s
	}
	var made func(depth int) plan
	made = func(depth int) plan {
		p := plan{Name: text20(), Link: text20(), Days: random.IntN(5), Codes: map[string]string{"a": text20(), text20(): text20()}}
		p.Any = []any{text20(), 4, true, []string{text20()}, 1.5}[random.IntN(5)]
		for range depth * random.IntN(3) {
			p.Tasks = append(p.Tasks, made(depth-1))
		}
		if depth > 0 && random.IntN(2) == 0 {
			next := made(depth - 1)
			p.Next = &next
		}
		return p
	}
	for range 3000 {
		p := made(2)
		var one, other bytes.Buffer
		if err := errors.Join(ours.Execute(&one, "page.html", p), theirs.ExecuteTemplate(&other, "page.html", p)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(other.String(), one.String()); diff != "" {
			t.Fatalf("of %+v html/template writes (-) and we (+):\n%s", p, diff)
		}
	}
}

func TestHTMLIsWrittenAsItIsInTextAlone(t *testing.T) {
	t.Parallel()
	set, err := template.Parse(file(`<p title="{{.}}">{{.}}</p>`), "*.html", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := set.Execute(&b, "page.html", template.HTML("<b>")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`<p title="&lt;b&gt;"><b></p>`, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeEscapedIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<p>\n<p class={{.}}>":        "page.html:2:11: {{.}}: a value stands in a tag",
		"<p {{.}}>":                   "a value stands in a tag",
		"<{{.}}>":                     "a value stands in a tag",
		"<p class='{{.}}'>":           "between double quotes",
		`<p onclick="{{.}}">`:         "the attribute onclick has a language of its own",
		`<p style="{{.}}">`:           "the attribute style has a language of its own",
		"<script>{{.}}</script>":      "a script is a file",
		"<style>{{.}}</style>":        "no styles",
		"<!-- {{.}} -->":              "no comments",
		`<p{{if .}} class="{{end}}">`: "its branches end in different places",
		`<a href="{{if .}}/a{{else}}?b={{end}}{{.}}">`:                               "its branches end in different places",
		`{{define "a"}}{{.}}{{end}}{{template "a" .}}<p title="{{template "a" .}}">`: "is called in text and in an attribute",
		`{{define "a"}}<p {{end}}{{template "a" .}}>`:                                "does not end where it began",
		`<p `:                         "does not end where it began",
		`{{template "none" .}}`:       `there is no template "none"`,
		`{{range .}}{{break}}{{end}}`: "do not have this",
		`{{unknown .}}`:               `function "unknown" not defined`,
	} {
		_, err := template.Parse(file(text), "*.html", nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestAFailureNamesTheTemplateAndTheLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\n{{.Missing}}":           "page.html:2:2: .Missing: template_test.plan has no member Missing",
		"{{.Any.Name}}":             "nothing has no Name",
		"{{.Next.Name}}":            "nothing has no Name",
		"{{.Name.Other}}":           "string has no member Other",
		"{{.Title}}":                "0 arguments where there are 2",
		"{{.Title .Days}}":          "a int where a string is wanted",
		"{{.Name 1}}":               "for 1 arguments",
		"{{(index .Tasks 0).Name}}": "there is no such index",
		"{{range .Days}}{{end}}":    "a range is over a slice and not over a int",
		`{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`: "call one another without an end",
		"{{with $x := 1}}{{$x = 2}}{{end}}":                         "a variable keeps its value",
		"{{1.5}}":                                                   "numbers of templates are whole",
		"{{.Days 1 | upper}}":                                       "for 1 arguments",
	} {
		set, err := template.Parse(file(text), "*.html", functions, called)
		if err == nil {
			err = set.Execute(&strings.Builder{}, "page.html", plan{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	set, err := template.Parse(file("{{.Later.Name}}"), "*.html", nil, called)
	if err != nil {
		t.Fatal(err)
	}
	err = set.Execute(&strings.Builder{}, "page.html", &plan{})
	if err == nil || !strings.Contains(err.Error(), "nothing is later") {
		t.Errorf("an error of a method: %v", err)
	}
	if err := set.Execute(&strings.Builder{}, "other.html", nil); err == nil {
		t.Error("a template that is not there is executed")
	}
}

// BenchmarkPage writes a list of a hundred records; peer is html/template.
func BenchmarkPage(b *testing.B) {
	const text = `<table>{{range .Tasks}}<tr class="{{if .Days}}late{{end}}"><td><a href="/tasks/{{.Link}}">{{.Name}}</a></td>` +
		`<td>{{.Days}} d</td><td>{{with .Codes.a}}{{.}}{{end}}</td></tr>{{end}}</table>`
	p := plan{}
	for i := range 100 {
		p.Tasks = append(p.Tasks, plan{Name: "Columns & beams", Link: "a b", Days: i, Codes: map[string]string{"a": "b"}})
	}
	ours, err := template.Parse(file(text), "*.html", nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	theirs := html.Must(html.ParseFS(file(text), "*.html"))
	var w bytes.Buffer
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			w.Reset()
			_ = ours.Execute(&w, "page.html", p)
		}
	})
	b.Run("peer", func(b *testing.B) {
		for b.Loop() {
			w.Reset()
			_ = theirs.ExecuteTemplate(&w, "page.html", p)
		}
	})
}
