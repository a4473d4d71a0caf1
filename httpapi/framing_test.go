package httpapi_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// served answers requests at a listener until the test ends.
func served(t *testing.T, l net.Listener, h http.Handler) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- httpapi.Serve(ctx, l, h, time.Second, nil) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// echoed answers with what a request was taken for.
func echoed(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %x %v", r.Method, r.URL.Path, sha256.Sum256(body), err)
}

func dialled(t *testing.T, l net.Listener) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

const bothLengths = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"

// A request that gives its length in two ways is refused, whatever its place and
// spelling, and nothing behind it is taken for a request.
func TestRequestsWithTwoLengthsEndTheirConnection(t *testing.T) {
	t.Parallel()
	const line, end = "POST /both HTTP/1.1\r\nHost: x\r\n", "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	good := "GET /good HTTP/1.1\r\nHost: x\r\n\r\n"
	posted := "POST /good HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcPOST /good HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n"
	for name, tt := range map[string]struct {
		sent string
		good int
	}{
		"length first":       {line + bothLengths + end, 0},
		"encoding first":     {line + "Transfer-Encoding: chunked\r\nX: y\r\nContent-Length: 4\r\n" + end, 0},
		"in other letters":   {line + "tRANSFER-eNCODING:\tChunked \r\ncontent-LENGTH:4\r\n" + end, 0},
		"without returns":    {strings.ReplaceAll(line+bothLengths+end, "\r", ""), 0},
		"the length is none": {line + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n" + end, 0},
		"on another line":    {line + "Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n" + end, 0},
		"behind a lot":       {line + "Cookie: " + strings.Repeat("c", 9000) + "\r\n" + bothLengths + end, 0},
		"far in its line":    {line + "Transfer-Encoding: chunked\r\nContent-Length:" + strings.Repeat(" ", 3000) + "4\r\n" + end, 0},
		"of an old client":   {"POST /both HTTP/1.0\r\nConnection: keep-alive\r\n" + "Transfer-Encoding: chunked\r\n" + end, 0},
		"behind others":      {good + posted + good + line + bothLengths + end, 4},
		"behind blank lines": {posted + "\r\n" + line + bothLengths + end, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bad, taken atomic.Int32
			l := listen(t)
			served(t, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				taken.Add(1)
				if r.URL.Path != "/good" {
					bad.Add(1)
				}
				echoed(w, r)
			}))
			for _, piece := range []int{1, 7, len(tt.sent)} {
				taken.Store(0)
				conn := dialled(t, l)
				go func() {
					for rest := tt.sent; rest != ""; {
						n := min(piece, len(rest))
						if _, err := io.WriteString(conn, rest[:n]); err != nil {
							return
						}
						rest = rest[n:]
					}
				}()
				var statuses []int
				answers := bufio.NewReader(conn)
				for status := answeredOver(answers); status != 0; status = answeredOver(answers) {
					statuses = append(statuses, status)
				}
				// What is sent to a closed connection takes answers along that no one has read.
				want := append(slices.Repeat([]int{200}, tt.good), 400)
				if len(statuses) > len(want) || !slices.Equal(statuses, want[:len(statuses)]) {
					t.Errorf("in pieces of %d the answers are %v, want %v", piece, statuses, want)
				}
				if bad.Load() > 0 || int(taken.Load()) != tt.good {
					t.Errorf("in pieces of %d %d requests are taken, %d of them wrongly", piece, taken.Load(), bad.Load())
				}
			}
		})
	}
}

// answeredOver is the status of the next answer; 0 where the connection is gone.
func answeredOver(answers *bufio.Reader) int {
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return 0
	}
	return res.StatusCode
}

// A client that sends it all at once, and nothing behind it, reads why it is refused.
func TestRequestsWithTwoLengthsAreAnsweredWith400(t *testing.T) {
	t.Parallel()
	l := listen(t)
	served(t, l, http.HandlerFunc(echoed))
	conn := dialled(t, l)
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+bothLengths+"\r\n"); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 400 || !res.Close {
		t.Errorf("%d, and the connection closes: %v", res.StatusCode, res.Close)
	}
}

// Whatever bodies hold and however the bytes come, requests that say their length once
// are taken for the same as without anybody who follows them.
func TestFollowedRequestsAreTakenForWhatTheyAre(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(echoed))
	defer plain.Close()
	l := listen(t)
	served(t, l, http.HandlerFunc(echoed))
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 3))
		var sent strings.Builder
		for range 1 + random.IntN(8) {
			sent.WriteString(randomRequest(random))
		}
		want := answersTo(t, plain.Listener, sent.String(), sent.Len())
		got := answersTo(t, l, sent.String(), 1+random.IntN(200))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %q\n%s", seed, sent.String(), diff)
		}
	}
}

// randomRequest is a request whose body holds what looks like headers and chunks.
func randomRequest(random *rand.Rand) string {
	bodies := []string{"", "\r\n", "\n\n", "GET / HTTP/1.1\r\n" + bothLengths + "\r\n", "0\r\n\r\n", bothLengths, strings.Repeat("a\r\n", 5_000), "5\r\nabcde\r\n0\r\n\r\n"}
	body := bodies[random.IntN(len(bodies))] + bodies[random.IntN(len(bodies))]
	method := []string{"GET", "POST", "PUT", "DELETE"}[random.IntN(4)]
	head := fmt.Sprintf("%s /r%d HTTP/1.1\r\nHost: x\r\n%s", method, random.IntN(100), []string{"", "X-Content-Length: 4\r\n", "Cookie: Transfer-Encoding: chunked\r\n", "X: a\r\n b\r\n"}[random.IntN(4)])
	switch random.IntN(3) {
	case 0:
		return head + "\r\n"
	case 1:
		return head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
	}
	var b strings.Builder
	b.WriteString(head + "Transfer-Encoding: chunked\r\n\r\n")
	for rest := body; rest != ""; {
		n := min(1+random.IntN(6_000), len(rest))
		fmt.Fprintf(&b, "%X%s\r\n%s\r\n", n, []string{"", ";x=\"y\"", " "}[random.IntN(3)], rest[:n])
		rest = rest[n:]
	}
	return b.String() + "0\r\n" + []string{"", "X-Sum: 1\r\n", "X-Sum: Content-Length: 3\r\n"}[random.IntN(3)] + "\r\n"
}

// answersTo are the bodies of the answers to what is sent in pieces, and of one last request.
func answersTo(t *testing.T, l net.Listener, sent string, piece int) (bodies []string) {
	t.Helper()
	conn := dialled(t, l)
	go func() {
		for rest := sent + "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"; rest != ""; {
			n := min(piece, len(rest))
			if _, err := io.WriteString(conn, rest[:n]); err != nil {
				return
			}
			rest = rest[n:]
		}
	}()
	answers := bufio.NewReader(conn)
	for {
		res, err := http.ReadResponse(answers, nil)
		if err != nil {
			return bodies
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		bodies = append(bodies, fmt.Sprintf("%d %s %v", res.StatusCode, body, err))
	}
}

// A handler that takes a connection over reads what it likes from it.
func TestConnectionsThatHandlersTakeOverAreNotFollowed(t *testing.T) {
	t.Parallel()
	l := listen(t)
	served(t, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "ready\n")
		got := make([]byte, len(bothLengths)+2)
		if _, err := io.ReadFull(buffered, got); err != nil {
			t.Error(err)
		}
		_, _ = conn.Write(got)
	}))
	conn := dialled(t, l)
	if _, err := io.WriteString(conn, "GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); line != "ready\n" || err != nil {
		t.Fatal(line, err)
	}
	if _, err := io.WriteString(conn, bothLengths+"\r\n"); err != nil {
		t.Fatal(err)
	}
	if echo, err := io.ReadAll(answers); string(echo) != bothLengths+"\r\n" || err != nil {
		t.Errorf("%q %v", echo, err)
	}
}

func TestServeSpeaksHTTP2OverTLS(t *testing.T) {
	t.Parallel()
	certified := httptest.NewUnstartedServer(nil)
	certified.EnableHTTP2 = true
	certified.StartTLS()
	defer certified.Close()
	l := listen(t)
	served(t, tls.NewListener(l, &tls.Config{Certificates: certified.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}), http.HandlerFunc(echoed))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+l.Addr().String(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	client := certified.Client()
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.ProtoMajor != 2 || res.StatusCode != http.StatusOK {
		t.Errorf("%s %s", res.Proto, res.Status)
	}
}

// Over TLS requests of HTTP/1 are followed too, say what TLS has agreed on, and wait for no
// client that does not finish its handshake.
func TestRequestsWithTwoLengthsAreRefusedOverTLS(t *testing.T) {
	t.Parallel()
	certified := httptest.NewUnstartedServer(nil)
	certified.StartTLS()
	defer certified.Close()
	l := listen(t)
	config := &tls.Config{Certificates: certified.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}
	served(t, tls.NewListener(l, config), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " over TLS: ", r.TLS != nil && r.TLS.HandshakeComplete)
	}))
	silent := dialled(t, l)
	if _, err := silent.Write([]byte{0x16}); err != nil { // the first byte of a handshake
		t.Fatal(err)
	}
	client := certified.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	client.ServerName = "example.com" // whom the certificate is for
	conn := tls.Client(dialled(t, l), client)
	answers := bufio.NewReader(conn)
	for _, tt := range []struct {
		sent, body string
		status     int
	}{
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 over TLS: true", 200},
		{"POST / HTTP/1.1\r\nHost: x\r\n" + bothLengths + "\r\n", "", 400},
	} {
		if _, err := io.WriteString(conn, tt.sent); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != tt.status || tt.body != "" && string(body) != tt.body || err != nil {
			t.Errorf("%q is answered %d %s (%v)", tt.sent, res.StatusCode, body, err)
		}
	}
	if _, err := answers.ReadByte(); err == nil {
		t.Error("the connection continues")
	}
}

// exhausted is a listener that cannot take a connection now and then, as when no more files can
// be opened.
type exhausted struct {
	net.Listener
	fails atomic.Int64
}

func (f *exhausted) Accept() (net.Conn, error) {
	if f.fails.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}

func TestServeContinuesWhenFilesCanBeOpenedAgain(t *testing.T) {
	t.Parallel()
	l := &exhausted{Listener: listen(t)}
	l.fails.Store(3)
	served(t, l, http.HandlerFunc(echoed))
	for range 2 {
		conn := dialled(t, l)
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if status := answeredOver(bufio.NewReader(conn)); status != http.StatusOK {
			t.Errorf("the answer is %d", status)
		}
	}
}
