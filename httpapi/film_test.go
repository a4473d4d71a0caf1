package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// filmedRoad is a world with a schedule whose tasks build two elements of the model "site".
func filmedRoad(t *testing.T) http.Handler {
	t.Helper()
	h := newWorld(t).handler
	send := func(path, body string) {
		t.Helper()
		if w := ask(h, "POST", path, body, "Authorization: Bearer writer"); w.Code >= 300 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	send("/schedules", `{"id": "road", "name": "Road", "twinId": "tower"}`)
	send("/schedules/road/tasks/batch", `{"batch": [
		{"id": "lay", "name": "Lay", "type": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 864000},
		{"id": "cover", "name": "Cover", "type": "Work", "plannedStart": "2026-03-12T09:00:00Z", "plannedDuration": 864000}]}`)
	send("/schedules/road/appearance-profiles", `{"id": "grow", "name": "Grow", "action": "Install", "activeAppearance":
		{"color": "#00ff00", "growthSimulation": {"mode": "BottomTop"}}, "endAppearance": {"color": "#884422"}}`)
	send("/schedules/road/animation-bindings/batch", `{"batch": [
		{"id": "first", "animatedEntityId": "0x1f", "taskId": "lay", "appearanceProfileId": "grow"},
		{"id": "second", "animatedEntityId": "0x2f", "taskId": "cover", "appearanceProfileId": "grow"},
		{"id": "third", "animatedEntityId": "0x9f", "taskId": "cover", "appearanceProfileId": "grow"}]}`)
	return h
}

// covers: operations animation.glb
func TestAPlanIsPlayedInItsModelForThoseWhoMayReadIt(t *testing.T) {
	t.Parallel()
	h := filmedRoad(t)
	const at = "/schedules/road/animation.glb?modelId=site"
	w := ask(h, "GET", at, "", "Authorization: Bearer reader")
	want := map[string]string{
		"Content-Type": "model/gltf-binary", "Content-Disposition": "attachment; filename=animation.glb",
		"Content-Length": fmt.Sprint(w.Body.Len()), "Left-Out-Entities": "1",
	}
	for name, value := range want {
		if got := w.Header().Get(name); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
	if w.Code != 200 {
		t.Fatalf("it answers %d %s", w.Code, w.Body)
	}
	m, err := gltf.Read(bytes.NewReader(w.Body.Bytes()), gltf.Options{})
	if err != nil || !strings.Contains(w.Body.String(), `"secondsPerDay":0.1`) {
		t.Fatalf("it is no film of ten days in a second: %v", err)
	}
	if folder := os.Getenv("ANIMATED_SITES"); folder != "" { // where a validator of others finds it
		if err := os.WriteFile(filepath.Join(folder, "object-film.glb"), w.Body.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.Nodes) < 2 {
		t.Errorf("it has %d nodes", len(m.Nodes))
	}
	etag := w.Header().Get("ETag")
	if again := ask(h, "GET", at, "", "Authorization: Bearer reader", "If-None-Match: "+etag); again.Code != 304 || again.Body.Len() != 0 || again.Header().Get("ETag") != etag {
		t.Errorf("with its version it answers %d with %d bytes, %q", again.Code, again.Body.Len(), again.Header().Get("ETag"))
	}
	if faster := ask(h, "GET", at+"&speed=50", "", "Authorization: Bearer reader", "If-None-Match: "+etag); faster.Code != 200 || !strings.Contains(faster.Body.String(), `"secondsPerDay":0.02`) {
		t.Errorf("at another speed it answers %d", faster.Code)
	}
	for _, caller := range []string{"writer", "reader", "stranger", "bare"} {
		list := ask(h, "GET", "/schedules/road/animation-bindings", "", "Authorization: Bearer "+caller)
		if film := ask(h, "GET", at, "", "Authorization: Bearer "+caller); film.Code != list.Code {
			t.Errorf("%s: the film answers %d, the list of bindings %d", caller, film.Code, list.Code)
		}
	}
}

func TestAFilmThatCannotBeMadeIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	h := filmedRoad(t)
	const at = "/schedules/road/animation.glb"
	for path, want := range map[string]string{
		at: `400 MissingRequiredProperty "modelId"`, at + "?modelId=none": `404 ModelNotFound "modelId"`,
		at + "?modelId=site&speed=0.5":                                         `400 InvalidValue "speed"`,
		at + "?modelId=site&speed=0":                                           `400 InvalidValue "speed"`,
		at + "?modelId=site&speed=1001":                                        `400 InvalidValue "speed"`,
		at + "?modelId=site&entityIds=0x9f":                                    `400 InvalidValue "modelId"`,
		at + "?modelId=site&dates=Guessed":                                     `400 InvalidValue "dates"`,
		at + "?modelId=site&from=2026-03-09T00:00:00Z&to=2026-03-08T00:00:00Z": `400 InvalidValue "to"`,
		at + "?modelId=site&sped=5":                                            `400 sped`,
		at + "?modelId=site&baselineId=none":                                   `404 BaselineNotFound`,
		"/schedules/none/animation.glb?modelId=site":                           `404 ScheduleNotFound`,
		"/schedules/none/animation.glb?modelId=site&speed=-1":                  `404 ScheduleNotFound`,
	} {
		w := ask(h, "GET", path, "", "Authorization: Bearer reader")
		for part := range strings.FieldsSeq(want) {
			if !strings.Contains(fmt.Sprint(w.Code, w.Body), part) {
				t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
			}
		}
	}
}

// A nought that is given is none of the numbers that a parameter takes, and not the one that is taken without it.
func TestNoughtIsNotTakenForANumberThatWasNotGiven(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	for _, at := range []string{
		"risk.svg?runs", "risk.svg?optimisticPercent", "risk.svg?pessimisticPercent", "gantt.svg?rows", "gantt.json?page",
		"quality/dcma/violations?highFloatDays", "quality/dcma/violations?highDurationDays",
	} {
		_, name, _ := strings.Cut(at, "?")
		w := ask(h, "GET", "/schedules/plan/"+at+"=0", "", "Authorization: Bearer admin")
		if w.Code != 400 || !strings.Contains(w.Body.String(), `"target":"`+name+`"`) {
			t.Errorf("%s=0 answers %d %s", at, w.Code, w.Body)
		}
	}
}
