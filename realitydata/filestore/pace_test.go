package filestore_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// pipes is a listener whose connections are made in memory, so that time is the
// bubble's.
type pipes struct{ dialled chan net.Conn }

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p.dialled
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.dialled <- server
	return client
}

// serve serves the files over a network in memory.
func (w *world) serve() pipes {
	p := pipes{make(chan net.Conn)}
	srv := &http.Server{Handler: w.files, ReadHeaderTimeout: time.Second}
	w.t.Cleanup(func() {
		close(p.dialled)
		_ = srv.Close()
		time.Sleep(time.Minute) // until all that was connected has noticed
	})
	go func() { _ = srv.Serve(p) }()
	return p
}

func target(t *testing.T, address, file string) string {
	t.Helper()
	u, err := url.Parse(at(t, address, file))
	if err != nil {
		t.Fatal(err)
	}
	return u.RequestURI()
}

// TestSlowSendersAreCutOff has a hundred clients that begin a file and then send a byte
// a second, or nothing.
func TestSlowSendersAreCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, filestore.Config{MaxUploads: 50, MaxAccountUploads: 60})
		_, address := w.data(w.of("acme", "ann"))
		network := w.serve()
		began := time.Now()
		answers := make(chan string)
		for i := range 100 {
			conn := network.dial()
			go func() {
				defer func() { _ = conn.Close() }()
				go func() {
					fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: files.test\r\nContent-Length: 1000000\r\n\r\nx", target(t, address, fmt.Sprint("f", i)))
					for i%2 == 0 {
						time.Sleep(time.Second)
						if _, err := conn.Write([]byte("x")); err != nil {
							return
						}
					}
				}()
				res, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					answers <- err.Error()
					return
				}
				defer func() { _ = res.Body.Close() }()
				body, _ := io.ReadAll(res.Body)
				answers <- fmt.Sprint(res.StatusCode, " ", strings.Contains(string(body), `"code":"`))
			}()
		}
		got := make(map[string]int)
		for range 100 {
			got[<-answers]++
		}
		if got["408 true"] != 50 || got["429 true"] != 50 {
			t.Errorf("answers are %v", got)
		}
		if took := time.Since(began); took > filestore.DefaultGrace+2*time.Second {
			t.Errorf("the last was cut off after %v", took)
		}
		if left := w.onDisk(); len(left) > 0 {
			t.Errorf("there remain %q", left)
		}
		if status, body := w.put(address, "fast", "x"); status != 201 {
			t.Errorf("afterwards: %d %s", status, body)
		}
	})
}

// TestSteadySenderIsNotCutOff has a client that is just fast enough for longer than the
// grace.
func TestSteadySenderIsNotCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, filestore.Config{})
		id, address := w.data(w.of("acme", "ann"))
		conn := w.serve().dial()
		defer func() { _ = conn.Close() }()
		const pieces = 60
		go func() {
			fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: files.test\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", target(t, address, "f"), pieces*filestore.DefaultMinRate)
			for range pieces {
				time.Sleep(time.Second)
				_, _ = conn.Write(make([]byte, filestore.DefaultMinRate))
			}
		}()
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != 201 {
			t.Fatal(res.Status)
		}
		if n, err := w.files.ContainerSize(t.Context(), id); n != pieces*filestore.DefaultMinRate || err != nil {
			t.Errorf("%d bytes arrived, %v", n, err)
		}
	})
}

// TestSlowReaderIsCutOff has a client that asks for a large file and does not read it.
func TestSlowReaderIsCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, filestore.Config{})
		_, address := w.data(w.of("acme", "ann"))
		if status, _ := w.put(address, "f", strings.Repeat("x", 1<<20)); status != 201 {
			t.Fatal(status)
		}
		conn := w.serve().dial()
		defer func() { _ = conn.Close() }()
		began := time.Now()
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: files.test\r\n\r\n", target(t, address, "f"))
		var one [1]byte
		n := 0
		for {
			if _, err := conn.Read(one[:]); err != nil {
				break
			}
			n++
			time.Sleep(100 * time.Millisecond)
		}
		if took := time.Since(began); n >= 1<<20 || took > 2*filestore.DefaultGrace {
			t.Errorf("%d bytes were read in %v", n, took)
		}
	})
}
