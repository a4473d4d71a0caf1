package console

import (
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// frame is what is around the main part of a page.
type frame struct {
	*request
	Main template.HTML
}

// Title is that of the page; empty for the first.
func (r *request) Title() string { return r.title }

// Viewer is who is signed in. Before sign-in it is nil, so that the page shows nothing of
// the server.
func (f frame) Viewer() *twinplatform.Principal {
	if !f.who.known() {
		return nil
	}
	return &f.who.principal
}

// Switches reports whether the viewer may act as others without their tokens.
func (f frame) Switches() bool { return len(f.console.cfg.Demo) > 1 }

// sectionView is an entry of the navigation; Current is the value of aria-current.
type sectionView struct{ Path, Name, Current string }

// Sections are those whose areas are served. That of the page is marked.
func (f frame) Sections() (all []sectionView) {
	if !f.who.known() {
		return nil
	}
	here := strings.TrimPrefix(f.URL.Path, f.console.cfg.Path)
	for _, s := range sections {
		if s.area != "" && !f.console.areas[s.area] {
			continue
		}
		current := ""
		if here == s.path {
			current = "page"
		} else if s.path != "/" && strings.HasPrefix(here, s.path+"/") {
			current = "true"
		}
		all = append(all, sectionView{s.path, s.name, current})
	}
	return all
}

// Notice is the message about the last action.
func (f frame) Notice() string {
	if signed := f.Query("notice"); signed != "" && f.who.known() && f.Method != http.MethodPost {
		return f.console.notices.text(f.who.principal.ID, signed)
	}
	return ""
}

// Trail is the way from the section to the page.
func (f frame) Trail() []step { return f.trail }
