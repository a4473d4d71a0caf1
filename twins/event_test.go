package twins_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestChangesEmitTheirEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	parent := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Parent", AccountID: acme})
	w.events(t)
	var twin twins.Twin
	var role, second twins.Role
	var owner, invitation string
	must := recordstest.Must(t)
	steps := []struct {
		name string
		do   func()
		want func() []string
	}{
		{"create", func() {
			twin = w.twin(t, admin(t), twins.NewTwin{Class: twins.Thing, DisplayName: "A", ParentID: parent.ID})
			rec, err := w.Member(t.Context(), twin.ID, "admin")
			must(err)
			owner = rec.Value.RoleIDs[0]
		}, func() []string {
			return []string{
				`twins.twinCreated.v1 {"eventCreatedBy":"admin","parentId":"` + parent.ID + `","accountOwnerId":"admin","accountOwnerType":"User","twinClass":"Thing","twinSubClass":"Asset"}`,
				`accessControl.memberAdded.v1 {"memberId":"admin","eventCreatedBy":"admin","memberType":"User","roleId":"` + owner + `","roleName":"Owner"}`,
			}
		}},
		{"update", func() {
			_, err := w.UpdateTwin(admin(t), twin.ID, twins.TwinPatch{SubClass: twinplatform.Set(twins.Portfolio)})
			must(err)
		}, func() []string {
			return []string{`twins.twinUpdated.v1 {"eventCreatedBy":"admin","parentId":"` + parent.ID + `","accountOwnerId":"admin","accountOwnerType":"User","twinClass":"Thing","twinSubClass":"Portfolio"}`}
		}},
		{"make roles", func() {
			for _, r := range []*twins.Role{&role, &second} {
				res, err := w.CreateRole(admin(t), twin.ID, twins.NewRole{DisplayName: map[bool]string{true: "First", false: "Second"}[r == &role]})
				must(err)
				*r = res.Value()
			}
			if second.ID < role.ID {
				role, second = second, role // as roles are in order in events
			}
		}, func() []string { return nil }},
		{"add a member with two roles", func() {
			_, err := w.CreateMember(admin(t), twin.ID, twins.NewMember{ID: "m", MemberType: twinplatform.Service, RoleIDs: []string{role.ID, second.ID}})
			must(err)
		}, func() []string {
			return []string{
				`accessControl.memberAdded.v1 {"memberId":"m","eventCreatedBy":"admin","memberType":"Service","roleId":"` + role.ID + `","roleName":"` + role.DisplayName + `"}`,
				`accessControl.roleAssigned.v1 {"memberId":"m","eventCreatedBy":"admin","memberType":"Service","roleId":"` + second.ID + `","roleName":"` + second.DisplayName + `"}`,
			}
		}},
		{"exchange a role", func() {
			_, err := w.UpdateMember(admin(t), twin.ID, "m", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{role.ID, owner})})
			must(err)
		}, func() []string {
			return []string{
				`accessControl.roleAssigned.v1 {"memberId":"m","eventCreatedBy":"admin","memberType":"Service","roleId":"` + owner + `","roleName":"Owner"}`,
				`accessControl.roleUnassigned.v1 {"memberId":"m","eventCreatedBy":"admin","memberType":"Service","roleId":"` + second.ID + `","roleName":"` + second.DisplayName + `"}`,
			}
		}},
		{"remove the member", func() { must(w.DeleteMember(admin(t), twin.ID, "m")) }, func() []string {
			return []string{`accessControl.memberRemoved.v1 {"memberId":"m","eventCreatedBy":"admin","memberType":"Service"}`}
		}},
		{"invite", func() {
			res, err := w.CreateInvitation(admin(t), twin.ID, twins.NewInvitation{Email: "a@b", RoleIDs: []string{role.ID}})
			must(err)
			invitation = res.Value().ID
		}, func() []string {
			return []string{`accessControl.invitationCreated.v1 {"invitationId":"` + invitation + `"}`}
		}},
		{"accept", func() {
			_, err := w.AcceptInvitation(t.Context(), twin.ID, invitation, twins.NewMember{ID: "n"})
			must(err)
		}, func() []string {
			return []string{`accessControl.memberAdded.v1 {"memberId":"n","eventCreatedBy":"","memberType":"User","roleId":"` + role.ID + `","roleName":"` + role.DisplayName + `"}`}
		}},
		{"delete", func() { must(w.DeleteTwin(admin(t), twin.ID)) }, func() []string {
			return []string{`twins.twinDeleted.v1 {"eventCreatedBy":"admin","parentId":"` + parent.ID + `","accountOwnerId":"admin","accountOwnerType":"User","twinClass":"Thing","twinSubClass":"Portfolio"}`}
		}},
	}
	for _, step := range steps {
		step.do()
		var got []string
		for _, e := range w.events(t) {
			got = append(got, e.Type+" "+string(e.Content))
			if e.TwinID != twin.ID || e.AccountID != acme || !e.Time.Equal(w.now) || e.ID == "" {
				t.Errorf("%s: event %+v", step.name, e)
			}
		}
		if diff := cmp.Diff(step.want(), got); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", step.name, diff)
		}
	}
}

func TestRefusedChangesEmitNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A", Number: "1"})
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "B", Number: "2", ParentID: twin.ID})
	w.events(t)
	if _, err := w.CreateTwin(admin(t), twins.NewTwin{Class: twins.Thing, DisplayName: "C", Number: "1"}); err == nil {
		t.Error("a second twin of the same number was made")
	}
	if _, err := w.UpdateTwin(admin(t), twin.ID, twins.TwinPatch{Number: twinplatform.Set("2")}); err == nil {
		t.Error("a twin took the number of another")
	}
	if err := w.DeleteTwin(admin(t), twin.ID); err == nil {
		t.Error("a twin with children was deleted")
	}
	if got := w.events(t); len(got) != 0 {
		t.Errorf("events %+v", got)
	}
}
