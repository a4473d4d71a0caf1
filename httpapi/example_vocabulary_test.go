package httpapi_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// gardens has the names of a deployment.
const gardens = `{"segments": {"schedules": "seasons"}, "members": {"name": "title"}, "parts": {"twin": "garden", "schedule": "season", "schedules": "seasons"}}`

// seasons serves the schedules area under a vocabulary.
func seasons(v httpapi.Vocabulary) (*httpapi.Handler, error) {
	return httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"a-secret-token": {
			ID: "ann", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
		}}),
		Schedules:  schedules.New(memory.New(), schedules.Config{Twins: oneTwin{}}, scheduling.Feature, planfiles.Feature),
		Vocabulary: v,
		BaseURL:    "https://gardens.example.com",
	})
}

// A program that was written for a deployment with other names runs unchanged.
func ExampleVocabulary() {
	v, err := httpapi.ParseVocabulary(strings.NewReader(gardens))
	if err != nil {
		log.Fatal(err)
	}
	h, err := seasons(v)
	if err != nil {
		log.Fatal(err)
	}
	send := func(method, target, body string) {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer a-secret-token")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body)
	}
	send("POST", "/seasons", `{"id": "spring", "title": "Spring", "gardenId": "tower"}`)
	send("POST", "/seasons", `{"id": "summer", "name": "Summer", "gardenId": "tower"}`)
	send("GET", "/seasons/autumn", "")
	// Output:
	// 201 {"season":{"deleted":false,"id":"spring","isNextGen":true,"modelId":null,"title":"Spring","gardenId":"tower","type":"v10"}}
	// 400 {"error":{"code":"InvalidSeasonsRequest","message":"The request is invalid.","details":[{"code":"InvalidRequestBody","message":"The property 'name' is not one that may be given; did you mean 'title'?","target":"name"}]}}
	// 404 {"error":{"code":"SeasonNotFound","message":"The requested schedule is not available.","target":"seasonId"}}
}

// A client with the names of the specification calls such a deployment through a
// transport.
func ExampleVocabulary_Transport() {
	v, err := httpapi.ParseVocabulary(strings.NewReader(gardens))
	if err != nil {
		log.Fatal(err)
	}
	h, err := seasons(v)
	if err != nil {
		log.Fatal(err)
	}
	deployment := httptest.NewServer(h)
	defer deployment.Close()
	over, err := v.Transport(deployment.URL, nil)
	if err != nil {
		log.Fatal(err)
	}
	r, err := http.NewRequest("POST", deployment.URL+"/schedules", strings.NewReader(`{"id": "spring", "twinId": "tower"}`))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer a-secret-token")
	res, err := (&http.Client{Transport: over}).Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	fmt.Println(res.StatusCode, string(body), err)
	// Output:
	// 400 {"error":{"code":"InvalidSchedulesRequest","message":"The request is invalid.","details":[{"code":"MissingRequiredProperty","message":"The required property 'name' is missing.","target":"name"}]}} <nil>
}
