// Command mount serves the platform under a prefix of a server that has its own pages
// and login: a user who is logged in there can call the API.
//
//	go run ./examples/mount
//	curl -c jar -d user=ada http://127.0.0.1:4795/login
//	curl -b jar http://127.0.0.1:4795/twin/schedules?twinId=tower
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func main() {
	if err := serve(); err != nil {
		log.Fatal(err)
	}
}

func serve() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	mux, err := routes(p)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:4795")
	if err != nil {
		return err
	}
	// Run delivers events, and works off what requests leave.
	return httpapi.Serve(ctx, listener, mux, 10*time.Second, nil, p.Run)
}

// routes mounts the platform next to the pages of the application.
func routes(p *platform.Platform) (*http.ServeMux, error) {
	logins := new(logins)
	api, err := httpapi.New(httpapi.Config{
		Authenticator: logins,
		Twins:         p.Twins, Schedules: p.Schedules, Forms: p.Forms,
		RealityData: p.RealityData, Transform: p.Transform, Webhooks: p.Webhooks,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", logins.login)
	mux.Handle("/twin/", http.StripPrefix("/twin", api))
	return mux, nil
}

// logins are the sessions of the application, by the value of their cookie.
type logins struct{ sessions sync.Map }

func (l *logins) login(w http.ResponseWriter, r *http.Request) {
	session, user := rand.Text(), r.FormValue("user") // a real login asks for more
	l.sessions.Store(session, twinplatform.Principal{
		ID: user, AccountID: "acme", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform},
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	})
	http.SetCookie(w, &http.Cookie{Name: "session", Value: session, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// Authenticate implements httpapi.Authenticator.
func (l *logins) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	if cookie, err := r.Cookie("session"); err == nil {
		if p, ok := l.sessions.Load(cookie.Value); ok {
			return p.(twinplatform.Principal), nil
		}
	}
	return twinplatform.Principal{}, fmt.Errorf("%w: no user is logged in", twinplatform.Unauthenticated)
}
