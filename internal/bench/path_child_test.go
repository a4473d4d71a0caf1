package bench_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/bench"
)

// What a process of this binary is for: its parent's tests where childIs is not set.
const (
	childIs    = "TWINPLATFORM_BENCH_CHILD"
	childSends = "sends requests"
	childWorks = "does the work of a path"
)

// child is another process of a test binary, that does what it is asked to, one thing after the
// other, and answers each with what it took.
type child struct {
	in  *json.Encoder
	out *json.Decoder
}

// childRequest is what a child is asked to do: to send the requests of a path with the numbers from
// From on, or to do its work.
type childRequest struct {
	Path        string
	Size        int // of the path whose work it is
	N           int
	Addr        string
	Conns, From int
	About       question
}

type childAnswer struct {
	Cost  bench.Cost
	Error string
}

// start starts a child, which ends with the test.
func start(tb testing.TB, binary, is string) *child {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), binary, "-test.run", "^$") //nolint:gosec // the test binary
	cmd.Env, cmd.Stderr = append(os.Environ(), childIs+"="+is), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = errors.Join(in.Close(), cmd.Wait()) })
	return &child{json.NewEncoder(in), json.NewDecoder(out)}
}

// do has the child do something, and returns what it took it.
func (c *child) do(request childRequest) (bench.Cost, error) {
	var a childAnswer
	if err := errors.Join(c.in.Encode(request), c.out.Decode(&a)); err != nil {
		return bench.Cost{}, fmt.Errorf("the other process: %w", err)
	}
	if a.Error != "" {
		return bench.Cost{}, errors.New(a.Error)
	}
	return a.Cost, nil
}

// answerEach does what a parent asks for until it asks for nothing more, and returns the exit
// code.
func answerEach(in io.Reader, out io.Writer, do func(childRequest) (bench.Cost, error)) (exitCode int) {
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var request childRequest
		if err := requests.Decode(&request); err != nil {
			if errors.Is(err, io.EOF) {
				return 0
			}
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		var a childAnswer
		cost, err := do(request)
		if a.Cost = cost; err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			return 1
		}
	}
}

// sendAsAsked is a child that sends requests.
func sendAsAsked(in io.Reader, out io.Writer) (exitCode int) {
	var conns *bench.Clients
	return answerEach(in, out, func(r childRequest) (cost bench.Cost, err error) {
		if conns == nil {
			if conns, err = bench.Dial(r.Addr, r.Conns); err != nil {
				return bench.Cost{}, err
			}
		}
		at := slices.IndexFunc(askings, func(a asking) bool { return a.name == r.Path })
		return bench.Cost{}, conns.Send(r.N, r.From, func(i int) string { return askings[at].request(r.About, i) })
	})
}

// workAsAsked is a child that does the work of one path.
func workAsAsked(in io.Reader, out io.Writer) (exitCode int) {
	flag.Parse()
	testing.Benchmark(func(b *testing.B) {
		if b.N > 1 {
			return
		}
		var own func(int) error
		var ask func(int)
		exitCode = answerEach(in, out, func(r childRequest) (bench.Cost, error) {
			if own == nil {
				all := slices.Concat(paths()...)
				at := slices.IndexFunc(all, func(p path) bool { return p.name == r.Path })
				if at < 0 {
					return bench.Cost{}, fmt.Errorf("there is no path %s", r.Path)
				}
				_, own, ask, _ = all[at].ready(b, r.Size)
			}
			ask(r.N)
			return bench.Measure(func() error { return own(r.N) })
		})
	})
	return exitCode
}

// byChild is the work of a path as another process does it, of this commit or an earlier one:
// both have the same next to them.
func byChild(tb testing.TB, binary, name string, size, n int) func() (bench.Cost, error) {
	tb.Helper()
	c := start(tb, binary, childWorks)
	return func() (bench.Cost, error) { return c.do(childRequest{Path: name, Size: size, N: n}) }
}
