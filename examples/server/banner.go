package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// banner tells somebody at a terminal where the server is, whether it forgets,
// and what to type next. The demo token stands in it; the tokens of a file never
// do, since terminals and logs are read by others.
func (s *server) banner(ctx context.Context, w io.Writer, addr string, cfg config) {
	base := cmp.Or(cfg.baseURL, "http://"+addr)
	store := "in memory: all of it is gone when this process ends; -db FILE keeps it"
	if cfg.db != inMemory {
		store = "in the file " + cfg.db + ": it lasts, each change is on disk before it is answered"
	}
	fmt.Fprintf(w, "twin platform\n  base URL  %s\n", base)
	if cfg.baseURL != "" {
		fmt.Fprintf(w, "  listens   http://%s\n", addr)
	}
	fmt.Fprintf(w, "  store     %s\n", store)
	who, path := s.firstCall(ctx)
	if s.access.demo {
		fmt.Fprintf(w, "  token     %s (%s, may do everything in every account)\n", who.token, who.principal.DisplayName)
		fmt.Fprintf(w, "  webhooks  %s (%s, may do so too)\n", who.token+serviceSuffix, demoService.DisplayName)
		fmt.Fprintf(w, "  try       curl -s -H %s %s\n", shellQuoted("Authorization: Bearer "+who.token), shellQuoted(base+path))
		return
	}
	fmt.Fprintf(w, "  token     of %s, where %s is entry %d\n", cfg.tokens, cmp.Or(who.principal.DisplayName, who.principal.ID), s.access.entry(who))
	fmt.Fprintf(w, "  try       curl -s -H \"Authorization: Bearer $TOKEN\" %s\n", shellQuoted(base+path))
}

// firstCall is a path that works with the token of a caller: the first tasks of a
// schedule of the seed that somebody may read, else the twins that the first who
// may ask sees.
func (s *server) firstCall(ctx context.Context) (who caller, path string) {
	asking := slices.DeleteFunc(slices.Clone(s.access.callers), func(c caller) bool { return !c.principal.HasScope(twinplatform.ScopePlatform) })
	if len(asking) == 0 {
		return s.access.callers[0], "/twins?$top=2"
	}
	for _, who := range asking {
		if s.world == nil {
			break
		}
		for _, plan := range s.world.Schedules {
			if _, err := s.Schedules.Schedule(twinplatform.WithPrincipal(ctx, who.principal), plan.ID); err == nil {
				return who, "/schedules/" + url.PathEscape(plan.ID) + "/tasks?$top=2"
			}
		}
	}
	return asking[0], "/twins?$top=2"
}

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
