package httpapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// A client that is generated from the document sends bytes under the media type that is in it,
// and the headers that are required there.
func TestBytesAreTakenAsTheDocumentSaysTheyAreSent(t *testing.T) {
	t.Parallel()
	paths := parse(t, httpapi.OpenAPI("/")).Paths
	for id, up := range uploads() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var at described
			for _, methods := range paths {
				for _, o := range methods {
					if o.OperationID == id {
						at = o
					}
				}
			}
			content, _ := at.RequestBody["content"].(map[string]any)
			media := slices.Collect(maps.Keys(content))
			if len(media) != 1 {
				t.Fatalf("it is sent as %q", media)
			}
			var required, headers []string
			for _, p := range at.Parameters {
				if p.In == "header" && p.Required {
					required = append(required, p.Name)
				}
			}
			for header := range strings.SplitSeq(strings.TrimSuffix(up.header, "\r\n"), "\r\n") {
				if name, _, _ := strings.Cut(header, ":"); slices.Contains(required, name) {
					headers = append(headers, header)
				}
			}
			method, path, _ := strings.Cut(up.line, " ")
			send := func(headers []string) int {
				return ask(up.world(t), method, path, "bytes", append(headers, "Authorization: Bearer "+up.caller, "Content-Type: "+media[0])...).Code
			}
			if got := send(headers); got != up.want {
				t.Errorf("with %q: %d, want %d", headers, got, up.want)
			}
			for i := range headers {
				if got := send(slices.Delete(slices.Clone(headers), i, i+1)); got < 400 {
					t.Errorf("without %q: %d", headers[i], got)
				}
			}
		})
	}
}
