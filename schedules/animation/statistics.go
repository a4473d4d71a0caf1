package animation

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Statistics count what there is of the animation of a schedule.
type Statistics struct {
	Animation3DPathAssignmentCount int `json:"animation3dPathAssignmentCount"` // 0 or more
	Animation3DPathCount           int `json:"animation3dPathCount"`           // 0 or more
	Animation3DPathKeyframeCount   int `json:"animation3dPathKeyframeCount"`   // of all paths; 0 or more
	Animation3DTransformCount      int `json:"animation3dTransformCount"`      // 0 or more
	AnimationBindingCount          int `json:"animationBindingCount"`          // 0 or more
	AppearanceProfileCount         int `json:"appearanceProfileCount"`         // 0 or more
	TaskCount                      int `json:"taskCount"`                      // animated or not; 0 or more
}

// Statistics counts what there is of the animation of a schedule. It takes as
// long as that is much. The version changes with anything in the schedule.
//
// Errors: ScheduleNotFound.
func (p Plan) Statistics(ctx context.Context) (rec twinplatform.Record[Statistics], err error) {
	ctx = p.area.DB.WithNeeds(ctx, needsOfStatistics)
	err = p.area.Read(ctx, p.id, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		at := sc.Scope
		rec, err = records.Summary(v, at, Statistics{
			Animation3DPathAssignmentCount: pathAssignmentRecords.Count(v, at),
			Animation3DPathCount:           pathRecords.Count(v, at),
			Animation3DPathKeyframeCount:   keyframeRecords.Count(v, at),
			Animation3DTransformCount:      transformRecords.Count(v, at),
			AnimationBindingCount:          bindingRecords.Count(v, at), AppearanceProfileCount: profileRecords.Count(v,
				at), TaskCount: model.Tasks.Count(v, at),
		})
		return err
	})
	return rec, err
}

// needsOfStatistics are the beginnings of what is counted.
func needsOfStatistics(_ records.Reading, at records.Scope) []records.Need {
	return slices.Concat(
		[]records.Need{at.Need()}, pathAssignmentRecords.NeedsAll(at), pathRecords.NeedsAll(at),
		keyframeRecords.NeedsAll(at),
		transformRecords.NeedsAll(at), bindingRecords.NeedsAll(at), profileRecords.NeedsAll(at),
		model.Tasks.NeedsAll(at),
	)
}
