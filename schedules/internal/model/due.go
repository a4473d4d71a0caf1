package model

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Due records that a schedule is to be rescheduled by itself, and which operation does
// it. It is there from the change that asks for it until a rescheduling that has seen
// every change, so that many changes are followed by one.
type Due struct {
	OperationID string `json:"operationId"`
}

// Dues are the one Due of each schedule.
var Dues = records.Collection[Due]{
	Name: "rescheduling-due", Untracked: true,
	ID: func(*Due) string { return DueID },
}

// DueID is the id of the one record.
const DueID = "due"
