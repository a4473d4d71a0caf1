package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// ogen is strict: it fails where the document has what it cannot make a client of.
func TestTheClientOfOgenWalksTheSameJourney(t *testing.T) {
	t.Parallel()
	program := generate(t, httpapi.OpenAPI("/"), "ogen", "./walker")
	url, token, twin := world(t)
	if got := run(t, program, url, token, twin); strings.TrimSpace(got) != "done" {
		t.Errorf("the client says %q", got)
	}
}

// Clients that generators of others make from the document walk one journey. GENERATORS names the
// folder with what they have made, which .ci/run contract does.
func TestClientsOfGeneratorsWalkOneJourney(t *testing.T) {
	t.Parallel()
	made := os.Getenv("GENERATORS")
	if made == "" {
		t.Skip("SKIPPED: GENERATORS names no folder with clients; bash .ci/run contract makes one")
	}
	for _, name := range []string{"hey", "orval", "sta"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, token, twin := world(t)
			if got := run(t, "node", filepath.Join(made, "dist", name+".js"), url, token, twin); strings.TrimSpace(got) != "done" {
				t.Errorf("the client says %q", got)
			}
		})
	}
}
