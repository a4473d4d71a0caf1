package model

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Expiry is what ends by itself in schedules, at times in the records of a feature.
type Expiry struct {
	// First is when the first of it ends in a schedule; zero where nothing does.
	First func(tx records.Reading, s records.Scope) (twinplatform.DateTime, error)
	// End ends what is over by now, as much as the step does. It reports whether that is all,
	// and when the next of it ends; zero where nothing does.
	End func(
		u *records.Update, s records.Scope, now twinplatform.DateTime, step *records.Step,
	) (next twinplatform.DateTime, whole bool, err error)
}

// Sortable is a date-time as an index has it, which sorts as the times do; empty for none.
func Sortable(d twinplatform.DateTime) string {
	if d.IsZero() {
		return ""
	}
	return d.UTC().Format("2006-01-02T15:04:05.000Z")
}

// RowBytes is what a row takes besides its texts, its keys included.
const RowBytes = 512
