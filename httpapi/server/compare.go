package server

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/recording"
)

// tokenVariable has the token for a deployment, which no list of processes shows.
const tokenVariable = envPrefix + "TARGET_TOKEN"

// compareCommand plays conversations against a deployment and this program.
func compareCommand() job {
	return job{
		example: "twinplatform compare -target https://api.example.com/v1 recorded",
		verbs:   compare,
		words:   []string{"-background", "-h", "-json", "-seed", "-target", "-target-tokens", "-timeout", "-tokens", "-vocabulary"},
	}
}

// comparison is what compare is called with.
type comparison struct {
	target, tokens string
	cfg            Config
	json           bool
	timeout        time.Duration
}

func compare(ctx context.Context, p Process) error {
	var c comparison
	flags := c.flags(p)
	switch err := flags.Parse(p.Args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return wrongly{err}
	case c.target == "" || flags.NArg() == 0:
		return wrongly{errors.New("compare wants -target URL and conversations, see -h")}
	}
	token, err := c.targetToken(p.Env)
	if err != nil {
		return wrongly{err}
	}
	found := []recording.Difference{}
	for _, operand := range flags.Args() {
		more, err := c.session(ctx, operand, token)
		if err != nil {
			return wrongly{fmt.Errorf("%s: %w", operand, err)}
		}
		found = append(found, more...)
	}
	if err := c.report(p.Stdout, found); err != nil {
		return wrongly{err}
	}
	if len(found) > 0 {
		return fmt.Errorf("the emulator differs from %s in %d answers", c.target, len(found))
	}
	return nil
}

func (c *comparison) flags(p Process) *flag.FlagSet {
	flags := newFlags(p, "compare", "[flags] -target URL CONVERSATION…",
		"Holds conversations with a deployment and with this program at the same time, and tells by operation\n"+
			"and member how the answers differ. A CONVERSATION is a file, or the folder that record has made:\n"+
			"then seed, callers and vocabulary are the recorded ones unless flags name others. The deployment is changed\n"+
			"as the conversations say. Exits with 0 where nothing differs, 1 where something does, 2 where that\n"+
			"could not be found out.", compareCommand().example)
	flags.StringVar(&c.target, "target", "", "the `URL` of the deployment's API")
	flags.StringVar(&c.tokens, "target-tokens", "", "a `FILE` with the deployment's tokens, a JSON object of them by caller (default: "+tokenVariable+" for all callers)")
	flags.StringVar(&c.cfg.SeedFile, "seed", "", "a seed `FILE` for this program, as serve takes it")
	flags.StringVar(&c.cfg.TokensFile, "tokens", "", "a tokens `FILE` for this program, as serve takes it: callers are known by their tokens (default: everybody may do everything)")
	flags.StringVar(&c.cfg.VocabularyFile, "vocabulary", "", "a `FILE` that says what the deployment calls things")
	flags.BoolVar(&c.cfg.Background, "background", false, "run operations of this program in the background, so that writes answer 202")
	flags.BoolVar(&c.json, "json", false, "print JSON: a list of all differences")
	flags.DurationVar(&c.timeout, "timeout", 30*time.Second, "how long an operation that was accepted may take")
	return flags
}

// newFlags are those of a command that reads its arguments itself.
func newFlags(p Process, name, operands, text, example string) *flag.FlagSet {
	flags := flag.NewFlagSet("twinplatform "+name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned
	flags.Usage = func() {
		fmt.Fprintf(p.Stdout, "Usage: twinplatform %s %s\n\n%s\n\nExample:\n\n  %s\n\nFlags:\n\n", name, operands, text, example)
		flags.SetOutput(p.Stdout)
		flags.PrintDefaults()
		flags.SetOutput(io.Discard)
	}
	return flags
}

// targetToken tells the deployment's tokens.
func (c *comparison) targetToken(env []string) (func(caller string) string, error) {
	if c.tokens == "" {
		var token string
		for _, v := range env {
			if value, ok := strings.CutPrefix(v, tokenVariable+"="); ok {
				token = value
			}
		}
		return func(caller string) string {
			if caller == recording.Nobody {
				return ""
			}
			return token
		}, nil
	}
	raw, err := os.ReadFile(c.tokens)
	if err != nil {
		return nil, err
	}
	var tokens map[string]string
	if err := json.Unmarshal(raw, &tokens); err != nil {
		return nil, fmt.Errorf("%s: an object of tokens by caller is wanted: %w", c.tokens, err)
	}
	return func(caller string) string { return tokens[caller] }, nil
}

// session plays a file, or those of a folder in one world.
func (c *comparison) session(ctx context.Context, operand string, token func(string) string) ([]recording.Difference, error) {
	cfg, files := c.cfg, []string{operand}
	if info, err := os.Stat(operand); err != nil {
		return nil, err
	} else if info.IsDir() {
		if files, err = recording.Conversations(operand); err != nil {
			return nil, err
		}
		recordedIn(operand, &cfg)
	}
	var all []*recording.Conversation
	for _, file := range files {
		conversation, err := recording.Read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, conversation)
	}
	ours, stop, err := emulator(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer stop()
	v := ours.vocabulary
	over, err := v.Transport(c.target, nil)
	if err != nil {
		return nil, err
	}
	sides := recording.Sides{
		Target:   &recording.Server{URL: c.target, Client: &http.Client{Transport: over, CheckRedirect: notFollowed}, Token: token, Patience: c.timeout},
		Emulator: ours.side,
	}
	sides.Emulator.Patience = c.timeout
	return sides.Play(ctx, all...)
}

// notFollowed leaves redirections to those who compare them.
func notFollowed(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// recordedIn takes seed and vocabulary from a recorded folder where nothing else is named.
func recordedIn(dir string, cfg *Config) {
	for name, file := range map[string]*string{recording.SeedFile: &cfg.SeedFile, recording.CallersFile: &cfg.TokensFile, recording.VocabularyFile: &cfg.VocabularyFile} {
		at := filepath.Join(dir, name)
		if _, err := os.Stat(at); *file == "" && !errors.Is(err, fs.ErrNotExist) {
			*file = at
		}
	}
}

// emulated is this program in process.
type emulated struct {
	side       *recording.Server
	vocabulary httpapi.Vocabulary // of the deployment; the program itself speaks as the specification
}

// emulator serves a world in memory, without a socket.
func emulator(ctx context.Context, cfg Config) (e emulated, stop func(), err error) {
	cfg.Logger, cfg.Out, cfg.Rate, cfg.Journal, cfg.Console = slog.New(slog.DiscardHandler), io.Discard, httpapi.Unlimited, -1, "false"
	cfg = cfg.withDefaults()
	if err := cfg.read(); err != nil {
		return e, nil, err
	}
	e.vocabulary, cfg.Vocabulary = cfg.Vocabulary, httpapi.Vocabulary{}
	s := &server{cfg: cfg, controls: control.New(time.Now), log: cfg.Logger}
	handler, err := s.handler(ctx, demoToken)
	if err != nil {
		if s.Platform != nil {
			err = errors.Join(err, s.Close())
		}
		return e, nil, err
	}
	working, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.workOff(working) // it ends with the comparison
	}()
	known := s.cfg.Callers
	e.side = &recording.Server{
		URL: "http://emulator.test", Client: &http.Client{Transport: recording.Handler(handler), CheckRedirect: notFollowed},
		Token: func(caller string) string {
			if caller == recording.Nobody {
				return ""
			}
			for _, k := range known {
				if k.Token == caller || k.Principal.ID == caller {
					return k.Token
				}
			}
			if s.demo && strings.Contains(caller, "service") {
				return known[len(known)-1].Token
			}
			return known[0].Token
		},
	}
	return e, func() { end(); <-done; _ = s.Close() }, nil
}

func (c *comparison) report(w io.Writer, found []recording.Difference) error {
	if c.json {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(found)
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(w, "Nothing differs.")
		return err
	}
	return recording.WriteTable(w, found)
}
