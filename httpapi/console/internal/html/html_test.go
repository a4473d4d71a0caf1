package html_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

func TestAPageIsWritten(t *testing.T) {
	t.Parallel()
	got, err := html.Document(html.El("html", html.Attr("lang", "en"),
		html.El(
			"head", html.El("meta", html.Attr("charset", "utf-8")),
			html.El("script", html.Attr("src", "a.js"), html.Flag("defer")),
		),
		html.El("body",
			html.If(false, html.P("no")), nil, html.Node{}, html.Attribute{},
			html.Group(html.P("a < b & c"), html.Textf("%d", 7), html.Class("lost")),
			html.El("ul", html.Each([]int{1, 2}, func(i int) html.Node { return html.El("li", html.Int(i)) })),
			html.A("/x?a=1&b=2", html.Class("one"), html.Class("two"), html.Text(`"q" 'p'`)),
			html.El("textarea", html.Text("\nfirst")), html.El("br"))))
	if err != nil {
		t.Fatal(err)
	}
	want := `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><script src="a.js" defer=""></script></head>` +
		`<body><p>a &lt; b &amp; c</p>7<ul><li>1</li><li>2</li></ul>` +
		`<a href="/x?a=1&amp;b=2" class="two">&#34;q&#34; &#39;p&#39;</a><textarea>` + "\n\n" +
		`first</textarea><br/></body></html>`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestAddressesLeadToTheWebOrNowhere(t *testing.T) {
	t.Parallel()
	for address, leads := range map[string]bool{
		"": true, "x": true, "/x/y?z=a:b": true, "#part": true, "?page=2": true, "../up": true, "x?u=javascript:1": true,
		"http://example.org/": true, "https://example.org/a:b": true, "HTTPS://example.org": true, "./a:b": true,
		"javascript:alert(1)": false, "JaVaScRiPt:alert(1)": false, " javascript:alert(1)": false,
		"java\tscript:alert(1)":   false,
		"\x01javascript:alert(1)": false, "data:text/html,x": false, "vbscript:x": false, "//example.org/": false,
		`\\example.org`: false,
		`/\example.org`: false, "http:example.org": false, "mailto:a@example.org": false, "about:blank": false, "a b": false,
		"x:y": false,
	} {
		for _, name := range []string{"href", "src", "action", "formaction"} {
			want := address
			if !leads {
				want = "about:invalid"
			}
			b, err := html.Render(html.El("a", html.Attr(name, address)))
			if err != nil {
				t.Fatal(err)
			}
			if tree := treeOf(t, b); tree != fmt.Sprintf("(a[%s=%q])", name, want) {
				t.Errorf("%s %q is written as %s", name, address, tree)
			}
		}
	}
}

func TestWhatPagesMayNotHaveFails(t *testing.T) {
	t.Parallel()
	deep := html.Text("x")
	for range 300 {
		deep = html.El("div", deep)
	}
	for name, n := range map[string]html.Node{
		"unknown element":      html.El("blink"),
		"style element":        html.El("style", html.Text("a{}")),
		"frame":                html.El("iframe", html.Attr("src", "/")),
		"element with markup":  html.El("p><script"),
		"style attribute":      html.El("p", html.Attr("style", "color:red")),
		"handler":              html.El("p", html.Attr("onclick", "x()")),
		"attribute of markup":  html.El("p", html.Attr(`data-x="1" onclick`, "x()")),
		"refresh":              html.El("meta", html.Attr("http-equiv", "refresh")),
		"script with text":     html.El("script", html.Text("alert(1)")),
		"void element with it": html.El("br", html.Text("x")),
		"too deep":             deep,
	} {
		if b, err := html.Render(n); err == nil {
			t.Errorf("%s is written: %s", name, b)
		}
	}
	if _, err := html.Document(html.El("body")); err == nil {
		t.Error("a page has a root that is no html element")
	}
}

func TestAPictureBecomesPartOfThePage(t *testing.T) {
	t.Parallel()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" class="gantt" role="img" viewBox="0 0 9 9"><!-- c --><title>a &amp; b</title><g marker-end="url(#gantt-al)"><path d="M0 0"/></g></svg>`
	n, err := html.Picture([]byte(svg))
	if err != nil {
		t.Fatal(err)
	}
	got, err := html.Render(n)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("<!-- c -->", "", `<path d="M0 0"/>`, `<path d="M0 0"></path>`).Replace(svg)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoPictureIsNoPart(t *testing.T) {
	t.Parallel()
	for _, svg := range []string{
		"", "text", "<svg>", "<svg/><svg/>", "<p/>",
		`<svg><script>alert(1)</script></svg>`, `<svg><style>a{}</style></svg>`, `<svg onload="x()"/>`,
		`<svg><foreignObject/></svg>`, `<svg xmlns:x="y"><path x:href="javascript:x()"/></svg>`,
		`<svg><g style="fill:url(//example.org)"/></svg>`,
		"<svg>" + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + "</svg>",
	} {
		n, err := html.Picture([]byte(svg))
		if err == nil {
			_, err = html.Render(n)
		}
		if err == nil {
			t.Errorf("%.80s is a picture", svg)
		}
	}
	n, err := html.Picture([]byte(`<svg><g marker-end="url(//example.org)"/></svg>`))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := html.Render(n); err != nil || string(b) != `<svg><g marker-end="none"></g></svg>` {
		t.Errorf("a reference to elsewhere: %s, %v", b, err)
	}
}

func FuzzNoTextChangesTheTree(f *testing.F) {
	for _, s := range []string{"", "a", `"><script>alert(1)</script>`, "]]>", "<!--", "-->", "&lt;", "&#60;", "\x00\x7f\u0085\ufffe", "\r\n\t ", "\xff<", "javascript:x", "//x", "'", "`"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		b, err := html.Document(html.El("html", html.El("body", html.Attr("title", value), html.Attr("data-x", value),
			html.El("p", html.Text(text), html.El("a", html.Attr("href", value), html.Text(text))),
			html.El("pre", html.Text(text)), html.El("textarea", html.Text(text)))))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(b), "<") != 13 || strings.Count(string(b), ">") != 13 {
			t.Fatalf("there is markup that was not built:\n%s", b)
		}
		var names, texts []string
		href := ""
		d := xml.NewDecoder(bytes.NewReader(b))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v:\n%s", err, b)
			}
			switch token := token.(type) {
			case xml.StartElement:
				names = append(names, token.Name.Local)
				for _, a := range token.Attr {
					if a.Name.Local == "href" {
						href = a.Value
					} else if a.Value != readable(value) {
						t.Errorf("%q is read from a value of %q", a.Value, value)
					}
				}
			case xml.CharData:
				texts = append(texts, string(token))
			}
		}
		if diff := cmp.Diff([]string{"html", "body", "p", "a", "pre", "textarea"}, names); diff != "" {
			t.Error(diff)
		}
		want := readable(text)
		first := ""
		if strings.HasPrefix(text, "\n") {
			first = "\n"
		}
		if got := strings.Join(texts, ""); got != "\n"+want+want+first+want+first+want {
			t.Errorf("%q is read from %q", got, text)
		}
		if href != readable(value) && href != "about:invalid" {
			t.Errorf("a link to %q leads to %q", value, href)
		}
		if scheme, _, ok := strings.Cut(href, ":"); ok && href != "about:invalid" && !strings.ContainsAny(scheme, "/?#") &&
			!strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
			t.Errorf("a link leads to %q", href)
		}
	})
}

func FuzzPicture(f *testing.F) {
	f.Add([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><g class="a"><path d="M0 0"/></g><text>t</text></svg>`))
	f.Add([]byte(`<svg><script/></svg>`))
	f.Fuzz(func(t *testing.T, svg []byte) {
		n, err := html.Picture(svg)
		if err != nil {
			return
		}
		b, err := html.Render(n)
		if err != nil {
			return
		}
		if tree := treeOf(t, b); strings.Contains(tree, "[on") || !strings.HasPrefix(tree, "(svg") {
			t.Errorf("a picture became %s", tree)
		}
	})
}

// readable is a text without what XML cannot hold.
func readable(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s { // ranges over invalid bytes one by one
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r >= 0x7f && r < 0xa0 || r&0xfffe == 0xfffe {
			r = '\ufffd'
		}
		out = append(out, r)
	}
	return string(out)
}

// treeOf is what a reader of XML makes of a fragment.
func treeOf(t *testing.T, b []byte) string {
	t.Helper()
	var out strings.Builder
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, b)
		}
		switch token := token.(type) {
		case xml.StartElement:
			out.WriteString("(" + token.Name.Local)
			for _, a := range token.Attr {
				fmt.Fprintf(&out, "[%s=%q]", a.Name.Local, a.Value)
			}
		case xml.EndElement:
			out.WriteString(")")
		}
	}
}
