// Command count counts the repository in whose folder it runs: lines, files, packages and exported names,
// without nested copies of what others wrote.
//
//	go run ./internal/house/count
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// What a reader takes: files of a package, and columns of a line, of which a tab has four.
const (
	mostFiles   = 45
	mostColumns = 120
)

type counts struct {
	files, lines, code, comments, wide, testFiles, testLines, data int
	perPackage                                                     map[string]int
	exported                                                       map[string]int
}

func main() {
	listed, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		log.Fatal(err)
	}
	c := counts{perPackage: make(map[string]int), exported: make(map[string]int)}
	for name := range strings.Lines(string(listed)) {
		if err := c.add(strings.TrimSuffix(name, "\n")); err != nil {
			log.Fatal(err)
		}
	}
	c.print()
}

func (c *counts) add(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := bytes.Count(text, []byte("\n"))
	switch {
	case strings.Contains(name, "testdata/"):
		c.data += lines
	case !strings.HasSuffix(name, ".go"):
	case strings.HasSuffix(name, "_test.go"):
		c.testFiles, c.testLines = c.testFiles+1, c.testLines+lines
	default:
		c.files, c.lines = c.files+1, c.lines+lines
		c.perPackage[path.Dir(name)]++
		c.read(text)
		return c.names(name, text)
	}
	return nil
}

// read counts lines of code and of comments, and those that are too wide.
func (c *counts) read(text []byte) {
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		line := s.Text()
		bare := strings.TrimLeft(line, "\t")
		switch {
		case bare == "":
		case strings.HasPrefix(bare, "//"):
			c.comments++
		default:
			c.code++
			if utf8.RuneCountInString(line)+3*(len(line)-len(bare)) > mostColumns {
				c.wide++
			}
		}
	}
}

// names counts the exported names of a package: types, functions, methods, constants and variables.
func (c *counts) names(name string, text []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	in := path.Dir(name)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
				c.exported[in]++
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				c.exported[in] += exported(s)
			}
		}
	}
	return nil
}

func exported(s ast.Spec) (n int) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			n++
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				n++
			}
		}
	}
	return n
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func (c *counts) print() {
	fmt.Printf("Go, without tests   %d files, %d lines, %d of code, %.2f of comments for each\n",
		c.files, c.lines, c.code, float64(c.comments)/float64(c.code))
	fmt.Printf("tests               %d files, %d lines; test data %d lines\n", c.testFiles, c.testLines, c.data)
	fmt.Printf("lines of code over %d columns   %d\n", mostColumns, c.wide)
	fmt.Printf("exported names of schedules     %d\n", c.exported["schedules"])
	var large []string
	for name, n := range c.perPackage {
		if n > mostFiles {
			large = append(large, fmt.Sprintf("%s %d", name, n))
		}
	}
	slices.Sort(large)
	fmt.Printf("packages of over %d files       %s\n", mostFiles, strings.Join(large, ", "))
}
