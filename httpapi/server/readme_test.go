package server

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// serverPage is the page that shows the server.
const serverPage = "../../docs/server.md"

// The lines of shell in docs/server.md work as they are, one after the other.
func TestPageTypesWhatWorks(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile, "-test-controls")
	s.terminal().Type(t, docpages.Read(t, serverPage))
}

// terminal is one from which the server is called.
func (s *running) terminal() *docpages.Terminal {
	return &docpages.Terminal{Dir: s.t.TempDir(), Addresses: map[string]string{docpages.Address: strings.TrimPrefix(s.base, "http://")}}
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
	for _, block := range docpages.Texts(t, serverPage, "json")[:1] { // the other one is a vocabulary
		if _, err := platform.ReadCallers(strings.NewReader(block)); err != nil {
			t.Errorf("the page shows\n%s%v", block, err)
		}
	}
}
