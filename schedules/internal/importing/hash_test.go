package importing_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
)

// What is stored identifies what the file had by what encoding/json writes.
func TestContentOfFilesIsHashedAsJSON(t *testing.T) {
	t.Parallel()
	seconds := int32(-7)
	for _, said := range []any{
		"", "plain", "Überbau Ω", "a<b>&c", "quoted \" and \\", "line\nbreak", "sep\u2028arated", "bad \xff bytes", "\u0000",
		[]string(nil),
		[]string{},
		[]string{"a", "<"},
		[]any(nil),
		[]any{},
		int32(12), &seconds, (*int32)(nil),
		[]any{"x", schedules.Work, schedules.Planned, schedules.FinishToStart, schedules.StartAfter, int32(3), &seconds, (*int32)(nil)},
		twinplatform.DateTime{},
		twinplatform.At(time.Date(2026, 3, 1, 7, 30, 0, 5e6, time.FixedZone("", 3600))),
		[]any{true, 1.5, twinplatform.NullString(""), schedules.Utilization{ResourceUnits: 2.25}, map[string]int{"a": 1}},
	} {
		want, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		got, err := importing.AppendSaid(nil, said)
		if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
			t.Errorf("%#v: %v\n%s", said, err, diff)
		}
	}
	if _, err := importing.AppendSaid(nil, []any{math.NaN()}); err == nil {
		t.Error("a number that is none was written")
	}
}

func TestFactsAreHashedAsTheListOfThem(t *testing.T) {
	t.Parallel()
	seconds := int32(-7)
	at := twinplatform.At(time.Date(2026, 3, 1, 7, 30, 0, 5e6, time.FixedZone("", 3600)))
	for _, text := range []string{"", "plain", "Überbau Ω", "a<b>&c", "quoted \" and \\", "sep\u2028arated", "bad \xff bytes"} {
		for _, used := range []schedules.Utilization{{}, {ResourceUnits: 2.25, ResourceCount: 1e21, PercentOfOneResourceUnitPerDay: 1e-7}} {
			facts, list := importing.HashesOfFacts(text, 12, &seconds, at, &used)
			bare, listed := importing.HashesOfFacts(text, 0, nil, twinplatform.DateTime{}, &used)
			if facts != list || bare != listed {
				t.Errorf("%q and %v: the facts are hashed as %s and %s, want %s and %s", text, used, facts, bare, list, listed)
			}
		}
	}
}
