package server

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/recording"
)

// conversation is a file with one.
func conversation(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "twins.get.txtar")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const aTwin = `A twin.

-- made --
POST /twins

{"class": "Endeavor", "displayName": "Tower"}
-- answer --
201
Location: https://api.test/twins/new-01

{"twin": {"id": "new-01"}}

-- read --
GET /twins/new-01
-- answer --
200
`

// compareWith compares with a server, and returns the exit code with what is printed.
func compareWith(t *testing.T, s *running, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Main(t.Context(), Process{
		Args: append([]string{"compare", "-target", s.base}, args...), Env: []string{tokenVariable + "=" + s.token}, Stdout: &stdout, Stderr: &stderr,
	})
	return code, stdout.String(), stderr.String()
}

func TestCompareFindsNothingInItsOwnServer(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile)
	code, out, errs := compareWith(t, s, "-seed", seedFile, conversation(t, aTwin))
	if code != 0 || out != "Nothing differs.\n" || errs != "" {
		t.Errorf("compare exits with %d and prints %s%s", code, out, errs)
	}
}

func TestCompareSpeaksToADeploymentInItsWords(t *testing.T) {
	t.Parallel()
	words := fileWith(t, `{"parts": {"twin": "garden", "twins": "gardens"}, "segments": {"twins": "gardens"}}`)
	s := start(t, "-vocabulary", words)
	if code, out, errs := compareWith(t, s, "-vocabulary", words, conversation(t, aTwin)); code != 0 {
		t.Errorf("compare exits with %d and prints %s%s", code, out, errs)
	}
}

func TestCompareReportsDifferencesByOperationAndMember(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile)
	file := conversation(t, "Those that there are.\n\n-- all --\nGET /twins\n-- answer --\n200\n")
	code, out, errs := compareWith(t, s, file) // which has no seed
	if code != 1 || !strings.HasPrefix(out, "operation   member   differs in  target  emulator  times  first in\ntwins.list  twins[]  length      ") {
		t.Errorf("compare exits with %d and prints\n%s%s", code, out, errs)
	}
	if want := "twinplatform: the emulator differs from " + s.base + " in 1 answers\n"; errs != want {
		t.Errorf("it says %q, want %q", errs, want)
	}
	code, out, _ = compareWith(t, s, "-json", file)
	var found []recording.Difference
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 1 {
		t.Fatalf("with -json it exits with %d and prints %s", code, out)
	}
	want := []recording.Difference{{Conversation: "twins.get.txtar", Step: "all", Operation: "twins.list", Member: "twins[]", Kind: recording.Length, Target: found[0].Target, Emulator: 0.0}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

func TestCompareThatCannotExitsWithTwo(t *testing.T) {
	t.Parallel()
	nowhere := &running{base: "http://127.0.0.1:1"}
	for name, args := range map[string][]string{
		"no conversation":       nil,
		"a file that is not":    {"none.txtar"},
		"a file of another use": {fileWith(t, "{}")},
		"an unknown flag":       {"-fast", "none.txtar"},
		"no server answers":     {conversation(t, aTwin)},
	} {
		if code, _, errs := compareWith(t, nowhere, args...); code != 2 || !strings.HasPrefix(errs, "twinplatform: ") {
			t.Errorf("%s: it exits with %d and says %q", name, code, errs)
		}
	}
	if help := helpOf(t, "compare", "-h"); !strings.HasPrefix(help, "Usage: twinplatform compare [flags] CONVERSATION…\n") || !strings.Contains(help, compareCommand().examples[0].Call) {
		t.Errorf("the help of compare is\n%s", help)
	}
}
