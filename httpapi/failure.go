package httpapi

import (
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// WriteError answers w with the documented body of err, and with the status and
// the headers that belong to it, for handlers around this one that refuse a request
// themselves:
//
//	httpapi.WriteError(w, &twinplatform.Error{Kind: twinplatform.Forbidden, Code: "NotFromHere", Message: "…"})
//
// An error that is no *twinplatform.Error is answered as an internal one, without
// its text. The header must not have been sent.
func WriteError(w http.ResponseWriter, err error) { cycle.WriteError(w, err) }
