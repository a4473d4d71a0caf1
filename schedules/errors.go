package schedules

import (
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// InvalidRequest is how every operation refuses a malformed request; the details
// say what is wrong. It is a value to copy.
var InvalidRequest = model.InvalidRequest

func invalid(details ...twinplatform.Detail) *twinplatform.Error { return model.Invalid(details...) }

var scheduleMissing = model.ScheduleMissing

func noneOf(code, param, resource, id string) *problem.Absent {
	return model.NoneOf(code, param, resource, id)
}

// written gives what comes of writing one record its documented error.
func written(err error, m *problem.Absent, resource, id string) error {
	if errors.Is(err, records.ErrExists) {
		return problem.Taken(resource, id)
	}
	return m.Or(err)
}

func missingRecord(err error) bool { return model.IsMissing(err) }
