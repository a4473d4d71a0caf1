// Extract writes what people read of a program into text files, for a checker of style: the
// comments of packages, the texts of messages, help and pages, and the descriptions of an
// OpenAPI document.
//
//	extract ROOT OUT
//	extract -file FILE.go     prints the text of one
//
// Of ROOT/dir/file.go it makes OUT/dir/file.go.txt, with each text on the line on which it
// is in the source.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: extract ROOT OUT")
	}
	if os.Args[1] == "-file" {
		source, err := os.ReadFile(os.Args[2])
		if err != nil {
			log.Fatal(err)
		}
		text, err := textOf(os.Args[2], source)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text)
		return
	}
	if err := extract(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func extract(root, out string) error {
	files, err := sources(root)
	if err != nil {
		return err
	}
	for _, name := range files {
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		text, err := textOf(name, source)
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		if err := write(filepath.Join(out, name+".txt"), text); err != nil {
			return err
		}
	}
	document, err := os.ReadFile(filepath.Join(root, "httpapi", "openapi.json"))
	if err != nil {
		return err
	}
	text, err := descriptionsOf(document)
	if err != nil {
		return err
	}
	return write(filepath.Join(out, "openapi.json.txt"), text)
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// sources are the Go files below a folder, without tests, test data and hidden folders.
func sources(root string) (names []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		name, err := filepath.Rel(root, path)
		names = append(names, name)
		return err
	})
	return names, err
}

// textOf is what people read of a Go file: the comment of its package, and its string
// literals of several words.
func textOf(name string, source []byte) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	lines := make([]string, strings.Count(string(source), "\n")+2)
	put := func(at token.Pos, text string) {
		for i, line := range strings.Split(text, "\n") {
			if n := set.Position(at).Line + i; n < len(lines) {
				lines[n] = strings.TrimSpace(lines[n] + " " + strings.TrimSpace(line))
			}
		}
	}
	if file.Doc != nil {
		for _, c := range file.Doc.List {
			if line := strings.TrimPrefix(c.Text, "//"); !strings.HasPrefix(line, "\t") {
				put(c.Pos(), names.ReplaceAllString(line, ""))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && prose(text) {
			put(lit.Pos(), text)
		}
		return true
	})
	return strings.Join(lines[1:], "\n"), nil
}

// names matches links to names of Go in a comment.
var names = regexp.MustCompile(`\[\*?[A-Z][\w.]*\]`)

var words = regexp.MustCompile(`\pL{2,}[ ,;:]+\pL{2,}`)

// prose reports whether a text is for people: it has two words, one after the other.
func prose(text string) bool { return words.MatchString(text) }

// descriptionsOf are the titles, summaries and descriptions of a document, a line each.
func descriptionsOf(document []byte) (string, error) {
	var root any
	if err := json.Unmarshal(document, &root); err != nil {
		return "", fmt.Errorf("the OpenAPI document: %w", err)
	}
	found := make(map[string]bool)
	describe(root, found)
	return strings.Join(slices.Sorted(maps.Keys(found)), "\n\n") + "\n", nil
}

// describe finds the descriptions in a value of JSON.
func describe(v any, found map[string]bool) {
	if list, ok := v.([]any); ok {
		for _, item := range list {
			describe(item, found)
		}
	}
	object, _ := v.(map[string]any)
	for name, item := range object {
		text, is := item.(string)
		switch name {
		case "examples", "example":
		case "title", "summary", "description":
			if is {
				found[strings.ReplaceAll(text, "\n", " ")] = true
				continue
			}
			describe(item, found)
		default:
			describe(item, found)
		}
	}
}
