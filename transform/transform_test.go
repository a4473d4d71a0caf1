package transform_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

type (
	ctx   = context.Context
	twins = modelstest.Twins
)

var noon = modelstest.Noon

// world is a service with two projects, a model in each and views of both.
type world struct {
	*transform.Service
	*modelstest.World
}

func newWorld(t *testing.T) *world { return worldOf(modelstest.New(t)) }

func worldOf(w *modelstest.World) *world { return &world{w.Area, w} }

func wanted() transform.NewConfiguration {
	return transform.NewConfiguration{
		TransformName: "Ground floor", Comment: "only what is visible",
		SourceProjectID: "source", SourceModelID: "source-model",
		TargetProjectID: "target", TargetModelID: "target-model",
		TransformParameters: &transform.NewParameters{SavedViewID: "shared"},
	}
}

// covers: T1 as requested: rule creating runs nothing
// covers: Transformation configuration (T1)
// covers: operations configurations.create
func TestConfigurationHasEveryPropertyAndItsDefaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	res, err := w.CreateConfiguration(t.Context(), wanted())
	if err != nil {
		t.Fatal(err)
	}
	want := transform.Configuration{
		ID: res.Value().ID, TransformName: "Ground floor", Comment: "only what is visible",
		CreatedDateTime: twinplatform.At(noon), ModifiedDateTime: twinplatform.At(noon),
		TransformType: "FilterBySavedView", TransformParameters: transform.Parameters{ViewMode: "IncludeNewContent"},
		References: transform.References{
			SourceProjectID: "source", SourceModelID: "source-model",
			TargetProjectID: "target", TargetModelID: "target-model", SavedViewID: "shared",
		},
		SourceAccountID: "acme", TargetAccountID: "acme", AccountID: "acme",
	}
	if diff := cmp.Diff(want, res.Value()); diff != "" {
		t.Error(diff)
	}
	if res.Value().ID == "" {
		t.Error("the configuration has no id")
	}
	read, err := w.Configuration(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read.Value); diff != "" {
		t.Error(diff)
	}
	n := wanted()
	n.TransformParameters.ViewMode = transform.FilterContent
	if res, err = w.CreateConfiguration(t.Context(), n); err != nil || res.Value().TransformParameters.ViewMode != "FilterContent" {
		t.Errorf("got %+v, %v", res.Value(), err)
	}
}

// covers: T1 as requested
func TestWrongConfigurationsAreRefusedWithEveryReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	missing := func(targets ...string) (out []string) {
		for _, target := range targets {
			out = append(out, "MissingRequiredProperty "+target)
		}
		return out
	}
	for name, test := range map[string]struct {
		change func(*transform.NewConfiguration)
		want   []string
	}{
		"nothing": {func(n *transform.NewConfiguration) { *n = transform.NewConfiguration{} }, missing(
			"transformName", "sourceProjectId", "sourceModelId", "targetProjectId", "targetModelId", "comment", "transformParameters")},
		"no saved view":    {func(n *transform.NewConfiguration) { n.TransformParameters.SavedViewID = "" }, missing("transformParameters.savedViewId")},
		"blank name":       {func(n *transform.NewConfiguration) { n.TransformName = " " }, missing("transformName")},
		"long name":        {func(n *transform.NewConfiguration) { n.TransformName = strings.Repeat("ü", 256) }, []string{"InvalidValue transformName"}},
		"longest name":     {func(n *transform.NewConfiguration) { n.TransformName = strings.Repeat("ü", 255) }, nil},
		"long comment":     {func(n *transform.NewConfiguration) { n.Comment = strings.Repeat("x", 1001) }, []string{"InvalidValue comment"}},
		"longest comment":  {func(n *transform.NewConfiguration) { n.Comment = strings.Repeat("x", 1000) }, nil},
		"unknown mode":     {func(n *transform.NewConfiguration) { n.TransformParameters.ViewMode = "All" }, []string{"InvalidValue transformParameters.viewMode"}},
		"one model":        {func(n *transform.NewConfiguration) { n.TargetModelID = n.SourceModelID }, []string{"InvalidValue targetModelId"}},
		"unknown view":     {func(n *transform.NewConfiguration) { n.TransformParameters.SavedViewID = "none" }, []string{"InvalidValue transformParameters.savedViewId"}},
		"private view":     {func(n *transform.NewConfiguration) { n.TransformParameters.SavedViewID = "private" }, []string{"InvalidValue transformParameters.savedViewId"}},
		"view of a target": {func(n *transform.NewConfiguration) { n.TransformParameters.SavedViewID = "elsewhere" }, []string{"InvalidValue transformParameters.savedViewId"}},
		"two at once": {func(n *transform.NewConfiguration) {
			n.Comment = ""
			n.TransformParameters.ViewMode = "x"
		}, append(missing("comment"), "InvalidValue transformParameters.viewMode")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := wanted()
			test.change(&n)
			_, err := w.CreateConfiguration(t.Context(), n)
			if test.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := twinplatform.AsError(err)
			if e == nil || e.Kind != twinplatform.Unprocessable || e.Code != "InvalidTransformationsRequest" {
				t.Fatalf("got %v", err)
			}
			var got []string
			for _, d := range e.Details {
				got = append(got, d.Code+" "+d.Target)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// covers: T1 as requested: error ModelNotFound
func TestProjectsAndModelsThatAreNotThereAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for target, change := range map[string]func(*transform.NewConfiguration){
		"sourceProjectId": func(n *transform.NewConfiguration) { n.SourceProjectID = "none" },
		"sourceModelId":   func(n *transform.NewConfiguration) { n.SourceModelID = "none" },
		"targetProjectId": func(n *transform.NewConfiguration) { n.TargetProjectID = "none" },
		"targetModelId":   func(n *transform.NewConfiguration) { n.TargetProjectID = "source" },
	} {
		n := wanted()
		change(&n)
		_, err := w.CreateConfiguration(t.Context(), n)
		if e := twinplatform.AsError(err); e == nil || e.Kind != twinplatform.NotFound || e.Code != "ModelNotFound" || e.Target != target {
			t.Errorf("%s: got %v", target, err)
		}
	}
}

// covers: T1 as requested: permission source and target permission on the projects
// covers: T1 as requested: permission the same on the models
// covers: T1 as requested: permission organization administrators
func TestPermissionsOfBothSidesDecide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	admin := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "admin", AccountID: "acme", AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}})
	for name, test := range map[string]struct {
		ctx  context.Context
		want error
	}{
		"system":                  {t.Context(), nil},
		"administrator":           {admin, nil},
		"stranger":                {w.As("stranger"), twinplatform.NotFound},
		"reader of both":          {w.As("reader", "twins_read", "source", "twins_read", "target"), twinplatform.Forbidden},
		"source alone":            {w.As("source", "models_read", "source"), twinplatform.NotFound},
		"source and sight":        {w.As("sight", "models_read", "source", "twins_read", "target"), twinplatform.Forbidden},
		"both sides":              {w.As("both", "models_read", "source", "models_write", "target"), nil},
		"reading at the target":   {w.As("low", "models_read", "source", "models_read", "target"), twinplatform.Forbidden},
		"both models":             {w.As("models", "models_read", "source-model", "models_write", "target-model"), nil},
		"model and project mixed": {w.As("mixed", "models_read", "source", "models_write", "target-model"), nil},
	} {
		_, err := w.CreateConfiguration(test.ctx, wanted())
		if !errors.Is(err, test.want) || test.want == nil && err != nil {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}

// covers: operations configurations.get configurations.delete
func TestStrangerSeesNothingOfConfigurations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	res, err := w.CreateConfiguration(t.Context(), wanted())
	if err != nil {
		t.Fatal(err)
	}
	id := res.Value().ID
	stranger, reader := w.As("stranger"), w.As("reader", "twins_read", "target")
	writer := w.As("writer", "models_write", "target")

	_, there := w.Configuration(stranger, id)
	_, nowhere := w.Configuration(stranger, "none")
	if diff := cmp.Diff(twinplatform.AsError(nowhere), twinplatform.AsError(there), cmpopts.IgnoreUnexported(twinplatform.Error{})); diff != "" || there == nil {
		t.Errorf("answers to a stranger reveal what exists: %s", diff)
	}
	if err := w.DeleteConfiguration(stranger, id); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("got %v", err)
	}
	if page, err := w.Configurations(stranger, transform.ConfigurationQuery{ProjectID: "target"}); !errors.Is(err, twinplatform.Unprocessable) {
		t.Errorf("a stranger lists %d, %v", page.Len(), err)
	}
	if _, err := w.Configuration(reader, id); err != nil {
		t.Error(err)
	}
	if err := w.DeleteConfiguration(reader, id); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("got %v", err)
	}
	if err := w.DeleteConfiguration(writer, id); err != nil {
		t.Error(err)
	}
	if _, err := w.Configuration(reader, id); twinplatform.AsError(err).Code != "ConfigurationNotFound" {
		t.Errorf("got %v", err)
	}
}

// covers: operations configurations.list
func TestConfigurationsAreListedByProjectOrModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.Models().CreateModel(t.Context(), models.NewModel{ID: "other", TwinID: "target", DisplayName: "Other"}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		n := wanted()
		if i == 4 {
			n.TargetModelID = "other"
		}
		if _, err := w.CreateConfiguration(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	two := 2
	for name, test := range map[string]struct {
		q    transform.ConfigurationQuery
		want int
		more bool
	}{
		"project":           {transform.ConfigurationQuery{ProjectID: "target"}, 5, false},
		"model":             {transform.ConfigurationQuery{TargetModelID: "target-model"}, 4, false},
		"model of project":  {transform.ConfigurationQuery{TargetModelID: "other", ProjectID: "target"}, 1, false},
		"model of another":  {transform.ConfigurationQuery{TargetModelID: "other", ProjectID: "source"}, 0, false},
		"source project":    {transform.ConfigurationQuery{ProjectID: "source"}, 0, false},
		"page":              {transform.ConfigurationQuery{ProjectID: "target", Skip: 1, ListOptions: twinplatform.ListOptions{Top: two}}, 2, true},
		"behind the end":    {transform.ConfigurationQuery{ProjectID: "target", Skip: 9}, 0, false},
		"project not there": {transform.ConfigurationQuery{ProjectID: twinplatform.NewGUID()}, 0, false},
	} {
		page, err := w.Configurations(t.Context(), test.q)
		if err != nil || page.Len() != test.want || (page.Next != "") != test.more {
			t.Errorf("%s: %d configurations, next %q, %v", name, page.Len(), page.Next, err)
		}
	}
	bad := 1001
	for name, q := range map[string]transform.ConfigurationQuery{
		"no project": {}, "negative skip": {ProjectID: "target", Skip: -1},
		"top": {ProjectID: "target", ListOptions: twinplatform.ListOptions{Top: bad}}, "token": {ProjectID: "target", ListOptions: twinplatform.ListOptions{Continuation: "x"}},
	} {
		if _, err := w.Configurations(t.Context(), q); !errors.Is(err, twinplatform.Unprocessable) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// covers: operations models.delete
func TestModelInUseStaysAndAFreeOneTakesItsViewsAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	res, err := w.CreateConfiguration(t.Context(), wanted())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"source-model", "target-model"} {
		if err := w.Models().DeleteModel(t.Context(), id); twinplatform.AsError(err).Code != "ModelInUse" {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if err := w.DeleteConfiguration(t.Context(), res.Value().ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Models().DeleteModel(t.Context(), "source-model"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"shared", "private"} {
		if _, err := w.Models().SavedView(t.Context(), id); twinplatform.AsError(err).Code != "SavedViewNotFound" {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if _, err := w.Models().SavedView(t.Context(), "elsewhere"); err != nil {
		t.Error(err)
	}
}
