package httpapi_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

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

// What follows a request that a proxy could have given another end is never taken for one,
// whatever the place and the spelling of the two lengths.
func TestNothingBehindARequestWithTwoLengthsIsTakenForOne(t *testing.T) {
	t.Parallel()
	const line, end = "POST /both HTTP/1.1\r\nHost: x\r\n", "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	good := "GET /good HTTP/1.1\r\nHost: x\r\n\r\n"
	posted := "POST /good HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
	for name, tt := range map[string]struct {
		sent     string
		statuses []int
	}{
		"length first":       {line + bothLengths + end, []int{200}},
		"encoding first":     {line + "Transfer-Encoding: chunked\r\nX: y\r\nContent-Length: 4\r\n" + end, []int{200}},
		"in other letters":   {line + "tRANSFER-eNCODING:\tChunked \r\ncontent-LENGTH:4\r\n" + end, []int{200}},
		"without returns":    {strings.ReplaceAll(line+bothLengths+end, "\r", ""), []int{200}},
		"the length is none": {line + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n" + end, []int{200}},
		"on another line":    {line + "Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n" + end, []int{200}},
		"behind a lot":       {line + "Cookie: " + strings.Repeat("c", 9000) + "\r\n" + bothLengths + end, []int{200}},
		"far in its line":    {line + "Transfer-Encoding: chunked\r\nContent-Length:" + strings.Repeat(" ", 3000) + "4\r\n" + end, []int{200}},
		"the encoding alone": {line + "Transfer-Encoding: chunked\r\n" + end, []int{200}},
		"two encodings":      {line + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" + end, []int{501}},
		"another encoding":   {line + "Transfer-Encoding: gzip, chunked\r\n" + end, []int{501}},
		"two lengths apart":  {line + "Content-Length: 0\r\nContent-Length: 5\r\n" + end, []int{400}},
		"a length in words":  {line + "Content-Length: +5\r\n" + end, []int{400}},
		"a name with blanks": {line + "Transfer-Encoding : chunked\r\nContent-Length: 5\r\n" + end, []int{400}},
		"of an old client":   {"POST /both HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n" + end, []int{200}},
		"behind others":      {good + posted + good + line + bothLengths + end, []int{200, 200, 200, 200}},
		"behind blank lines": {posted + "\r\n" + line + bothLengths + end, []int{200, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var smuggled atomic.Int32
			l := listen(t)
			served(t, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/smuggled" {
					smuggled.Add(1)
				}
				echoed(w, r)
			}))
			for _, piece := range []int{1, 7, len(tt.sent)} {
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
				if len(statuses) > len(tt.statuses) || !slices.Equal(statuses, tt.statuses[:len(statuses)]) {
					t.Errorf("in pieces of %d the answers are %v, want %v", piece, statuses, tt.statuses)
				}
				if smuggled.Load() > 0 {
					t.Errorf("in pieces of %d what follows is taken for a request", piece)
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

// A client that sends its body in chunks reads the whole answer, also to a body that the handler
// has left, and that the connection ends with it.
func TestClientsThatSendChunksAreAnsweredBeforeTheirConnectionEnds(t *testing.T) {
	t.Parallel()
	l := listen(t)
	served(t, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/left" {
			echoed(w, r)
		}
	}))
	for _, path := range []string{"/read", "/left"} {
		conn := dialled(t, l)
		chunk := strings.Repeat("abcd", 8<<10)
		request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", path, bothLengths, len(chunk), chunk)
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewReader(conn)
		res, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 || !res.Close {
			t.Errorf("%s: %d %s (%v), and the connection closes: %v", path, res.StatusCode, body, err, res.Close)
		}
		res.Body.Close()
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(chunk))); path == "/read" && !strings.Contains(string(body), sum) {
			t.Errorf("the handler has read another body: %s", body)
		}
		if _, err := answers.ReadByte(); err != io.EOF {
			t.Errorf("%s: behind the answer comes %v", path, err)
		}
	}
}

// A handler that takes a connection over reads what it likes from it.
func TestHandlersReadWhatTheyLikeFromConnectionsTheyTakeOver(t *testing.T) {
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

// Over TLS requests of HTTP/1 end their connection too, say what TLS has agreed on, and wait for no
// client that does not finish its handshake.
func TestRequestsWithTwoLengthsEndTheirConnectionOverTLS(t *testing.T) {
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
		{"POST / HTTP/1.1\r\nHost: x\r\n" + bothLengths + "\r\n0\r\n\r\nGET /smuggled", "", 200},
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
