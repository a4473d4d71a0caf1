package twins_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestChangeOfARoleShownByManyIsWholeAfterARestart(t *testing.T) {
	t.Parallel()
	inner := newWorld(t, twins.Config{})
	store := storetest.Alone(inner.store)
	var asked atomic.Int64 // the clock continues whenever it is asked: a step is short
	env := twinplatform.Env{Now: func() time.Time { return inner.now.Add(time.Duration(asked.Add(1)) * time.Millisecond) }}
	w := &world{Service: twins.New(store, twins.Config{Env: env}), store: store}
	a := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, a.ID, "member-0", twins.PermissionRead)
	w.grant(t, a.ID, "beside", twins.PermissionRead)
	for i := range 60 {
		if _, err := w.CreateMember(admin(t), a.ID, twins.NewMember{ID: fmt.Sprint("member-", i+1), RoleIDs: []string{role.ID}}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.CreateInvitation(admin(t), a.ID, twins.NewInvitation{Email: fmt.Sprintf("m%d@example.com", i), RoleIDs: []string{role.ID}}); err != nil {
			t.Fatal(err)
		}
	}
	before := versions(t, w, a.ID)
	store.FailAfter(1, errors.New("the disk is gone"))
	if _, err := w.UpdateRole(admin(t), a.ID, role.ID, twins.RolePatch{DisplayName: twinplatform.Set("Viewer")}); err != nil {
		t.Fatal("a change that is made was refused: ", err)
	}
	store.Rest()
	w.Service = twins.New(store, twins.Config{Env: env})
	if r, err := w.Role(admin(t), a.ID, role.ID); err != nil || r.Value.DisplayName != "Viewer" {
		t.Errorf("%+v, %v", r.Value, err)
	}
	// Whatever is started next continues with it.
	if _, err := w.CreateExport(admin(t), twins.ExportRequest{OutputFormat: twins.CSV}); err != nil {
		t.Fatal(err)
	}
	for id, version := range versions(t, w, a.ID) {
		if shows := id != "admin" && id != "beside"; shows == (version == before[id]) {
			t.Errorf("%s: the version was %s and is %s", id, before[id], version)
		}
	}
}

// versions are the ETags of all members and invitations of a twin.
func versions(t *testing.T, w *world, twinID string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	members, err := w.Members(admin(t), twinID, twins.MemberQuery{ListOptions: twinplatform.ListOptions{Top: 1_000}})
	if err != nil {
		t.Fatal(err)
	}
	for m := range members.OnPage() {
		rec, err := w.Member(admin(t), twinID, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		all[m.ID] = rec.ETag
	}
	invitations, err := w.Invitations(admin(t), twinID, twins.InvitationQuery{ListOptions: twinplatform.ListOptions{Top: 1_000}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range invitations.OnPage() {
		rec, err := w.Invitation(admin(t), twinID, i.ID)
		if err != nil {
			t.Fatal(err)
		}
		all[i.ID] = rec.ETag
	}
	return all
}
