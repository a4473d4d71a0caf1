package platform_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// outliving is a store that outlives the set that it is part of.
type outliving struct{ storage.Store }

func (outliving) Close() error { return nil }

// divided are a store over two shards and a spare one, and callers of two accounts with a shard
// each.
func divided(ctx context.Context, t *testing.T) (s *shards.Store, stores []storage.Store, callers []context.Context) {
	t.Helper()
	stores = []storage.Store{outliving{memory.New()}, outliving{memory.New()}, outliving{memory.New()}}
	s, err := shards.Open(ctx, shards.Options{Settle: -1, Known: platform.HasAccount, Spares: stores[2:]}, stores[0], stores[1])
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"ann", "bob"} {
		p := twinplatform.Principal{
			ID: name, AccountID: twinplatform.NewGUID(), Kind: twinplatform.Service, Email: name + "@example.com",
			AdministratorRoles: []string{"Account Administrator"},
			Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
		}
		if err := s.Assign(ctx, p.AccountID, s.Shards()[i]); err != nil {
			t.Fatal(err)
		}
		callers = append(callers, twinplatform.WithPrincipal(ctx, p))
	}
	return s, stores, callers
}

// All that every area does for two accounts is done in the shard of each, and works as in one
// store, also after a shard was moved.
func TestEveryAreaWorksWhereTheStoreIsDivided(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, stores, callers := divided(t.Context(), t)
		var lives []*life
		for _, ctx := range callers {
			lives = append(lives, beginLife(ctx, t, store))
		}
		for day := range 2 {
			for i, ctx := range callers {
				lives[i].change(ctx, false)
				lives[i].day++
			}
			if day == 0 {
				move(t, store, store.Shards()[1])
			}
		}
		for i, ctx := range callers {
			lives[i].must(lives[i].p.Twins.Twin(ctx, lives[i].twin))
			if _, err := lives[i].p.Twins.Twin(ctx, lives[1-i].twin); err == nil {
				t.Error("an account finds what is in another shard")
			}
		}
		for i, l := range lives {
			var in []int
			for j, s := range stores[:2] {
				if n := naming(t, s, l.twin); n > 0 {
					in = append(in, j)
				}
			}
			if len(in) > 1 {
				t.Errorf("account %d has records in the stores %v", i, in)
			}
		}
		all, err := lives[0].p.Export(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lives {
			if !slices.ContainsFunc(all.Twins, func(tw platform.Twin) bool { return tw.ID == l.twin }) {
				t.Errorf("the export of all accounts has no twin %s", l.twin)
			}
		}
	})
}

// move moves a shard to a place that has none.
func move(t *testing.T, s *shards.Store, shard string) {
	t.Helper()
	all, err := s.Places(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(p shards.Place) bool { return p.State == shards.Spare })
	if err := s.Move(t.Context(), shard, all[at].Name); err != nil {
		t.Fatal(err)
	}
}

// naming counts the records of a store with a name in their keys, unless its shard was moved away.
func naming(t *testing.T, s storage.Store, name string) (n int) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		if self, err := r.Get("\x00shards/place"); err != nil || strings.Contains(string(self), string(shards.Gone)) {
			return err
		}
		for key := range r.Scan("", "") {
			if strings.Contains(key, name) {
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

// Run works off what is accepted in every shard, and delivers its events.
func TestRunWorksInEveryShard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, _, callers := divided(t.Context(), t)
		receiver := &answers{}
		p := over(t, store, platform.Config{Env: twinplatform.Env{Background: true}, Webhooks: webhooks.Config{Transport: receiver}})
		if err := p.ClaimFormat(t.Context(), "test"); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- p.Run(ctx) }()
		for _, ctx := range callers {
			tower := made[twinplatform.Result[twins.Twin]](t)(p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})).Value().ID
			res, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: tower})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := res.Wait(ctx); err != nil {
				t.Fatal(err)
			}
			old := newTwin(ctx, t, p)
			hook := made[webhooks.WebhookResult](t)(p.Webhooks.CreateWebhook(ctx, webhooks.NewWebhook{
				CallbackURL: "https://receiver.example.com/", Scope: webhooks.TwinScope, ScopeID: old,
				EventTypes: []webhooks.EventType{event.TypeTwinDeleted},
			}))
			if _, err := p.Webhooks.UpdateWebhook(ctx, hook.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
				t.Fatal(err)
			}
			if err := p.Twins.DeleteTwin(ctx, old); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute) // of the bubble
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v", err)
		}
		if got := p.Attempts()[webhooks.Accepted]; got != int64(len(callers)) || receiver.n.Load() != got {
			t.Errorf("%d events were accepted of %d that came in; want one of each account", got, receiver.n.Load())
		}
	})
}

func TestWorldsAreNotSeededWhereTheStoreIsDivided(t *testing.T) {
	t.Parallel()
	store, _, callers := divided(t.Context(), t)
	p := over(t, store, platform.Config{})
	if err := p.Seed(t.Context(), new(platform.World), platform.SeedOptions{}); !errors.Is(err, platform.ErrDivided) {
		t.Errorf("Seed = %v", err)
	}
	who, _ := twinplatform.PrincipalFrom(callers[1])
	err := p.Grant(t.Context(), platform.Callers{{
		Principal: who, Grants: []platform.Grant{{TwinID: who.AccountID, Permissions: []string{"schedules_read"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	twin, err := p.Twins.PrimaryAccount(callers[1])
	if err != nil || twin.Value.ID != who.AccountID {
		t.Errorf("the twin of the account is %q, %v", twin.Value.ID, err)
	}
}

// What a client knows of an account is good after its shard was moved.
func TestDeltasAndETagsHoldWhenAShardMoves(t *testing.T) {
	t.Parallel()
	store, _, callers := divided(t.Context(), t)
	p, ctx := over(t, store, platform.Config{}), callers[1]
	res := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: newTwin(ctx, t, p)}))
	plan := p.Schedules.In(res.Value().ID)
	task := func(id string) {
		t.Helper()
		if _, err := plan.CreateTask(ctx, schedules.NewTask{ID: id, Name: "Pour " + id, Type: schedules.Work}); err != nil {
			t.Fatal(err)
		}
	}
	list := func(o twinplatform.ListOptions) twinplatform.Page[schedules.Task] {
		t.Helper()
		return made[twinplatform.Page[schedules.Task]](t)(plan.Tasks(ctx, schedules.TaskQuery{ListOptions: o}))
	}
	task("slab")
	before := list(twinplatform.ListOptions{})
	move(t, store, store.Shards()[1])
	if !list(twinplatform.ListOptions{IfNoneMatch: before.ETag}).NotModified {
		t.Error("the ETag from before the move is not good")
	}
	task("wall")
	if changes := list(twinplatform.ListOptions{Delta: before.Delta}); changes.Len() != 1 {
		t.Errorf("there are %d changes since before the move, want 1", changes.Len())
	}
}

// Accounts that a store has before it is divided stay in it, those of people alone included.
func TestAccountsFromBeforeTheStoreWasDividedStay(t *testing.T) {
	t.Parallel()
	home := outliving{memory.New()}
	alone := over(t, home, platform.Config{})
	account := func(name string) (twinplatform.Principal, context.Context) {
		p := twinplatform.Principal{
			ID: name, AccountID: twinplatform.NewGUID(), Kind: twinplatform.User, Email: name + "@example.com",
			AdministratorRoles: []string{twinplatform.AccountAdministrator}, Scopes: []string{twinplatform.ScopePlatform},
		}
		return p, twinplatform.WithPrincipal(t.Context(), p)
	}
	ann, asAnn := account("ann")
	tower := newTwin(asAnn, t, alone)
	person, _ := account("bob")
	if err := alone.Twins.Know(t.Context(), person); err != nil {
		t.Fatal(err)
	}
	elsewhere := func(_ string, names []string) string { return names[len(names)-1-slices.Index(names, "home")] }
	o := shards.Options{Settle: -1, Known: platform.HasAccount, Choose: elsewhere}
	store, err := shards.Open(t.Context(), o, home, memory.New())
	if err != nil {
		t.Fatal(err)
	}
	p := over(t, store, platform.Config{})
	if _, err := p.Twins.Twin(asAnn, tower); err != nil {
		t.Errorf("the twin of before: %v", err)
	}
	stranger, asStranger := account("eve")
	for who, ctx := range map[*twinplatform.Principal]context.Context{&ann: asAnn, &person: twinplatform.WithPrincipal(t.Context(), person), &stranger: asStranger} {
		newTwin(ctx, t, p)
		shard, err := store.ShardOf(ctx, who.AccountID)
		if err != nil || (shard == "home") != (who != &stranger) {
			t.Errorf("the account of %s is in the shard %q, %v", who.ID, shard, err)
		}
	}
}
