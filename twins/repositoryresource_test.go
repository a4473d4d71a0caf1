package twins_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

var clay = twins.NewRepositoryResource{
	ID: "soil:clay", DisplayName: "Clay", Type: "Layer", Properties: twins.RepositoryResourceProperties{"scale": 2500},
}

// mapped is a twin with the repository soil.
func mapped(t *testing.T, w *world) (twinID, repositoryID string) {
	t.Helper()
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	res, err := w.CreateRepository(admin(t), twin.ID, soil)
	if err != nil {
		t.Fatal(err)
	}
	return twin.ID, res.Value().ID
}

// covers: operations repositoryResources.get repositoryResources.create repositoryResources.update repositoryResources.delete
func TestResourceOfARepositoryHasEveryFieldOfTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin, repository := mapped(t, w)
	res, err := w.CreateRepositoryResource(admin(t), twin, repository, clay)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"capabilities":{"graphics":{"uri":"/twins/` + twin + `/repositories/` + repository + `/resources/soil:clay/graphics"}},"class":"GeographicInformationSystem","displayName":"Clay","id":"soil:clay",` +
		`"properties":{"scale":2500},"subClass":"WebMapService","type":"Layer"}`
	rec, err := w.RepositoryResource(admin(t), twin, repository, "soil:clay")
	if err != nil || string(rec.JSON) != want || string(res.Records[0].JSON) != want {
		t.Errorf("%s, %s, %v\nwant %s", res.Records[0].JSON, rec.JSON, err, want)
	}
	res, err = w.UpdateRepositoryResource(admin(t), twin, repository, "soil:clay", twins.RepositoryResourcePatch{
		DisplayName: twinplatform.Set("Loam"), Type: twinplatform.Null[string](), Properties: twinplatform.Null[twins.RepositoryResourceProperties](),
	}, twinplatform.IfMatch(rec.ETag))
	want = strings.NewReplacer(`"Clay"`, `"Loam"`, `{"scale":2500}`, `{}`, `"Layer"`, `null`).Replace(want)
	if err != nil || string(res.Records[0].JSON) != want {
		t.Errorf("%s, %v\nwant %s", res.Records[0].JSON, err, want)
	}
	_, err = w.UpdateRepositoryResource(admin(t), twin, repository, "soil:clay", twins.RepositoryResourcePatch{Type: twinplatform.Set("x")}, twinplatform.IfMatch(rec.ETag))
	wantProblem(t, err, twinplatform.Conflict, "VersionMismatch ifMatch:")
	if err := w.DeleteRepositoryResource(admin(t), twin, repository, "soil:clay"); err != nil {
		t.Fatal(err)
	}
	_, err = w.RepositoryResource(admin(t), twin, repository, "soil:clay")
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryResourceNotFound repositoryResourceId:")
	_, err = w.RepositoryResource(admin(t), twin, nada, "soil:clay")
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryNotFound repositoryId:")
}

func TestResourcesOfRepositoriesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin, repository := mapped(t, w)
	create := func(change func(*twins.NewRepositoryResource)) error {
		n := clay
		change(&n)
		_, err := w.CreateRepositoryResource(admin(t), twin, repository, n)
		return err
	}
	if err := create(func(*twins.NewRepositoryResource) {}); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, create(func(n *twins.NewRepositoryResource) { n.DisplayName = "Other" }), twinplatform.Conflict, "twinRepositoryResourceExists : InvalidValue id")
	wantProblem(t, create(func(n *twins.NewRepositoryResource) { n.ID = "other" }), twinplatform.Conflict, "twinRepositoryResourceExists : InvalidValue displayName")
	for want, change := range map[string]func(*twins.NewRepositoryResource){
		"MissingRequiredProperty id":          func(n *twins.NewRepositoryResource) { n.ID = "" },
		"MissingRequiredProperty displayName": func(n *twins.NewRepositoryResource) { n.DisplayName = "" },
		"InvalidValue id":                     func(n *twins.NewRepositoryResource) { n.ID = ".." },
		"InvalidValue displayName":            func(n *twins.NewRepositoryResource) { n.DisplayName = strings.Repeat("x", twins.MaxText+1) },
		"InvalidValue type": func(n *twins.NewRepositoryResource) {
			n.Type = twinplatform.NullString(strings.Repeat("x", twins.MaxType+1))
		},
		"InvalidValue class":    func(n *twins.NewRepositoryResource) { n.Class = "Subsurface" },
		"InvalidValue subClass": func(n *twins.NewRepositoryResource) { n.SubClass = "ArcGIS" },
		"InvalidValue properties": func(n *twins.NewRepositoryResource) {
			n.Properties = twins.RepositoryResourceProperties{"a": strings.Repeat("x", twins.MaxResourceProperties)}
		},
	} {
		wantProblem(t, create(change), twinplatform.Unprocessable, "InvalidTwinsRequest : "+want)
	}
	for i := 1; i < twins.MaxRepositoryResources; i++ {
		if err := create(func(n *twins.NewRepositoryResource) {
			n.ID, n.DisplayName = fmt.Sprint("layer/", i), fmt.Sprint("Layer ", i)
		}); err != nil {
			t.Fatal(i, err)
		}
	}
	wantProblem(t, create(func(n *twins.NewRepositoryResource) { n.ID, n.DisplayName = "one", "more" }), twinplatform.Conflict, "LimitExceeded : InvalidValue")
	_, err := w.UpdateRepositoryResource(admin(t), twin, repository, "layer/1", twins.RepositoryResourcePatch{DisplayName: twinplatform.Set("Clay")})
	wantProblem(t, err, twinplatform.Conflict, "twinRepositoryResourceExists : InvalidValue displayName")
	_, err = w.UpdateRepositoryResource(admin(t), twin, repository, "layer/1", twins.RepositoryResourcePatch{DisplayName: twinplatform.Set("Layer 1")})
	if err != nil {
		t.Error("the name that it has:", err)
	}
	if err := w.DeleteTwin(admin(t), twin); err != nil {
		t.Error("a twin with as many resources as it may have:", err)
	}
}

// covers: operations repositoryResources.list
func TestResourcesOfARepositoryAreListedBySearchAndType(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin, repository := mapped(t, w)
	other, err := w.CreateRepository(admin(t), twin, twins.NewRepository{Class: "Subsurface", URI: "https://bores.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []twins.NewRepositoryResource{
		{ID: "1", DisplayName: "Clay", Type: "Layer"}, {ID: "2-CLAY", DisplayName: "Deep"}, {ID: "3", DisplayName: "Sand", Type: "Layer"},
	} {
		if _, err := w.CreateRepositoryResource(admin(t), twin, repository, n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.CreateRepositoryResource(admin(t), twin, other.Value().ID, clay); err != nil {
		t.Fatal("the same id in another repository:", err)
	}
	for want, q := range map[string]twins.RepositoryResourceQuery{
		"1 2-CLAY 3": {}, "1 2-CLAY": {Search: "cLAY"}, "1 3": {Type: "Layer"}, "": {Search: "clay", Type: "Map"},
	} {
		q.Top = 1
		list := func(ctx context.Context, in string, q twins.RepositoryResourceQuery) (twinplatform.Page[twins.RepositoryResource], error) {
			return w.RepositoryResources(ctx, in, repository, q)
		}
		var got []string
		for r, err := range twinplatform.AllIn(admin(t), list, twin, q) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.ID)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%+v lists %v, want %s", q, got, want)
		}
	}
	page, err := w.RepositoryResources(admin(t), twin, other.Value().ID, twins.RepositoryResourceQuery{Minimal: true})
	want := `{"capabilities":null,"class":"Subsurface","displayName":"Clay","id":"soil:clay","subClass":null,"type":"Layer"}`
	if err != nil || page.Len() != 1 || string(page.JSON()[0]) != want {
		t.Errorf("%s, %v\nwant %s", page.JSON(), err, want)
	}
	_, err = w.RepositoryResources(admin(t), twin, repository, twins.RepositoryResourceQuery{Skip: -1})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue skip")
	_, err = w.RepositoryResources(admin(t), twin, nada, twins.RepositoryResourceQuery{})
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryNotFound repositoryId:")
}

// covers: operations repositoryResources.graphics repositoryResources.metadata
func TestGraphicsOfAResourceAreThoseOfItsRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin, repository := mapped(t, w)
	if _, err := w.CreateRepositoryResource(admin(t), twin, repository, clay); err != nil {
		t.Fatal(err)
	}
	got, err := w.RepositoryResourceGraphics(admin(t), twin, repository, clay.ID)
	want := []twins.RepositoryResourceGraphics{{
		Authentication: soil.Authentication, Provider: twins.RepositoryProvider{Name: "WebMapService", Options: soil.Options}, Type: "Layer", URI: soil.URI,
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v:\n%s", err, diff)
	}
	about, err := w.RepositoryResourceMetadata(admin(t), twin, repository, clay.ID)
	if err != nil || about.Available || about.URI != soil.URI || fmt.Sprint(about.Properties["scale"]) != "2500" {
		t.Errorf("%+v, %v", about, err)
	}
	bores, err := w.CreateRepository(admin(t), twin, twins.NewRepository{Class: "Subsurface", URI: "https://bores.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.CreateRepositoryResource(admin(t), twin, bores.Value().ID, clay); err != nil {
		t.Fatal(err)
	}
	got, err = w.RepositoryResourceGraphics(admin(t), twin, bores.Value().ID, clay.ID)
	if err != nil || got == nil || len(got) > 0 {
		t.Errorf("what no map serves is drawn by %+v, %v", got, err)
	}
	_, err = w.RepositoryResourceGraphics(admin(t), twin, repository, "none")
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryResourceNotFound repositoryResourceId:")
	_, err = w.RepositoryResourceMetadata(admin(t), twin, repository, "none")
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryResourceNotFound repositoryResourceId:")
}

func TestResourcesGoWithTheirRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin, repository := mapped(t, w)
	if _, err := w.CreateRepositoryResource(admin(t), twin, repository, clay); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteRepository(admin(t), twin, repository); err != nil {
		t.Fatal(err)
	}
	for i := range twins.MaxRepositoryResources { // none of which is counted any more
		res, err := w.CreateRepository(admin(t), twin, soil)
		if err != nil {
			t.Fatal(i, err)
		}
		if _, err := w.CreateRepositoryResource(admin(t), twin, res.Value().ID, clay); err != nil {
			t.Fatal(i, err)
		}
		if err := w.DeleteRepository(admin(t), twin, res.Value().ID); err != nil {
			t.Fatal(i, err)
		}
	}
}

// covers: operations globalRepositories.list globalRepositories.get globalRepositoryResources.list globalRepositoryResources.get globalRepositoryResources.graphics
func TestGlobalRepositoriesAreThoseOfTheConfiguration(t *testing.T) {
	t.Parallel()
	none := newWorld(t, twins.Config{})
	if page, err := none.GlobalRepositories(t.Context(), twins.RepositoryQuery{}); err != nil || page.Len() > 0 {
		t.Errorf("%s, %v", page.JSON(), err)
	}
	w := newWorld(t, twins.Config{Repositories: []twins.GlobalRepository{
		{ID: "earth", NewRepository: soil, Resources: []twins.NewRepositoryResource{clay, {ID: "sand", DisplayName: "Sand"}}},
		{ID: "bores", NewRepository: twins.NewRepository{Class: "Subsurface", URI: "https://bores.example.com"}},
	}})
	ids := func(q twins.RepositoryQuery) string {
		var got []string
		for r, err := range twinplatform.All(t.Context(), w.GlobalRepositories, q) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.ID)
		}
		return strings.Join(got, " ")
	}
	q := twins.RepositoryQuery{}
	q.Top = 1
	if got := ids(q); got != "earth bores" {
		t.Error(got)
	}
	if got := ids(twins.RepositoryQuery{Class: "Subsurface"}); got != "bores" {
		t.Error(got)
	}
	_, err := w.GlobalRepositories(t.Context(), twins.RepositoryQuery{SubClass: "S"})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : MissingRequiredProperty class")
	rec, err := w.GlobalRepository(t.Context(), "earth")
	if err != nil || rec.Value.Capabilities.Resources.URI != "/twins/repositories/earth/resources" {
		t.Errorf("%s, %v", rec.JSON, err)
	}
	page, err := w.GlobalRepositoryResources(t.Context(), "earth", twins.RepositoryResourceQuery{Search: "SAN", Minimal: true})
	want := `{"capabilities":{"graphics":{"uri":"/twins/repositories/earth/resources/sand/graphics"}},"class":"GeographicInformationSystem","displayName":"Sand","id":"sand","subClass":"WebMapService","type":null}`
	if err != nil || page.Len() != 1 || string(page.JSON()[0]) != want {
		t.Errorf("%s, %v\nwant %s", page.JSON(), err, want)
	}
	if one, err := w.GlobalRepositoryResource(t.Context(), "earth", clay.ID); err != nil || one.Value.DisplayName != "Clay" {
		t.Errorf("%s, %v", one.JSON, err)
	}
	if all, err := w.GlobalRepositoryResourceGraphics(t.Context(), "earth", clay.ID); err != nil || len(all) != 1 || all[0].URI != soil.URI {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = w.GlobalRepository(t.Context(), "moon")
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryNotFound repositoryId:")
	_, err = w.GlobalRepositoryResources(t.Context(), "moon", twins.RepositoryResourceQuery{})
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryNotFound repositoryId:")
	_, err = w.GlobalRepositoryResources(t.Context(), "earth", twins.RepositoryResourceQuery{Skip: -1})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue skip")
	_, err = w.GlobalRepositoryResource(t.Context(), "earth", "gold")
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryResourceNotFound repositoryResourceId:")
}

func TestGlobalRepositoriesAreHeldToWhatCreatingRefuses(t *testing.T) {
	t.Parallel()
	earth := twins.GlobalRepository{ID: "earth", NewRepository: soil}
	twice := earth
	twice.Resources = []twins.NewRepositoryResource{clay, clay}
	for want, all := range map[string][]twins.GlobalRepository{
		"":                             {earth},
		"id":                           {{NewRepository: soil}},
		"another has its id":           {earth, earth},
		"uri":                          {{ID: "x", NewRepository: twins.NewRepository{Class: "C"}}},
		"twinRepositoryResourceExists": {twice},
	} {
		err := twins.CheckGlobalRepositories(all)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
