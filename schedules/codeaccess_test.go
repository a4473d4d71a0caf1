package schedules_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// readsOfCodes are those of what coded makes.
var readsOfCodes = []call{
	{"Code", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Code(ctx, id, "phase")
		return err
	}, noCode},
	{"Codes", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Codes(ctx, id, schedules.CodeQuery{})
		return err
	}, noSchedule},
	{"CodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CodeValue(ctx, id, "shell")
		return err
	}, noCodeValue},
	{"CodeValues", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CodeValues(ctx, id, schedules.CodeValueQuery{})
		return err
	}, noSchedule},
	{"CodeValuesOfCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CodeValuesOfCode(ctx, id, "phase", schedules.CodeValueQuery{})
		return err
	}, noCode},
	{"CodeValueAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CodeValueAssignments(ctx, id, schedules.CodeValueAssignmentQuery{})
		return err
	}, noSchedule},
	{"Rule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Rule(ctx, id, "rule")
		return err
	}, noRule},
	{"Rules", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Rules(ctx, id, schedules.RuleQuery{})
		return err
	}, noSchedule},
}

// writesOfCodes are those to what coded makes.
var writesOfCodes = []call{
	{"CreateCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateCode(ctx, id, schedules.NewCode{ID: "unused", Name: "n", Category: schedules.ResourceCode})
		return err
	}, noSchedule},
	{"UpdateCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateCode(ctx, id, "phase", schedules.CodePatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateCodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateCodeValue(ctx, id, schedules.NewCodeValue{CodeID: "phase", Name: "n"})
		return err
	}, noSchedule},
	{"CreateCodeValues", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateCodeValues(ctx, id, []schedules.NewCodeValue{{CodeID: "phase", Name: "n"}})
		return err
	}, noSchedule},
	{"UpdateCodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateCodeValue(ctx, id, "shell", schedules.CodeValuePatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	{"CreateCodeValueAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateCodeValueAssignment(ctx, id, schedules.NewCodeValueAssignment{TaskID: "coded", CodeValueID: "site"})
		return err
	}, noSchedule},
	{"CreateCodeValueAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateCodeValueAssignments(ctx, id, []schedules.NewCodeValueAssignment{{TaskID: "coded", CodeValueID: "groundwork"}})
		return err
	}, noSchedule},
	{"DeleteCodeValueAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		return svc.DeleteCodeValueAssignment(ctx, id, "coded", "shell")
	}, noSchedule},
	{"DeleteCodeValue", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteCodeValue(ctx, id, "shell")
		return err
	}, noSchedule},
	{"DeleteCode", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteCode(ctx, id, "account")
		return err
	}, noSchedule},
	{"CreateRule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateRule(ctx, id, schedules.NewRule{Rate: 1})
		return err
	}, noSchedule},
	{"UpdateRule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.UpdateRule(ctx, id, "rule", schedules.RulePatch{Rate: twinplatform.Set(2.0)})
		return err
	}, noSchedule},
	{"DeleteRule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.DeleteRule(ctx, id, "rule")
		return err
	}, noSchedule},
}
