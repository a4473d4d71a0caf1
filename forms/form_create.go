package forms

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// NewForm asks for a form.
type NewForm struct {
	// FormID is the id of the definition. Required.
	FormID string `json:"formId"`
	// TwinID is where the form is to be, for a shared definition. Empty means
	// the definition's own twin.
	TwinID string `json:"twinId"`
	// FormFields are the rest. Without any assignee the form is assigned to
	// the caller, if its id is a GUID.
	FormFields

	// Number is one that only the system may choose, such as that of a form that comes
	// from elsewhere: the prefix of the definition, a dash and a number of one to
	// eighteen digits. The platform continues after the highest.
	Number string `json:"-"`
	// Restored is what the system knows of a form that comes from elsewhere.
	Restored *RestoredForm `json:"-"`
}

// RestoredForm reports who made and changed a form that comes from elsewhere. What is left
// out is as the call would have it.
type RestoredForm struct {
	CreatedBy      Person // left out without a name
	LastModifiedBy Person // that who made it without a name
	// LastModifiedDateTime is the time of the call when left out, and not known when null.
	LastModifiedDateTime twinplatform.Optional[twinplatform.DateTime]
}

// stamp notes on a form what is known of it.
func (r *RestoredForm) stamp(f *Form) {
	if r == nil {
		return
	}
	if by := r.CreatedBy; by.DisplayName != "" {
		f.CreatedBy, f.CreatedByID = by.DisplayName, by.ID
		f.LastModifiedBy, f.LastModifiedByID = by.DisplayName, by.ID
	}
	if by := r.LastModifiedBy; by.DisplayName != "" {
		f.LastModifiedBy, f.LastModifiedByID = by.DisplayName, by.ID
	}
	r.LastModifiedDateTime.Apply(&f.LastModifiedDateTime)
}

// checkSystem refuses what only the system may say.
func (r *RestoredForm) checkSystem(ctx context.Context, c *problem.Checks) {
	if _, called := twinplatform.PrincipalFrom(ctx); called && r != nil {
		c.Bad("createdBy", "Who made a form is noted by the platform.")
	}
}

// CreateForm makes a form from an approved definition (POST /forms/). It needs
// PermissionCreate.
//
// Errors: InvalidFormDataRequest with MissingRequiredProperty (formId, and the
// missing parts of objects) or InvalidValue (formId for a definition that cannot
// be filled out, twinId, and every other property); FormDefinitionNotFound;
// InsufficientPermissions.
func (s *Service) CreateForm(ctx context.Context, n NewForm) (res twinplatform.Result[Form], err error) {
	var c problem.Checks
	n.check(&c)
	if _, called := twinplatform.PrincipalFrom(ctx); called && n.Number != "" {
		c.Bad("number", "The number of a form is chosen by the platform.")
	}
	n.Restored.checkSystem(ctx, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	n.TwinID, _ = parseGUID(n.TwinID)
	caller := callerOf(ctx)
	if _, ok := parseGUID(caller.ID); ok && !n.Assignee.Present() && !n.Assignees.Present() {
		n.Assignee = twinplatform.Set(caller)
	}
	m := maker{s: s, caller: caller, id: s.env.NewID(), now: s.now()}
	return write(ctx, s, func(u *records.Update, j *judge) (rec twinplatform.Record[Form], err error) {
		d, twinID, err := j.creatable(n.FormID, n.TwinID)
		if err != nil {
			return rec, err
		}
		return m.make(u, d, twinID, &n)
	})
}

func (n *NewForm) check(c *problem.Checks) {
	c.Need("formId", n.FormID, MaxText)
	c.GUID("twinId", n.TwinID)
	n.FormFields.check(c)
}

// creatable returns the definition of which the caller may create a form in a
// twin, or where none is named in the definition's own, and that twin.
func (j *judge) creatable(definitionID, in string) (d *FormDefinition, twinID string, err error) {
	if in != "" {
		j.Expect(twinplatform.Target{TwinID: in, AccountID: j.caller.AccountID})
	}
	if d, err = j.definition(definitionID); err != nil {
		return nil, "", formIDMissing.Or(err)
	}
	if twinID = in; twinID == "" {
		twinID = d.TwinID
	}
	r, ok, err := j.inOf(d.AccountID, twinID)
	if ok = ok && err == nil && d.usableIn(r.target); ok {
		ok, err = r.views(d)
	}
	if err := formIDMissing.Unless(ok, err); err != nil {
		return nil, "", err
	}
	return d, twinID, problem.Needs(PermissionCreate).Unless(r.over(d, PermissionCreate))
}

// maker makes a form within a transaction.
type maker struct {
	s      *Service
	caller Person
	id     string
	now    twinplatform.DateTime
}

func (m *maker) make(u *records.Update, d *FormDefinition, twinID string, n *NewForm) (rec twinplatform.Record[Form],
	err error,
) {
	if !d.Status.CanFillOut() {
		return rec, problem.With(InvalidRequest,
			problem.BadValue("formId", "The form definition is %s; forms are filled out while it is Approved.",
				d.Status))
	}
	place := formPlace{ID: m.id, DefinitionID: d.ID, TwinID: twinID}
	w := m.s.workflow(d.Type)
	f := Form{
		ID: m.id, FormID: d.ID, TwinID: twinID, Type: d.Type, Discipline: d.Discipline, Status: w.Initial,
		CreatedBy: m.caller.DisplayName, CreatedByID: m.caller.ID, CreatedDateTime: m.now,
		LastModifiedBy: m.caller.DisplayName, LastModifiedByID: m.caller.ID, LastModifiedDateTime: m.now,
	}
	n.Restored.stamp(&f)
	formPlaces.MadeUp(u, allTwins, m.id)
	summaryRecords.MadeUp(u, place.scope(), m.id)
	formRecords.MadeUp(u, place.scope(), m.id)
	place.inner().MadeUp(u)
	if records.Remote(u) {
		records.Declare(u, m.needsOfNew(&place, d.prefix())...)
	}
	if f.Number, err = number(u, place.scope(), d.prefix(), n.Number); err != nil {
		return rec, err
	}
	if err := n.apply(&f, w); err != nil {
		return rec, err
	}
	if _, err := formPlaces.Insert(u, allTwins, &place); err != nil {
		return rec, err
	}
	if _, err := summaryRecords.Insert(u, place.scope(), f.summary()); err != nil {
		return rec, err
	}
	if rec, err = formRecords.Insert(u, place.scope(), &f); err != nil {
		return rec, err
	}
	return rec, m.s.audit(u, place.inner(), m.caller, m.now, []audited{
		{Opened, []Change{{NewValue: truth(f.State == StateClosed), Property: "Closed"}}},
	})
}

// counter is the last number that was given to a form with a prefix.
type counter struct {
	Last   uint64 `json:"last"`
	Prefix string `json:"prefix"`
}

// Prefixes that differ in case alone share a counter.
var counters = records.Collection[counter]{
	Name: "counters", Untracked: true,
	ID: func(c *counter) string { return strings.ToLower(c.Prefix) },
}

// number is that which was chosen, or else the next one.
func number(u *records.Update, s records.Scope, prefix, chosen string) (string, error) {
	if chosen == "" {
		return nextNumber(u, s, prefix)
	}
	at := strings.LastIndexByte(chosen, '-')
	n, err := strconv.ParseUint(chosen[at+1:], 10, 60)
	if at < 0 || err != nil {
		return "", problem.With(InvalidRequest,
			problem.BadValue("number", "The value '%s' is no number of a form.", chosen))
	}
	return chosen, countTo(u, s, chosen[:at], n)
}

// countTo makes the numbers of a prefix continue after one that was chosen.
func countTo(u *records.Update, s records.Scope, prefix string, n uint64) error {
	upTo := counter{Prefix: prefix, Last: n}
	c, err := counters.Value(u, s, counters.ID(&upTo))
	if err != nil && !errors.Is(err, records.ErrNotFound) || err == nil && c.Last >= n {
		return err
	}
	_, err = counters.Put(u, s, &upTo)
	return err
}

// nextNumber takes the next number of a prefix in a twin. It is never taken
// again, not even after the form is deleted.
func nextNumber(u *records.Update, s records.Scope, prefix string) (string, error) {
	next := counter{Prefix: prefix, Last: 1}
	switch c, err := counters.Value(u, s, counters.ID(&next)); {
	case err == nil:
		next.Last = c.Last + 1
	case !errors.Is(err, records.ErrNotFound):
		return "", err
	}
	_, err := counters.Put(u, s, &next)
	return fmt.Sprintf("%s-%05d", prefix, next.Last), err
}
