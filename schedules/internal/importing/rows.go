package importing

// WithRows is a baseline on its way, with what identifies its rows.
type WithRows[T any] struct {
	Baseline T      `json:"baseline"`
	Rows     string `json:"rows"`
}

// Row is a row of a baseline on its way.
type Row[T any] struct {
	Rows string `json:"rows"`
	Row  T      `json:"row"`
}

// FormerRows name the rows of a baseline that has others by now, among what is to go.
const FormerRows = "baseline-rows"
