package schedules_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

var (
	noProfile = refusal{kind: twinplatform.NotFound, code: "AppearanceProfileNotFound", target: "appearanceProfileId"}
	// notOfV65 refuses what v6.5 schedules have no part in.
	notOfV65 = invalid("InvalidParameter scheduleId")
)

// profiles makes appearance profiles from lines such as "install" and "slowly install",
// of which the second word is the parent.
func (p *plan) profiles(lines ...string) {
	p.Helper()
	for _, line := range lines {
		id, parent, _ := strings.Cut(line, " ")
		if _, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{ID: id, Name: id, ParentID: parent}); err != nil {
			p.Fatal(err)
		}
	}
}

func profileListed(v animation.AppearanceProfile) (string, bool) { return v.ID, v.Deleted }

// covers: Appearance profile
// covers: operations appearanceProfiles.get appearanceProfiles.create
func TestAppearanceProfileOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.profiles("parent")
		_, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{
			ID: "a", Name: "A", ParentID: "parent", Action: animation.InstallAction,
			StartAppearance: &animation.StillAppearance{Color: "#010203", Transparency: 100, UseOriginalTransparency: true},
			ActiveAppearance: &animation.ActiveAppearance{
				StartTransparency: 80, FinishTransparency: 20, UseOriginalColor: true,
				GrowthSimulation: &animation.GrowthSimulation{
					Mode: animation.CustomGrowth, Direction: &animation.Vector{X: 0.5, Y: -1, Z: 1e-3}, AdjustForTaskPercentComplete: true,
					PauseDuringNonWorkingTime: true, SimulateAsRemove: true,
				},
			},
		})
		if err != nil {
			p.Fatal(err)
		}
		rec, err := animation.In(p.in()).AppearanceProfile(p.ctx, "a")
		if err != nil {
			p.Fatal(err)
		}
		want := `{"action":"Install","activeAppearance":{"color":null,"startTransparency":80,"finishTransparency":20,` +
			`"growthSimulation":{"adjustForTaskPercentComplete":true,"direction":{"x":0.5,"y":-1,"z":0.001},"mode":"Custom",` +
			`"pauseDuringNonWorkingTime":true,"simulateAsRemove":true},"useOriginalColor":true,"useOriginalTransparency":false},` +
			`"createdOn":"` + rec.Value.CreatedOn.String() + `","deleted":false,"endAppearance":null,"id":"a","name":"A","parentId":"parent",` +
			`"startAppearance":{"color":"#010203","transparency":100,"useOriginalColor":false,"useOriginalTransparency":true}}`
		if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
			p.Errorf("wire form (-want +got):\n%s", diff)
		}
		if rec.Value.CreatedOn.IsZero() {
			p.Error("it was made at no time")
		}
	})
}

// covers: Appearance profile: rule every number and word is one that there is
func TestAppearanceProfileThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.profiles("install")
	active := func(a animation.ActiveAppearance) animation.NewAppearanceProfile {
		return animation.NewAppearanceProfile{Name: "n", ActiveAppearance: &a}
	}
	growing := func(g animation.GrowthSimulation) animation.NewAppearanceProfile {
		return active(animation.ActiveAppearance{GrowthSimulation: &g})
	}
	for name, test := range map[string]struct {
		n    animation.NewAppearanceProfile
		want refusal
	}{
		"no name":              {animation.NewAppearanceProfile{}, invalid("MissingRequiredProperty name")},
		"no such action":       {animation.NewAppearanceProfile{Name: "n", Action: "Build"}, invalid("InvalidValue action")},
		"no such parent":       {animation.NewAppearanceProfile{Name: "n", ParentID: "nobody"}, invalid("InvalidValue parentId")},
		"no color":             {animation.NewAppearanceProfile{Name: "n", EndAppearance: &animation.StillAppearance{Color: "red"}}, invalid("InvalidValue endAppearance.color")},
		"too transparent":      {animation.NewAppearanceProfile{Name: "n", StartAppearance: &animation.StillAppearance{Transparency: 101}}, invalid("InvalidValue startAppearance.transparency")},
		"less than opaque":     {active(animation.ActiveAppearance{StartTransparency: -1}), invalid("InvalidValue activeAppearance.startTransparency")},
		"ends too transparent": {active(animation.ActiveAppearance{FinishTransparency: 101}), invalid("InvalidValue activeAppearance.finishTransparency")},
		"no such mode":         {growing(animation.GrowthSimulation{Mode: "Upwards"}), invalid("InvalidValue activeAppearance.growthSimulation.mode")},
		"grows without end": {
			growing(animation.GrowthSimulation{Mode: animation.CustomGrowth, Direction: &animation.Vector{Z: math.Inf(1)}}),
			invalid("InvalidValue activeAppearance.growthSimulation.direction.z"),
		},
		"an id that is taken": {animation.NewAppearanceProfile{ID: "install", Name: "n"}, idTaken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, test.n)
			test.want.check(t, err)
		})
	}
}

// covers: Appearance actions and growth modes
func TestAppearanceOfEveryActionAndMode(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, action := range []animation.AppearanceAction{"Install", "Maintain", "Remove", "Neutral", "Temporary"} {
		for _, mode := range []animation.GrowthMode{"None", "BottomTop", "TopBottom", "LeftRight", "RightLeft", "FrontBack", "BackFront", "Custom"} {
			res, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{
				Name: "n", Action: action, ActiveAppearance: &animation.ActiveAppearance{GrowthSimulation: &animation.GrowthSimulation{Mode: mode}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if v := res.Value(); string(v.Action) != string(action) || v.ActiveAppearance.GrowthSimulation.Mode != mode {
				t.Errorf("%s, %s became %+v", action, mode, v)
			}
		}
	}
}

func TestAppearanceProfilesLieBelowOneAnotherAndNeverInACircle(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	lines := []string{"p1"}
	for i := 2; i <= schedules.MaxDepth; i++ {
		lines = append(lines, fmt.Sprintf("p%d p%d", i, i-1))
	}
	p.profiles(append(lines, "one", "two one")...)
	below := func(id, parent string) error {
		_, err := animation.In(p.in()).UpdateAppearanceProfile(p.ctx, id, animation.AppearanceProfilePatch{ParentID: twinplatform.Set(parent)})
		return err
	}
	deep := invalid("InvalidValue parentId")
	_, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{Name: "n", ParentID: fmt.Sprint("p", schedules.MaxDepth)})
	deep.check(t, err)
	deep.check(t, below("one", fmt.Sprint("p", schedules.MaxDepth-1)))
	deep.check(t, below("p1", "p3"))
	deep.check(t, below("p1", "p1"))
	if err := below("one", fmt.Sprint("p", schedules.MaxDepth-2)); err != nil {
		t.Error(err)
	}
	if err := below("two", ""); err != nil {
		t.Error(err)
	}
}

// covers: operations appearanceProfiles.update
func TestAppearanceProfileIsChangedByWhatIsGiven(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		_, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{
			ID: "a", Name: "A", Action: animation.RemoveAction, EndAppearance: &animation.StillAppearance{Transparency: 100},
		})
		if err != nil {
			p.Fatal(err)
		}
		res, err := animation.In(p.in()).UpdateAppearanceProfile(p.ctx, "a", animation.AppearanceProfilePatch{
			Name: twinplatform.Set("B"), Action: twinplatform.Null[string](),
			ActiveAppearance: twinplatform.Set(animation.ActiveAppearance{GrowthSimulation: &animation.GrowthSimulation{}}),
		})
		if err != nil {
			p.Fatal(err)
		}
		want := animation.AppearanceProfile{
			ID: "a", Name: "B", CreatedOn: res.Value().CreatedOn, EndAppearance: &animation.StillAppearance{Transparency: 100},
			ActiveAppearance: &animation.ActiveAppearance{GrowthSimulation: &animation.GrowthSimulation{Mode: animation.NoGrowth}},
		}
		if diff := cmp.Diff(want, res.Value()); diff != "" {
			p.Errorf("became (-want +got):\n%s", diff)
		}
		_, err = animation.In(p.in()).UpdateAppearanceProfile(p.ctx, "b", animation.AppearanceProfilePatch{})
		noProfile.check(p, err)
	})
}

// covers: operations appearanceProfiles.list appearanceProfiles.delete
func TestDeletedAppearanceProfileGoesWithThoseBelowIt(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.profiles("a", "b a", "c b", "d")
		page, err := animation.In(p.in()).AppearanceProfiles(p.ctx, animation.AppearanceProfileQuery{})
		if err != nil {
			p.Fatal(err)
		}
		if _, err := animation.In(p.in()).DeleteAppearanceProfile(p.ctx, "a"); err != nil {
			p.Fatal(err)
		}
		changes, _ := readAll(p, twinplatform.ListOptions{Delta: page.Delta}, func(o twinplatform.ListOptions) (twinplatform.Page[animation.AppearanceProfile], error) {
			return animation.In(p.in()).AppearanceProfiles(p.ctx, animation.AppearanceProfileQuery{ListOptions: o})
		})
		if got := idList(changes, profileListed); got != "-c -b -a" {
			p.Errorf("the delta lists %s", got)
		}
		_, err = animation.In(p.in()).DeleteAppearanceProfile(p.ctx, "a")
		noProfile.check(p, err)
		_, err = animation.In(p.in()).AppearanceProfile(p.ctx, "c")
		noProfile.check(p, err)
	})
}

// covers: Appearance profile: rule profiles are made in v10 schedules
func TestAppearanceProfilesAreOfV10Schedules(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.id = "old"
	p.schedule(schedules.NewSchedule{ID: "old", Name: "Old", TwinID: "twin", Type: schedules.V65})
	_, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{Name: "n"})
	notOfV65.check(t, err)
	_, err = animation.In(p.in()).UpdateAppearanceProfile(p.ctx, "a", animation.AppearanceProfilePatch{})
	notOfV65.check(t, err)
	_, err = animation.In(p.in()).DeleteAppearanceProfile(p.ctx, "a")
	notOfV65.check(t, err)
	page, err := animation.In(p.in()).AppearanceProfiles(p.ctx, animation.AppearanceProfileQuery{})
	if err != nil || page.Len() != 0 {
		t.Errorf("%d profiles, %v", page.Len(), err)
	}
}
