package platform_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// The people of every history: three of one account, none of whom administers it
// whatever one's token says, and the administrator of another account.
const people = 4

var closurePeople = [people]twinplatform.Principal{
	{ID: "ann", Email: "Ann@example.com", AccountID: account, Kind: twinplatform.User},
	{ID: "bob", Email: "bob@example.com", AccountID: account, Kind: twinplatform.Service},
	{ID: "cyd", Email: "cyd@Example.com", AccountID: account, Kind: twinplatform.User},
	{ID: "dan", Email: "dan@elsewhere.example", AccountID: elsewhere, Kind: twinplatform.Service, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}},
}

const (
	elsewhere = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
	maxTwins  = 12
)

func personName(actor int) string {
	if actor == people {
		return "the system"
	}
	return closurePeople[actor].ID
}

// closureWorld is what a history has made so far.
type closureWorld struct {
	closureServices
	ctx   context.Context
	known []twins.Twin // in the order in which they were made, deleted ones too

	forms, definitions, hooks []string
	formIn                    map[string]string // twins, by the ids of forms
	formOf                    map[string]string // definitions, by the ids of forms
	definedIn                 map[string]string // twins, by the ids of definitions
	modelIn                   map[string]string // twins, by the ids of models
	hears                     map[string]string // twins or accounts, by the ids of webhooks
	gone                      map[string]bool   // ids of what was deleted
	invited                   []invited
	consents                  map[consent]bool
	groups                    []closureGroup
	accepted                  invited // by the last step that accepted one
	now                       time.Time
	made                      int
}

// consent records that someone wants to be a member of a twin, or that the system answers
// for it.
type consent struct{ who, twin string }

// accountOf is the account of a twin.
func (w *closureWorld) accountOf(twinID string) string {
	i := slices.IndexFunc(w.known, func(t twins.Twin) bool { return t.ID == twinID })
	if i < 0 || w.known[i].Class == twins.Account {
		return twinID
	}
	return string(w.known[i].TwinAccountID)
}

// invited is an invitation.
type invited struct {
	twin, id, email string
	roles           []string
	by              int // the system where it is the number of people
	at              time.Time
}

func newClosureWorld(t *testing.T, store storage.Store) *closureWorld {
	t.Helper()
	guids := 0
	w := &closureWorld{
		ctx: t.Context(), formIn: make(map[string]string), formOf: make(map[string]string), definedIn: make(map[string]string),
		hears: make(map[string]string), gone: make(map[string]bool), consents: make(map[consent]bool), now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
	}
	w.closureServices = newClosureServices(t, store, twinplatform.Env{Now: func() time.Time { return w.now }, NewGUID: func() string {
		guids++
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", guids, guids)
	}})
	for _, n := range []struct {
		account string
		above   int
	}{{account: account}, {account: elsewhere}, {account: account}, {account: account, above: 2}, {account: account}, {account: account}, {account: elsewhere}} {
		twin := twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("T", len(w.known)), AccountID: n.account}
		if len(w.known) < 2 {
			twin.Class, twin.ID, twin.AccountID = twins.Account, n.account, ""
		} else if n.above > 0 {
			twin.ParentID = w.known[n.above].ID
		}
		res, err := w.twins.CreateTwin(w.ctx, twin)
		if err != nil {
			t.Fatal(err)
		}
		w.known = append(w.known, res.Value())
	}
	w.modelIn = w.makeModels(t)
	return w
}

func (w *closureWorld) caller(actor int) context.Context {
	if actor == people {
		return w.ctx
	}
	p := closurePeople[actor]
	p.Scopes = []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
	return twinplatform.WithPrincipal(w.ctx, p)
}

// mustBeRefusal fails the test when a step failed for another reason than that the
// platform refused it.
func (*closureWorld) mustBeRefusal(t *testing.T, s closureStep, err error) {
	t.Helper()
	if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Kind == twinplatform.Internal {
		t.Fatalf("%+v: %v", s, err)
	}
}

// name identifies twins, forms, definitions and webhooks in what a failure prints.
func (w *closureWorld) name(id string) string {
	for i, t := range w.known {
		if t.ID == id {
			return fmt.Sprint("T", i)
		}
	}
	for prefix, ids := range map[string][]string{"form": w.forms, "definition": w.definitions, "webhook": w.hooks} {
		if i := slices.Index(ids, id); i >= 0 {
			return fmt.Sprint(prefix, " ", i)
		}
	}
	return id
}
