package docpages_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// glossary are the words of docs/glossary.md, in small letters.
func glossary(t *testing.T) (words []string) {
	t.Helper()
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \|$`).FindAllStringSubmatch(page(t, "docs/glossary.md"), -1) {
		for word := range strings.SplitSeq(row[1], ", ") {
			if word != "word" {
				words = append(words, strings.ToLower(strings.Trim(word, "`")))
			}
		}
	}
	return words
}

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A page that introduces a word of the trade sets it in italics, and the glossary has it.
func TestGlossaryHasTheWordsThatPagesIntroduce(t *testing.T) {
	t.Parallel()
	words := glossary(t)
	for _, name := range typed {
		for _, word := range regexp.MustCompile(`(?:^|[^*\w])\*([A-Za-z][A-Za-z -]*)\*(?:[^*\w]|$)`).FindAllStringSubmatch(page(t, "docs/"+name+".md"), -1) {
			text := strings.ToLower(word[1])
			if !slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(text, w) }) {
				t.Errorf("%s introduces %s, which is not in the glossary", name, text)
			}
		}
	}
}

// What no other page says is no word of these pages.
func TestGlossaryHasNoWordsThatNoPageUses(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "docs/choices/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.ToLower(page(t, "README.md"))
	for _, name := range append(pages, more...) {
		if filepath.Base(name) != "glossary.md" {
			relative, err := filepath.Rel(root, name)
			if err != nil {
				t.Fatal(err)
			}
			all += strings.ToLower(page(t, relative))
		}
	}
	all = strings.Join(strings.Fields(all), " ")
	words := glossary(t)
	for i, word := range words {
		if !strings.Contains(all, word) {
			t.Errorf("no page says %s", word)
		}
		if slices.Contains(words[:i], word) {
			t.Errorf("%s is there twice", word)
		}
	}
	if len(words) < 50 {
		t.Errorf("there are %d words", len(words))
	}
}
