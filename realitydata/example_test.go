package realitydata_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const towerTwin = "70707070-7070-4070-8070-707070707070"

// Data are registered, and found again by what is said of them.
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

// The bytes go to an address that carries the right to write them.
func ExampleService_WriteAccess() {
	ctx := context.Background()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	files, err := filestore.Temporary(filestore.Config{BaseURL: server.URL + "/files"})
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	svc := realitydata.New(memory.New(), realitydata.Config{Containers: files})
	if err := files.Follow(ctx, svc); err != nil {
		log.Fatal(err)
	}
	mux.Handle("/files/", http.StripPrefix("/files", files))

	survey, err := svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: towerTwin, DisplayName: "Survey", Type: "LAS", Authoring: true})
	if err != nil {
		log.Fatal(err)
	}
	access, err := svc.WriteAccess(ctx, survey.Value().ID, towerTwin)
	if err != nil {
		log.Fatal(err)
	}
	container, signature, _ := strings.Cut(access.URL, "?")
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, container+"/points.las?"+signature, strings.NewReader("LASF"))
	if err != nil {
		log.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	fmt.Println(access.Type, access.Access, res.StatusCode)
	// Output: AzureBlobSasUrl Write 201
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
