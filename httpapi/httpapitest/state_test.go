package httpapitest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

func TestRestorePutsEverythingBack(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	c := tw.Client()
	send(t, c, "POST", tasks, dig)
	before := send(t, c, "GET", tasks, "")
	delta := before.header.Get("Delta-Token")
	s, moment := tw.Snapshot(), tw.Now()
	for range 2 {
		tw.Advance(time.Hour)
		send(t, c, "POST", tasks, strings.ReplaceAll(dig, "dig", "fill"))
		send(t, c, "DELETE", tasks+"/dig", "")
		tw.Restore(s)
		if after := send(t, c, "GET", tasks, ""); after.body != before.body || after.header.Get("ETag") != before.header.Get("ETag") {
			t.Errorf("before:\n%s\nafter:\n%s", before.body, after.body)
		}
		if a := send(t, c, "GET", tasks+"?deltaToken="+delta, ""); a.status != 200 || strings.Contains(a.body, `"id"`) {
			t.Errorf("nothing has changed, and yet %d %s", a.status, a.body)
		}
		if !tw.Now().Equal(moment) {
			t.Errorf("it is %v, not %v", tw.Now(), moment)
		}
	}
	if _, err := tw.Schedules.Schedule(t.Context(), "plan"); err != nil {
		t.Errorf("the services are not those of the state: %v", err)
	}
}

func TestForksGoTheirOwnWay(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	token := tw.Token(twinplatform.PermissionSchedulesRead, twinplatform.PermissionSchedulesModify)
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			fork := tw.Fork(t)
			c := fork.ClientWith(token)
			if i%2 == 0 {
				fork.Faults.Add(httpapitest.Fault{Op: "tasks.create", Status: 503})
				if a := send(t, c, "POST", tasks, dig); a.status != 503 {
					t.Errorf("answer %d %s", a.status, a.body)
				}
			}
			fork.Advance(time.Duration(i) * time.Hour)
			if a := send(t, c, "POST", tasks, dig); a.status != 202 {
				t.Errorf("answer %d %s", a.status, a.body)
			}
			fork.Journal.Require(t, "tasks.create", 2-i%2)
		})
	}
	t.Cleanup(func() { tw.Journal.Require(t, "tasks.create", 0) })
}

func TestTokenGrantsItsPermissionsAndNoMore(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	reader := tw.ClientWith(tw.Token(twinplatform.PermissionSchedulesRead))
	if a := send(t, reader, "GET", tasks, ""); a.status != 200 {
		t.Errorf("reading: %d %s", a.status, a.body)
	}
	if a := send(t, reader, "POST", tasks, dig); a.status != 403 {
		t.Errorf("writing: %d %s", a.status, a.body)
	}
	if a := send(t, tw.ClientWith(tw.Token()), "GET", tasks, ""); a.status != 404 {
		t.Errorf("reading without the permission: %d %s", a.status, a.body)
	}
	if a := send(t, tw.ClientWith(""), "GET", tasks, ""); a.status != 401 {
		t.Errorf("without a token: %d %s", a.status, a.body)
	}
	stranger := twinplatform.Principal{ID: "stranger", AccountID: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb", Scopes: []string{twinplatform.ScopePlatform}}
	if a := send(t, tw.Client(stranger), "GET", tasks, ""); a.status != 404 {
		t.Errorf("a stranger: %d %s", a.status, a.body)
	}
}

func TestNumberedIDsAreTheSameInEachRun(t *testing.T) {
	t.Parallel()
	var runs [2]string
	for i := range runs {
		tw := httpapitest.New(t, httpapitest.WithNumberedIDs())
		tasks := plan(t, tw)
		for range 3 {
			runs[i] += send(t, tw.Client(), "POST", tasks, `{"name":"Dig","type":"Work"}`).body
		}
	}
	if runs[0] != runs[1] {
		t.Errorf("one run:\n%s\nanother:\n%s", runs[0], runs[1])
	}
}

func TestWorldFillsTheHarness(t *testing.T) {
	t.Parallel()
	world := fstest.MapFS{
		"bridge.json": {Data: []byte(`{"twins": [{"id": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90", "displayName": "Bridge", "class": "Thing"}]}`)},
		"wrong.json":  {Data: []byte(`{"twin": []}`)},
	}
	tw := httpapitest.New(t, httpapitest.WithWorld(world, "bridge.json"))
	if a := send(t, tw.Client(), "GET", tw.URL+"/twins/6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90", ""); a.status != 200 {
		t.Errorf("answer %d %s", a.status, a.body)
	}
	for _, option := range []httpapitest.Option{httpapitest.WithWorld(world, "wrong.json"), httpapitest.WithWorld(world, "missing.json"), httpapitest.WithWorld(world)} {
		failed := &failingTest{TB: t}
		if !failed.by(func() { httpapitest.New(failed, option) }) {
			t.Error("a world that cannot be read is passed over")
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		httpapitest.New(b)
	}
}

func BenchmarkForkOf100000Tasks(b *testing.B) {
	tw := httpapitest.New(b)
	plan(b, tw)
	for i := range 100 {
		batch := bytes.NewBufferString(`{"batch":[`)
		for j := range 1000 {
			if j > 0 {
				batch.WriteByte(',')
			}
			fmt.Fprintf(batch, `{"id":"%d-%d","name":"Task","type":"Work"}`, i, j)
		}
		batch.WriteString("]}")
		if a := send(b, tw.Client(), "POST", tw.URL+"/schedules/plan/tasks/batch", batch.String()); a.status >= 300 {
			b.Fatal(a.status, a.body)
		}
	}
	for b.Loop() {
		tw.Fork(b)
	}
}
