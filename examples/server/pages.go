package main

import (
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

// readOnly is the -console that changes nothing.
const readOnly = "read-only"

// withConsole serves the console beside the API, where it is wanted. Browsers of this
// machine need no token where everybody knows it.
func (s *server) withConsole(api http.Handler, cfg httpapi.Config) (http.Handler, error) {
	local := s.demo && s.callers[0].Token == demoToken && s.baseURL == ""
	if s.console == "false" || s.console == "" && !local {
		return api, nil
	}
	cc := console.Config{API: cfg, ReadOnly: s.console == readOnly}
	if local {
		for _, c := range s.callers {
			cc.Demo = append(cc.Demo, console.Caller{Name: c.Principal.DisplayName, Token: c.Token})
		}
	}
	pages, err := console.New(cc)
	if err != nil {
		return nil, err
	}
	s.pages = pages
	return pages.Beside(api), nil
}
