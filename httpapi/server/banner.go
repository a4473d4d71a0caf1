package server

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// banner shows at a terminal where the server is, whether it forgets, and what to type
// next. The demo token is in it; the tokens of a file never do, since terminals and logs
// are read by others.
func (s *server) banner(ctx context.Context, w io.Writer, addr string) {
	listens, base := s.cfg.listensAt(addr), s.base
	store := "in memory: all of it is gone when this process ends; -db FILE keeps it"
	switch {
	case s.cfg.shared():
		store = s.cfg.storeName() + ", which other servers may share"
	case s.cfg.inFile():
		store = "in the file " + s.cfg.DB + ": it lasts, each change is on disk before it is answered"
	}
	fmt.Fprintf(w, "twin platform\n  base URL  %s\n", base)
	if s.cfg.BaseURL != "" {
		fmt.Fprintf(w, "  listens   %s\n", listens)
	}
	fmt.Fprintf(w, "  store     %s\n", store)
	if s.pages != nil {
		fmt.Fprintf(w, "  console   %s%s/\n", base, console.DefaultPath)
	}
	if s.cfg.OIDC {
		fmt.Fprintf(w, "  oidc      %s%s: people sign in with a name and their token (-oidc, for tests)\n", base,
			oidcPath)
	}
	if s.cfg.Admin != "" {
		fmt.Fprintf(w, "  admin     http://%s/metrics\n", s.entry.Address)
	}
	if s.cfg.TestControls {
		fmt.Fprintf(w, "  controls  %s%s/ is open to everybody who reaches this server: its clock, faults, journal "+
			"and held operations (-test-controls)\n", base, control.Prefix)
	}
	s.printPlans(w, base)
	entry, path := s.firstCall(ctx)
	path = s.cfg.Vocabulary.Address(path)
	who := s.cfg.Callers[entry]
	if s.demo {
		fmt.Fprintf(w, "  token     %s (%s, may do everything in every account)\n", who.Token,
			who.Principal.DisplayName)
		fmt.Fprintf(w, "  webhooks  %s (%s, may do so too)\n", s.cfg.Callers[1].Token,
			s.cfg.Callers[1].Principal.DisplayName)
		fmt.Fprintf(w, "  try       curl -s -H %s %s\n", shellQuoted("Authorization: Bearer "+who.Token),
			shellQuoted(base+path))
		return
	}
	fmt.Fprintf(w, "  token     of %s, where %s is entry %d\n", cmp.Or(s.cfg.TokensFile, "Config.Callers"),
		cmp.Or(who.Principal.DisplayName, who.Principal.ID), entry+1)
	fmt.Fprintf(w, "  try       curl -s -H \"Authorization: Bearer $TOKEN\" %s\n", shellQuoted(base+path))
}

// listensAt is the address of a server that listens at host:port.
func (c *Config) listensAt(addr string) string {
	if c.TLSCert != "" {
		return "https://" + addr
	}
	return "http://" + addr
}

// firstCall is the place of a caller and a path that works with its token: the first
// tasks of an imported plan, or of a schedule of the seed, that someone may read, else
// the twins that the first who may ask sees.
func (s *server) firstCall(ctx context.Context) (entry int, path string) {
	asks := func(c platform.Caller) bool { return c.Principal.HasScope(twinplatform.ScopePlatform) }
	for i, c := range s.cfg.Callers {
		if !asks(c) {
			continue
		}
		for _, id := range s.scheduleIDs() {
			if _, err := s.Schedules.Schedule(twinplatform.WithPrincipal(ctx, c.Principal), id); err == nil {
				return i, "/schedules/" + url.PathEscape(id) + "/tasks?$top=2"
			}
		}
	}
	return max(0, slices.IndexFunc(s.cfg.Callers, asks)), "/twins?$top=2"
}

// scheduleIDs are the schedules that were imported, and those of the seed.
func (s *server) scheduleIDs() (ids []string) {
	for _, p := range s.plans {
		ids = append(ids, p.schedule)
	}
	if s.cfg.World != nil {
		for _, plan := range s.cfg.World.Schedules {
			ids = append(ids, plan.ID)
		}
	}
	return ids
}

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
