package animated_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

var monday = worktime.Date(2026, time.May, 4, 0, 0, 0)

// day is so many days behind the Monday on which all begins.
func day(n float64) worktime.Time { return monday + worktime.Time(n*worktime.Day) }

// unit is the box from (0, 0, 0) to (1, 1, 1).
var unit = gltf.Box{Max: [3]float64{1, 1, 1}}

// bytesOf is what a draft is written as.
func bytesOf(t testing.TB, d *gltf.Draft) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// written is the model of a draft.
func written(t testing.TB, d *gltf.Draft) *gltf.Model {
	t.Helper()
	m, err := gltf.Read(bytes.NewReader(bytesOf(t, d)), gltf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// named returns the entity of a node by its name.
func named(m *gltf.Model) func(int) string { return func(i int) string { return m.Nodes[i].Name } }

// wall is a model of one node, Wall, that is 2 wide, 3 high and 1 deep.
func wall(t testing.TB) *gltf.Model {
	d := gltf.NewDraft()
	d.Show(d.AddNode(gltf.NewNode{Name: "Wall", TRS: gltf.Rest, Mesh: d.AddBlock("block", gltf.Box{Max: [3]float64{2, 3, 1}}, d.AddMaterial(json.RawMessage(`{"name":"brick"}`)))}))
	return written(t, d)
}

// site is one task of four days that an entity shows.
func site(m *gltf.Model, p fourd.Profile) *fourd.Site {
	p.ID = "p"
	return &fourd.Site{
		Tasks:    []fourd.Task{{ID: "A100", Planned: fourd.Span{Start: day(2), Finish: day(6)}}},
		Bindings: []fourd.Binding{{ID: "b", EntityID: "Wall", TaskID: "A100", ProfileID: "p"}},
		Profiles: []fourd.Profile{p}, Box: animated.Boxes(m, named(m)),
	}
}

func timeline(t testing.TB, s *fourd.Site) *fourd.Timeline {
	t.Helper()
	line, err := fourd.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// play writes a model, and opens what was written.
func play(t testing.TB, m *gltf.Model, line *fourd.Timeline, o animated.Options) (*film, *animated.Report) {
	t.Helper()
	if o.Entity == nil {
		o.Entity = named(m)
	}
	var b bytes.Buffer
	report, err := animated.Write(t.Context(), &b, m, line, o)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, b.Bytes()), report
}

func TestANodeAppearsWhenItsTaskStartsAndGrowsUpUntilItFinishes(t *testing.T) {
	t.Parallel()
	m := wall(t)
	line := timeline(t, site(m, fourd.Profile{
		Action: fourd.Install, Active: &fourd.ActiveLook{Color: "#00ff00", OriginalTransparency: true, Growth: &fourd.GrowthRule{Mode: fourd.BottomTop}},
		End: &fourd.Look{OriginalTransparency: true},
	}))
	f, report := play(t, m, line, animated.Options{From: day(0), To: day(10), Day: time.Second})
	if report.Entities != 1 || report.Nodes != 1 || report.Played != 10*time.Second || len(report.Warnings) > 0 {
		t.Errorf("%+v", report)
	}
	for at, want := range map[float64][]drawn{
		1:   nil,
		3:   {{gltf.Box{Max: [3]float64{2, 0.75, 1}}, [4]float64{0, 1, 0, 1}}},
		5:   {{gltf.Box{Max: [3]float64{2, 2.25, 1}}, [4]float64{0, 1, 0, 1}}},
		6.5: {{gltf.Box{Max: [3]float64{2, 3, 1}}, [4]float64{1, 1, 1, 1}}},
		99:  {{gltf.Box{Max: [3]float64{2, 3, 1}}, [4]float64{1, 1, 1, 1}}},
	} {
		if diff := cmp.Diff(want, f.at(at), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
			t.Errorf("at %v s (-want +got)\n%s", at, diff)
		}
	}
	if diff := cmp.Diff(f.at(99), f.still(), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("what stands still is not the end (-want +got)\n%s", diff)
	}
	var extras struct {
		From, To      string
		SecondsPerDay float64
		Dates         []struct {
			Time float64
			Date string
		}
	}
	if err := json.Unmarshal(f.Animations[0].Extras, &extras); err != nil {
		t.Fatal(err)
	}
	if extras.From != "2026-05-04T00:00:00" || extras.To != "2026-05-14T00:00:00" || len(extras.Dates) != 11 || extras.Dates[3].Date != "2026-05-07" || extras.Dates[3].Time != 3 {
		t.Errorf("%+v", extras)
	}
	if !strings.Contains(f.text, `{"time":2,"date":"2026-05-06T00:00:00","present":true,"task":"A100","phase":"During"}`) {
		t.Errorf("the node does not say when: %s", f.text)
	}
}

func TestEveryActionShowsANodeWhenItSays(t *testing.T) {
	t.Parallel()
	for action, want := range map[fourd.Action][3]bool{
		fourd.Install: {false, true, true}, fourd.Remove: {true, true, false}, fourd.Temporary: {false, true, false},
		fourd.Maintain: {true, true, true},
	} {
		m := wall(t)
		f, _ := play(t, m, timeline(t, site(m, fourd.Profile{Action: action})), animated.Options{From: day(0), To: day(8), Day: time.Second})
		got := [3]bool{len(f.at(1)) > 0, len(f.at(4)) > 0, len(f.at(7)) > 0}
		if got != want {
			t.Errorf("%s: %v, want %v", action, got, want)
		}
	}
}

func TestTransparencyComesAndGoesWithItsTask(t *testing.T) {
	t.Parallel()
	m := wall(t)
	f, _ := play(t, m, timeline(t, site(m, fourd.Profile{
		Action: fourd.Maintain, Active: &fourd.ActiveLook{StartTransparency: 100, FinishTransparency: 20},
	})), animated.Options{From: day(0), To: day(8), Day: time.Second})
	for at, alpha := range map[float64]float64{1: 1, 2.01: 0.002, 4: 0.4, 5.99: 0.798, 7: 1} {
		if got := f.at(at); len(got) != 1 || math.Abs(got[0].Color[3]-alpha) > 1e-4 {
			t.Errorf("at %v s: %+v, want %v", at, got, alpha)
		}
	}
	f.withoutPointers()
	if got := f.at(3); len(got) != 1 || got[0].Color[3] != 0.4 {
		t.Errorf("a viewer that plays no pointers shows %+v", got)
	}
}

func TestANodeWithoutATaskStaysAsItIs(t *testing.T) {
	t.Parallel()
	d := gltf.NewDraft()
	mesh := d.AddBlock("block", unit, gltf.None)
	d.Show(d.AddNode(gltf.NewNode{Name: "Tree", TRS: gltf.Rest, Mesh: mesh}))
	m := written(t, d)
	line := timeline(t, site(m, fourd.Profile{Action: fourd.Install}))
	f, report := play(t, m, line, animated.Options{})
	if report.Entities != 0 || len(f.Animations) != 0 || len(f.still()) != 1 {
		t.Errorf("%+v, %+v", report, f.still())
	}
}

// A storey is a group of walls. Its slab shows it, and one of its walls shows another task; the other goes with it.
func TestPartsThatShowOtherTasksDoNotGoWithWhatTheyAreIn(t *testing.T) {
	t.Parallel()
	d := gltf.NewDraft()
	mesh := d.AddBlock("block", unit, gltf.None)
	at := func(x float64) gltf.TRS {
		trs := gltf.Rest
		trs.Translation[0] = x
		return trs
	}
	early := d.AddNode(gltf.NewNode{Name: "early", TRS: at(10), Mesh: mesh})
	part := d.AddNode(gltf.NewNode{Name: "part", TRS: at(20), Mesh: mesh})
	d.Show(d.AddNode(gltf.NewNode{Name: "storey", TRS: at(100), Mesh: mesh, Children: []int{early, part}}))
	m := written(t, d)
	line := timeline(t, &fourd.Site{
		Tasks: []fourd.Task{
			{ID: "1", Planned: fourd.Span{Start: day(1), Finish: day(2)}}, {ID: "2", Planned: fourd.Span{Start: day(3), Finish: day(4)}},
		},
		Bindings: []fourd.Binding{{ID: "1", EntityID: "early", TaskID: "1", ProfileID: "p"}, {ID: "2", EntityID: "storey", TaskID: "2", ProfileID: "p"}},
		Profiles: []fourd.Profile{{ID: "p", Action: fourd.Install, Active: &fourd.ActiveLook{Color: "#ff0000", OriginalTransparency: true}}},
	})
	f, report := play(t, m, line, animated.Options{From: day(0), To: day(5), Day: time.Second})
	if report.Entities != 2 || report.Nodes != 2 {
		t.Errorf("%+v", report)
	}
	white, red := [4]float64{1, 1, 1, 1}, [4]float64{1, 0, 0, 1}
	block := func(x float64, color [4]float64) drawn {
		return drawn{gltf.Box{Min: [3]float64{x, 0, 0}, Max: [3]float64{x + 1, 1, 1}}, color}
	}
	for at, want := range map[float64][]drawn{
		0.5: nil, 1.5: {block(110, red)}, 2.5: {block(110, white)}, 3.5: {block(100, red), block(110, white), block(120, red)},
		4.5: {block(100, white), block(110, white), block(120, white)},
	} {
		if diff := cmp.Diff(want, f.at(at), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
			t.Errorf("at %v s (-want +got)\n%s", at, diff)
		}
	}
}

func TestOptionsThatContradictThemselvesAreRefused(t *testing.T) {
	t.Parallel()
	m := wall(t)
	line := timeline(t, site(m, fourd.Profile{Action: fourd.Install}))
	for text, o := range map[string]animated.Options{
		"they say of no node what it shows":           {},
		"a day takes -1s":                             {Entity: named(m), Day: -time.Second},
		"from 2026-05-07T00:00:00 to 2026-05-05":      {Entity: named(m), From: day(3), To: day(1)},
		"the 4 days from 2026-05-06T00:00:00 to 2026": {Entity: named(m), Day: 10 * time.Hour},
	} {
		_, err := animated.Write(t.Context(), &bytes.Buffer{}, m, line, o)
		if !errors.Is(err, animated.ErrOptions) || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want one with %q", err, text)
		}
	}
}

// A transform that shears cannot be animated, nor can anything within what is scaled unequally and turned.
func TestWhatGLTFCannotAnimateIsWarnedOf(t *testing.T) {
	t.Parallel()
	m := wall(t)
	s := site(m, fourd.Profile{Action: fourd.Install})
	s.Transforms = []fourd.Transform{{ID: "t", Matrix: fourd.Matrix{1, 0.5, 0, 7, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}
	s.Bindings[0].TransformID = "t"
	_, report := play(t, m, timeline(t, s), animated.Options{})
	if fmt.Sprint(report.Warnings) != "[{node 0 Its transform shears or flattens it, which glTF cannot animate: it is put nearly there.}]" {
		t.Errorf("%q", report.Warnings)
	}
	d := gltf.NewDraft()
	child := d.AddNode(gltf.NewNode{Name: "Wall", TRS: gltf.Rest, Mesh: d.AddBlock("block", unit, gltf.None)})
	d.Show(d.AddNode(gltf.NewNode{TRS: gltf.TRS{Rotation: gltf.Toward(gltf.Unit([3]float64{1, 2, 3})), Scale: [3]float64{1, 2, 1}}, Mesh: gltf.None, Children: []int{child}}))
	m = written(t, d)
	line := timeline(t, site(m, fourd.Profile{Action: fourd.Install, Active: &fourd.ActiveLook{Growth: &fourd.GrowthRule{Mode: fourd.BottomTop}}}))
	f, report := play(t, m, line, animated.Options{Day: time.Second, From: day(0)})
	if fmt.Sprint(report.Warnings) != "[{node 0 What it is in is scaled unequally and turned: it neither grows nor moves.}]" || len(f.at(3)) != 1 || len(f.at(1)) != 0 {
		t.Errorf("%q, %v", report.Warnings, f.at(3))
	}
}

// TestAPlayerShowsWhatTheTimelineSays plays random sites, and compares each corner of each block with where the timeline
// puts it.
func TestAPlayerShowsWhatTheTimelineSays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := random{rand.New(rand.NewPCG(seed, 7))}
		m := r.model(t)
		line := timeline(t, r.site(m))
		original := open(t, bytesOf(t, m.Draft()))
		from, to := day(r.Float64()*3), day(5+r.Float64()*10)
		f, report := play(t, m, line, animated.Options{From: from, To: to, Day: time.Second})
		for range 60 {
			at := from + worktime.Time(r.Float64()*float64(to-from))
			if near(line, at) {
				continue
			}
			want := expected(m, original, line, at)
			if diff := cmp.Diff(want, f.at(float64(at-from)/worktime.Day), cmpopts.EquateApprox(0, 0.02)); diff != "" {
				t.Fatalf("seed %d at %v, %v (-want +got)\n%s", seed, at, report.Warnings, diff)
			}
		}
	}
}

// TestOtherPlayersGetRandomSites writes random sites, what is to be seen of them at ten moments, and their objects by
// themselves, for the players of others: into the folder that ANIMATED_SITES names.
func TestOtherPlayersGetRandomSites(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("ANIMATED_SITES")
	if folder == "" {
		t.Skip("bash .ci/run models plays them")
	}
	for seed := range uint64(20) {
		r := random{rand.New(rand.NewPCG(seed, 9))}
		m := r.model(t)
		line := timeline(t, r.site(m))
		var b bytes.Buffer
		if _, err := animated.Write(t.Context(), &b, m, line, animated.Options{Entity: named(m), From: day(0), To: day(12), Day: time.Second}); err != nil {
			t.Fatal(err)
		}
		type moment struct {
			Time float64
			Seen []drawn
		}
		original, moments := open(t, bytesOf(t, m.Draft())), []moment{}
		for len(moments) < 10 {
			if at := day(12 * r.Float64()); !near(line, at) {
				moments = append(moments, moment{float64(at-day(0)) / worktime.Day, expected(m, original, line, at)})
			}
		}
		objects := m.Objects()
		for i := range m.Nodes {
			b, err := objects.GLB(i, gltf.MaxBytes)
			if err := errors.Join(err, os.WriteFile(filepath.Join(folder, fmt.Sprintf("object%d-%d.glb", seed, i)), b, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(moments)
		name := filepath.Join(folder, fmt.Sprint("random", seed))
		if err := errors.Join(err, os.WriteFile(name+".glb", b.Bytes(), 0o644), os.WriteFile(name+".json", text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// near reports whether something changes so near to a time that the times of files cannot tell them apart.
func near(line *fourd.Timeline, at worktime.Time) bool {
	for i := range line.Len() {
		for m := range line.Moments(i) {
			if m.Time-30 < at && at < m.Time+30 {
				return true
			}
		}
	}
	return false
}
