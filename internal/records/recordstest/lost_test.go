package recordstest_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
)

func TestReadingMayGrowAndNothingElse(t *testing.T) {
	t.Parallel()
	before := []string{`task "1": {"a":1,"b":{"c":[{"d":null}]}} end`, `[{"x":1} {"x":2}]`, "text {Go:1}"}
	for name, c := range map[string]struct {
		now  []string
		same bool
	}{
		"the same":                 {before, true},
		"members and lines added":  {[]string{"new", `task "1": {"b":{"c":[{"d":null,"e":2}],"f":0},"a":1,"g":{}} end`, `[{"x":1,"y":1} {"x":2}]`, "text {Go:1}", "more"}, true},
		"a member gone":            {[]string{`task "1": {"b":{"c":[{"d":null}]}} end`, before[1], before[2]}, false},
		"a member null and gone":   {[]string{`task "1": {"a":1,"b":{"c":[{}]}} end`, before[1], before[2]}, false},
		"another value":            {[]string{`task "1": {"a":2,"b":{"c":[{"d":null}]}} end`, before[1], before[2]}, false},
		"another version":          {[]string{`task "2": {"a":1,"b":{"c":[{"d":null}]}} end`, before[1], before[2]}, false},
		"another record":           {[]string{before[0], `[{"x":1} {"x":3}]`, before[2]}, false},
		"one record less":          {[]string{before[0], `[{"x":1}]`, before[2]}, false},
		"an element more":          {[]string{`task "1": {"a":1,"b":{"c":[{"d":null},1]}} end`, before[1], before[2]}, false},
		"a line gone":              {before[:2], false},
		"lines in another order":   {[]string{before[1], before[0], before[2]}, false},
		"another text of a struct": {[]string{before[0], before[1], "text {Go:2}"}, false},
	} {
		if diff := recordstest.Lost(before, c.now); (diff == "") != c.same {
			t.Errorf("%s: %q", name, diff)
		}
	}
}

func TestReadingMayGiveFewerDigitsOfATime(t *testing.T) {
	t.Parallel()
	before := []string{`{"at":"2026-03-02T08:00:00.123456789Z"}`}
	for now, same := range map[string]bool{
		"2026-03-02T08:00:00.123Z": true, "2026-03-02T08:00:00.12Z": false, "2026-03-02T08:00:00Z": false, "": false,
	} {
		if diff := recordstest.Lost(before, []string{`{"at":"` + now + `"}`}); (diff == "") != same {
			t.Errorf("%q: %q", now, diff)
		}
	}
}
