package httpapi

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/routes/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/routes/realitydata"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/routes/schedules"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/routes/transformations"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/routes/twins"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/routes/webhooks"
)

// areas are the domains in the order of the route table.
func (cfg Config) areas() []cycle.Area {
	return []cycle.Area{
		schedules.Area(cfg.Schedules), forms.Area(cfg.Forms), twins.Area(cfg.Twins), twins.AccessControl(cfg.Twins),
		realitydata.Area(cfg.RealityData), realitydata.Detectors(cfg.RealityData), transformations.Area(cfg.Transform),
		transformations.Models(cfg.Transform.Models()),
		webhooks.Area(cfg.Webhooks),
	}
}
