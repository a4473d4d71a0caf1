package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// pipes is a listener without sockets, so that a server can run on the time of
// a bubble.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// serve runs a server until the test ends.
func serve(t *testing.T, srv *http.Server) *pipes {
	l := newPipes()
	stopped := make(chan error)
	go func() { stopped <- srv.Serve(l) }()
	t.Cleanup(func() {
		_ = srv.Close()
		<-stopped
		time.Sleep(time.Second) // on the bubble's clock: the server lets clients read a refusal for half a second
	})
	return l
}

// exchange sends raw text over a connection and reads one answer.
func exchange(t *testing.T, conn net.Conn, method, raw string) (status int, body string) {
	t.Helper()
	go func() { _, _ = io.WriteString(conn, raw) }()
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(all)
}

const head = " HTTP/1.1\r\nHost: example.com\r\nAuthorization: Bearer " + token + "\r\n"

func TestABodyThatNeverComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := serve(t, &http.Server{Handler: things(t, httpapi.Config{Timeout: 30 * time.Second}, thing())})
		conn := l.dial()
		began := time.Now()
		status, body := exchange(t, conn, "POST", "POST /things"+head+"Content-Length: 20\r\n\r\n{\"name\":")
		if status != 503 || !strings.Contains(body, "RequestAborted") || time.Since(began) != 30*time.Second {
			t.Errorf("after %v: %d %s", time.Since(began), status, body)
		}
		_ = conn.Close()
	})
}

func TestAnAnswerThatIsNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended sync.WaitGroup
		h := things(t, httpapi.Config{Timeout: 30 * time.Second}, thing())
		ended.Add(1)
		l := serve(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer ended.Done()
			h.ServeHTTP(w, r)
			_ = http.NewResponseController(w).Flush()
		})})
		conn := l.dial()
		began := time.Now()
		_, _ = io.WriteString(conn, "GET /things"+head+"\r\n")
		ended.Wait()
		if took := time.Since(began); took < 30*time.Second || took > time.Minute {
			t.Errorf("the handler was kept for %v", took)
		}
		_ = conn.Close()
	})
}

func TestNarrowerTimeoutsOfTheServerStay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := serve(t, &http.Server{ReadTimeout: 2 * time.Second, Handler: things(t, httpapi.Config{}, thing())})
		conn := l.dial()
		began := time.Now()
		status, _ := exchange(t, conn, "POST", "POST /things"+head+"Content-Length: 20\r\n\r\n{")
		if took := time.Since(began); took != 2*time.Second || status != 503 {
			t.Errorf("after %v: %d", took, status)
		}
		_ = conn.Close()
	})
}

func TestConnectionsServeTheNextRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := serve(t, &http.Server{Handler: things(t, httpapi.Config{Timeout: 10 * time.Second}, thing())})
		conn := l.dial()
		for range 3 {
			status, _ := exchange(t, conn, "POST", "POST /things"+head+"Content-Length: 2\r\n\r\n{}")
			if status != 201 {
				t.Errorf("answer %d", status)
			}
			time.Sleep(time.Minute) // on the bubble's clock
		}
		_ = conn.Close()
	})
}

func TestAPanicBehindTheHeaderEndsTheConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := things(t, httpapi.Config{}, thing())
		l := serve(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(panicking{w}, r)
		})})
		conn := l.dial()
		go func() { _, _ = io.WriteString(conn, "GET /things/a"+head+"\r\n") }()
		all, _ := io.ReadAll(conn)
		if len(all) > 0 {
			t.Errorf("answered %q", all)
		}
		_ = conn.Close()
	})
}

// panicking panics when a body is written, which is behind the header.
type panicking struct{ http.ResponseWriter }

func (panicking) Write([]byte) (int, error) { panic("in the middle") }

func TestStrangeRequestLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		line string
		want int
	}{
		"asterisk":                 {"OPTIONS *", 404},
		"connect":                  {"CONNECT example.com:80", 404},
		"no longer than the host":  {"GET http://example.com", 404},
		"made-up method":           {"FETCH /things", 405},
		"escaped dots":             {"GET /things/%2e%2e", 404},
		"NUL":                      {"GET /things/%00", 404},
		"query without parameters": {"GET /things?", 200},
		"only separators":          {"GET /things?&&&=&=", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := serve(t, &http.Server{
					Handler:                      things(t, httpapi.Config{}, thing()),
					BaseContext:                  func(net.Listener) context.Context { return t.Context() },
					DisableGeneralOptionsHandler: true,
				})
				conn := l.dial()
				status, body := exchange(t, conn, "GET", test.line+head+"\r\n")
				if status != test.want || !strings.HasPrefix(body, "{") {
					t.Errorf("answer %d %s", status, body)
				}
				_ = conn.Close()
			})
		})
	}
}
