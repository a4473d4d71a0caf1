package schedules_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
)

// readsOfCodes are those of what coded makes.
var readsOfCodes = []call{
	{"Code", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).Code(ctx, "phase")
		return err
	}, noCode},
	{"Codes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).Codes(ctx, codes.CodeQuery{})
		return err
	}, noSchedule},
	{"CodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CodeValue(ctx, "shell")
		return err
	}, noCodeValue},
	{"CodeValues", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CodeValues(ctx, codes.CodeValueQuery{})
		return err
	}, noSchedule},
	{"CodeValuesOfCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CodeValuesOfCode(ctx, "phase", codes.CodeValueQuery{})
		return err
	}, noCode},
	{"CodeValueAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CodeValueAssignments(ctx, codes.CodeValueAssignmentQuery{})
		return err
	}, noSchedule},
	{"Rule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Rule(ctx, "rule")
		return err
	}, noRule},
	{"Rules", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Rules(ctx, schedules.RuleQuery{})
		return err
	}, noSchedule},
}

// writesOfCodes are those to what coded makes.
var writesOfCodes = []call{
	{"CreateCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CreateCode(ctx, codes.NewCode{ID: "unused", Name: "n", Category: codes.ResourceCode})
		return err
	}, noSchedule},
	{"UpdateCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).UpdateCode(ctx, "phase", codes.CodePatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateCodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CreateCodeValue(ctx, codes.NewCodeValue{CodeID: "phase", Name: "n"})
		return err
	}, noSchedule},
	{"CreateCodeValues", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CreateCodeValues(ctx, []codes.NewCodeValue{{CodeID: "phase", Name: "n"}})
		return err
	}, noSchedule},
	{"UpdateCodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).UpdateCodeValue(ctx, "shell", codes.CodeValuePatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateCodeValueAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CreateCodeValueAssignment(ctx, codes.NewCodeValueAssignment{TaskID: "coded", CodeValueID: "site"})
		return err
	}, noSchedule},
	{"CreateCodeValueAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).CreateCodeValueAssignments(ctx, []codes.NewCodeValueAssignment{{TaskID: "coded", CodeValueID: "groundwork"}})
		return err
	}, noSchedule},
	{"DeleteCodeValueAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		return codes.In(svc.In(id)).DeleteCodeValueAssignment(ctx, "coded", "shell")
	}, noSchedule},
	{"DeleteCodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).DeleteCodeValue(ctx, "shell")
		return err
	}, noSchedule},
	{"DeleteCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := codes.In(svc.In(id)).DeleteCode(ctx, "account")
		return err
	}, noSchedule},
	{"CreateRule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateRule(ctx, schedules.NewRule{Rate: 1})
		return err
	}, noSchedule},
	{"UpdateRule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateRule(ctx, "rule", schedules.RulePatch{Rate: twinplatform.Set(2.0)})
		return err
	}, noSchedule},
	{"DeleteRule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteRule(ctx, "rule")
		return err
	}, noSchedule},
}
