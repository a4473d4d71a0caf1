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
	noBinding        = refusal{kind: twinplatform.NotFound, code: "AnimationBindingNotFound", target: "animationBindingId"}
	noTransform      = refusal{kind: twinplatform.NotFound, code: "Animation3dTransformNotFound", target: "animation3dTransformId"}
	noPath           = refusal{kind: twinplatform.NotFound, code: "Animation3dPathNotFound", target: "animation3dPathId"}
	noPathAssignment = refusal{kind: twinplatform.NotFound, code: "Animation3dPathAssignmentNotFound", target: "animation3dPathAssignmentId"}
	noKeyframe       = refusal{kind: twinplatform.NotFound, code: "KeyframeNotFound", target: "keyframeId"}
)

// unmoved is the transform that moves nothing.
var unmoved = []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}

// animated makes two tasks, a resource in a group and one of everything that a binding
// can name, each called after what it is, and the binding "full" that names them all.
func (p *plan) animated() {
	p.Helper()
	p.tasks("digging", "pouring")
	p.resources("gang")
	p.uses("digging gang")
	p.profiles("profile")
	must := func(err error) {
		p.Helper()
		if err != nil {
			p.Fatal(err)
		}
	}
	_, err := p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: "convoy", Name: "Convoy"})
	must(err)
	_, err = animation.In(p.in()).CreateTransform(p.ctx, animation.NewTransform{ID: "transform", Transform: unmoved})
	must(err)
	_, err = animation.In(p.in()).CreatePath(p.ctx, animation.NewPath{ID: "path", Name: "Path"})
	must(err)
	_, err = animation.In(p.in()).CreateKeyframe(p.ctx, animation.NewKeyframe{ID: "keyframe", PathID: "path", Time: 0.5})
	must(err)
	_, err = animation.In(p.in()).CreatePathAssignment(p.ctx, animation.NewPathAssignment{ID: "along", PathID: "path"})
	must(err)
	p.bind(animation.NewBinding{
		ID: "full", AnimatedEntityID: "0x1f", TaskID: "digging", AppearanceProfileID: "profile", PathAssignmentID: "along",
		ResourceAssignmentID: "digging-gang", ResourceGroupID: "convoy", ResourceID: "gang", TransformID: "transform",
	})
}

// bind makes an animation binding.
func (p *plan) bind(n animation.NewBinding) {
	p.Helper()
	if _, err := animation.In(p.in()).CreateBinding(p.ctx, n); err != nil {
		p.Fatal(err)
	}
}

func bindingListed(b animation.Binding) (string, bool) { return b.ID, b.Deleted }

// bindings lists animation bindings, the deleted ones marked.
func (p *plan) bindings(q animation.BindingQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Binding], error) {
		q.ListOptions = o
		return animation.In(p.in()).Bindings(p.ctx, q)
	})
	return idList(all, bindingListed), delta
}

// covers: Animation (reference 1.11)
// covers: operations animationBindings.get animation3dTransforms.get animation3dPaths.get
// covers: operations animation3dPathAssignments.get keyframes.get animationStatistics.get
func TestAnimationOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.animated()
		_, err := animation.In(p.in()).UpdateKeyframe(p.ctx, "keyframe", animation.KeyframePatch{
			Position: twinplatform.Set(animation.Vector{X: 1, Y: 2.5, Z: -3}), Rotation: twinplatform.Set(animation.Rotation{Angle: 90, Z: 1}),
		})
		if err != nil {
			p.Fatal(err)
		}
		_, err = animation.In(p.in()).UpdatePathAssignment(p.ctx, "along", animation.PathAssignmentPatch{
			Center: twinplatform.Set(animation.Vector{Y: 1}), MotionStart: twinplatform.Set(0.25), ReverseDirection: twinplatform.Set(true),
		})
		if err != nil {
			p.Fatal(err)
		}
		got := make(map[string]string)
		note := func(what string, json []byte, err error) {
			p.Helper()
			if err != nil {
				p.Fatal(err)
			}
			got[what] = string(json)
		}
		binding, err := animation.In(p.in()).Binding(p.ctx, "full")
		note("binding", binding.JSON, err)
		transform, err := animation.In(p.in()).Transform(p.ctx, "transform")
		note("transform", transform.JSON, err)
		path, err := animation.In(p.in()).Path(p.ctx, "path")
		note("path", path.JSON, err)
		keyframe, err := animation.In(p.in()).Keyframe(p.ctx, "keyframe")
		note("keyframe", keyframe.JSON, err)
		assignment, err := animation.In(p.in()).PathAssignment(p.ctx, "along")
		note("path assignment", assignment.JSON, err)
		statistics, err := animation.In(p.in()).Statistics(p.ctx)
		note("statistics", statistics.JSON, err)
		want := map[string]string{
			"binding": `{"animatedEntityId":"0x1f","appearanceProfileId":"profile","deleted":false,"id":"full","pathAssignmentId":"along",` +
				`"resourceAssignmentId":"digging-gang","resourceGroupId":"convoy","resourceId":"gang","taskId":"digging","transformId":"transform"}`,
			"transform": `{"deleted":false,"id":"transform","transform":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}`,
			"path":      `{"deleted":false,"id":"path","name":"Path"}`,
			"keyframe": `{"deleted":false,"id":"keyframe","pathId":"path","position":{"x":1,"y":2.5,"z":-3},` +
				`"rotation":{"angle":90,"x":0,"y":0,"z":1},"time":0.5}`,
			"path assignment": `{"adjustForTaskPercentComplete":false,"alignment":"Center","center":{"x":0,"y":1,"z":0},"deleted":false,"id":"along",` +
				`"motionStart":0.25,"motionEnd":null,"pathId":"path","pauseDuringNonWorkingTime":false,"reverseDirection":true}`,
			"statistics": `{"animation3dPathAssignmentCount":1,"animation3dPathCount":1,"animation3dPathKeyframeCount":1,` +
				`"animation3dTransformCount":1,"animationBindingCount":1,"appearanceProfileCount":1,"taskCount":2}`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			p.Errorf("wire form (-want +got):\n%s", diff)
		}
	})
}

// covers: Animation (reference 1.11): rule what a binding names is there and stays
// covers: operations animationBindings.create animationBindings.createMany
func TestBindingNamesWhatTheScheduleHas(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.animated()
	entity := func(n animation.NewBinding) animation.NewBinding {
		n.AnimatedEntityID = "0x2f"
		if n.TaskID == "" {
			n.TaskID = "digging"
		}
		return n
	}
	for name, test := range map[string]struct {
		n    animation.NewBinding
		want refusal
	}{
		"nothing":                          {animation.NewBinding{}, invalid("MissingRequiredProperty animatedEntityId", "MissingRequiredProperty taskId")},
		"a long entity":                    {animation.NewBinding{AnimatedEntityID: strings.Repeat("x", schedules.MaxID+1), TaskID: "digging"}, invalid("InvalidValue animatedEntityId")},
		"no such task":                     {entity(animation.NewBinding{TaskID: "nothing"}), invalid("InvalidValue taskId")},
		"no such profile":                  {entity(animation.NewBinding{AppearanceProfileID: "nothing"}), invalid("InvalidValue appearanceProfileId")},
		"no such path assignment":          {entity(animation.NewBinding{PathAssignmentID: "nothing"}), invalid("InvalidValue pathAssignmentId")},
		"no such group":                    {entity(animation.NewBinding{ResourceGroupID: "nothing"}), invalid("InvalidValue resourceGroupId")},
		"no such resource":                 {entity(animation.NewBinding{ResourceID: "nothing"}), invalid("InvalidValue resourceId")},
		"no such transform":                {entity(animation.NewBinding{TransformID: "nothing"}), invalid("InvalidValue transformId")},
		"no such resource assignment":      {entity(animation.NewBinding{ResourceAssignmentID: "nothing"}), invalid("InvalidValue resourceAssignmentId")},
		"an assignment of another task":    {entity(animation.NewBinding{TaskID: "pouring", ResourceAssignmentID: "digging-gang"}), invalid("InvalidValue resourceAssignmentId").saying("'digging'")},
		"an id that another binding has":   {entity(animation.NewBinding{ID: "full"}), idTaken},
		"a resource assigned as something": {entity(animation.NewBinding{ResourceAssignmentID: "digging-gang", ResourceID: "nothing"}), invalid("InvalidValue resourceId", "InvalidValue resourceAssignmentId")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := animation.In(p.in()).CreateBinding(p.ctx, test.n)
			test.want.check(t, err)
			_, err = animation.In(p.in()).CreateBindings(p.ctx, []animation.NewBinding{{ID: "other " + name, AnimatedEntityID: "0x2f", TaskID: "digging"}, test.n})
			if err == nil {
				t.Error("it is made among others")
			}
			_, err = animation.In(p.in()).Binding(p.ctx, "other "+name)
			noBinding.check(t, err)
		})
	}
}

// covers: Animation (reference 1.11): rule what a binding names is there and stays
// covers: Animation (reference 1.11): error AppearanceProfileInUse
// covers: Animation (reference 1.11): error Animation3dTransformInUse
// covers: Animation (reference 1.11): error Animation3dPathInUse
// covers: Animation (reference 1.11): error Animation3dPathAssignmentInUse
func TestWhatABindingNamesStaysOrTakesItAlong(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.animated()
		inUse := func(code, target string) refusal {
			return refusal{kind: twinplatform.Conflict, code: code, target: target}
		}
		_, err := animation.In(p.in()).DeleteAppearanceProfile(p.ctx, "profile")
		inUse("AppearanceProfileInUse", "appearanceProfileId").check(p, err)
		_, err = animation.In(p.in()).DeleteTransform(p.ctx, "transform")
		inUse("Animation3dTransformInUse", "animation3dTransformId").check(p, err)
		_, err = animation.In(p.in()).DeletePathAssignment(p.ctx, "along")
		inUse("Animation3dPathAssignmentInUse", "animation3dPathAssignmentId").check(p, err)
		_, err = animation.In(p.in()).DeletePath(p.ctx, "path")
		inUse("Animation3dPathInUse", "animation3dPathId").check(p, err)
		_, err = p.in().DeleteResources(p.ctx, []string{"gang"})
		inUse("ResourceInUse", "resourceIds").check(p, err)

		if _, err := p.in().DeleteResourceGroups(p.ctx, []string{"convoy"}); err != nil {
			p.Fatal(err)
		}
		rec, err := animation.In(p.in()).Binding(p.ctx, "full")
		if err != nil || rec.Value.ResourceGroupID != "" {
			p.Errorf("without its group it is %+v, %v", rec.Value, err)
		}
		_, delta := p.bindings(animation.BindingQuery{})
		p.bind(animation.NewBinding{ID: "also", AnimatedEntityID: "0x2f", TaskID: "digging", ResourceID: "gang"})
		if _, err := p.in().DeleteResourceAssignments(p.ctx, []string{"digging-gang"}); err != nil {
			p.Fatal(err)
		}
		changes, delta := p.bindings(animation.BindingQuery{ListOptions: twinplatform.ListOptions{Delta: delta}})
		if changes != "also -full" {
			p.Errorf("without the assignment: %s", changes)
		}
		// No task uses the resource any more, but a binding shows it.
		_, err = p.in().DeleteResources(p.ctx, []string{"gang"})
		inUse("ResourceInUse", "resourceIds").check(p, err)
		if _, err := p.in().DeleteTasks(p.ctx, []string{"digging"}); err != nil {
			p.Fatal(err)
		}
		if changes, _ := p.bindings(animation.BindingQuery{ListOptions: twinplatform.ListOptions{Delta: delta}}); changes != "-also" {
			p.Errorf("without the task: %s", changes)
		}
		for what, remove := range map[string]func() error{
			"profile":   func() error { _, err := animation.In(p.in()).DeleteAppearanceProfile(p.ctx, "profile"); return err },
			"transform": func() error { _, err := animation.In(p.in()).DeleteTransform(p.ctx, "transform"); return err },
			"along":     func() error { _, err := animation.In(p.in()).DeletePathAssignment(p.ctx, "along"); return err },
			"gang":      func() error { _, err := p.in().DeleteResources(p.ctx, []string{"gang"}); return err },
		} {
			if err := remove(); err != nil {
				p.Errorf("%s: %v", what, err)
			}
		}
		if _, err := animation.In(p.in()).DeletePath(p.ctx, "path"); err != nil {
			p.Fatal(err)
		}
		_, err = animation.In(p.in()).Keyframe(p.ctx, "keyframe")
		noKeyframe.check(p, err)
		_, err = animation.In(p.in()).KeyframesOfPath(p.ctx, "path", animation.KeyframeQuery{})
		noPath.check(p, err)
	})
}

// covers: Animation (reference 1.11): rule startTime and endTime are given together and compared with the planned dates
// covers: operations animationBindings.list
func TestBindingsAreListedByTaskEntityAndTime(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		day := int32(86400)
		p.create(
			schedules.NewTask{ID: "a", Name: "A", Type: schedules.Work, PlannedStart: at(0), PlannedDuration: &day},
			schedules.NewTask{ID: "b", Name: "B", Type: schedules.Work, PlannedStart: at(24), PlannedDuration: &day},
			schedules.NewTask{ID: "c", Name: "C", Type: schedules.Work},
		)
		for i, task := range []string{"a", "b", "c", "a"} {
			p.bind(animation.NewBinding{ID: fmt.Sprint(task, i), AnimatedEntityID: fmt.Sprintf("0x%d", i%2), TaskID: task})
		}
		for _, test := range []struct {
			name, want string
			q          animation.BindingQuery
		}{
			{"all", "a0 a3 b1 c2", animation.BindingQuery{}},
			{"tasks", "a0 a3 c2", animation.BindingQuery{TaskIDs: []string{"c", "a", "a", "nothing"}}},
			{"entities", "a0 c2 a3 b1", animation.BindingQuery{AnimatedEntityIDs: []string{"0x1", "0x0"}}},
			{"an entity at tasks", "a3 b1", animation.BindingQuery{AnimatedEntityIDs: []string{"0x1"}, TaskIDs: []string{"a", "b", "c"}}},
			{"the first day to its very end", "a0 a3 b1", animation.BindingQuery{StartTime: at(1), EndTime: at(24)}},
			{"the first hours", "a0 a3", animation.BindingQuery{StartTime: at(1), EndTime: at(2)}},
			{"from the end of the second day", "b1", animation.BindingQuery{StartTime: at(48), EndTime: at(72)}},
			{"later", "", animation.BindingQuery{StartTime: at(49), EndTime: at(72)}},
			{"a task that is not under way", "", animation.BindingQuery{TaskIDs: []string{"b", "c"}, StartTime: at(1), EndTime: at(2)}},
		} {
			for _, top := range []int{0, 1, 2, 3, schedules.MaxTop} {
				q := test.q
				q.Top = top
				got, delta := p.bindings(q)
				if got != test.want {
					p.Errorf("%s by %d: %s, want %s", test.name, top, got, test.want)
				}
				if followed := test.name == "all"; (delta != "") != followed {
					p.Errorf("%s has the delta token %q", test.name, delta)
				}
			}
		}
		_, err := animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{StartTime: at(1)})
		invalid("MissingRequiredProperty endTime").check(p, err)
		_, err = animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{EndTime: at(1)})
		invalid("MissingRequiredProperty startTime").check(p, err)
		_, err = animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{StartTime: at(2), EndTime: at(1)})
		invalid("InvalidValue endTime").check(p, err)
		_, err = animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{TaskIDs: make([]string, schedules.MaxBatch+1)})
		invalid("InvalidValue taskIds").check(p, err)
		_, err = animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{AnimatedEntityIDs: make([]string, schedules.MaxBatch+1)})
		invalid("InvalidValue animatedEntityIds").check(p, err)
	})
}

// covers: Animation (reference 1.11): rule a transform has 16 numbers
// covers: operations animation3dTransforms.list animation3dTransforms.create animation3dTransforms.createMany
// covers: operations animation3dTransforms.update animation3dTransforms.delete
func TestTransformHasSixteenFiniteNumbers(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for name, test := range map[string]struct {
		transform []float64
		want      refusal
	}{
		"none":      {nil, invalid("MissingRequiredProperty transform")},
		"fifteen":   {make([]float64, 15), invalid("InvalidValue transform")},
		"seventeen": {make([]float64, 17), invalid("InvalidValue transform")},
		"no number": {append(make([]float64, 15), math.NaN()), invalid("InvalidValue transform")},
		"no end":    {append(make([]float64, 15), math.Inf(-1)), invalid("InvalidValue transform")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := animation.In(p.in()).CreateTransform(p.ctx, animation.NewTransform{Transform: test.transform})
			test.want.check(t, err)
		})
	}
	_, err := animation.In(p.in()).CreateTransforms(p.ctx, []animation.NewTransform{{ID: "a", Transform: unmoved}, {ID: "b", Transform: unmoved[1:]}})
	invalid("InvalidValue batch[1].transform").check(t, err)
	_, err = animation.In(p.in()).Transform(p.ctx, "a")
	noTransform.check(t, err)
	_, err = animation.In(p.in()).CreateTransforms(p.ctx, []animation.NewTransform{{ID: "a", Transform: unmoved}, {ID: "b", Transform: unmoved}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = animation.In(p.in()).UpdateTransform(p.ctx, "a", animation.TransformPatch{Transform: twinplatform.Set(unmoved[1:])})
	invalid("InvalidValue transform").check(t, err)
	if _, err := animation.In(p.in()).DeleteTransform(p.ctx, "a"); err != nil {
		t.Error(err)
	}
	all, _ := readAll(t, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Transform], error) {
		return animation.In(p.in()).Transforms(p.ctx, animation.TransformQuery{ListOptions: o})
	})
	if diff := cmp.Diff([]animation.Transform{{ID: "b", Transform: unmoved}}, all); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// covers: Animation (reference 1.11): rule the time of a keyframe is 0 to 1
// covers: operations keyframes.list keyframes.create keyframes.createMany keyframes.update keyframes.delete
// covers: operations keyframes.listOfPath
func TestKeyframesLeadAlongTheirPath(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		for _, id := range []string{"path", "other"} {
			if _, err := animation.In(p.in()).CreatePath(p.ctx, animation.NewPath{ID: id}); err != nil {
				p.Fatal(err)
			}
		}
		for name, test := range map[string]struct {
			n    animation.NewKeyframe
			want refusal
		}{
			"no path":      {animation.NewKeyframe{}, invalid("MissingRequiredProperty pathId")},
			"no such path": {animation.NewKeyframe{PathID: "nothing"}, invalid("InvalidValue pathId")},
			"before":       {animation.NewKeyframe{PathID: "path", Time: -0.1}, invalid("InvalidValue time")},
			"after":        {animation.NewKeyframe{PathID: "path", Time: 1.1}, invalid("InvalidValue time")},
			"at no time":   {animation.NewKeyframe{PathID: "path", Time: math.NaN()}, invalid("InvalidValue time")},
			"far away":     {animation.NewKeyframe{PathID: "path", Position: &animation.Vector{Y: math.Inf(1)}}, invalid("InvalidValue position.y")},
			"turned for ever": {
				animation.NewKeyframe{PathID: "path", Rotation: &animation.Rotation{Angle: math.Inf(1), X: math.NaN()}},
				invalid("InvalidValue rotation.angle", "InvalidValue rotation.x"),
			},
		} {
			_, err := animation.In(p.in()).CreateKeyframe(p.ctx, test.n)
			p.Log(name)
			test.want.check(p, err)
		}
		_, err := animation.In(p.in()).CreateKeyframes(p.ctx, []animation.NewKeyframe{
			{ID: "a", PathID: "path"}, {ID: "b", PathID: "path", Time: 1}, {ID: "c", PathID: "other"},
		})
		if err != nil {
			p.Fatal(err)
		}
		_, err = animation.In(p.in()).CreateKeyframes(p.ctx, []animation.NewKeyframe{{ID: "d", PathID: "path", Time: 0.5}, {ID: "e", PathID: "path", Time: 1.5}})
		invalid("InvalidValue batch[1].time").check(p, err)
		_, err = animation.In(p.in()).UpdateKeyframe(p.ctx, "a", animation.KeyframePatch{PathID: twinplatform.Set("other")})
		invalid("InvalidValue pathId").check(p, err)
		if _, err := animation.In(p.in()).UpdateKeyframe(p.ctx, "a", animation.KeyframePatch{Time: twinplatform.Set(0.5)}); err != nil {
			p.Fatal(err)
		}
		keyframes := func(o twinplatform.ListOptions) (twinplatform.Page[animation.Keyframe], error) {
			return animation.In(p.in()).KeyframesOfPath(p.ctx, "path", animation.KeyframeQuery{ListOptions: o})
		}
		keyframeListed := func(k animation.Keyframe) (string, bool) { return fmt.Sprint(k.ID, k.Time), k.Deleted }
		all, delta := readAll(p, twinplatform.ListOptions{}, keyframes)
		if got := idList(all, keyframeListed); got != "a0.5 b1" {
			p.Errorf("the path has %s", got)
		}
		if _, err := animation.In(p.in()).DeleteKeyframe(p.ctx, "b"); err != nil {
			p.Fatal(err)
		}
		all, _ = readAll(p, twinplatform.ListOptions{Delta: delta}, keyframes)
		if got := idList(all, keyframeListed); got != "-b1" {
			p.Errorf("the delta lists %s", got)
		}
		every, err := animation.In(p.in()).Keyframes(p.ctx, animation.KeyframeQuery{})
		if err != nil || every.Len() != 2 {
			p.Errorf("all paths have %d, %v", every.Len(), err)
		}
	})
}

func TestPathAssignmentThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.animated()
	share := func(v float64) *float64 { return &v }
	for name, test := range map[string]struct {
		n    animation.NewPathAssignment
		want refusal
	}{
		"no path":      {animation.NewPathAssignment{}, invalid("MissingRequiredProperty pathId")},
		"no such path": {animation.NewPathAssignment{PathID: "nothing"}, invalid("InvalidValue pathId")},
		"no alignment": {animation.NewPathAssignment{PathID: "path", Alignment: "Left"}, invalid("InvalidValue alignment")},
		"no center":    {animation.NewPathAssignment{PathID: "path", Center: &animation.Vector{X: math.NaN()}}, invalid("InvalidValue center.x")},
		"begins early": {animation.NewPathAssignment{PathID: "path", MotionStart: share(-1)}, invalid("InvalidValue motionStart")},
		"ends late":    {animation.NewPathAssignment{PathID: "path", MotionEnd: share(101)}, invalid("InvalidValue motionEnd")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := animation.In(p.in()).CreatePathAssignment(p.ctx, test.n)
			test.want.check(t, err)
		})
	}
}

// covers: Path alignments
// covers: operations animation3dPaths.list animation3dPaths.create animation3dPaths.update
// covers: operations animation3dPaths.delete animation3dPathAssignments.list animation3dPathAssignments.create
// covers: operations animation3dPathAssignments.update animation3dPathAssignments.delete
func TestPathsAndTheirAssignmentsAreListedAndChanged(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.animated()
		if _, err := animation.In(p.in()).CreatePath(p.ctx, animation.NewPath{ID: "other", Name: "Other"}); err != nil {
			p.Fatal(err)
		}
		for _, alignment := range []animation.PathAlignment{"Center", "Custom", "Original", "MinX", "MinY", "MinZ", "MaxX", "MaxY", "MaxZ"} {
			res, err := animation.In(p.in()).CreatePathAssignment(p.ctx, animation.NewPathAssignment{ID: string(alignment), PathID: "other", Alignment: alignment})
			if err != nil || res.Value().Alignment != alignment {
				p.Errorf("%s: %+v, %v", alignment, res.Records, err)
			}
		}
		page, err := animation.In(p.in()).PathAssignments(p.ctx, animation.PathAssignmentQuery{PathID: "other"})
		if err != nil || page.Len() != 9 {
			p.Errorf("%d assignments, %v", page.Len(), err)
		}
		if _, err := animation.In(p.in()).DeletePathAssignment(p.ctx, "MinX"); err != nil {
			p.Fatal(err)
		}
		_, err = animation.In(p.in()).PathAssignment(p.ctx, "MinX")
		noPathAssignment.check(p, err)
		if _, err := animation.In(p.in()).UpdatePath(p.ctx, "other", animation.PathPatch{Name: twinplatform.Null[string]()}); err != nil {
			p.Fatal(err)
		}
		paths, err := animation.In(p.in()).Paths(p.ctx, animation.PathQuery{Name: "PATH"})
		if err != nil || paths.Len() != 1 {
			p.Errorf("%d paths, %v", paths.Len(), err)
		}
	})
}

// covers: operations animationBindings.update animationBindings.delete animationBindings.deleteMany
func TestBindingsAreChangedAndDeleted(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.animated()
		p.bind(animation.NewBinding{ID: "plain", AnimatedEntityID: "0x2f", TaskID: "pouring"})
		_, err := animation.In(p.in()).UpdateBinding(p.ctx, "full", animation.BindingPatch{TaskID: twinplatform.Set("pouring")})
		invalid("InvalidValue resourceAssignmentId").check(p, err)
		res, err := animation.In(p.in()).UpdateBinding(p.ctx, "full", animation.BindingPatch{
			TaskID: twinplatform.Set("pouring"), ResourceAssignmentID: twinplatform.Null[string](), TransformID: twinplatform.Null[string](), AnimatedEntityID: twinplatform.Set("0x3f"),
		})
		want := animation.Binding{
			ID: "full", AnimatedEntityID: "0x3f", TaskID: "pouring", AppearanceProfileID: "profile", PathAssignmentID: "along", ResourceGroupID: "convoy", ResourceID: "gang",
		}
		if err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff(want, res.Value()); diff != "" {
			p.Errorf("became (-want +got):\n%s", diff)
		}
		_, err = animation.In(p.in()).DeleteBindings(p.ctx, []string{"full", "nothing"})
		refusal{kind: twinplatform.NotFound, code: "AnimationBindingNotFound", target: "animationBindingIds"}.check(p, err)
		if _, err := animation.In(p.in()).DeleteBindings(p.ctx, []string{"full", "plain"}); err != nil {
			p.Fatal(err)
		}
		if got, _ := p.bindings(animation.BindingQuery{}); got != "" {
			p.Errorf("left: %s", got)
		}
	})
}

// covers: Animation (reference 1.11): rule what moves objects is made in v10 schedules
func TestAnimationIsOfV10Schedules(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.id = "old"
	p.schedule(schedules.NewSchedule{ID: "old", Name: "Old", TwinID: "twin", Type: schedules.V65})
	for _, c := range writesOfAnimation {
		p.Log(c.name)
		notOfV65.check(t, c.do(p.ctx, p.svc, "old"))
	}
	rec, err := animation.In(p.in()).Statistics(p.ctx)
	if err != nil || rec.Value != (animation.Statistics{}) {
		t.Errorf("%+v, %v", rec.Value, err)
	}
}
