package forms

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// AuditAction is what was done with a form.
type AuditAction string

// The actions of the audit trail.
const (
	Opened        AuditAction = "Opened"   // the form was created
	StatusChanged AuditAction = "Status"   // the status was changed
	Assigned      AuditAction = "Assigned" // the assignees were changed
	Modified      AuditAction = "Modified" // anything else was changed
)

var auditActions = []AuditAction{Opened, StatusChanged, Assigned, Modified}

// AuditTrailEntry records one change to a form.
type AuditTrailEntry struct {
	// one action; a change of several kinds has several entries
	Action         AuditAction             `json:"action"`
	ChangeBy       string                  `json:"changeBy"`   // the name of who made the change
	ChangeByID     twinplatform.NullString `json:"changeById"` // null for the system
	ChangeDateTime twinplatform.DateTime   `json:"changeDateTime"`
	Changes        []Change                `json:"changes"` // by the names of the properties
	ID             string                  `json:"id"`      // chosen by the platform

	place string
}

// Change is what became of one property. Values other than texts are shown as JSON, and
// long ones are cut.
type Change struct {
	NewValue twinplatform.NullString `json:"newValue"` // as text, cut after MaxText characters; null for none
	OldValue twinplatform.NullString `json:"oldValue"` // as text, cut after MaxText characters; null for none
	Property string                  `json:"property"` // with a capital letter, such as Subject or Properties.width
}

var auditRecords = records.Collection[AuditTrailEntry]{
	Name: "audit", Untracked: true,
	ID:     func(e *AuditTrailEntry) string { return e.place },
	Hidden: func(e *AuditTrailEntry) any { return &e.place },
}

// newestFirst is a place in a list whose newest records come first: the later
// the revision, and within it the number, the earlier the place.
func newestFirst(revision uint64, i int) string {
	return fmt.Sprintf("%016x%04x", math.MaxUint64-revision, math.MaxUint16-i)
}

// audited is an entry that is still to be written.
type audited struct {
	action  AuditAction
	changes []Change
}

// audit writes entries of one transaction.
func (s *Service) audit(u *records.Update, inner records.Scope, by Person, at twinplatform.DateTime,
	entries []audited,
) error {
	if len(entries) == 0 {
		return nil
	}
	revision, err := inner.Revision(u)
	if err != nil {
		return err
	}
	for i := range entries {
		records.Declare(u, auditRecords.NeedsOfNew(inner, newestFirst(revision, i))...)
	}
	for i, e := range entries {
		_, err := auditRecords.Insert(u, inner, &AuditTrailEntry{
			ID: s.env.NewID(), Action: e.action, Changes: e.changes, ChangeBy: by.DisplayName,
			ChangeByID: twinplatform.NullString(by.ID), ChangeDateTime: at, place: newestFirst(revision, i),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AuditTrail lists what was done with a form, newest first (GET
// /forms/{id}/auditTrailEntries). Pages have at most 50 entries.
//
// Errors: FormDataNotFound; InvalidFormDataRequest with InvalidValue (top,
// continuation).
func (s *Service) AuditTrail(ctx context.Context, formID string,
	o twinplatform.ListOptions,
) (twinplatform.Page[AuditTrailEntry], error) {
	return listInner(ctx, s, formID, &auditRecords, o)
}

// listInner lists what belongs to a form.
func listInner[T any](
	ctx context.Context, s *Service, formID string, c *records.Collection[T], o twinplatform.ListOptions,
) (page twinplatform.Page[T], err error) {
	q := records.Query[T]{ListOptions: o, Op: c.Name, DefaultTop: MaxTop, MaxTop: MaxTop, KeepTop: true}
	ctx = s.reading(ctx, formID, nil,
		func(tx records.Reading, in records.Scope) []records.Need { return c.NeedsOfList(tx, in, q) })
	err = s.view(ctx, func(v *records.View, j *judge) error {
		a, err := j.visibleForm(formID)
		if err != nil {
			return err
		}
		page, err = c.List(v, a.inner(), q)
		return forward.Listed(err, InvalidRequest)
	})
	page.Delta = ""
	return page, err
}

// derived are the properties that follow from others and are not audited.
var derived = []string{"displayName", "state", "statusColor", "lastModifiedBy", "lastModifiedDateTime"}

// differences returns what was changed, by the kind of change.
func differences(before, after *Form) ([]audited, error) {
	old, err := facts(before)
	if err != nil {
		return nil, err
	}
	now, err := facts(after)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(old)
	maps.Copy(names, now)
	sorts := map[AuditAction][]Change{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if string(old[name]) == string(now[name]) {
			continue
		}
		action := Modified
		switch name {
		case "status":
			action = StatusChanged
		case "assignee", "assignees":
			action = Assigned
		}
		sorts[action] = append(sorts[action],
			Change{
				Property: strings.ToUpper(name[:1]) + name[1:], OldValue: shownValue(old[name]),
				NewValue: shownValue(now[name]),
			})
	}
	if was, is := before.State == StateClosed, after.State == StateClosed; was != is {
		sorts[StatusChanged] = append(sorts[StatusChanged],
			Change{Property: "Closed", OldValue: truth(was), NewValue: truth(is)})
	}
	var out []audited
	for _, action := range []AuditAction{Modified, Assigned, StatusChanged} {
		if len(sorts[action]) > 0 {
			out = append(out, audited{action, sorts[action]})
		}
	}
	return out, nil
}

func truth(b bool) twinplatform.NullString {
	if b {
		return "True"
	}
	return "False"
}

// facts are the properties of a form as JSON, those within Properties by a
// joint name.
func facts(f *Form) (map[string]json.RawMessage, error) {
	wire, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	var out, properties map[string]json.RawMessage
	if err := json.Unmarshal(wire, &out); err != nil {
		return nil, err
	}
	if p := out["properties"]; p != nil {
		if err := json.Unmarshal(p, &properties); err != nil {
			return nil, err
		}
	}
	for _, name := range append(derived, "properties") {
		delete(out, name)
	}
	for name, value := range properties {
		out["properties."+name] = value
	}
	return out, nil
}

// shownValue is a value as the audit trail shows it.
func shownValue(value json.RawMessage) twinplatform.NullString {
	const limit = 1_000
	text := string(value)
	var person struct{ DisplayName string }
	var people []struct{ DisplayName string }
	switch {
	case value == nil || text == "null":
		return ""
	case json.Unmarshal(value, &text) == nil:
	case json.Unmarshal(value, &person) == nil && person.DisplayName != "":
		text = person.DisplayName
	case json.Unmarshal(value, &people) == nil && len(people) > 0 && people[0].DisplayName != "":
		names := make([]string, len(people))
		for i, p := range people {
			names[i] = p.DisplayName
		}
		text = strings.Join(names, ", ")
	}
	if utf8.RuneCountInString(text) > limit {
		text = string([]rune(text)[:limit]) + "…"
	}
	return twinplatform.NullString(text)
}
