package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// What one node has answered, another that reads at a standby shows.
func TestNodeThatReadsAtStandbyShowsWhatAnotherAnswered(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t) // or skips
	primary, err := postgrestest.Start("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(primary.Stop)
	standby, err := primary.Standby("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.Stop)
	flags := shared(t)
	flags[1] = primary.URL("")
	one := start(t, flags)
	flags[1] += "&replica=" + standby.Address
	other := start(t, append(flags, "-admin", "127.0.0.1:0"))
	answered := regexp.MustCompile(`replica_reads_total\{by="replica"\} [1-9]`)
	for began := time.Now(); ; {
		other.call("GET", "/twins/"+one.twin("Tower"), "", http.StatusOK)
		if answered.Match(other.call("GET", other.admin()+"/metrics", "", http.StatusOK)) {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("the standby has answered nothing")
		}
	}
	if strings.Contains(other.banner.String(), standby.Address) {
		t.Error("the banner shows the parameters of the address")
	}
}
