// Command mount serves the twin platform under a prefix of a server that has
// pages of its own.
//
//	go run ./examples/mount
//	curl -H 'Authorization: Bearer demo' http://127.0.0.1:4791/twin/schedules?twinId=tower
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:4791", "address to serve on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, *addr); err != nil {
		log.Fatal(err)
	}
}

// serve serves until ctx is done, and lets the requests under way finish.
func serve(ctx context.Context, addr string) (err error) {
	store := memory.New()
	defer func() { err = errors.Join(err, store.Close()) }()
	mux, err := routes(store)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/ is ours, http://%[1]s/twin/ the platform's\n", addr)
	return httpapi.Serve(ctx, listener, mux, 10*time.Second, nil)
}

// routes mounts the platform beside a page of the application.
func routes(store storage.Store) (*http.ServeMux, error) {
	me := twinplatform.Principal{
		ID: "me", AccountID: "my-account", Kind: twinplatform.User,
		Scopes:             []string{twinplatform.ScopePlatform},
		AdministratorRoles: []string{twinplatform.AccountAdministrator},
	}
	api, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"demo": me}),
		Schedules:     schedules.New(store, schedules.Config{Twins: myTwins{}}),
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/twin/", http.StripPrefix("/twin", api))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "The plans of the tower are at /twin/schedules?twinId=tower.")
	})
	return mux, nil
}

// myTwins are the buildings that this application knows.
type myTwins struct{}

// TwinAccount implements twinplatform.TwinDirectory.
func (myTwins) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	return "my-account", twinID == "tower", nil
}
