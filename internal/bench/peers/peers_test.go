//go:build peers

package peers_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tasks is how many there are, and rounds how often each server is measured, alternately.
const (
	tasks  = 10_000
	rounds = 5
	bearer = "a-token-of-the-benchmark"
)

// peer is a server with the tasks, and how it is asked.
type peer struct {
	name     string
	address  string
	get      string
	create   string
	page     string // of 100
	all      string // the largest page
	requests atomic.Int64
}

// mix is one kind of request.
type mix struct {
	name  string
	n     int // requests of a round, at 16 connections
	ask   func(p *peer, i int) *http.Request
	conns []int
}

var mixes = []mix{
	{"get", 8_000, func(p *peer, _ int) *http.Request { return p.request(http.MethodGet, p.get, nil) }, []int{1, 16, 64}},
	{"create", 3_000, func(p *peer, i int) *http.Request { return p.request(http.MethodPost, p.create, p.made(i)) }, []int{1, 16, 64}},
	{"page-of-100", 1_000, func(p *peer, _ int) *http.Request { return p.request(http.MethodGet, p.page, nil) }, []int{1, 16, 64}},
	{"largest-page", 30, func(p *peer, _ int) *http.Request { return p.request(http.MethodGet, p.all, nil) }, []int{1}},
}

// BenchmarkPeers prints the requests that each server answers in a second, the median
// of the rounds, and how many times as many this one answers as each other.
func BenchmarkPeers(b *testing.B) {
	all := []*peer{ours(b), pocketBase(b)}
	if p := jsonServer(b); p != nil {
		all = append(all, p)
	}
	for _, m := range mixes {
		for _, conns := range m.conns {
			b.Run(fmt.Sprintf("%s/%d", m.name, conns), func(b *testing.B) {
				for b.Loop() {
					rates := make([][]float64, len(all))
					for range rounds {
						for i, p := range all {
							rates[i] = append(rates[i], p.rate(b, m, conns))
						}
					}
					for i, p := range all {
						slices.Sort(rates[i])
						b.ReportMetric(rates[i][rounds/2], p.name+"/s")
						if i > 0 {
							b.ReportMetric(rates[0][rounds/2]/rates[i][rounds/2], "times-"+p.name)
						}
					}
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// rate sends a round of requests, and returns how many were answered in a second. Slow
// servers get fewer.
func (p *peer) rate(tb testing.TB, m mix, conns int) float64 {
	tb.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns}}
	defer client.CloseIdleConnections()
	var left, done atomic.Int64
	left.Store(int64(m.n))
	failed := make([]error, conns)
	until := time.Now().Add(2 * time.Second)
	began := time.Now()
	var workers sync.WaitGroup
	for i := range conns {
		workers.Go(func() {
			for left.Add(-1) >= 0 && failed[i] == nil && time.Now().Before(until) {
				failed[i] = send(client, m.ask(p, int(p.requests.Add(1))))
				done.Add(1)
			}
		})
	}
	workers.Wait()
	if err := errors.Join(failed...); err != nil {
		tb.Fatalf("%s: %v", p.name, err)
	}
	return float64(done.Load()) / time.Since(began).Seconds()
}

func send(client *http.Client, r *http.Request) error {
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s", r.Method, r.URL, answer.Status)
	}
	return nil
}

// made is the body of a request for another task.
func (*peer) made(i int) []byte {
	return fmt.Appendf(nil, `{"id":"made%011d","name":"Pour the floor","type":"Work","plannedStart":"2026-01-05T09:00:00Z","plannedDuration":28800}`, i)
}

func (p *peer) request(method, target string, body []byte) *http.Request {
	r, _ := http.NewRequest(method, p.address+target, bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+bearer)
	r.Header.Set("Content-Type", "application/json")
	return r
}
