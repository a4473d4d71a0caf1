package console

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
)

// sharePages give people access to a twin: by one of its roles, or by one that may read, which is
// made where there is none.
var sharePages = table{
	{pattern: "GET /twins/{twin}/share", title: "Share", area: "accessControl", page: sharePage},
	{pattern: "POST /twins/{twin}/share", title: "Share", area: "accessControl", run: share},
}

// reading are the permissions of a role that may read everything of a twin.
var reading = []string{
	twinplatform.PermissionTwinsRead, twinplatform.PermissionSchedulesRead, twinplatform.PermissionFormsView,
	twinplatform.PermissionRealityDataUse, twinplatform.PermissionModelsRead,
}

// mayRead is the choice to read everything, which no role has as its id.
const mayRead = "read"

// shareView is the form, with what was typed and what is wrong with it.
type shareView struct {
	*request
	Action      string
	Email, Name string
	Roles       []optionView
	Refusal     *refusal
}

// twin is the path of the twin of the page's address.
func (r *request) twin() string { return at("twins", r.PathValue("twin")) }

// access is the path of what the API has of access to that twin.
func (r *request) access() string { return "/access-control" + r.twin() }

func sharePage(r *request) (view, error) { return r.shareForm(url.Values{}, nil) }

// shareForm is the form with what was typed in it.
func (r *request) shareForm(typed url.Values, refused *refusal) (view, error) {
	r.above(r.console.placeOf("/twins"), r.twin(), nil)
	r.below(r.consolePath(r.twin()), r.nameAt(r.twin()))
	roles, _, err := r.objects(r.access()+"/roles?$top=200", "roles")
	if err != nil {
		return view{}, err
	}
	choices := []string{mayRead, "May read everything"}
	for _, role := range roles {
		choices = append(choices, role.text("id"), role.text("displayName"))
	}
	return r.show("share", shareView{
		request: r, Action: r.Link(r.twin() + "/share"), Email: typed.Get("email"), Name: typed.Get("displayName"),
		Roles: options(typed.Get("role"), choices...), Refusal: refused,
	})
}

// share adds who was named to the twin, or invites them. They are found in the list to which it
// leads.
func share(r *request) (view, error) {
	role := r.PostForm.Get("role")
	var err error
	if role == mayRead {
		role, err = r.readers()
	}
	var a *answer
	if err == nil {
		member := map[string]any{"email": r.PostForm.Get("email"), "roleIds": []string{role}}
		if name := r.PostForm.Get("displayName"); name != "" {
			member["displayName"] = name
		}
		a, err = r.create(r.access()+"/members", map[string]any{"members": []any{member}})
	}
	if refused, ok := asRefusal(err); ok && refused.Status != http.StatusUnauthorized {
		return r.shareForm(r.PostForm, refused)
	}
	var made object
	if err == nil {
		err = decode(a.body, &made)
	}
	if err != nil {
		return view{}, err
	}
	list, notice := "/members", "They have access now."
	if invited, _ := made["invitations"].([]any); len(invited) > 0 {
		list, notice = "/members/invitations", "They are invited, and have access once they accept."
	}
	page := "/browse" + r.access() + list
	return view{}, redirected(r.Link(page, "notice", r.console.notices.sign(r.who.principal.ID, notice)))
}

// readers is the role of the twin that may read and nothing else, of what the viewer may give. It
// is made where there is none.
func (r *request) readers() (id string, err error) {
	var held struct{ Permissions []string }
	if _, err := r.get(r.access()+"/permissions", &held); err != nil {
		return "", err
	}
	want := slices.DeleteFunc(slices.Clone(reading),
		func(p string) bool { return !slices.Contains(held.Permissions, p) })
	slices.Sort(want)
	name := "Reader"
	for role, err := range records[struct {
		ID, DisplayName string
		Permissions     []string
	}](r, r.access()+"/roles?$top=200", "roles") {
		if err != nil {
			return "", err
		}
		if slices.Equal(slices.Sorted(slices.Values(role.Permissions)), want) {
			return role.ID, nil
		}
		if role.DisplayName == name {
			name = "Reader of everything"
		}
	}
	a, err := r.create(r.access()+"/roles", map[string]any{
		"displayName": name, "description": "May read everything of the twin.", "permissions": want,
	})
	if err != nil {
		return "", err
	}
	var made struct{ Role struct{ ID string } }
	err = decode(a.body, &made)
	return made.Role.ID, err
}
