package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// ground is what a world is built on.
type ground struct {
	store   storage.Store
	members *membership // nil: what callers may do is not read from the store
	rewound *func()     // makes ids begin again; nil: no one asks
	gate    twinplatform.OperationGate

	planted  *planted // nil: the world is to be seeded
	planting *planted // what is known of the seed; nil: it is of this world alone
}

// rewind reports how ids begin again once the world is seeded.
func (g ground) rewind(ids func()) {
	ids()
	if g.rewound != nil {
		*g.rewound = ids
	}
}

// rights are those that callers hold in a world.
func (g ground) rights(a twinplatform.Authorizer) twinplatform.Authorizer {
	if g.members == nil {
		return a
	}
	return asked{a, nil, g.members}
}

// twins are those that there are in a world.
func (g ground) twins(d twinplatform.TwinDirectory) twinplatform.TwinDirectory {
	if g.members == nil {
		return d
	}
	return asked{nil, d, g.members}
}

// membership is a twin in the store of a world of which every caller is a member.
type membership struct {
	*twinsapi.Service

	twin string
}

// asked reads what a member's permissions are read from, and answers as those of the
// world do.
type asked struct {
	twinplatform.Authorizer
	twinplatform.TwinDirectory
	members *membership
}

// Transactional implements twinplatform.Transactional.
func (asked) Transactional() {}

// Allowed implements twinplatform.Authorizer.
func (a asked) Allowed(ctx context.Context, who twinplatform.Principal, permission string, at twinplatform.Target) (bool, error) {
	if at.TwinID != "" {
		if _, err := a.members.Allowed(ctx, who, permission, twinplatform.Target{TwinID: a.members.twin, AccountID: at.AccountID}); err != nil {
			return false, err
		}
	}
	return a.Authorizer.Allowed(ctx, who, permission, at)
}

// Expect declares what a member's permissions are read from.
func (a asked) Expect(ctx context.Context, who twinplatform.Principal, at twinplatform.Target) {
	a.members.Expect(ctx, who, twinplatform.Target{TwinID: a.members.twin, AccountID: at.AccountID})
}

// TwinAccount implements twinplatform.TwinDirectory.
func (a asked) TwinAccount(ctx context.Context, id string) (string, bool, error) {
	if _, _, err := a.members.TwinAccount(ctx, a.members.twin); err != nil {
		return "", false, err
	}
	return a.TwinDirectory.TwinAccount(ctx, id)
}

// shelf is a store that another takes the place of between two requests.
type shelf struct{ storage.Store }

// History implements storage.Historian.
func (s *shelf) History(r storage.Reader) (string, error) { return storage.History(s.Store, r) }

// farWorld is a world that is seeded next to its store, from which that moves far away.
type farWorld struct {
	*httpapi.Handler

	shelf  *shelf
	seeded storage.Store
	far    *distant.Store
	rewind func()
}

func newFarWorld(t testing.TB, on func(testing.TB, ground) *httpapi.Handler) *farWorld {
	t.Helper()
	seeded := memory.New()
	w := &farWorld{shelf: &shelf{seeded}, seeded: seeded}
	made := 0
	members := &membership{Service: twinsapi.New(w.shelf, twinsapi.Config{Env: twinplatform.Env{Now: moment.UTC, NewGUID: func() string {
		made++
		return fmt.Sprintf("88888888-8888-4888-8888-%012d", made)
	}}})}
	twin, err := members.CreateTwin(t.Context(), twinsapi.NewTwin{Class: twinsapi.Endeavor, DisplayName: "Of the members"})
	must[twinsapi.Twin](t)(twin, err)
	members.twin = twin.Value().ID
	role, err := members.CreateRole(t.Context(), members.twin, twinsapi.NewRole{DisplayName: "Member", Permissions: []string{twinsapi.PermissionRead}})
	must[twinsapi.Role](t)(role, err)
	for _, id := range []string{"writer", "reader", "person", "guest", "keeper", ownerGUID, readerGUID} {
		must[twinsapi.Member](t)(members.CreateMember(t.Context(), members.twin, twinsapi.NewMember{ID: id, RoleIDs: []string{role.Value().ID}}))
	}
	w.Handler = on(t, ground{store: w.shelf, members: members, rewound: &w.rewind})
	return w
}

// again makes the store what it was when the world was seeded.
func (w *farWorld) again(t testing.TB) {
	t.Helper()
	fork, err := memory.Fork(w.seeded)
	if err != nil {
		t.Fatal(err)
	}
	w.far = distant.Over(fork)
	w.shelf.Store = w.far
	w.rewind()
}

// journeys counts how many of them requests of each operation take, at most, in a
// conversation that goes well.
func (w *farWorld) journeys(t testing.TB, requests []string) map[string]int {
	t.Helper()
	w.again(t)
	most := make(map[string]int)
	var c conversation
	for _, request := range requests {
		_, method, target := requestLine(request)
		w.far.Journeys()
		answer := c.send(t, w, request)
		took := w.far.Journeys()
		c.shown(t, answer)
		if o, ok := w.OperationOf(httptest.NewRequest(method, target, http.NoBody)); ok && answer.Code < 300 {
			most[o.ID] = max(most[o.ID], took)
		}
	}
	return most
}

// more are requests to operations that have no conversation, made behind another one.
var more = map[string][]string{
	"exports.get":           {"GET /twin-exports/00000000-0000-4000-8000-000000001002.json.gz\n"},
	"formAttachments.list":  {"as owner\nGET /forms/crack/attachments/photo\n"},
	"issueAttachments.list": {"as owner\nGET /issues/crack/attachments/photo\n"},
	"tasks.list":            {"GET /schedules/plan/tasks.xlsx\n", "GET /schedules/plan/gantt.pdf\n"},
	"animationStates.list":  {"GET /schedules/plan/animation.glb?modelId=site\n"},
	"savedViewImages.get":   {"GET /saved-view-images/00000000-0000-4000-8000-000000000008.png\n"},
	"twinImages.set":        {"GET /twin-images/00000000-0000-4000-8000-000000001001-large.png\n", "GET /openapi.json\n"},
}

const journeysHead = `# Journeys of each operation
#
# How many round trips to a store over a network one request takes: the first of its kind in
# a process, and those behind it. What an operation reads is declared by its types of records
# and by itself; a process remembers where a schedule and a grant were found. The permissions
# of a member are read with them. It is the most of all requests of the operation's recorded
# conversation, some of which are about many records. Made by go test ./httpapi -update.
#
# operation                          first  then
`

// farWorlds are the worlds of the conversations, by their folders.
var farWorlds = map[string]func(testing.TB, ground) *httpapi.Handler{
	"schedules":       func(t testing.TB, on ground) *httpapi.Handler { return newWorldOn(t, on).handler },
	"forms":           formsWorldOn,
	"twins":           newTwinsWorldOn,
	"realitydata":     newDataWorldOn,
	"detectors":       newDataWorldOn,
	"transformations": newDataWorldOn,
	"webhooks":        func(t testing.TB, on ground) *httpapi.Handler { return newWebhooksWorldOn(t, on) },
}

// Each operation is held to the number that it had: it grows for no one unseen.
func TestJourneysOfEachOperation(t *testing.T) {
	var mu sync.Mutex
	numbers := make(map[string][2]int)
	all := everyScenario(t)
	t.Run("conversations", func(t *testing.T) {
		for name, s := range all {
			if !inSample(name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newFarWorld(t, farWorlds[s.folder()])
				requests := more[name]
				for _, st := range slices.Backward(s.steps) {
					requests = append([]string{st.request}, requests...)
				}
				first, then := w.journeys(t, requests), w.journeys(t, requests)
				mu.Lock()
				defer mu.Unlock()
				for id := range first {
					if _, own := all[id]; id == name || !own {
						numbers[id] = [2]int{max(numbers[id][0], first[id]), max(numbers[id][1], then[id])}
					}
				}
			})
		}
	})
	if testing.Short() { // whose operations are in other conversations too
		sampledJourneys(t, all, numbers)
		return
	}
	var b strings.Builder
	b.WriteString(journeysHead)
	for _, o := range httpapi.Operations() {
		n, ok := numbers[o.ID]
		if !ok {
			t.Errorf("no request to %s goes well over a network", o.ID)
		}
		b.WriteString(journeysLine(o.ID, n))
	}
	sameFile(t, "testdata/journeys.txt", b.String())
}

func journeysLine(id string, n [2]int) string { return fmt.Sprintf("%-36s %5d %5d\n", id, n[0], n[1]) }

// sampledJourneys holds the operations whose conversations are in the sample to their lines.
func sampledJourneys(t *testing.T, all map[string]*scenario, numbers map[string][2]int) {
	t.Helper()
	listed, err := os.ReadFile("testdata/journeys.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if line := journeysLine(name, numbers[name]); inSample(name) && !strings.Contains(string(listed), "\n"+line) {
			t.Errorf("testdata/journeys.txt has no line %q", line)
		}
	}
}
