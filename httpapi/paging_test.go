package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// taskPage is as much of a page of tasks as a copy needs.
type taskPage struct {
	Tasks []struct {
		ID, Name string
		Deleted  bool
	}
	Links struct {
		Self, Next *struct{ Href string }
	} `json:"_links"`
}

// copyOf follows the pages of a list by their links and keeps what it gets in
// tasks, by id. It returns the delta token of the last page and how often each
// task was listed.
func copyOf(t *testing.T, h http.Handler, target string, tasks map[string]string) (delta string, listed map[string]int) {
	t.Helper()
	listed = make(map[string]int)
	for {
		w := ask(h, "GET", target, "", "Authorization: Bearer writer")
		var page taskPage
		if err := stdjson.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %v", target, w.Code, err)
		}
		for _, task := range page.Tasks {
			listed[task.ID]++
			if task.Deleted {
				delete(tasks, task.ID)
			} else {
				tasks[task.ID] = task.Name
			}
		}
		header := w.Header().Get("Continuation-Token")
		if page.Links.Next == nil {
			if header != "" {
				t.Error("the last page has a continuation token")
			}
			return w.Header().Get("Delta-Token"), listed
		}
		next, err := url.Parse(page.Links.Next.Href)
		if err != nil || next.Query().Get("$continuationToken") != header {
			t.Fatalf("the link %s does not carry the token %s", page.Links.Next.Href, header)
		}
		target = page.Links.Next.Href
	}
}

func TestPagingWhileOthersWrite(t *testing.T) {
	t.Parallel()
	const n = 10_000
	w := newWorld(t)
	for from := 0; from < n; from += schedules.MaxBatch {
		var b strings.Builder
		for i := range schedules.MaxBatch {
			fmt.Fprintf(&b, `,{"id":"t%05d","name":"as it was","type":"Work"}`, from+i)
		}
		if res := ask(w.handler, "POST", "/schedules/plan/tasks/batch", `{"batch":[`+b.String()[1:]+`]}`, "Authorization: Bearer writer"); res.Code != 200 {
			t.Fatalf("%d %s", res.Code, res.Body)
		}
	}
	// The writer changes every tenth task, deletes every hundredth and makes
	// new ones, while the reader pages.
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := range n / 10 {
			method, target, body := "PATCH", fmt.Sprintf("/schedules/plan/tasks/t%05d", n-1-i*10), `{"name":"changed"}`
			switch i % 10 {
			case 3:
				method, body = "DELETE", ""
			case 7:
				method, target, body = "POST", "/schedules/plan/tasks", fmt.Sprintf(`{"id":"t%05d-new","name":"new","type":"Work"}`, i)
			}
			if res := ask(w.handler, method, target, body, "Authorization: Bearer writer"); res.Code >= 300 {
				t.Errorf("%s %s: %d %s", method, target, res.Code, res.Body)
			}
		}
	})
	tasks := make(map[string]string)
	delta, listed := copyOf(t, w.handler, "/schedules/plan/tasks?$top=250", tasks)
	writer.Wait()
	for i := range n {
		id := fmt.Sprintf("t%05d", i)
		untouched := (n-1-i)%10 != 0
		if got := listed[id]; got > 1 || got == 0 && untouched {
			t.Errorf("%s was listed %d times", id, got)
		}
	}
	copyOf(t, w.handler, "/schedules/plan/tasks?$top=100&deltaToken="+url.QueryEscape(delta), tasks)
	truth := make(map[string]string)
	copyOf(t, w.handler, "/schedules/plan/tasks?$top=10000", truth)
	if diff := cmp.Diff(truth, tasks); diff != "" {
		t.Errorf("the copy differs (-truth +copy):\n%s", diff)
	}
}

// TestListsRefuseOptionsThatTheyDoNotHave asks every list for a part of itself in
// each spelling that some list has. One that it does not have is refused by name,
// never passed over: the client would take what it gets for what it asked for.
func TestListsRefuseOptionsThatTheyDoNotHave(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	spellings := []string{
		"$filter", "$orderby", "$orderBy", "$select", "$search", "$expand", "$count", "$top", "$skip", "$continuationToken", "continuationToken",
		"ContinuationToken", "filter", "select", "orderby", "top", "skip", "%24filter",
	}
	for _, o := range h.Operations() {
		if o.Method != "GET" || strings.HasSuffix(o.Path, "}") || o.ID == "openapi" {
			continue
		}
		for _, spelling := range spellings {
			name := strings.ReplaceAll(spelling, "%24", "$")
			if slices.ContainsFunc(o.Query, func(p httpapi.Parameter) bool { return p.Name == name }) {
				continue
			}
			res := ask(h, o.Method, o.Path+"?"+spelling+"=5", "", "Authorization: Bearer admin")
			checkAnswer(t, res)
			want := 422
			if o.Area == "schedules" || o.Area == "detectors" {
				want = 400
			}
			if res.Code != want || !strings.Contains(res.Body.String(), quoted("target", name)) {
				t.Errorf("%s?%s: %d %s", o.Path, spelling, res.Code, res.Body)
			}
		}
	}
}
