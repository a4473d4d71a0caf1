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
	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// defaultRecordAddr is where record listens.
const defaultRecordAddr = "127.0.0.1:4791"

// recordCommand is in front of a deployment and writes down its traffic.
func recordCommand() job {
	v := verb{
		text: "A proxy in front of a deployment. Point clients at the address that it prints. When it is stopped " +
			"(Ctrl-C or SIGTERM) it writes a folder: " +
			"conversations, the seed of the world in which they were held, the callers, and a draft vocabulary. " +
			"Secrets and names of people are left out.",
		examples: []usage.Example{{Call: "twinplatform record -target https://api.example.com/v1 -out recorded"}},
	}
	return job{
		examples: v.examples,
		words:    []string{"-addr", "-h", "-max-bytes", "-out", "-target", "-vocabulary"},
		verbs: func(ctx context.Context, p Process) error {
			v.flags = func(set *flag.FlagSet) func(Process, []string) error {
				r := new(recordingOf)
				r.flags(set)
				return func(p Process, _ []string) error { return r.record(ctx, p) }
			}
			return runVerb("record", "", []verb{v}, p)
		},
	}
}

// recordingOf is what record is called with.
type recordingOf struct {
	cfg              recording.Config
	vocabulary, addr string
}

func (r *recordingOf) flags(set *flag.FlagSet) {
	set.StringVar(&r.cfg.Target, "target", "", "`url` of the deployment's API; required")
	set.StringVar(&r.cfg.Dir, "out", "", "`folder` to write, which must not exist or be empty; required")
	set.StringVar(&r.addr, "addr", defaultRecordAddr, "`host:port` to listen at; port 0 takes a free port")
	set.Int64Var(&r.cfg.MaxBytes, "max-bytes", recording.DefaultMaxBytes,
		"limit of the traffic that is kept in memory, in `bytes`; what comes later passes through")
	set.StringVar(&r.vocabulary, "vocabulary", "",
		"`file` with what is known of the names that the deployment uses; the draft adds to it")
}

func (r *recordingOf) record(ctx context.Context, p Process) error {
	cfg := r.cfg
	if cfg.Target == "" || cfg.Dir == "" {
		return wrongly{fmt.Errorf("record wants -target URL and -out DIR, %w", errCalled)}
	}
	if err := readFile("vocabulary", r.vocabulary, &cfg.Vocabulary, from(httpapi.ParseVocabulary)); err != nil {
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
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", r.addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "http://%s leads to %s; stop this to write %s.\n", httpapi.LocalAddress(listener), cfg.Target,
		cfg.Dir)
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
