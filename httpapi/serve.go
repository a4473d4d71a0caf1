package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
)

// Beside serves what is below a path, such as /files, by another handler than the
// API. A ServeMux would redirect paths that the API answers itself.
func Beside(api http.Handler, path string, other http.Handler) http.Handler {
	other = http.StripPrefix(path, other)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, path+"/") {
			other.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// Serve answers requests on a listener, which it closes, until ctx is done. Then it
// takes no more, and gives those under way the grace to finish before it cuts them
// off. Headers have 10 seconds to arrive, and an idle connection stays for 2
// minutes. log takes what no client is told; nil discards it.
//
// It returns nil when ctx ended it and every request was finished.
func Serve(ctx context.Context, l net.Listener, h http.Handler, grace time.Duration, log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
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
