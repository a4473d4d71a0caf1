package main

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// services are the areas of the platform over one store.
type services struct {
	twins       *twins.Service
	schedules   *schedules.Service
	forms       *forms.Service
	realityData *realitydata.Service
	transform   *transform.Service
	webhooks    *webhooks.Service
}

// newServices ties the areas together: the twins area says which twins there
// are and, unless env has an authorizer, who may do what. The other areas tell
// it what they hold of a twin, so that no twin is deleted under them. Webhooks do
// not hold theirs: they are to hear of its deletion.
func newServices(store storage.Store, env twinplatform.Env, files realitydata.Containers, hooks webhooks.Config) *services {
	s := new(services)
	env.OnEvents = func() { s.webhooks.Wake() }
	asked := env
	hooks.Env = env
	s.twins = twins.New(store, twins.Config{Env: env})
	if env.Authorizer == nil {
		asked.Authorizer, hooks.Env.Authorizer = s.twins, s.twins
	}
	s.schedules = schedules.New(store, schedules.Config{Env: asked, Twins: s.twins})
	s.forms = forms.New(store, forms.Config{Env: asked, Twins: s.twins})
	s.realityData = realitydata.New(store, realitydata.Config{Env: asked, Twins: s.twins, Containers: files})
	s.transform = transform.New(store, transform.Config{Env: asked, Twins: s.twins})
	hooks.Twins = s.twins
	s.webhooks = webhooks.New(store, hooks)
	s.twins.AddHolder(s.schedules, s.forms, s.realityData, s.transform)
	return s
}

// workers do what no request waits for, until their context is done: operations,
// what deleted forms leave, and the delivery of events. The last also takes up
// events that nobody listens to, which would pile up otherwise.
func (s *services) workers() []func(context.Context) error {
	return []func(context.Context) error{s.schedules.Run, s.forms.Run, s.webhooks.Run}
}

// everything lets everybody do everything.
type everything struct{}

// Allowed implements twinplatform.Authorizer.
func (everything) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return true, nil
}
