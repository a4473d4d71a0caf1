package httpapitest_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
)

func TestCallSucceedsExactlyAtRetryAfter(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithRate(2))
	c := tw.Client()
	for _, want := range []int{200, 200, 429} {
		if a := send(t, c, "GET", tw.URL+"/twins", ""); a.status != want {
			t.Fatalf("answer %d, want %d", a.status, want)
		}
	}
	seconds, err := strconv.Atoi(send(t, c, "GET", tw.URL+"/twins", "").header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		t.Fatalf("Retry-After is %d, %v", seconds, err)
	}
	tw.Advance(time.Duration(seconds)*time.Second - time.Millisecond)
	if a := send(t, c, "GET", tw.URL+"/twins", ""); a.status != 429 {
		t.Errorf("a millisecond early: %d", a.status)
	}
	tw.Advance(time.Millisecond)
	if a := send(t, c, "GET", tw.URL+"/twins", ""); a.status != 200 {
		t.Errorf("at the time: %d", a.status)
	}
}

func TestTokenEndsOnTheClock(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	c := tw.ClientWith(tw.ExpiringToken(time.Hour, twinplatform.PermissionSchedulesRead))
	tasks := plan(t, tw)
	tw.Advance(time.Hour - 1)
	if a := send(t, c, "GET", tasks, ""); a.status != 200 {
		t.Errorf("before: %d %s", a.status, a.body)
	}
	tw.Advance(1)
	if a := send(t, c, "GET", tasks, ""); a.status != 401 {
		t.Errorf("after: %d %s", a.status, a.body)
	}
}

func TestRetentionGoesByOnTheClock(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithPlatform(func(c *platform.Config) { c.Env.Retain = 24 * time.Hour }))
	tasks := plan(t, tw)
	operation := send(t, tw.Client(), "POST", tasks, dig).header.Get("Operation-Location")
	tw.Advance(23 * time.Hour)
	if a := send(t, tw.Client(), "GET", operation, ""); a.status != 200 {
		t.Errorf("within the time: %d %s", a.status, a.body)
	}
	tw.Advance(2 * time.Hour)
	if a := send(t, tw.Client(), "GET", operation, ""); a.status != 404 {
		t.Errorf("after the time: %d %s", a.status, a.body)
	}
}

func TestMarkOfAStatusEndsOnTheClock(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	schedule := strings.TrimSuffix(plan(t, tw), "/tasks")
	status := schedule + "/resources/status-history"
	for _, made := range [][2]string{
		{"/resources", `{"id":"crane","name":"Crane","type":"Equipment"}`},
		{"/resource-status-categories", `{"id":"progress","name":"Progress"}`},
		{"/resource-status-sets", `{"id":"delivery","name":"Delivery","statusCategoryId":"progress"}`},
		{"/resource-status-items", `{"id":"late","name":"Late","statusSetId":"delivery","color":"#ff0000"}`},
		{"/resources/status-history", `{"id":"now","resourceId":"crane","statusItemId":"late","date":"2026-01-05T09:00:00Z",` +
			`"isCritical":true,"criticalUntil":"2026-01-05T10:00:00Z"}`},
	} {
		if a := send(t, tw.Client(), "POST", schedule+made[0], made[1]); a.status >= 300 {
			t.Fatalf("%s: %d %s", made[0], a.status, a.body)
		}
	}
	tw.Advance(time.Hour - time.Millisecond)
	if a := send(t, tw.Client(), "GET", status+"/now", ""); !strings.Contains(string(a.body), `"isCritical":true`) {
		t.Errorf("before: %d %s", a.status, a.body)
	}
	tw.Advance(time.Millisecond)
	if a := send(t, tw.Client(), "GET", status+"/now", ""); !strings.Contains(string(a.body), `"isCritical":false`) {
		t.Errorf("after: %d %s", a.status, a.body)
	}
}

func TestRecordsHaveTheTimeOfTheClock(t *testing.T) {
	t.Parallel()
	moment := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	tw := httpapitest.New(t, httpapitest.WithNow(moment))
	tw.Advance(time.Minute)
	rec, err := tw.Twins.Twin(t.Context(), tw.NewTwin("Bridge"))
	if err != nil || !rec.Value.CreatedDateTime.Equal(moment.Add(time.Minute)) {
		t.Errorf("made at %v, %v", rec.Value.CreatedDateTime, err)
	}
}
