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

// Config says how a Platform is to work. The zero value is ready: whoever
// administers the account of a twin may do everything at it, everybody else what
// roles and members say, operations run before the call returns, and reality data
// have no bytes.
//
// In the configurations of the areas, Env, Twins and Holders are the platform's to
// set: New refuses one that has any of them.
type Config struct {
	// Env is the clock, the ids, the log and the mode of operations of every
	// area. An Authorizer decides in the place of the roles and members of twins.
	// OnEvents is called besides waking the delivery of events.
	Env twinplatform.Env

	// Twins is what there is to say of the twins area alone, and so on.
	Twins       twins.Config
	Schedules   schedules.Config
	Forms       forms.Config
	RealityData realitydata.Config // its Containers hold the bytes
	Transform   transform.Config
	Webhooks    webhooks.Config
}

// check finds ties in the configurations of the areas: they would be lost, or let
// one area see twins that another does not.
func (c *Config) check() error {
	for _, tie := range []struct {
		name string
		of   any
	}{
		{"Twins.Env", c.Twins.Env},
		{"Twins.Holders", c.Twins.Holders},
		{"Schedules.Env", c.Schedules.Env},
		{"Schedules.Twins", c.Schedules.Twins},
		{"Forms.Env", c.Forms.Env},
		{"Forms.Twins", c.Forms.Twins},
		{"RealityData.Env", c.RealityData.Env},
		{"RealityData.Twins", c.RealityData.Twins},
		{"Transform.Env", c.Transform.Env},
		{"Transform.Twins", c.Transform.Twins},
		{"Webhooks.Env", c.Webhooks.Env},
		{"Webhooks.Twins", c.Webhooks.Twins},
	} {
		if v := reflect.ValueOf(tie.of); v.IsValid() && !v.IsZero() {
			return fmt.Errorf("platform: Config.%s is the platform's to set", tie.name)
		}
	}
	return nil
}
