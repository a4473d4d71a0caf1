// Package httperror is the form that failures have over HTTP: the status of each
// kind, and the documented body.
package httperror

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// statuses is the HTTP status of every kind of failure.
var statuses = [...]int{
	twinplatform.Internal:        http.StatusInternalServerError,
	twinplatform.Invalid:         http.StatusBadRequest,
	twinplatform.Unauthenticated: http.StatusUnauthorized,
	twinplatform.Forbidden:       http.StatusForbidden,
	twinplatform.NotFound:        http.StatusNotFound,
	twinplatform.Conflict:        http.StatusConflict,
	twinplatform.Unprocessable:   http.StatusUnprocessableEntity,
	twinplatform.RateLimited:     http.StatusTooManyRequests,
	twinplatform.Unavailable:     http.StatusServiceUnavailable,
}

// Status is the HTTP status of a kind; one that is not known is a fault of the
// platform.
func Status(k twinplatform.Kind) int {
	if k < 0 || int(k) >= len(statuses) {
		return http.StatusInternalServerError
	}
	return statuses[k]
}

// Body is the documented body of a failure.
func Body(e *twinplatform.Error) []byte {
	type problem struct {
		Code    string                `json:"code"`
		Message string                `json:"message"`
		Target  string                `json:"target,omitempty"`
		Details []twinplatform.Detail `json:"details,omitempty"`
	}
	body, err := json.Marshal(struct {
		Error problem `json:"error"`
	}{problem{e.Code, e.Message, e.Target, e.Details}})
	if err != nil {
		panic(err) // strings alone always encode
	}
	return body
}

// SetRetryAfter sets how long a client should wait, in whole seconds, and at least one.
func SetRetryAfter(header http.Header, wait time.Duration) {
	seconds := int64((wait + time.Second - 1) / time.Second)
	header.Set("Retry-After", strconv.FormatInt(max(seconds, 1), 10))
}
