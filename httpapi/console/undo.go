package console

import (
	"crypto/rand"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds of what can be undone: for how long, and of how many viewers the last change is kept.
const (
	undoTime = 5 * time.Minute
	maxUndos = 1000
)

var undoPages = table{{pattern: "POST /undo", act: undo}}

// planChange is a change of a record of a plan that was made on a page.
type planChange struct {
	schedule     string         // its path
	target       string         // of the change, in the API
	record       string         // the path of the record
	list, id     string         // where several are changed at once: the member with them, and the id of the record
	of           string         // the member of answers with the record
	is, was      map[string]any // the members that were changed
	moves        string         // a member that the rescheduling behind it changes; empty where there was none
	madeAt       time.Time
	page, called string
	token        string // names it in the form that undoes it
}

// undos are the last changes of viewers.
type undos struct {
	mu   sync.Mutex
	last map[viewer]planChange
}

// viewer is who looks at the console. The ids of callers of two accounts may be the same.
type viewer struct{ account, id string }

func (r *request) viewer() viewer { return viewer{r.who.principal.AccountID, r.who.principal.ID} }

// keep makes a change the one that its viewer can undo.
func (u *undos) keep(who viewer, c planChange) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.DeleteFunc(u.last, func(_ viewer, old planChange) bool { return c.madeAt.Sub(old.madeAt) > undoTime })
	if u.last == nil {
		u.last = make(map[viewer]planChange)
	}
	if _, again := u.last[who]; again || len(u.last) < maxUndos {
		u.last[who] = c
	}
}

// of is the change that a viewer can undo by now.
func (u *undos) of(who viewer, now time.Time) (c planChange, can bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c, can = u.last[who]
	return c, can && now.Sub(c.madeAt) <= undoTime
}

// forget takes a change from its viewer, unless there is another one by now.
func (u *undos) forget(who viewer, c planChange) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last[who].token == c.token {
		delete(u.last, who)
	}
}

// canUndo notes a change of a plan that was made, which the viewer may undo. before is the record as it was, and made
// is the answer to the change.
func (r *request) canUndo(c planChange, before object, made *answer) {
	if !strings.HasPrefix(c.record, "/schedules/") {
		return
	}
	segments := strings.SplitN(c.record, "/", 4)
	c.schedule, c.was = strings.Join(segments[:3], "/"), make(map[string]any)
	stored := c.storedIn(made)
	for name := range c.is {
		c.was[name] = before[name]
		if v, has := stored[name]; has {
			c.is[name] = v
		}
	}
	if c.moves != "" { // a task that nothing holds stays where it is planned
		c.was[c.moves] = before[c.moves]
	}
	c.madeAt, c.token = r.now(), rand.Text()
	r.console.undos.keep(r.viewer(), c)
}

// storedIn is the record as the API answers that it has stored it. It answers with the id alone while the change is
// under way.
func (c *planChange) storedIn(made *answer) object {
	var body object
	if decode(made.body, &body) != nil {
		return nil
	}
	for _, one := range body.objects(c.list) {
		if one.text("id") == c.id {
			return one
		}
	}
	return body.object(c.of)
}

// same reports whether two values of a member mean the same: of numbers and times that are written in two ways too.
func same(a, b any) bool {
	x, y := canonical(a), canonical(b)
	n, err := strconv.ParseFloat(x, 64)
	m, failed := strconv.ParseFloat(y, 64)
	if err == nil && failed == nil {
		return n == m
	}
	s, err := time.Parse(strconv.Quote(time.RFC3339Nano), x)
	t, failed := time.Parse(strconv.Quote(time.RFC3339Nano), y)
	return x == y || err == nil && failed == nil && s.Equal(t)
}

// now is the present by the clock of the server.
func (r *request) now() time.Time { return r.console.cfg.API.Env.WithDefaults().Now() }

// undoView is the button that undoes a change, which its token names.
type undoView struct{ Called, Token string }

// Undo is what the viewer changed last in the schedule of the page; nil where nothing can be undone.
func (f frame) Undo() *undoView {
	if !f.who.known() || !f.Writable() {
		return nil
	}
	c, can := f.console.undos.of(f.viewer(), f.now())
	here := strings.TrimPrefix(strings.TrimPrefix(f.URL.EscapedPath(), f.console.cfg.Path), "/browse")
	if !can || here != c.schedule && !strings.HasPrefix(here, c.schedule+"/") {
		return nil
	}
	return &undoView{c.called, c.token}
}

// undo sets the members that the viewer changed last to what they were, unless they are others by now.
func undo(r *request) (target, error) {
	who := r.viewer()
	c, can := r.console.undos.of(who, r.now())
	if !can {
		return target{}, &problem{
			http.StatusConflict, "There is nothing to undo", "A change of a plan can be undone for five minutes.",
		}
	}
	if c.token != r.PostForm.Get("change") {
		return target{}, &problem{
			http.StatusConflict, "It was not undone",
			"You have changed something else since that page was shown: the " + c.called + ". Open the plan again.",
		}
	}
	var body object
	a, err := r.get(c.record, &body)
	if err != nil {
		return target{}, err
	}
	for name, is := range c.is {
		if !same(body.object(c.of)[name], is) {
			r.console.undos.forget(who, c)
			return target{}, &problem{
				http.StatusConflict, "It was not undone",
				"Someone has changed it since: " + words(name) + " is another one.",
			}
		}
	}
	change := any(c.was)
	if c.list != "" {
		one := maps.Clone(c.was)
		one["id"] = c.id
		change = map[string]any{c.list: []any{one}}
	}
	if _, err := r.patch(c.target, change, header{"If-Match", a.header.Get("ETag")}); err != nil {
		return target{}, err
	}
	r.console.undos.forget(who, c)
	back := to(c.page).withNotice("The change was undone.")
	if c.moves == "" {
		return back, nil
	}
	if a, err = r.create(c.schedule+"/tasks/reschedule", map[string]any{"taskIds": []string{}}); err != nil {
		return target{}, err
	}
	r.SetPathValue("schedule", lastOf(c.schedule))
	return r.started(
		a, "The change was undone. The plan is being updated.", c.page, "The change was undone. Other tasks are where "+
			"their links and calendars put them, which need not be where they were before the move.",
	)
}
