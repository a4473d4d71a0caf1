package forms

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// AnyStatus is the status of a FormDefinitionQuery that lists all of them.
const AnyStatus FormDefinitionStatus = "any"

// FormDefinitionQuery selects the definitions to list.
type FormDefinitionQuery struct {
	twinplatform.ListOptions
	// TwinID is required: the definitions of this twin and the shared ones of
	// its account are listed.
	TwinID string
	// Type lists the definitions of one type.
	Type string
	// Search lists the definitions whose name contains it, in any case.
	Search string
	// Status lists the definitions in one status. Empty means Approved,
	// AnyStatus all.
	Status FormDefinitionStatus
	// Representation adds the links to the designers.
	Representation bool
}

// FormDefinitions lists the form definitions that can be used in a twin (GET
// /forms/formDefinitions). Those of which the caller may not view the forms are
// left out.
//
// Errors: InvalidFormDefRequest with MissingRequiredParameter (twinId) or
// InvalidValue (status, top, continuation); ProjectNotFound.
func (s *Service) FormDefinitions(ctx context.Context, q FormDefinitionQuery) (page twinplatform.Page[FormDefinition],
	err error,
) {
	var c problem.Checks
	twinID, ok := parseGUID(q.TwinID)
	if !ok {
		c.Add(noTwin("twinId"))
	}
	if q.Status == "" {
		q.Status = Approved
	}
	if q.Status != AnyStatus {
		problem.OneOf(&c, "status", q.Status, append(slices.Clip(definitionStatuses), AnyStatus))
	}
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return page, err
	}
	mayEdit := false
	err = s.view(ctx, func(v *records.View, j *judge) error {
		records.Declare(v, inAccount(j.caller.AccountID).Need())
		r, err := j.visibleTwin(twinID, twinMissing)
		if err != nil {
			return err
		}
		if mayEdit, err = r.any(PermissionDefine); err != nil {
			return err
		}
		query, err := q.records(r, mayEdit)
		if err != nil {
			return err
		}
		page, err = definitionRecords.List(v, inAccount(r.target.AccountID), query)
		return forward.Listed(err, InvalidDefinitionRequest)
	})
	page.Delta = ""
	if err != nil || !q.Representation || !mayEdit || page.NotModified {
		return page, err
	}
	return s.designed(page, twinID)
}

// records is the query over the definitions.
func (q *FormDefinitionQuery) records(r *rights, mayEdit bool) (query records.Query[FormDefinition], err error) {
	views, err := r.any(anyPermission...)
	if err != nil {
		return query, err
	}
	var sec secured
	if !mayEdit {
		if sec, err = r.secured(); err != nil {
			return query, err
		}
	}
	return records.Query[FormDefinition]{
		ListOptions: q.ListOptions, Op: "formDefinitions", DefaultTop: MaxTop, MaxTop: MaxTop, KeepTop: true,
		Index: byAccount, Equals: accountKey(r.target.AccountID),
		Match: func(d *FormDefinition) bool {
			visible := views && !sec.refused[d.ID] || sec.granted[d.ID]
			return d.usableIn(r.target) && visible && q.matches(d)
		},
		Filter: fmt.Sprintf("%q %q %q %q", r.target.TwinID, q.Type, strings.ToLower(q.Search), q.Status),
		View:   fmt.Sprintf("%t %t %q", mayEdit, views, r.j.caller.ID),
	}, nil
}

func (q *FormDefinitionQuery) matches(d *FormDefinition) bool {
	return (q.Status == AnyStatus || d.Status == q.Status) &&
		(q.Type == "" || d.Type == q.Type) &&
		strings.Contains(strings.ToLower(d.DisplayName), strings.ToLower(q.Search))
}

// designed returns a page with the links to the designers that can be used from
// a twin.
func (s *Service) designed(page twinplatform.Page[FormDefinition], twinID string) (twinplatform.Page[FormDefinition],
	error,
) {
	return page.Map(func(rec twinplatform.Record[FormDefinition]) (twinplatform.Record[FormDefinition], error) {
		return s.linked(rec, rec.Value.TwinID == twinID || rec.Value.ShareType == ReadWrite)
	})
}
