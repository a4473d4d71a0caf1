package schedules

import (
	"cmp"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// called is how planners know a task, by the last import that has it.
type called struct {
	code, externalID string
	at               time.Time
}

// readCalled reads how planners know the tasks.
func (e *planExport) readCalled(v *records.View) error {
	e.called = make(map[string]called)
	imported := make(map[string]time.Time)
	for p, err := range plannedTaskRecords.From(v, e.scope, "") {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		if p.Deleted || p.Code == "" && p.ExternalID == "" {
			continue
		}
		at, ok := imported[p.SynchronizerID]
		if !ok {
			y, err := synchronizerRecords.Lookup(v, e.scope, p.SynchronizerID)
			if err != nil {
				return err
			}
			if y != nil {
				at = y.SynchronizationTime.Time
			}
			imported[p.SynchronizerID] = at
		}
		if was, ok := e.called[p.TaskID]; !ok || was.at.Before(at) {
			e.called[p.TaskID] = called{string(p.Code), string(p.ExternalID), at}
		}
	}
	return nil
}

// call names a task of the file as its planner did: a summary and a task of Microsoft Project, of
// which a schedule has no code, one without a user-defined id, and one whose project is before its
// code there, since a task of another project has the same.
func (e *planExport) call(t *Task, out *planner.Task) {
	as := e.called[t.ID]
	out.ExternalID = as.externalID
	if t.IsWBS || e.Format == planner.MSPDI || out.Code == "" || as.code != "" && strings.HasSuffix(out.Code, "/"+as.code) {
		out.Code = cmp.Or(as.code, out.Code)
	}
}

// callProject calls the project that a schedule is.
func (e *planExport) callProject(p *planner.Project, code, externalID twinplatform.NullString) {
	p.Code, p.ExternalID = cmp.Or(string(code), p.Code), string(externalID)
}
