package cycle

import (
	"crypto/rand"
	"net/http"
)

// RequestIDHeader is the header that names a request.
const RequestIDHeader = "X-Request-Id"

// maxRequestID is the length of the longest id that is taken over.
const maxRequestID = 128

// RequestID is what the request is called: as it says itself, where that can
// stand in a log.
func RequestID(r *http.Request) string {
	if ids := r.Header[RequestIDHeader]; len(ids) == 1 && plainID(ids[0]) {
		return ids[0]
	}
	return rand.Text()
}

func plainID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		switch ch := id[i]; {
		case ch >= '0' && ch <= '9', ch >= 'a' && ch <= 'z', ch >= 'A' && ch <= 'Z':
		case ch == '.' || ch == '_' || ch == ':' || ch == '/' || ch == '+' || ch == '=' || ch == '@' || ch == '-':
		default:
			return false
		}
	}
	return true
}
