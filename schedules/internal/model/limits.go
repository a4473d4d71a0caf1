package model

// Limits of the area, which package schedules documents.
const (
	MaxTop = 10_000
	// MaxTopV65 is the largest page of a list of a v6.5 schedule.
	MaxTopV65 = 50_000
	MaxBatch  = 1_000
	MaxDepth  = 64
	MaxText   = 10_000
)

// The types of schedules.
const (
	V10 = "v10"
	V65 = "v6.5"
)
