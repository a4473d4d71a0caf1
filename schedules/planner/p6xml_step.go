package planner

import (
	"encoding/xml"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// step reads a step of an activity.
func (x *p6xml) step(xml.StartElement) error {
	m, err := x.members(nil)
	if err != nil {
		return err
	}
	done := m["IsCompleted"]
	s := numberedStep{Step: Step{Name: m["Name"], Description: plain(m["Description"]), Done: done == "1" || done == "true"}}
	s.number, _ = strconv.Atoi(m["SequenceNumber"])
	var f fields
	f.number(&s.Weight, m["Weight"])
	f.share(&s.Percent, m["PercentComplete"])
	add(x.steps, m["ActivityObjectId"], s)
	return f.of("step of task", m["ActivityObjectId"])
}

// writeSteps writes the steps of an activity.
func (x *p6xmlWriter) writeSteps(t *Task) {
	if t.Kind == cpm.Summary {
		return
	}
	for at, s := range t.Steps {
		x.object("ActivityStep", "task", t.ID, values{
			"ObjectId": x.nextOf("ActivityStep"), "ActivityObjectId": x.tasks.of(t.ID), "SequenceNumber": strconv.Itoa(at + 1),
			"Name": s.Name, "Description": marked(s.Description), "IsCompleted": bit(s.Done), "Weight": amount(s.Weight),
			"PercentComplete": share(s.Percent),
		}, nil)
	}
}
