package httpapi_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func TestLogHasTheFactAlone(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	env := twinplatform.Env{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	h := things(t, httpapi.Config{Env: env}, thing())
	ask(h, "POST", "/things?name=secret", `{"name":"secret"}`)
	ask(h, "POST", "/things/secret/strict?name=secret", `{"secret":1}`, "User-Agent: secret")
	ask(h, "GET", "/things/secret", "", "Authorization: Bearer secret")
	ask(h, "GET", "/secret", "", "Cookie: secret")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	for i, want := range []string{
		"method=POST operation=T4 status=201 principal=me",
		"method=POST operation=T8 status=400 principal=me",
		`method=GET operation=T3 status=401 principal=""`,
		`method=GET operation="" status=404 principal=me`,
	} {
		fields := strings.Fields(lines[i])
		// time and duration differ
		got := strings.Join(append(fields[3:6:6], fields[7]), " ")
		if fields[1] != "level=INFO" || got != want {
			t.Errorf("logged %q, want %q", lines[i], want)
		}
	}
	if len(lines) != 4 || strings.Contains(log.String(), "secret") || strings.Contains(log.String(), token) {
		t.Errorf("logged:\n%s", log.String())
	}
}

func TestLogHasTheCauseOfAFault(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	env := twinplatform.Env{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	ask(things(t, httpapi.Config{Env: env}, failing(errors.New("disk on fire"), nil)), "GET", "/things/a", "")
	ask(things(t, httpapi.Config{Env: env}, failing(nil, "out of luck")), "GET", "/things/a", "")
	for _, want := range []string{"level=ERROR", "operation=T3", "disk on fire", "out of luck", "stack=", "status=500"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s is not in the log:\n%s", want, log.String())
		}
	}
}

func TestOperationsAreKnownByTheirRequests(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{}, thing())
	for target, want := range map[string]string{
		"GET /things": "T1", "POST /things/": "T4", "HEAD /things/x": "T3", "POST /things/batch": "T6", "GET /things/batch": "T3",
		"PUT /things": "", "GET /nowhere": "", "GET /things//": "", "GET /openapi.json": "openapi",
	} {
		method, path, _ := strings.Cut(target, " ")
		got, ok := h.OperationOf(request(method, path))
		if got.ID != want || ok != (want != "") {
			t.Errorf("%s is %q, %v; want %q", target, got.ID, ok, want)
		}
	}
}
