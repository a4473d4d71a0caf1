package oidc_test

import (
	"context"
	"log"
	"os"
	"os/signal"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/oidc"
	"github.com/seed-933f9a09/twinplatform/httpapi/server"
)

// The program twinplatform for users who sign in at an issuer: the same flags, and the
// callers of -tokens in addition.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cfg, err := server.Parse(server.Process{Args: os.Args[1:], Env: os.Environ(), Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		log.Fatal(err)
	}
	cfg.Tokens, err = oidc.New(oidc.Config{
		Issuer: "https://login.example.com/realms/twins", Audience: "twin-api", AccountClaim: "organization",
		Scopes: map[string]string{"twins": twinplatform.ScopePlatform},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Run(ctx, cfg); err != nil {
		log.Fatal(err)
	}
}
