package clients_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/signin"
	own "github.com/seed-933f9a09/twinplatform/internal/clients/signin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// words is the vocabulary that programs under one are written for.
const words = "../../httpapi/testdata/garden.json"

// Who calls: a person who administers the account, and a service application of it.
const (
	person, personToken           = "rosa@gardens.example", "of-a-person"
	application, applicationToken = "22222222-2222-4222-8222-222222222222", "of-a-service"
	redirect                      = "http://127.0.0.1/callback"
	callers                       = `[
	{"token": "of-a-person", "principal": {"id": "11111111-1111-4111-8111-111111111111", "displayName": "Rosa", "email": "rosa@gardens.example",
		"accountId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}},
	{"token": "of-a-service", "principal": {"id": "22222222-2222-4222-8222-222222222222", "displayName": "Bells",
		"accountId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "kind": "Service", "scopes": ["twin-platform", "webhooks:modify", "webhooks:read"],
		"organizationAdmin": true}}
]`
)

// place is where a program works, as it reads it from a file.
type place struct {
	own.Client

	URL         string `json:"url"`
	Person      secret `json:"person"`
	Application secret `json:"application"`
	// Certificate and Key are the files of the receiver of events, which the deployment trusts.
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

type secret struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

// file writes the place into a file.
func (p place) file(t *testing.T) string {
	t.Helper()
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, filepath.Join(t.TempDir(), "place.json"), raw)
}

// write writes a file, and returns its name.
func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// at is a place at an address.
func at(url, certificate, key string) place {
	return place{
		Client:      own.Client{Issuer: url + "/oidc", ID: "app", Redirect: redirect, Scopes: []string{twinplatform.ScopePlatform}},
		URL:         url,
		Person:      secret{person, personToken},
		Application: secret{application, applicationToken},
		Certificate: certificate, Key: key,
	}
}

// receiver makes the files of a receiver of events at 127.0.0.1.
func receiver(t *testing.T) (certificate, key string) {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	private, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	block := func(kind string, content []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
	}
	return write(t, filepath.Join(dir, "certificate.pem"), block("CERTIFICATE", s.Certificate().Raw)),
		write(t, filepath.Join(dir, "key.pem"), block("PRIVATE KEY", private))
}

// places are where programs work: the handler, as a program of others mounts it, and the
// program that people install, which does operations in the background. Both speak the words of a vocabulary, or those of the
// specification where there is no file.
var places = map[string]func(t *testing.T, vocabulary string) place{"handler": handler, "process": process}

// everywhere runs a test at each place.
func everywhere(t *testing.T, vocabulary string, do func(t *testing.T, p place)) {
	t.Helper()
	for name, open := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			do(t, open(t, vocabulary))
		})
	}
}

func handler(t *testing.T, vocabulary string) place {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	entrance := http.NewServeMux()
	srv := httptest.NewServer(entrance)
	t.Cleanup(srv.Close)
	certificate, key := receiver(t)
	authority, err := os.ReadFile(certificate)
	must(err)
	known, err := platform.ReadCallers(strings.NewReader(callers))
	must(err)
	trusted, err := webhooks.ParseRootCAs(authority)
	must(err)
	v := speaks(t, vocabulary)
	deliveries, err := v.Deliveries()
	must(err)
	files, err := filestore.Open(t.TempDir(), filestore.Config{BaseURL: "/files"})
	must(err)
	p, err := platform.New(memory.New(), platform.Config{
		Env: twinplatform.Env{Bytes: files, Principals: known}, RealityData: realitydata.Config{Containers: files},
		Webhooks: webhooks.Config{
			Applications: known, Envelope: deliveries.Write, RootCAs: trusted, AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		},
	})
	must(err)
	must(p.Grant(t.Context(), known))
	provider, err := signin.New(signin.Config{
		Issuer: srv.URL + "/oidc", Callers: func() platform.Callers { return known },
		Clients: []signin.Client{{ID: "app", Redirects: []string{redirect}}},
	})
	must(err)
	api, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.BearerTokens(provider), Vocabulary: v,
		Twins: p.Twins, Schedules: p.Schedules, Forms: p.Forms, RealityData: p.RealityData, Transform: p.Transform, Webhooks: p.Webhooks,
	})
	must(err)
	entrance.Handle("/", httpapi.Mount(httpapi.Mount(api, "/files", files), "/oidc", provider))
	must(files.Follow(t.Context(), p.RealityData))
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var work sync.WaitGroup
	work.Go(func() { _ = p.Run(ctx) })
	t.Cleanup(func() {
		stop()
		work.Wait()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		_ = files.Close()
	})
	return at(srv.URL, certificate, key)
}

// speaks is the vocabulary of a file.
func speaks(t *testing.T, file string) httpapi.Vocabulary {
	t.Helper()
	if file == "" {
		return httpapi.Vocabulary{}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v, err := httpapi.ParseVocabulary(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// built is a folder for what tests share.
var built string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	var err error
	if built, err = os.MkdirTemp("", "clients"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(built) }()
	return m.Run()
}

// binary is the program that people install, built once.
var binary = sync.OnceValues(func() (string, error) {
	file := filepath.Join(built, "twinplatform")
	out, err := exec.CommandContext(context.Background(), "go", "-C", "../..", "build", "-o", file, "./cmd/twinplatform").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return file, nil
})

func process(t *testing.T, vocabulary string) place {
	t.Helper()
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	certificate, key := receiver(t)
	dir := t.TempDir()
	address := filepath.Join(dir, "address")
	args := []string{
		"serve", "-addr", "127.0.0.1:0", "-addr-file", address, "-tokens", write(t, filepath.Join(dir, "tokens.json"), []byte(callers)),
		"-background", "-oidc", "-oidc-client", "app=" + redirect, "-webhook-allow", "127.0.0.0/8", "-webhook-ca", certificate,
	}
	if vocabulary != "" {
		args = append(args, "-vocabulary", vocabulary)
	}
	var log bytes.Buffer
	server := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...) //nolint:gosec // the test's own
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := <-ended; err != nil || t.Failed() {
			t.Logf("the server ended with %v and says\n%s", err, log.String())
		}
	})
	for {
		if raw, err := os.ReadFile(address); err == nil {
			return at("http://"+strings.TrimSpace(string(raw)), certificate, key)
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the server ended before it served: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
