package platform_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

const account = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"

// opened is a platform over memory that is closed with the test.
func opened(t *testing.T, cfg platform.Config) *platform.Platform {
	t.Helper()
	return over(t, memory.New(), cfg)
}

func over(t *testing.T, store storage.Store, cfg platform.Config) *platform.Platform {
	t.Helper()
	p, err := platform.New(store, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func as(t *testing.T, id string, roles ...twinplatform.AdministratorRole) context.Context {
	t.Helper()
	return twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
		ID: id, AccountID: account, Kind: twinplatform.User, AdministratorRoles: roles,
		Scopes: []string{twinplatform.ScopePlatform},
	})
}

// made fails the test when something was not made.
func made[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func newTwin(ctx context.Context, t *testing.T, p *platform.Platform) string {
	t.Helper()
	return made[twinplatform.Result[twins.Twin]](t)(p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower " + twinplatform.NewGUID()})).Value().ID
}

// content makes one record in each area that holds content of twins.
var content = map[string]func(context.Context, *platform.Platform, string) error{
	"schedules": func(ctx context.Context, p *platform.Platform, twin string) error {
		_, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: twin})
		return err
	},
	"form definitions": func(ctx context.Context, p *platform.Platform, twin string) error {
		_, err := p.Forms.CreateFormDefinition(ctx, forms.NewFormDefinition{DisplayName: "Diary", Type: "Diary", TwinID: twin})
		return err
	},
	"reality data": func(ctx context.Context, p *platform.Platform, twin string) error {
		_, err := p.RealityData.CreateRealityData(ctx, realitydata.NewRealityData{DisplayName: "Scan", Type: "LAS", TwinID: twin})
		return err
	},
	"models": func(ctx context.Context, p *platform.Platform, twin string) error {
		_, err := p.Transform.Models().CreateModel(ctx, models.NewModel{DisplayName: "Design", TwinID: twin})
		return err
	},
}

func TestEveryAreaKnowsTheTwinsAndWhoMayWhat(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{})
	admin, stranger := as(t, "ada", "Account Administrator"), as(t, "eve")
	twin := newTwin(admin, t, p)
	for what, create := range content {
		if err := create(admin, p, twin); err != nil {
			t.Errorf("%s of an administrator's twin: %v", what, err)
		}
		if err := create(stranger, p, twin); err == nil {
			t.Errorf("a stranger makes %s", what)
		}
		if err := create(t.Context(), p, twinplatform.NewGUID()); err == nil {
			t.Errorf("%s are made for a twin that is not there", what)
		}
	}
}

func TestTwinIsNotDeletedUnderWhatAnAreaHolds(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{})
	for what, create := range content {
		twin := newTwin(as(t, "ada", "Account Administrator"), t, p)
		if err := create(t.Context(), p, twin); err != nil {
			t.Fatal(err)
		}
		err := p.Twins.DeleteTwin(t.Context(), twin)
		e, ok := errors.AsType[*twinplatform.Error](err)
		if !ok || e.Kind != twinplatform.Conflict || len(e.Details) != 1 || e.Details[0].Target != what {
			t.Errorf("deleting a twin with %s: %v", what, err)
		}
	}
}

func TestAuthorizerOfTheProgramDecidesInEveryArea(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{Env: twinplatform.Env{Authorizer: noOne{}}})
	twin := newTwin(as(t, "ada", "Account Administrator"), t, p)
	for what, create := range content {
		if err := create(as(t, "bob"), p, twin); err == nil {
			t.Errorf("%s are made although the authorizer refuses", what)
		}
	}
}

type noOne struct{}

func (noOne) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return false, nil
}

// Whatever an area's configuration has that wires areas together is refused, also when
// such a member is added to it.
func TestTiesOfAnAreaAreRefused(t *testing.T) {
	t.Parallel()
	found := 0
	for area := range reflect.TypeFor[platform.Config]().Fields() {
		if area.Name == "Env" {
			continue
		}
		for member := range area.Type.Fields() {
			var cfg platform.Config
			at := reflect.ValueOf(&cfg).Elem().FieldByIndex(area.Index).FieldByIndex(member.Index)
			switch {
			case member.Type == reflect.TypeFor[twinplatform.Env]():
				at.Set(reflect.ValueOf(twinplatform.Env{Background: true}))
			case member.Type.Kind() == reflect.Interface && strings.Contains(member.Type.Name(), "TwinDirectory"):
				at.Set(reflect.ValueOf(twins.New(memory.New(), twins.Config{})))
			case member.Type == reflect.TypeFor[[]twinplatform.TwinHolder]():
				at.Set(reflect.ValueOf([]twinplatform.TwinHolder{nil}))
			default:
				continue
			}
			found++
			name := area.Name + "." + member.Name
			if _, err := platform.New(memory.New(), cfg); err == nil || !strings.Contains(err.Error(), "Config."+name) {
				t.Errorf("Config.%s: %v, want it refused", name, err)
			}
		}
	}
	if found != 12 {
		t.Errorf("%d wires were found, want 12", found)
	}
}

func TestEventsWithoutWebhooksDoNotPileUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		var announced atomic.Int32
		p := over(t, store, platform.Config{Env: twinplatform.Env{OnEvents: func() { announced.Add(1) }}})
		// Events are recorded from the first webhook on, whatever it listens to.
		made[webhooks.WebhookResult](t)(p.Webhooks.CreateWebhook(t.Context(), webhooks.NewWebhook{
			CallbackURL: "https://receiver.example.com/", Scope: webhooks.AccountScope, ScopeID: "another",
			EventTypes: []webhooks.EventType{event.TypeTwinDeleted},
		}))
		for i := range 5 {
			made[twinplatform.Result[twins.Twin]](t)(p.Twins.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Thing, DisplayName: fmt.Sprint("Pump ", i)}))
		}
		if n := waiting(t, store); n != 5 || announced.Load() != 5 {
			t.Fatalf("%d events wait and %d were announced, want 5", n, announced.Load())
		}
		done := make(chan error, 1)
		go func() { done <- p.Run(t.Context()) }()
		time.Sleep(2 * time.Second) // of the bubble
		if n := waiting(t, store); n != 0 {
			t.Errorf("%d events stay although no webhook receives them", n)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// waiting counts the events that are kept.
func waiting(t *testing.T, store storage.Store) (n int) {
	t.Helper()
	err := store.View(t.Context(), func(r storage.Reader) error {
		for _, value := range r.Scan("", "") {
			if bytes.Contains(value, []byte(event.TypeTwinCreated)) {
				n++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRunWorksOffWhatCallsLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := opened(t, platform.Config{Env: twinplatform.Env{Background: true}})
		twin := newTwin(t.Context(), t, p)
		plan := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(t.Context(), schedules.NewSchedule{Name: "Plan", TwinID: twin})).Value().ID
		op := made[twinplatform.Result[schedules.Task]](t)(p.Schedules.CreateTask(t.Context(), plan, schedules.NewTask{Name: "Dig", Type: schedules.Work}))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- p.Run(ctx) }()
		after, err := p.Schedules.In(plan).Wait(t.Context(), op.ID)
		if err != nil || after.Status != twinplatform.OperationSucceeded {
			t.Errorf("the operation is %s (%v), want it done", after.Status, err)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestClosedPlatformDoesNotRun(t *testing.T) {
	t.Parallel()
	store, files := memory.New(), new(closable)
	p, err := platform.New(store, platform.Config{RealityData: realitydata.Config{Containers: files}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Run(t.Context()); !errors.Is(err, platform.ErrClosed) {
		t.Errorf("Run: %v, want ErrClosed", err)
	}
	if err := store.View(t.Context(), func(storage.Reader) error { return nil }); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("the store: %v, want it closed", err)
	}
	if files.closed != 1 {
		t.Errorf("the containers were closed %d times, want once", files.closed)
	}
}

type closable struct {
	realitydata.Containers
	closed int
}

func (c *closable) Close() error {
	c.closed++
	return nil
}
