package models

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// How requests for models and saved views are refused when they are malformed; the
// details say what is wrong. They are values to copy.
var (
	InvalidModelRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidModelRequest", Message: "The model request is invalid.",
	}
	InvalidSavedViewRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidSavedViewRequest",
		Message: "The saved view request is invalid.",
	}
)

var twinMissing = problem.NotFound("TwinNotFound", "twinId", "twin")

// paging limits the pages of every list of records and lets clients ask for deltas.
var paging = problem.Paging{MaxTop: MaxTop, Delta: true}
