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
	Name: "resource-status-history",
	ID:   func(h *ShownStatus) string { return h.ID },
	Indexes: []records.Index[ShownStatus]{{
		Name:  StatusOfResource,
		Value: func(h *ShownStatus) string { return h.ResourceID },
	}},
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

// GroupMember is a resource in a resource group, as features read it.
type GroupMember struct {
	ID    string `json:"id"` // of the resource
	group string
}

// MemberResource is the index of the members of groups by resource.
const MemberResource = "resource"

// GroupMembers are the resources in the resource groups of a schedule for features, which read them and write none. Their
// ids are those of the group and of the resource.
var GroupMembers = records.Collection[GroupMember]{
	Name:    "resource-group-members",
	ID:      func(m *GroupMember) string { return records.Join(m.group, m.ID) },
	Hidden:  func(m *GroupMember) any { return &m.group },
	Indexes: []records.Index[GroupMember]{{Name: MemberResource, Value: func(m *GroupMember) string { return m.ID }}},
}

// Boxes has the boxes around the elements of models.
type Boxes interface {
	// Boxes are the boxes of those elements of a model that are there and have one, by their ids.
	Boxes(ctx context.Context, modelID string, elementIDs []string) (map[string]fourd.Box, error)
}

// Shapes are Boxes that have the geometry of elements as well.
type Shapes interface {
	Boxes
	// Shapes are the geometries of those elements of a model that are there and have one, by their ids, as the model
	// keeps them. They are not whole where they would come to more than so many bytes.
	Shapes(ctx context.Context, modelID string, elementIDs []string, most int) (all map[string][]byte, whole bool,
		err error)
}
