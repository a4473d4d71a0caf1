package httpapi

import "github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"

// RequestIDHeader is the header that names a request, in the request where the
// client or a proxy numbers them, and in every answer. An id has 1 to 128
// characters of the letters, digits and ._:/+=@- of ASCII; a request that comes
// with any other, or with none, is given a new one.
const RequestIDHeader = cycle.RequestIDHeader
