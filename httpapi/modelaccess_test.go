package httpapi_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

const (
	modelAccount = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	modelTwin    = "10000000-0000-4000-8000-000000000001" // of the model that someone may be granted
	otherTwin    = "10000000-0000-4000-8000-000000000002" // where everybody may do everything
)

// standing is what someone is granted, and where.
type standing struct {
	project, model []string
	administers    string // an account
}

func (s standing) holds(permission string) bool {
	// What is given at a model alone counts for people of the account of its twin.
	atModel := s.account() == modelAccount || len(s.project) > 0
	return s.administers == modelAccount || slices.Contains(s.project, permission) || atModel && slices.Contains(s.model, permission)
}

// account is that of the users who are granted something.
func (s standing) account() string { return cmp.Or(s.administers, modelAccount) }

// want are the answers to reading and changing the model, and to taking it for the
// source and for the target of a transformation.
func (s standing) want() [4]int {
	read, write := s.holds(transform.PermissionModelsRead), s.holds(transform.PermissionModelsWrite)
	sees := len(s.project) > 0 // the project
	answer := func(may bool, done int, seen bool) int {
		switch {
		case may:
			return done
		case seen:
			return 403
		}
		return 404
	}
	inside := read || write
	return [4]int{answer(inside, 200, false), answer(write, 201, inside), answer(read, 201, sees || inside), answer(write, 201, sees || inside)}
}

// modelWorld has a model in each of the two twins, and ann of an account in the other one.
func modelWorld(account string, members ...platform.ModelMember) *platform.World {
	w := &platform.World{
		Twins: []platform.Twin{{ID: modelTwin, TwinAccountID: twinplatform.Set(modelAccount)}, {ID: otherTwin, TwinAccountID: twinplatform.Set(modelAccount)}},
		Models: []platform.Model{
			{NewModel: models.NewModel{ID: "model", TwinID: modelTwin, DisplayName: "Model"}, Members: members},
			{NewModel: models.NewModel{ID: "neighbour", TwinID: modelTwin, DisplayName: "Neighbour"}},
			{NewModel: models.NewModel{ID: "other", TwinID: otherTwin, DisplayName: "Other"}},
		},
		Roles:   []platform.Role{{TwinID: otherTwin, NewRole: twinsapi.NewRole{DisplayName: "Modeler", Permissions: models.ModelPermissions()}}},
		Members: []platform.Member{{TwinID: otherTwin, AccountID: account, Roles: []string{"Modeler"}, NewMember: twinsapi.NewMember{ID: "ann"}}},
	}
	for _, m := range []string{"model", "other"} {
		w.SavedViews = append(w.SavedViews, platform.SavedView{NewSavedView: models.NewSavedView{ID: "view of " + m, ModelID: m, DisplayName: "All", Shared: true}})
	}
	return w
}

func roleOf(twinID, name string, permissions []string) platform.Role {
	return platform.Role{TwinID: twinID, NewRole: twinsapi.NewRole{DisplayName: name, Permissions: permissions}}
}

// means are the ways in which permissions are given.
var means = map[string]func(t *testing.T, p *platform.Platform, s standing){
	"seed": func(t *testing.T, p *platform.Platform, s standing) {
		var members []platform.ModelMember
		if len(s.model) > 0 {
			members = []platform.ModelMember{{Roles: []string{"At the model"}, NewModelMember: models.NewModelMember{ID: "ann"}}}
		}
		w := modelWorld(s.account(), members...)
		w.Roles = append(w.Roles, roleOf(modelTwin, "At the model", s.model), roleOf(modelTwin, "At the project", s.project))
		if len(s.project) > 0 {
			w.Members = append(w.Members, platform.Member{TwinID: modelTwin, AccountID: s.account(), Roles: []string{"At the project"}, NewMember: twinsapi.NewMember{ID: "ann"}})
		}
		seedWith(t, p, w)
	},
	"tokens": func(t *testing.T, p *platform.Platform, s standing) {
		seedWith(t, p, modelWorld(s.account()))
		grants := func(model string, permissions []string) string {
			return fmt.Sprintf(`{"twinId": %q, "modelId": %q, "permissions": ["%s"]}`, modelTwin, model, strings.Join(permissions, `", "`))
		}
		var given []string
		for model, permissions := range map[string][]string{"": s.project, "model": s.model} {
			if len(permissions) > 0 {
				given = append(given, grants(model, permissions))
			}
		}
		callers, err := platform.ReadCallers(strings.NewReader(`[{"token": "ann", "principal": {"id": "ann", "accountId": "` + s.account() + `", "kind": "User"}, "grants": [` + strings.Join(given, ",") + `]}]`))
		if err == nil {
			err = p.Grant(t.Context(), callers)
		}
		if err != nil {
			t.Fatal(err)
		}
	},
	"roles": func(t *testing.T, p *platform.Platform, s standing) {
		seedWith(t, p, modelWorld(s.account()))
		role := func(name string, permissions []string) []string {
			res, err := p.Twins.CreateRole(t.Context(), modelTwin, roleOf("", name, permissions).NewRole)
			if err != nil {
				t.Fatal(err)
			}
			return []string{res.Value().ID}
		}
		if len(s.project) > 0 {
			must[twinsapi.Member](t)(p.Twins.CreateMember(t.Context(), modelTwin, twinsapi.NewMember{ID: "ann", AccountID: s.account(), RoleIDs: role("P", s.project)}))
		}
		if len(s.model) > 0 {
			must[models.ModelMember](t)(p.Transform.Models().CreateModelMember(t.Context(), "model", models.NewModelMember{ID: "ann", RoleIDs: role("M", s.model)}))
		}
	},
}

func seedWith(t *testing.T, p *platform.Platform, w *platform.World) {
	t.Helper()
	if err := p.Seed(t.Context(), w, platform.SeedOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestModelGrantsWhereTheProjectHasNoGrant holds every combination of what a project
// grants, what a model grants and whether the caller administers the account to the
// sentence of the specification: the caller needs the permission at project level; if
// it is not configured at project level, the same at model level; an organization
// administrator also qualifies.
//
// covers: operations modelMembers.create modelMembers.list modelMembers.get modelMembers.update
// covers: operations modelMembers.delete
func TestModelGrantsWhereTheProjectHasNoGrant(t *testing.T) {
	t.Parallel()
	const read, write = transform.PermissionModelsRead, transform.PermissionModelsWrite
	levels := [][]string{nil, {read}, {write}, {read, write}}
	for name, give := range means {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, project := range append(levels, []string{twinsapi.PermissionRead}) {
				for _, model := range levels {
					for _, administers := range []string{"", modelAccount, "another account"} {
						s := standing{project, model, administers}
						p := newModelPlatform(t)
						give(t, p, s)
						s.hold(t, p)
					}
				}
			}
		})
	}
}

func newModelPlatform(t *testing.T) *platform.Platform {
	t.Helper()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// hold holds a platform to what ann may do, in Go and over HTTP.
func (s standing) hold(t *testing.T, p *platform.Platform) {
	t.Helper()
	ann := twinplatform.Principal{ID: "ann", AccountID: modelAccount, Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform}}
	if s.administers != "" {
		ann.AccountID, ann.AdministratorRoles = s.account(), []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
	}
	want := s.want()
	if got := tryInGo(twinplatform.WithPrincipal(t.Context(), ann), p.Transform); got != want {
		t.Errorf("%+v: in Go %v, want %v", s, got, want)
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"ann": ann}), Transform: p.Transform, Twins: p.Twins, BaseURL: "https://api.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	var got [4]int
	for i, request := range [4][3]string{
		{"GET", "/models/model", ""},
		{"POST", "/models/model/changesets", `{}`},
		{"POST", "/transformations/configurations/filterbysavedview", configurationBody(modelTwin, "model", otherTwin, "other")},
		{"POST", "/transformations/configurations/filterbysavedview", configurationBody(otherTwin, "other", modelTwin, "model")},
	} {
		got[i] = ask(h, request[0], request[1], request[2], "Authorization: Bearer ann").Code
	}
	if got != want {
		t.Errorf("%+v: over HTTP %v, want %v", s, got, want)
	}
	if s.administers != modelAccount && len(s.project) == 0 {
		caller{t, h, "ann"}.expect(404, "GET", "/models/neighbour", "", "ModelNotFound")
	}
}

func configurationBody(sourceTwin, source, targetTwin, target string) string {
	return fmt.Sprintf(`{"transformName":"x","comment":"x","sourceProjectId":%q,"sourceModelId":%q,"targetProjectId":%q,"targetModelId":%q,"transformParameters":{"savedViewId":"view of %s"}}`,
		sourceTwin, source, targetTwin, target, source)
}

// tryInGo tries the four calls and says with which status each would be answered.
func tryInGo(ctx context.Context, svc *transform.Service) (got [4]int) {
	status := func(done int, err error) int {
		if err == nil {
			return done
		}
		return map[twinplatform.Kind]int{twinplatform.NotFound: 404, twinplatform.Forbidden: 403}[twinplatform.AsError(err).Kind]
	}
	_, err := svc.Models().Model(ctx, "model")
	got[0] = status(200, err)
	_, err = svc.Models().CreateChangeset(ctx, "model", models.NewChangeset{})
	got[1] = status(201, err)
	for i, n := range []transform.NewConfiguration{
		{SourceProjectID: modelTwin, SourceModelID: "model", TargetProjectID: otherTwin, TargetModelID: "other"},
		{SourceProjectID: otherTwin, SourceModelID: "other", TargetProjectID: modelTwin, TargetModelID: "model"},
	} {
		n.TransformName, n.Comment, n.TransformParameters = "x", "x", &transform.NewParameters{SavedViewID: "view of " + n.SourceModelID}
		_, err = svc.CreateConfiguration(ctx, n)
		got[2+i] = status(201, err)
	}
	return got
}
