package schedules

import (
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// features are what the packages below this one add to a schedule.
var features = []model.Feature{statuses.Feature, userfields.Feature, codes.Feature, files.Feature, animation.Feature}

// Area is what the packages of features, such as schedules/files, get of the service. It is
// of use to them alone, whose In takes a Plan.
func (p Plan) Area() model.Area { return p.s.area() }

func (s *Service) area() model.Area {
	return model.Area{Access: s.access, DB: s.db, Env: s.env, Jobs: s.jobs, Blobs: s.blobs, Calls: s.features}
}

// cascade deletes what features have that belongs to a record, and reports false when the
// step ended before that.
func foundWith(of *model.Subject) []records.Found { return model.Found(features, of) }

func cascade(of *model.Subject, u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
	return model.Cascades(features, of, u, s, id, step)
}

// used is what features have that needs a record of the core, and the refusal to delete it; nil
// where there is nothing.
func used(of *model.Subject, tx records.Reading, s records.Scope, id string) (*model.Use, error) {
	return model.Used(features, of, tx, s, id)
}
