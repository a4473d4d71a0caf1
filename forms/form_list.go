package forms

import (
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	judges "github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// FormQuery selects the forms to list. Pages go forward only and have at most 50 forms; a
// page that names no size is as large as the one before. They have no ETag and no delta
// token.
type FormQuery struct {
	twinplatform.ListOptions
	// TwinID is the GUID of a twin. Required.
	TwinID string
	// Discipline, State and Type list the forms that have this one.
	Discipline string
	State      State
	Type       string
}

// FormSummaries lists the forms of a twin in their short form (F1 with Prefer:
// return=minimal, GET /forms/). Forms that the caller may not view are left out;
// a page is full all the same, or the last.
//
// Errors: InvalidFormDataRequest with MissingRequiredParameter (projectId) or
// InvalidValue (state, top, continuation); ProjectNotFound for a twin that
// is missing or where the caller may view no forms.
func (s *Service) FormSummaries(ctx context.Context, q FormQuery) (page twinplatform.Page[FormSummary], err error) {
	err = s.listForms(ctx, q, func(_ *records.View, _ records.Scope, found twinplatform.Page[FormSummary]) error {
		page = found
		return nil
	})
	return page, err
}

// Forms lists the forms of a twin with all their properties (F1 with Prefer:
// return=representation). Its tokens are valid for FormSummaries, and the other way
// round.
//
// Errors: as FormSummaries.
func (s *Service) Forms(ctx context.Context, q FormQuery) (page twinplatform.Page[Form], err error) {
	err = s.listForms(ctx, q, func(v *records.View, scope records.Scope, found twinplatform.Page[FormSummary]) error {
		ids := make([]string, 0, found.Len())
		for summary, err := range found.OnPage() {
			if err != nil {
				return err
			}
			ids = append(ids, summary.ID)
		}
		var err error
		page, err = formRecords.Pick(v, scope, ids)
		page.Next, page.Top = found.Next, found.Top
		return err
	})
	return page, err
}

// listForms finds a page of forms and hands it on within the transaction.
func (s *Service) listForms(ctx context.Context, q FormQuery,
	use func(*records.View, records.Scope, twinplatform.Page[FormSummary]) error,
) error {
	var c problem.Checks
	twinID, ok := parseGUID(q.TwinID)
	if !ok {
		c.Add(noTwin("projectId"))
	}
	if q.State != "" {
		problem.OneOf(&c, "state", q.State, states)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	return s.view(ctx, func(v *records.View, j *judge) error {
		j.expectSecured(twinID)
		r, ok, err := j.in(twinID)
		if err := projectMissing.Unless(ok, err); err != nil {
			return err
		}
		query, err := q.records(r)
		if err != nil {
			return err
		}
		judges.OwnAlone(j.Judge, &query, r.target.AccountID, accountOf(v))
		page, err := summaryRecords.List(v, inTwin(twinID), query)
		if err != nil {
			return forward.Listed(err, InvalidRequest)
		}
		page.ETag, page.Delta = "", ""
		return use(v, inTwin(twinID), page)
	})
}

// accountOf returns the account of a form, which is that of its definition.
func accountOf(v *records.View) func(*FormSummary) string {
	known := make(map[string]string)
	return func(f *FormSummary) string {
		account, ok := known[f.FormID]
		if !ok {
			if d, err := definitionRecords.Lookup(v, allAccounts, f.FormID); err == nil && d != nil {
				account = d.AccountID
			}
			known[f.FormID] = account
		}
		return account
	}
}

// records is the query over the summaries. The indexes of the filters serve it, or
// that of the definition where the caller may view the forms of a single one.
func (q *FormQuery) records(r *rights) (records.Query[FormSummary], error) {
	query := records.Query[FormSummary]{
		ListOptions: q.ListOptions, Op: "forms", DefaultTop: MaxTop, MaxTop: MaxTop, KeepTop: true,
		Filter: fmt.Sprintf("%q %q %q", q.Type, q.Discipline, q.State),
	}
	query.IfNoneMatch = ""
	query.In(byType, q.Type)
	query.In(byDiscipline, q.Discipline)
	query.In(byState, string(q.State))
	visible := func(*FormSummary) bool { return true }
	if !r.unlimited {
		views, err := r.any(anyPermission...)
		if err != nil {
			return query, err
		}
		sec, err := r.secured()
		switch {
		case err != nil:
			return query, err
		case views && len(sec.refused) > 0:
			visible = func(f *FormSummary) bool { return !sec.refused[f.FormID] }
			query.View = "all but " + names(sec.refused)
		case views:
		case len(sec.granted) == 0:
			return query, projectMissing.Err()
		default:
			visible = func(f *FormSummary) bool { return sec.granted[f.FormID] }
			query.View = names(sec.granted)
			if len(sec.granted) == 1 {
				query.Index, query.Equals, query.Also = byDefinition, query.View, nil
			}
		}
	}
	query.Match = func(f *FormSummary) bool {
		return (q.Type == "" || f.Type == q.Type) && (q.Discipline == "" || f.Discipline == q.Discipline) &&
			(q.State == "" || f.State == q.State) && visible(f)
	}
	return query, nil
}
