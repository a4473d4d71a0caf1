package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/recording"
)

// defaultRecordAddr is where record listens.
const defaultRecordAddr = "127.0.0.1:4791"

// recordCommand stands in front of a deployment and writes down its traffic.
func recordCommand() job {
	return job{
		example: "twinplatform record -target https://api.example.com/v1 -out recorded",
		verbs:   record,
		words:   []string{"-addr", "-h", "-max-bytes", "-out", "-target", "-vocabulary"},
	}
}

func record(ctx context.Context, p Process) error {
	var cfg recording.Config
	var vocabulary, addr string
	flags := newFlags(p, "record", "[flags] -target URL -out DIR",
		"Stands in front of a deployment as a proxy, and writes down its traffic until it is stopped\n"+
			"(Ctrl-C, SIGTERM): conversations, a seed of the world in which they were held, who called, and the\n"+
			"draft of a vocabulary. Secrets and the names of people are not written. Point clients at the address\n"+
			"that it prints, in the place of the deployment's.", recordCommand().example)
	flags.StringVar(&cfg.Target, "target", "", "the `URL` of the deployment's API")
	flags.StringVar(&cfg.Dir, "out", "", "the `DIR` to write, which must not exist or be empty")
	flags.StringVar(&addr, "addr", defaultRecordAddr, "the `HOST:PORT` to listen at, port 0 takes a free one")
	flags.Int64Var(&cfg.MaxBytes, "max-bytes", recording.DefaultMaxBytes, "how much traffic is kept, in memory until it is written; what comes later passes through")
	flags.StringVar(&vocabulary, "vocabulary", "", "a `FILE` with what is known of what the deployment calls things; the draft adds to it")
	switch err := flags.Parse(p.Args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return wrongly{err}
	case cfg.Target == "" || cfg.Dir == "" || flags.NArg() > 0:
		return wrongly{errors.New("record wants -target URL and -out DIR and nothing else, see -h")}
	}
	if err := readFile("vocabulary", vocabulary, &cfg.Vocabulary, from(httpapi.ParseVocabulary)); err != nil {
		return err
	}
	if cfg.MaxBytes == 0 {
		return wrongly{errors.New("-max-bytes is more than 0")}
	}
	cfg.Logger = slog.New(slog.NewTextHandler(p.Stderr, nil))
	recorder, err := recording.NewRecorder(cfg)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "http://%s leads to %s; stop this to write %s.\n", httpapi.LocalAddress(listener), cfg.Target, cfg.Dir)
	if err := through(ctx, listener, recorder); err != nil {
		return err
	}
	notes, err := recorder.Close(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s has %d steps.\n", cfg.Dir, notes.Steps)
	for _, what := range notes.LeftOutLines() {
		fmt.Fprintln(p.Stdout, what)
	}
	return nil
}

// through serves until ctx is done, and lets what is under way end.
func through(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	if err := s.Shutdown(late); err != nil {
		return errors.Join(s.Close(), <-ended)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
