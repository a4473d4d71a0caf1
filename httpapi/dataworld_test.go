package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// places are where bytes are kept, in the tests: nowhere, under plain addresses.
type places struct{}

func (places) ContainerURL(_ context.Context, id string, write bool) (string, error) {
	rights := "r"
	if write {
		rights = "rw"
	}
	return "https://files.test/" + id + "?sp=" + rights, nil
}
func (places) ContainerSize(context.Context, string) (int64, error) { return 5_000, nil }
func (places) RemoveContainer(context.Context, string) error        { return nil }

// ListFiles implements realitydata.ContainerFiles: all containers have one file.
func (places) ListFiles(_ context.Context, _, after string, yield func(name string, size int64) bool) error {
	if after == "" {
		yield("scan.las", 5_000)
	}
	return nil
}

func (places) OpenFile(context.Context, string, string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("a scan")), nil
}

func (places) WriteFile(_ context.Context, _, _, _ string, content io.Reader) error {
	_, err := io.Copy(io.Discard, content)
	return err
}

// grants are the permissions of callers on twins.
type grants map[[2]string][]string

func (g grants) Allowed(_ context.Context, who twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return slices.Contains(g[[2]string{who.ID, target.TwinID}], permission), nil
}

// Ids of the data's world.
const (
	scanID   = "00000000-0000-4000-8000-000000000001"
	photosID = "00000000-0000-4000-8000-000000000002"
	hiddenID = "00000000-0000-4000-8000-000000000003"

	conversionID = "00000000-0000-4000-8000-000000000015"
	analysisID   = "00000000-0000-4000-8000-000000000016"
)

// newDataWorld is a platform with reality data, detectors and models in it,
// always the same:
//
//   - the twins tower and annex of acme, on which writer may do everything and
//     reader may read; bridge of acme, on which no one holds anything; abroad
//     of other;
//   - the scan at the tower, the photos at tower and bridge, and what is hidden
//     at the bridge;
//   - the jobs Copy and Sums of the scan by writer, both unsubmitted;
//   - the detectors @acme/cracks by writer, with a published version 1.0 and
//     2.0 without data, @acme/rust by writer, and @other/trees by foreign;
//   - the model source at the tower with the views shared and private, the
//     models target and free at the annex, hidden at the bridge with a view,
//     and the configuration filter from source to target; guest, who is a
//     member of source with the role viewer, next to which the tower has editor;
//   - admin, who administers acme, stranger, who belongs to acme, foreign, who
//     administers other, and bare, whose token carries no scope.
func newDataWorld(t testing.TB) *httpapi.Handler {
	t.Helper()
	return newDataWorldOn(t, dataWorlds.ground(t, newDataWorldOn))
}

func newDataWorldOn(t testing.TB, on ground) *httpapi.Handler {
	t.Helper()
	var guids, ids atomic.Int64
	all := []string{
		realitydata.PermissionUse, realitydata.PermissionCreate, realitydata.PermissionManage,
		transform.PermissionProjectRead, transform.PermissionModelsRead, transform.PermissionModelsWrite, twinsapi.PermissionManageMembers,
	}
	some := []string{realitydata.PermissionUse, transform.PermissionProjectRead, transform.PermissionModelsRead}
	env := twinplatform.Env{
		Now:     moment.UTC,
		NewGUID: func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", guids.Add(1)) },
		NewID:   func() string { return fmt.Sprintf("new-%02d", ids.Add(1)) },
		Gate:    on.gate,
		Authorizer: on.rights(grants{
			{"writer", "tower"}: all, {"writer", "annex"}: all, {"reader", "tower"}: some, {"reader", "annex"}: some,
		}),
	}
	directory := on.twins(twins{"tower": "acme", "annex": "acme", "bridge": "acme", "abroad": "other"})
	store := on.store
	data := realitydata.New(store, realitydata.Config{Env: env, Twins: directory, Containers: places{}})
	models := transform.New(store, transform.Config{Env: env, Twins: directory, Roles: towerRoles{}})
	callers := map[string]twinplatform.Principal{"nobody": {ID: "nobody", Scopes: []string{twinplatform.ScopePlatform}}}
	for id, account := range map[string]string{"writer": "acme", "reader": "acme", "stranger": "acme", "admin": "acme", "foreign": "other", "bare": "acme"} {
		p := twinplatform.Principal{ID: id, AccountID: account, Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform}}
		switch id {
		case "admin", "foreign":
			p.AdministratorRoles = []twinplatform.AdministratorRole{"Account Administrator"}
		case "bare":
			p.AdministratorRoles, p.Scopes = []twinplatform.AdministratorRole{"Account Administrator"}, []string{twinplatform.ScopeWebhooksModify}
		}
		callers[id] = p
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.BearerTokens(issued(callers)), RealityData: data, Transform: models,
		Rate: httpapi.Unlimited, BaseURL: "https://api.test", Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	as := func(caller string) context.Context { return twinplatform.WithPrincipal(t.Context(), callers[caller]) }
	last := on.plant(func() int64 {
		seedData(t, data, as)
		seedModels(t, models)
		seedTransformations(t, store, env, directory)
		seedJobs(t, data, as)
		return ids.Load()
	})
	on.rewind(func() { guids.Store(1_000); ids.Store(last) }) // what a test makes is distinguished from what was there
	return h
}

func seedData(t testing.TB, svc *realitydata.Service, as func(string) context.Context) {
	ctx := t.Context()
	made := must[realitydata.RealityData](t)
	made(svc.CreateRealityData(as("writer"), realitydata.NewRealityData{
		TwinID: "tower", DisplayName: "Scan", Type: "LAS", Classification: realitydata.Terrain, Dataset: "Site", Group: "Ground",
		Description: "Scan of the site", Attribution: "Surveyors", TermsOfUse: "Internal", RootDocument: "data/scan.las", Tags: []string{"Green", "red"},
		Acquisition: &realitydata.Acquisition{Acquirer: "Ann", StartDateTime: twinplatform.At(moment.AddDate(0, -1, 0)), EndDateTime: twinplatform.At(moment.AddDate(0, -1, 1))},
		Extent: &realitydata.Extent{
			SouthWest: &realitydata.Coordinate{Latitude: new(41.0), Longitude: new(-9.0)}, NorthEast: &realitydata.Coordinate{Latitude: new(42.0), Longitude: new(-8.0)},
		},
		CRS: &realitydata.CRS{ID: "EPSG:4326", VerticalID: "EPSG:5773"}, Authoring: true,
	}))
	made(svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: "tower", DisplayName: "Photos", Type: "CCImageCollection", OwnerID: "someone"}))
	made(svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: "bridge", DisplayName: "Hidden", Type: "3MX", OwnerID: "someone"}))
	if err := svc.Associate(ctx, photosID, "bridge"); err != nil {
		t.Fatal(err)
	}
	detector := must[realitydata.Detector](t)
	detector(svc.CreateDetector(as("writer"), realitydata.NewDetector{
		Name: "@acme/cracks", Type: realitydata.PhotoObjectDetector, DisplayName: "Cracks", Description: "Finds cracks.", DocumentationURL: "https://example.com/cracks",
	}))
	detector(svc.CreateDetector(as("writer"), realitydata.NewDetector{Name: "@acme/rust", Type: realitydata.PhotoSegmentationDetector}))
	detector(svc.CreateDetector(as("foreign"), realitydata.NewDetector{Name: "@other/trees", Type: realitydata.PointCloudSegmentationDetector}))
	for _, number := range []string{"1.0", "2.0"} {
		_, _, err := svc.CreateDetectorVersion(as("writer"), "@acme/cracks", realitydata.NewDetectorVersion{
			VersionNumber: number, Capabilities: realitydata.Capabilities{Labels: []string{"crack"}, Exports: []realitydata.DetectorExport{realitydata.ExportObjects}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []func(context.Context, string, string, ...twinplatform.Precondition) error{svc.CompleteDetectorVersion, svc.PublishDetectorVersion} {
		if err := step(as("writer"), "@acme/cracks", "1.0"); err != nil {
			t.Fatal(err)
		}
	}
}

func seedJobs(t testing.TB, svc *realitydata.Service, as func(string) context.Context) {
	job := must[realitydata.Job](t)
	inputs := []realitydata.JobInput{{ID: scanID}}
	job(svc.CreateJob(as("writer"), realitydata.ConversionJobs, realitydata.NewJob{Type: realitydata.ConversionJob, Name: "Copy", TwinID: "tower", Inputs: inputs, Outputs: []string{"LAS"}}))
	job(svc.CreateJob(as("writer"), realitydata.AnalysisJobs, realitydata.NewJob{Type: realitydata.ChecksumJob, Name: "Sums", TwinID: "tower", Inputs: inputs}))
}

// towerRoles are the roles of the tower.
type towerRoles struct{}

// RolePermissions implements models.RoleDirectory.
func (towerRoles) RolePermissions(_ context.Context, twinID, roleID string) (permissions []string, ok bool, err error) {
	permissions, ok = map[string][]string{
		"viewer": {transform.PermissionModelsRead}, "editor": models.ModelPermissions(),
	}[roleID]
	return permissions, ok && twinID == "tower", nil
}

func seedModels(t testing.TB, svc *transform.Service) {
	ctx := t.Context()
	for id, twinID := range map[string]string{"source": "tower", "target": "annex", "free": "annex", "hidden": "bridge"} {
		must[models.Model](t)(svc.Models().CreateModel(ctx, models.NewModel{ID: id, TwinID: twinID, DisplayName: "Model " + id}))
	}
	for _, n := range []models.NewSavedView{
		{ID: "shared", ModelID: "source", DisplayName: "Shared", Shared: true},
		{ID: "private", ModelID: "source", DisplayName: "Private"},
		{ID: "hidden", ModelID: "hidden", DisplayName: "Hidden", Shared: true},
	} {
		must[models.SavedView](t)(svc.Models().CreateSavedView(ctx, n))
	}
	for _, modelID := range []string{"source", "hidden"} {
		must[models.ViewGroup](t)(svc.Models().CreateViewGroup(ctx, models.NewViewGroup{ID: map[string]string{"source": "inside", "hidden": "hidden"}[modelID], ModelID: modelID, DisplayName: "Inside", Shared: true}))
		must[models.ViewTag](t)(svc.Models().CreateViewTag(ctx, models.NewViewTag{ID: map[string]string{"source": "approved", "hidden": "hidden"}[modelID], ModelID: modelID, DisplayName: "Approved"}))
	}
	must[models.ViewExtension](t)(svc.Models().SetViewExtension(ctx, "private", models.NewViewExtension{ExtensionName: "markup", Data: "a circle"}))
	must[models.ViewExtension](t)(svc.Models().SetViewExtension(ctx, "hidden", models.NewViewExtension{ExtensionName: "markup", Data: "a circle"}))
	if _, err := svc.Models().SetViewImage(ctx, "private", strings.NewReader(conversations.PNG(3, 2))); err != nil {
		t.Fatal(err)
	}
	must[transform.Configuration](t)(svc.CreateConfiguration(ctx, transform.NewConfiguration{
		TransformName: "Filter", Comment: "Ground floor", SourceProjectID: "tower", SourceModelID: "source", TargetProjectID: "annex", TargetModelID: "target",
		TransformParameters: &transform.NewParameters{SavedViewID: "shared", ViewMode: transform.FilterContent},
	}))
	must[models.ModelMember](t)(svc.Models().CreateModelMember(ctx, "source", models.NewModelMember{ID: "guest", RoleIDs: []string{"viewer"}}))
	seedContent(t, svc)
}

// seedTransformations makes one that is done and one that is under way.
func seedTransformations(t testing.TB, store storage.Store, env twinplatform.Env, directory twinplatform.TwinDirectory) {
	id := ""
	env.NewID = func() string { return id }
	for _, n := range []struct {
		run, configuration string
		background         bool
	}{{"new-90", "new-88", false}, {"new-91", "new-88", true}} {
		env.Background = n.background
		svc := transform.New(store, transform.Config{Env: env, Twins: directory})
		if id = n.configuration; !n.background {
			must[models.Model](t)(svc.Models().CreateModel(t.Context(), models.NewModel{ID: "busy", TwinID: "annex", DisplayName: "Busy"}))
			must[transform.Configuration](t)(svc.CreateConfiguration(t.Context(), transform.NewConfiguration{
				TransformName: "Busy", Comment: "All", SourceProjectID: "tower", SourceModelID: "source", TargetProjectID: "annex", TargetModelID: "busy",
				TransformParameters: &transform.NewParameters{SavedViewID: "shared"},
			}))
		}
		id = n.run
		must[transform.Transformation](t)(svc.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: n.configuration}))
	}
}

// seedContent fills the source model: a floor with a wall in it, and what is gone by
// now.
func seedContent(t testing.TB, svc *transform.Service) {
	changeset := must[models.Changeset](t)
	changeset(svc.Models().CreateChangeset(t.Context(), "source", models.NewChangeset{ID: "one", Description: "As designed", Inserted: []models.NewElement{
		{ID: "floor", Class: "Slab", Category: "slabs", BoundingBox: &models.Box{High: models.Point{X: 10, Y: 10, Z: 0.5}}},
		{
			ID: "wall", Class: "Wall", Category: "walls", ParentID: "floor", ScopeID: "floor", Code: "W-1", Geometry: twinplatform.Set([]byte("brick")),
			Properties: models.ElementProperties{"Mark": "W1", "Height": 3}, MandatoryProperties: []string{"Mark"},
		},
		{ID: "door", Class: "Door", Category: "doors", ParentID: "wall"},
		{ID: "stair", Class: "Stair", Category: "stairs", BoundingBox: &models.Box{High: models.Point{X: 1, Y: 1, Z: 4}}},
	}}))
	changeset(svc.Models().CreateChangeset(t.Context(), "source", models.NewChangeset{ID: "two", Deleted: []string{"stair"}, Updated: []models.ElementUpdate{
		{ID: "door", Class: "Door", Category: "doors", ParentID: "floor"},
	}}))
	must[models.NamedVersion](t)(svc.Models().CreateNamedVersion(t.Context(), "source", models.NewNamedVersion{ID: "v1", Name: "Agreed", Description: "as agreed"}))
}
