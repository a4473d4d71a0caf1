package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
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

// callerID is the id of the caller; the system has none.
func callerID(ctx context.Context) string {
	p, _ := twinplatform.PrincipalFrom(ctx)
	return p.ID
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
func (s *Service) emitTwin(ctx context.Context, u *records.Update, eventType string, t *Twin) error {
	content := twinContent{
		EventCreatedBy: callerID(ctx), ParentID: string(t.ParentID), AccountOwnerID: string(t.CreatedBy),
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

func (s *Service) emitMember(ctx context.Context, u *records.Update, eventType string, at twinplatform.Target, m *Member, r *Role) error {
	content := memberContent{MemberID: m.ID, EventCreatedBy: callerID(ctx), MemberType: m.MemberType}
	if r != nil {
		content.RoleID, content.RoleName = r.ID, r.DisplayName
	}
	return s.emit(u, eventType, at, content)
}

// emitAdded tells of a new member and of its roles: of the first with the member
// itself, so that every role is told exactly once.
func (s *Service) emitAdded(ctx context.Context, u *records.Update, at twinplatform.Target, m *Member, roles []*Role) error {
	eventType := memberAdded
	for _, r := range roles {
		if err := s.emitMember(ctx, u, eventType, at, m, r); err != nil {
			return err
		}
		eventType = roleAssigned
	}
	return nil
}
