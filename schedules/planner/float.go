package planner

import "github.com/seed-933f9a09/twinplatform/schedules/cpm"

// xerFloats and p6Floats are what the total float of a level of effort is, by how P6 calls it.
var (
	xerFloats = map[string]cpm.FloatType{
		"FT_FF": cpm.FinishFloat, "FT_SF": cpm.StartFloat, "FT_MIN": cpm.SmallestFloat,
	}
	p6Floats = map[string]cpm.FloatType{
		"Finish Float = Late Finish - Early Finish": cpm.FinishFloat,
		"Start Float = Late Start - Early Start":    cpm.StartFloat,
		"Smallest of Start Float and Finish Float":  cpm.SmallestFloat,
	}
	xerFloatNames = inverse(xerFloats)
	p6FloatNames  = inverse(p6Floats)
)

// floatBy sets what total float is in a project, where the file has it.
func (p *Plan) floatBy(to *Project, names map[string]cpm.FloatType, name string) {
	if name == "" {
		return
	}
	typ, ok := names[name]
	if !ok {
		p.warn("project "+to.ID, "Its total float "+name+" is none that is known: it is taken from late to early finishes.")
	}
	to.Float = typ
}
