package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform/internal/bench"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// recorded is what a server has answered a request with, and put into its store for it: what
// the bare handler answers with, and puts.
type recorded struct {
	status int
	header http.Header
	body   []byte
	puts   []put
}

// put is a key with the value that it was given.
type put struct {
	key   string
	value []byte
}

// learn sends a request, and returns what it is answered with.
func learn(tb testing.TB, addr, raw string) *recorded {
	tb.Helper()
	c, err := bench.Dial(addr, 1)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	head, body, err := c.Ask(raw)
	if err != nil {
		tb.Fatal(err)
	}
	status, fields, _ := bytes.Cut(head, []byte("\r\n"))
	r := &recorded{header: make(http.Header), body: body}
	if _, err := fmt.Sscanf(string(status), "HTTP/1.1 %d", &r.status); err != nil {
		tb.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(fields)), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		r.header.Set(name, value)
	}
	for _, name := range []string{"Date", "Transfer-Encoding", "Connection"} {
		r.header.Del(name)
	}
	return r
}

// barely answers with what was recorded, to a client that has the token and is within the
// limit.
func (r *recorded) barely() http.Handler {
	return r.admitting(func(_ http.ResponseWriter, req *http.Request) error {
		_, err := io.Copy(io.Discard, req.Body)
		return err
	})
}

// bareTask are the members that are sent of a task.
type bareTask struct {
	ID              string `json:"id"`
	Name            string `json:"name"`
	Type            string `json:"type"`
	ParentID        string `json:"parentId"`
	Comment         string `json:"comment"`
	UserDefinedID   string `json:"userDefinedId"`
	PlannedStart    string `json:"plannedStart"`
	PlannedDuration int32  `json:"plannedDuration"`
}

// parsing is barely, and reads the body into a struct and puts in one transaction what was
// recorded, each time under other keys.
func (r *recorded) parsing() http.Handler {
	store := memory.New()
	var made atomic.Int64
	return r.admitting(func(_ http.ResponseWriter, req *http.Request) error {
		var task bareTask
		if err := json.NewDecoder(req.Body).Decode(&task); err != nil {
			return err
		}
		number := "/" + strconv.FormatInt(made.Add(1), 10)
		return store.Update(req.Context(), func(w storage.Writer) error {
			for _, p := range r.puts {
				if err := w.Put(p.key+number, bytes.Clone(p.value)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// admitting answers with what was recorded once the request is taken.
func (r *recorded) admitting(take func(http.ResponseWriter, *http.Request) error) http.Handler {
	tokens := map[string]*rate.Limiter{bearer: rate.NewLimiter(1<<30, 1<<30)}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		token, _ := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
		limit, ok := tokens[token]
		if !ok || !limit.Allow() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if err := take(w, req); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		maps.Copy(w.Header(), r.header)
		if etag := req.Header.Get("If-None-Match"); etag != "" && etag == r.header.Get("Etag") {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.WriteHeader(r.status)
		_, _ = w.Write(r.body)
	})
}

// putting notes what is put into a store.
type putting struct {
	storage.Store
	puts []put
}

func (s *putting) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error { return fn(puttingWriter{w, s}) })
}

type puttingWriter struct {
	storage.Writer
	s *putting
}

func (w puttingWriter) Put(key string, value []byte) error {
	w.s.puts = append(w.s.puts, put{key, bytes.Clone(value)})
	return w.Writer.Put(key, value)
}

func readerOf(raw string) *bufio.Reader { return bufio.NewReader(strings.NewReader(raw)) }
