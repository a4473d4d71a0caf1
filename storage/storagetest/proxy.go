package storagetest

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// severance is how a proxy cuts a connection.
type severance int

const (
	cutShort severance = iota // both sides are closed
	cutLate                   // the client's side is closed, and the server gets the rest later
	cutOff                    // both sides are closed, and nothing passes any more
	frozen                    // nothing passes on this connection any more, and no side is closed
	silent                    // nothing passes on any connection any more, and no side is closed
)

// String names a way for a test.
func (s severance) String() string {
	return [...]string{
		"ConnectionsBreak", "MessagesArriveLate", "NobodyAnswers", "AProcessStandsStill",
		"NothingPasses",
	}[s]
}

// proxy is between an engine and its server and counts messages.
type proxy struct {
	remote   Remote
	listener net.Listener
	pumps    sync.WaitGroup

	mu    sync.Mutex        // guards the fields below
	conns map[net.Conn]bool // nil once it is closed
	armed bool
	at    int // the message at which it cuts
	seen  int // messages since it was armed
	way   severance
	cut   bool
	late  chan struct{} // closed when what was kept back may continue
}

func newProxy(t *testing.T, remote Remote) *proxy {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{remote: remote, listener: l, conns: make(map[net.Conn]bool), late: make(chan struct{})}
	p.pumps.Go(p.accept)
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// arm lets the proxy cut at the nth message from now on.
func (p *proxy) arm(n int, way severance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed, p.at, p.way, p.seen = true, n, way, 0
}

// disarm lets everything through again, and what was kept back to the server first. It
// returns how many messages there were.
func (p *proxy) disarm() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed, p.cut = false, false
	close(p.late)
	return p.seen
}

// close ends every connection.
func (p *proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	for c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
	p.mu.Unlock()
	p.pumps.Wait()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		if p.cutBy(cutOff) {
			_ = client.Close()
			continue
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", p.remote.Address)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		closed := p.conns == nil
		if !closed {
			p.conns[client], p.conns[server] = true, true
		}
		p.mu.Unlock()
		if closed {
			_, _ = client.Close(), server.Close()
			return
		}
		line := &line{proxy: p, client: client, server: server}
		p.pumps.Go(func() { line.pump(false) })
		p.pumps.Go(func() { line.pump(true) })
	}
}

// line is a connection through a proxy.
type line struct {
	proxy          *proxy
	client, server net.Conn
	stuck          atomic.Bool // nothing passes on it any more
}

// pump brings the messages of one side to the other.
func (l *line) pump(fromServer bool) {
	from, to := l.client, l.server
	if fromServer {
		from, to = to, from
	}
	defer l.hangUp()
	var pending []byte
	first := true
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		pending = append(pending, buf[:n]...)
		for len(pending) > 0 {
			size := len(pending)
			if l.proxy.remote.Message != nil {
				size = l.proxy.remote.Message(pending, fromServer, first)
			}
			if size == 0 || size > len(pending) {
				break
			}
			first = false
			if l.proxy.severs() {
				l.sever(fromServer, pending)
				return
			}
			if l.stuck.Load() || l.proxy.cutBy(silent) {
				<-l.proxy.late
				return
			}
			if _, err := to.Write(pending[:size]); err != nil {
				return
			}
			pending = pending[size:]
		}
		if err != nil {
			return
		}
	}
}

// severs counts a message and reports whether it is the one to cut at.
func (p *proxy) severs() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.armed {
		return false
	}
	p.seen++
	if p.cut || p.seen != p.at {
		return false
	}
	p.cut = true
	return true
}

// sever cuts the line, at which pending has arrived.
func (l *line) sever(fromServer bool, pending []byte) {
	p := l.proxy
	p.mu.Lock()
	way := p.way
	if way == cutOff {
		for c := range p.conns {
			_ = c.Close()
		}
	}
	p.mu.Unlock()
	if way == frozen || way == silent {
		l.stuck.Store(true)
		<-p.late
		return
	}
	_ = l.client.Close()
	if way == cutLate && !fromServer {
		<-p.late
		_, _ = l.server.Write(pending) // as much of it as still matters
	}
}

// cutBy reports whether the proxy has cut in a way, and is still armed.
func (p *proxy) cutBy(way severance) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.armed && p.cut && p.way == way
}

// hangUp ends both sides, the server's after what was kept back for it.
func (l *line) hangUp() {
	p := l.proxy
	_ = l.client.Close()
	if l.stuck.Load() || p.cutBy(cutLate) || p.cutBy(silent) {
		<-p.late
	}
	_ = l.server.Close()
	p.mu.Lock()
	delete(p.conns, l.client)
	delete(p.conns, l.server)
	p.mu.Unlock()
}
