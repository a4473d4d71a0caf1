package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// MicrosoftProjectSynchronizer is a Synchronizer as the operations of Microsoft Project
// show it: without the projects, since a file has one, and without counts that are not
// known.
type MicrosoftProjectSynchronizer struct {
	Deleted                     bool                          `json:"deleted"` // true in deltas alone
	ID                          string                        `json:"id"`
	OriginalProjectName         string                        `json:"originalProjectName"` // of the initial import
	OriginalProjectPath         string                        `json:"originalProjectPath"` // of the initial import
	OriginalSynchronizationTime twinplatform.DateTime         `json:"originalSynchronizationTime"`
	OriginalSynchronizationType SynchronizationType           `json:"originalSynchronizationType"`
	ProjectName                 string                        `json:"projectName"` // of the last synchronization
	ProjectPath                 string                        `json:"projectPath"` // of the last synchronization
	SynchronizationDetails      MicrosoftProjectSynchronizing `json:"synchronizationDetails"`
	SynchronizationTime         twinplatform.DateTime         `json:"synchronizationTime"`
	SynchronizationType         SynchronizationType           `json:"synchronizationType"`
	SynchronizerName            string                        `json:"synchronizerName"`
}

// MicrosoftProjectSynchronizing is what a synchronization did.
type MicrosoftProjectSynchronizing struct {
	Created  MicrosoftProjectCounts   `json:"created"`  // how many it did so with
	Deleted  MicrosoftProjectCounts   `json:"deleted"`  // how many it did so with
	Updated  MicrosoftProjectCounts   `json:"updated"`  // how many it did so with
	Warnings []SynchronizationWarning `json:"warnings"` // up to MaxBatch
}

// MicrosoftProjectCounts are the numbers of items modified, as far as they are known.
type MicrosoftProjectCounts struct {
	ActivityCodeValues            *int `json:"activityCodeValues,omitempty"`            // of outline codes
	ActivityCodeValuesAssignments *int `json:"activityCodeValuesAssignments,omitempty"` // of such values to tasks
	ActivityCodes                 *int `json:"activityCodes,omitempty"`                 // outline codes
	Calendars                     *int `json:"calendars,omitempty"`
	Links                         *int `json:"links,omitempty"` // task links
	ResourceAssignments           *int `json:"resourceAssignments,omitempty"`
	ResourceCodeValues            *int `json:"resourceCodeValues,omitempty"`
	ResourceCodes                 *int `json:"resourceCodes,omitempty"`
	Resources                     *int `json:"resources,omitempty"`
	Tasks                         *int `json:"tasks,omitempty"`
	UserFieldValues               *int `json:"userFieldValues,omitempty"`
	UserFields                    *int `json:"userFields,omitempty"`
}

func (c *SynchronizationCounts) microsoftProject() MicrosoftProjectCounts {
	return MicrosoftProjectCounts{
		ActivityCodeValues: c.ActivityCodeValues, ActivityCodeValuesAssignments: c.ActivityCodeValuesAssignments, ActivityCodes: c.ActivityCodes,
		Calendars: c.Calendars, Links: c.Links, ResourceAssignments: c.ResourceAssignments, ResourceCodeValues: c.ResourceCodeValues,
		ResourceCodes: c.ResourceCodes, Resources: c.Resources, Tasks: c.Tasks, UserFieldValues: c.UserFieldValues, UserFields: c.UserFields,
	}
}

// MicrosoftProjectSynchronizer returns a synchronizer as the operations of Microsoft
// Project show it (GET …/imports/microsoft-project/synchronizers/{synchronizerId}).
//
// Errors: as Synchronizer.
func (p Plan) MicrosoftProjectSynchronizer(ctx context.Context, synchronizerID string) (rec twinplatform.Record[MicrosoftProjectSynchronizer], err error) {
	whole, err := p.Synchronizer(ctx, synchronizerID)
	if err != nil {
		return rec, err
	}
	y := &whole.Value
	d := &y.SynchronizationDetails
	rec.ETag = whole.ETag
	rec.Value = MicrosoftProjectSynchronizer{
		ID: y.ID, OriginalProjectName: y.OriginalProjectName, OriginalProjectPath: y.OriginalProjectPath,
		OriginalSynchronizationTime: y.OriginalSynchronizationTime, OriginalSynchronizationType: y.OriginalSynchronizationType,
		ProjectName: y.ProjectName, ProjectPath: y.ProjectPath, SynchronizationTime: y.SynchronizationTime, SynchronizationType: y.SynchronizationType,
		SynchronizerName: y.SynchronizerName, SynchronizationDetails: MicrosoftProjectSynchronizing{
			Created: d.Created.microsoftProject(), Deleted: d.Deleted.microsoftProject(), Updated: d.Updated.microsoftProject(), Warnings: d.Warnings,
		},
	}
	rec.JSON, err = wire.Marshal(rec.Value)
	return rec, err
}
