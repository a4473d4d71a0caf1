package httpapitest

import (
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/control"
)

// WithControls serves the controls at control.Prefix too, for a client of Listen that
// is written in another language.
func WithControls() Option {
	return func(o *options) error { o.controls = true; return nil }
}

// kept are the snapshots that the controls took.
type kept struct {
	mu        sync.Mutex
	snapshots []*Snapshot
}

// harnessRoutes are the controls of a harness besides those of every server.
func (tw *Harness) harnessRoutes() map[string]control.Action {
	routes := map[string]control.Action{
		"POST /tokens":            tw.issue,
		"POST /snapshots":         tw.keep,
		"POST /snapshots/restore": tw.putBack,
	}
	maps.Copy(routes, tw.deliveryRoutes())
	return routes
}

func (tw *Harness) issue(r *http.Request) (any, error) {
	var body struct {
		Permissions  []string         `json:"permissions"`
		ExpiresAfter control.Duration `json:"expiresAfter"`
	}
	if err := control.Read(r, &body); err != nil {
		return nil, err
	}
	token := ""
	if body.ExpiresAfter > 0 {
		token = tw.ExpiringToken(time.Duration(body.ExpiresAfter), body.Permissions...)
	} else {
		token = tw.Token(body.Permissions...)
	}
	return map[string]string{"token": token}, nil
}

func (tw *Harness) keep(*http.Request) (any, error) {
	tw.kept.mu.Lock()
	defer tw.kept.mu.Unlock()
	s, err := tw.snapshot()
	if err != nil {
		return nil, err
	}
	tw.kept.snapshots = append(tw.kept.snapshots, s)
	return map[string]int{"snapshot": len(tw.kept.snapshots)}, nil
}

func (tw *Harness) putBack(r *http.Request) (any, error) {
	var body struct {
		Snapshot int `json:"snapshot"`
	}
	if err := control.Read(r, &body); err != nil {
		return nil, err
	}
	tw.kept.mu.Lock()
	defer tw.kept.mu.Unlock()
	if body.Snapshot < 1 || body.Snapshot > len(tw.kept.snapshots) {
		return nil, fmt.Errorf("there is no snapshot %d; %d were taken", body.Snapshot, len(tw.kept.snapshots))
	}
	return nil, tw.restore(tw.kept.snapshots[body.Snapshot-1])
}
