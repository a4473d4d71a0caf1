package clients_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// generate builds a program over a Go client that is generated from a document, which is laid
// into the place of a package.
func generate(t *testing.T, document []byte, client, program string) string {
	t.Helper()
	dir := t.TempDir()
	from, made := write(t, filepath.Join(dir, "openapi.json"), document), filepath.Join(dir, filepath.Base(client))
	if err := os.Mkdir(made, 0o700); err != nil {
		t.Fatal(err)
	}
	if filepath.Base(client) == "ogen" {
		run(t, "go", "tool", "ogen", "-config", "ogen/config.yaml", "-package", "ogen", "-target", made, from)
	} else {
		out := filepath.Join(made, "client.gen.go")
		run(t, "go", "tool", "oapi-codegen", "-config", "client/config.yaml", "-package", filepath.Base(client), "-o", out, from)
	}
	files, err := filepath.Glob(filepath.Join(made, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing was made: %v", err)
	}
	place, built := make(map[string]string), filepath.Join(dir, filepath.Base(program))
	for _, file := range files {
		in, err := filepath.Abs(filepath.Join(client, filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		place[in] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": place})
	if err != nil {
		t.Fatal(err)
	}
	overlay := write(t, filepath.Join(dir, "overlay.json"), text)
	// A client of all operations is large, and does little here: it is not optimized.
	plain := "-gcflags=github.com/seed-933f9a09/twinplatform/internal/clients/...=-N -l"
	run(t, "go", "build", "-tags", "generated", "-overlay", overlay, plain, "-o", built, program)
	return built
}

// gardens is the document of a deployment with another vocabulary.
func gardens(t *testing.T) []byte {
	t.Helper()
	tw := httpapitest.New(t, httpapitest.WithVocabulary(speaks(t, words)))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tw.Listen()+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+tw.TokenOf(tw.Admin()))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	document, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("the document: %d %v", res.StatusCode, err)
	}
	return document
}

func TestGeneratedGoClientDoesWhatProgramsOfADeploymentDo(t *testing.T) {
	t.Parallel()
	program := generate(t, gardens(t), "garden", "./gardener")
	everywhere(t, words, func(t *testing.T, p place) {
		if got := run(t, program, p.file(t)); strings.TrimSpace(got) != "done" {
			t.Errorf("the program says %q", got)
		}
	})
}

func TestGeneratedTypeScriptClientDoesWhatProgramsOfADeploymentDo(t *testing.T) {
	t.Parallel()
	ts := typeScript(t)
	in := func(name string) string { return filepath.Join(ts, name) }
	document := write(t, in("garden/openapi.json"), gardens(t))
	run(t, in("node_modules/.bin/openapi-typescript"), document, "--default-non-nullable=false", "-o", in("garden/openapi.d.ts"))
	run(t, in("node_modules/.bin/tsc"), "-p", in("garden"))
	everywhere(t, words, func(t *testing.T, p place) {
		if got := run(t, "node", in("dist/garden/gardener.js"), p.file(t), "plans/shed.xml"); strings.TrimSpace(got) != "done" {
			t.Errorf("the program says %q", got)
		}
	})
}
