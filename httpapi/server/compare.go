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
	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// tokenVariable has the token for a deployment, which no list of processes shows.
const tokenVariable = envPrefix + "TARGET_TOKEN"

// compareCommand plays conversations against a deployment and this program.
func compareCommand() job {
	v := verb{
		operands: "CONVERSATION…",
		text: "Holds conversations with a deployment and with this program at the same time, and reports by " +
			"operation and member how the answers " +
			"differ. A CONVERSATION is a file, or a folder that \"twinplatform record\" has made: then its seed, " +
			"callers and vocabulary hold, unless " +
			"flags name others. Conversations change the deployment: use one for tests.",
		examples: []usage.Example{
			{Call: "twinplatform compare -target https://api.example.com/v1 recorded"},
			{Call: "twinplatform compare -target http://127.0.0.1:4790 -seed world.json -json twin.txtar"},
		},
	}
	return job{
		examples: v.examples,
		words: []string{
			"-background", "-h", "-json", "-seed", "-target", "-target-tokens", "-timeout", "-tokens",
			"-vocabulary",
		},
		verbs: func(ctx context.Context, p Process) error {
			v.flags = func(set *flag.FlagSet) func(Process, []string) error {
				c := new(comparison)
				c.flags(set)
				return func(p Process, operands []string) error { return c.compare(ctx, p, operands) }
			}
			return runVerb("compare", "", []verb{v}, p)
		},
	}
}

// comparison is what compare is called with.
type comparison struct {
	target, tokens string
	cfg            Config
	json           bool
	timeout        time.Duration
}

func (c *comparison) compare(ctx context.Context, p Process, operands []string) error {
	if c.target == "" {
		return wrongly{fmt.Errorf("compare wants -target URL, %w", errCalled)}
	}
	token, err := c.targetToken(p.Env)
	if err != nil {
		return wrongly{err}
	}
	found := []recording.Difference{}
	for _, operand := range operands {
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

func (c *comparison) flags(set *flag.FlagSet) {
	set.StringVar(&c.target, "target", "", "`url` of the deployment's API; required")
	set.StringVar(&c.tokens, "target-tokens", "",
		"`file` with tokens for the deployment, a JSON object of them by caller (default: "+tokenVariable+
			" of the environment, for all)")
	set.StringVar(&c.cfg.SeedFile, "seed", "", "`file` with the seed of this program, as for serve")
	set.StringVar(&c.cfg.TokensFile, "tokens", "",
		"`file` with the callers of this program, as for serve; their tokens are the names in the conversations "+
			"(default: everyone may do everything)")
	set.StringVar(&c.cfg.VocabularyFile, "vocabulary", "", "`file` with the names that the deployment uses")
	set.BoolVar(&c.cfg.Background, "background", false,
		"run operations of this program in the background: writes answer 202")
	set.BoolVar(&c.json, "json", false, "print all differences as JSON, for programs")
	set.DurationVar(&c.timeout, "timeout", 30*time.Second, "longest `time` of an operation that was accepted")
}

// targetToken returns the deployment's tokens.
func (c *comparison) targetToken(env []string) (func(caller string) string, error) {
	if c.tokens == "" {
		var token string
		for _, v := range env {
			if value, ok := strings.CutPrefix(v, tokenVariable+"="); ok {
				token = value
			}
		}
		return func(caller string) string {
			if caller == recording.Anonymous {
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
func (c *comparison) session(ctx context.Context, operand string, token func(string) string) ([]recording.Difference,
	error,
) {
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
		Target: &recording.Server{
			URL: c.target, Client: &http.Client{Transport: over, CheckRedirect: notFollowed},
			Token: token, Patience: c.timeout,
		},
		Emulator: ours.side,
	}
	sides.Emulator.Patience = c.timeout
	return sides.Play(ctx, all...)
}

// notFollowed leaves redirections to those who compare them.
func notFollowed(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// recordedIn takes seed and vocabulary from a recorded folder where nothing else is named.
func recordedIn(dir string, cfg *Config) {
	for name, file := range map[string]*string{
		recording.SeedFile:    &cfg.SeedFile,
		recording.CallersFile: &cfg.TokensFile, recording.VocabularyFile: &cfg.VocabularyFile,
	} {
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
	cfg.Logger, cfg.Out, cfg.Rate, cfg.Journal, cfg.Console = slog.New(slog.DiscardHandler), io.Discard,
		httpapi.Unlimited, -1, "false"
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
		URL: "http://emulator.test", Client: &http.Client{
			Transport:     recording.Handler(handler),
			CheckRedirect: notFollowed,
		},
		Token: func(caller string) string {
			if caller == recording.Anonymous {
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
