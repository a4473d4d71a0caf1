package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/framing"
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
// arrive, and an idle connection stays for 2 minutes. A request with both Content-Length and
// Transfer-Encoding is refused with 400 and its connection closed: a proxy may have seen another
// request in it. log receives what no client is shown, of TLS handshakes that fail one a second
// and how many there were between; nil discards it.
//
// Each work, such as platform.Platform.Run, continues meanwhile: it is ended once the
// requests are finished, and serving ends once one of them returns.
//
// It returns nil when ctx ended it, every request was finished and no work failed.
func Serve(ctx context.Context, l net.Listener, h http.Handler, grace time.Duration, log *slog.Logger, work ...func(context.Context) error) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
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
	err := serve(ctx, l, h, grace, log)
	rest()
	for range work {
		err = errors.Join(err, <-worked)
	}
	return err
}

func serve(ctx context.Context, l net.Listener, h http.Handler, grace time.Duration, log *slog.Logger) error {
	srv := &http.Server{
		Handler:           framing.ShowTLSState(h),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ConnState:         framing.Released,
		ConnContext:       framing.WithTLSState,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(framing.Listen(l, log)) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	log.InfoContext(ctx, "stopping")
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := srv.Shutdown(limited)
	if err != nil {
		log.WarnContext(ctx, "requests were cut off", "after", grace)
		err = srv.Close()
	}
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}
