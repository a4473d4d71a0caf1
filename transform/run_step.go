package transform

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// running is a transformation at work.
type running struct {
	engine

	s    *Service
	id   string
	to   string        // what the store calls the target
	in   records.Scope // of the transformation
	conf *Configuration
	rule rule
	// committing reports that all is written, and perhaps committed.
	committing bool
}

var errNoContent = problem.With(InvalidRequest,
	problem.BadValue("configurationId", "The platform does not know the content of the models of the configuration."))

// engineOf is the engine of a transformation.
func (s *Service) engineOf(ctx context.Context, t *Transformation) (*running, error) {
	run := &running{s: s, id: t.ID, to: t.Target, in: area.InAccount(t.AccountID), committing: t.Committing}
	run.draft, run.prefix, run.until = draftOf(t.ID), prefixOf(t.ConfigurationID), string(t.SourceChangeSetID)
	_, err := read(ctx, s, func(c caller) (none struct{}, err error) {
		conf, err := configurationRecords.Value(c.tx, area.AllAccounts, t.ConfigurationID)
		if err != nil {
			return none, configurationKind.Missing.Or(err)
		}
		run.conf = conf
		c.expectSides(conf)
		return none, run.find(c)
	})
	if err != nil {
		return nil, err
	}
	if s.contents == nil {
		return run, nil
	}
	r := &run.conf.References
	if run.source, err = s.contents.Source(ctx, r.SourceModelID); err == nil {
		run.target, err = s.contents.Target(ctx, r.TargetModelID)
	}
	if err == nil && (run.source == nil || run.target == nil) {
		err = errNoContent
	}
	return run, err
}

// find finds the view and, where they are the platform's own, the models.
func (run *running) find(c caller) error {
	r := &run.conf.References
	to, _, err := c.TwinOf(run.conf.AccountID, r.TargetProjectID)
	if err != nil {
		return err
	}
	target, err := c.lookupModel(to, r.TargetModelID)
	if err := area.NoModel("targetModelId").Unless(target != nil, err); err != nil {
		return err
	}
	run.target = run.s.entrusted(target, run.id)
	if run.committing {
		return nil // nothing is left to read
	}
	at, _, err := c.TwinOf(run.conf.SourceAccountID, r.SourceProjectID)
	if err != nil {
		return err
	}
	source, err := c.lookupModel(at, r.SourceModelID)
	if err := area.NoModel("sourceModelId").Unless(source != nil, err); err != nil {
		return err
	}
	view, err := c.lookupView(at.AccountID, source, r.SavedViewID)
	if err := area.NoView().Unless(view != nil, err); err != nil {
		return err
	}
	run.rule = rule{
		View: view.View.Normal(), Changeset: view.ChangesetIndex,
		Mode: run.conf.TransformParameters.ViewMode,
	}
	run.view = run.rule.filter()
	run.source = run.s.entrusted(source, run.id)
	if c.s.directory != nil && c.s.contents == nil {
		return errNoContent
	}
	return nil
}

// step does a part of the transformation and reports whether it was the last.
func (run *running) step(ctx context.Context, p *progress) (done bool, err error) {
	switch {
	case run.committing:
		p.Phase, p.Pending = finishing, nil
	case p.Phase == preparing:
		err = run.prepare(ctx, p)
	case !p.drained():
		run.until = p.Until
		*p, err = run.work(ctx, *p)
	}
	if err == nil && !p.drained() {
		err = run.note(ctx, func(t *Transformation) {
			t.ProcessedElementCount = max(t.ProcessedElementCount,
				p.Processed)
		})
	}
	if err == nil && p.drained() || errors.Is(err, errCommitted) {
		err = run.finish(ctx, p)
	}
	if errors.Is(err, errOver) {
		// What another process wrote after a cancellation is dropped.
		return true, run.target.Discard(ctx, run.draft)
	}
	return false, err
}

// errOver reports that another process has ended the transformation, or this was its end.
var errOver = errors.New("transform: the transformation has come to its end")

// note changes the record of the transformation while it runs.
func (run *running) note(ctx context.Context, change func(*Transformation)) error {
	return run.s.db.Update(ctx, func(u *records.Update) error { return run.change(u, change) })
}

func (run *running) change(u *records.Update, change func(*Transformation)) error {
	records.Declare(u, transformationRecords.NeedsOfChange(run.in, run.id)...)
	_, err := transformationRecords.Modify(u, area.AllAccounts, run.id, "", func(t *Transformation) error {
		if t.Status.Done() {
			return errOver
		}
		change(t)
		return nil
	})
	return err
}

// prepare finds out what there is to do. Who comes second brings the target to the
// changeset that the first has found.
func (run *running) prepare(ctx context.Context, p *progress) error {
	prepared := false
	err := run.note(ctx, func(t *Transformation) {
		if prepared = t.Status == Started; prepared {
			run.until = string(t.SourceChangeSetID)
			return
		}
		t.Status = Initializing
		if t.StartedDateTime.IsZero() {
			t.StartedDateTime = run.s.now()
		}
	})
	if err != nil {
		return err
	}
	last, err := run.begin(ctx)
	if err != nil {
		return err
	}
	err = run.source.Read(ctx, run.until, func(c models.Content) error {
		*p = progress{Phase: scanning, Until: c.Changeset().ID, Total: c.Changeset().ElementCount, Sweep: last != nil}
		return nil
	})
	if err != nil {
		return err
	}
	if last != nil && last.Filter == run.rule.name() {
		if err := run.since(ctx, p, last.Version); err != nil {
			return err
		}
	}
	run.until = p.Until
	p.Mark = last == nil || last.Version != p.Until || last.Filter != run.rule.name()
	if prepared {
		return nil
	}
	return run.note(ctx, func(t *Transformation) {
		if t.Status == Started { // by another process, in the meantime
			*p = progress{}
			return
		}
		t.Status, t.SourceChangeSetID, t.TotalElementCount = Started, twinplatform.NullString(p.Until), p.Total
		t.Report.Full = p.Phase == scanning
	})
}

// begin begins the draft, and returns up to where the target is synchronized. Where another
// draft is open, an earlier transformation may have left it, whose process died or has not
// dropped it yet.
func (run *running) begin(ctx context.Context) (last *models.Aspect, err error) {
	last, err = run.synchronized(ctx)
	if !errors.Is(err, twinplatform.Conflict) || errors.Is(err, errCommitted) {
		return last, err
	}
	var left []string
	if err2 := run.s.db.View(ctx, func(v *records.View) error {
		left = nil
		for t, err := range transformationRecords.Find(v, area.AllAccounts, "target", run.to) {
			if err != nil {
				return err
			}
			if t.Status == Aborted || t.Status == Failed {
				left = append(left, draftOf(t.ID))
			}
		}
		return nil
	}); err2 != nil {
		return nil, err2
	}
	for _, draft := range left {
		if err := run.target.Discard(ctx, draft); err != nil {
			return nil, err
		}
	}
	return run.synchronized(ctx)
}

// since limits a run to what has changed since a changeset, if the source knows.
func (run *running) since(ctx context.Context, p *progress, changeset string) error {
	if changeset == p.Until {
		p.Phase, p.Total, p.Sweep = finishing, 0, false
		return nil
	}
	total := 0
	err := run.source.Read(ctx, p.Until, func(c models.Content) error {
		total = 0
		for _, err := range c.Changed(changeset, "") {
			if err != nil {
				return err
			}
			total++
		}
		return nil
	})
	switch {
	case err == nil:
		p.Phase, p.Since, p.Total, p.Sweep = following, changeset, total, false
	case errors.Is(err, twinplatform.NotFound):
		err = nil // all again
	}
	return err
}

// finish makes the changeset and emits its event. It writes the origin last: a run that
// begins again would take it for the origin of an earlier run.
func (run *running) finish(ctx context.Context, p *progress) error {
	if run.until = p.Until; p.Mark && !run.committing {
		if err := run.mark(ctx, run.conf, run.rule.name()); err != nil && !errors.Is(err, errCommitted) {
			return err
		}
	}
	err := run.note(ctx, func(t *Transformation) {
		t.Committing, t.ProcessedElementCount = true, max(t.ProcessedElementCount, p.Processed)
	})
	if err != nil {
		return err
	}
	made, err := run.target.Commit(ctx, run.draft, run.conf.Comment)
	if err != nil {
		return err
	}
	err = run.s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		c := run.s.callerOf(j, u)
		err := run.change(u, func(t *Transformation) {
			t.Status, t.FinishedDateTime, t.TargetChangeSetID = Succeeded, run.s.now(), twinplatform.NullString(made.ID)
			t.ProcessedElementCount = t.TotalElementCount
			t.Report.InsertedCount, t.Report.UpdatedCount, t.Report.DeletedCount = made.InsertedCount,
				made.UpdatedCount, made.DeletedCount
		})
		if err != nil {
			return err
		}
		return c.completed(u, run.conf, run.id, Succeeded)
	})
	if err == nil {
		err = errOver
	}
	return err
}
