package house_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// choices are the pages of decisions, without their index, by file name.
func choices(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("docs/choices/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := make(map[string]string, len(files))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) != "README.md" {
			pages[name] = string(text)
		}
	}
	if len(pages) == 0 {
		t.Fatal("there are no pages of choices")
	}
	return pages
}

// What a choice names as its test is there to fail: a test function of this module or of
// one nested in it, or a conversation.
func TestEveryTestThatAChoiceNamesExists(t *testing.T) {
	t.Parallel()
	there := testsAndConversations(t)
	named := regexp.MustCompile("`((?:Test|Fuzz|Example)[A-Z]\\w*|[\\w.]+\\.txtar)`")
	for page, text := range choices(t) {
		for _, name := range named.FindAllStringSubmatch(text, -1) {
			if !there[name[1]] {
				t.Errorf("%s names %s, which does not exist", page, name[1])
			}
		}
	}
}

// testsAndConversations are the names of all test functions, and the file names of all
// conversations.
func testsAndConversations(t *testing.T) map[string]bool {
	t.Helper()
	there := make(map[string]bool)
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."), d.IsDir() && d.Name() == "node_modules":
			return fs.SkipDir
		case strings.HasSuffix(path, ".txtar"):
			there[d.Name()] = true
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, f := range function.FindAllSubmatch(text, -1) {
				there[string(f[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// A decision is a heading with what asked for it, what was chosen, and what keeps it.
func TestEveryChoiceHasItsContextAndItsTest(t *testing.T) {
	t.Parallel()
	for page, text := range choices(t) {
		decisions := strings.Split(text, "\n## ")[1:]
		if len(decisions) == 0 {
			t.Errorf("%s has no decision", page)
		}
		for _, d := range decisions {
			heading, body, _ := strings.Cut(d, "\n")
			for _, entry := range []string{"Context", "Choice", "Test"} {
				if strings.Count(body, "\n- **"+entry+".** ") != 1 {
					t.Errorf("%s: %q does not have one entry %s", page, heading, entry)
				}
			}
		}
		for n, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 140 {
				t.Errorf("%s:%d has more than 140 columns", page, n+1)
			}
		}
	}
}

// The index of the choices lists each page.
func TestEveryPageOfChoicesIsInTheirIndex(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile("docs/choices/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for page := range choices(t) {
		if link := "](" + filepath.Base(page) + ")"; !strings.Contains(string(index), link) {
			t.Errorf("the index has no link to %s", page)
		}
	}
}
