package httpapitest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// animationClient reads the animation of a schedule as programs that show it do: each
// list whole, page by page, by the token in the header of the page before.
type animationClient struct {
	t    *testing.T
	tw   *httpapitest.Harness
	size int
}

// list reads a list of records; filter ends in an ampersand.
func (c animationClient) list(path, key, filter string) (all []map[string]any) {
	c.t.Helper()
	for token := ""; ; {
		q := url.Values{"$top": {fmt.Sprint(c.size)}}
		if token != "" {
			q.Set("$continuationToken", token)
		}
		a := send(c.t, c.tw.Client(), "GET", c.tw.URL+"/schedules/tower/"+path+"?"+filter+q.Encode(), "")
		var body map[string]json.RawMessage
		var page []map[string]any
		if a.status != 200 || json.Unmarshal([]byte(a.body), &body) != nil || json.Unmarshal(body[key], &page) != nil {
			c.t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
		all = append(all, page...)
		token = a.header.Get("Continuation-Token")
		if len(page) != c.size && token != "" || len(page) == 0 && token == "" && len(all) > 0 {
			c.t.Errorf("%s: a page of %d by %d, and the next one %q", path, len(page), c.size, token)
		}
		if token == "" {
			return all
		}
	}
}

// animation is what such a client reads.
type animation map[string][]map[string]any

func (c animationClient) read() animation {
	c.t.Helper()
	out := make(animation)
	for key, path := range map[string]string{
		"tasks": "tasks", "appearanceProfiles": "appearance-profiles", "animationBindings": "animation-bindings",
		"animation3dTransforms": "animation-3d-transforms", "animation3dPathAssignments": "animation-3d-path-assignments",
		"keyframes": "animation-3d-paths/keyframes",
	} {
		out[key] = c.list(path, key, "")
	}
	for _, assignment := range out["animation3dPathAssignments"] {
		path := fmt.Sprint(assignment["pathId"])
		out["keyframes of "+path] = c.list("animation-3d-paths/"+url.PathEscape(path)+"/keyframes", "keyframes", "")
	}
	return out
}

// has reports whether a list holds a record with an id; none is asked for by null.
func (a animation) has(list string, id any) bool {
	for _, record := range a[list] {
		if record["id"] == id {
			return true
		}
	}
	return id == nil
}

func TestAnimatedPlanIsServedFromASeedByPagesOfAnySize(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithWorld(os.DirFS("testdata"), "animated.json"))
	whole := animationClient{t, tw, 10_000}.read()
	for _, size := range []int{2, 3} {
		if diff := cmp.Diff(whole, animationClient{t, tw, size}.read()); diff != "" {
			t.Errorf("by %d (-whole +paged):\n%s", size, diff)
		}
	}
	a := send(t, tw.Client(), "GET", tw.URL+"/schedules/tower/animation-statistics", "")
	want := `{"animationStatistics":{"animation3dPathAssignmentCount":3,"animation3dPathCount":2,"animation3dPathKeyframeCount":9,` +
		`"animation3dTransformCount":7,"animationBindingCount":11,"appearanceProfileCount":5,"taskCount":7}}`
	if a.status != 200 || a.body != want {
		t.Errorf("statistics: %d %s, want %s", a.status, a.body, want)
	}
	counts := make(map[string]int)
	for list, records := range whole {
		counts[list] = len(records)
	}
	if diff := cmp.Diff(map[string]int{
		"tasks": 7, "appearanceProfiles": 5, "animationBindings": 11, "animation3dTransforms": 7, "animation3dPathAssignments": 3,
		"keyframes": 9, "keyframes of lift": 5, "keyframes of road": 4,
	}, counts); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	for _, b := range whole["animationBindings"] {
		for member, list := range map[string]string{
			"taskId": "tasks", "appearanceProfileId": "appearanceProfiles", "transformId": "animation3dTransforms",
			"pathAssignmentId": "animation3dPathAssignments",
		} {
			if !whole.has(list, b[member]) {
				t.Errorf("%v: %s is not in %s", b["id"], member, list)
			}
		}
	}
	march := animationClient{t, tw, 2}.list("animation-bindings", "animationBindings", "startTime=2026-03-02T00:00:00Z&endTime=2026-03-03T00:00:00Z&")
	if len(march) != 2 || march[0]["id"] != "show-00" || march[1]["id"] != "show-06" {
		t.Errorf("in the first days of March: %v", march)
	}
}

// earlierAnimated is the animated world with a schedule of v6.5.
func earlierAnimated(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/animated.json")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(raw, []byte(`"id": "tower", "name": "Tower",`), []byte(`"id": "tower", "type": "v6.5", "name": "Tower",`), 1)
}

func TestAnimatedPlanOfV65IsReadAsThatOfV10(t *testing.T) {
	t.Parallel()
	later := httpapitest.New(t, httpapitest.WithWorld(os.DirFS("testdata"), "animated.json"))
	earlier := httpapitest.New(t, httpapitest.WithWorld(fstest.MapFS{"w.json": {Data: earlierAnimated(t)}}, "w.json"))
	if diff := cmp.Diff(animationClient{t, later, 10_000}.read(), animationClient{t, earlier, 50_000}.read()); diff != "" {
		t.Errorf("the animation (-v10 +v6.5):\n%s", diff)
	}
	statistics := at(later, "/schedules/tower/animation-statistics")
	if got := send(t, earlier.Client(), "GET", at(earlier, "/schedules/tower/animation-statistics"), ""); got.body != send(t, later.Client(), "GET", statistics, "").body {
		t.Errorf("statistics: %s", got.body)
	}
	for _, path := range []string{"appearance-profiles/a", "animation-bindings/a", "animation-3d-transforms/a", "animation-3d-paths/a", "animation-3d-path-assignments/a", "animation-3d-paths/keyframes/a"} {
		if got := send(t, earlier.Client(), "DELETE", at(earlier, "/schedules/tower/"+path), ""); got.status != 400 || !strings.Contains(got.body, "not supported by v6.5 schedules") {
			t.Errorf("a client deletes %s: %d %s", path, got.status, got.body)
		}
	}
}

func at(h *httpapitest.Harness, path string) string { return h.URL + path }
