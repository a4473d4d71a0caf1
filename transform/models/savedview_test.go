package models_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// sorted is a world with a group, a tag and an extension in its source model.
func sorted(t *testing.T) (*world, context.Context) {
	t.Helper()
	w, ctx := newWorld(t), t.Context()
	for _, err := range []error{
		errorOf(w.CreateViewGroup(ctx, models.NewViewGroup{ID: "inside", ModelID: "source-model", DisplayName: "Inside"})),
		errorOf(w.CreateViewTag(ctx, models.NewViewTag{ID: "approved", ModelID: "source-model", DisplayName: "Approved"})),
		errorOf(w.CreateViewTag(ctx, models.NewViewTag{ID: "old", ModelID: "source-model", DisplayName: "Old"})),
		errorOf(w.CreateViewGroup(ctx, models.NewViewGroup{ID: "elsewhere", ModelID: "target-model", DisplayName: "Elsewhere"})),
		errorOf(w.CreateViewTag(ctx, models.NewViewTag{ID: "elsewhere", ModelID: "target-model", DisplayName: "Elsewhere"})),
		errorOf(w.CreateSavedView(ctx, models.NewSavedView{ID: "doors", ModelID: "source-model", DisplayName: "Doors", GroupID: "inside", TagIDs: []string{"old", "approved", "old"}})),
		errorOf(w.SetViewExtension(ctx, "doors", models.NewViewExtension{ExtensionName: "markup", Data: "<svg/>"})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return w, ctx
}

// covers: operations savedViews.update savedViewGroups.create savedViewGroups.list savedViewGroups.get
// covers: operations savedViewGroups.update savedViewGroups.delete savedViewTags.create savedViewTags.list
// covers: operations savedViewTags.get savedViewTags.update savedViewTags.delete
func TestViewsAreChangedGroupedAndTagged(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	made := w.View("doors")
	want := []models.TagOfView{{DisplayName: "Approved", ID: "approved"}, {DisplayName: "Old", ID: "old"}}
	if diff := cmp.Diff(want, made.Value.Tags); diff != "" || made.Value.GroupID != "inside" {
		t.Errorf("made in %q with (-want +got):\n%s", made.Value.GroupID, diff)
	}
	res, err := w.UpdateSavedView(ctx, "doors", models.SavedViewPatch{
		DisplayName: twinplatform.Set("All doors"), Shared: twinplatform.Set(true), View: twinplatform.Set(models.View{HiddenCategories: []string{"walls"}}),
	}, twinplatform.IfMatch(made.ETag))
	if v := res.Value(); err != nil || v.DisplayName != "All doors" || !v.Shared || !cmp.Equal(v.View.HiddenCategories, []string{"walls"}) || len(v.Tags) != 2 || v.GroupID != "inside" {
		t.Errorf("changed to %+v: %v", v, err)
	}
	if _, err := w.UpdateViewTag(ctx, "approved", models.ViewTagPatch{DisplayName: twinplatform.Set("Agreed")}); err != nil {
		t.Error(err)
	}
	if v := w.View("doors"); v.Value.Tags[0].DisplayName != "Agreed" || v.ETag == res.Records[0].ETag {
		t.Errorf("after its tag got another name it is %+v, version %s after %s", v.Value.Tags, v.ETag, res.Records[0].ETag)
	}
	if err := errors.Join(w.DeleteViewTag(ctx, "old"), w.DeleteViewGroup(ctx, "inside")); err != nil {
		t.Error(err)
	}
	v := w.View("doors").Value
	if diff := cmp.Diff([]models.TagOfView{{DisplayName: "Agreed", ID: "approved"}}, v.Tags); diff != "" || v.GroupID != "" || !cmp.Equal(v.TagIDs, []string{"approved"}) {
		t.Errorf("without the tag and the group it has %v in %q (-want +got):\n%s", v.TagIDs, v.GroupID, diff)
	}
}

func TestViewsAreListedByTheirGroup(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	for group, want := range map[string]int{"inside": 1, "elsewhere": 0, "none": 0} {
		page, err := w.SavedViews(ctx, models.SavedViewQuery{ModelID: "source-model", GroupID: group})
		if err != nil || page.Len() != want {
			t.Errorf("%s: %d views, want %d: %v", group, page.Len(), want, err)
		}
	}
}

func TestGroupsAndTagsOfAnotherModelAreRefused(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	many := make([]string, models.MaxTagsOfView+1)
	for i := range many {
		many[i] = fmt.Sprint("tag-", i)
	}
	for name, p := range map[string]models.SavedViewPatch{
		"a group of another model": {GroupID: twinplatform.Set("elsewhere")},
		"a group that is missing":  {GroupID: twinplatform.Set("absent")},
		"a tag of another model":   {TagIDs: twinplatform.Set([]string{"approved", "elsewhere"})},
		"a tag that is missing":    {TagIDs: twinplatform.Set([]string{"absent"})},
		"too many tags":            {TagIDs: twinplatform.Set(many)},
		"no name":                  {DisplayName: twinplatform.Null[string]()},
	} {
		before := w.View("doors")
		_, err := w.UpdateSavedView(ctx, "doors", p)
		if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Code != "InvalidSavedViewRequest" {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(before.JSON, w.View("doors").JSON); diff != "" {
			t.Errorf("%s changed the view (-before +after):\n%s", name, diff)
		}
	}
}

// covers: operations savedViewExtensions.list savedViewExtensions.get savedViewExtensions.set
// covers: operations savedViewExtensions.delete
func TestExtensionsAreKeptWithTheirView(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	set := func(name, data string) error {
		return errorOf(w.SetViewExtension(ctx, "doors", models.NewViewExtension{ExtensionName: name, Data: data}))
	}
	if err := errors.Join(set("a/b", "1"), set("markup", "2")); err != nil {
		t.Fatal(err)
	}
	page, err := w.ViewExtensions(ctx, "doors", models.ViewExtensionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := page.Values()
	got := fmt.Sprint(w.View("doors").Value.Extensions)
	for _, e := range all {
		got += " " + e.ExtensionName + "=" + e.Data
	}
	if want := "[{a/b} {markup}] a/b=1 markup=2"; got != want || err != nil {
		t.Errorf("kept %s, want %s: %v", got, want, err)
	}
	for i := range models.MaxViewExtensions - 2 {
		if err := set(fmt.Sprint("more ", i), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := set("one more", "x"); !errors.Is(err, twinplatform.Conflict) || !strings.Contains(err.Error(), "LimitExceeded") {
		t.Errorf("over the limit: %v", err)
	}
	if err := set("markup", "in the place of another"); err != nil {
		t.Errorf("replacing at the limit: %v", err)
	}
	if err := errors.Join(w.DeleteViewExtension(ctx, "doors", "a/b"), w.DeleteSavedView(ctx, "doors")); err != nil {
		t.Fatal(err)
	}
	if err := errorOf(w.CreateSavedView(ctx, models.NewSavedView{ID: "doors", ModelID: "source-model", DisplayName: "Doors"})); err != nil {
		t.Fatal(err)
	}
	if err := errorOf(w.ViewExtension(ctx, "doors", "markup")); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a new view of the id has an extension of the old one: %v", err)
	}
}

// covers: operations savedViewImages.get savedViewImages.set savedViewImages.read
func TestImageIsKeptWithItsView(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	if _, err := w.ViewImage(ctx, "doors"); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a view without an image has one: %v", err)
	}
	open := func(img models.ViewImage) (string, error) {
		f, err := w.OpenViewImage(ctx, strings.TrimPrefix(img.URL, models.ViewImagePath+"/"))
		if err != nil {
			return "", err
		}
		content, err := io.ReadAll(f)
		return f.Type + " " + string(content), err
	}
	first, err := w.SetViewImage(ctx, "doors", strings.NewReader(modelstest.Dots(3, 2)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := open(first); err != nil || got != "image/png "+modelstest.Dots(3, 2) {
		t.Errorf("read %q: %v", got, err)
	}
	for name, content := range map[string]string{"none": "", "text": "hello", "four billion pixels": "\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00", "too large": modelstest.Dots(3, 2) + strings.Repeat("x", models.MaxViewImageBytes)} {
		_, err := w.SetViewImage(ctx, "doors", strings.NewReader(content))
		if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Code != "InvalidSavedViewRequest" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.SetViewImage(ctx, "doors", nil); !errors.Is(err, twinplatform.Unprocessable) {
		t.Errorf("nothing to read: %v", err)
	}
	second, err := w.SetViewImage(ctx, "doors", strings.NewReader(modelstest.Dots(1, 1)))
	if again, got := w.ViewImage(ctx, "doors"); err != nil || got != nil || again != second || second == first {
		t.Errorf("set %+v, got %+v: %v, %v", second, again, err, got)
	}
	if _, err := open(first); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("the image before is still there: %v", err)
	}
	if err := w.DeleteSavedView(ctx, "doors"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(second); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("the image is there without its view: %v", err)
	}
}

func TestGroupsAndTagsGoWithTheirModel(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	if err := w.DeleteModel(ctx, "source-model"); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"group": errorOf(w.ViewGroup(ctx, "inside")), "tag": errorOf(w.ViewTag(ctx, "approved")), "extension": errorOf(w.ViewExtension(ctx, "doors", "markup")),
	} {
		if !errors.Is(err, twinplatform.NotFound) {
			t.Errorf("the %s is there without its model: %v", name, err)
		}
	}
	if err := errorOf(w.ViewGroup(ctx, "elsewhere")); err != nil {
		t.Errorf("the group of another model is gone: %v", err)
	}
}

func TestGroupsAndTagsAreForThoseOfTheModelAlone(t *testing.T) {
	t.Parallel()
	w, _ := sorted(t)
	stranger, reader := w.As("ann"), w.As("bob", "models_read", "source")
	for name, fail := range map[string]func(context.Context) error{
		"get a group": func(ctx context.Context) error { return errorOf(w.ViewGroup(ctx, "inside")) },
		"get a tag":   func(ctx context.Context) error { return errorOf(w.ViewTag(ctx, "approved")) },
		"list extensions": func(ctx context.Context) error {
			return errorOf(w.ViewExtensions(ctx, "doors", models.ViewExtensionQuery{}))
		},
		"list groups": func(ctx context.Context) error {
			return errorOf(w.ViewGroups(ctx, models.ViewGroupQuery{ModelID: "source-model"}))
		},
		"list tags": func(ctx context.Context) error {
			return errorOf(w.ViewTags(ctx, models.ViewTagQuery{ModelID: "source-model"}))
		},
	} {
		if err := fail(stranger); !errors.Is(err, twinplatform.NotFound) {
			t.Errorf("%s by a stranger: %v", name, err)
		}
		if err := fail(reader); err != nil {
			t.Errorf("%s by a reader: %v", name, err)
		}
	}
	for name, change := range map[string]func(context.Context) error{
		"change a view": func(ctx context.Context) error {
			return errorOf(w.UpdateSavedView(ctx, "doors", models.SavedViewPatch{}))
		},
		"change a group": func(ctx context.Context) error {
			return errorOf(w.UpdateViewGroup(ctx, "inside", models.ViewGroupPatch{}))
		},
		"delete a group": func(ctx context.Context) error { return w.DeleteViewGroup(ctx, "inside") },
		"change a tag": func(ctx context.Context) error {
			return errorOf(w.UpdateViewTag(ctx, "approved", models.ViewTagPatch{}))
		},
		"delete a tag":        func(ctx context.Context) error { return w.DeleteViewTag(ctx, "approved") },
		"delete an extension": func(ctx context.Context) error { return w.DeleteViewExtension(ctx, "doors", "markup") },
	} {
		if err := change(stranger); !errors.Is(err, twinplatform.NotFound) {
			t.Errorf("%s by a stranger: %v", name, err)
		}
		if err := change(reader); !errors.Is(err, twinplatform.Forbidden) {
			t.Errorf("%s by a reader: %v", name, err)
		}
	}
}
