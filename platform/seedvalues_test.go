package platform_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// worldOfValues is a world of a plan with two tasks that have values of user fields.
func worldOfValues(t *testing.T, values string) *platform.World {
	t.Helper()
	w, err := platform.ReadWorld(strings.NewReader(`{"twins": [{"id": "` + tower + `"}], "schedules": [{
		"id": "s", "name": "Plan", "twinId": "` + tower + `",
		"tasks": [{"id": "a", "name": "A", "type": "Work"}, {"id": "b", "name": "B", "type": "Work"}],
		"userFields": [{"id": "crews", "name": "Crews", "category": "Task", "type": "Integer"}],
		"userFieldValues": [` + values + `]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOfValuesOfOneFieldInASeedTheLastHolds(t *testing.T) {
	t.Parallel()
	p := over(t, memory.New(), platform.Config{})
	seed(t, p, worldOfValues(t, `{"taskId": "a", "userFieldId": "crews", "intValue": 1},
		{"taskId": "b", "userFieldId": "crews", "intValue": 2}, {"taskId": "a", "userFieldId": "crews", "value": "3"}`))
	w, err := p.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, v := range w.Schedules[0].UserFieldValues {
		got[v.TaskID] = *v.Value
	}
	if diff := cmp.Diff(map[string]string{"a": "3", "b": "2"}, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

// A value that is refused is named by its place in the world, whatever is made together.
func TestARefusedValueOfASeedIsNamedByItsPlace(t *testing.T) {
	t.Parallel()
	const good = `{"taskId": "a", "userFieldId": "crews", "intValue": 1}, `
	for name, c := range map[string]struct{ values, place string }{
		"of another type":       {good + `{"taskId": "b", "userFieldId": "crews", "floatValue": 1.5}`, "userFieldValues[1]"},
		"of a missing task":     {good + good + `{"taskId": "none", "userFieldId": "crews", "intValue": 1}`, "userFieldValues[2]"},
		"of a missing field":    {good + `{"taskId": "b", "userFieldId": "none", "intValue": 1}`, "userFieldValues[1]"},
		"with more than one":    {`{"taskId": "b", "userFieldId": "crews", "intValue": 1, "boolValue": true}`, "userFieldValues[0]"},
		"behind a whole batch":  {strings.Repeat(good, 1_001) + `{"taskId": "b", "userFieldId": "none", "intValue": 1}`, "userFieldValues[1001]"},
		"of no kind of objects": {good + `{"userFieldId": "crews", "intValue": 1}`, "userFieldValues[1]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := over(t, memory.New(), platform.Config{}).Seed(t.Context(), worldOfValues(t, c.values), owner)
			if err == nil || !strings.Contains(err.Error(), c.place+":") {
				t.Errorf("%v, want the place %s", err, c.place)
			}
		})
	}
}
