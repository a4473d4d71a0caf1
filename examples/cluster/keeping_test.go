package main

import (
	"bytes"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// does runs a command of the program and returns what it prints.
func does(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, nil, &out, io.Discard); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

func TestBackupOfOneDatabaseIsRestoredIntoAnother(t *testing.T) {
	t.Parallel()
	from, to := shared(t), shared(t)
	one := start(t, from)
	tower := one.twin("Tower")
	backup := filepath.Join(t.TempDir(), "monday.backup")
	if output := does(t, "backup", "-db", from[1], backup); !strings.Contains(output, "holds all of") {
		t.Errorf("the backup says %q", output)
	}
	does(t, "check", backup)
	if output := does(t, "restore", "-db", to[1], backup); !strings.Contains(output, "restored") {
		t.Errorf("the restoration says %q", output)
	}
	start(t, to).call("GET", "/twins/"+tower, "", http.StatusOK)
}

// What a client knows of a state behind the one that the database was brought back to is
// valid for nothing any more, at nodes that run meanwhile too.
func TestNewHistoryMakesWhatClientsKnowGoodForNothing(t *testing.T) {
	t.Parallel()
	flags := shared(t)
	one := start(t, flags)
	tower := one.twin("Tower")
	tag := one.tag("/twins/"+tower, "")
	if got := one.tag("/twins/"+tower, tag); got != "" {
		t.Fatalf("the twin has the ETag %s a moment after %s", got, tag)
	}
	if output := does(t, "new-history", "-db", flags[1]); !strings.Contains(output, "list again") {
		t.Errorf("the command says %q", output)
	}
	if got := one.tag("/twins/"+tower, tag); got == "" || got == tag {
		t.Errorf("after a new history the ETag %s is still good", tag)
	}
	if err := run(t.Context(), []string{"new-history", "-db", "twin.db"}, nil, io.Discard, io.Discard); err == nil {
		t.Error("a store in a file takes a new history")
	}
}

// tag is the ETag of what is at a path; empty where it is still the known one.
func (n *running) tag(path, known string) string {
	n.Helper()
	req, err := http.NewRequestWithContext(n.Context(), http.MethodGet, n.address+path, http.NoBody)
	if err != nil {
		n.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer demo")
	if known != "" {
		req.Header.Set("If-None-Match", known)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		n.Fatal(err)
	}
	_ = resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return resp.Header.Get("ETag")
	case http.StatusNotModified:
		return ""
	}
	n.Fatalf("GET %s: %s", path, resp.Status)
	return ""
}

func TestMetricsOfNodeHaveItsDatabase(t *testing.T) {
	t.Parallel()
	n := start(t, append(shared(t), "-admin", "127.0.0.1:0", "-console", "true"))
	n.twin("Tower")
	metrics := string(n.call("GET", n.admin()+"/metrics", "", http.StatusOK))
	for _, want := range []string{"twinplatform_store_commits_total", "twinplatform_store_retries_total", "twinplatform_store_wait_duration_seconds_count", "twinplatform_store_connections_max"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("there is no %s in the metrics:\n%s", want, metrics)
		}
	}
	if page := string(n.call("GET", "/console/", "", http.StatusOK)); !strings.Contains(page, "<html") {
		t.Error("there is no console")
	}
}

// admin is the address of a node's metrics.
func (n *running) admin() string {
	n.Helper()
	for !strings.Contains(n.banner.String(), "try ") {
		time.Sleep(10 * time.Millisecond) // its last line
	}
	m := regexp.MustCompile(`admin +(http://\S+)/metrics`).FindStringSubmatch(n.banner.String())
	if m == nil {
		n.Fatalf("the node does not say where its metrics are: %s", n.banner)
	}
	return m[1]
}

// An address of a database may hold a password.
func TestPasswordOfDatabaseIsNeverShown(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	flags := shared(t)
	flags[1] = strings.Replace(flags[1], "postgres@", "postgres:verysecret@", 1)
	n := start(t, flags)
	n.twin("Tower")
	n.stop()
	if err := n.wait(); err != nil {
		t.Fatal(err)
	}
	failing := strings.Replace(server.URL("127.0.0.1:1"), "postgres@", "postgres:verysecret@", 1)
	err := run(t.Context(), []string{"backup", "-db", failing, filepath.Join(t.TempDir(), "b")}, nil, io.Discard, n.log)
	if err == nil {
		t.Fatal("a backup of nothing was made")
	}
	if output := n.banner.String() + n.log.String() + err.Error(); strings.Contains(output, "verysecret") {
		t.Errorf("the password of the database is shown: %s", output)
	}
}
