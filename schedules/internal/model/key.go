package model

// Key opens what package schedules shows to the packages below it alone: no other package can name it.
type Key struct{}
