package transform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// How requests for configurations, models and saved views are refused when they
// are malformed; the details say what is wrong. They are values to copy.
var (
	InvalidRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidTransformationsRequest", Message: "The transformation configuration is invalid.",
	}
	InvalidModelRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidModelRequest", Message: "The model request is invalid.",
	}
	InvalidSavedViewRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidSavedViewRequest", Message: "The saved view request is invalid.",
	}
)

var twinMissing = problem.NotFound("TwinNotFound", "twinId", "twin")

// noModel is the 404 of a project or model that is not there for the caller.
func noModel(target string) *problem.Absent {
	return problem.NotFound("ModelNotFound", target, "project or model")
}

// paging is that of every list.
var paging = problem.Paging{MaxTop: MaxTop, Delta: true}
