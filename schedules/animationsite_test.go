package schedules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// builtSite is a plan with two walls that are installed one after the other, by profiles that grow, and a crane
// that moves.
func (p *plan) builtSite() {
	p.Helper()
	day := int32(86_400)
	p.create(
		schedules.NewTask{ID: "lay", Name: "Lay", Type: schedules.Work, PlannedStart: at(0), PlannedDuration: &day},
		schedules.NewTask{ID: "top", Name: "Top", Type: schedules.Work, PlannedStart: at(24), PlannedDuration: &day},
	)
	_, err := animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{
		ID: "install", Name: "Install", Action: animation.InstallAction,
		ActiveAppearance: &animation.ActiveAppearance{
			Color: "#00ff00", StartTransparency: 80, GrowthSimulation: &animation.GrowthSimulation{Mode: animation.BottomTopGrowth},
		},
	})
	must := func(err error) {
		p.Helper()
		if err != nil {
			p.Fatal(err)
		}
	}
	must(err)
	_, err = animation.In(p.in()).CreatePath(p.ctx, animation.NewPath{ID: "way", Name: "Way"})
	must(err)
	_, err = animation.In(p.in()).CreateKeyframes(p.ctx, []animation.NewKeyframe{
		{ID: "a", PathID: "way", Position: &animation.Vector{}}, {ID: "b", PathID: "way", Time: 1, Position: &animation.Vector{X: 40}},
	})
	must(err)
	_, err = animation.In(p.in()).CreatePathAssignment(p.ctx, animation.NewPathAssignment{ID: "drive", PathID: "way", Alignment: animation.AlignOriginal})
	must(err)
	for i, n := range []animation.NewBinding{
		{AnimatedEntityID: "wall", TaskID: "lay", AppearanceProfileID: "install"},
		{AnimatedEntityID: "roof", TaskID: "top", AppearanceProfileID: "install"},
		{AnimatedEntityID: "crane", TaskID: "lay", PathAssignmentID: "drive"},
		{AnimatedEntityID: "crane", TaskID: "top"},
	} {
		n.ID = fmt.Sprint("binding", i)
		p.bind(n)
	}
}

func (p *plan) states(q animation.StateQuery) (all []animation.EntityState) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[animation.EntityState], error) {
		q.ListOptions = o
		return animation.In(p.in()).At(p.ctx, q)
	})
	if delta != "" {
		p.Errorf("the list has the delta %q", delta)
	}
	return all
}

// stateLine is a state in short.
func stateLine(s *animation.EntityState) string {
	line := fmt.Sprintf("%s %t %s %g", s.AnimatedEntityID, s.IsPresent, s.Color, s.Transparency)
	if s.Growth != nil {
		line += fmt.Sprintf(" grown %g", s.Growth.Share)
	}
	if s.Matrix != nil {
		line += fmt.Sprintf(" moved %g", s.Matrix[3])
	}
	for _, w := range s.Warnings {
		line += " " + string(w.Kind)
	}
	return line
}

func TestSiteIsShownAtATimeInPagesOfAnySize(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.builtSite()
		for hours, want := range map[float64][]string{
			-1: {"wall false  0 BoxMissing", "roof false  0 BoxMissing", "crane true  0"},
			6:  {"wall true #00ff00 60 grown 0.25 BoxMissing", "roof false  0 BoxMissing", "crane true  0 moved 10"},
			30: {"wall true  0 BoxMissing", "roof true #00ff00 60 grown 0.25 BoxMissing", "crane true  0 moved 40"},
			99: {"wall true  0 BoxMissing", "roof true  0 BoxMissing", "crane true  0 moved 40"},
		} {
			for _, top := range []int{0, 1, 2} {
				q := animation.StateQuery{Time: at(hours)}
				q.Top = top
				var got []string
				for _, s := range p.states(q) {
					got = append(got, stateLine(&s))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					p.Errorf("after %v hours, in pages of %d (-want +got)\n%s", hours, top, diff)
				}
			}
		}
		q := animation.StateQuery{Time: at(6)}
		q.EntityIDs = []string{"roof", "crane", "nothing"}
		if got := p.states(q); len(got) != 2 || got[0].AnimatedEntityID != "crane" || got[1].AnimatedEntityID != "roof" {
			p.Errorf("of some entities it lists %+v", got)
		}
	})
}

func TestSiteIsShownByTheDatesThatAreAskedFor(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.builtSite()
	p.baseline("first")
	p.patch("top", schedules.TaskPatch{PlannedStart: twinplatform.Set(at(48))})
	p.patch("lay", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(at(2))})
	present := func(q animation.SiteQuery, hours float64) string {
		t.Helper()
		var there []string
		for _, s := range p.states(animation.StateQuery{SiteQuery: q, Time: at(hours)}) {
			if s.IsPresent {
				there = append(there, s.AnimatedEntityID)
			}
		}
		return strings.Join(there, " ")
	}
	for _, c := range []struct {
		name  string
		q     animation.SiteQuery
		hours float64
		want  string
	}{
		{"as it stands, before the actual start", animation.SiteQuery{}, 1, "crane"},
		{"as it stands, behind it", animation.SiteQuery{}, 3, "wall crane"},
		{"as it is planned", animation.SiteQuery{Dates: animation.PlannedSiteDates}, 1, "wall crane"},
		{"as the baseline has it", animation.SiteQuery{BaselineID: "first"}, 30, "wall roof crane"},
		{"as it was done", animation.SiteQuery{Dates: animation.ActualSiteDates}, 200, "wall crane"},
	} {
		if got := present(c.q, c.hours); got != c.want {
			t.Errorf("%s: %q is there, not %q", c.name, got, c.want)
		}
	}
}

func TestSiteThatWasNotChangedIsNotReadAgain(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.builtSite()
	q := animation.TimelineQuery{}
	page, err := animation.In(p.in()).Timeline(p.ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	q.IfNoneMatch = page.ETag
	if again, err := animation.In(p.in()).Timeline(p.ctx, q); err != nil || !again.NotModified || again.Len() != 0 {
		t.Errorf("read again it is %+v, %v", again, err)
	}
	q.From = at(5)
	if other, err := animation.In(p.in()).Timeline(p.ctx, q); err != nil || other.NotModified {
		t.Errorf("of another time it is %+v, %v", other, err)
	}
	q.From = twinplatform.DateTime{}
	p.patch("top", schedules.TaskPatch{PlannedStart: twinplatform.Set(at(48))})
	if changed, err := animation.In(p.in()).Timeline(p.ctx, q); err != nil || changed.NotModified {
		t.Errorf("behind a change of a task it is %+v, %v", changed, err)
	}
}

// At each moment of the timeline, and half way to the next, the state is that of the timeline.
func TestTimelineOfASiteTellsItsStates(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.builtSite()
	page, err := animation.In(p.in()).Timeline(p.ctx, animation.TimelineQuery{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	var moments []string
	for _, e := range all {
		for i, m := range e.Moments {
			line := fmt.Sprintf("%s %v %t %s %g", e.AnimatedEntityID, m.Time, m.IsPresent, m.Color, m.Transparency)
			if u := m.Until; u != nil {
				line += fmt.Sprintf(" until %g", u.Transparency)
				if u.Share != nil {
					line += fmt.Sprintf(" grown %g", *u.Share)
				}
				if u.Motion != nil {
					line += fmt.Sprintf(" moved %g to %g along %s of %d", u.Motion.From, u.Motion.To, u.Motion.Animation3DPathAssignmentID, len(e.Paths[0].Positions))
				}
			}
			moments = append(moments, line)
			if i == 0 {
				continue
			}
			q := animation.StateQuery{Time: m.Time}
			q.EntityIDs = []string{e.AnimatedEntityID}
			if diff := cmp.Diff(m.Look, p.states(q)[0].Look); diff != "" {
				t.Errorf("%s at %v (-timeline +state)\n%s", e.AnimatedEntityID, m.Time, diff)
			}
		}
	}
	want := []string{
		"wall  false  0",
		"wall 2026-03-02T08:00:00Z true #00ff00 80 until 0 grown 1",
		"wall 2026-03-03T08:00:00Z true  0",
		"roof  false  0",
		"roof 2026-03-03T08:00:00Z true #00ff00 80 until 0 grown 1",
		"roof 2026-03-04T08:00:00Z true  0",
		"crane  true  0",
		"crane 2026-03-02T08:00:00Z true  0 until 0 moved 0 to 1 along drive of 2",
		"crane 2026-03-03T08:00:00Z true  0",
	}
	if diff := cmp.Diff(want, moments); diff != "" {
		t.Errorf("moments (-want +got)\n%s", diff)
	}
	q := animation.TimelineQuery{From: at(30), To: at(40)}
	q.EntityIDs = []string{"roof"}
	part, err := animation.In(p.in()).Timeline(p.ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	roof, err := part.Values()
	if err != nil || len(roof) != 1 || len(roof[0].Moments) != 1 || !roof[0].Moments[0].Time.Equal(at(24).Time) {
		t.Errorf("from hour 30 to 40 the roof changes so: %+v, %v", roof, err)
	}
}

func TestEntitiesOfAV65ScheduleShowTheTasksAndStatusesOfTheirResources(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.v65()
	p.resources("crane")
	p.tasks("lift 2026-03-02T08:00:00Z 86400")
	p.shows("boom crane", "sky")
	if _, err := p.in().CreateResourceAssignment(p.ctx, schedules.NewResourceAssignment{
		ID: "lift-crane", TaskID: "lift", ResourceID: "crane", AppearanceProfileID: "Temporary",
	}); err != nil {
		t.Fatal(err)
	}
	p.statuses("progress", "progress/delivery", "progress/delivery/broken")
	_, err := statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, statuses.NewStatusHistoryItem{
		ResourceID: "crane", StatusItemID: "broken", Date: at(12), IsCritical: true, CriticalUntil: at(18),
	})
	if err != nil {
		t.Fatal(err)
	}
	for hours, want := range map[float64]string{-1: "false", 6: "true", 13: "true broken critical", 19: "true broken", 25: "false broken"} {
		all := p.states(animation.StateQuery{Time: at(hours)})
		got := ""
		if len(all) == 2 && all[0].AnimatedEntityID == "boom" && all[1].IsPresent {
			got = strings.TrimSpace(fmt.Sprint(all[0].IsPresent, " ", all[0].Why.ResourceStatusItemID))
			if all[0].IsStatusCritical {
				got += " critical"
			}
		}
		if got != want {
			t.Errorf("after %v hours the boom is %q, not %q: %+v", hours, got, want, all)
		}
	}
}

func TestSiteThatCannotBeShownIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.builtSite()
	of := func(change func(*animation.StateQuery)) error {
		q := animation.StateQuery{Time: at(1)}
		change(&q)
		_, err := animation.In(p.in()).At(p.ctx, q)
		return err
	}
	noBaseline.check(t, of(func(q *animation.StateQuery) { q.BaselineID = "gone" }))
	for detail, change := range map[string]func(*animation.StateQuery){
		"MissingRequiredProperty time":       func(q *animation.StateQuery) { q.Time = twinplatform.DateTime{} },
		"MissingRequiredProperty baselineId": func(q *animation.StateQuery) { q.Dates = animation.BaselineSiteDates },
		"InvalidValue dates":                 func(q *animation.StateQuery) { q.Dates = "Guessed" },
		"InvalidValue entityIds":             func(q *animation.StateQuery) { q.EntityIDs = make([]string, schedules.MaxBatch+1) },
		"InvalidValue top":                   func(q *animation.StateQuery) { q.Top = -1 },
		"InvalidValue continuation":          func(q *animation.StateQuery) { q.Continuation = "guessed" },
	} {
		invalid(detail).check(t, of(change))
	}
	_, err := animation.In(p.in()).Timeline(p.ctx, animation.TimelineQuery{From: at(2), To: at(1)})
	invalid("InvalidValue to").check(t, err)
}

// boxes are the boxes of the model "site", by entity, and the ids that were asked for.
type boxes map[string]fourd.Box

func (b boxes) Boxes(_ context.Context, modelID string, elementIDs []string) (map[string]fourd.Box, error) {
	if modelID != "site" {
		return nil, problem.NotFound("ModelNotFound", "modelId", "model").Err()
	}
	all := make(map[string]fourd.Box)
	for _, id := range elementIDs {
		if box, there := b[id]; there {
			all[id] = box
		}
	}
	return all, nil
}

func boxAt(x, height float64) fourd.Box {
	return fourd.Box{Min: fourd.Vector{X: x}, Max: fourd.Vector{X: x + 1, Y: 1, Z: height}}
}

// A group is one object also where only one of its entities is on the page.
func TestBoxesOfAModelCutWhatGrows(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Boxes: boxes{"wall": boxAt(0, 4), "gate": boxAt(1, 20), "roof": boxAt(0, 2)}})
	p.builtSite()
	if _, err := p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: "yard", Name: "Yard"}); err != nil {
		t.Fatal(err)
	}
	plane := func(q animation.StateQuery) float64 {
		t.Helper()
		q.EntityIDs, q.ModelID, q.Time = []string{"wall"}, "site", at(6)
		all := p.states(q)
		if len(all) != 1 || all[0].Growth == nil || all[0].Growth.Plane == nil || len(all[0].Warnings) != 0 {
			t.Fatalf("the wall has no plane: %+v", all)
		}
		return all[0].Growth.Plane.Offset
	}
	if got := plane(animation.StateQuery{}); got != 1 {
		t.Errorf("the plane is at %v, not at a quarter of the wall", got)
	}
	_, err := animation.In(p.in()).UpdateBinding(p.ctx, "binding0", animation.BindingPatch{ResourceGroupID: twinplatform.Set("yard")})
	if err != nil {
		t.Fatal(err)
	}
	p.bind(animation.NewBinding{AnimatedEntityID: "gate", TaskID: "lay", ResourceGroupID: "yard"})
	if got := plane(animation.StateQuery{}); got != 5 {
		t.Errorf("the plane is at %v, not at a quarter of the group", got)
	}
	q := animation.StateQuery{Time: at(6)}
	q.ModelID = "site"
	page, err := animation.In(p.in()).At(p.ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	q.IfNoneMatch = page.ETag
	if again, err := animation.In(p.in()).At(p.ctx, q); err != nil || !again.NotModified || again.Len() != 0 {
		t.Errorf("read again it is %+v, %v", again, err)
	}
	q.ModelID = "nowhere"
	_, err = animation.In(p.in()).At(p.ctx, q)
	refusal{kind: twinplatform.NotFound, code: "ModelNotFound", target: "modelId"}.check(t, err)
	p = inMemory(t)
	_, err = animation.In(p.in()).At(p.ctx, q)
	invalid("InvalidValue modelId").check(t, err)
}

// growsByDays gives the site n entities more, which grow in working hours alone for many years: each has many moments.
func (p *plan) growsByDays(n int) (ids []string) {
	p.Helper()
	if _, err := animation.In(p.in()).UpdateAppearanceProfile(p.ctx, "install", animation.AppearanceProfilePatch{
		ActiveAppearance: twinplatform.Set(animation.ActiveAppearance{
			GrowthSimulation: &animation.GrowthSimulation{Mode: animation.BottomTopGrowth, PauseDuringNonWorkingTime: true},
		}),
	}); err != nil {
		p.Fatal(err)
	}
	p.calendar(working("days", "08:00-12:00 13:00-16:00"))
	p.scheduling("days", "UTC")
	years := int32(14_000_000)
	var batch []animation.NewBinding
	for i := range n {
		id := fmt.Sprint("long", i)
		ids = append(ids, id)
		p.create(schedules.NewTask{ID: id, Name: id, Type: schedules.Work, PlannedStart: at(0), PlannedDuration: &years})
		batch = append(batch, animation.NewBinding{AnimatedEntityID: id, TaskID: id, AppearanceProfileID: "install"})
	}
	if _, err := animation.In(p.in()).CreateBindings(p.ctx, batch); err != nil {
		p.Fatal(err)
	}
	return ids
}

func TestSiteWithTooMuchOnAPageIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.builtSite()
	p.growsByDays(20)
	_, err := animation.In(p.in()).Timeline(p.ctx, animation.TimelineQuery{})
	refusal{kind: twinplatform.Conflict, code: "LimitExceeded", says: "$top"}.check(t, err)
	late, err := animation.In(p.in()).Timeline(p.ctx, animation.TimelineQuery{From: at(1_000_000)})
	if all, _ := late.Values(); err != nil || len(all) != 23 || len(all[22].Moments) != 1 || all[22].Moments[0].Time.IsZero() {
		t.Errorf("what is over by then counts: %d entities, %v", len(all), err)
	}
	q := animation.TimelineQuery{From: at(24), To: at(48)}
	page, err := animation.In(p.in()).Timeline(p.ctx, q)
	if err != nil || page.Len() != 23 {
		t.Errorf("a day of it has %d entities, %v", page.Len(), err)
	}
}

func TestOneLongPathOfManyEntitiesIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.builtSite()
	var frames []animation.NewKeyframe
	for i := range 998 {
		frames = append(frames, animation.NewKeyframe{PathID: "way", Time: float64(i+1) / 1000, Position: &animation.Vector{X: float64(i % 2)}})
	}
	var batch []animation.NewBinding
	for i := range 150 {
		batch = append(batch, animation.NewBinding{AnimatedEntityID: fmt.Sprint("car", i), TaskID: "lay", PathAssignmentID: "drive"})
	}
	if _, err := animation.In(p.in()).CreateKeyframes(p.ctx, frames); err != nil {
		t.Fatal(err)
	}
	if _, err := animation.In(p.in()).CreateBindings(p.ctx, batch); err != nil {
		t.Fatal(err)
	}
	_, err := animation.In(p.in()).Timeline(p.ctx, animation.TimelineQuery{SiteQuery: animation.SiteQuery{
		ListOptions: twinplatform.ListOptions{Top: 1_000},
	}})
	refusal{kind: twinplatform.Conflict, code: "LimitExceeded", says: "positions"}.check(t, err)
}

// The resources of a group are one object: one box is around the entities that show those which are assigned to a task,
// also where one of them alone is on the page. A resource in several groups counts in the first of them by id.
func TestEntitiesOfAV65ScheduleWhoseResourcesAreInAGroupGrowAsOneObject(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Boxes: boxes{
		"low": boxAt(0, 4), "high": boxAt(1, 20), "idle": boxAt(2, 400), "other": boxAt(3, 4000),
	}})
	p.v65()
	p.resources("frame", "tower", "spare", "crew")
	p.tasks("lift 2026-03-02T08:00:00Z 86400")
	p.shows("low frame", "high tower", "idle spare", "other crew")
	grown := animation.NewAppearanceProfile{ID: "grow", Name: "Grow", ActiveAppearance: &animation.ActiveAppearance{
		GrowthSimulation: &animation.GrowthSimulation{Mode: animation.BottomTopGrowth},
	}}
	seed := schedules.Contents{AppearanceProfiles: []animation.AppearanceProfileSeed{{NewAppearanceProfile: grown}}}
	if err := seed.Seed(p.ctx, p.in(), func(twinplatform.Optional[twinplatform.DateTime]) {}); err != nil {
		t.Fatal(err)
	}
	for _, resource := range []string{"frame", "tower", "crew"} { // and none of the spare one
		if _, err := p.in().CreateResourceAssignment(p.ctx, schedules.NewResourceAssignment{
			TaskID: "lift", ResourceID: resource, AppearanceProfileID: "grow",
		}); err != nil {
			t.Fatal(err)
		}
	}
	plane := func(entity string) float64 {
		t.Helper()
		q := animation.StateQuery{Time: at(6)}
		q.EntityIDs, q.ModelID = []string{entity}, "site"
		all := p.states(q)
		if len(all) != 1 || all[0].Growth == nil || all[0].Growth.Plane == nil || len(all[0].Warnings) != 0 {
			t.Fatalf("%s has no plane: %+v", entity, all)
		}
		return all[0].Growth.Plane.Offset
	}
	if got := plane("low"); got != 1 {
		t.Errorf("alone the plane is at %v, not at a quarter of the entity", got)
	}
	for group, members := range map[string][]string{"yard": {"frame", "tower", "spare", "crew"}, "crews": {"crew"}} {
		if _, err := p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: group, Name: group}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.in().AddResourcesToGroup(p.ctx, group, members); err != nil {
			t.Fatal(err)
		}
	}
	for entity, want := range map[string]float64{"low": 5, "high": 5, "other": 1000} {
		if got := plane(entity); got != want {
			t.Errorf("the plane of %s is at %v, not at a quarter of its group, %v", entity, got, want)
		}
	}
}
