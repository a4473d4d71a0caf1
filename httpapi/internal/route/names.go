package route

// Paths that more than one area, or what is outside the areas, has to know.
const (
	// Schedule is the path of a schedule, below which all else of it lies.
	Schedule        = "/schedules/{scheduleId}"
	Twins           = "/twins"
	Models          = "/models"
	SavedViews      = "/saved-views"
	RealityData     = "/reality-management/reality-data"
	EachRealityData = RealityData + "/{realityDataId}"
)

// Headers of requests that HTTP has not.
const (
	// Queueing lets a transformation wait for others of its target.
	Queueing = "Enable-Transformation-Queueing"
	// MaxReturn and QueryScope say which twins are listed.
	MaxReturn  = "X-Max-Return"
	QueryScope = "X-Twin-Query-Scope"
)
