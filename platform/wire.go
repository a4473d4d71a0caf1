package platform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// wireAreas makes the areas. Twins come first, since the others ask them; webhooks last, with
// their directory and authorizer at hand, although every area wakes them.
func (p *Platform) wireAreas(cfg Config) {
	env := cfg.Env
	store := records.Budgeted(p.store, p.ledger)
	p.polled = store
	env.OnEvents = func() {
		p.Webhooks.Wake()
		if cfg.Env.OnEvents != nil {
			cfg.Env.OnEvents()
		}
	}
	for _, t := range cfg.wires() {
		if *t.env = env; t.twins == nil {
			p.Twins = twins.New(store, cfg.Twins)
			if env.Authorizer == nil {
				env.Authorizer = p.Twins
			}
			continue
		}
		*t.twins = p.Twins
	}
	if cfg.Schedules.Boxes == nil {
		cfg.Schedules.Boxes = modelBoxes{p}
	}
	p.Schedules = schedules.New(store, cfg.Schedules, scheduling.Feature, exchange.Feature)
	p.Forms = forms.New(store, cfg.Forms)
	p.RealityData = realitydata.New(store, cfg.RealityData)
	cfg.Transform.Roles = p.Twins
	if cfg.Env.Authorizer != nil && cfg.Transform.ModelPermissions == nil {
		cfg.Transform.ModelPermissions = noOne{}
	}
	p.Transform = transform.New(store, cfg.Transform)
	p.Webhooks = webhooks.New(store, cfg.Webhooks)
	p.areas = []area{p.Twins, p.Schedules, p.Forms, p.RealityData, p.Transform, p.Webhooks}
	for _, a := range p.areas {
		if h, ok := a.(twinplatform.TwinHolder); ok {
			p.Twins.AddHolder(h)
		}
	}
}

// noOne is granted anything on a model beyond what an authorizer of the program's own
// lets it do.
type noOne struct{}

var _ interface {
	models.ModelAuthorizer
	twinplatform.Transactional
} = noOne{}

// AllowedOnModel implements models.ModelAuthorizer.
func (noOne) AllowedOnModel(context.Context, twinplatform.Principal, string, twinplatform.Target, string) (bool,
	error,
) {
	return false, nil
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (noOne) Transactional() {}

// area is a service: it has work that no request waits for.
type area interface {
	Run(ctx context.Context) error
}
