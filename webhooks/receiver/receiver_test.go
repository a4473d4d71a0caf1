package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

const secret = "a secret of at least thirty-two characters"

// message is a delivery of an event, as the platform sends it.
func message(t *testing.T, id string) *http.Request {
	t.Helper()
	body := fmt.Sprintf(`{"eventType":"twins.twinCreated.v1","messageId":%q}`, id)
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
	receiver.Sign(req.Header, id, time.Now(), []byte(body), secret)
	return req
}

func TestOnlyGenuineDeliveriesAreTaken(t *testing.T) {
	t.Parallel()
	const body = `{"eventType":"twins.twinCreated.v1","messageId":"m"}`
	for name, c := range map[string]struct {
		method, body, signature string
		want                    int
	}{
		"no signature":      {"POST", body, "", 401},
		"a wrong signature": {"POST", body, "sha256=00", 401},
		"another method":    {"GET", "", "", 405},
		"a body too long":   {"POST", strings.Repeat("x", receiver.MaxBody+1), "", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequestWithContext(t.Context(), c.method, "/", strings.NewReader(c.body))
			if c.signature != "" {
				req.Header.Set("Signature", c.signature)
			}
			w := httptest.NewRecorder()
			receiver.New(secret, func(_ context.Context, m receiver.Message) error {
				t.Errorf("%+v was taken", m)
				return nil
			}).ServeHTTP(w, req)
			if w.Code != c.want {
				t.Errorf("answer %d, want %d", w.Code, c.want)
			}
		})
	}
}

func TestEventIsHandledAgainUntilItIsHandledWell(t *testing.T) {
	t.Parallel()
	var got []string
	endpoint := receiver.New(secret, func(_ context.Context, m receiver.Message) error {
		if got = append(got, m.MessageID); len(got) == 1 {
			return errors.New("the disk is full")
		}
		return nil
	})
	var answers []int
	for _, id := range []string{"a", "a", "a", "b"} {
		w := httptest.NewRecorder()
		endpoint.ServeHTTP(w, message(t, id))
		answers = append(answers, w.Code)
	}
	if diff := cmp.Diff([]int{500, 204, 204, 204}, answers); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "a", "b"}, got); diff != "" {
		t.Errorf("handled (-want +got):\n%s", diff)
	}
}

func TestSignedBodyThatIsNoMessageIsRefused(t *testing.T) {
	t.Parallel()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader("{}"))
	receiver.Sign(req.Header, "id", time.Now(), []byte("{}"), secret)
	w := httptest.NewRecorder()
	receiver.New(secret, nil).ServeHTTP(w, req)
	if w.Code != http.StatusBadRequest {
		t.Errorf("answer %d", w.Code)
	}
}

func TestOldIdsMakeRoomForNewOnes(t *testing.T) {
	t.Parallel()
	h := receiver.Handled{Most: 2}
	for _, id := range []string{"a", "b", "b", "c"} {
		h.Add(id)
	}
	if h.Has("a") || !h.Has("b") || !h.Has("c") {
		t.Error("the two latest of a, b, c are not the ones that are remembered")
	}
}
