package platform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// tie makes the areas. Twins come first, since the others ask them; webhooks last,
// with their directory and authorizer at hand, although every area wakes them.
func (p *Platform) tie(cfg Config) {
	env := cfg.Env
	env.OnEvents = func() {
		p.Webhooks.Wake()
		if cfg.Env.OnEvents != nil {
			cfg.Env.OnEvents()
		}
	}
	cfg.Twins.Env = env
	p.Twins = twins.New(p.store, cfg.Twins)
	if env.Authorizer == nil {
		env.Authorizer = p.Twins
	}
	cfg.Schedules.Env, cfg.Schedules.Twins = env, p.Twins
	cfg.Forms.Env, cfg.Forms.Twins = env, p.Twins
	cfg.RealityData.Env, cfg.RealityData.Twins = env, p.Twins
	cfg.Transform.Env, cfg.Transform.Twins = env, p.Twins
	cfg.Webhooks.Env, cfg.Webhooks.Twins = env, p.Twins
	p.Schedules = schedules.New(p.store, cfg.Schedules)
	p.Forms = forms.New(p.store, cfg.Forms)
	p.RealityData = realitydata.New(p.store, cfg.RealityData)
	p.Transform = transform.New(p.store, cfg.Transform)
	p.Webhooks = webhooks.New(p.store, cfg.Webhooks)
	for _, area := range p.areas() {
		if h, ok := area.(twins.Holder); ok {
			p.Twins.AddHolder(h)
		}
	}
}

// areas are the services in the order in which they are tied. One that holds
// content of twins is a twins.Holder: webhooks are not, since they are to hear of
// a twin's deletion.
func (p *Platform) areas() []any {
	return []any{p.Twins, p.Schedules, p.Forms, p.RealityData, p.Transform, p.Webhooks}
}

// worker has work that no request waits for.
type worker interface {
	Run(ctx context.Context) error
}

func (p *Platform) workers() (workers []worker) {
	for _, area := range p.areas() {
		if w, ok := area.(worker); ok {
			workers = append(workers, w)
		}
	}
	return workers
}
