package recording

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// rights are what answers show of what a caller may do. Of each permission at a twin the first
// answer that shows it counts: later ones may follow from what the session changed.
type rights struct {
	known   bool                       // some answer was not 401
	limited bool                       // something was refused, or not shown, that others see
	at      map[string]map[string]bool // permissions by twin: held or not
}

func newRights() *rights { return &rights{at: make(map[string]map[string]bool)} }

func (r *rights) learn(twin, permission string, held bool) {
	if r.at[twin] == nil {
		r.at[twin] = make(map[string]bool)
	}
	if _, known := r.at[twin][permission]; !known {
		r.at[twin][permission] = held
	}
}

// grants are what the caller holds, by twin.
func (r *rights) grants() (all []platform.Grant) {
	for _, twin := range slices.Sorted(maps.Keys(r.at)) {
		var held []string
		for _, permission := range slices.Sorted(maps.Keys(r.at[twin])) {
			if r.at[twin][permission] {
				held = append(held, permission)
			}
		}
		if len(held) > 0 {
			all = append(all, platform.Grant{TwinID: twin, Permissions: held})
		}
	}
	return all
}

var permissionName = regexp.MustCompile(`\b(?:[a-z]+_[a-z]+|Forms_[A-Za-z]+)\b`)

// needs are the permissions that an operation asks for, as far as its documentation names them.
func needs(x *exchanged) (permissions []string) {
	for _, word := range permissionName.FindAllString(x.operation.Permission, -1) {
		if slices.Contains(twins.Permissions(), word) {
			permissions = append(permissions, word)
		}
	}
	return permissions
}

// witness makes the rights of callers from a session.
type witness struct {
	schedules map[string]string          // twins by schedule
	seen      map[string]map[string]bool // addresses that were answered to some caller, by caller
	listed    map[string]map[string]bool // twins that a caller's unfiltered list has
	rights    map[string]*rights         // by caller
}

// rightsOf derives from recorded answers what each caller may do, by the credentials.
func rightsOf(all []*exchanged) map[string]*rights {
	w := &witness{
		schedules: make(map[string]string), seen: make(map[string]map[string]bool),
		listed: make(map[string]map[string]bool), rights: make(map[string]*rights),
	}
	for _, x := range all {
		w.place(x)
	}
	for _, x := range all {
		w.add(x)
	}
	every := make(map[string]bool)
	for _, shown := range w.listed {
		maps.Copy(every, shown)
	}
	for caller, shown := range w.listed {
		r := w.rights[caller]
		r.limited = r.limited || len(shown) < len(every)
		for twin := range shown {
			r.learn(twin, twins.PermissionRead, true) // who is a member of it sees it
		}
	}
	return w.rights
}

// place notes where schedules are, and who was shown which address.
func (w *witness) place(x *exchanged) {
	if x.method != http.MethodGet || x.status >= 300 {
		return
	}
	for _, list := range []string{"schedules", "schedule"} {
		for _, s := range records(x.answer, list) {
			id, _ := s["id"].(string)
			if twin, _ := s["twinId"].(string); id != "" && twin != "" &&
				strings.HasPrefix(x.operation.ID, "schedules.") {
				w.schedules[id] = twin
			}
		}
	}
	at := path(x)
	if w.seen[at] == nil {
		w.seen[at] = make(map[string]bool)
	}
	w.seen[at][x.caller] = true
}

func path(x *exchanged) string {
	at, _, _ := strings.Cut(x.target, "?")
	return at
}

// list notes the twins of a caller's first list of all that it sees.
func (w *witness) list(x *exchanged) {
	if x.operation.ID != "twins.list" || x.status != http.StatusOK || strings.Contains(x.target, "?") ||
		w.listed[x.caller] != nil {
		return
	}
	shown := make(map[string]bool)
	for _, twin := range records(x.answer, "twins") {
		if id, _ := twin["id"].(string); id != "" {
			shown[id] = true
		}
	}
	w.listed[x.caller] = shown
}

// add takes from an answer what it shows.
func (w *witness) add(x *exchanged) {
	r := w.rights[x.caller]
	if r == nil {
		r = newRights()
		w.rights[x.caller] = r
	}
	r.known = r.known || x.status != http.StatusUnauthorized
	w.list(x)
	held, shows := x.status < 300, x.status < 300 || x.status == http.StatusForbidden
	if x.status == http.StatusNotFound && x.method == http.MethodGet && len(w.seen[path(x)]) > 0 &&
		!w.seen[path(x)][x.caller] {
		shows = true // it is there, and not shown to this caller
	}
	if !x.known || !shows || strings.Contains(x.operation.Permission, "for service applications") {
		return // webhooks are refused to people, whatever they may do
	}
	r.limited = r.limited || !held
	twin := w.twinOf(x)
	if twin == "" {
		return
	}
	for _, permission := range needs(x) {
		r.learn(twin, permission, held)
	}
}

// twinOf is the twin of a request, as far as it is known.
func (w *witness) twinOf(x *exchanged) string {
	names := inPath(x.operation.Path, x.target)
	sent, _ := x.sent.(object)
	in := func(name string) string { s, _ := sent[name].(string); return s }
	_, query, _ := strings.Cut(x.target, "?")
	asked := ""
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); name == "twinId" || name == "projectId" {
			asked = player.Unescaped(value)
		}
	}
	return cmp.Or(names["twinId"], w.schedules[names["scheduleId"]], asked, in("twinId"), in("projectId"))
}
