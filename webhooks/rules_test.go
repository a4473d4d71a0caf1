package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// as returns a context in which a service application calls.
func as(t testing.TB, id string, edit func(*twinplatform.Principal)) context.Context {
	p := twinplatform.Principal{
		ID: id, AccountID: accountID, Kind: twinplatform.Service, Scopes: []string{twinplatform.ScopeWebhooksModify},
	}
	if edit != nil {
		edit(&p)
	}
	return twinplatform.WithPrincipal(t.Context(), p)
}

func administrator(p *twinplatform.Principal) {
	p.AdministratorRoles = []twinplatform.AdministratorRole{"Account Administrator"}
}

// maintainers hold the permission at their twin.
type maintainers map[string]string

func (m maintainers) Allowed(_ context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return permission == webhooks.PermissionMaintainer && target.TwinID != "" && m[p.ID] == target.TwinID, nil
}

type directory map[string]string

func (d directory) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	account, ok := d[twinID]
	return account, ok, nil
}

func ruled() *webhooks.Service {
	return newService(memory.New(), webhooks.Config{
		Env:   twinplatform.Env{Authorizer: maintainers{"app": twinID, "other": "another twin"}},
		Twins: directory{twinID: accountID, "another twin": accountID, "foreign twin": "foreign account"},
	})
}

var wanted = webhooks.NewWebhook{
	CallbackURL: callback, Scope: webhooks.TwinScope, ScopeID: twinID, EventTypes: []webhooks.EventType{event.TypeTwinCreated},
}

// covers: Create webhook: rule a secret is generated when none is given
// covers: Create webhook
func TestNewWebhookIsInactiveAndShowsItsSecretOnce(t *testing.T) {
	t.Parallel()
	svc, ctx := ruled(), as(t, "app", nil)
	made, err := svc.CreateWebhook(ctx, wanted)
	if err != nil {
		t.Fatal(err)
	}
	secret := hush(made.Secret.Reveal(), "a generated secret")
	if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(secret) {
		t.Errorf("generated secret has the wrong form")
	}
	if made.Value().Active || made.Value().AccountID != accountID {
		t.Errorf("created %+v", made.Value())
	}
	rec, err := svc.Webhook(ctx, made.Value().ID)
	if err != nil {
		t.Fatal(err)
	}
	wire := `^{"active":false,"callbackUrl":"https://receiver.example.com/events","created":"[0-9T:-]{19}(\.\d{3})?Z","eventTypes":\["twins.twinCreated.v1"\],` +
		`"id":"[0-9a-f-]{36}","modified":"[0-9T:-]{19}(\.\d{3})?Z","scope":"Twin","scopeId":"` + twinID + `"}$`
	if !regexp.MustCompile(wire).Match(rec.JSON) {
		t.Errorf("wire form %s", rec.JSON)
	}
	page, err := svc.Webhooks(ctx, webhooks.WebhookQuery{})
	if err != nil || page.Len() != 1 || strings.Contains(string(page.JSON()[0]), secret) {
		t.Errorf("list: %v, %d records", err, page.Len())
	}
	for _, v := range []any{made, rec.Value, page, svc, wanted, webhooks.WebhookPatch{Secret: twinplatform.Set(made.Secret)}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if strings.Contains(fmt.Sprintf(format, v), secret) {
				t.Errorf("%s of a %T shows the secret", format, v)
			}
		}
	}
}

func TestChosenSecretIsKept(t *testing.T) {
	t.Parallel()
	chosen := hush(strings.Repeat("chosen secret ", 3), "a chosen secret")
	n := wanted
	n.Secret = webhooks.NewSecret(chosen)
	made, err := ruled().CreateWebhook(as(t, "app", nil), n)
	if err != nil || made.Secret.Reveal() != chosen {
		t.Errorf("got %v, %v", made, err)
	}
}

// covers: Create webhook: rule callbackUrl, scope, eventTypes are required
// covers: Create webhook: rule scopeId is required for a twin
// covers: Create webhook: limit secret: at least 32 characters
// covers: Permissions and errors of webhooks: error InvalidCreateWebhookRequest
// covers: Permissions and errors of webhooks: error InvalidRequestBody
func TestCreateRefusesWhatIsNotDocumented(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit    func(*webhooks.NewWebhook)
		targets []string
	}{
		"nothing given":            {func(n *webhooks.NewWebhook) { *n = webhooks.NewWebhook{} }, []string{"callbackUrl", "eventTypes", "scope"}},
		"unknown scope":            {func(n *webhooks.NewWebhook) { n.Scope = "Project" }, []string{"scope"}},
		"twin without id":          {func(n *webhooks.NewWebhook) { n.ScopeID = "" }, []string{"scopeId"}},
		"missing twin":             {func(n *webhooks.NewWebhook) { n.ScopeID = "no twin" }, []string{"scopeId"}},
		"twin of others":           {func(n *webhooks.NewWebhook) { n.ScopeID = "foreign twin" }, []string{"scopeId"}},
		"foreign account":          {func(n *webhooks.NewWebhook) { n.Scope, n.ScopeID = webhooks.AccountScope, "foreign account" }, []string{"scopeId"}},
		"no event types":           {func(n *webhooks.NewWebhook) { n.EventTypes = []webhooks.EventType{} }, []string{"eventTypes"}},
		"unknown event type":       {func(n *webhooks.NewWebhook) { n.EventTypes = []webhooks.EventType{"forms.formCreated.v1"} }, []string{"eventTypes"}},
		"test event type":          {func(n *webhooks.NewWebhook) { n.EventTypes = []webhooks.EventType{webhooks.TestSent} }, []string{"eventTypes"}},
		"secret of 31 characters":  {func(n *webhooks.NewWebhook) { n.Secret = webhooks.NewSecret(strings.Repeat("s", 31)) }, []string{"secret"}},
		"secret of 513 characters": {func(n *webhooks.NewWebhook) { n.Secret = webhooks.NewSecret(strings.Repeat("s", 513)) }, []string{"secret"}},
		"empty secret":             {func(n *webhooks.NewWebhook) { n.Secret = webhooks.NewSecret("") }, []string{"secret"}},
		"URL too long":             {func(n *webhooks.NewWebhook) { n.CallbackURL += strings.Repeat("x", 2000) }, []string{"callbackUrl"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := wanted
			c.edit(&n)
			_, err := ruled().CreateWebhook(as(t, "app", nil), n)
			for _, target := range c.targets {
				wantDetail(t, err, "InvalidCreateWebhookRequest", target)
			}
			e, _ := errors.AsType[*twinplatform.Error](err)
			if len(e.Details) != len(c.targets) {
				t.Errorf("details %+v", e.Details)
			}
		})
	}
}

// covers: Permissions and errors of webhooks
// covers: operations of webhooks
func TestOnlyMaintainingServiceApplicationsHaveWebhooks(t *testing.T) {
	t.Parallel()
	svc := ruled()
	made := create(t, as(t, "app", nil), svc, wanted)
	id := made.Value().ID
	calls := map[string]func(context.Context) error{
		"create": func(ctx context.Context) error { _, err := svc.CreateWebhook(ctx, wanted); return err },
		"list":   func(ctx context.Context) error { _, err := svc.Webhooks(ctx, webhooks.WebhookQuery{}); return err },
		"get":    func(ctx context.Context) error { _, err := svc.Webhook(ctx, id); return err },
		"update": func(ctx context.Context) error {
			_, err := svc.UpdateWebhook(ctx, id, webhooks.WebhookPatch{})
			return err
		},
		"test": func(ctx context.Context) error { _, err := svc.SendTest(ctx, id, webhooks.TestEvent{}); return err },
		"deliveries": func(ctx context.Context) error {
			_, err := svc.Deliveries(ctx, id, webhooks.DeliveryQuery{})
			return err
		},
		"status": func(ctx context.Context) error { _, err := svc.Status(ctx, id); return err },
		"replay": func(ctx context.Context) error {
			_, err := svc.Replay(ctx, id, webhooks.ReplayQuery{})
			return err
		},
	}
	callers := map[string]struct {
		ctx  context.Context
		want map[string]string // by call; "" is allowed, missing the value of "*"
	}{
		"maintainer":    {as(t, "app", nil), map[string]string{"*": ""}},
		"administrator": {as(t, "admin", administrator), map[string]string{"*": ""}},
		"administrator of another account": {as(t, "admin", func(p *twinplatform.Principal) {
			administrator(p)
			p.AccountID = "foreign account"
		}), map[string]string{"*": "WebhookNotFound", "create": "InvalidCreateWebhookRequest", "list": ""}},
		"maintainer of another twin": {as(t, "other", nil), map[string]string{"*": "WebhookNotFound", "create": "InvalidCreateWebhookRequest", "list": ""}},
		"user":                       {as(t, "app", func(p *twinplatform.Principal) { p.Kind = twinplatform.User }), map[string]string{"*": "WebhookNotFound", "create": "InsufficientPermissions", "list": ""}},
		"reader": {as(t, "app", func(p *twinplatform.Principal) { p.Scopes = []string{twinplatform.ScopeWebhooksRead} }), map[string]string{
			"*": "", "create": "InsufficientPermissions", "update": "InsufficientPermissions", "test": "InsufficientPermissions", "replay": "InsufficientPermissions",
		}},
		"platform scope alone": {as(t, "app", func(p *twinplatform.Principal) { p.Scopes = []string{twinplatform.ScopePlatform} }), map[string]string{"*": "InsufficientPermissions"}},
		"system":               {t.Context(), map[string]string{"*": ""}},
	}
	for who, c := range callers {
		for what, call := range calls {
			want, ok := c.want[what]
			if !ok {
				want = c.want["*"]
			}
			code := ""
			if err := call(c.ctx); err != nil {
				code = twinplatform.AsError(err).Code
				if what == "replay" && code == "InvalidWebhooksRequest" {
					code = "" // allowed, and answered that the window is empty
				}
			}
			if code != want {
				t.Errorf("%s, %s: got %q, want %q", who, what, code, want)
			}
		}
	}
}

// covers: operations webhooks.list
func TestListHoldsWhatTheCallerMadeOrAdministers(t *testing.T) {
	t.Parallel()
	svc := ruled()
	mine := create(t, as(t, "app", nil), svc, wanted).Value().ID
	theirs := create(t, as(t, "admin", administrator), svc, webhooks.NewWebhook{Scope: webhooks.AccountScope}).Value()
	if theirs.ScopeID != accountID {
		t.Errorf("the scope id of an account webhook is %q", theirs.ScopeID)
	}
	for _, c := range []struct {
		ctx  context.Context
		want []string
	}{
		{as(t, "app", nil), []string{mine}},
		{as(t, "admin", administrator), []string{mine, theirs.ID}},
		{as(t, "nobody", nil), nil},
		{t.Context(), []string{mine, theirs.ID}},
	} {
		page, err := svc.Webhooks(c.ctx, webhooks.WebhookQuery{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for w := range page.OnPage() {
			got = append(got, w.ID)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("list (-want +got):\n%s", diff)
		}
	}
}

// covers: Create webhook: state active: true begins to forward
// covers: Permissions and errors of webhooks: error WebhookNotFound
// covers: Permissions and errors of webhooks: error InvalidUpdateWebhookRequest
// covers: Webhook (W1)
// covers: W1 as requested
// covers: operations webhooks.update
func TestUpdateChangesWhatIsGivenAndKeepsTheSecret(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 463_789_000, time.UTC)
	in := &inbox{}
	svc := newService(memory.New(), webhooks.Config{
		Env: twinplatform.Env{Now: func() time.Time { return now }}, Transport: inMemory{in},
	})
	ctx := t.Context()
	made := create(t, ctx, svc, webhooks.NewWebhook{})
	in.secret = made.Secret.Reveal()
	now = now.Add(time.Hour)
	res, err := svc.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{
		Active: twinplatform.Set(true), EventTypes: twinplatform.Set([]webhooks.EventType{event.TypeTwinDeleted, event.TypeTwinDeleted}),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := made.Value()
	want.Active, want.EventTypes = true, []webhooks.EventType{event.TypeTwinDeleted}
	got := res.Value()
	if got.Created.String() != "2026-03-01T09:00:00.463Z" || got.Modified.String() != "2026-03-01T10:00:00.463Z" {
		t.Errorf("created %v, modified %v", got.Created, got.Modified)
	}
	if got.Active != want.Active || !slices.Equal(got.EventTypes, want.EventTypes) || got.CallbackURL != want.CallbackURL {
		t.Errorf("got %+v", got)
	}
	if _, err := svc.SendTest(ctx, got.ID, webhooks.TestEvent{}); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Deliver(ctx); err != nil || len(in.bad) > 0 || len(in.all()) != 1 {
		t.Errorf("after the update: %v, %v, %d requests", err, in.bad, len(in.all()))
	}

	stale := webhooks.WebhookPatch{Active: twinplatform.Set(false)}
	if _, err := svc.UpdateWebhook(ctx, got.ID, stale, twinplatform.IfMatch(made.Records[0].ETag)); twinplatform.AsError(err).Code != "VersionMismatch" {
		t.Errorf("a stale version: %v", err)
	}
	for target, p := range map[string]webhooks.WebhookPatch{
		"active":      {Active: twinplatform.Null[bool]()},
		"callbackUrl": {CallbackURL: twinplatform.Null[string]()},
		"eventTypes":  {EventTypes: twinplatform.Null[[]webhooks.EventType]()},
		"secret":      {Secret: twinplatform.Set(webhooks.NewSecret("short"))},
	} {
		_, err := svc.UpdateWebhook(ctx, got.ID, p)
		wantDetail(t, err, "InvalidUpdateWebhookRequest", target)
	}
	if _, err := svc.UpdateWebhook(ctx, "missing", webhooks.WebhookPatch{}); twinplatform.AsError(err).Code != "WebhookNotFound" {
		t.Errorf("a missing webhook: %v", err)
	}
}

func TestPublishTakesDocumentedEventsOnly(t *testing.T) {
	t.Parallel()
	svc := ruled()
	for _, c := range []struct {
		name, typ, content, target string
	}{
		{"undocumented type", "twins.twinMoved.v1", `{}`, "type"},
		{"content that is no object", "twins.twinDeleted.v1", `[]`, "content"},
		{"null content", "twins.twinDeleted.v1", `null`, "content"},
		{"broken content", "twins.twinDeleted.v1", `{`, "content"},
		{"missing member", "realityConversion.jobCompleted.v1", `{}`, "content.jobId"},
		{"member that is no text", "realityConversion.jobCompleted.v1", `{"jobId":1}`, "content.jobId"},
		{"member that is null", "realityConversion.jobCompleted.v1", `{"jobId":null}`, "content.jobId"},
		{"content too long", "twins.twinDeleted.v1", `{"x":"` + strings.Repeat("x", 64<<10) + `"}`, "content"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := svc.Publish(t.Context(), twinplatform.Event{Type: c.typ, TwinID: twinID, Content: []byte(c.content)})
			wantDetail(t, err, "InvalidEventRequest", c.target)
		})
	}
	_, err := svc.Publish(t.Context(), twinplatform.Event{Type: "twins.twinDeleted.v1"})
	wantDetail(t, err, "InvalidEventRequest", "twinId")
	_, err = svc.Publish(t.Context(), twinplatform.Event{Type: "twins.twinDeleted.v1", TwinID: "no twin"})
	wantDetail(t, err, "InvalidEventRequest", "twinId")
	for _, nothing := range []event.Content{nil, (*event.ModelCreated)(nil)} {
		_, err = svc.PublishContent(t.Context(), twinID, nothing)
		wantDetail(t, err, "InvalidEventRequest", "content")
	}
	e, err := svc.Publish(t.Context(), twinplatform.Event{Type: "twins.twinDeleted.v1", TwinID: twinID})
	if err != nil || e.ID == "" || e.AccountID != accountID || e.Time.IsZero() {
		t.Errorf("published %+v, %v", e, err)
	}
}

// covers: Events
func TestEveryDocumentedEventCanBePublished(t *testing.T) {
	t.Parallel()
	svc := ruled()
	for _, typ := range webhooks.EventTypes() {
		members, ok := webhooks.ContentMembers(typ)
		content := `{"more":1`
		for _, m := range members {
			content += `,"` + m + `":"x"`
		}
		if _, err := svc.Publish(t.Context(), twinplatform.Event{Type: string(typ), TwinID: twinID, Content: []byte(content + "}")}); err != nil || !ok {
			t.Errorf("%s: %v", typ, err)
		}
	}
}

// covers: Create webhook: value Account
// covers: Create webhook: value Twin
// covers: Events: rule account scope hears all of the account, twin scope the twin alone
func TestScopesReceiveWhatHappensWithinThem(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}})
	ctx := t.Context()
	names := make(map[string]string)
	listen := func(name string, n webhooks.NewWebhook) {
		hook, _ := subscribe(t, ctx, svc, n)
		names[hook.ID] = name
	}
	listen("account", webhooks.NewWebhook{Scope: webhooks.AccountScope, ScopeID: accountID})
	listen("other account", webhooks.NewWebhook{Scope: webhooks.AccountScope, ScopeID: "other account"})
	listen("twin", webhooks.NewWebhook{Scope: webhooks.TwinScope, ScopeID: "twin"})
	listen("parent", webhooks.NewWebhook{Scope: webhooks.TwinScope, ScopeID: "parent"})
	listen("other types", webhooks.NewWebhook{Scope: webhooks.AccountScope, ScopeID: accountID, EventTypes: []webhooks.EventType{event.TypeModelDeleted}})
	names[create(t, ctx, svc, webhooks.NewWebhook{Scope: webhooks.AccountScope, ScopeID: accountID}).Value().ID] = "inactive"

	for typ, want := range map[webhooks.EventType][]string{
		event.TypeTwinCreated:                 {"account", "parent", "twin"},
		event.TypeChangedElementsJobCompleted: {"account", "twin"},
	} {
		members, _ := webhooks.ContentMembers(typ)
		content := `{"parentId":"parent"`
		for _, m := range members {
			if m != "parentId" {
				content += `,"` + m + `":"x"`
			}
		}
		e, err := svc.Publish(ctx, twinplatform.Event{Type: string(typ), TwinID: "twin", AccountID: accountID, Content: []byte(content + "}")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := svc.Deliver(ctx); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range in.all() {
			if r.MessageID == e.ID {
				got = append(got, names[r.WebhookID])
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s was received by (-want +got):\n%s", typ, diff)
		}
	}
}

// TestWithoutADirectoryAWebhookReceivesOnlyItsOwnAccount makes webhooks of two accounts for
// twins that they call the same.
func TestWithoutADirectoryAWebhookReceivesOnlyItsOwnAccount(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}})
	ours, _ := subscribe(t, as(t, appID, administrator), svc, webhooks.NewWebhook{})
	subscribe(t, as(t, appID, func(p *twinplatform.Principal) { administrator(p); p.AccountID = "another account" }), svc, webhooks.NewWebhook{})
	publish(t, t.Context(), svc, "event")
	if _, err := svc.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	var received []string
	for _, r := range in.all() {
		received = append(received, r.WebhookID)
	}
	if diff := cmp.Diff([]string{ours.ID}, received); diff != "" {
		t.Errorf("received by (-want +got):\n%s", diff)
	}
}

// covers: Permissions and errors of webhooks: error WebhookNotFound
// covers: operations webhooks.delete
func TestDeletedWebhookIsGoneWithItsDeliveries(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}})
	ctx := t.Context()
	hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
	kept, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
	for i := range 20 {
		publish(t, ctx, svc, fmt.Sprint("event-", i))
	}
	if err := svc.DeleteWebhook(ctx, hook.ID); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := svc.Deliver(ctx); err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			publish(t, ctx, svc, fmt.Sprint("later-", i))
		}
	}
	for _, r := range in.all() {
		if r.WebhookID != kept.ID {
			t.Errorf("%s was delivered to a deleted webhook", r.MessageID)
		}
	}
	if len(in.all()) != 40 {
		t.Errorf("%d deliveries to the other webhook", len(in.all()))
	}
	if err := svc.DeleteWebhook(ctx, hook.ID); twinplatform.AsError(err).Code != "WebhookNotFound" {
		t.Errorf("deleting again: %v", err)
	}
	if _, err := svc.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{}); twinplatform.AsError(err).Code != "WebhookNotFound" {
		t.Errorf("deliveries of a deleted webhook: %v", err)
	}
}
