package schedules

import (
	"math"
	"time"
)

// Seconds is d as durations and lags are given, in whole seconds and without what
// is finer; beyond 68 years it is the longest there is:
//
//	schedules.NewTask{Name: "Dig", Type: schedules.Work, PlannedDuration: new(schedules.Seconds(48 * time.Hour))}
func Seconds(d time.Duration) int32 {
	return int32(min(max(d/time.Second, math.MinInt32), math.MaxInt32))
}
