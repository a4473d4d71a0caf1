package schedules

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ScheduleType is which generation a schedule is of.
type ScheduleType string

// The schedule types. 3D entities exist in v6.5 schedules only, synchronizers in
// v10 schedules only.
const (
	V10 ScheduleType = "v10"
	V65 ScheduleType = "v6.5"
)

var scheduleTypes = []ScheduleType{V10, V65}

// State is whether a schedule takes changes.
type State string

// The states of a schedule.
const (
	// Processing schedules are being set up: they can be read, and every
	// change is refused with ScheduleNotInitialized.
	Processing State = "Processing"
	// Ready schedules take changes.
	Ready State = "Ready"
)

var states = []State{Processing, Ready}

// Schedule is a project schedule.
type Schedule struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique within the account; never changes
	// IsNextGen is true for v10 schedules.
	IsNextGen bool `json:"isNextGen"`
	// ModelID is the 3D model that the schedule is tied to, if any.
	ModelID twinplatform.NullString `json:"modelId"`
	Name    string                  `json:"name"` // 1 to MaxText characters
	// PlanRevision counts how often a rescheduling of so many tasks that it takes steps has
	// put its plan in place of the one before, all at once. It is left out where it is 0.
	PlanRevision int64        `json:"planRevision,omitzero"`
	TwinID       string       `json:"twinId"` // the twin it was made for; never changes
	Type         ScheduleType `json:"type"`   // never changes

	// State is whether the schedule takes changes. It is not on the wire.
	State State `json:"-"`
	// AccountID is the account that the schedule's twin belongs to. It is not
	// on the wire.
	AccountID string `json:"-"`
	// TaskStatusIDs are those that its tasks show as statusId. They are not on the wire.
	TaskStatusIDs TaskStatusIDs `json:"-"`

	scopeName records.Scope
	marked    bool // something in it was to end by itself
}

// Equal reports whether two schedules are the same.
func (sc Schedule) Equal(other Schedule) bool { return sc == other }

// scope holds all that the schedule contains. It is new for every schedule, so
// that one made again under a used id begins empty.
func (sc *Schedule) scope() records.Scope { return sc.scopeName }

func (sc *Schedule) target() twinplatform.Target {
	return twinplatform.Target{TwinID: sc.TwinID, AccountID: sc.AccountID}
}

// hiddenSchedule is what is stored of a schedule in addition to its wire form.
type hiddenSchedule struct {
	State     *State                          `json:"state"`
	AccountID *string                         `json:"accountId"`
	Scope     *records.Scope                  `json:"scope"`
	Marked    records.OmitZero[bool]          `json:"marked,omitzero"`
	StatusIDs records.OmitZero[TaskStatusIDs] `json:"statusIds,omitzero"`
}

var scheduleRecords = records.Collection[Schedule]{
	Name: "schedules",
	ID:   scheduleKey,
	Hidden: func(sc *Schedule) any {
		return &hiddenSchedule{
			&sc.State, &sc.AccountID, &sc.scopeName,
			records.OmitZero[bool]{Of: &sc.marked},
			records.OmitZero[TaskStatusIDs]{Of: &sc.TaskStatusIDs},
		}
	},
	MarkDeleted: func(sc *Schedule) { sc.Deleted = true },
	Indexes: []records.Index[Schedule]{
		{Name: "twin", Value: func(sc *Schedule) string { return sc.TwinID }},
		{Name: "id", Value: func(sc *Schedule) string { return sc.ID }},
	},
}

// NewSchedule asks for a schedule.
type NewSchedule struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// TwinID is required and names an existing twin.
	TwinID  string                  `json:"twinId"`
	ModelID twinplatform.NullString `json:"modelId"` // the 3D model it is tied to, if any
	// Type is V10 when empty.
	Type ScheduleType `json:"type"`
	// IsNextGen says the type in another way: true is V10, false V65.
	IsNextGen twinplatform.Optional[bool] `json:"isNextGen,omitzero"`
	Deleted   twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
	// PlanRevision is 0 of a new schedule.
	PlanRevision twinplatform.Optional[int64] `json:"planRevision,omitzero"`
	// State is Ready when empty; a schedule that begins as Processing is moved
	// on with SetState.
	State State `json:"-"`
	// Elapsed makes a schedule without a calendar, as for one that brings its own:
	// durations and lags are elapsed time until UpdateProjectScheduling names one.
	Elapsed bool `json:"-"`
	// TaskStatusIDs are the ids of the statuses of its tasks, for a schedule that comes from
	// elsewhere; an empty one is that of the platform. No two are the same.
	TaskStatusIDs TaskStatusIDs `json:"-"`
}

func (n *NewSchedule) check(c *problem.Checks) {
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	c.Need("twinId", n.TwinID, MaxText)
	c.AtMost("modelId", string(n.ModelID), MaxText)
	problem.OneOf(c, "type", n.Type, scheduleTypes)
	problem.AsIs(c, "isNextGen", n.IsNextGen, n.Type == V10)
	problem.AsIs(c, "deleted", n.Deleted, false)
	problem.AsIs(c, "planRevision", n.PlanRevision, 0)
	problem.OneOf(c, "state", n.State, states)
	checkStatusIDs(c, &n.TaskStatusIDs)
}

// checkStatusIDs checks that each id means one status.
func checkStatusIDs(c *problem.Checks, ids *TaskStatusIDs) {
	seen := make(map[string]bool)
	for _, s := range taskStatuses {
		target := "taskStatusIds." + string(s)
		c.AtMost(target, *ownID(ids, s), MaxText)
		if id := statusIDOf(ids, s); seen[id] {
			c.Bad(target, "The id '%s' is that of another status.", id)
		} else {
			seen[id] = true
		}
	}
}

// v10Only refuses what schedules of other types than v10 do not have.
func v10Only(sc *Schedule) error { return model.OnlyFor(string(V10), string(sc.Type)) }

// free checks that no schedule of an account has an id.
func (s *Service) free(tx records.Reading, accountID, id string) error {
	_, err := s.of(tx, accountID, id)
	switch {
	case err == nil:
		return records.ErrExists
	case missingRecord(err):
		return nil
	}
	return err
}

// Schedule returns a schedule (Get Schedule). Errors: ScheduleNotFound.
func (s *Service) Schedule(ctx context.Context, scheduleID string) (rec twinplatform.Record[Schedule], err error) {
	err = s.read(ctx, scheduleID, scheduleMissing, func(v *records.View, sc *Schedule) error {
		rec, err = scheduleRecords.Get(v, inAccount(sc.AccountID), scheduleKey(sc))
		return scheduleMissing.Or(err)
	})
	return rec, err
}

// ScheduleQuery selects the schedules to list.
type ScheduleQuery struct {
	twinplatform.ListOptions
	// TwinID lists the schedules of one twin. Only the system may leave it
	// out.
	TwinID string
}

// Schedules lists the schedules of a twin (GET /schedules). A twin that is
// missing or not for the caller to see has none.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (twinId) or
// InvalidValue (top, continuation, delta; twinId, if it is no GUID and the caller sees no
// twin that is called so).
func (s *Service) Schedules(ctx context.Context, q ScheduleQuery) (page twinplatform.Page[Schedule], err error) {
	query := records.Query[Schedule]{ListOptions: q.ListOptions, Op: "schedules"}
	if q.TwinID == "" {
		if _, ok := twinplatform.PrincipalFrom(ctx); ok {
			return page, invalid(problem.Missing("twinId"))
		}
	}
	err = s.bench().View(ctx, func(v *records.View, j *judge.Judge) error {
		query := query
		in, err := narrowToTwin(s, j, &query, q.TwinID)
		if err != nil {
			return err
		}
		page, err = scheduleRecords.List(v, in, query)
		return model.Paging.Listed(err, InvalidRequest)
	})
	return page, err
}

// narrowToTwin lists only the schedules of a twin, and none of one that the
// caller may not see, and says where they are. The system may list those of all
// twins, and knows of no account where nothing says which one a twin is of.
func narrowToTwin(s *Service, j *judge.Judge, q *records.Query[Schedule], twinID string) (in records.Scope, err error) {
	if twinID == "" {
		return allAccounts, nil
	}
	at, visible, err := s.twin(j, twinID)
	if err != nil {
		return "", err
	}
	p, known := j.Caller()
	q.Index, q.Equals = "twin", twinID
	if strange := problem.Strange("twinId", twinID, visible); strange != nil {
		return "", invalid(strange...)
	}
	if !visible {
		q.Equals = "\x00"                  // which no twin is called
		return inAccount(p.AccountID), nil // whosever the twin is, if there is one
	}
	if s.twins == nil && !known {
		return allAccounts, nil
	}
	judge.OwnAlone(j, q, at.AccountID, func(sc *Schedule) string { return sc.AccountID })
	return inAccount(at.AccountID), nil
}

// SetState moves a schedule on from Processing to Ready, or back. It is for the
// embedding program; the REST API has no operation for it.
//
// Errors: ScheduleNotFound, InsufficientPermissions, InvalidSchedulesRequest; VersionMismatch.
func (s *Service) SetState(ctx context.Context, scheduleID string, state State,
	pre ...twinplatform.Precondition,
) error {
	var c problem.Checks
	problem.OneOf(&c, "state", state, states)
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	return s.bench().Update(model.Contended(ctx, scheduleID), func(u *records.Update, j *judge.Judge) error {
		sc, err := s.changeable(u, j, scheduleID)
		if err != nil {
			return err
		}
		_, err = scheduleRecords.Modify(u, inAccount(sc.AccountID), scheduleKey(sc), twinplatform.ConditionOf(pre...),
			func(sc *Schedule) error {
				sc.State = state
				return nil
			})
		return problem.Precondition(err)
	})
}

// DeleteSchedule removes a schedule with all that it holds (DELETE
// /schedules/{scheduleId}). From its return on, the schedule is gone; a large
// one is cleared away in steps that survive a restart.
//
// Errors: ScheduleNotFound, InsufficientPermissions, ScheduleNotInitialized; VersionMismatch.
func (s *Service) DeleteSchedule(ctx context.Context, scheduleID string, pre ...twinplatform.Precondition) error {
	return s.bench().Call(ctx, func(j *judge.Judge) error {
		var r removal
		_, err := knownOf(s).deletion.Start(ctx,
			jobs.Spec{
				AtOnce: true, Subjects: []string{scheduleID}, Contention: model.Contention(scheduleID),
				Open: func(u *records.Update) (records.Scope, error) {
					sc, err := s.changeable(u, j, scheduleID)
					if err != nil {
						return "", err
					}
					r.Place = sc.place()
					err = scheduleRecords.Check(u, inAccount(sc.AccountID), scheduleKey(sc),
						twinplatform.ConditionOf(pre...))
					return inAccount(sc.AccountID), problem.Precondition(err)
				},
			}, &r)
		return err
	})
}

// modify changes a schedule, in the transaction that has found it.
func modify(u *records.Update, at *model.Schedule, change func(*Schedule)) error {
	_, err := scheduleRecords.Modify(u, inAccount(at.AccountID), cmp.Or(at.Key, at.ScheduleID), "",
		func(sc *Schedule) error {
			change(sc)
			return nil
		})
	return err
}

// removal is what the journal keeps of the deletion of a schedule.
type removal struct {
	model.Place
	Deleted bool `json:"deleted"` // what is left is to erase what it held
}

func (s *Service) removeSchedule(u *records.Update, w *jobs.Work[removal, Schedule]) (jobs.Progress, error) {
	if !w.Payload.Deleted {
		sc, err := s.ready(u, w.Payload.Place, false)
		if err != nil {
			return jobs.Progress{}, err
		}
		if err := scheduleRecords.Delete(u, inAccount(sc.AccountID), scheduleKey(sc)); err != nil {
			return jobs.Progress{}, err
		}
		if err := forgetEnds(u, sc); err != nil {
			return jobs.Progress{}, err
		}
		w.Payload.Deleted = true
	}
	more, err := w.Payload.Scope.Erase(u)
	if err != nil || more {
		return jobs.Progress{Percent: 50}, err
	}
	return jobs.Done, nil
}

// OperationQuery selects the operations to list.
type OperationQuery struct {
	twinplatform.ListOptions
	// Statuses lists the operations that have come so far. Empty lists all.
	Statuses []twinplatform.OperationStatus
	// OperationID lists one operation alone.
	OperationID string
}

var operationStatuses = []twinplatform.OperationStatus{
	twinplatform.OperationNotStarted, twinplatform.OperationRunning, twinplatform.OperationSucceeded,
	twinplatform.OperationFailed,
}

// Operations lists the long-running operations of a schedule, the newest first (GET
// …/operations): those under way, and those that ended no longer ago than Env.Retain.
// Writes that were done at once and left no record of an operation are not among them,
// nor is the deletion of the schedule, with which they all go. There is no delta.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta, status).
func (p Plan) Operations(ctx context.Context, q OperationQuery) (page twinplatform.Page[twinplatform.Operation],
	err error,
) {
	var c problem.Checks
	for _, status := range q.Statuses {
		problem.OneOf(&c, "status", status, operationStatuses)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	query := records.Query[twinplatform.Operation]{ListOptions: q.ListOptions, Op: "operations", Descending: true}
	if len(q.Statuses) > 0 {
		model.Narrow(&query, "status", joined(q.Statuses),
			func(o *twinplatform.Operation) bool { return slices.Contains(q.Statuses, o.Status) })
	}
	if q.OperationID != "" {
		query.Prefix = q.OperationID
		model.Narrow(&query, "operationId", q.OperationID,
			func(o *twinplatform.Operation) bool { return o.ID == q.OperationID })
	}
	err = p.s.read(ctx, p.id, scheduleMissing, func(v *records.View, sc *Schedule) error {
		paging := model.PagingIn(sc.Type)
		query.MaxTop = paging.MaxTop
		page, err = p.s.jobs.Operations(v, sc.scope(), query)
		return paging.Listed(err, InvalidRequest)
	})
	return page, err
}

// joined is a set of statuses as text, however often and in which order they are named.
func joined(statuses []twinplatform.OperationStatus) string {
	var named []string
	for _, status := range operationStatuses {
		if slices.Contains(statuses, status) {
			named = append(named, string(status))
		}
	}
	return strings.Join(named, ",")
}
