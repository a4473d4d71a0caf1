package forms

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// NewFormDefinition asks for a form definition.
type NewFormDefinition struct {
	// DisplayName is required.
	DisplayName string `json:"displayName"`
	Discipline  string `json:"discipline"` // up to MaxName characters
	// IDPrefix has at most 25 characters.
	IDPrefix  twinplatform.NullString `json:"idPrefix"`
	ShareType ShareType               `json:"shareType"` // empty for its own twin alone
	// Status is Draft when empty.
	Status FormDefinitionStatus `json:"status"`
	// TwinID is required: the GUID of an existing twin.
	TwinID string `json:"twinId"`
	// Type is required.
	Type string `json:"type"`
}

func (n *NewFormDefinition) check(c *refuse.Checks) {
	if n.TwinID == "" {
		c.Missing("twinId")
	} else if _, ok := parseGUID(n.TwinID); !ok {
		c.Bad("twinId", "The value of 'twinId' is not a GUID.")
	}
	c.Need("displayName", n.DisplayName, MaxName)
	c.Need("type", n.Type, MaxName)
	c.AtMost("discipline", n.Discipline, MaxName)
	checkPrefix(c, string(n.IDPrefix))
	refuse.OneOf(c, "status", n.Status, definitionStatuses)
	if n.ShareType != NotShared {
		refuse.OneOf(c, "shareType", n.ShareType, shareTypes)
	}
}

func checkPrefix(c *refuse.Checks, prefix string) {
	c.AtMost("idPrefix", prefix, MaxIDPrefix)
	if !refuse.Printable(prefix) {
		c.Bad("idPrefix", "A prefix has printable characters alone.")
	}
}

// CreateFormDefinition makes a form definition (POST /forms/formDefinitions). It
// needs PermissionDefine on the twin.
//
// Errors: InvalidFormDefRequest with MissingRequiredProperty (twinId,
// displayName, type) or InvalidValue (twinId, displayName, type, discipline,
// idPrefix, status, shareType); ProjectNotFound; InsufficientPermissions.
func (s *Service) CreateFormDefinition(ctx context.Context, n NewFormDefinition) (res twinplatform.Result[FormDefinition], err error) {
	if n.Status == "" {
		n.Status = Draft
	}
	var c refuse.Checks
	n.check(&c)
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return res, err
	}
	twinID, _ := parseGUID(n.TwinID)
	id := s.env.NewID()
	var rec twinplatform.Record[FormDefinition]
	err = s.update(ctx, func(u *records.Update, j *judge) error {
		r, err := j.visibleTwin(twinID, twinMissing)
		if err != nil {
			return err
		}
		if err := r.mustHold(PermissionDefine); err != nil {
			return err
		}
		rec, err = definitionRecords.Insert(u, definitionsScope, &FormDefinition{
			ID: id, DisplayName: n.DisplayName, Type: n.Type, Discipline: n.Discipline, Status: n.Status,
			ShareType: n.ShareType, IDPrefix: n.IDPrefix, ErrorStatus: NoError,
			TwinID: twinID, AccountID: r.target.AccountID,
		})
		return err
	})
	if err != nil {
		return res, err
	}
	rec, err = s.linked(rec, true)
	res.Records = []twinplatform.Record[FormDefinition]{rec}
	return res, err
}

// visibleTwin returns what the caller may do in a twin where it may view forms:
// all but those of secured definitions, or those of a definition that grants it
// something. To everybody else the twin does not exist.
func (j *judge) visibleTwin(twinID string, m *refuse.Absent) (*rights, error) {
	r, ok, err := j.in(twinID)
	if err != nil || !ok {
		return nil, orMissing(err, m)
	}
	if views, err := r.any(anyPermission...); err != nil || views {
		return r, err
	}
	if sec, err := r.secured(); err != nil || len(sec.granted) == 0 {
		return nil, orMissing(err, m)
	}
	return r, nil
}

// linked returns a definition with the link to its designer, where it can be
// edited.
func (s *Service) linked(rec twinplatform.Record[FormDefinition], mayEdit bool) (twinplatform.Record[FormDefinition], error) {
	if !mayEdit || !rec.Value.Status.LayoutEditable() {
		return rec, nil
	}
	rec.Value.Links = &DefinitionLinks{Design: Link{Href: s.cfg.Designer + rec.Value.ID}}
	var err error
	rec.JSON, err = wire.Marshal(rec.Value)
	return rec, err
}

// definition returns a definition that the caller may see: one whose forms it may
// view in the definition's own twin, a shared one of its own account, and every
// one that it may edit.
func (j *judge) definition(id string, m *refuse.Absent) (d *FormDefinition, mayEdit bool, err error) {
	if d, err = definitionRecords.Value(j.tx, definitionsScope, id); err != nil {
		return nil, false, m.Or(err)
	}
	r, ok, err := j.in(d.TwinID)
	if err != nil {
		return nil, false, err
	}
	if ok {
		if mayEdit, err = r.any(PermissionDefine); err != nil || mayEdit {
			return d, mayEdit, err
		}
		if ok, err = r.views(d); err != nil {
			return nil, false, err
		}
	}
	if !ok {
		ok = d.ShareType != NotShared && d.AccountID != "" && j.caller.AccountID == d.AccountID
	}
	if !ok {
		return nil, false, m.Err()
	}
	return d, false, nil
}

// editableDefinition returns a definition that the caller may edit.
func (j *judge) editableDefinition(id string, m *refuse.Absent) (*FormDefinition, error) {
	d, mayEdit, err := j.definition(id, m)
	if err == nil && !mayEdit {
		err = refuse.Forbidden
	}
	return d, err
}

// Definition returns a form definition (GET /forms/formDefinitions/{id}), with
// the link to its designer where the caller may edit it.
//
// Errors: FormDefinitionNotFound.
func (s *Service) FormDefinition(ctx context.Context, id string) (rec twinplatform.Record[FormDefinition], err error) {
	var mayEdit bool
	err = s.view(ctx, func(v *records.View, j *judge) (err error) {
		if _, mayEdit, err = j.definition(id, definitionMissing); err != nil {
			return err
		}
		rec, err = definitionRecords.Get(v, definitionsScope, id)
		return err
	})
	if err != nil {
		return rec, err
	}
	return s.linked(rec, mayEdit)
}

// DeleteFormDefinition removes a form definition of which there are no forms (DELETE
// /forms/formDefinitions/{id}). It needs PermissionDefine on its twin.
//
// Errors: FormDefinitionNotFound, InsufficientPermissions, FormDefinitionInUse.
func (s *Service) DeleteFormDefinition(ctx context.Context, id string) error {
	return s.update(ctx, func(u *records.Update, j *judge) error {
		if _, err := j.editableDefinition(id, definitionMissing); err != nil {
			return err
		}
		for range formPlaces.IDs(u, formsScope, byDefinition, id) {
			return errInUse
		}
		if err := layouts.Erase(u, definitionsScope, id); err != nil {
			return err
		}
		if err := unsecure(u, id); err != nil {
			return err
		}
		return definitionRecords.Erase(u, definitionsScope, id)
	})
}

// AnyStatus is the status of a FormDefinitionQuery that lists all of them.
const AnyStatus = "any"

// FormDefinitionQuery says which definitions to list.
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
	Status string
	// Representation adds the links to the designers.
	Representation bool
}

// Definitions lists the form definitions that can be used in a twin (GET
// /forms/formDefinitions). Those of which the caller may not view the forms are
// left out.
//
// Errors: InvalidFormDefRequest with MissingRequiredParameter (twinId) or
// InvalidValue (status, top, continuation); ProjectNotFound.
func (s *Service) FormDefinitions(ctx context.Context, q FormDefinitionQuery) (page twinplatform.Page[FormDefinition], err error) {
	var c refuse.Checks
	twinID, ok := parseGUID(q.TwinID)
	if !ok {
		c.Add(noTwin("twinId"))
	}
	if q.Status == "" {
		q.Status = string(Approved)
	}
	if q.Status != AnyStatus {
		refuse.OneOf(&c, "status", FormDefinitionStatus(q.Status), append(slices.Clip(definitionStatuses), AnyStatus))
	}
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return page, err
	}
	mayEdit := false
	err = s.view(ctx, func(v *records.View, j *judge) error {
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
		page, err = definitionRecords.List(v, definitionsScope, query)
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
	return (q.Status == AnyStatus || string(d.Status) == q.Status) &&
		(q.Type == "" || d.Type == q.Type) &&
		strings.Contains(strings.ToLower(d.DisplayName), strings.ToLower(q.Search))
}

// designed returns a page with the links to the designers that can be used from
// a twin.
func (s *Service) designed(page twinplatform.Page[FormDefinition], twinID string) (twinplatform.Page[FormDefinition], error) {
	return page.Map(func(rec twinplatform.Record[FormDefinition]) (twinplatform.Record[FormDefinition], error) {
		return s.linked(rec, rec.Value.TwinID == twinID || rec.Value.ShareType == ReadWrite)
	})
}
