package transform_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// plant is a source model with parts of several kinds, a target and a configuration.
type plant struct {
	*world
	n      int
	conf   string
	target string
}

func newPlant(t *testing.T) *plant { return &plant{world: newWorld(t)} }

func (p *plant) targetModel() string { return cmp.Or(p.target, "target-model") }

// configure makes a view of the source as it is now and a configuration of it.
func (p *plant) configure(view models.View, mode transform.ViewMode) {
	p.T.Helper()
	p.n++
	id := fmt.Sprint("view-", p.n)
	if _, err := p.Models().CreateSavedView(p.T.Context(), models.NewSavedView{ID: id, ModelID: "source-model", DisplayName: id, Shared: true, View: view}); err != nil {
		p.T.Fatal(err)
	}
	n := wanted()
	n.TransformParameters = &transform.NewParameters{SavedViewID: id, ViewMode: mode}
	res, err := p.CreateConfiguration(p.T.Context(), n)
	if err != nil {
		p.T.Fatal(err)
	}
	p.conf = res.Value().ID
}

// run runs the configuration to its end.
func (p *plant) run() transform.Transformation {
	p.T.Helper()
	res, err := p.RunTransformation(p.T.Context(), transform.NewTransformation{ConfigurationID: p.conf})
	if err != nil {
		p.T.Fatal(err)
	}
	v := res.Value()
	if v.Status != transform.Succeeded {
		p.T.Fatalf("%+v", v)
	}
	return v
}

// content is what of the target comes from elements of the source: by their ids, those
// that are cleared marked.
func (p *plant) content() map[string]string {
	p.T.Helper()
	out := map[string]string{}
	for id, e := range p.AllElements(p.targetModel(), models.ElementQuery{}) {
		_, from, ours := strings.Cut(id, ".")
		if !ours {
			continue
		}
		whole, err := p.Models().Element(p.T.Context(), p.targetModel(), id, "")
		if err != nil {
			p.T.Fatal(err)
		}
		props, _ := json.Marshal(e.Properties)
		out[from] = fmt.Sprintf("%s %s %s %s", e.Class, whole.Value.Geometry, props, strings.ReplaceAll(string(e.ParentID+","+e.ScopeID), prefixIn(id), ""))
	}
	return out
}

func prefixIn(id string) string {
	prefix, _, _ := strings.Cut(id, ".")
	return prefix + "."
}

func (p *plant) holds(want map[string]string) {
	p.T.Helper()
	if diff := gocmp.Diff(want, p.content(), cmpopts.EquateEmpty()); diff != "" {
		p.T.Error(diff)
	}
}

func part(id, category, parent, scope string) models.NewElement {
	return models.NewElement{
		ID: id, Class: "Part", Category: twinplatform.NullString(category), ParentID: twinplatform.NullString(parent), ScopeID: twinplatform.NullString(scope),
		Geometry: twinplatform.Set([]byte("shape of " + id)), Properties: models.ElementProperties{"Mark": id, "Note": "x"}, MandatoryProperties: []string{"Mark"},
	}
}

func whole(id, above string) string {
	return fmt.Sprintf(`Part shape of %s {"Mark":"%s","Note":"x"} %s`, id, id, above)
}
func cleared(id, above string) string { return fmt.Sprintf(`Part  {"Mark":"%s"} %s`, id, above) }

// "Running the transformation later updates the target: filtered-out geometry is
// removed and newly visible geometry is inserted." "Ancestors of visible child elements
// and scoping ancestors of visible elements are kept, with geometry and other
// non-mandatory properties cleared.".
//
// covers: operations transformations.create
func TestRunFiltersBySavedViewAndLaterRunsFollowTheSource(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.Change(models.NewChangeset{Inserted: []models.NewElement{
		part("floor", "slabs", "", ""), part("wall", "walls", "floor", ""), part("door", "doors", "wall", "catalog"), part("catalog", "", "", "library"),
		part("library", "", "", ""), part("roof", "slabs", "", ""),
	}})
	p.configure(models.View{HiddenCategories: []string{"slabs", "walls"}}, transform.IncludeNewContent)
	first := p.run()
	p.holds(map[string]string{
		"door": whole("door", "wall,catalog"), "wall": cleared("wall", "floor,"), "floor": cleared("floor", ","),
		"catalog": cleared("catalog", ",library"), "library": cleared("library", ","),
	})
	if first.TotalElementCount != 6 || first.ProcessedElementCount != 6 || !first.Report.Full || first.Report.InsertedCount != 7 {
		t.Errorf("the first run: %+v", first)
	}
	p.Change(models.NewChangeset{
		Updated: []models.ElementUpdate{models.ElementUpdate(part("door", "walls", "wall", "")), models.ElementUpdate(part("wall", "doors", "floor", ""))},
		Deleted: []string{"roof"},
	})
	second := p.run()
	p.holds(map[string]string{"wall": whole("wall", "floor,"), "floor": cleared("floor", ",")})
	if second.TotalElementCount != 3 || second.Report.Full || second.Report.DeletedCount != 3 {
		t.Errorf("the second run: %+v", second)
	}
	before := p.Keys("model-")
	third := p.run()
	if third.TargetChangeSetID != "" || third.TotalElementCount != 0 || p.Keys("model-") != before {
		t.Errorf("nothing has changed, and the run made %+v", third)
	}
}

func TestRunMakesOneChangesetWithTheCommentAndItsOrigin(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	guid := part("beam", "beams", "", "")
	guid.FederationGUID = "8f2c4d10-6a41-4c4e-9d0a-2f9f0b7f8a11"
	source := p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", ""), guid}})
	p.configure(models.View{}, "")
	done := p.run()
	page, err := p.Models().Changesets(t.Context(), "target-model", models.ChangesetQuery{})
	all, _ := page.Values()
	if err != nil || len(all) != 1 || all[0].ID != string(done.TargetChangeSetID) || all[0].Description != "only what is visible" || all[0].InsertedCount != 4 {
		t.Errorf("the target has the changesets %+v, %v", all, err)
	}
	aspects := map[string][]models.Aspect{}
	for id, e := range p.AllElements("target-model", models.ElementQuery{}) {
		_, name, _ := strings.Cut(strings.ReplaceAll(id, ":", "."), ".")
		for _, a := range e.Aspects {
			if _, a.SourceID, _ = strings.Cut(a.SourceID, ":"); a.Filter != "" {
				a.Filter = "set"
			}
			aspects[name] = append(aspects[name], a)
		}
		if name == "repository" && (e.Class != transform.RepositoryLinkClass || e.Properties["modelId"] != "source-model" || e.Properties["projectId"] != "source") {
			t.Errorf("the repository link is %+v", e)
		}
	}
	want := map[string][]models.Aspect{
		"source": {{Kind: "Scope", SourceID: "source", Identifier: "source-model", Version: source.ID, Filter: "set"}},
		"wall":   {{Kind: "Element", SourceID: "source", Identifier: "wall"}},
	}
	if diff := gocmp.Diff(want, aspects); diff != "" {
		t.Error(diff)
	}
	events := p.Events()
	last := events[len(events)-1]
	if want := fmt.Sprintf(`transformations.jobCompleted.v1 target {"configurationId":"%s","sourceTwinId":"source","status":"Succeeded","targetModelId":"target-model",`+
		`"targetTwinId":"target","transformType":"FilterBySavedView","transformationId":"%s"}`, p.conf, done.ID); last != want {
		t.Errorf("the last event is %s, want %s", last, want)
	}
}

func TestViewModeDecidesOnWhatIsNewerThanTheView(t *testing.T) {
	t.Parallel()
	for mode, want := range map[transform.ViewMode]map[string]string{
		transform.IncludeNewContent: {
			"old": whole("old", ","), "new": whole("new", ","), "of a new category": whole("of a new category", ","),
		},
		transform.FilterContent: {"old": whole("old", ",")},
	} {
		p := newPlant(t)
		p.Change(models.NewChangeset{Inserted: []models.NewElement{part("old", "walls", "", ""), part("old hidden", "doors", "", "")}})
		p.configure(models.View{ShownCategories: []string{"walls"}, HiddenCategories: []string{"doors"}}, mode)
		p.Change(models.NewChangeset{Inserted: []models.NewElement{
			part("new", "walls", "", ""), part("of a new category", "roofs", "", ""), part("new hidden", "doors", "", ""),
		}})
		p.run()
		p.holds(want)
	}
}

func TestWhatOthersPutIntoTheTargetStays(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.Change(models.NewChangeset{Inserted: []models.NewElement{part("wall", "walls", "", ""), part("door", "doors", "", "")}})
	p.configure(models.View{}, "")
	p.run()
	wall := ""
	for id := range p.AllElements("target-model", models.ElementQuery{}) {
		if strings.HasSuffix(id, ".wall") {
			wall = id
		}
	}
	_, err := p.Models().CreateChangeset(t.Context(), "target-model", models.NewChangeset{Inserted: []models.NewElement{part("mine", "walls", "", ""), part("below", "walls", wall, "")}})
	if err != nil {
		t.Fatal(err)
	}
	p.Change(models.NewChangeset{Deleted: []string{"wall", "door"}})
	p.run()
	p.holds(map[string]string{"wall": cleared("wall", ",")})
	for _, id := range []string{"mine", "below"} {
		if e, err := p.Models().Element(t.Context(), "target-model", id, ""); err != nil || string(e.Value.Geometry) != "shape of "+id {
			t.Errorf("%s is %+v, %v", id, e.Value, err)
		}
	}
}

// visible is the reference rule: what a view shows of a model at all.
func visible(v models.View, mode transform.ViewMode, madeAt, created int, e models.NewElement) bool {
	in := func(list []string, id twinplatform.NullString) bool { return slices.Contains(list, string(id)) }
	override := ""
	for _, o := range v.CategoryOverrides {
		if o.Category == string(e.Category) && o.SubModelID == string(e.SubModelID) {
			override = fmt.Sprint(o.Visible)
		}
	}
	hidden := in(v.HiddenModels, e.SubModelID) || override == "false" || override == "" && in(v.HiddenCategories, e.Category)
	shown := override == "true" || len(v.ShownCategories) == 0 || in(v.ShownCategories, e.Category)
	switch {
	case e.Category == "" || slices.Contains(v.NeverDrawn, e.ID):
		return false
	case slices.Contains(v.AlwaysDrawn, e.ID):
		return true
	case hidden || created > madeAt:
		return !hidden && mode != transform.FilterContent
	}
	return !v.Exclusive && shown && (e.SubModelID == "" || len(v.ShownModels) == 0 || in(v.ShownModels, e.SubModelID))
}

// reference is what the target has to hold: an element is there if and only if it is
// visible, or above one that is.
func reference(v models.View, mode transform.ViewMode, madeAt int, created map[string]int, all map[string]models.NewElement) map[string]string {
	out := map[string]string{}
	var keep func(id string)
	keep = func(id string) {
		e, ok := all[id]
		if _, done := out[id]; done || !ok {
			return
		}
		text := func(show bool) string {
			props, geometry := models.ElementProperties{}, []byte{}
			if show {
				props, geometry = e.Properties, e.Geometry.Or(nil)
			}
			b, _ := json.Marshal(props)
			return fmt.Sprintf("%s %s %s %s", e.Class, geometry, b, e.ParentID+","+e.ScopeID)
		}
		out[id] = text(visible(v, mode, madeAt, created[id], e))
		keep(string(e.ParentID))
		keep(string(e.ScopeID))
	}
	for id, e := range all {
		if visible(v, mode, madeAt, created[id], e) {
			keep(id)
		}
	}
	return out
}

// history is one that transformations follow.
type history struct{ *modelstest.History }

func (h history) pick(n int, of func(int) string) (out []string) {
	for i := range n {
		if h.R.IntN(3) == 0 {
			out = append(out, of(i))
		}
	}
	return out
}

func (h history) view() models.View {
	category := func(i int) string { return fmt.Sprint("c", i) }
	element := func(i int) string { return fmt.Sprintf("0x%x", i) }
	v := models.View{HiddenCategories: h.pick(3, category), Exclusive: h.R.IntN(6) == 0}
	if h.R.IntN(2) == 0 {
		v.ShownCategories = h.pick(3, category)
	}
	if h.R.IntN(2) == 0 {
		v.AlwaysDrawn, v.NeverDrawn = h.pick(24, element), h.pick(24, element)
	}
	for _, m := range []string{"m0", "m1"} {
		switch h.R.IntN(4) {
		case 0:
			v.HiddenModels = append(v.HiddenModels, m)
		case 1:
			v.CategoryOverrides = append(v.CategoryOverrides, models.CategoryOverride{Category: category(h.R.IntN(3)), SubModelID: m, Visible: h.R.IntN(2) == 0})
		case 2:
			v.ShownModels = append(v.ShownModels, m)
		}
	}
	return v
}

func TestIncrementalRunsEndInTheTargetOfOneFreshRunAndOfTheReference(t *testing.T) {
	t.Parallel()
	seeds := uint64(30)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		h := history{modelstest.NewHistory(t, seed)}
		for range h.R.IntN(4) {
			h.Step()
		}
		p := &plant{world: worldOf(h.World), n: int(seed)}
		view, mode, madeAt := h.view(), []transform.ViewMode{transform.IncludeNewContent, transform.FilterContent}[h.R.IntN(2)], len(h.Made)
		p.configure(view, mode)
		for range 5 {
			for range h.R.IntN(3) {
				h.Step()
			}
			p.run()
			created := map[string]int{}
			for id, e := range p.AllElements("source-model", models.ElementQuery{}) {
				created[id] = e.CreatedIndex
			}
			if diff := gocmp.Diff(reference(view, mode, madeAt, created, h.Now), p.content(), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d, after %d changesets, by %+v %s (-reference +target): %s", seed, len(h.Made), view, mode, diff)
			}
		}
		incremental := p.content()
		again := p.run()
		if again.TargetChangeSetID != "" {
			t.Errorf("seed %d: a run without a change made a changeset", seed)
		}
		fresh := &plant{world: worldOf(h.World), n: p.n, conf: p.conf}
		fresh.into("fresh-model")
		if diff := gocmp.Diff(incremental, fresh.content()); diff != "" {
			t.Errorf("seed %d (-incremental +fresh): %s", seed, diff)
		}
	}
}

// into runs the configuration again into another model of the target project, and looks
// at that from then on.
func (p *plant) into(modelID string) {
	p.T.Helper()
	if _, err := p.Models().CreateModel(p.T.Context(), models.NewModel{ID: modelID, TwinID: "target", DisplayName: modelID}); err != nil {
		p.T.Fatal(err)
	}
	conf, err := p.Configuration(p.T.Context(), p.conf)
	if err != nil {
		p.T.Fatal(err)
	}
	n := wanted()
	n.TargetModelID = modelID
	n.TransformParameters = &transform.NewParameters{SavedViewID: conf.Value.References.SavedViewID, ViewMode: conf.Value.TransformParameters.ViewMode}
	res, err := p.CreateConfiguration(p.T.Context(), n)
	if err != nil {
		p.T.Fatal(err)
	}
	p.conf = res.Value().ID
	p.run()
	p.target = modelID
}

func TestRunFollowsAChangesetThatTurnsAHierarchyUpsideDown(t *testing.T) {
	t.Parallel()
	for _, mode := range []transform.ViewMode{transform.IncludeNewContent, transform.FilterContent} {
		p := newPlant(t)
		p.Change(models.NewChangeset{Inserted: []models.NewElement{
			part("floor", "slabs", "", ""), part("wall", "walls", "floor", ""), part("door", "doors", "wall", "wall"), part("knob", "doors", "door", ""),
		}})
		p.configure(models.View{}, mode)
		p.run()
		p.holds(map[string]string{
			"floor": whole("floor", ","), "wall": whole("wall", "floor,"), "door": whole("door", "wall,wall"), "knob": whole("knob", "door,"),
		})
		p.Change(models.NewChangeset{Updated: []models.ElementUpdate{
			models.ElementUpdate(part("floor", "slabs", "wall", "knob")), models.ElementUpdate(part("wall", "walls", "door", "")),
			models.ElementUpdate(part("door", "doors", "knob", "")), models.ElementUpdate(part("knob", "doors", "", "")),
		}})
		p.run()
		p.holds(map[string]string{
			"floor": whole("floor", "wall,knob"), "wall": whole("wall", "door,"), "door": whole("door", "knob,"), "knob": whole("knob", ","),
		})
		if again := p.run(); again.TargetChangeSetID != "" {
			t.Errorf("nothing has changed, and the run made %+v", again)
		}
	}
}
