package console

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	html "html/template"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"text/template/parse"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
)

// Every page of every test is written by html/template, too, and is the same to the byte.
func TestMain(m *testing.M) {
	ours := templates
	templates = sync.OnceValue(func() executor { return &both{ours: ours(), theirs: reference()} })
	heapgauge.Main(m)
}

// both writes a page twice, and fails where the two differ.
type both struct {
	ours   executor
	theirs *html.Template
}

func (b *both) Execute(w io.Writer, name string, data any) error {
	var one, other bytes.Buffer
	err := b.ours.Execute(&one, name, data)
	failed := b.theirs.ExecuteTemplate(&other, name, data)
	switch diff := cmp.Diff(other.String(), one.String()); {
	case (err == nil) != (failed == nil):
		err = fmt.Errorf("we fail with %w, html/template with %w", err, failed)
	case err == nil && diff != "":
		err = errors.New("html/template writes (-) and we (+):" + diff)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		return err
	}
	_, err = w.Write(one.Bytes())
	return err
}

// reference is the pages as html/template reads them.
func reference() *html.Template {
	known := html.FuncMap{"trusted": func(v any) any {
		if h, ok := v.(template.HTML); ok {
			return html.HTML(h)
		}
		return v
	}}
	maps.Copy(known, functions)
	set := html.Must(html.New("").Funcs(known).ParseFS(pageFiles, "pages/*.html"))
	for _, t := range set.Templates() {
		if t.Tree != nil {
			trusting(t.Tree.Root)
		}
	}
	return set
}

// trusting gives values that are HTML by our type the type of html/template.
func trusting(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			if len(n.Pipe.Decl) == 0 {
				trusted := &parse.CommandNode{NodeType: parse.NodeCommand, Args: []parse.Node{parse.NewIdentifier("trusted")}}
				n.Pipe.Cmds = append(n.Pipe.Cmds, trusted)
			}
		case *parse.IfNode:
			trusting(n.List)
			trusting(n.ElseList)
		case *parse.WithNode:
			trusting(n.List)
			trusting(n.ElseList)
		case *parse.RangeNode:
			trusting(n.List)
			trusting(n.ElseList)
		}
	}
}

// Each method that a page calls by a name of ours is found by a constant, and none besides.
func TestEveryMethodThatPagesCallIsNamed(t *testing.T) {
	t.Parallel()
	// Those of others: of time.Time, http.Request and journal.Journal.
	methods := map[string]bool{"Format": true, "PathValue": true, "Recording": true, "Size": true}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && !strings.HasSuffix(file, "_test.go") {
				methods[fn.Name.Name] = true
			}
		}
	}
	used := map[string]bool{}
	pages, err := fs.Glob(pageFiles, "pages/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := pageFiles.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\.([A-Z]\w*)`).FindAllSubmatch(text, -1) {
			if methods[string(name[1])] {
				used[string(name[1])] = true
			}
		}
	}
	named := map[string]bool{}
	for name := range called {
		named[name] = true
	}
	if diff := cmp.Diff(used, named); diff != "" {
		t.Errorf("methods that pages call, and that called has: %s", diff)
	}
}
