package realitydata_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const towerTwin = "70707070-7070-4070-8070-707070707070"

// Data are registered, and found again by their properties.
func Example() {
	ctx := context.Background()
	svc := realitydata.New(memory.New(), realitydata.Config{})
	for _, name := range []string{"Survey in May", "Survey in June", "Facade"} {
		_, err := svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: towerTwin, DisplayName: name, Type: "LAS", Tags: []string{"drone"}})
		if err != nil {
			log.Fatal(err)
		}
	}
	surveys := realitydata.RealityDataQuery{TwinID: towerTwin, Search: "survey", Tag: "drone", OrderBy: "displayName"}
	for data, err := range twinplatform.All(ctx, svc.RealityDataList, surveys) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(data.DisplayName, data.Type)
	}
	// Output:
	// Survey in June LAS
	// Survey in May LAS
}

// bucket has the bytes, somewhere else; package filestore has them in a folder.
type bucket struct{}

// ContainerURL implements realitydata.Containers.
func (bucket) ContainerURL(_ context.Context, _ string, write bool) (string, error) {
	if write {
		return "https://bucket.example.com/survey?signature=for-writing", nil
	}
	return "https://bucket.example.com/survey?signature=for-reading", nil
}

// ContainerSize implements realitydata.Containers.
func (bucket) ContainerSize(context.Context, string) (int64, error) { return 4096, nil }

// RemoveContainer implements realitydata.Containers.
func (bucket) RemoveContainer(context.Context, string) error { return nil }

// The bytes are where Containers says: it gives out addresses that carry the right to
// read them, or also to write.
func ExampleContainers() {
	ctx := context.Background()
	svc := realitydata.New(memory.New(), realitydata.Config{Containers: bucket{}})
	survey, err := svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: towerTwin, DisplayName: "Survey", Type: "LAS"})
	if err != nil {
		log.Fatal(err)
	}
	access, err := svc.WriteAccess(ctx, survey.Value().ID, towerTwin)
	fmt.Println(access.Access, access.URL, err)
	measured, err := svc.Measure(ctx, survey.Value().ID)
	fmt.Println(measured.Value().Size, "KB", err)
	// Output:
	// Write https://bucket.example.com/survey?signature=for-writing <nil>
	// 4 KB <nil>
}

// A detector is found by others once a version of it is published.
func ExampleService_PublishDetectorVersion() {
	ctx := context.Background()
	svc := realitydata.New(memory.New(), realitydata.Config{})
	if _, err := svc.CreateDetector(ctx, realitydata.NewDetector{Name: "@acme/cracks", Type: realitydata.PhotoObjectDetector}); err != nil {
		log.Fatal(err)
	}
	_, _, err := svc.CreateDetectorVersion(ctx, "@acme/cracks", realitydata.NewDetectorVersion{
		VersionNumber: "1.0", Capabilities: realitydata.Capabilities{Labels: []string{"crack"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(svc.PublishDetectorVersion(ctx, "@acme/cracks", "1.0"))
	// Once its data are uploaded:
	if err := svc.CompleteDetectorVersion(ctx, "@acme/cracks", "1.0"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(svc.PublishDetectorVersion(ctx, "@acme/cracks", "1.0"))
	// Output:
	// DetectorVersionNotReady (versionNumber): The version still awaits its data.
	// <nil>
}

// What is refused says what is wrong with which member.
func ExampleService_CreateRealityData_refused() {
	svc := realitydata.New(memory.New(), realitydata.Config{})
	_, err := svc.CreateRealityData(context.Background(), realitydata.NewRealityData{TwinID: towerTwin, DisplayName: "Survey"})
	fmt.Println(errors.Is(err, twinplatform.Unprocessable))
	fmt.Println(err)
	// Output:
	// true
	// InvalidRealityDataRequest: The reality data request is invalid.: MissingRequiredProperty (type) The required property 'type' is missing.
}
