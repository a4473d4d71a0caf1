package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// banner tells somebody at a terminal where the server is, whether it forgets,
// and what to type next.
func (s *server) banner(ctx context.Context, w io.Writer, addr string, cfg config) {
	base := "http://" + addr
	store := "in memory: all of it is gone when this process ends; -db FILE keeps it"
	if cfg.db != inMemory {
		store = "in the file " + cfg.db + ": it lasts, each change is on disk before it is answered"
	}
	who, call := s.firstCall(ctx, base)
	may := "as its grants say"
	if s.access.demo {
		may = "may do everything in every account"
	}
	fmt.Fprintf(w, "twin platform\n  base URL  %s\n  store     %s\n  token     %s (%s, %s)\n", base, store, who.token, who.principal.DisplayName, may)
	if s.access.demo {
		fmt.Fprintf(w, "  webhooks  %s (%s, may do so too)\n", who.token+serviceSuffix, demoService.DisplayName)
	}
	fmt.Fprintf(w, "  try       %s\n", call)
}

// firstCall is a curl that works when it is pasted into a shell, and whose
// token is in it: the first tasks of a schedule of the seed that somebody may
// read, else the twins that the first who may ask sees.
func (s *server) firstCall(ctx context.Context, base string) (caller, string) {
	if s.world != nil {
		for _, who := range s.access.callers {
			if !who.principal.HasScope(twinplatform.ScopePlatform) {
				continue
			}
			for _, plan := range s.world.Schedules {
				if _, err := s.Schedules.Schedule(twinplatform.WithPrincipal(ctx, who.principal), plan.ID); err == nil {
					return who, curl(who.token, base+"/schedules/"+url.PathEscape(plan.ID)+"/tasks?$top=2")
				}
			}
		}
	}
	who := s.access.callers[0]
	for _, c := range s.access.callers {
		if c.principal.HasScope(twinplatform.ScopePlatform) {
			who = c
			break
		}
	}
	return who, curl(who.token, base+"/twins?$top=2")
}

func curl(token, address string) string {
	return "curl -s -H " + shellQuoted("Authorization: Bearer "+token) + " " + shellQuoted(address)
}

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
