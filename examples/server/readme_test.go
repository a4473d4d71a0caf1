package main

import (
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// The pages that show the server.
const (
	readmePage = "../../README.md"
	serverPage = "../../docs/server.md"
)

// blocks are a page's code blocks of a language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return out
}

// What the README shows of a terminal is what a terminal shows, but for the
// port.
func TestReadmeShowsWhatTheServerSays(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile)
	asShown := strings.NewReplacer(s.base, "http://"+defaultAddr)
	curls := 0
	for _, block := range blocks(t, readmePage, "console") {
		command, output, ok := strings.Cut(strings.TrimPrefix(block, "$ "), "\n")
		if !strings.HasPrefix(block, "$ ") {
			wantSame(t, "the banner", block, asShown.Replace(s.banner))
			continue
		}
		words := regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(command, -1)
		if !ok || len(words) != 5 || words[3][1] != "Authorization: Bearer "+s.token {
			t.Errorf("the README types %s", command)
			continue
		}
		address := words[4][1] + words[4][2]
		wantSame(t, address, output, asShown.Replace(s.text(strings.Replace(address, "http://"+defaultAddr, s.base, 1)))+"\n")
		curls++
	}
	if curls == 0 {
		t.Error("the README types no curl")
	}
}

// The lines of shell in docs/server.md work as they stand, one after the other.
func TestPageTypesWhatWorks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	s := start(t, "-seed", seedFile)
	answers := regexp.MustCompile(`(?m)^(TOKEN=\S+ )?twin ["/]`) // an answer is a line
	for _, block := range blocks(t, serverPage, "sh") {
		script := strings.ReplaceAll(block, "http://"+defaultAddr, s.base)
		out, err := exec.CommandContext(t.Context(), "sh", "-e", "-c", script).CombinedOutput()
		if err != nil || strings.Count(string(out), "\n") != len(answers.FindAllString(script, -1)) {
			t.Errorf("%s\nends with %v and prints\n%s", script, err, out)
		}
		t.Logf("%s", out)
	}
}

// text is the body of an answer to GET.
func (s *running) text(address string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(body)
}

func TestPageShowsATokensFile(t *testing.T) {
	t.Parallel()
	for _, block := range blocks(t, serverPage, "json")[:1] { // the other one is a vocabulary
		if _, err := platform.ReadCallers(strings.NewReader(block)); err != nil {
			t.Errorf("the page shows\n%s%v", block, err)
		}
	}
}

func TestPageListsTheFlags(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(serverPage)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile("(?m)^\\| `-([a-z-]+)").FindAllStringSubmatch(string(text), -1) {
		named = append(named, m[1])
	}
	var flags []string
	newFlags(new(config)).VisitAll(func(f *flag.Flag) { flags = append(flags, f.Name) })
	sameSet(t, "flags in the page", flags, named)
}
