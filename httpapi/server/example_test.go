package server_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/server"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// A program with its own settings fills in a Config.
func ExampleRun() {
	folder, err := os.MkdirTemp("", "twinplatform")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ada := twinplatform.Principal{
		ID: "ada", DisplayName: "Ada", AccountID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
		Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform},
	}
	cfg := server.Config{
		Addr: "127.0.0.1:0", AddrFile: filepath.Join(folder, "addr"),
		DB:      filepath.Join(folder, "twin.db"),
		Callers: platform.Callers{{Token: "a-long-random-secret", Principal: ada}},
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- server.Run(ctx, cfg) }()

	addr := waitFor(cfg.AddrFile)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/twins", http.NoBody)
	if err != nil {
		panic(err)
	}
	req.Header.Set("Authorization", "Bearer a-long-random-secret")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	_ = resp.Body.Close()
	fmt.Println(resp.Status)
	stop()
	fmt.Println(<-done)
	// Output:
	// 200 OK
	// <nil>
}

// waitFor is what a file holds, once it is there.
func waitFor(name string) string {
	for {
		if text, err := os.ReadFile(name); err == nil {
			return string(text)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRunRefusesWhatContradictsItself(t *testing.T) {
	t.Parallel()
	if err := server.Run(t.Context(), server.Config{TLSCert: "cert.pem"}); err == nil {
		t.Error("a certificate without its key is served")
	}
}
