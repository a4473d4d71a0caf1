package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func userFieldRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/user-fields"
		each = all + "/{userFieldId}"
		key  = "userField"
	)
	return []*row{
		listIn(Operation{
			ID: "S6", Path: all, Summary: "List User Fields",
			Query: []Parameter{{Name: "name", Description: "List the user fields whose name equals or contains this."}},
		}, paging{}, "userFields",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.UserField], error) {
				return svc.UserFields(ctx, scheduleID, schedules.UserFieldQuery{ListOptions: o, Name: x.query("name")})
			}),
		getIn(Operation{ID: "userFields.get", Path: each, Summary: "Get a User Field", Addition: true}, key, svc.UserField),
		createIn(Operation{ID: "userFields.create", Path: all, Summary: "Create a User Field", Addition: true}, key,
			func(f schedules.UserField) string { return f.ID }, svc.CreateUserField),
		deleteIn(Operation{ID: "userFields.delete", Path: each, Summary: "Delete a User Field"}, key, svc.DeleteUserField),
	}
}
