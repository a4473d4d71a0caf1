//go:build peers

package peers_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/bench"
)

// tasks is how many there are, and rounds how often each server is measured, alternately.
const (
	tasks  = 10_000
	rounds = 7
	bearer = "a-token-of-the-benchmark"
)

// peer is a server with the tasks, and how it is asked.
type peer struct {
	name    string
	pid     int
	address string // host and port
	get     string
	create  string
	page    string // of 100
	all     string // the largest page
	made    int    // tasks
}

// mix is one kind of request.
type mix struct {
	name  string
	want  float64 // times the processor time of this server that others are to take
	conns []int
	ask   func(p *peer, i int) string
}

var mixes = []mix{
	{"get", 6, []int{1, 16, 64}, func(p *peer, _ int) string { return request("GET", p.get, "") }},
	{"create", 8, []int{1, 16, 64}, func(p *peer, i int) string { return request("POST", p.create, made(i)) }},
	{"page of 100", 10, []int{1, 16, 64}, func(p *peer, _ int) string { return request("GET", p.page, "") }},
	{"largest page", 10, []int{1}, func(p *peer, _ int) string { return request("GET", p.all, "") }},
}

// BenchmarkPeers prints a table in Markdown: the microseconds of its processors that each server
// takes for a request, how many it answers in a second, and how many times more processor time
// others take than this one, as the median and the range of the rounds.
func BenchmarkPeers(b *testing.B) {
	all := []*peer{ours(b), pocketBase(b)}
	if p := jsonServer(b); p != nil {
		all = append(all, p)
	}
	var table strings.Builder
	table.WriteString("| |")
	for _, p := range all {
		fmt.Fprintf(&table, " %s µs | a second |", p.name)
	}
	for _, p := range all[1:] {
		fmt.Fprintf(&table, " times %s | range |", p.name)
	}
	table.WriteString(" wanted |\n|" + strings.Repeat("---|", 4*len(all)) + "\n")
	for _, m := range mixes {
		for _, conns := range m.conns {
			b.Run(fmt.Sprintf("%s/%d", m.name, conns), func(b *testing.B) {
				for b.Loop() {
					table.WriteString(m.measure(b, all, conns))
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
	fmt.Println(table.String())
}

// measure has servers answer a mix in turns, and returns its line of the table.
func (m mix) measure(b *testing.B, all []*peer, conns int) string {
	b.Helper()
	works := make([]func() (bench.Cost, error), len(all))
	for i, p := range all {
		works[i] = p.answering(b, m, conns)
	}
	costs, err := bench.Compare(rounds, works...)
	if err != nil {
		b.Fatal(err)
	}
	var line strings.Builder
	fmt.Fprintf(&line, "| %s, connections: %d |", m.name, conns)
	for _, c := range costs {
		fmt.Fprintf(&line, " %.0f | %.0f |", c.Each(bench.CPU, 1_000).Median, 1e9/c.Each(bench.Wall, 1).Median)
	}
	for i, c := range costs[1:] {
		times := c.Times(costs[0], bench.CPU)
		fmt.Fprintf(&line, " %.1f | %.1f–%.1f |", times.Median, times.Least, times.Most)
		b.ReportMetric(times.Median, "times-"+all[1+i].name)
	}
	fmt.Fprintf(&line, " %.0f |\n", m.want)
	return line.String()
}

// round is about how long a server is asked in one.
const round = time.Second

// answering is a round of requests that the server answers, and what each takes of it. How many
// they are follows from a few that are sent before.
func (p *peer) answering(tb testing.TB, m mix, conns int) func() (bench.Cost, error) {
	tb.Helper()
	const few = 5
	first, err := p.answers(m, conns, few)
	if err != nil {
		tb.Fatalf("%s: %s: %v", p.name, m.name, err)
	}
	n := max(few, int(round/max(first.Wall, 1)))
	return func() (bench.Cost, error) { return p.answers(m, conns, n) }
}

// answers sends n requests over new connections, and returns what one takes of the server. Some
// servers close connections that are idle between rounds.
func (p *peer) answers(m mix, conns, n int) (each bench.Cost, err error) {
	clients, err := bench.Dial(p.address, conns)
	if err != nil {
		return each, err
	}
	before, err := processorTime(p.pid)
	if err != nil {
		return each, err
	}
	began := time.Now()
	err = clients.Send(n, p.made, func(i int) string { return m.ask(p, i) })
	each.Wall = time.Since(began) / time.Duration(n)
	p.made += n
	after, failed := processorTime(p.pid)
	each.CPU = (after - before) / time.Duration(n)
	return each, cmp.Or(err, failed, clients.Close())
}

// made is the body of a request for another task.
func made(i int) string {
	return fmt.Sprintf(`{"id":"made%011d","name":"Betonage de la dalle, étage %d","type":"Work","plannedStart":"2026-01-05T09:00:00Z","plannedDuration":%d}`,
		i, i%40, 3600*(1+i%80))
}

func request(method, target, body string) string {
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n", method, target, bearer)
	if body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return head + "\r\n" + body
}
