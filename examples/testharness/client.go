// Package testharness is a small client of the REST API. Its test is the reason for this
// folder: client_test.go makes everything fail that may fail between a client and the
// platform, in milliseconds and in the same way each time.
package testharness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client creates tasks in one schedule, and waits until they are there.
type Client struct {
	HTTP  *http.Client
	URL   string                // of the schedule
	Sleep func(d time.Duration) // time.Sleep, but in tests
}

// CreateTask creates a task under an id that the caller has chosen, so that
// asking again after an answer was lost makes no second one.
func (c *Client) CreateTask(ctx context.Context, id, name string) error {
	body := fmt.Sprintf(`{"id": %q, "name": %q, "type": "Work"}`, id, name)
	for attempt := 0; ; attempt++ {
		status, header, err := c.send(ctx, http.MethodPost, c.URL+"/tasks", body, nil)
		switch {
		case err != nil && attempt < 3:
			c.Sleep(time.Second) // the task may be there, or not
		case err != nil:
			return err
		case status == http.StatusTooManyRequests:
			seconds, _ := strconv.Atoi(header.Get("Retry-After"))
			c.Sleep(time.Duration(seconds) * time.Second)
		case status == http.StatusConflict && attempt > 0:
			return nil // an earlier attempt made it
		case status != http.StatusAccepted:
			return errors.New(http.StatusText(status))
		default:
			return c.follow(ctx, header.Get("Operation-Location"))
		}
	}
}

// follow waits until an operation has ended.
func (c *Client) follow(ctx context.Context, at string) error {
	for {
		var found struct {
			Operation struct{ Status, FailureDescription string }
		}
		if _, _, err := c.send(ctx, http.MethodGet, at, "", &found); err != nil {
			return err
		}
		switch found.Operation.Status {
		case "Succeeded":
			return nil
		case "Failed":
			return errors.New(found.Operation.FailureDescription)
		}
		c.Sleep(time.Second)
	}
}

// send sends a request and reads the answer into out, unless that is nil.
func (c *Client) send(ctx context.Context, method, url, body string, out any) (status int, header http.Header,
	err error,
) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	if out != nil {
		err = json.NewDecoder(res.Body).Decode(out)
	}
	return res.StatusCode, res.Header, err
}
