package animation

import "github.com/seed-933f9a09/twinplatform/schedules/fourd"

// Records as package fourd has them.

func (v *Vector) shown() *fourd.Vector {
	if v == nil {
		return nil
	}
	return &fourd.Vector{X: v.X, Y: v.Y, Z: v.Z}
}

func (a *StillAppearance) shown() *fourd.Look {
	if a == nil {
		return nil
	}
	look := &fourd.Look{
		Color: string(a.Color), Transparency: float64(a.Transparency), OriginalTransparency: a.UseOriginalTransparency,
	}
	if a.UseOriginalColor {
		look.Color = ""
	}
	return look
}

func (a *ActiveAppearance) shown() *fourd.ActiveLook {
	if a == nil {
		return nil
	}
	look := &fourd.ActiveLook{
		Color: string(a.Color), StartTransparency: float64(a.StartTransparency),
		FinishTransparency: float64(a.FinishTransparency), OriginalTransparency: a.UseOriginalTransparency,
	}
	if a.UseOriginalColor {
		look.Color = ""
	}
	if g := a.GrowthSimulation; g != nil {
		look.Growth = &fourd.GrowthRule{
			Mode: fourd.Mode(g.Mode), Direction: g.Direction.shown(), ByPercentComplete: g.AdjustForTaskPercentComplete,
			WorkingTimeOnly: g.PauseDuringNonWorkingTime, Removing: g.SimulateAsRemove,
		}
	}
	return look
}

func (v *AppearanceProfile) shown() fourd.Profile {
	return fourd.Profile{
		ID: v.ID, Action: fourd.Action(v.Action), Start: v.StartAppearance.shown(),
		Active: v.ActiveAppearance.shown(), End: v.EndAppearance.shown(),
	}
}

func (v *PathAssignment) shown() fourd.PathAssignment {
	return fourd.PathAssignment{
		ID: v.ID, PathID: v.PathID, Alignment: fourd.Alignment(v.Alignment), Point: v.Center.shown(),
		Start: v.MotionStart, End: v.MotionEnd, Reverse: v.ReverseDirection,
		ByPercentComplete: v.AdjustForTaskPercentComplete, WorkingTimeOnly: v.PauseDuringNonWorkingTime,
	}
}

func (k *Keyframe) shown() fourd.Keyframe {
	f := fourd.Keyframe{Time: k.Time, Position: k.Position.shown()}
	if r := k.Rotation; r != nil {
		f.Rotation = &fourd.Rotation{Angle: r.Angle, Axis: fourd.Vector{X: r.X, Y: r.Y, Z: r.Z}}
	}
	return f
}

func (b *Binding) shown() fourd.Binding {
	return fourd.Binding{
		ID: b.ID, EntityID: b.AnimatedEntityID, TaskID: b.TaskID, ProfileID: string(b.AppearanceProfileID),
		TransformID: string(b.TransformID), PathAssignmentID: string(b.PathAssignmentID),
		ResourceID: string(b.ResourceID), GroupID: string(b.ResourceGroupID),
	}
}
