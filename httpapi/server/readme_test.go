package server

import (
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

// What the README shows of a terminal is what a terminal shows, but for the port and
// for what is left out.
func TestReadmeShowsWhatTheServerSays(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile)
	asShown := strings.NewReplacer(s.base, "http://"+defaultAddr)
	curls := 0
	for _, block := range blocks(t, readmePage, "console") {
		if !strings.HasPrefix(block, "$ ") {
			wantSame(t, "the banner", block, asShown.Replace(s.banner))
			continue
		}
		for typed := range strings.SplitSeq(strings.TrimPrefix(block, "$ "), "\n$ ") {
			command, output, _ := strings.Cut(strings.TrimSuffix(typed, "\n"), "\n")
			words := regexp.MustCompile(`^curl -s -H '([^']*)' (?:-d '([^']*)' )?http://(\S+)$`).FindStringSubmatch(command)
			if words == nil || words[1] != "Authorization: Bearer "+s.token {
				t.Errorf("the README types %s", command)
				continue
			}
			at := s.base + strings.TrimPrefix(words[3], defaultAddr)
			wantSame(t, at, output, leftOut(output, asShown.Replace(s.text(at, words[2]))))
			curls++
		}
	}
	if curls == 0 {
		t.Error("the README types no curl")
	}
}

// leftOut leaves out of an answer the values of the members that the page leaves out.
func leftOut(shown, answer string) string {
	for _, m := range regexp.MustCompile(`("\w+":)"…"`).FindAllStringSubmatch(shown, -1) {
		answer = regexp.MustCompile(m[1]+`"[^"]+"`).ReplaceAllString(answer, m[1]+`"…"`)
	}
	return answer
}

// The lines of shell in docs/server.md work as they stand, one after the other.
func TestPageTypesWhatWorks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	s := start(t, "-seed", seedFile, "-test-controls")
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

// text is the body of an answer to GET, or to POST where there is a body to send.
func (s *running) text(address, body string) string {
	s.t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(answer)
}

func TestPageShowsATokensFile(t *testing.T) {
	t.Parallel()
	for _, block := range blocks(t, serverPage, "json")[:1] { // the other one is a vocabulary
		if _, err := platform.ReadCallers(strings.NewReader(block)); err != nil {
			t.Errorf("the page shows\n%s%v", block, err)
		}
	}
}
