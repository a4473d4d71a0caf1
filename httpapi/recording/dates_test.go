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
)

// Records of a deployment that bear no date bear none in the replay.
func TestReplayShowsNoDateWhereTheDeploymentShowedNone(t *testing.T) {
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
