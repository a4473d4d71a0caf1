package model

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// ShownTasks are tasks as they are shown in the 3D model.
type ShownTasks struct {
	Tasks    []fourd.Task // those that are there, with their calendars
	DataDate worktime.Time
	Clock    Clock
}

// ShownStatus is what features read of the history of a resource.
type ShownStatus struct {
	ID               string                `json:"id"`
	ResourceID       string                `json:"resourceId"`
	StatusItemID     string                `json:"statusItemId"`
	StatusCategoryID string                `json:"statusCategoryId"`
	Date             twinplatform.DateTime `json:"date"`
	RecordDate       twinplatform.DateTime `json:"recordDate"`
	IsCritical       bool                  `json:"isCritical"`
	CriticalUntil    twinplatform.DateTime `json:"criticalUntil"`
}

// StatusOfResource is the index of a history by resource.
const StatusOfResource = "resource"

// StatusHistory are the statuses of the resources of a schedule for features, which read them and
// write none.
var StatusHistory = records.Collection[ShownStatus]{
	Name:    "resource-status-history",
	ID:      func(h *ShownStatus) string { return h.ID },
	Indexes: []records.Index[ShownStatus]{{Name: StatusOfResource, Value: func(h *ShownStatus) string { return h.ResourceID }}},
}

// ShownStatusItem is how a status makes a resource look.
type ShownStatusItem struct {
	ID                      string `json:"id"`
	Color                   string `json:"color"`
	IsVisible               bool   `json:"isVisible"`
	Transparency            int32  `json:"transparency"`
	UseOriginalTransparency bool   `json:"useOriginalTransparency"`
}

// StatusItems are the status items of a schedule for features, which read them and write none.
var StatusItems = records.Collection[ShownStatusItem]{
	Name: "resource-status-items",
	ID:   func(v *ShownStatusItem) string { return v.ID },
}

// Boxes has the boxes around the elements of models.
type Boxes interface {
	// Boxes are the boxes of those elements of a model that are there and have one, by their ids.
	Boxes(ctx context.Context, modelID string, elementIDs []string) (map[string]fourd.Box, error)
}
