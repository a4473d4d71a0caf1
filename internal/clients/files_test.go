package clients_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/blobclient"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// whole is the program that people install, with reality data that it keeps.
type whole struct {
	program, dir    string
	url, twin, data string // of the process started last; ids, once they are made
}

const tokens = `[{"token": "t-ada", "principal": {"id": "ada", "accountId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "kind": "User",
	"scopes": ["twin-platform"], "organizationAdmin": true}}]`

func newWhole(t *testing.T) *whole {
	t.Helper()
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	w := &whole{program: program, dir: t.TempDir()}
	for name, content := range map[string]string{"tokens": tokens, "key": strings.Repeat("k", filestore.MinKey)} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// Start implements blobclient.Server.
func (w *whole) Start(t *testing.T) (at blobclient.Addresses, kill func()) {
	t.Helper()
	in := func(name string) string { return filepath.Join(w.dir, name) }
	cmd := exec.Command(w.program, "-addr", "127.0.0.1:0", "-addr-file", in("addr"), "-db", in("twin.db"), "-files", in("files"), //nolint:gosec,noctx // the test's own, which is killed
		"-file-key", in("key"), "-tokens", in("tokens"), "-banner", "true")
	out, kill := blobclient.Begin(t, cmd)
	output := bufio.NewReader(out)
	if _, err := output.ReadString('\n'); err != nil { // it serves
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	addr, err := os.ReadFile(in("addr"))
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + strings.TrimSpace(string(addr))
	w.url = url
	if w.data == "" {
		var twin, data struct {
			Twin        struct{ ID string }
			RealityData struct{ ID string }
		}
		call(t, "POST", url+"/twins", `{"class": "Endeavor", "subClass": "Project", "displayName": "Tower"}`, &twin)
		call(t, "POST", url+"/reality-management/reality-data",
			`{"twinId": "`+twin.Twin.ID+`", "displayName": "Scan", "type": "LAS", "authoring": true}`, &data)
		w.twin, w.data = twin.Twin.ID, data.RealityData.ID
	}
	for which, to := range map[string]*string{"writeaccess": &at.Write, "readaccess": &at.Read} {
		var access struct {
			Links struct {
				ContainerURL struct{ Href string }
			} `json:"_links"`
		}
		call(t, "GET", url+"/reality-management/reality-data/"+w.data+"/"+which, "", &access)
		*to = access.Links.ContainerURL.Href
	}
	at.Expired = w.expired(t, url)
	return at, kill
}

// expired is an address as the server gave it out two hours ago.
func (w *whole) expired(t *testing.T, url string) string {
	t.Helper()
	past, err := filestore.New(struct{ filestore.Backend }{}, filestore.Config{
		BaseURL: url + "/files", Key: []byte(strings.Repeat("k", filestore.MinKey)), Now: func() time.Time { return time.Now().Add(-2 * filestore.AddressTime) },
	})
	if err != nil {
		t.Fatal(err)
	}
	address, err := past.ContainerURL(t.Context(), w.data, true)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// call sends a request to the API, and reads the answer into a value.
func call(t *testing.T, method, url, body string, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer t-ada")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(got)).Decode(into)
	}
	if err != nil || res.StatusCode > 201 {
		t.Fatalf("%s %s: %d %s, %v", method, url, res.StatusCode, got, err)
	}
}

func TestGeneratedTypeScriptClientUploadsAFileInBlocks(t *testing.T) {
	t.Parallel()
	program := filepath.Join(typeScript(t), "dist/upload.js")
	w := newWhole(t)
	w.Start(t)
	const want = "9437184 bytes in 9 blocks, application/vnd.las EPSG:25832 9216 kB"
	if got := run(t, "node", program, w.url, "t-ada", w.twin); strings.TrimSpace(got) != want {
		t.Errorf("the client says %q, want %q", got, want)
	}
}

// TestBlockBlobLibraryUsesTheAddressesOfAWholeServer has the server killed between two blocks. It
// needs Node and packages of npm, as .ci/run gives them.
func TestBlockBlobLibraryUsesTheAddressesOfAWholeServer(t *testing.T) {
	t.Parallel()
	blobclient.Needs(t)
	blobclient.Run(t, newWhole(t))
}
