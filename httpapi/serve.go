package httpapi

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
)

// Mount serves what is below a path, such as /files, by another handler than the API. A
// ServeMux would redirect paths that the API answers itself.
func Mount(api http.Handler, path string, other http.Handler) http.Handler {
	other = http.StripPrefix(path, other)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, path+"/") {
			other.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// LocalAddress is the address under which this machine reaches a listener; one that
// listens everywhere is reached at the loopback address.
func LocalAddress(l net.Listener) string {
	addr := l.Addr()
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}
	}
	return addr.String()
}

// Serve answers requests on a listener, which it closes, until ctx is done. Then it takes no more,
// and gives those under way the grace to finish before it cuts them off. Headers have 10 seconds to
// arrive, and an idle connection stays for 2 minutes. Over HTTP/1 a connection is closed behind a
// request with a Transfer-Encoding: what a proxy may have seen in its body by another length is
// never taken for a request. logger receives what no client is shown, of TLS handshakes that fail one
// a second and how many there were between; nil discards it.
//
// Each work, such as platform.Platform.Run, continues meanwhile: it is ended once the
// requests are finished, and serving ends once one of them returns.
//
// It returns nil when ctx ended it, every request was finished and no work failed.
func Serve(ctx context.Context, l net.Listener, h http.Handler, grace time.Duration, logger *slog.Logger,
	work ...func(context.Context) error,
) error {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	working, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()
	worked := make(chan error, len(work))
	for _, run := range work {
		go func() {
			defer stop()
			worked <- run(working)
		}()
	}
	err := serve(ctx, l, h, grace, logger)
	rest()
	for range work {
		err = errors.Join(err, <-worked)
	}
	return err
}

func serve(ctx context.Context, l net.Listener, h http.Handler, grace time.Duration, logger *slog.Logger) error {
	failures := &serverErrors{log: logger}
	defer failures.flush()
	srv := &http.Server{
		Handler:           closingBehindChunks(h),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          log.New(failures, "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	logger.InfoContext(ctx, "stopping")
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := srv.Shutdown(limited)
	if err != nil {
		logger.WarnContext(ctx, "requests were cut off", "after", grace)
		err = srv.Close()
	}
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}

// closingBehindChunks closes the connection of a request of HTTP/1 that has a Transfer-Encoding, by
// which net/http goes. A Content-Length next to it, by which a proxy may have gone, is taken out
// before a handler could see it; and so is the Transfer-Encoding of HTTP/1.0, where it has no
// meaning (RFC 9112, 6.1).
func closingBehindChunks(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}
