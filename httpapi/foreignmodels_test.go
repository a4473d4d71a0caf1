package httpapi_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// otherModels has models and views that the platform itself knows nothing of.
type otherModels struct{ models *transform.Service }

func (e otherModels) LookupModel(ctx context.Context, id string) (models.Model, bool, error) {
	rec, err := e.models.Models().Model(asAnonymous(ctx), id)
	return rec.Value, err == nil, nil
}

func (e otherModels) LookupSavedView(ctx context.Context, id string) (models.SavedView, bool, error) {
	rec, err := e.models.Models().SavedView(asAnonymous(ctx), id)
	return rec.Value, err == nil, nil
}

func (e otherModels) Source(ctx context.Context, id string) (models.Source, error) {
	s, err := e.models.Models().Source(asAnonymous(ctx), id)
	return outside{Source: s}, err
}

func (e otherModels) Target(ctx context.Context, id string) (models.Target, error) {
	to, err := e.models.Models().Target(asAnonymous(ctx), id)
	return outside{Target: to}, err
}

// asAnonymous is a context of the other program: that of the platform's caller ends here.
func asAnonymous(context.Context) context.Context { return context.Background() }

// outside does what it is asked for on behalf of the other program.
type outside struct {
	models.Source
	models.Target
}

func (o outside) Read(ctx context.Context, id string, fn func(models.Content) error) error {
	return o.Source.Read(asAnonymous(ctx), id, fn)
}

func (o outside) Write(ctx context.Context, id string, fn func(models.Draft) error) error {
	return o.Target.Write(asAnonymous(ctx), id, fn)
}

func (o outside) Commit(ctx context.Context, id, description string) (models.Changeset, error) {
	return o.Target.Commit(asAnonymous(ctx), id, description)
}

func (o outside) Discard(ctx context.Context, id string) error {
	return o.Target.Discard(asAnonymous(ctx), id)
}

func TestModelsOfAnotherProgramAreTransformedOverHTTP(t *testing.T) {
	t.Parallel()
	other := transform.New(memory.New(), transform.Config{})
	for id, twinID := range map[string]string{"source": "tower", "target": "annex"} {
		must[models.Model](t)(other.Models().CreateModel(t.Context(), models.NewModel{ID: id, TwinID: twinID, DisplayName: "x"}))
	}
	must[models.SavedView](t)(other.Models().CreateSavedView(t.Context(), models.NewSavedView{ID: "shared", ModelID: "source", DisplayName: "x", Shared: true}))
	must[models.Changeset](t)(other.Models().CreateChangeset(t.Context(), "source", models.NewChangeset{ID: "one", Inserted: []models.NewElement{{ID: "wall", Class: "Wall", Category: "walls"}}}))
	svc := transform.New(memory.New(), transform.Config{Twins: twins{"tower": "acme", "annex": "acme"}, Models: otherModels{other}, Contents: otherModels{other}})
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"ada": {ID: "ada", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}},
		}),
		Transform: svc, BaseURL: "https://api.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	ada := caller{t, h, "ada"}
	ada.expect(201, "POST", "/transformations/configurations/filterbysavedview", t1Body)
	list, err := svc.Configurations(t.Context(), transform.ConfigurationQuery{TargetModelID: "target"})
	if err != nil || list.Len() != 1 {
		t.Fatalf("%d configurations, %v", list.Len(), err)
	}
	configurations, err := list.Values()
	if err != nil {
		t.Fatal(err)
	}
	run := func(inserted string) {
		t.Helper()
		at := ada.expect(201, "POST", "/transformations", `{"configurationId":"`+configurations[0].ID+`"}`, quoted("status", "Succeeded"), quoted("sourceChangeSetId", "one")).Header().Get("Location")
		ada.expect(200, "GET", at+"/report", "", `"insertedCount":`+inserted)
	}
	run("3")
	run("0")
	elements, err := other.Models().Elements(t.Context(), "target", models.ElementQuery{Class: "Wall"})
	if err != nil || elements.Len() != 1 {
		t.Errorf("the target has %d walls, %v", elements.Len(), err)
	}
	ada.expect(404, "GET", "/models/target", "", "ModelNotFound")
}
