#!/usr/bin/env bash
# github.com/johannesboyne/gofakes3 1.2.0 (Go) holds PutObject to If-Match and ignores it in GetObject and DeleteObject.
#
# In 1.2 a PUT with If-None-Match: * or with an If-Match that is out of date is answered 412, as S3 does, and a GET with
# the If-None-Match of the current ETag is 304. GET with an If-Match that is out of date is answered 200 with the
# content, and DELETE with one deletes. Code that reads or removes a version by its ETag passes its tests there, also
# where it names the wrong one.
#
# Seen on 2026-11-29 with Go 1.26, over the backend in memory.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOWORK=off
cat >go.mod <<'MOD'
module example.com/conditions

go 1.26

require github.com/johannesboyne/gofakes3 v1.2.0
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

const stale = `"00000000000000000000000000000000"`

func main() {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	defer server.Close()
	etag := ""
	send := func(method, path, body, condition, value string) {
		r, err := http.NewRequest(method, server.URL+path, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		if condition != "" {
			r.Header.Set(condition, value)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			panic(err)
		}
		answer.Body.Close()
		if e := answer.Header.Get("ETag"); e != "" {
			etag = e
		}
		fmt.Println(strings.TrimSpace(method+" "+condition), answer.StatusCode)
	}
	send("PUT", "/plans", "", "", "")
	send("PUT", "/plans/may.xer", "one", "", "")
	send("PUT", "/plans/may.xer", "two", "If-None-Match", "*")
	send("PUT", "/plans/may.xer", "two", "If-Match", stale)
	send("GET", "/plans/may.xer", "", "If-Match", stale)
	send("GET", "/plans/may.xer", "", "If-None-Match", etag)
	send("DELETE", "/plans/may.xer", "", "If-Match", stale)
	send("GET", "/plans/may.xer", "", "", "")
}
GO
go mod tidy 2>said && go run . >seen 2>>said || { cat said; exit 1; }
diff - seen <<'SEEN'
PUT 200
PUT 200
PUT If-None-Match 412
PUT If-Match 412
GET If-Match 200
GET If-None-Match 304
DELETE If-Match 204
GET 404
SEEN
echo "gofakes3 1.2.0 deletes an object whose ETag is another"
