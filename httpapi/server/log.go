package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/accesslog"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// logOff is the -log of a server that logs nothing.
const logOff = "off"

// logger logs to w as the options say.
func (c *Config) logger(w io.Writer) *slog.Logger {
	c.lines = &lines{out: w}
	opts := &slog.HandlerOptions{Level: c.logLevel}
	switch c.logFormat {
	case logOff:
		return slog.New(slog.DiscardHandler)
	case "json":
		return slog.New(slog.NewJSONHandler(c.lines, opts))
	}
	return slog.New(slog.NewTextHandler(c.lines, opts))
}

// lines are where the log is written, a line or many at once.
type lines struct {
	out io.Writer

	mu   sync.Mutex
	hold bool         // lines wait in buf
	buf  bytes.Buffer // whole lines
}

// Write implements io.Writer, for whole lines.
func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hold {
		return l.buf.Write(line)
	}
	return l.out.Write(line)
}

// together writes at once what write logs, and what others log meanwhile.
func (l *lines) together(write func()) {
	l.mu.Lock()
	l.hold = true
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.hold = false
		_, _ = l.out.Write(l.buf.Bytes())
		l.buf.Reset()
	}()
	write()
}

// newAccess is the log of requests that the options want.
func (c *Config) newAccess() *accesslog.Log {
	a := accesslog.Config{
		Handler: c.Logger.Handler(), All: c.LogRequests, Slow: c.LogSlow,
		TrustedProxies: c.TrustedProxies, Vocabulary: c.Vocabulary,
	}
	if c.lines != nil {
		a.Batch = c.lines.together
	}
	return accesslog.New(a)
}

// observed calls the log of requests, and the observers of the configuration, for each
// request.
func (s *server) observed(cfg *httpapi.Config) {
	cfg.Unlogged = true
	requests := httpapi.Observer(nil)
	if s.requests != nil {
		requests = s.requests.Observe
	}
	cfg.Observer = httpapi.Observers(s.access.Observe, requests, s.cfg.Observer)
}

// around is what the configuration puts around the API.
func (s *server) around(api http.Handler) http.Handler {
	if s.cfg.Around == nil {
		return api
	}
	return s.cfg.Around(api)
}

// logStart logs what was started, where, over what and with which options.
func (s *server) logStart(ctx context.Context, bound net.Addr) {
	v := admin.BuildVersion()
	attrs := []slog.Attr{
		slog.String("version", v.Version), slog.String("revision", v.Revision), slog.String("go", runtime.Version()),
		slog.Int("pid", os.Getpid()),
		slog.String("address", bound.String()), slog.Bool("tls", s.cfg.TLSCert != ""), slog.String("store",
			s.cfg.storeName()),
	}
	if s.cfg.Admin != "" {
		attrs = append(attrs, slog.String("admin", s.entry.Address))
	}
	attrs = append(attrs, slog.Any("flags", slog.GroupValue(s.cfg.flags()...)))
	s.log.LogAttrs(ctx, slog.LevelInfo, "serving", attrs...)
}

// givenOption is what an option was given, by a flag, the environment or a file.
type givenOption struct{ name, value string }

// flags are the options that were given, by name, without what may be a secret.
func (c *Config) flags() (attrs []slog.Attr) {
	values := make(map[string]string)
	for _, o := range c.given {
		value := o.value
		if o.name == "db" {
			values[o.name] = c.storeName()
			continue
		}
		if before, ok := values[o.name]; ok {
			value = before + "," + value
		}
		values[o.name] = value
	}
	for _, o := range c.options() {
		if value, ok := values[o.name]; ok {
			attrs = append(attrs, slog.String(o.name, value))
		}
	}
	return attrs
}

// showsBanner reports whether the address of the server is printed to out: at a terminal,
// and where out is not a file, as in a program that embeds the server.
func (c *Config) showsBanner(out io.Writer) bool {
	switch c.banner {
	case "true":
		return true
	case "false":
		return false
	}
	f, ok := out.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func banners(s string) (string, bool) {
	return s, slices.Contains([]string{"auto", "true", "false"}, s)
}

func logFormat(s string) (string, bool) {
	return s, slices.Contains([]string{"text", "json", logOff}, s)
}

// slowness is how long a slow request takes; none is slow where it is 0.
func slowness(s string) (time.Duration, bool) {
	d, ok := wait(s)
	if d == 0 {
		d = -1
	}
	return d, ok
}

// proxies adds more proxies, which commas separate, to those trusted already.
func (c *Config) proxies(s string) ([]netip.Prefix, bool) {
	more, err := webhooks.ParseNetworks(s)
	return append(c.TrustedProxies, more...), err == nil
}
