package realitydata

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

var (
	errTooManyJobs  = problem.Conflict("LimitExceeded", "", "The account has reached its limit of jobs.")
	errJobSubmitted = problem.Conflict("JobSubmitted", "state", "The job was submitted already.")
	errJobNotActive = problem.Conflict("JobNotActive", "state", "The job is not active.")
)

// seesJob reports whether the caller may see a job: as who made it, or by a permission on its
// twin, whose data it is about.
func (c caller) seesJob(j *Job) (bool, error) {
	if c.madeJob(j) || c.administers(j.AccountID) {
		return true, nil
	}
	return c.Holds(j.AccountID, j.TwinID, anyPermission...)
}

func (c caller) madeJob(j *Job) bool {
	p, ok := c.Caller()
	return ok && p.ID != "" && p.ID == string(j.OwnerID) && p.AccountID == j.AccountID
}

func (c caller) visibleJob(of JobService, id string) (rec twinplatform.Record[Job], err error) {
	if rec, err = jobRecords.Get(c.tx, allAccounts, records.Join(string(of), id)); err != nil {
		return rec, jobMissing.Or(err)
	}
	if err := jobMissing.Unless(c.seesJob(&rec.Value)); err != nil {
		return twinplatform.Record[Job]{}, err
	}
	return rec, nil
}

// changeableJob returns a job that the caller may change, if the condition holds of it.
func (c caller) changeableJob(of JobService, id string, cond twinplatform.Condition) (*Job, error) {
	rec, err := c.visibleJob(of, id)
	if err != nil {
		return nil, err
	}
	j := &rec.Value
	if !c.madeJob(j) && !c.administers(j.AccountID) {
		if err := problem.Needs(PermissionManage).Unless(c.Holds(j.AccountID, j.TwinID, PermissionManage)); err != nil {
			return nil, err
		}
	}
	return j, jobMissing.Or(jobRecords.Check(c.tx, inAccount(j.AccountID), jobRecords.ID(j), cond))
}

// Job returns a job. A caller that holds a permission of the area on its twin may see it.
//
// Errors: JobNotFound, also for a job of another service.
func (s *Service) Job(ctx context.Context, of JobService, id string) (twinplatform.Record[Job], error) {
	return read(ctx, s, func(c caller) (twinplatform.Record[Job], error) { return c.visibleJob(of, id) })
}

// JobProgress reports how far a job is. Errors: as Job.
func (s *Service) JobProgress(ctx context.Context, of JobService, id string) (JobProgress, error) {
	rec, err := s.Job(ctx, of, id)
	return rec.Value.progress(), err
}

// Jobs lists the jobs of a service by id: those of a twin, or those that the caller made; an
// administrator lists all of the account.
//
// Errors: InvalidRealityDataRequest with InvalidValue (state, type, top, continuation; twinId,
// if it is no GUID and the caller sees no data of a twin that is called so). A
// twin whose data the caller may not see has none.
func (s *Service) Jobs(ctx context.Context, of JobService, q JobQuery) (twinplatform.Page[Job], error) {
	var c problem.Checks
	if q.State != "" {
		problem.OneOf(&c, "state", q.State, jobStates)
	}
	if q.Type != "" {
		problem.OneOf(&c, "type", q.Type, jobTypes[of])
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Page[Job]{}, err
	}
	return read(ctx, s, func(c caller) (page twinplatform.Page[Job], err error) {
		in, sees, view, err := c.jobsIn(q.TwinID)
		if err != nil {
			return page, err
		}
		page, err = jobRecords.List(c.tx, in, records.Query[Job]{
			Op: string(of) + "-jobs", ListOptions: q.ListOptions, MaxTop: MaxTop, Prefix: records.Join(string(of), ""),
			View:   view,
			Filter: records.Join(q.TwinID, string(q.State), string(q.Type)),
			Match: func(j *Job) bool {
				return sees(j) && (q.TwinID == "" || q.TwinID == j.TwinID) && (q.State == "" || q.State == j.State) &&
					(q.Type == "" || q.Type == j.Type)
			},
		})
		return page, paging.Listed(err, InvalidRequest)
	})
}

// jobsIn is where the jobs are that the caller lists, and which of them it sees.
func (c caller) jobsIn(twinID string) (in records.Scope, sees func(*Job) bool, view string, err error) {
	p, named := c.Caller()
	if !named {
		return allAccounts, func(*Job) bool { return true }, "", nil
	}
	in, view = inAccount(p.AccountID), p.AccountID+"\x00"+p.ID
	sees = func(j *Job) bool { return c.madeJob(j) || c.administers(j.AccountID) }
	if twinID == "" {
		return in, sees, view, nil
	}
	if err := c.named(twinID); err != nil {
		return in, sees, view, err
	}
	held, err := c.Holds(p.AccountID, twinID, anyPermission...)
	if err != nil || !held {
		return in, sees, view, err
	}
	in, err = c.ofTwin(p.AccountID, twinID)
	return in, func(*Job) bool { return true }, "member", err
}

// CreateJob makes a job, which does nothing until it is submitted: see UpdateJob. It needs
// PermissionCreate on the twin, and PermissionUse or PermissionManage on the inputs, which are
// data of that twin.
//
// Errors: InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue for each wrong
// property, also for a type of job or a conversion that the platform does not do;
// InsufficientPermissions, also for a twin that is missing; RealityDataNotFound for an input
// that the twin does not have; LimitExceeded for more than MaxJobs in the account.
func (s *Service) CreateJob(ctx context.Context, of JobService, n NewJob) (res twinplatform.Result[Job], err error) {
	var c problem.Checks
	n.check(&c, of)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	return write(ctx, s, func(u *records.Update, c caller) (rec twinplatform.Record[Job], err error) {
		j, err := c.newJob(of, n)
		if err != nil {
			return rec, err
		}
		if jobRecords.Count(u, inAccount(j.AccountID)) >= MaxJobs {
			return rec, errTooManyJobs
		}
		return jobRecords.Insert(u, inAccount(j.AccountID), j)
	})
}

func (c caller) newJob(of JobService, n NewJob) (*Job, error) {
	target, err := c.creatable(n.TwinID)
	if err != nil {
		return nil, err
	}
	now := c.s.now()
	j := &Job{
		CreatedDateTime: now, LastModifiedDateTime: now, ID: c.s.env.NewGUID(), Name: n.Name, Options: n.Options,
		State:  JobUnsubmitted,
		TwinID: n.TwinID, Type: n.Type, Service: of, AccountID: target.AccountID,
		Outputs: []JobData{{Type: resultType}},
	}
	if p, named := c.Caller(); named {
		j.OwnerID, j.Email = twinplatform.NullString(p.ID), twinplatform.NullString(p.Email)
	}
	if p := n.CostEstimationParameters; p != nil {
		j.CostEstimation.GigaPixels, j.CostEstimation.MegaPoints = p.GigaPixels, p.MegaPoints
	}
	if len(n.Outputs) > 0 {
		j.Outputs[0].Type = n.Outputs[0]
	}
	for _, in := range n.Inputs {
		d, err := c.readable(in.ID, n.TwinID)
		if err != nil {
			return nil, err
		}
		j.Inputs = append(j.Inputs, JobData{twinplatform.NullString(in.ID), d.Type})
	}
	if j.DataCenter, err = c.place(n.TwinID); err != nil {
		return nil, err
	}
	return j, j.converts()
}

// converts refuses a conversion into another format.
func (j *Job) converts() error {
	for _, in := range j.Inputs {
		if to := j.Outputs[0].Type; j.Type == ConversionJob && in.Type != to {
			return problem.With(InvalidRequest,
				problem.BadValue("outputs", "This platform does not convert formats: it copies '%s' as '%s', and "+
					"cannot make '%s' of it.", in.Type, in.Type, to))
		}
	}
	return nil
}

// readable returns reality data of a twin whose bytes the caller may read.
func (c caller) readable(id, twinID string) (*RealityData, error) {
	rec, err := c.visible(id, twinID)
	if err != nil {
		return nil, err
	}
	return &rec.Value, c.mayAccess(&rec.Value, twinID, false)
}

// UpdateJob changes a job, submits it, or cancels it. It is for the maker of the job and for
// PermissionManage on its twin. Submitting needs what CreateJob does: the job is done in the
// name of who submits it, by the time UpdateJob returns or by Run with Env.Background, and
// each step asks again whether that one may. What it has made of a job that fails or is
// cancelled is removed.
//
// Errors: as CreateJob; JobNotFound; JobSubmitted for a change of a job that is not
// unsubmitted; JobNotActive for cancelling another; StorageUnavailable where the platform does
// not keep the bytes; VersionMismatch.
func (s *Service) UpdateJob(ctx context.Context, of JobService, id string, p JobPatch,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[Job], err error) {
	var c problem.Checks
	p.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	cond := twinplatform.ConditionOf(pre...)
	switch p.State.Or("") {
	case JobActive:
		return s.submitJob(ctx, of, id, p, cond)
	case JobCancelled:
		return write(ctx, s, func(u *records.Update, c caller) (twinplatform.Record[Job], error) {
			return c.cancelJob(u, of, id, cond)
		})
	}
	return write(ctx, s, func(u *records.Update, c caller) (rec twinplatform.Record[Job], err error) {
		j, err := c.changeableJob(of, id, cond)
		if err != nil {
			return rec, err
		}
		return c.putJob(u, j, p.apply)
	})
}

func (p *JobPatch) check(c *problem.Checks) {
	if state, given := p.State.Get(); given || p.State.IsNull() {
		problem.OneOf(c, "state", state, jobStatesToSet)
	}
	if name, given := p.Name.Get(); given || p.Name.IsNull() {
		checkJobName(c, name)
	}
	p.Options.Or(JobOptions{}).check(c, "options")
	cost := p.CostEstimationParameters.Or(JobCostParameters{})
	cost.check(c, "costEstimationParameters")
}

// apply changes a job that is unsubmitted by all of the patch but the state.
func (p *JobPatch) apply(j *Job) error {
	if j.State != JobUnsubmitted {
		return errJobSubmitted
	}
	j.Name = p.Name.Or(j.Name)
	if p.Options.Present() {
		j.Options = p.Options.Or(JobOptions{})
	}
	if p.CostEstimationParameters.Present() {
		cost := p.CostEstimationParameters.Or(JobCostParameters{})
		j.CostEstimation.GigaPixels, j.CostEstimation.MegaPoints = cost.GigaPixels, cost.MegaPoints
	}
	return nil
}

// putJob changes a job. One that stays as it is was not modified.
func (c caller) putJob(u *records.Update, j *Job, fn func(*Job) error) (twinplatform.Record[Job], error) {
	rec, err := jobRecords.Modify(u, inAccount(j.AccountID), jobRecords.ID(j), "", func(j *Job) error {
		was := *j
		if err := fn(j); err != nil || reflect.DeepEqual(was, *j) {
			return err
		}
		j.LastModifiedDateTime = c.s.now()
		return nil
	})
	return rec, jobMissing.Or(err)
}

// submitJob has a job done.
func (s *Service) submitJob(ctx context.Context, of JobService, id string, p JobPatch,
	cond twinplatform.Condition,
) (res twinplatform.Result[Job], err error) {
	if s.files == nil {
		return res, errNowhere
	}
	var rec twinplatform.Record[Job]
	var w jobWork
	err = s.bench.Call(ctx, func(j *judge.Judge) error {
		rec = twinplatform.Record[Job]{}
		_, err := workOf(s).Start(ctx,
			jobs.Spec{Subjects: []string{id}, Open: func(u *records.Update) (records.Scope, error) {
				if rec, err = (caller{j.In(u), s, u}).submit(u, of, id, p, cond); err != nil {
					return "", err
				}
				w = jobWork{Service: of, JobID: id, OutputID: string(rec.Value.Outputs[0].ID)}
				return inAccount(rec.Value.AccountID), nil
			}}, &w)
		return err
	})
	if rec.ETag == "" {
		return res, err
	}
	latest, unread := s.Job(ctx, of, id)
	switch {
	case err != nil && (unread != nil || !latest.Value.ended()):
		return res, err // Run, or the next call, continues it
	case unread != nil:
		return res, unread
	}
	return twinplatform.Done(latest), nil // its record has the outcome
}

// submit makes a job active, and the data that it is to fill.
func (c caller) submit(u *records.Update, of JobService, id string, p JobPatch,
	cond twinplatform.Condition,
) (rec twinplatform.Record[Job], err error) {
	j, err := c.changeableJob(of, id, cond)
	if err != nil {
		return rec, err
	}
	if err := p.apply(j); err != nil {
		return rec, err
	}
	var first *RealityData
	for i, in := range slices.Backward(j.Inputs) {
		if first, err = c.readable(string(in.ID), j.TwinID); err != nil {
			return rec, err
		}
		j.Inputs[i].Type = first.Type
	}
	if err := j.converts(); err != nil {
		return rec, err
	}
	out := j.output(first)
	caller := ""
	if p, named := c.Caller(); named {
		out.OwnerID = twinplatform.NullString(p.ID)
		who, err := json.Marshal(p)
		if err != nil {
			return rec, err
		}
		caller = string(who)
	}
	if _, err := c.insert(u, out, &NewRealityData{TwinID: j.TwinID}); err != nil {
		return rec, err
	}
	return c.putJob(u, j, func(stored *Job) error {
		if err := p.apply(stored); err != nil {
			return err
		}
		now := c.s.now()
		stored.State, stored.caller, stored.Inputs = JobActive, caller, j.Inputs
		stored.ExecutionInformation.SubmissionDateTime = &now
		stored.Outputs = []JobData{{twinplatform.NullString(out.ID), j.Outputs[0].Type}}
		return nil
	})
}

// output are the data that a job is to fill: with what is known of the one that it copies.
func (j *Job) output(of *RealityData) *RealityData {
	n := NewRealityData{DisplayName: j.Name, Type: j.Outputs[0].Type, Authoring: true}
	if j.Type == ConversionJob && len(j.Inputs) == 1 {
		n.Classification, n.RootDocument, n.Acquisition, n.Extent, n.CRS = of.Classification, of.RootDocument,
			of.Acquisition, of.Extent, of.CRS
	}
	return dataKind.New(&n)
}

// cancelJob ends a job that is active. The bytes of what it has made go with its next step,
// behind which nothing is written.
func (c caller) cancelJob(u *records.Update, of JobService, id string,
	cond twinplatform.Condition,
) (rec twinplatform.Record[Job], err error) {
	j, err := c.changeableJob(of, id, cond)
	if err != nil {
		return rec, err
	}
	if j.State != JobActive {
		return rec, errJobNotActive
	}
	return c.endJob(u, j, JobCancelled, "")
}

// endJob ends a job that is active without what it was to make.
func (c caller) endJob(u *records.Update, j *Job, as JobState, why string) (rec twinplatform.Record[Job], err error) {
	if err := c.dropOutput(u, j); err != nil {
		return rec, err
	}
	return c.putJob(u, j, func(j *Job) error {
		now := c.s.now()
		j.State, j.ExecutionInformation.EndedDateTime, j.FailureDescription = as, &now, twinplatform.NullString(why)
		j.Outputs = []JobData{{Type: j.Outputs[0].Type}}
		return nil
	})
}

// dropOutput removes the data that a job was to make, and has their bytes removed later.
func (c caller) dropOutput(u *records.Update, j *Job) error {
	d, err := dataRecords.Lookup(u, allAccounts, string(j.Outputs[0].ID))
	if d == nil || err != nil {
		return err
	}
	before := d.TwinIDs
	d.TwinIDs = nil
	if err := c.copyToTwins(u, d, before); err != nil {
		return err
	}
	if err := dataRecords.Erase(u, inAccount(d.AccountID), d.ID); err != nil {
		return err
	}
	return c.s.removeLater(u, d.ID)
}

// DeleteJob forgets a job; one that is active is cancelled. What it has made stays. It is for
// the maker of the job and for PermissionManage on its twin.
//
// Errors: JobNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteJob(ctx context.Context, of JobService, id string, pre ...twinplatform.Precondition) error {
	return s.update(ctx, func(u *records.Update, c caller) error {
		j, err := c.changeableJob(of, id, twinplatform.ConditionOf(pre...))
		if err != nil {
			return err
		}
		if j.State == JobActive {
			if err := c.dropOutput(u, j); err != nil {
				return err
			}
		}
		return jobRecords.Erase(u, inAccount(j.AccountID), jobRecords.ID(j))
	})
}
