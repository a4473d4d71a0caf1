// Command webhookreceiver receives the events of a twin platform, checks that
// they are genuine and prints each once, as a line of JSON.
//
// Started without a certificate it makes one for this machine, and writes it to
// a file that the platform can be told to trust:
//
//	WEBHOOK_SECRET=… webhookreceiver -addr 127.0.0.1:4791 -write-ca receiver.pem
//	server -webhook-allow 127.0.0.1/32 -webhook-ca receiver.pem
//
// Its callback URL is then https://127.0.0.1:4791/.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "webhookreceiver:", err)
		os.Exit(1)
	}
}

// config is what the flags and the environment say.
type config struct {
	addr, cert, key, writeCA string
	secret                   string
}

func parse(args []string, getenv func(string) string, stderr io.Writer) (c config, err error) {
	fs := flag.NewFlagSet("webhookreceiver", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&c.addr, "addr", "127.0.0.1:4791", "`host:port` to listen on; port 0 takes a free one")
	fs.StringVar(&c.cert, "cert", "", "`file` with the certificate to serve with")
	fs.StringVar(&c.key, "key", "", "`file` with the key of the certificate")
	fs.StringVar(&c.writeCA, "write-ca", "", "`file` to write the certificate to that is made when none is given")
	secret := fs.String("secret-file", "", "`file` with the secret of the webhook (default: the variable WEBHOOK_SECRET)")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	c.secret = getenv("WEBHOOK_SECRET")
	if *secret != "" {
		b, err := os.ReadFile(*secret)
		if err != nil {
			return c, err
		}
		c.secret = strings.TrimSpace(string(b))
	}
	if c.secret == "" {
		return c, errors.New("the secret of the webhook is missing: give -secret-file or WEBHOOK_SECRET")
	}
	if (c.cert == "") != (c.key == "") {
		return c, errors.New("-cert and -key go together")
	}
	return c, nil
}

// run receives until ctx is done. It prints its callback URL to stderr, and the
// events to stdout.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	cfg, err := parse(args, getenv, stderr)
	if err != nil {
		return err
	}
	certificate, err := cfg.certificate()
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return err
	}
	srv := &http.Server{
		Handler:           newReceiver(cfg.secret, stdout),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		ErrorLog:          log.New(stderr, "", 0),
	}
	fmt.Fprintf(stderr, "receiving at https://%s/\n", listener.Addr())
	served := make(chan error, 1)
	go func() { served <- srv.ServeTLS(listener, "", "") }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return srv.Shutdown(limited)
}
