package twins

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// The event types of the area.
const (
	twinCreated       = "twins.twinCreated.v1"
	twinUpdated       = "twins.twinUpdated.v1"
	twinDeleted       = "twins.twinDeleted.v1"
	memberAdded       = "accessControl.memberAdded.v1"
	memberRemoved     = "accessControl.memberRemoved.v1"
	roleAssigned      = "accessControl.roleAssigned.v1"
	roleUnassigned    = "accessControl.roleUnassigned.v1"
	invitationCreated = "accessControl.invitationCreated.v1"
)

// emit records an event of a twin.
func (s *Service) emit(u *records.Update, eventType string, at twinplatform.Target, content any) error {
	b, err := wire.Marshal(content)
	if err != nil {
		return err
	}
	return u.Emit(twinplatform.Event{
		ID: s.env.NewGUID(), Type: eventType, TwinID: at.TwinID, AccountID: at.AccountID, Time: s.env.Now().UTC(), Content: b,
	})
}

// twinContent is the content of the events about twins.
type twinContent struct {
	EventCreatedBy   string                     `json:"eventCreatedBy"`
	ParentID         string                     `json:"parentId"`
	AccountOwnerID   string                     `json:"accountOwnerId"`
	AccountOwnerType twinplatform.PrincipalKind `json:"accountOwnerType"`
	TwinClass        Class                      `json:"twinClass"`
	TwinSubClass     SubClass                   `json:"twinSubClass"`
}

// emitTwin records an event about a twin. The owner that it names is the one
// that the twin began with.
func (s *Service) emitTwin(u *records.Update, j *judge.Judge, eventType string, t *Twin) error {
	content := twinContent{
		EventCreatedBy: callerID(j), ParentID: string(t.ParentID), AccountOwnerID: string(t.CreatedBy),
		AccountOwnerType: t.CreatedByType, TwinClass: t.Class, TwinSubClass: t.SubClass,
	}
	if content.AccountOwnerType == "" {
		content.AccountOwnerType = twinplatform.User
	}
	return s.emit(u, eventType, t.target(), content)
}

// memberContent is the content of the events about members. A removal names no
// role.
type memberContent struct {
	MemberID       string                     `json:"memberId"`
	EventCreatedBy string                     `json:"eventCreatedBy"`
	MemberType     twinplatform.PrincipalKind `json:"memberType"`
	RoleID         string                     `json:"roleId,omitempty"`
	RoleName       string                     `json:"roleName,omitempty"`
}

func (s *Service) emitMember(u *records.Update, j *judge.Judge, eventType string, at twinplatform.Target, m *Member, r *Role) error {
	content := memberContent{MemberID: m.ID, EventCreatedBy: callerID(j), MemberType: m.MemberType}
	if r != nil {
		content.RoleID, content.RoleName = r.ID, r.DisplayName
	}
	return s.emit(u, eventType, at, content)
}

// emitMembers records an event about a member for each of several roles.
func (s *Service) emitMembers(u *records.Update, j *judge.Judge, eventType string, at twinplatform.Target, m *Member, roles []*Role) error {
	for _, r := range roles {
		if err := s.emitMember(u, j, eventType, at, m, r); err != nil {
			return err
		}
	}
	return nil
}

// emitAdded emits the events of a new member and its roles: of the first with the member
// itself, so that every role is told exactly once.
func (s *Service) emitAdded(u *records.Update, j *judge.Judge, at twinplatform.Target, m *Member, roles []*Role) error {
	if err := s.emitMembers(u, j, memberAdded, at, m, roles[:1]); err != nil {
		return err
	}
	return s.emitMembers(u, j, roleAssigned, at, m, roles[1:])
}
