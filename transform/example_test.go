package transform_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// designAndSite are two models, of which the first has a shared view of its doors.
func designAndSite(ctx context.Context, svc *transform.Service) transform.NewConfiguration {
	for model, twin := range map[string]string{"design": "office", "site": "tower"} {
		if _, err := svc.Models().CreateModel(ctx, models.NewModel{ID: model, TwinID: twin, DisplayName: model}); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := svc.Models().CreateSavedView(ctx, models.NewSavedView{ID: "doors", ModelID: "design", DisplayName: "Doors", Shared: true}); err != nil {
		log.Fatal(err)
	}
	return transform.NewConfiguration{
		TransformName: "Doors to site", Comment: "Doors as designed",
		SourceProjectID: "office", SourceModelID: "design", TargetProjectID: "tower", TargetModelID: "site",
		TransformParameters: &transform.NewParameters{SavedViewID: "doors"},
	}
}

// A configuration says what of one model goes into another.
func Example() {
	ctx := context.Background()
	svc := transform.New(memory.New(), transform.Config{})
	doors, err := svc.CreateConfiguration(ctx, designAndSite(ctx, svc))
	if err != nil {
		log.Fatal(err)
	}
	c := doors.Value()
	fmt.Println(c.TransformName, c.TransformType, c.TransformParameters.ViewMode)
	fmt.Println(c.References.SourceModelID, "to", c.References.TargetModelID)
	// Output:
	// Doors to site FilterBySavedView IncludeNewContent
	// design to site
}

// All that a run will need is checked when the configuration is made.
func ExampleService_CreateConfiguration_refused() {
	ctx := context.Background()
	svc := transform.New(memory.New(), transform.Config{})
	n := designAndSite(ctx, svc)
	n.TransformParameters.SavedViewID = "windows"
	_, err := svc.CreateConfiguration(ctx, n)
	fmt.Println(errors.Is(err, twinplatform.Unprocessable))
	fmt.Println(err)
	// Output:
	// true
	// InvalidTransformationsRequest: The transformation configuration is invalid.: InvalidValue (transformParameters.savedViewId) The source model has no such saved view.
}

// A copy of the configurations of a project is kept by what has changed.
func ExampleService_Configurations_delta() {
	ctx := context.Background()
	svc := transform.New(memory.New(), transform.Config{})
	made, err := svc.CreateConfiguration(ctx, designAndSite(ctx, svc))
	if err != nil {
		log.Fatal(err)
	}
	tower := twinplatform.NewReplica(svc.Configurations, transform.ConfigurationQuery{ProjectID: "tower"})
	if _, err := tower.Sync(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(tower.Len())
	if err := svc.DeleteConfiguration(ctx, made.Value().ID); err != nil {
		log.Fatal(err)
	}
	if _, err := tower.Sync(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(tower.Len())
	// Output:
	// 1
	// 0
}
