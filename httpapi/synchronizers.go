package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func synchronizerRows(svc *schedules.Service) []*row {
	return []*row{
		getIn(Operation{
			ID: "S14", Path: inSchedule + "/imports/planner/synchronizers/{synchronizerId}",
			Summary: "Get a Synchronizer of an external planner import", Preview: true,
		}, "synchronizer", svc.Synchronizer),
	}
}
