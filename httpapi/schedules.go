package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// inSchedule is the path of a schedule, below which all else of it lies.
const inSchedule = "/schedules/{scheduleId}"

func schedulesArea(svc *schedules.Service) area {
	return area{
		name:       "schedules",
		served:     svc != nil,
		scopes:     []string{twinplatform.ScopePlatform},
		read:       schedules.PermissionRead,
		modify:     schedules.PermissionModify,
		bad:        schedules.InvalidRequest,
		operations: inSchedule + "/operations/{operationId}",
		rows: slices.Concat(
			scheduleRows(svc),
			taskRows(svc),
			taskLinkRows(svc),
			resourceRows(svc),
			resourceGroupRows(svc),
			statusCategoryRows(svc),
			statusSetRows(svc),
			statusItemRows(svc),
			userFieldRows(svc),
			userFieldValueRows(svc),
			baselineRows(svc),
			entity3DRows(svc),
			synchronizerRows(svc),
		),
	}
}

func scheduleRows(svc *schedules.Service) []*row {
	return []*row{
		create(Operation{ID: "schedules.create", Method: http.MethodPost, Path: "/schedules", Summary: "Create a Schedule", Addition: true},
			"schedule", func(sc schedules.Schedule) string { return sc.ID },
			func(ctx context.Context, _ *exchange, n schedules.NewSchedule) (twinplatform.Result[schedules.Schedule], error) {
				return svc.CreateSchedule(ctx, n)
			}),
		list(Operation{
			ID: "schedules.list", Method: http.MethodGet, Path: "/schedules", Summary: "List Schedules of a twin", Addition: true,
			Query: []Parameter{{Name: "twinId", Required: true, Description: "The twin whose schedules are listed."}},
		}, paging{}, "schedules",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Schedule], error) {
				return svc.Schedules(ctx, schedules.ScheduleQuery{ListOptions: o, TwinID: x.query("twinId")})
			}),
		get(Operation{ID: "schedules.get", Method: http.MethodGet, Path: inSchedule, Summary: "Get a Schedule"}, "schedule",
			func(ctx context.Context, x *exchange) (twinplatform.Record[schedules.Schedule], error) {
				return svc.Schedule(ctx, x.path("scheduleId"))
			}),
		discard(Operation{ID: "schedules.delete", Method: http.MethodDelete, Path: inSchedule, Summary: "Delete a Schedule", Addition: true},
			func(ctx context.Context, x *exchange) error { return svc.DeleteSchedule(ctx, x.path("scheduleId")) }),
		getIn(Operation{ID: "operations.get", Method: http.MethodGet, Path: inSchedule + "/operations/{operationId}", Summary: "Get an Operation"},
			"operation", svc.Operation),
	}
}

// What most families of a schedule are made of. The service method is the call:
// it takes the schedule, and what the request names within it.

// listIn is a row that lists records of a schedule.
func listIn[T any](o Operation, p paging, key string, call func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[T], error)) *row {
	o.Method = http.MethodGet
	return list(o, p, key, func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[T], error) {
		return call(ctx, x.path("scheduleId"), x, o)
	})
}

// getIn is a row that gets the record that the last name of the path tells.
func getIn[T any](o Operation, key string, call func(ctx context.Context, scheduleID, id string) (twinplatform.Record[T], error)) *row {
	o.Method = http.MethodGet
	id := lastName(o.Path)
	return get(o, key, func(ctx context.Context, x *exchange) (twinplatform.Record[T], error) {
		return call(ctx, x.path("scheduleId"), x.path(id))
	})
}

// createIn is a row that makes a record in a schedule.
func createIn[B, T any](o Operation, key string, id func(T) string, call func(ctx context.Context, scheduleID string, b B) (twinplatform.Result[T], error)) *row {
	o.Method = http.MethodPost
	return create(o, key, id, func(ctx context.Context, x *exchange, b B) (twinplatform.Result[T], error) {
		return call(ctx, x.path("scheduleId"), b)
	}).orAccepts(one(key))
}

// batchOf is the body of a batch.
type batchOf[B any] struct {
	Batch []B `json:"batch"`
}

// createManyIn is a row that makes a batch of records in a schedule; plural is
// the name of their ids in a 202.
func createManyIn[B, T any](o Operation, plural string, call func(ctx context.Context, scheduleID string, b []B) (twinplatform.Result[T], error)) *row {
	o.Method = http.MethodPost
	return batch(o, "batch", many(plural), func(ctx context.Context, x *exchange, b batchOf[B]) (twinplatform.Result[T], error) {
		return call(ctx, x.path("scheduleId"), b.Batch)
	})
}

// changeIn is a row that changes the record that the last name of the path
// tells.
func changeIn[B, T any](o Operation, key string, call func(ctx context.Context, scheduleID, id string, b B, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *row {
	o.Method = http.MethodPatch
	id := lastName(o.Path)
	return change(o, key, func(ctx context.Context, x *exchange, b B) (twinplatform.Result[T], error) {
		return call(ctx, x.path("scheduleId"), x.path(id), b, x.ifMatch())
	}).orAccepts(one(key))
}

// deleteManyIn is a row that deletes the records whose ids a parameter lists.
func deleteManyIn[T any](o Operation, plural, param string, call func(ctx context.Context, scheduleID string, ids []string) (twinplatform.Result[T], error)) *row {
	o.Method = http.MethodDelete
	o.Query = append(o.Query, idList(param))
	return remove(o, many(plural), func(ctx context.Context, x *exchange) (twinplatform.Result[T], error) {
		return call(ctx, x.path("scheduleId"), x.ids(param))
	})
}

// deleteIn is a row that deletes the record that the last name of the path
// tells.
func deleteIn[T any](o Operation, singular string, call func(ctx context.Context, scheduleID, id string) (twinplatform.Result[T], error)) *row {
	o.Method, o.Addition = http.MethodDelete, true
	id := lastName(o.Path)
	return remove(o, one(singular), func(ctx context.Context, x *exchange) (twinplatform.Result[T], error) {
		return call(ctx, x.path("scheduleId"), x.path(id))
	})
}

// deleteOneOf is deleteIn where the service deletes several, and calls their ids
// param.
func deleteOneOf[T any](o Operation, singular, param string, call func(ctx context.Context, scheduleID string, ids []string) (twinplatform.Result[T], error)) *row {
	return deleteIn(o, singular, func(ctx context.Context, scheduleID, id string) (twinplatform.Result[T], error) {
		res, err := call(ctx, scheduleID, []string{id})
		if e, ok := errors.AsType[*twinplatform.Error](err); ok && e.Target == param {
			renamed := *e
			renamed.Target = lastName(o.Path)
			return res, &renamed
		}
		return res, err
	})
}

// idList is a parameter that lists ids.
func idList(name string) Parameter {
	return Parameter{Name: name, Required: true, Description: "The ids, separated by commas."}
}

func lastName(path string) string {
	names := pathNames(path)
	return names[len(names)-1]
}
