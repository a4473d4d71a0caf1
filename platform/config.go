package platform

import (
	"fmt"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Config configures a Platform. The zero value is ready: an administrator of the account
// of a twin may do everything at it, everyone else what roles and members grant,
// operations run before the call returns, and reality data have no bytes.
//
// In the configurations of the areas, Env, Twins, Holders and Roles are the platform's
// to set: New refuses one that has any of them.
type Config struct {
	// Env is the clock, the ids, the log and the mode of operations of every area. An
	// Authorizer decides in place of the roles and members of twins and, unless
	// Transform.ModelPermissions does, of those of models. OnEvents is called besides
	// waking the delivery of events.
	Env twinplatform.Env

	// Twins configures the twins area; Schedules, Forms, Transform and Webhooks configure
	// theirs.
	Twins       twins.Config
	Schedules   schedules.Config
	Forms       forms.Config
	RealityData realitydata.Config // its Containers hold the bytes
	Transform   transform.Config
	Webhooks    webhooks.Config

	// Budget is how many bytes of keys and values the store may hold, which are in memory
	// with both engines that come with the module. The zero value is any number, and then
	// none are counted. Platform.SetBudget changes it.
	Budget Budget
}

// areaWire is what the configuration of an area gets from the platform.
type areaWire struct {
	area  string
	env   *twinplatform.Env
	twins *twinplatform.TwinDirectory // nil for the area that is the directory
}

// wires are refused where a caller sets them, and set by the platform alone: they would
// be lost otherwise, or let one area see twins that another does not.
func (c *Config) wires() []areaWire {
	return []areaWire{
		{"Twins", &c.Twins.Env, nil},
		{"Schedules", &c.Schedules.Env, &c.Schedules.Twins},
		{"Forms", &c.Forms.Env, &c.Forms.Twins},
		{"RealityData", &c.RealityData.Env, &c.RealityData.Twins},
		{"Transform", &c.Transform.Env, &c.Transform.Twins},
		{"Webhooks", &c.Webhooks.Env, &c.Webhooks.Twins},
	}
}

func (c *Config) check() error {
	refused := ""
	for _, t := range c.wires() {
		switch {
		case !reflect.ValueOf(*t.env).IsZero():
			refused = t.area + ".Env"
		case t.twins != nil && *t.twins != nil:
			refused = t.area + ".Twins"
		}
	}
	switch {
	case c.Twins.Holders != nil:
		refused = "Twins.Holders"
	case c.Transform.Roles != nil:
		refused = "Transform.Roles"
	}
	if refused != "" {
		return fmt.Errorf("platform: Config.%s is the platform's to set", refused)
	}
	return twins.CheckGlobalRepositories(c.Twins.Repositories)
}
