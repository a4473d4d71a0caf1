package platform_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// membered is a platform with a twin that has a model.
type membered struct {
	*platform.Platform
	t    *testing.T
	twin string
}

func newMembered(t *testing.T, cfg platform.Config) membered {
	t.Helper()
	m := membered{opened(t, cfg), t, tower}
	seed(t, m.Platform, &platform.World{Twins: []platform.Twin{{ID: tower}}, Models: []platform.Model{
		{NewModel: models.NewModel{ID: "model", TwinID: tower, DisplayName: "Model"}},
	}})
	return m
}

func (m membered) role(permissions ...string) string {
	m.t.Helper()
	return made[twinplatform.Result[twins.Role]](m.t)(m.Twins.CreateRole(m.t.Context(), m.twin, twins.NewRole{DisplayName: twinplatform.NewGUID(), Permissions: permissions})).Value().ID
}

func (m membered) as(id string) context.Context {
	return twinplatform.WithPrincipal(m.t.Context(), twinplatform.Principal{ID: id, AccountID: account, Kind: twinplatform.User})
}

// may is what someone may do with the model.
func (m membered) may(id string) string {
	m.t.Helper()
	if _, err := m.Transform.Models().Model(m.as(id), "model"); err != nil {
		if !errors.Is(err, twinplatform.NotFound) {
			m.t.Error(err)
		}
		return "nothing"
	}
	if _, err := m.Transform.Models().CreateChangeset(m.as(id), "model", models.NewChangeset{}); err != nil {
		if !errors.Is(err, twinplatform.Forbidden) {
			m.t.Error(err)
		}
		return "read"
	}
	return "change"
}

func (m membered) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m membered) join(id string, roles ...string) {
	m.t.Helper()
	m.must(errOf(m.Transform.Models().CreateModelMember(m.t.Context(), "model", models.NewModelMember{ID: id, RoleIDs: roles})))
}

func errOf[T any](_ T, err error) error { return err }

func TestWhatAMemberOfAModelHasEndsWithItsCause(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(m membered, role string) error{
		"membership": func(m membered, _ string) error {
			return m.Transform.Models().DeleteModelMember(m.t.Context(), "model", "ann")
		},
		"other role": func(m membered, _ string) error {
			p := models.ModelMemberPatch{RoleIDs: twinplatform.Set([]string{m.role("schedules_read")})}
			return errOf(m.Transform.Models().UpdateModelMember(m.t.Context(), "model", "ann", p))
		},
		"role": func(m membered, role string) error { return m.Twins.DeleteRole(m.t.Context(), m.twin, role) },
		"permission of the role": func(m membered, role string) error {
			return errOf(m.Twins.UpdateRole(m.t.Context(), m.twin, role, twins.RolePatch{Permissions: twinplatform.Set([]string{"schedules_read"})}))
		},
		"model": func(m membered, _ string) error {
			if err := m.Transform.Models().DeleteModel(m.t.Context(), "model"); err != nil {
				return err
			}
			return errOf(m.Transform.Models().CreateModel(m.t.Context(), models.NewModel{ID: "model", TwinID: m.twin, DisplayName: "Another one"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMembered(t, platform.Config{})
			role := m.role(transform.PermissionModelsWrite)
			m.join("ann", role)
			if got := m.may("ann"); got != "change" {
				t.Fatalf("before, she may %s", got)
			}
			m.must(end(m, role))
			if got := m.may("ann"); got != "nothing" {
				t.Errorf("after that, she may %s", got)
			}
		})
	}
}

func TestRolesAtModelsEndWithTheMembershipOfTheTwin(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(m membered) error{
		"removed": func(m membered) error { return m.Twins.DeleteMember(m.t.Context(), m.twin, "ann") },
		"an owner no more": func(m membered) error {
			m.must(errOf(m.Twins.AddOwner(m.t.Context(), m.twin, twins.NewOwner{ID: "ann"})))
			rec, err := m.Twins.Member(m.t.Context(), m.twin, "ann")
			m.must(err)
			owners, err := m.Twins.Owners(m.t.Context(), m.twin, twins.MemberQuery{})
			m.must(err)
			if owners.Len() == 0 || len(rec.Value.RoleIDs) < 2 {
				m.t.Fatal("ann is no owner")
			}
			for _, r := range rec.Value.Roles {
				if r.Type == twins.SystemRole {
					m.must(errOf(m.Twins.UpdateMember(m.t.Context(), m.twin, "ann", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{r.ID})})))
				}
			}
			return m.Twins.RemoveOwner(m.t.Context(), m.twin, "ann")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMembered(t, platform.Config{})
			m.must(errOf(m.Twins.CreateMember(t.Context(), m.twin, twins.NewMember{ID: "ann", RoleIDs: []string{m.role("schedules_read")}})))
			m.join("ann", m.role(transform.PermissionModelsWrite))
			m.join("bob", m.role(transform.PermissionModelsRead))
			m.must(remove(m))
			if got := [2]string{m.may("ann"), m.may("bob")}; got != [2]string{"nothing", "read"} {
				t.Errorf("ann and bob may do %v with the model; want nothing and read", got)
			}
			_, err := m.Transform.Models().ModelMember(t.Context(), "model", "ann")
			if !errors.Is(err, twinplatform.NotFound) {
				t.Errorf("ann is a member of the model still: %v", err)
			}
		})
	}
}

func TestMembersOfAModelHaveWhatTheirRolesHoldThereAlone(t *testing.T) {
	t.Parallel()
	m := newMembered(t, platform.Config{})
	owners := ""
	for r, err := range twinplatform.AllIn(t.Context(), m.Twins.Roles, m.twin, twins.RoleQuery{}) {
		if m.must(err); r.Owner {
			owners = r.ID
		}
	}
	m.join("reader", m.role(transform.PermissionModelsRead))
	m.join("writer", m.role(transform.PermissionModelsWrite))
	m.join("both", m.role(transform.PermissionModelsRead), m.role(transform.PermissionModelsWrite))
	m.join("owner", owners)
	m.join("planner", m.role("schedules_modify", "twins_read"))
	m.join("a/b c", m.role(transform.PermissionModelsRead))
	got := make(map[string]string)
	for _, id := range []string{"reader", "writer", "both", "owner", "planner", "a/b c", "a", "nobody", ""} {
		got[id] = m.may(id)
		if _, err := m.Twins.Twin(m.as(id), m.twin); !errors.Is(err, twinplatform.NotFound) {
			t.Errorf("%q sees the twin: %v", id, err)
		}
	}
	want := map[string]string{"reader": "read", "writer": "change", "both": "change", "owner": "change", "planner": "nothing", "a/b c": "read", "a": "nothing", "nobody": "nothing", "": "nothing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyWhoHoldsAPermissionGivesItAtAModel(t *testing.T) {
	t.Parallel()
	m := newMembered(t, platform.Config{})
	read, write := m.role(transform.PermissionModelsRead), m.role(transform.PermissionModelsWrite)
	for id, permissions := range map[string][]string{
		"manager": {"members_manage", transform.PermissionModelsRead}, "modeler": {transform.PermissionModelsRead, transform.PermissionModelsWrite},
	} {
		m.must(errOf(m.Twins.CreateMember(t.Context(), m.twin, twins.NewMember{ID: id, RoleIDs: []string{m.role(permissions...)}})))
	}
	m.join("bob", write)
	add := func(by, role string) error {
		return errOf(m.Transform.Models().CreateModelMember(m.as(by), "model", models.NewModelMember{ID: "ann", RoleIDs: []string{role}}))
	}
	change := func(who, role string) error {
		return errOf(m.Transform.Models().UpdateModelMember(m.as("manager"), "model", who, models.ModelMemberPatch{RoleIDs: twinplatform.Set([]string{role})}))
	}
	for name, tt := range map[string]struct {
		err  error
		want error
	}{
		"who does not manage members":         {add("modeler", read), twinplatform.Forbidden},
		"a permission that the manager lacks": {add("manager", write), twinplatform.Forbidden},
		"a role of nobody":                    {add("manager", "none"), twinplatform.Unprocessable},
		"who does not see the model":          {add("stranger", read), twinplatform.NotFound},
		"taking what the manager lacks":       {change("bob", read), twinplatform.Forbidden},
		"removing one who has it":             {m.Transform.Models().DeleteModelMember(m.as("manager"), "model", "bob"), twinplatform.Forbidden},
		"what the manager has":                {add("manager", read), nil},
		"twice":                               {add("manager", read), twinplatform.Conflict},
		"nobody":                              {change("nobody", read), twinplatform.NotFound},
	} {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v", name, tt.err)
		}
	}
}

// anything lets a principal do anything in its account.
type anything string

func (a anything) Allowed(_ context.Context, p twinplatform.Principal, _ string, _ twinplatform.Target) (bool, error) {
	return p.ID == string(a), nil
}

func (a anything) AllowedOnModel(_ context.Context, p twinplatform.Principal, _ string, _ twinplatform.Target, modelID string) (bool, error) {
	return p.ID == string(a) && modelID == "model", nil
}

func TestAuthorizersOfAProgramDecideInThePlaceOfMembers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cfg  platform.Config
		want [3]string // what ann, who is a member, bob and cyd may
	}{
		"of twins":           {platform.Config{Env: twinplatform.Env{Authorizer: anything("bob")}}, [3]string{"nothing", "change", "nothing"}},
		"of models":          {platform.Config{Transform: transform.Config{ModelPermissions: anything("cyd")}}, [3]string{"nothing", "nothing", "change"}},
		"of both":            {platform.Config{Env: twinplatform.Env{Authorizer: anything("bob")}, Transform: transform.Config{ModelPermissions: anything("cyd")}}, [3]string{"nothing", "change", "change"}},
		"no own grants":      {platform.Config{}, [3]string{"change", "nothing", "nothing"}},
		"that let in no one": {platform.Config{Transform: transform.Config{ModelPermissions: anything("-")}}, [3]string{"nothing", "nothing", "nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMembered(t, tt.cfg)
			m.join("ann", m.role(transform.PermissionModelsWrite))
			if diff := cmp.Diff(tt.want, [3]string{m.may("ann"), m.may("bob"), m.may("cyd")}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGrantsAtModelsFollowTheTokens(t *testing.T) {
	t.Parallel()
	m := newMembered(t, platform.Config{})
	m.join("bob", m.role(transform.PermissionModelsRead))
	for _, step := range []struct {
		name, grants string
		ann, bob     string
	}{
		{"reader", `{"twinId": "` + tower + `", "modelId": "model", "permissions": ["models_read"]}`, "read", "read"},
		{"the same again", `{"twinId": "` + tower + `", "modelId": "model", "permissions": ["models_read"]}`, "read", "read"},
		{"editor", `{"twinId": "` + tower + `", "modelId": "model", "permissions": ["models_read", "models_write"]}`, "change", "change"},
		{"a model of another twin", `{"twinId": "` + account + `", "modelId": "model", "permissions": ["models_read"]}`, "nothing", "read"},
		{"a model that is not there", `{"twinId": "` + tower + `", "modelId": "none", "permissions": ["models_read"]}`, "nothing", "read"},
		{"nothing", `{"twinId": "` + tower + `", "modelId": "model", "permissions": []}`, "nothing", "read"},
		{"none", ``, "nothing", "read"},
	} {
		var entries []string
		for _, id := range []string{"ann", "bob"} {
			entries = append(entries, `{"token": "t-`+id+`", "principal": {"id": "`+id+`", "accountId": "`+account+`", "kind": "User"}, "grants": [`+step.grants+`]}`)
		}
		callers, err := platform.ReadCallers(strings.NewReader("[" + strings.Join(entries, ",") + "]"))
		m.must(err)
		m.must(m.Grant(t.Context(), callers))
		if ann, bob := m.may("ann"), m.may("bob"); ann != step.ann || bob != step.bob {
			t.Errorf("%s: ann may %s, bob %s; want %s, %s", step.name, ann, bob, step.ann, step.bob)
		}
	}
}

func TestGrantAtAModelIsOfModelsAlone(t *testing.T) {
	t.Parallel()
	_, err := platform.ReadCallers(strings.NewReader(`[{"token": "t", "principal": {"id": "a", "accountId": "b", "kind": "User"},
		"grants": [{"twinId": "t", "modelId": "m", "permissions": ["models_read", "schedules_read"]}]}]`))
	if err == nil || !strings.Contains(err.Error(), "models_read and models_write") {
		t.Errorf("got %v", err)
	}
}
