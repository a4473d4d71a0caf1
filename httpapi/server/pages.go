package server

import (
	"cmp"
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// readOnly is the -console that changes nothing.
const readOnly = "read-only"

// atHome reports whether everybody knows the token, and this machine alone reaches the
// server.
func (s *server) atHome() bool {
	return s.demo && s.cfg.Callers[0].Token == demoToken && s.cfg.BaseURL == ""
}

// showsPages reports whether the console is served.
func (s *server) showsPages() bool {
	return s.cfg.Console != "false" && (s.cfg.Console != "" || s.atHome())
}

// withJournal keeps the last requests for the console to show, where one is served:
// what it returns goes around the handler of cfg.
func (s *server) withJournal(cfg *httpapi.Config) func(http.Handler) http.Handler {
	if !s.showsPages() || s.cfg.Journal < 0 {
		return func(h http.Handler) http.Handler { return h }
	}
	s.calls = journal.New(journal.Config{Size: s.cfg.Journal, Now: cfg.Env.Now, Vocabulary: cfg.Vocabulary})
	others := cfg.Observer
	cfg.Observer = func(ctx context.Context, o httpapi.Observation) {
		s.calls.Observe(ctx, o)
		if others != nil {
			others(ctx, o)
		}
	}
	return s.calls.Handler
}

// withConsole serves the console alongside the API, if it is enabled. Browsers of this
// machine need no token where the token is the public one.
func (s *server) withConsole(api http.Handler, cfg httpapi.Config) (http.Handler, error) {
	if !s.showsPages() {
		return api, nil
	}
	cc := console.Config{
		API: cfg, ReadOnly: s.cfg.Console == readOnly, Journal: s.calls, Health: s.health,
		Room: s.room, Inbox: s.cfg.Webhooks.Inbox,
	}
	if s.files != nil {
		cc.Files, cc.MaxFile = http.StripPrefix(filesPath, s.files), s.files.MaxFile()
	}
	if s.cfg.TestControls {
		cc.Holds = s.controls.Operations
	}
	if s.demo {
		cc.Operator = func(twinplatform.Principal) bool { return true } // they may do everything
	}
	if s.atHome() {
		for _, c := range s.cfg.Callers {
			cc.Demo = append(cc.Demo, console.Caller{Name: c.Principal.DisplayName, Token: c.Token})
		}
	}
	pages, err := console.New(cc)
	if err != nil {
		return nil, err
	}
	s.pages = pages
	return pages.Wrap(api), nil
}

// partNames say what the checks are about.
var partNames = map[string]string{
	"staying": "Not stopping", "seed": "Seed applied", "store": "Store takes writes",
	"work": "Operations and deliveries are worked off",
}

// room is how much of the budget of bytes is used: of the caller's account, and by
// operators of the store and the fullest account.
func (s *server) room(p twinplatform.Principal, operator bool) (rooms []console.Room) {
	use := s.Budget()
	if !use.Counted {
		return nil
	}
	if p.AccountID != "" {
		rooms = append(rooms, console.Room{Name: "Your account", Used: s.BytesOf(p.AccountID), Allowed: use.Account})
	}
	if operator {
		rooms = append(rooms,
			console.Room{Name: "The fullest account", Used: use.Fullest, Allowed: use.Account},
			console.Room{Name: "The whole store", Used: use.Used, Allowed: use.Store})
	}
	return rooms
}

// health is what /readyz shows.
func (s *server) health(ctx context.Context) (parts []console.Part) {
	for _, o := range s.probes.Outcomes(ctx) {
		parts = append(parts, console.Part{Name: cmp.Or(partNames[o.Name], o.Name), Well: o.Holds})
	}
	return parts
}
