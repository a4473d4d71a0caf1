package twins

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// told is what the events about a twin tell. The owner that they name is the one that
// the twin began with.
func (t *Twin) told(j *judge.Judge) event.TwinCreated {
	return event.TwinCreated{
		EventCreatedBy: callerID(j), ParentID: string(t.ParentID),
		AccountOwnerID: string(t.CreatedBy), AccountOwnerType: cmp.Or(t.CreatedByType, twinplatform.User),
		TwinClass: string(t.Class), TwinSubClass: string(t.SubClass),
	}
}

// told is what the events about a role of a member tell.
func (m *Member) told(j *judge.Judge, r *Role) event.MemberAdded {
	return event.MemberAdded{
		MemberID: m.ID, EventCreatedBy: callerID(j), MemberType: m.MemberType, RoleID: r.ID, RoleName: r.DisplayName,
	}
}

// emitAdded tells of a new member and of its roles: of the first with the member
// itself, so that every role is told exactly once.
func emitAdded(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	if err := j.Emit(u, at, m.told(j, roles[0])); err != nil {
		return err
	}
	return emitAssigned(u, j, at, m, roles[1:])
}

// emitAssigned tells of roles that a member is given.
func emitAssigned(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	for _, r := range roles {
		if err := j.Emit(u, at, event.RoleAssigned(m.told(j, r))); err != nil {
			return err
		}
	}
	return nil
}

// emitUnassigned tells of roles that are taken from a member.
func emitUnassigned(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	for _, r := range roles {
		if err := j.Emit(u, at, event.RoleUnassigned(m.told(j, r))); err != nil {
			return err
		}
	}
	return nil
}
