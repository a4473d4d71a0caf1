package recording_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// Tasks have the ids of statuses in the replay that the deployment has for them.
func TestReplayShowsTheStatusIDsOfTheDeployment(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	world := fmt.Sprintf(`{"twins": [{"id": %q, "displayName": "Bridge", "twinAccountId": "b0000000-0000-4000-8000-000000000001"}],
		"schedules": [{"id": "plan", "name": "Plan", "twinId": %[1]q, "taskStatusIds": {"Planned": "0a-planned", "Started": "0b-started"},
			"tasks": [{"id": "a", "name": "A", "type": "Work"}, {"id": "b", "name": "B", "type": "Work", "status": "Started"}]}]}`, bridge)
	s := sessionIn(t, fstest.MapFS{"world.json": {Data: []byte(world)}}, "world.json", httpapi.Vocabulary{}, httpapi.Vocabulary{}, 0)
	for _, path := range []string{"/twins/" + bridge, "/schedules/plan", "/schedules/plan/tasks"} {
		s.send("GET", path, "")
	}
	s.send("PATCH", "/schedules/plan/tasks/a", `{"statusId": "0b-started"}`)
	s.close()
	tw := httpapitest.New(t, httpapitest.WithWorld(os.DirFS(s.dir), "seed.json"))
	for id, want := range map[string]string{"a": "0a-planned", "b": "0b-started"} {
		task, err := tw.Schedules.In("plan").Task(t.Context(), id)
		if err != nil || task.Value.StatusID != want {
			t.Errorf("%s has the status %q, %v", id, task.Value.StatusID, err)
		}
	}
	httpapitest.Replay(t, s.dir)
}

// Records of a deployment that bear no date bear none in the replay.
func TestReplayShowsNoDateWhereTheDeploymentShowedNone(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	world := fmt.Sprintf(`{
		"twins": [{"id": %q, "displayName": "Bridge", "twinAccountId": "b0000000-0000-4000-8000-000000000001",
			"createdDateTime": null, "lastModifiedDateTime": "2019-03-04T05:06:07Z", "lastModifiedBy": "someone-before"}],
		"schedules": [{"id": "plan", "name": "Plan", "twinId": %[1]q, "tasks": [{"id": "a", "name": "A", "type": "Work"}, {"id": "b", "name": "B", "type": "Work"}],
			"taskLinks": [{"id": "l", "predecessorId": "a", "successorId": "b", "type": "FinishToStart", "createdOn": null},
				{"id": "m", "predecessorId": "a", "successorId": "b", "type": "StartToStart", "createdOn": "2020-01-02T03:04:05Z"}]}]
	}`, bridge)
	s := sessionIn(t, fstest.MapFS{"world.json": {Data: []byte(world)}}, "world.json", httpapi.Vocabulary{}, httpapi.Vocabulary{}, 0)
	for path, want := range map[string]string{
		"/twins/" + bridge: `"createdDateTime":null`, "/schedules/plan/tasks": `"id":"a"`, "/schedules/plan": `"Plan"`, "/schedules/plan/task-links": `"createdOn":null`,
	} {
		if got := s.send("GET", path, ""); !strings.Contains(got, want) {
			t.Errorf("%s answers %s, want %s", path, got, want)
		}
	}
	s.close()
	seed, err := os.ReadFile(filepath.Join(s.dir, "seed.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"createdDateTime": null`, `"createdOn": null`, `"createdOn": "2020-01-02T03:04:05Z"`, `"lastModifiedDateTime": "2019-03-04T05:06:07Z"`} {
		if !strings.Contains(string(seed), want) {
			t.Errorf("the seed has no %s:\n%s", want, seed)
		}
	}
	httpapitest.Replay(t, s.dir)
}
