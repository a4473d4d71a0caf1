package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Clients send requests over their own connections, and cost little compared with what they
// measure.
type Clients struct{ conns []*client }

type client struct {
	net.Conn
	in   *bufio.Reader
	head []byte
}

// Dial opens so many connections to a server.
func Dial(addr string, conns int) (*Clients, error) {
	c := &Clients{}
	for range conns {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.conns = append(c.conns, &client{Conn: conn, in: bufio.NewReaderSize(conn, 64<<10)})
	}
	return c, nil
}

// Close closes the connections.
func (c *Clients) Close() error {
	closed := make([]error, len(c.conns))
	for i, conn := range c.conns {
		closed[i] = conn.Close()
	}
	return errors.Join(closed...)
}

// Ask sends a request over one of the connections, and returns head and body of the answer.
func (c *Clients) Ask(request string) (head, body []byte, err error) {
	return c.conns[0].ask(request, true)
}

// Send sends n requests with the numbers from one on, as many at once as there are connections. It
// fails with the first answer that is no success.
func (c *Clients) Send(n, from int, request func(i int) string) error {
	var next atomic.Int64
	failed := make([]error, len(c.conns))
	var all sync.WaitGroup
	for i, conn := range c.conns {
		all.Go(func() {
			for failed[i] == nil {
				number := int(next.Add(1)) - 1
				if number >= n {
					return
				}
				_, _, failed[i] = conn.ask(request(from+number), false)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// ask sends a request and reads the answer to it, and returns its body if it is to be
// kept.
func (c *client) ask(request string, keep bool) (head, body []byte, err error) {
	if _, err := io.WriteString(c, request); err != nil {
		return nil, nil, err
	}
	length, chunked, err := c.readHead()
	if err != nil {
		return nil, nil, err
	}
	from := io.LimitReader(c.in, int64(length))
	if chunked {
		from = httputil.NewChunkedReader(c.in)
	}
	var kept bytes.Buffer
	to := io.Discard
	if keep {
		to = &kept
	}
	if _, err = io.Copy(to, from); err == nil && chunked {
		_, err = c.in.Discard(len("\r\n")) // behind the last chunk
	}
	return c.head, kept.Bytes(), err
}

// readHead reads the head of an answer. It fails on one that is no success.
func (c *client) readHead() (length int, chunked bool, err error) {
	c.head = c.head[:0]
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, false, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		c.head = append(c.head, line...)
		name, value, _ := strings.Cut(string(bytes.TrimSpace(line)), ": ")
		switch {
		case strings.EqualFold(name, "Content-Length"):
			if length, err = strconv.Atoi(value); err != nil {
				return 0, false, err
			}
		case strings.EqualFold(name, "Transfer-Encoding"):
			chunked = value == "chunked"
		}
	}
	if len(c.head) < len("HTTP/1.1 200") || c.head[9] != '2' && string(c.head[9:12]) != "304" {
		return 0, false, fmt.Errorf("answered with %s", c.head)
	}
	return length, chunked, nil
}
