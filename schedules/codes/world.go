package codes

import "github.com/seed-933f9a09/twinplatform/schedules/internal/model"

// Lists are the lists of a world that have the codes of a schedule.
type Lists struct {
	Codes                *[]NewCode
	CodeValues           *[]NewCodeValue
	CodeValueAssignments *[]NewCodeValueAssignment
}

type content = model.Content[Lists]

func in(c *content) Plan { return In(c.Plan) }

var codesInWorld = model.Listed[*content, NewCode]{
	Name:  "codes",
	Items: func(c *content) *[]NewCode { return c.Lists.Codes },
	Read:  model.Reading[NewCode](in, Plan.Codes), Seed: model.Single(in, Plan.CreateCode),
}

var valuesInWorld = model.Listed[*content, NewCodeValue]{
	Name:  "codeValues",
	Items: func(c *content) *[]NewCodeValue { return c.Lists.CodeValues },
	Read:  model.Reading[NewCodeValue](in, Plan.CodeValues), Seed: model.Batched(in, Plan.CreateCodeValues),
}

var assignmentsInWorld = model.Listed[*content, NewCodeValueAssignment]{
	Name:  "codeValueAssignments",
	Items: func(c *content) *[]NewCodeValueAssignment { return c.Lists.CodeValueAssignments },
	Read:  model.Reading[NewCodeValueAssignment](in, Plan.CodeValueAssignments), Seed: model.Batched(in,
		Plan.CreateCodeValueAssignments),
}
