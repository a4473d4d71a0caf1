// Command mover receives events of the platform and moves a task: each time that a model
// has changed, the task starts a week later. The tutorial, docs/tutorial.md, runs it.
//
//	SECRET=… go run ./examples/mover -task http://127.0.0.1:4790/schedules/plan/tasks/paint -cert cert.pem -key key.pem
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/event"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

func main() {
	m := mover{client: http.DefaultClient, token: os.Getenv("TOKEN")}
	flag.StringVar(&m.task, "task", "", "the address of the task")
	addr := flag.String("addr", "127.0.0.1:8443", "where to receive events")
	cert, key := flag.String("cert", "cert.pem", "the certificate"), flag.String("key", "key.pem", "its key")
	flag.Parse()
	log.Fatal(http.ListenAndServeTLS(*addr, *cert, *key, receiver.New(os.Getenv("SECRET"), m.receive)))
}

// mover moves one task.
type mover struct {
	client *http.Client
	token  string
	task   string // its address
}

// receive moves the task when a model has changed. An error lets the platform deliver the
// event again later.
func (m mover) receive(ctx context.Context, message receiver.Message) error {
	if message.EventType != event.TypeChangesReady {
		return nil
	}
	var found struct {
		Task struct{ PlannedStart time.Time }
	}
	etag, err := m.call(ctx, http.MethodGet, "", nil, &found)
	if err != nil {
		return err
	}
	// If someone else moves the task meanwhile, the ETag is an old one, and this is refused.
	_, err = m.call(ctx, http.MethodPatch, etag,
		map[string]any{"plannedStart": found.Task.PlannedStart.AddDate(0, 0, 7)}, nil)
	return err
}

// call sends a request about the task and returns the ETag of what it reads into to.
func (m mover) call(ctx context.Context, method, ifMatch string, body, to any) (etag string, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, method, m.task, bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	if m.token != "" {
		req.Header.Set("Authorization", "Bearer "+m.token)
	}
	if ifMatch != "" {
		req.Header.Set("If-Match", ifMatch)
	}
	res, err := m.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusBadRequest {
		return "", fmt.Errorf("%s %s: %s", method, m.task, res.Status)
	}
	if to == nil {
		return "", nil
	}
	return res.Header.Get("ETag"), json.NewDecoder(res.Body).Decode(to)
}
