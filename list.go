package twinplatform

import (
	"context"
	"iter"
)

// QueryOf is what every query of a list has: options that say which part of the
// list to return.
type QueryOf[Q any] interface {
	*Q
	Options() *ListOptions
}

// All yields the records of a list, of every page of it from the one that q asks
// for:
//
//	for schedule, err := range twinplatform.All(ctx, svc.Schedules, schedules.ScheduleQuery{TwinID: tower}) { … }
//
// It reads a page when the one before has been looked at, so that what changes
// meanwhile may or may not be seen; a copy is kept with [Sync] or a [Replica]. An
// error ends the sequence.
func All[T, Q any, P QueryOf[Q]](ctx context.Context, list func(context.Context, Q) (Page[T], error), q Q) iter.Seq2[T,
	error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages[T, Q, P](ctx, list, q) {
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			for v, err := range page.OnPage() {
				if !yield(v, err) || err != nil {
					return
				}
			}
		}
	}
}

// AllIn is All for a list of what something else holds, such as the tasks of a
// schedule or the members of a twin:
//
//	for task, err := range twinplatform.AllIn(ctx, svc.Tasks, plan, schedules.TaskQuery{}) { … }
func AllIn[T, Q any, P QueryOf[Q]](ctx context.Context, list func(context.Context, string, Q) (Page[T], error),
	in string, q Q,
) iter.Seq2[T, error] {
	return All[T, Q, P](ctx, func(ctx context.Context, q Q) (Page[T], error) { return list(ctx, in, q) }, q)
}

// pages yields the pages of a list.
func pages[T, Q any, P QueryOf[Q]](ctx context.Context, list func(context.Context, Q) (Page[T], error),
	q Q,
) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		for o := P(&q).Options(); ; {
			page, err := list(ctx, q)
			if !yield(page, err) || err != nil || page.Next == "" {
				return
			}
			o.Continuation, o.IfNoneMatch = page.Next, ""
		}
	}
}
