package recording

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// Conversation is requests with the answers to them, as a file has them.
type Conversation = transcript.Conversation

// Anonymous is the caller of conversations that sends no credentials.
const Anonymous = player.Anonymous

// Read reads a conversation from a file.
func Read(file string) (*Conversation, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := transcript.Parse(filepath.Base(file), string(text))
	if len(c.Steps) == 0 {
		return nil, fmt.Errorf("%s: there is no step in it", file)
	}
	for _, s := range c.Steps {
		if _, method, target := transcript.Head(s.Request); method == "" || !strings.HasPrefix(target, "/") {
			return nil, fmt.Errorf("%s: %s: there is no request in it", file, s.Title)
		}
	}
	return c, nil
}

// Server is one with which conversations are held. It speaks as the specification does: a
// deployment that does not is reached through the Transport of its vocabulary.
type Server struct {
	URL string // under which it answers, without a slash at the end
	// Client sends the requests; nil means http.DefaultClient.
	Client *http.Client
	// Token returns the token of a caller of the conversations. Empty sends none; a nil
	// Token sends none for anyone.
	Token func(caller string) string
	// Patience is how long an operation that was accepted may take. 0 means 30 seconds.
	Patience time.Duration
	// Now is the clock of the server. Nil means time.Now.
	Now func() time.Time
}

// Sides are two servers with which conversations are held at the same time.
type Sides struct {
	// Target is what the other one is to be like. Nil means the recorded answers.
	Target *Server
	// Emulator is held to it.
	Emulator *Server
	// Operation returns the operation of a request; nil: the specification's operations are
	// known.
	Operation func(method, target string) string
}

// Play holds conversations with both sides, one after the other in one world, and returns how the
// emulator differs from the target, in the order in which that was seen. It fails where a side
// does not answer.
func (s Sides) Play(ctx context.Context, all ...*Conversation) ([]Difference, error) {
	operation := s.Operation
	if operation == nil {
		operation = specified()
	}
	d := player.NewDiffer(s.Target.player(), s.Emulator.player())
	for _, c := range all {
		for i := range c.Steps {
			step := &c.Steps[i]
			_, method, at := transcript.Head(step.Request)
			d.At(c.Path, step.Title, operation(method, at))
			if err := d.Step(ctx, step); err != nil {
				return d.Found, fmt.Errorf("%s: %s: %w", c.Path, step.Title, err)
			}
		}
	}
	return d.Found, nil
}

// specified finds the operation of a request by the routes of the specification.
func specified() func(method, target string) string {
	known, err := httpapi.Vocabulary{}.Overhear("")
	return func(method, target string) string {
		at, errTarget := url.Parse(target)
		if err != nil || errTarget != nil {
			return ""
		}
		o, _ := known.OperationOf(method, at)
		return o.ID
	}
}

func (s *Server) player() *player.Player {
	if s == nil {
		return player.New(nil)
	}
	own := &player.Server{
		URL: strings.TrimSuffix(s.URL, "/"), Client: s.Client, Token: s.Token, Patience: s.Patience,
		Now: s.Now,
	}
	if s.Client == nil {
		own.Client = http.DefaultClient
	}
	if own.Now == nil {
		own.Now = time.Now
	}
	if own.Patience == 0 {
		own.Patience = 30 * time.Second
	}
	return player.New(own)
}
