package filestore_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// The bytes of reality data lie in a folder, and are reached by addresses that carry
// the right to do so.
func Example() {
	ctx := context.Background()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	files, err := filestore.Temporary(filestore.Config{BaseURL: server.URL + "/files"}) // Open keeps them
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	svc := realitydata.New(memory.New(), realitydata.Config{Containers: files})
	if err := files.Follow(ctx, svc); err != nil {
		log.Fatal(err)
	}
	mux.Handle("/files/", http.StripPrefix("/files", files))

	const twin = "70707070-7070-4070-8070-707070707070"
	survey, err := svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: twin, DisplayName: "Survey", Type: "LAS", Authoring: true})
	if err != nil {
		log.Fatal(err)
	}
	access, err := svc.WriteAccess(ctx, survey.Value().ID, twin)
	if err != nil {
		log.Fatal(err)
	}
	send := func(method, url, body string) {
		req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			log.Fatal(err)
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		fmt.Println(method, res.StatusCode, string(answer), err)
	}
	// The path of a file goes behind that of the container.
	container, right, _ := strings.Cut(access.URL, "?")
	send("PUT", container+"/points.las?"+right, "LASF")
	send("GET", container+"/points.las?"+right, "")
	// Output:
	// PUT 201  <nil>
	// GET 200 LASF <nil>
}
