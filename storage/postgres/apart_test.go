package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// desk is where one writes: a caller with an account, a twin in it, and a schedule or a form definition of that.
type desk struct {
	ctx                          context.Context
	p                            *platform.Platform
	twinID, schedule, definition string
}

// writes make record i of an area.
var writes = map[string]func(d desk, i int) error{
	"schedules": func(d desk, i int) error {
		_, err := d.p.Schedules.In(d.schedule).CreateTask(d.ctx, newTask(i))
		return err
	},
	"twins": func(d desk, i int) error {
		_, err := d.p.Twins.CreateTwin(d.ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Tower ", i)})
		return err
	},
	"form definitions": func(d desk, _ int) error {
		_, err := d.p.Forms.CreateFormDefinition(d.ctx, forms.NewFormDefinition{
			TwinID: d.twinID, DisplayName: "RFI", Type: forms.RFI, Status: forms.Approved,
		})
		return err
	},
	"forms": func(d desk, _ int) error {
		_, err := d.p.Forms.CreateForm(d.ctx, forms.NewForm{FormID: d.definition})
		return err
	},
	"reality data": func(d desk, i int) error {
		_, err := d.p.RealityData.CreateRealityData(d.ctx, realitydata.NewRealityData{
			TwinID: d.twinID, DisplayName: fmt.Sprint("Scan ", i), Type: "PointCloud",
		})
		return err
	},
	"webhooks": func(d desk, _ int) error {
		_, err := d.p.Webhooks.CreateWebhook(d.ctx, webhooks.NewWebhook{
			CallbackURL: "https://receiver.example.com/", Scope: webhooks.AccountScope,
			EventTypes: []webhooks.EventType{"twins.twinCreated.v1"},
		})
		return err
	},
}

// TestWritersOfDifferentAccountsDoNotMeet lets sixteen write at the same time, each in an account of its own
// among those of many: the database takes hardly any two of them for writers of the same.
func TestWritersOfDifferentAccountsDoNotMeet(t *testing.T) {
	t.Parallel()
	const writers = 16
	for area, write := range writes {
		t.Run(area, func(t *testing.T) {
			t.Parallel()
			each := 150
			if area == "webhooks" {
				each = 60 // of which an account has at most 100
			}
			s := postgrestest.Shared(t).Open(t, postgres.Options{MaxConns: writers, Logger: quiet})
			p, err := platform.New(s, platform.Config{})
			if err != nil {
				t.Fatal(err)
			}
			// With few records the accounts stand on the same pages of the index, and are taken for one.
			together := func(desks []desk, from, n int) {
				var all sync.WaitGroup
				for _, d := range desks {
					all.Go(func() {
						for i := range n {
							if err := write(d, from+i); err != nil {
								t.Error(err)
								return
							}
						}
					})
				}
				all.Wait()
			}
			desks := make([]desk, 30*writers)
			for i := range desks {
				account := twinplatform.NewGUID()
				if i < writers { // somewhere else in the order of accounts than the others who write
					account = fmt.Sprintf("%x%s", i, account[1:])
				}
				desks[i] = newDesk(t, p, area, account)
			}
			for i := range len(desks) / writers {
				together(desks[writers*i:writers*(i+1)], 0, 3)
			}
			before, _ := storage.StatsOf(s)
			together(desks[:writers], each, each)
			after, _ := storage.StatsOf(s)
			commits, again := after.Commits-before.Commits, after.Remote.Retries-before.Remote.Retries
			t.Logf("of %d commits %d were run again", commits, again)
			if commits < int64(writers*each) || again*20 > commits {
				t.Errorf("of %d commits %d were run again, want at most 5 %%", commits, again)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func newDesk(t *testing.T, p *platform.Platform, area, account string) desk {
	t.Helper()
	caller := twinplatform.Principal{
		ID: "maker of " + account, AccountID: account, Kind: twinplatform.User,
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksModify},
	}
	if area == "webhooks" {
		caller.Kind = twinplatform.Service
	}
	d := desk{ctx: twinplatform.WithPrincipal(t.Context(), caller), p: p}
	twin, err := p.Twins.CreateTwin(d.ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Site"})
	if err != nil {
		t.Fatal(err)
	}
	d.twinID = twin.Value().ID
	switch area {
	case "forms":
		made, err := p.Forms.CreateFormDefinition(d.ctx, forms.NewFormDefinition{
			TwinID: d.twinID, DisplayName: "RFI", Type: forms.RFI, Status: forms.Approved,
		})
		if err != nil {
			t.Fatal(err)
		}
		d.definition = made.Value().ID
	case "schedules":
		made, err := p.Schedules.CreateSchedule(d.ctx, schedules.NewSchedule{TwinID: d.twinID, Name: "Plan"})
		if err != nil {
			t.Fatal(err)
		}
		d.schedule = made.Value().ID
	}
	return d
}
