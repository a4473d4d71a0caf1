package twinplatform_test

import (
	"encoding/json"
	"regexp"
	"testing"
	"testing/quick"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

func TestDateTimesHaveOneForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, out string }{
		{"2026-01-31T09:00:00Z", "2026-01-31T09:00:00Z"},
		{"2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00Z"},
		{"2026-01-31T09:00:00.5Z", "2026-01-31T09:00:00.500Z"},
		{"2026-01-31T09:00:00.123456789Z", "2026-01-31T09:00:00.123Z"},
		{"2026-01-31T09:00:00.0000001Z", "2026-01-31T09:00:00Z"},
		{"2026-01-31T09:00:00+02:00", "2026-01-31T07:00:00Z"},
		{"2026-01-31T09:00", "2026-01-31T09:00:00Z"},
		{"2026-01-31", "2026-01-31T00:00:00Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"},
	} {
		var d twinplatform.DateTime
		if err := json.Unmarshal([]byte(`"`+c.in+`"`), &d); err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := string(d.AppendJSON(nil)); got != `"`+c.out+`"` {
			t.Errorf("%s is written as %s, want %q", c.in, got, c.out)
		}
	}
	for _, in := range []string{"0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "10000-01-01T00:00:00Z", "31.1.2026", "", "2026-02-30T00:00:00Z"} {
		if _, err := twinplatform.ParseDateTime(in); err == nil {
			t.Errorf("%q is taken", in)
		}
	}
}

func TestInstantThatCannotBeReadIsNotWritten(t *testing.T) {
	t.Parallel()
	for instant, want := range map[time.Time]string{
		{}: "null",
		time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("", -3600)):           `"0001-01-01T01:00:00Z"`,
		time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)):            "",
		time.Date(0, 7, 1, 0, 0, 0, 0, time.UTC):                            "",
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC):          `"9999-12-31T23:59:59.999Z"`,
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -3600)):   "",
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC):                        "",
		time.Date(292277026596, 12, 4, 15, 30, 7, 0, time.UTC):              "",
		time.Date(10000, 1, 1, 0, 59, 59, 0, time.FixedZone("", int(3600))): `"9999-12-31T23:59:59Z"`,
	} {
		d := twinplatform.DateTime{Time: instant}
		b, err := json.Marshal(d)
		if string(b) != want || d.Valid() != (err == nil) {
			t.Errorf("%v is written as %s, %v; want %s", instant, b, err, want)
		}
	}
}

func TestEveryInstantIsWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z"$`)
	readBack := func(seconds int64, nanoseconds int32) bool {
		d := twinplatform.At(time.Unix(seconds, int64(nanoseconds)).In(time.FixedZone("", 3600)))
		b := d.AppendJSON(nil)
		var again twinplatform.DateTime
		return form.Match(b) && json.Unmarshal(b, &again) == nil && again.Equal(d.Time) && twinplatform.At(again.Time) == again
	}
	const first, last = -62135596800, 253402300799 // of the years 1 to 9999
	property := func(seconds, early, late uint32, nanoseconds uint32) bool {
		n := int32(nanoseconds % 1e9)
		return readBack(int64(seconds), n) && readBack(first+int64(early%10), n) && readBack(last-int64(late%10), n)
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 5_000}); err != nil {
		t.Error(err)
	}
}
