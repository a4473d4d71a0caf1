package realitydata

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// How requests for reality data, and for detectors, are refused when they are
// malformed; the details say what is wrong. They are values to copy.
var (
	InvalidRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidRealityDataRequest",
		Message: "The reality data request is invalid.",
	}
	InvalidDetectorRequest = twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "InvalidRealityAnalysisRequest",
		Message: "The reality analysis request is invalid.",
	}
)

// errComplete refuses to write what is uploaded completely.
var errComplete = problem.Conflict("RealityDataComplete", "authoring",
	"The reality data are uploaded completely. Set 'authoring' to true to write to them again.")

// paging holds the limits of every list.
var paging = problem.Paging{MaxTop: MaxTop}
