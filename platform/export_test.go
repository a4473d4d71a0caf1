package platform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Whatever a world has become, seeding what is exported of it in an empty store
// makes the same world.
func TestSeedOfAnExportIsTheSameWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	done := make(map[string]int)
	for seed := range uint64(10) {
		now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		store := memory.New()
		first := over(t, store, platform.Config{Env: twinplatform.Env{Now: func() time.Time {
			now = now.Add(time.Second)
			return now
		}}})
		g := &gardener{Platform: first, t: t, r: rand.New(rand.NewPCG(seed, 5)), done: done}
		g.grow(800)
		second := sameAfterSeeding(t, fmt.Sprint("world ", seed), store, first)
		for _, id := range g.configurations {
			if diff := cmp.Diff(g.ran(first, id), g.ran(second, id)); diff != "" {
				t.Errorf("world %d: a run of %s goes otherwise after the seeding (-before +after):\n%s", seed, id, diff)
			}
		}
	}
	for _, needed := range []string{
		"form.delete", "definition.update", "security", "data.associate", "version.publish", "task.started", "task.finished", "task.planned", "task.retyped",
		"task.reparented", "task.constrained", "task.measured", "task.delete", "resource.delete", "link.delete", "assignment.update", "group.member", "group.foreman", "entity.resource", "item", "status", "status.update", "profile", "profile.update", "profile.delete", "transform", "keyframe", "path.assignment", "binding", "binding.update", "code", "code.update", "code.delete", "code.value", "code.value.update", "code.assignment", "code.assignment.delete", "rule", "rule.update", "rule.delete", "filter", "filter.update", "data.date", "calendar", "calendar.update", "calendar.default", "calendar.task", "calendar.delete",
		"value.Entity3dFloat", "value.TaskString", "value.ResourceGroupInteger", "value.ResourceStartDate", "baseline", "synchronizer.update", "state", "twin.delete", "view",
		"changeset", "changeset.empty", "draft", "version", "view.content", "view.nothing", "view.delete", "configuration", "run", "run.written", "run.nothing", "model.member",
	} {
		if done[needed] == 0 {
			t.Errorf("no world had %s; they had %v", needed, slices.Sorted(maps.Keys(done)))
		}
	}
}

func TestSeedOfAnExportOfRealWorldsIsTheSame(t *testing.T) {
	t.Parallel()
	for _, file := range []string{j30File, bridgeFile} {
		store := memory.New()
		first := over(t, store, platform.Config{})
		seed(t, first, worldFrom(t, file))
		sameAfterSeeding(t, file, store, first)
	}
}

func sameAfterSeeding(t *testing.T, name string, before storage.Store, first *platform.Platform) *platform.Platform {
	t.Helper()
	text := exported(t, first)
	w, err := platform.ReadWorld(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	after := memory.New()
	second := over(t, after, platform.Config{})
	if err := second.Seed(t.Context(), w, platform.SeedOptions{}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if diff := cmp.Diff(shown(t, before), shown(t, after)); diff != "" {
		t.Fatalf("%s is shown otherwise after seeding its export (-before +after):\n%s", name, diff)
	}
	if diff := cmp.Diff(text, exported(t, second)); diff != "" {
		t.Fatalf("%s is exported otherwise (-before +after):\n%s", name, diff)
	}
	return second
}

// begins are the members that begin again with a seeding: ids of roles. The names of a
// member's roles are in what is exported.
var begins = []string{"roleIds", "roles"}

// display is what the areas show, by list.
type display struct {
	t     *testing.T
	lists map[string][]string
}

func show[T any](d display, list string, fetch func(twinplatform.ListOptions) (twinplatform.Page[T], error)) (values []T) {
	d.t.Helper()
	var o twinplatform.ListOptions
	for {
		page, err := fetch(o)
		if err != nil {
			d.t.Fatalf("%s: %v", list, err)
		}
		for _, wire := range page.JSON() {
			d.lists[list] = append(d.lists[list], d.steady(wire))
		}
		some, err := page.Values()
		if err != nil {
			d.t.Fatal(err)
		}
		values = append(values, some...)
		if page.Next == "" {
			return values
		}
		o.Continuation = page.Next
	}
}

// steady is a record without what begins again.
func (d display) steady(wire []byte) string {
	d.t.Helper()
	var members map[string]any
	dec := json.NewDecoder(strings.NewReader(string(wire)))
	dec.UseNumber()
	if err := dec.Decode(&members); err != nil {
		d.t.Fatal(err)
	}
	for _, name := range begins {
		delete(members, name)
	}
	text, err := json.MarshalIndent(members, "", " ")
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// kept is a store that stays open.
type kept struct{ storage.Store }

func (kept) Close() error { return nil }

// sameAccount shows everybody the own account alone, also those of none.
type sameAccount struct{}

func (sameAccount) Allowed(_ context.Context, p twinplatform.Principal, _ string, target twinplatform.Target) (bool, error) {
	return p.AccountID == target.AccountID, nil
}

// shown is everything that the areas show of a world, read through their lists.
func shown(t *testing.T, store storage.Store) map[string][]string {
	t.Helper()
	d := display{t, make(map[string][]string)}
	ctx := t.Context()
	p := over(t, kept{store}, platform.Config{Env: twinplatform.Env{Authorizer: sameAccount{}}})
	type O = twinplatform.ListOptions
	for _, twin := range show(d, "twins", func(o O) (twinplatform.Page[twins.Twin], error) {
		return p.Twins.Twins(ctx, twins.TwinQuery{ListOptions: o, IncludeInactive: true})
	}) {
		account := string(twin.TwinAccountID)
		if account == "" {
			account = twin.ID // which is that of its own twin
		}
		at, in := "twin "+twin.ID+"/", (&gardener{t: t}).admin(account)
		names := make(map[string]string)
		for _, r := range show(display{t, make(map[string][]string)}, "roles", func(o O) (twinplatform.Page[twins.Role], error) {
			return p.Twins.Roles(ctx, twin.ID, twins.RoleQuery{ListOptions: o})
		}) {
			names[r.ID] = r.DisplayName
			d.lists[at+"roles"] = append(d.lists[at+"roles"], fmt.Sprintf("%s %s %v %v", r.DisplayName, r.Description, r.Permissions, r.Owner))
		}
		slices.Sort(d.lists[at+"roles"])
		for _, m := range show(d, at+"members", func(o O) (twinplatform.Page[twins.Member], error) {
			return p.Twins.Members(ctx, twin.ID, twins.MemberQuery{ListOptions: o})
		}) {
			var held []string
			for _, id := range m.RoleIDs {
				held = append(held, names[id])
			}
			slices.Sort(held)
			d.lists[at+"grants"] = append(d.lists[at+"grants"], fmt.Sprint(m.ID, held))
		}
		show(d, at+"groups", func(o O) (twinplatform.Page[twins.Group], error) {
			return p.Twins.Groups(ctx, twin.ID, twins.GroupQuery{ListOptions: o})
		})
		for _, m := range show(display{t, make(map[string][]string)}, "group members", func(o O) (twinplatform.Page[twins.GroupMember], error) {
			return p.Twins.GroupMembers(ctx, twin.ID, twins.GroupQuery{ListOptions: o})
		}) {
			var held []string
			for _, id := range m.RoleIDs {
				held = append(held, names[id])
			}
			slices.Sort(held)
			d.lists[at+"grants of groups"] = append(d.lists[at+"grants of groups"], fmt.Sprint(m.ID, m.GroupName, held))
		}
		for _, r := range show(d, at+"repositories", func(o O) (twinplatform.Page[twins.Repository], error) {
			return p.Twins.Repositories(ctx, twin.ID, twins.RepositoryQuery{ListOptions: o})
		}) {
			show(d, at+r.ID+"/resources", func(o O) (twinplatform.Page[twins.RepositoryResource], error) {
				return p.Twins.RepositoryResources(ctx, twin.ID, r.ID, twins.RepositoryResourceQuery{ListOptions: o})
			})
		}
		for _, m := range show(d, at+"models", func(o O) (twinplatform.Page[models.Model], error) {
			return p.Transform.Models().Models(in, models.ModelQuery{ListOptions: o, TwinID: twin.ID})
		}) {
			showModel(in, d, at, p, m.ID)
		}
		showConfigurations(ctx, d, at, p, twin.ID)
		if problem.IsGUID(twin.ID) { // which forms are of alone
			showForms(ctx, d, at, p, twin.ID)
		}
		for _, plan := range show(d, at+"schedules", func(o O) (twinplatform.Page[schedules.Schedule], error) {
			return p.Schedules.Schedules(in, schedules.ScheduleQuery{ListOptions: o, TwinID: twin.ID})
		}) {
			showSchedule(in, d, at, p, plan)
		}
	}
	for _, r := range show(d, "realityData", func(o O) (twinplatform.Page[realitydata.RealityData], error) {
		return p.RealityData.RealityDataList(ctx, realitydata.RealityDataQuery{ListOptions: o})
	}) {
		d.lists["realityData/twins"] = append(d.lists["realityData/twins"], fmt.Sprint(r.ID, r.TwinIDs, r.AccountID))
	}
	for _, a := range accounts {
		in := (&gardener{t: t}).admin(a)
		for _, x := range show(d, a+"/detectors", func(o O) (twinplatform.Page[realitydata.Detector], error) {
			return p.RealityData.Detectors(in, realitydata.DetectorQuery{ListOptions: o})
		}) {
			rec, err := p.RealityData.Detector(in, x.Name)
			d.lists[a+"/detectors"] = append(d.lists[a+"/detectors"], fmt.Sprintf("%+v %v", rec.Value, err))
		}
	}
	return d.lists
}

func showForms(ctx context.Context, d display, at string, p *platform.Platform, twinID string) {
	d.t.Helper()
	type O = twinplatform.ListOptions
	for _, f := range show(d, at+"definitions", func(o O) (twinplatform.Page[forms.FormDefinition], error) {
		return p.Forms.FormDefinitions(ctx, forms.FormDefinitionQuery{ListOptions: o, TwinID: twinID, Status: forms.AnyStatus})
	}) {
		sec, err := p.Forms.Security(ctx, f.ID, twinID)
		d.lists[at+"security"] = append(d.lists[at+"security"], fmt.Sprint(f.ID, f.Discipline, sec, err))
	}
	show(d, at+"forms", func(o O) (twinplatform.Page[forms.Form], error) {
		return p.Forms.Forms(ctx, forms.FormQuery{ListOptions: o, TwinID: twinID})
	})
}

func showSchedule(ctx context.Context, d display, at string, p *platform.Platform, plan schedules.Schedule) {
	d.t.Helper()
	type O = twinplatform.ListOptions
	s, id := p.Schedules, plan.ID
	at += id + "/"
	d.lists[at+"state"] = []string{string(plan.State)}
	show(d, at+"tasks", func(o O) (twinplatform.Page[schedules.Task], error) {
		return s.In(id).Tasks(ctx, schedules.TaskQuery{ListOptions: o})
	})
	show(d, at+"links", func(o O) (twinplatform.Page[schedules.TaskLink], error) {
		return s.In(id).TaskLinks(ctx, schedules.TaskLinkQuery{ListOptions: o})
	})
	show(d, at+"resources", func(o O) (twinplatform.Page[schedules.Resource], error) {
		return s.In(id).Resources(ctx, schedules.ResourceQuery{ListOptions: o})
	})
	show(d, at+"assignments", func(o O) (twinplatform.Page[schedules.ResourceAssignment], error) {
		return s.In(id).ResourceAssignments(ctx, schedules.ResourceAssignmentQuery{ListOptions: o})
	})
	for _, g := range show(d, at+"groups", func(o O) (twinplatform.Page[schedules.ResourceGroup], error) {
		return s.In(id).ResourceGroups(ctx, schedules.ResourceGroupQuery{ListOptions: o})
	}) {
		show(d, at+g.ID+"/members", func(o O) (twinplatform.Page[schedules.Resource], error) {
			return s.In(id).GroupResources(ctx, g.ID, schedules.ResourceQuery{ListOptions: o})
		})
	}
	show(d, at+"categories", func(o O) (twinplatform.Page[statuses.ResourceStatusCategory], error) {
		return statuses.In(s.In(id)).ResourceStatusCategories(ctx, statuses.ResourceStatusCategoryQuery{ListOptions: o})
	})
	show(d, at+"sets", func(o O) (twinplatform.Page[statuses.ResourceStatusSet], error) {
		return statuses.In(s.In(id)).ResourceStatusSets(ctx, statuses.ResourceStatusSetQuery{ListOptions: o})
	})
	show(d, at+"items", func(o O) (twinplatform.Page[statuses.ResourceStatusItem], error) {
		return statuses.In(s.In(id)).ResourceStatusItems(ctx, statuses.ResourceStatusItemQuery{ListOptions: o})
	})
	show(d, at+"profiles", func(o O) (twinplatform.Page[animation.AppearanceProfile], error) {
		return animation.In(s.In(id)).AppearanceProfiles(ctx, animation.AppearanceProfileQuery{ListOptions: o})
	})
	show(d, at+"transforms", func(o O) (twinplatform.Page[animation.Transform], error) {
		return animation.In(s.In(id)).Transforms(ctx, animation.TransformQuery{ListOptions: o})
	})
	show(d, at+"paths", func(o O) (twinplatform.Page[animation.Path], error) {
		return animation.In(s.In(id)).Paths(ctx, animation.PathQuery{ListOptions: o})
	})
	show(d, at+"keyframes", func(o O) (twinplatform.Page[animation.Keyframe], error) {
		return animation.In(s.In(id)).Keyframes(ctx, animation.KeyframeQuery{ListOptions: o})
	})
	show(d, at+"path assignments", func(o O) (twinplatform.Page[animation.PathAssignment], error) {
		return animation.In(s.In(id)).PathAssignments(ctx, animation.PathAssignmentQuery{ListOptions: o})
	})
	show(d, at+"bindings", func(o O) (twinplatform.Page[animation.Binding], error) {
		return animation.In(s.In(id)).Bindings(ctx, animation.BindingQuery{ListOptions: o})
	})
	show(d, at+"codes", func(o O) (twinplatform.Page[codes.Code], error) {
		return codes.In(s.In(id)).Codes(ctx, codes.CodeQuery{ListOptions: o})
	})
	show(d, at+"code values", func(o O) (twinplatform.Page[codes.CodeValue], error) {
		return codes.In(s.In(id)).CodeValues(ctx, codes.CodeValueQuery{ListOptions: o})
	})
	show(d, at+"code value assignments", func(o O) (twinplatform.Page[codes.CodeValueAssignment], error) {
		return codes.In(s.In(id)).CodeValueAssignments(ctx, codes.CodeValueAssignmentQuery{ListOptions: o})
	})
	show(d, at+"filters", func(o O) (twinplatform.Page[schedules.TaskQueryFilter], error) {
		return s.In(id).TaskQueryFilters(ctx, schedules.TaskQueryFilterQuery{ListOptions: o})
	})
	scheduling, err := s.In(id).ProjectScheduling(ctx)
	d.lists[at+"project scheduling"] = []string{fmt.Sprint(string(scheduling.JSON), err)}
	show(d, at+"calendars", func(o O) (twinplatform.Page[schedules.Calendar], error) {
		return s.In(id).Calendars(ctx, schedules.CalendarQuery{ListOptions: o})
	})
	show(d, at+"rules", func(o O) (twinplatform.Page[schedules.Rule], error) {
		return s.In(id).Rules(ctx, schedules.RuleQuery{ListOptions: o})
	})
	for _, latest := range []bool{false, true} {
		show(d, at+fmt.Sprint("statuses", latest), func(o O) (twinplatform.Page[statuses.StatusHistoryItem], error) {
			return statuses.In(s.In(id)).StatusHistoryItems(ctx, statuses.StatusHistoryQuery{ListOptions: o, LatestOnly: latest})
		})
	}
	show(d, at+"fields", func(o O) (twinplatform.Page[userfields.UserField], error) {
		return userfields.In(s.In(id)).UserFields(ctx, userfields.UserFieldQuery{ListOptions: o})
	})
	categories := []userfields.UserFieldCategory{userfields.TaskField, userfields.ResourceField, userfields.ResourceGroupField}
	if plan.Type == schedules.V65 {
		categories = append(categories, userfields.Entity3DField)
		show(d, at+"entities", func(o O) (twinplatform.Page[animation.Entity3D], error) {
			return animation.In(s.In(id)).Entities3D(ctx, animation.Entity3DQuery{ListOptions: o})
		})
	}
	for _, c := range categories {
		show(d, at+"values/"+string(c), func(o O) (twinplatform.Page[userfields.UserFieldValue], error) {
			return userfields.In(s.In(id)).UserFieldValues(ctx, c, userfields.UserFieldValueQuery{ListOptions: o})
		})
	}
	for _, b := range show(d, at+"baselines", func(o O) (twinplatform.Page[schedules.Baseline], error) {
		return s.In(id).Baselines(ctx, schedules.BaselineQuery{ListOptions: o})
	}) {
		show(d, at+b.ID+"/tasks", func(o O) (twinplatform.Page[schedules.BaselineTask], error) {
			return s.In(id).BaselineTasks(ctx, b.ID, schedules.BaselineTaskQuery{ListOptions: o})
		})
		show(d, at+b.ID+"/links", func(o O) (twinplatform.Page[schedules.BaselineTaskLink], error) {
			return s.In(id).BaselineTaskLinks(ctx, b.ID, schedules.BaselineTaskLinkQuery{ListOptions: o})
		})
	}
	for n := range 12 {
		rec, err := synchronizers.In(s.In(id)).Synchronizer(ctx, fmt.Sprint("synchronizer-", n))
		if err == nil {
			text, _ := json.Marshal(rec.Value)
			d.lists[at+"synchronizers"] = append(d.lists[at+"synchronizers"], string(text))
		}
	}
}
