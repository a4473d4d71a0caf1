package planner

import (
	"encoding/xml"
	"math"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// step reads a step of an activity.
func (x *p6xml) step(xml.StartElement) error {
	m, err := x.members(nil)
	if err != nil {
		return err
	}
	s := numberedStep{Step: Step{Name: m["Name"], Description: plain(m["Description"])}}
	f := x.fields("step of task", m["ActivityObjectId"], held(m))
	f.flag(&s.Done, "IsCompleted")
	f.whole(&s.number, math.MinInt32, math.MaxInt32, "SequenceNumber")
	f.number(&s.Weight, "Weight")
	f.share(&s.Percent, "PercentComplete")
	add(x.steps, m["ActivityObjectId"], s)
	return nil
}

// writeSteps writes the steps of an activity.
func (x *p6xmlWriter) writeSteps(t *Task) {
	// A node of the WBS has no steps in P6.
	if t.Kind == cpm.Summary {
		return
	}
	for at, s := range t.Steps {
		x.object("ActivityStep", "task", t.ID, values{
			"ObjectId": x.nextOf("ActivityStep"), "ActivityObjectId": x.tasks.of(t.ID),
			"SequenceNumber": strconv.Itoa(at + 1),
			"Name":           s.Name, "Description": marked(s.Description), "IsCompleted": bit(s.Done),
			"Weight":          amount(s.Weight),
			"PercentComplete": share(s.Percent),
		}, nil)
	}
}
