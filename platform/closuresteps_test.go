package platform_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// errNothing is the outcome of a step for which there is nothing yet.
var errNothing = &twinplatform.Error{Kind: twinplatform.NotFound, Code: "NothingThere", Message: "There is nothing to do this with."}

// timePasses is the step with which no one does anything.
const timePasses = "let time pass"

// closureSteps are all operations that make, move, grant, invite, share or revoke,
// and how often each is tried. A step says what it did.
var closureSteps = map[string]struct {
	weight int
	take   func(w *closureWorld, ctx context.Context, s closureStep) (string, error)
}{
	"create a twin": {2, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		if len(w.known) >= maxTwins {
			return "", errNothing
		}
		parent := w.twin(s.a)
		w.made++
		res, err := w.twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Thing, DisplayName: fmt.Sprint("made ", w.made), ParentID: parent})
		if err != nil {
			return "", err
		}
		w.known = append(w.known, res.Value())
		if p, named := twinplatform.PrincipalFrom(ctx); named {
			w.consents[consent{p.ID, res.Value().ID}] = true
		}
		return fmt.Sprintf("creates %s below %s", w.name(res.Value().ID), w.name(parent)), nil
	}},
	"move a twin": {10, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id, to := w.twin(s.a), twinplatform.Set(w.twin(s.b))
		if s.c%4 == 0 {
			to = twinplatform.Null[string]()
		}
		_, err := w.twins.UpdateTwin(ctx, id, twins.TwinPatch{ParentID: to})
		return fmt.Sprintf("moves %s below %s", w.name(id), w.name(to.Or("the account"))), err
	}},
	"delete a twin": {1, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id := w.twin(s.a)
		return "deletes " + w.name(id), w.twins.DeleteTwin(ctx, id)
	}},
	"grant": {1, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, who := w.twin(s.a), closurePeople[s.b%people].ID
		n := twins.NewMember{ID: who, RoleIDs: w.roles(twin)[:1]}
		if s.actor == people && s.d%4 > 0 {
			n.AccountID = closurePeople[s.b%people].AccountID
		}
		add := func() error {
			_, err := w.twins.CreateMember(ctx, twin, n)
			w.consents[consent{who, twin}] = w.consents[consent{who, twin}] || err == nil && n.AccountID != ""
			return err
		}
		if s.c%5 == 0 {
			err := add()
			return fmt.Sprintf("makes %s of %q an owner of %s", who, n.AccountID, w.name(twin)), err
		}
		w.made++
		held := somePermissions(s.c, s.d)
		role, err := w.twins.CreateRole(ctx, twin, twins.NewRole{DisplayName: fmt.Sprint("role ", w.made), Permissions: held})
		if err != nil {
			return "", err
		}
		n.RoleIDs = []string{role.Value().ID}
		err = add()
		return fmt.Sprintf("grants %s at %s: %s", who, w.name(twin), strings.Join(held, ", ")), err
	}},
	"create a role": {3, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, held := w.twin(s.a), somePermissions(s.c, s.d)
		w.made++
		_, err := w.twins.CreateRole(ctx, twin, twins.NewRole{DisplayName: fmt.Sprint("role ", w.made), Permissions: held})
		return fmt.Sprintf("creates a role at %s of %s", w.name(twin), strings.Join(held, ", ")), err
	}},
	"change a role": {4, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, held := w.twin(s.a), somePermissions(s.c, s.d)
		_, err := w.twins.UpdateRole(ctx, twin, w.role(twin, s.b), twins.RolePatch{Permissions: twinplatform.Set(held)})
		return fmt.Sprintf("changes role %d of %s to %s", s.b%len(w.roles(twin)), w.name(twin), strings.Join(held, ", ")), err
	}},
	"delete a role": {14, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin := w.twin(s.a)
		return "deletes a role of " + w.name(twin), w.twins.DeleteRole(ctx, twin, w.role(twin, s.b))
	}},
	"add a member": {5, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, who := w.twin(s.a), closurePeople[s.b%people].ID
		from := twin
		if s.d%8 == 0 {
			from = w.twin(s.d / 8) // a role of another twin is none here
		}
		_, err := w.twins.CreateMember(ctx, twin, twins.NewMember{ID: who, RoleIDs: []string{w.role(from, s.c)}})
		return fmt.Sprintf("adds %s to %s in its role %d", who, w.name(twin), s.c%len(w.roles(from))), err
	}},
	"change a member": {4, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, who := w.twin(s.a), closurePeople[s.b%people].ID
		roles := []string{w.role(twin, s.c)}
		if s.d%3 == 0 {
			roles = append(roles, w.role(twin, s.d/3))
		}
		_, err := w.twins.UpdateMember(ctx, twin, who, twins.MemberPatch{RoleIDs: twinplatform.Set(roles)})
		return fmt.Sprintf("gives %s another role at %s", who, w.name(twin)), err
	}},
	"remove a member": {2, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, who := w.twin(s.a), closurePeople[s.b%people].ID
		err := w.twins.DeleteMember(ctx, twin, who)
		if err == nil {
			delete(w.consents, consent{who, twin})
		}
		return fmt.Sprintf("removes %s from %s", who, w.name(twin)), err
	}},
	"invite": {3, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, email := w.twin(s.a), closurePeople[s.c%people].Email
		if s.d%6 == 0 {
			email = "a@b.c"
		}
		role := w.role(twin, s.b)
		res, err := w.twins.CreateInvitation(ctx, twin, twins.NewInvitation{Email: strings.ToLower(email), RoleIDs: []string{role}})
		if err != nil {
			return "", err
		}
		w.invited = append(w.invited, invited{twin, res.Value().ID, email, []string{role}, s.actor, w.now})
		return fmt.Sprintf("invites %s to %s", email, w.name(twin)), nil
	}},
	"accept an invitation": {8, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		p, named := twinplatform.PrincipalFrom(ctx)
		var own []invited
		for _, i := range w.invited {
			if named && (i.email == p.Email || s.b%4 == 0) {
				own = append(own, i)
			}
		}
		if len(own) == 0 {
			return "", errNothing
		}
		w.accepted = own[s.a%len(own)]
		_, err := w.twins.AcceptInvitation(ctx, w.accepted.twin, w.accepted.id, twins.NewMember{})
		if err == nil {
			w.consents[consent{p.ID, w.accepted.twin}] = true
		}
		return fmt.Sprintf("accepts an invitation to %s", w.name(w.accepted.twin)), err
	}},
	"add by address": {3, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin, who := w.twin(s.a), closurePeople[s.b%people]
		role := w.role(twin, s.c)
		added, err := w.twins.AddMembers(ctx, twin, twins.NewMembers{Members: []twins.NewMember{{Email: twinplatform.NullString(who.Email), RoleIDs: []string{role}}}})
		for _, i := range added.Invitations {
			w.invited = append(w.invited, invited{twin, i.Value.ID, who.Email, []string{role}, s.actor, w.now})
		}
		return fmt.Sprintf("adds %s to %s by its address", who.ID, w.name(twin)), err
	}},
	"create a group":              {3, createGroup},
	"change who is in a group":    {6, changeGroup},
	"delete a group":              {2, deleteGroup},
	"give a group a role":         {6, giveGroup},
	"change the roles of a group": {3, changeGroupRoles},
	"take the roles of a group":   {2, takeFromGroup},
	timePasses: {2, func(w *closureWorld, _ context.Context, s closureStep) (string, error) {
		w.now = w.now.AddDate(0, 0, 1+s.a%10)
		return "waits until " + w.now.Format(time.DateOnly), nil
	}},
	"withdraw an invitation": {4, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		if len(w.invited) == 0 {
			return "", errNothing
		}
		i := w.invited[s.a%len(w.invited)]
		return "withdraws an invitation to " + w.name(i.twin), w.twins.DeleteInvitation(ctx, i.twin, i.id)
	}},
	"create a definition": {2, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		twin := w.twin(s.a)
		n := forms.NewFormDefinition{TwinID: twin, DisplayName: "D", Type: "Defect", Status: forms.Approved, ShareType: shareTypes[s.b%len(shareTypes)]}
		res, err := w.formsArea.CreateFormDefinition(ctx, n)
		if err != nil {
			return "", err
		}
		id := res.Value().ID
		w.definitions = append(w.definitions, id)
		w.definedIn[id] = twin
		return fmt.Sprintf("creates %s in %s, share type %q", w.name(id), w.name(twin), n.ShareType), nil
	}},
	"share a definition": {2, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id := pick(w.definitions, s.a)
		_, err := w.formsArea.UpdateFormDefinition(ctx, id, forms.FormDefinitionPatch{ShareType: twinplatform.Set(shareTypes[s.b%len(shareTypes)])})
		return "shares " + w.name(id), err
	}},
	"close or open a definition": {1, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id, status := pick(w.definitions, s.a), []forms.FormDefinitionStatus{forms.Draft, forms.Approved, forms.Archived}[s.b%3]
		_, err := w.formsArea.UpdateFormDefinition(ctx, id, forms.FormDefinitionPatch{Status: twinplatform.Set(status)})
		return fmt.Sprintf("makes %s %s", w.name(id), status), err
	}},
	"delete a definition": {1, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id := pick(w.definitions, s.a)
		err := w.formsArea.DeleteFormDefinition(ctx, id)
		w.gone[id] = w.gone[id] || err == nil
		return "deletes " + w.name(id), err
	}},
	"secure a definition": {6, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id, twin := pick(w.definitions, s.a), w.twin(s.b)
		if s.b%3 == 0 && id != "" {
			twin = w.definedIn[id]
		}
		who, held := closurePeople[s.c%people].ID, formsPermissions[s.d%len(formsPermissions)]
		sec := &forms.Security{Grants: []forms.Grant{{PrincipalID: who, Permissions: []string{held}}}}
		return fmt.Sprintf("secures %s in %s: %s for %s alone", w.name(id), w.name(twin), held, who), w.secure(ctx, id, twin, sec)
	}},
	"open a definition's security": {2, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id, twin := pick(w.definitions, s.a), w.twin(s.b)
		if s.b%3 == 0 && id != "" {
			twin = w.definedIn[id]
		}
		return fmt.Sprintf("removes the security of %s in %s", w.name(id), w.name(twin)), w.secure(ctx, id, twin, nil)
	}},
	"create a form": {3, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		definition, twin := pick(w.definitions, s.a), w.twin(s.b)
		res, err := w.formsArea.CreateForm(ctx, forms.NewForm{FormID: definition, TwinID: twin})
		if err != nil {
			return "", err
		}
		id := res.Value().ID
		w.forms = append(w.forms, id)
		w.formIn[id], w.formOf[id] = twin, definition
		return fmt.Sprintf("creates %s of %s in %s", w.name(id), w.name(definition), w.name(twin)), nil
	}},
	"delete a form": {5, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id := pick(w.forms, s.a)
		err := w.formsArea.DeleteForm(ctx, id)
		w.gone[id] = w.gone[id] || err == nil
		return "deletes " + w.name(id), err
	}},
	"make a member of a model":   {4, takeModelMember((*closureWorld).makeModelMember)},
	"change a member of a model": {3, takeModelMember((*closureWorld).changeModelMember)},
	"remove a member of a model": {2, takeModelMember((*closureWorld).removeModelMember)},
	"create a webhook": {5, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		n := webhooks.NewWebhook{
			CallbackURL: receiver, EventTypes: []webhooks.EventType{"twins.twinCreated.v1"},
			Scope: webhooks.TwinScope, ScopeID: w.twin(s.a),
		}
		made, err := w.hooksArea.CreateWebhook(ctx, n)
		if err != nil {
			return "", err
		}
		w.hooks = append(w.hooks, made.Value().ID)
		w.hears[made.Value().ID] = n.ScopeID
		return fmt.Sprintf("creates %s of %s", w.name(made.Value().ID), w.name(n.ScopeID)), nil
	}},
	"change a webhook": {4, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id := pick(w.hooks, s.a)
		_, err := w.hooksArea.UpdateWebhook(ctx, id, webhooks.WebhookPatch{Active: twinplatform.Set(s.b%2 == 0)})
		return "changes " + w.name(id), err
	}},
	"delete a webhook": {4, func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		id := pick(w.hooks, s.a)
		err := w.hooksArea.DeleteWebhook(ctx, id)
		w.gone[id] = w.gone[id] || err == nil
		return "deletes " + w.name(id), err
	}},
}

var shareTypes = []forms.ShareType{forms.ReadOnly, forms.NotShared, forms.ReadWrite}

var formsPermissions = []string{
	forms.PermissionFull, forms.PermissionView, forms.PermissionModify, forms.PermissionCreate, forms.PermissionApprove,
	forms.PermissionComment, forms.PermissionDelete, forms.PermissionDefine,
}

// somePermissions are what roles are made of: what it takes to do most of the
// steps, more often than what nothing here asks for.
func somePermissions(a, b int) []string {
	likely := [][]string{
		{twins.PermissionModify},
		{twins.PermissionCreate},
		{twins.PermissionModify, twins.PermissionCreate},
		{twins.PermissionManageMembers},
		{twins.PermissionManageRoles},
		{twins.PermissionManageMembers, twins.PermissionManageRoles, twins.PermissionModify},
		{forms.PermissionDefine},
		{forms.PermissionDefine, forms.PermissionFull},
		{webhooks.PermissionMaintainer},
		{forms.PermissionView},
		{twins.PermissionManageMembers, twinplatform.PermissionModelsRead},
		{twins.PermissionManageRoles, twinplatform.PermissionModelsWrite},
	}
	held := slices.Clone(likely[a%len(likely)])
	if b%3 > 0 {
		held = append(held, likely[b/3%len(likely)]...)
	}
	if all := twins.Permissions(); b%2 == 0 {
		held = append(held, all[b/2%len(all)])
	}
	slices.Sort(held)
	return slices.Compact(held)
}

func pick(ids []string, n int) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[n%len(ids)]
}

func (w *closureWorld) twin(n int) string { return w.known[n%len(w.known)].ID }

// roles are the ids of the roles of a twin, that of its owners first.
func (w *closureWorld) roles(twinID string) []string {
	page, err := w.twins.Roles(w.ctx, twinID, twins.RoleQuery{})
	if err != nil {
		return []string{"none"}
	}
	roles, err := page.Values()
	if err != nil {
		return []string{"none"}
	}
	var ids []string
	for _, r := range roles {
		if r.Owner {
			ids = slices.Insert(ids, 0, r.ID)
		} else {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func (w *closureWorld) role(twinID string, n int) string {
	roles := w.roles(twinID)
	return roles[n%len(roles)]
}
