package twins_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// group makes a group of principals by their ids.
func (w *world) group(t testing.TB, twinID, name string, ids ...string) twins.Group {
	t.Helper()
	res, err := w.CreateGroup(t.Context(), twinID, twins.NewGroup{Name: name, Members: ids})
	if err != nil {
		t.Fatalf("CreateGroup(%s): %v", name, err)
	}
	return res.Value()
}

// role makes a role of permissions.
func (w *world) role(t testing.TB, twinID, name string, permissions ...string) string {
	t.Helper()
	res, err := w.CreateRole(t.Context(), twinID, twins.NewRole{DisplayName: name, Permissions: permissions})
	if err != nil {
		t.Fatalf("CreateRole(%s): %v", name, err)
	}
	return res.Value().ID
}

// give gives a group roles at a twin.
func (w *world) give(t testing.TB, twinID, groupID string, roleIDs ...string) {
	t.Helper()
	if _, err := w.AddGroupMembers(t.Context(), twinID, of(groupID, roleIDs...)); err != nil {
		t.Fatalf("AddGroupMembers: %v", err)
	}
}

func of(groupID string, roleIDs ...string) []twins.NewGroupMember {
	return []twins.NewGroupMember{{GroupID: groupID, RoleIDs: roleIDs}}
}

func people(ids ...string) twins.GroupPatch {
	return twins.GroupPatch{Members: twinplatform.Set(twins.People(ids))}
}

func TestPeopleHoldWhatTheirGroupsHoldAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	top := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Top"})
	below := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Below", ParentID: top.ID})
	sibling := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Beside"})
	g := w.group(t, top.ID, "Crew", "ann", "bob")
	ann := user("ann", acme)
	w.wantAllowed(t, false, ann, twins.PermissionRead, top.ID) // a group without a role gives nothing
	if page, err := w.Twins(as(t, ann), twins.TwinQuery{}); page.Len() != 0 || err != nil {
		t.Errorf("who is in a group without roles lists %d twins, %v", page.Len(), err)
	}
	w.give(t, top.ID, g.ID, w.role(t, top.ID, "Planner", "schedules_read"))
	for _, at := range []string{top.ID, below.ID} {
		w.wantAllowed(t, true, ann, "schedules_read", at)
		w.wantAllowed(t, false, ann, "schedules_modify", at)
		w.wantAllowed(t, false, user("ann", other), twins.PermissionRead, at) // the same id in another account
		w.wantAllowed(t, false, user("eve", acme), twins.PermissionRead, at)
	}
	w.wantAllowed(t, false, ann, twins.PermissionRead, sibling.ID)
	page, err := w.Twins(as(t, ann), twins.TwinQuery{Scope: twins.MemberOfTwin})
	if diff := cmp.Diff([]string{"Below", "Top"}, sorted(names(t, page, err))); diff != "" {
		t.Errorf("twins of who is in the group (-want +got):\n%s", diff)
	}
	held, err := w.PermissionsAt(as(t, ann), below.ID)
	if diff := cmp.Diff([]string{"schedules_read", "twins_read"}, held); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestGroupOfAnAccountHasRolesAtEachOfItsTwins(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	a, b := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}), w.twin(t, admin(t), twins.NewTwin{DisplayName: "B"})
	far := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Far", AccountID: other})
	crew, local := w.group(t, acme, "Crew", "ann"), w.group(t, a.ID, "Local", "ann")
	w.give(t, a.ID, crew.ID, w.role(t, a.ID, "R", "schedules_read"))
	w.give(t, b.ID, crew.ID, w.role(t, b.ID, "R", "models_read"))
	w.wantAllowed(t, true, user("ann", acme), "schedules_read", a.ID)
	w.wantAllowed(t, true, user("ann", acme), "models_read", b.ID)
	w.wantAllowed(t, false, user("ann", acme), "models_read", a.ID)
	_, err := w.AddGroupMembers(admin(t), b.ID, of(local.ID, w.role(t, b.ID, "L", "twins_read")))
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue groupId")
	_, err = w.AddGroupMembers(t.Context(), far.ID, of(crew.ID, w.role(t, far.ID, "L", "twins_read")))
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue groupId")
	page, err := w.Twins(as(t, user("ann", acme)), twins.TwinQuery{})
	if diff := cmp.Diff([]string{"A", "B"}, sorted(names(t, page, err))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What ends a right by a group ends it in the very next call, in lists too.
func TestWhatIsTakenFromAGroupIsTakenFromItsPeopleAtOnce(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(ctx context.Context, w *world, twinID, groupID, roleID string) error{
		"put out": func(ctx context.Context, w *world, twinID, groupID, _ string) error {
			_, err := w.UpdateGroup(ctx, twinID, groupID, people("bob"))
			return err
		},
		"all put out": func(ctx context.Context, w *world, twinID, groupID, _ string) error {
			_, err := w.UpdateGroup(ctx, twinID, groupID, twins.GroupPatch{Members: twinplatform.Null[twins.People]()})
			return err
		},
		"group deleted": func(ctx context.Context, w *world, twinID, groupID, _ string) error {
			return w.DeleteGroup(ctx, twinID, groupID)
		},
		"roles taken from the group": func(ctx context.Context, w *world, twinID, groupID, _ string) error {
			return w.DeleteGroupMember(ctx, twinID, groupID)
		},
		"another role": func(ctx context.Context, w *world, twinID, groupID, _ string) error {
			_, err := w.UpdateGroupMember(ctx, twinID, groupID, twins.GroupMemberPatch{RoleIDs: twinplatform.Set([]string{w.role(t, twinID, "Empty")})})
			return err
		},
		"role emptied": func(ctx context.Context, w *world, twinID, _, roleID string) error {
			_, err := w.UpdateRole(ctx, twinID, roleID, twins.RolePatch{Permissions: twinplatform.Set([]string{})})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
			g := w.group(t, twin, "Crew", "ann", "bob")
			role := w.role(t, twin, "R", "schedules_read")
			w.give(t, twin, g.ID, role)
			ann := user("ann", acme)
			for range 2 { // the second time from what is kept
				w.wantAllowed(t, true, ann, "schedules_read", twin)
				if page, err := w.Twins(as(t, ann), twins.TwinQuery{}); page.Len() != 1 || err != nil {
					t.Fatalf("%d twins, %v", page.Len(), err)
				}
			}
			if err := end(admin(t), w, twin, g.ID, role); err != nil {
				t.Fatal(err)
			}
			w.wantAllowed(t, false, ann, "schedules_read", twin)
			w.wantAllowed(t, false, ann, twins.PermissionRead, twin)
			if page, err := w.Twins(as(t, ann), twins.TwinQuery{}); page.Len() != 0 || err != nil {
				t.Errorf("%d twins are still listed, %v", page.Len(), err)
			}
			_, err := w.Twin(as(t, ann), twin)
			wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
		})
	}
}

func TestCallersGrantByAGroupOnlyWhatTheyHold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	a := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	b := w.twin(t, admin(t), twins.NewTwin{DisplayName: "B"}).ID
	w.grant(t, a, "mia", twins.PermissionManageMembers, "schedules_read")
	w.grant(t, acme, "max", twins.PermissionManageMembers)
	mia, top := as(t, user("mia", acme)), as(t, user("max", acme))
	strong, weak := w.group(t, a, "Strong", "ann"), w.group(t, a, "Weak", "ann")
	modify, read := w.role(t, a, "M", "schedules_modify"), w.role(t, a, "R", "schedules_read")
	w.give(t, a, strong.ID, modify)
	w.give(t, a, weak.ID, read)
	wide := w.group(t, acme, "Wide", "ann")
	w.give(t, b, wide.ID, w.role(t, b, "M", "models_write"))
	free := w.group(t, a, "Free", "mia")
	refused := map[string]error{
		"coming into a stronger group":       errOf(w.UpdateGroup(mia, a, strong.ID, people("ann", "mia"))),
		"putting others out of it":           errOf(w.UpdateGroup(mia, a, strong.ID, people())),
		"deleting it":                        w.DeleteGroup(mia, a, strong.ID),
		"giving the own group a role":        errOf(w.AddGroupMembers(mia, a, of(free.ID, modify))),
		"giving it the owner role":           errOf(w.AddGroupMembers(mia, a, of(free.ID, w.ownerRole(t, a)))),
		"giving a group more":                errOf(w.UpdateGroupMember(mia, a, weak.ID, twins.GroupMemberPatch{RoleIDs: twinplatform.Set([]string{modify, read})})),
		"taking from a group":                w.DeleteGroupMember(mia, a, strong.ID),
		"coming in where it is strong below": errOf(w.UpdateGroup(top, acme, wide.ID, people("max"))),
		"deleting what is strong below":      w.DeleteGroup(top, acme, wide.ID),
	}
	for name, err := range refused {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !errors.Is(err, twinplatform.Forbidden) {
				t.Errorf("error %v, want a refusal", err)
			}
		})
	}
	if _, err := w.UpdateGroup(mia, a, strong.ID, twins.GroupPatch{Name: twinplatform.Set("Renamed")}); err != nil {
		t.Errorf("a name is no right: %v", err)
	}
	if _, err := w.UpdateGroup(mia, a, weak.ID, people("ann", "bob")); err != nil {
		t.Errorf("who holds it may give it: %v", err)
	}
	_, err := w.CreateGroup(as(t, user("ann", acme)), a, twins.NewGroup{Name: "Mine"})
	wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :")
	_, err = w.Groups(as(t, user("eve", acme)), a, twins.GroupQuery{})
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
}

func errOf[T any](_ T, err error) error { return err }

// Who is an owner by a group keeps to what owners are held to.
func TestLastOwnerByAGroupStays(t *testing.T) {
	t.Parallel()
	calls := map[string]func(ctx context.Context, w *world, twinID, groupID string) error{
		"leaving the group": func(ctx context.Context, w *world, twinID, groupID string) error {
			return errOf(w.UpdateGroup(ctx, twinID, groupID, people()))
		},
		"deleting the group": func(ctx context.Context, w *world, twinID, groupID string) error {
			return w.DeleteGroup(ctx, twinID, groupID)
		},
		"taking its roles": func(ctx context.Context, w *world, twinID, groupID string) error {
			return w.DeleteGroupMember(ctx, twinID, groupID)
		},
		"taking its ownership": func(ctx context.Context, w *world, twinID, groupID string) error {
			role := w.role(t, twinID, "R", twins.Permissions()...)
			return errOf(w.UpdateGroupMember(ctx, twinID, groupID, twins.GroupMemberPatch{RoleIDs: twinplatform.Set([]string{role})}))
		},
	}
	for name, call := range calls {
		for _, another := range []string{"", "member", "group", "administrator"} {
			t.Run(name+" "+another, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, twins.Config{})
				twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme}).ID
				g := w.group(t, twin, "Owners", "ann")
				w.give(t, twin, g.ID, w.ownerRole(t, twin))
				ann := user("ann", acme)
				switch another {
				case "member":
					w.own(t, twin, "bob")
				case "group":
					w.give(t, twin, w.group(t, twin, "More", "bob").ID, w.ownerRole(t, twin))
				case "administrator":
					ann.AdministratorRoles = []twinplatform.AdministratorRole{twinplatform.CoAdministrator}
				default:
					w.give(t, twin, w.group(t, twin, "Empty").ID, w.ownerRole(t, twin))
				}
				if err := call(as(t, ann), w, twin, g.ID); another != "" {
					mustNot(t, err)
				} else {
					wantProblem(t, err, twinplatform.Conflict, "LastOwner :")
				}
			})
		}
	}
}

func TestOwnerMayLeaveATwinToTheOwnersOfAGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, as(t, user("boss", acme, twinplatform.CoAdministrator)), twins.NewTwin{DisplayName: "A"}).ID
	boss := as(t, user("boss", acme))
	g := w.group(t, twin, "Owners")
	w.give(t, twin, g.ID, w.ownerRole(t, twin))
	wantProblem(t, w.DeleteMember(boss, twin, "boss"), twinplatform.Conflict, "LastOwner :")
	mustNot(t, errOf(w.UpdateGroup(t.Context(), twin, g.ID, people("ann"))))
	mustNot(t, w.DeleteMember(boss, twin, "boss"))
}

func TestRequestsForGroupsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	g := w.group(t, twin, "Crew")
	role := w.role(t, twin, "R", "twins_read")
	w.give(t, twin, g.ID, role)
	many := make([]string, twins.MaxGroupPeople+1)
	for i := range many {
		many[i] = string(rune('a'+i/26)) + string(rune('a'+i%26))
	}
	long := strings.Repeat("x", twins.MaxText+1)
	invalid := func(details string) string { return "InvalidAccessControlRequest : " + details }
	for name, test := range map[string]struct {
		err  error
		kind twinplatform.Kind
		want string
	}{
		"no name":               {errOf(w.CreateGroup(admin(t), twin, twins.NewGroup{})), twinplatform.Unprocessable, invalid("MissingRequiredProperty name")},
		"a long name":           {errOf(w.CreateGroup(admin(t), twin, twins.NewGroup{Name: long})), twinplatform.Unprocessable, invalid("InvalidValue name")},
		"a long description":    {errOf(w.CreateGroup(admin(t), twin, twins.NewGroup{Name: "x", Description: twinplatform.NullString(long)})), twinplatform.Unprocessable, invalid("InvalidValue description")},
		"a name that is taken":  {errOf(w.CreateGroup(admin(t), twin, twins.NewGroup{Name: "Crew"})), twinplatform.Conflict, "groupExists : InvalidValue name"},
		"an unknown address":    {errOf(w.CreateGroup(admin(t), twin, twins.NewGroup{Name: "x", Members: []string{"no@where.example"}})), twinplatform.Unprocessable, invalid("InvalidValue members")},
		"too many people":       {errOf(w.UpdateGroup(admin(t), twin, g.ID, people(many...))), twinplatform.Unprocessable, invalid("InvalidValue members")},
		"an empty member":       {errOf(w.UpdateGroup(admin(t), twin, g.ID, people(" "))), twinplatform.Unprocessable, invalid("InvalidValue members")},
		"a name taken away":     {errOf(w.UpdateGroup(admin(t), twin, g.ID, twins.GroupPatch{Name: twinplatform.Null[string]()})), twinplatform.Unprocessable, invalid("MissingRequiredProperty name")},
		"no such group":         {errOf(w.UpdateGroup(admin(t), twin, nada, people())), twinplatform.NotFound, "GroupNotFound twinGroupId:"},
		"no such group to read": {errOf(w.Group(admin(t), twin, nada)), twinplatform.NotFound, "GroupNotFound twinGroupId:"},
		"another version":       {errOf(w.UpdateGroup(admin(t), twin, g.ID, people(), twinplatform.IfMatch(`"1"`))), twinplatform.Conflict, "VersionMismatch ifMatch:"},
		"no members":            {errOf(w.AddGroupMembers(admin(t), twin, nil)), twinplatform.Unprocessable, invalid("MissingRequiredProperty members")},
		"neither group nor roles": {
			errOf(w.AddGroupMembers(admin(t), twin, of(""))), twinplatform.Unprocessable,
			invalid("MissingRequiredProperty members[0].groupId, MissingRequiredProperty members[0].roleIds"),
		},
		"no such role":         {errOf(w.AddGroupMembers(admin(t), twin, of(g.ID, nada))), twinplatform.Unprocessable, invalid("InvalidValue roleIds")},
		"a member already":     {errOf(w.AddGroupMembers(admin(t), twin, of(g.ID, role))), twinplatform.Conflict, "memberExists : InvalidValue groupId"},
		"no roles left":        {errOf(w.UpdateGroupMember(admin(t), twin, g.ID, twins.GroupMemberPatch{RoleIDs: twinplatform.Set([]string{})})), twinplatform.Unprocessable, invalid("MissingRequiredProperty roleIds")},
		"no such member":       {w.DeleteGroupMember(admin(t), twin, nada), twinplatform.NotFound, "TeamMemberNotFound memberId:"},
		"a role of a group":    {w.DeleteRole(admin(t), twin, role), twinplatform.Conflict, "RoleInUse :"},
		"a page of no records": {errOf(w.Groups(admin(t), twin, twins.GroupQuery{ListOptions: twinplatform.ListOptions{Top: -1}})), twinplatform.Unprocessable, invalid("InvalidValue top")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, test.err, test.kind, test.want)
		})
	}
}

func TestPeopleComeIntoGroupsByAddressOrID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	w.know(t, addressee("ann", acme), addressee("far", other))
	res, err := w.CreateGroup(admin(t), twin, twins.NewGroup{Name: "Crew", Members: []string{"robot", "ANN@example.com", "ann"}})
	mustNot(t, err)
	want := []twins.GroupPerson{
		{ID: "ann", DisplayName: "The ann", Email: "ann@example.com", MemberType: twinplatform.User}, {ID: "robot", MemberType: twinplatform.User},
	}
	if diff := cmp.Diff(want, res.Value().Members); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var back twins.GroupPatch // as it was read
	mustNot(t, json.Unmarshal(res.Records[0].JSON, &back))
	same, err := w.UpdateGroup(admin(t), twin, res.Value().ID, back)
	if diff := cmp.Diff(want, same.Value().Members); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	_, err = w.UpdateGroup(admin(t), twin, res.Value().ID, people("far@example.com"))
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue members")
}

// Whether an address is known in an account is no one's business outside it.
func TestStrangersLearnOfNoAddressByGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	w.know(t, addressee("ann", acme))
	tower := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Tower"})
	g := w.group(t, tower.ID, "Crew")
	for _, caller := range []twinplatform.Principal{user("eve", other), user("eve", acme)} {
		var answers []string
		for _, address := range []string{"ann@example.com", "noone@example.com"} {
			_, made := w.CreateGroup(as(t, caller), tower.ID, twins.NewGroup{Name: "Mine", Members: twins.People{address}})
			_, changed := w.UpdateGroup(as(t, caller), tower.ID, g.ID, people(address))
			answers = append(answers, fmt.Sprint(made, changed))
		}
		if answers[0] != answers[1] || !strings.Contains(answers[0], "twinNotFound") {
			t.Errorf("%s of %s gets %q", caller.ID, caller.AccountID, answers)
		}
	}
}

func TestEventsNameGroupsThatAreMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	g := w.group(t, twin, "Crew", "ann")
	a, b := w.role(t, twin, "A", "twins_read"), w.role(t, twin, "B", "models_read")
	w.events(t)
	w.give(t, twin, g.ID, a)
	mustNot(t, errOf(w.UpdateGroupMember(admin(t), twin, g.ID, twins.GroupMemberPatch{RoleIDs: twinplatform.Set([]string{b})})))
	mustNot(t, w.DeleteGroup(admin(t), twin, g.ID))
	var got []string
	for _, e := range w.events(t) {
		got = append(got, e.Type)
	}
	want := []string{"accessControl.memberAdded.v1", "accessControl.roleAssigned.v1", "accessControl.roleUnassigned.v1", "accessControl.memberRemoved.v1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A member that is a group shows its name, its text and its roles, and is as new as they are.
func TestGroupsThatAreMembersAreAsNewAsWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	g := w.group(t, twin, "Crew", "ann")
	role := w.role(t, twin, "R", "twins_read")
	w.give(t, twin, g.ID, role)
	before, err := w.GroupMember(admin(t), twin, g.ID)
	mustNot(t, err)
	mustNot(t, errOf(w.UpdateGroup(admin(t), twin, g.ID, twins.GroupPatch{Name: twinplatform.Set("Gang"), Description: twinplatform.Set("all")})))
	named, err := w.GroupMember(admin(t), twin, g.ID)
	mustNot(t, err)
	mustNot(t, errOf(w.UpdateRole(admin(t), twin, role, twins.RolePatch{DisplayName: twinplatform.Set("S")})))
	after, err := w.GroupMember(admin(t), twin, g.ID)
	mustNot(t, err)
	if v := after.Value; v.GroupName != "Gang" || v.GroupDescription != "all" || len(v.Roles) != 1 || v.Roles[0].DisplayName != "S" {
		t.Errorf("the member is shown as %+v", v)
	}
	if before.ETag == named.ETag || named.ETag == after.ETag {
		t.Errorf("versions %s, %s and %s are not three", before.ETag, named.ETag, after.ETag)
	}
}

func TestNothingOfGroupsIsLeftBehindTheirTwin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	keys := func() (all []string) {
		err := w.store.View(t.Context(), func(r storage.Reader) error {
			all = nil
			for key := range r.Scan("", "") {
				all = append(all, key)
			}
			return nil
		})
		mustNot(t, err)
		return all
	}
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	g := w.group(t, twin, "Crew", "ann", "bob")
	w.give(t, twin, g.ID, w.role(t, twin, "R", "twins_read"))
	mustNot(t, w.DeleteTwin(admin(t), twin))
	w.events(t)
	for _, key := range keys() {
		if strings.Contains(key, g.ID) || strings.Contains(key, "bob") {
			t.Errorf("%q is left", key)
		}
	}
}

// Two who put each other out, or come in and are put out, at once leave one order.
func TestRacesOverAGroupHaveOneOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme}).ID
	g := w.group(t, twin, "Owners", "ann", "bob")
	w.give(t, twin, g.ID, w.ownerRole(t, twin))
	var both sync.WaitGroup
	for me, them := range map[string]string{"ann": "bob", "bob": "ann"} {
		both.Go(func() {
			ctx := as(t, user(me, acme))
			_, err := w.UpdateGroup(ctx, twin, g.ID, people(me))
			if err != nil && !errors.Is(err, twinplatform.NotFound) {
				t.Errorf("%s puts %s out: %v", me, them, err)
			}
		})
	}
	both.Wait()
	rec, err := w.Group(t.Context(), twin, g.ID)
	mustNot(t, err)
	if len(rec.Value.Members) != 1 {
		t.Fatalf("%v are left in the group", rec.Value.Members)
	}
	for _, id := range []string{"ann", "bob"} {
		w.wantAllowed(t, rec.Value.Members[0].ID == id, user(id, acme), twins.PermissionRead, twin)
	}
}

// Moving a twin gives and takes what groups hold at the twins above.
func TestMovesGiveAndTakeWhatGroupsHold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	from := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "From", AccountID: acme}).ID
	to := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "To", AccountID: acme}).ID
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Twin", ParentID: from}).ID
	w.grant(t, from, "mia", twins.PermissionCreate, twins.PermissionModify, twins.PermissionManageMembers, twins.PermissionManageRoles)
	w.grant(t, to, "mia", twins.PermissionCreate)
	g := w.group(t, to, "Crew", "ann")
	w.give(t, to, g.ID, w.role(t, to, "W", "models_write"))
	err := w.move(as(t, user("mia", acme)), twin, to)
	if !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("a move that lets a group in ends with %v", err)
	}
	mustNot(t, w.move(t.Context(), twin, to))
	w.wantAllowed(t, true, user("ann", acme), "models_write", twin)
}
