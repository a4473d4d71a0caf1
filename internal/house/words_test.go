package house_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// refusedInComments are words that readers had to translate, each with a plain one. The
// checker of .ci/style holds pages, messages and descriptions to the same.
var refusedInComments = []struct {
	word  *regexp.Regexp
	plain string
}{
	{word(`(?:[Nn]obody|[Ss]omebody)`), "no one, someone, or who it is"},
	{word(`[Ww]hoever`), "the caller, the process, or who it is"},
	{word(`[Bb]eside`), "next to, besides, in addition to, compared with"},
	{word(`(?:[Gg]oes|went) on`), "continues"},
	{word(`(?:tells?|telling) of`), "reports, names, emits"},
	{word(`[Tt]old`), "notified, asked, shown, known"},
	{word(`[Ss]pelt`), "spelled, named"},
	{word(`(?:[Aa]new|afresh)`), "again"},
	{word(`lest`), "so that … not"},
	{word(`in vain`), "without success"},
	{word(`stands? against`), "conflicts with, violates"},
	{word(`mend(?:s|ed|ing)?`), "fix, repair"},
	{word(`foresight`), "prefetch"},
	{word(`tidying`), "garbage collection"},
	{word(`(?:[Tt]enures?|[Ii]nsiders?|rehears\w+)`), "epoch, system client, dry run"},
}

func word(pattern string) *regexp.Regexp { return regexp.MustCompile(`\b` + pattern + `\b`) }

// refusedInNames are words that no identifier has, each with the one of the trade.
var refusedInNames = map[string]string{
	"anew": "again", "ballast": "reserve", "beside": "nextTo, extra", "foresight": "prefetch", "habit": "readSet",
	"habits": "readSets", "insider": "systemClient", "insiders": "systemClients", "mended": "repaired", "nobody": "noOne",
	"noun": "resource", "nouns": "resources", "poison": "fail", "rehearsal": "dryRun", "rehearse": "dryRun",
	"rehearsed": "dryRun", "remade": "mapped", "somebody": "someone", "spelt": "spelling", "tenure": "epoch",
	"tidying": "gc", "told": "notified, shown", "undone": "compensated", "whoever": "caller",
}

// parts are the words of an identifier.
var parts = regexp.MustCompile(`[A-Z]+(?:[a-z0-9]+)?|[a-z0-9]+`)

// TestCommentsAndNamesUseTheWordsOfTheTrade reads every Go file.
func TestCommentsAndNamesUseTheWordsOfTheTrade(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || path == "words_test.go":
			return nil
		}
		files++
		return wantWordsOfTheTrade(t, path)
	})
	if err != nil || files < 1_000 {
		t.Errorf("%d files were read: %v", files, err)
	}
}

func wantWordsOfTheTrade(t *testing.T, path string) error {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file := set.AddFile(path, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		at, kind, text := s.Scan()
		switch kind {
		case token.EOF:
			return nil
		case token.COMMENT:
			for _, refused := range refusedInComments {
				if found := refused.word.FindString(text); found != "" && !strings.HasPrefix(text, "// covers:") {
					t.Errorf("%s: %q: write %s", set.Position(at), found, refused.plain)
				}
			}
		case token.IDENT:
			for _, part := range parts.FindAllString(text, -1) {
				if plain, refused := refusedInNames[strings.ToLower(part)]; refused {
					t.Errorf("%s: %s: write %s", set.Position(at), text, plain)
				}
			}
		}
	}
}
