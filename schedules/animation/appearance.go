package animation

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// AppearanceAction is what a task does to the 3D objects that it works on.
type AppearanceAction string

// The appearance actions.
const (
	InstallAction   AppearanceAction = "Install"   // what was not there is there afterwards
	MaintainAction  AppearanceAction = "Maintain"  // what is there stays
	RemoveAction    AppearanceAction = "Remove"    // what was there is gone afterwards
	NeutralAction   AppearanceAction = "Neutral"   // nothing comes or goes
	TemporaryAction AppearanceAction = "Temporary" // it is there for as long as the task lasts
)

var appearanceActions = []AppearanceAction{InstallAction, MaintainAction, RemoveAction, NeutralAction, TemporaryAction}

// GrowthMode says from where to where an object grows while work on its task is under way.
type GrowthMode string

// The growth modes.
const (
	NoGrowth        GrowthMode = "None"
	BottomTopGrowth GrowthMode = "BottomTop"
	TopBottomGrowth GrowthMode = "TopBottom"
	LeftRightGrowth GrowthMode = "LeftRight"
	RightLeftGrowth GrowthMode = "RightLeft"
	FrontBackGrowth GrowthMode = "FrontBack"
	BackFrontGrowth GrowthMode = "BackFront"
	CustomGrowth    GrowthMode = "Custom" // along Direction
)

var growthModes = []GrowthMode{
	NoGrowth, BottomTopGrowth, TopBottomGrowth, LeftRightGrowth, RightLeftGrowth, FrontBackGrowth, BackFrontGrowth,
	CustomGrowth,
}

// Vector is a point or a direction in the space of the 3D model, in its unit. Its
// numbers are finite.
type Vector struct {
	X float64 `json:"x"` // finite
	Y float64 `json:"y"` // finite
	Z float64 `json:"z"` // finite
}

// check checks that the numbers of a vector have a wire form.
func (v *Vector) check(c *problem.Checks, name string) {
	c.Finite(name+".x", v.X)
	c.Finite(name+".y", v.Y)
	c.Finite(name+".z", v.Z)
}

// StillAppearance is how an object looks before or after its task.
type StillAppearance struct {
	// Color is in the form #rrggbb, and null when there is none. It applies while
	// UseOriginalColor is false.
	Color twinplatform.NullString `json:"color"`
	// Transparency is 0 (opaque) to 100 percent. It applies while
	// UseOriginalTransparency is false.
	Transparency            int32 `json:"transparency"`
	UseOriginalColor        bool  `json:"useOriginalColor"`        // true leaves Color without effect
	UseOriginalTransparency bool  `json:"useOriginalTransparency"` // true leaves Transparency without effect
}

func checkStill(c *problem.Checks, name string, a *StillAppearance) {
	checkColorIfAny(c, name+".color", a.Color)
	model.CheckTransparency(c, name+".transparency", a.Transparency)
}

// ActiveAppearance is how an object looks while work on its task is under way.
type ActiveAppearance struct {
	// Color is in the form #rrggbb, and null when there is none. It applies while
	// UseOriginalColor is false.
	Color twinplatform.NullString `json:"color"`
	// StartTransparency and FinishTransparency are 0 (opaque) to 100 percent, at the
	// beginning and at the end of the task. They apply while UseOriginalTransparency is
	// false.
	StartTransparency  int32 `json:"startTransparency"`
	FinishTransparency int32 `json:"finishTransparency"` // 0 to 100, as StartTransparency
	// GrowthSimulation is null for an object that does not grow.
	GrowthSimulation *GrowthSimulation `json:"growthSimulation"`
	UseOriginalColor bool              `json:"useOriginalColor"` // true leaves Color without effect
	// true leaves both transparencies without effect
	UseOriginalTransparency bool `json:"useOriginalTransparency"`
}

func checkActive(c *problem.Checks, name string, a *ActiveAppearance) {
	checkColorIfAny(c, name+".color", a.Color)
	model.CheckTransparency(c, name+".startTransparency", a.StartTransparency)
	model.CheckTransparency(c, name+".finishTransparency", a.FinishTransparency)
	if a.GrowthSimulation != nil {
		a.GrowthSimulation.check(c, name+".growthSimulation")
	}
}

// GrowthSimulation is how an object grows while work on its task is under way.
type GrowthSimulation struct {
	AdjustForTaskPercentComplete bool `json:"adjustForTaskPercentComplete"` // it has grown as far as the task has come
	// Direction is where the object grows to. It applies in the mode Custom, and is null
	// when there is none.
	Direction                 *Vector    `json:"direction"`
	Mode                      GrowthMode `json:"mode"`                      // None when left out
	PauseDuringNonWorkingTime bool       `json:"pauseDuringNonWorkingTime"` // it grows while people work
	SimulateAsRemove          bool       `json:"simulateAsRemove"`          // it shrinks
}

func (g *GrowthSimulation) check(c *problem.Checks, name string) {
	if g.Mode != "" {
		problem.OneOf(c, name+".mode", g.Mode, growthModes)
	}
	if g.Direction != nil {
		g.Direction.check(c, name+".direction")
	}
}

// withDefaults gives what is left out of an appearance its default, in its own copy.
func (a *ActiveAppearance) withDefaults() *ActiveAppearance {
	if a == nil || a.GrowthSimulation == nil || a.GrowthSimulation.Mode != "" {
		return a
	}
	settled, growth := *a, *a.GrowthSimulation
	growth.Mode = NoGrowth
	settled.GrowthSimulation = &growth
	return &settled
}

func checkColorIfAny(c *problem.Checks, name string, color twinplatform.NullString) {
	if color != "" {
		model.CheckColor(c, name, string(color))
	}
}
