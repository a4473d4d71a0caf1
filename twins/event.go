package twins

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// eventContent is the content of the events about a twin. Their owner is the first one of
// the twin.
func (t *Twin) eventContent(j *judge.Judge) event.TwinCreated {
	return event.TwinCreated{
		EventCreatedBy: callerID(j), ParentID: string(t.ParentID),
		AccountOwnerID: string(t.CreatedBy), AccountOwnerType: cmp.Or(t.CreatedByType, twinplatform.User),
		TwinClass: string(t.Class), TwinSubClass: string(t.SubClass),
	}
}

// eventContent is the content of the events about a role of a member.
func (m *Member) eventContent(j *judge.Judge, r *Role) event.MemberAdded {
	return event.MemberAdded{
		MemberID: m.ID, EventCreatedBy: callerID(j), MemberType: m.MemberType, RoleID: r.ID, RoleName: r.DisplayName,
	}
}

// emitAdded emits the events of a new member and of its roles: the first role with the
// member itself, so that every role is in exactly one event.
func emitAdded(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	if err := j.Emit(u, at, m.eventContent(j, roles[0])); err != nil {
		return err
	}
	return emitAssigned(u, j, at, m, roles[1:])
}

// emitAssigned emits events of roles that a member is given.
func emitAssigned(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	for _, r := range roles {
		if err := j.Emit(u, at, event.RoleAssigned(m.eventContent(j, r))); err != nil {
			return err
		}
	}
	return nil
}

// emitUnassigned emits events of roles that are taken from a member.
func emitUnassigned(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	for _, r := range roles {
		if err := j.Emit(u, at, event.RoleUnassigned(m.eventContent(j, r))); err != nil {
			return err
		}
	}
	return nil
}
