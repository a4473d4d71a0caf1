package twins_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

var soil = twins.NewRepository{
	Class: "GeographicInformationSystem", SubClass: "WebMapService", DisplayName: "Soil", URI: "https://maps.example.com/soil/{z}",
	Authentication: &twins.RepositoryAuthentication{Type: twins.InQueryParameter, Key: "token", Value: "sesame"},
	Options:        twins.RepositoryOptions{"queryParameters": map[string]any{"layers": "clay"}},
}

// covers: operations repositories.get repositories.create repositories.update repositories.delete
func TestRepositoryHasEveryFieldOfTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	res, err := w.CreateRepository(admin(t), twin.ID, soil)
	if err != nil {
		t.Fatal(err)
	}
	id := res.Value().ID
	want := `{"authentication":{"type":"QueryParameter","key":"token","value":"sesame"},"capabilities":{"resources":{"uri":"/twins/` + twin.ID + `/repositories/` + id + `/resources"}},"class":"GeographicInformationSystem","displayName":"Soil","id":"` + id +
		`","options":{"queryParameters":{"layers":"clay"}},"subClass":"WebMapService","uri":"https://maps.example.com/soil/{z}"}`
	rec, err := w.Repository(admin(t), twin.ID, id)
	if err != nil || string(rec.JSON) != want {
		t.Errorf("%s, %v\nwant %s", rec.JSON, err, want)
	}
	res, err = w.UpdateRepository(admin(t), twin.ID, id, twins.RepositoryPatch{
		DisplayName: twinplatform.Null[string](), Authentication: twinplatform.Null[twins.RepositoryAuthentication](),
		Options: twinplatform.Null[twins.RepositoryOptions](), URI: twinplatform.Set("https://maps.example.com/clay"),
	}, twinplatform.IfMatch(rec.ETag))
	want = `{"authentication":null,"capabilities":{"resources":{"uri":"/twins/` + twin.ID + `/repositories/` + id + `/resources"}},"class":"GeographicInformationSystem","displayName":null,"id":"` + id + `","options":{},"subClass":"WebMapService","uri":"https://maps.example.com/clay"}`
	if err != nil || string(res.Records[0].JSON) != want {
		t.Errorf("%s, %v\nwant %s", res.Records[0].JSON, err, want)
	}
	_, err = w.UpdateRepository(admin(t), twin.ID, id, twins.RepositoryPatch{Class: twinplatform.Set(soil.Class), SubClass: twinplatform.Set(soil.SubClass)})
	if err != nil {
		t.Errorf("class and subclass as they are: %v", err)
	}
	_, err = w.UpdateRepository(admin(t), twin.ID, id, twins.RepositoryPatch{Class: twinplatform.Set("Storage"), SubClass: twinplatform.Set("Folder")})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue class, InvalidValue subClass")
	_, err = w.UpdateRepository(admin(t), twin.ID, id, twins.RepositoryPatch{DisplayName: twinplatform.Set("x")}, twinplatform.IfMatch(rec.ETag))
	wantProblem(t, err, twinplatform.Conflict, "VersionMismatch ifMatch:")
	if err := w.DeleteRepository(admin(t), twin.ID, id); err != nil {
		t.Fatal(err)
	}
	_, err = w.Repository(admin(t), twin.ID, id)
	wantProblem(t, err, twinplatform.NotFound, "twinRepositoryNotFound repositoryId:")
	wantProblem(t, w.DeleteRepository(admin(t), twin.ID, id), twinplatform.NotFound, "twinRepositoryNotFound repositoryId:")
}

func TestRepositoriesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	create := func(change func(*twins.NewRepository)) error {
		n := soil
		change(&n)
		_, err := w.CreateRepository(admin(t), twin.ID, n)
		return err
	}
	if err := create(func(*twins.NewRepository) {}); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, create(func(*twins.NewRepository) {}), twinplatform.Conflict, "twinRepositoryExists : InvalidValue uri")
	for want, change := range map[string]func(*twins.NewRepository){
		"MissingRequiredProperty class":             func(n *twins.NewRepository) { n.Class = "" },
		"MissingRequiredProperty uri":               func(n *twins.NewRepository) { n.URI = "" },
		"InvalidValue class":                        func(n *twins.NewRepository) { n.Class = strings.Repeat("x", twins.MaxType+1) },
		"InvalidValue class, InvalidValue subClass": func(n *twins.NewRepository) { n.Class, n.SubClass = "Map service", "2D" },
		"InvalidValue subClass":                     func(n *twins.NewRepository) { n.SubClass = strings.Repeat("x", twins.MaxType+1) },
		"InvalidValue displayName": func(n *twins.NewRepository) {
			n.DisplayName = twinplatform.NullString(strings.Repeat("x", twins.MaxText+1))
		},
		"InvalidValue uri": func(n *twins.NewRepository) { n.URI = "https://a.example.com/" + strings.Repeat("x", twins.MaxURI) },
		"InvalidValue options": func(n *twins.NewRepository) {
			n.Options = twins.RepositoryOptions{"a": strings.Repeat("x", twins.MaxRepositoryOptions)}
		},
		"InvalidValue authentication.type": func(n *twins.NewRepository) {
			n.Authentication = &twins.RepositoryAuthentication{Type: "Body", Key: "k", Value: "v"}
		},
		"MissingRequiredProperty authentication.key": func(n *twins.NewRepository) {
			n.Authentication = &twins.RepositoryAuthentication{Type: twins.InHeader, Value: "v"}
		},
		"InvalidValue authentication.value": func(n *twins.NewRepository) {
			n.Authentication = &twins.RepositoryAuthentication{Type: twins.InHeader, Key: "k", Value: strings.Repeat("x", twins.MaxRepositoryValue+1)}
		},
	} {
		wantProblem(t, create(change), twinplatform.Unprocessable, "InvalidTwinsRequest : "+want)
	}
	for i := 1; i < twins.MaxRepositories; i++ {
		if err := create(func(n *twins.NewRepository) { n.URI += fmt.Sprint(i) }); err != nil {
			t.Fatal(i, err)
		}
	}
	wantProblem(t, create(func(n *twins.NewRepository) { n.URI = "https://one.example.com/more" }), twinplatform.Conflict, "LimitExceeded : InvalidValue")
}

// covers: operations repositories.list
func TestRepositoriesAreListedByClassAndSubclass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin, other := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}), w.twin(t, admin(t), twins.NewTwin{DisplayName: "B"})
	for i, n := range []twins.NewRepository{{Class: "G", SubClass: "S"}, {Class: "G", SubClass: "T"}, {Class: "H", SubClass: "S"}, {Class: "H"}} {
		n.URI = fmt.Sprint("https://example.com/", i)
		if _, err := w.CreateRepository(admin(t), twin.ID, n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.CreateRepository(admin(t), other.ID, soil); err != nil {
		t.Fatal(err)
	}
	for want, q := range map[string]twins.RepositoryQuery{
		"0 1 2 3": {}, "0 1": {Class: "G"}, "2": {Class: "H", SubClass: "S"}, "": {Class: "Storage"},
	} {
		q.Top = 1
		var got []string
		for r, err := range twinplatform.AllIn(admin(t), w.Repositories, twin.ID, q) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimPrefix(r.URI, "https://example.com/"))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%+v lists %v, want %s", q, got, want)
		}
	}
	_, err := w.Repositories(admin(t), twin.ID, twins.RepositoryQuery{SubClass: "S"})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : MissingRequiredProperty class")
	_, err = w.Repositories(admin(t), twin.ID, twins.RepositoryQuery{Skip: -1})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue skip")
}

func TestRepositoriesGoWithTheirTwin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	if _, err := w.CreateRepository(admin(t), twin.ID, soil); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteTwin(admin(t), twin.ID); err != nil {
		t.Fatal(err)
	}
	again, err := w.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Thing, DisplayName: "A", ID: twin.ID, AccountID: acme})
	if err != nil {
		t.Fatal(err)
	}
	page, err := w.Repositories(admin(t), again.Value().ID, twins.RepositoryQuery{})
	if err != nil || page.Len() != 0 {
		t.Errorf("%d, %v", page.Len(), err)
	}
}
