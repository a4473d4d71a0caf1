package testharness_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/examples/testharness"
)

// asIfByHand is a server for TestClientWaitsAsLongAsItIsAsked as written by hand, with a
// count of its calls.
func asIfByHand(t *testing.T) (server *httptest.Server, calls func() int) {
	t.Helper()
	n := 0
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		switch {
		case n == 1:
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
		case r.Method == http.MethodPost:
			w.Header().Set("Operation-Location", "http://"+r.Host+"/operations/1")
			w.WriteHeader(http.StatusAccepted)
		default:
			fmt.Fprint(w, `{"operation": {"status": "Succeeded"}}`)
		}
	}))
	t.Cleanup(server.Close)
	return server, func() int { return n }
}

func TestAHandlerByHandTestsARetryToo(t *testing.T) {
	t.Parallel()
	server, calls := asIfByHand(t)
	var waited time.Duration
	client := testharness.Client{HTTP: server.Client(), URL: server.URL, Sleep: func(d time.Duration) { waited += d }}
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	if calls() != 3 || waited != time.Minute {
		t.Errorf("it called %d times and waited %v", calls(), waited)
	}
}

// What the client sends is no task: it misspells a member.
func TestAHandlerByHandTakesWhatThePlatformRefuses(t *testing.T) {
	t.Parallel()
	tw, plan := newPlan(t)
	server, _ := asIfByHand(t)
	for _, tt := range []struct {
		client *http.Client
		url    string
		want   []int
	}{
		{server.Client(), server.URL, []int{429, 202}},
		{tw.Client(), plan.URL, []int{400, 400}},
	} {
		for _, want := range tt.want {
			res, err := tt.client.Post(tt.url+"/tasks", "application/json", strings.NewReader(`{"naem": "Dig", "type": "Work"}`))
			if err != nil || res.Body.Close() != nil || res.StatusCode != want {
				t.Error(res, err)
			}
		}
	}
}

// The page compares how long the retry test is in both ways.
func TestTheComparisonCountsItsLines(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	claimed := regexp.MustCompile(`(?m)^\| lines of the retry test \| (\d+) \| .* \| (\d+) \|$`).FindStringSubmatch(string(page))
	want := []int{lines(t, "alternatives_test.go", "asIfByHand") + lines(t, "alternatives_test.go", "TestAHandlerByHandTestsARetryToo"), lines(t, "recipes_test.go", "TestRecipeRetry")}
	if claimed == nil || claimed[1] != strconv.Itoa(want[0]) || claimed[2] != strconv.Itoa(want[1]) {
		t.Errorf("the page says %q, and they have %d lines", claimed, want)
	}
}

// lines is the length of a function.
func lines(t *testing.T, file, function string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	body := regexp.MustCompile(`(?ms)^func ` + function + `\(.*?^}$`).FindString(string(text))
	return strings.Count(body, "\n") + 1
}
