package platform_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// power is something that a person can do: a permission at a twin, or an action on a
// form, a definition, a model or a webhook.
type power struct{ what, on string }

// measured is what everybody can do, and what forms' security grants where it does
// not count because the twin is not seen.
type measured struct {
	can     [people]map[power]bool
	latent  [people]map[power]bool // by definition and twin
	parents map[string]string
	w       *closureWorld
}

// What is asked of forms, and the permissions of which each is enough.
var formPowers = map[string][]string{
	"view":    {forms.PermissionView},
	"change":  {forms.PermissionModify, forms.PermissionCreate},
	"approve": {forms.PermissionApprove},
}

var closurePermissions = append(twins.Permissions(), twins.PermissionAll)

func (w *closureWorld) measure(t *testing.T) *measured {
	t.Helper()
	m := &measured{w: w, parents: make(map[string]string)}
	for _, twin := range w.known {
		if rec, err := w.twins.Twin(w.ctx, twin.ID); err == nil {
			m.parents[twin.ID] = string(rec.Value.ParentID)
		}
	}
	for i := range people {
		a := &attempts{w: w, t: t, ctx: w.caller(i), can: make(map[power]bool)}
		a.atTwins()
		a.onForms()
		a.onDefinitions()
		a.onWebhooks()
		a.onModels()
		m.can[i], m.latent[i] = a.can, make(map[power]bool)
	}
	for d := range w.there(w.definitions) {
		for _, twin := range w.known {
			m.grants(d, twin.ID)
		}
	}
	return m
}

// grants notes to whom security in a twin grants anything.
func (m *measured) grants(definitionID, twinID string) {
	sec := m.w.securityOf(m.w.ctx, definitionID, twinID)
	if sec == nil {
		return
	}
	for _, g := range sec.Grants {
		for i, p := range closurePeople {
			if p.ID == g.PrincipalID {
				m.latent[i][power{definitionID, twinID}] = true
			}
		}
	}
}

// there yields those of the ids that were not deleted.
func (w *closureWorld) there(ids []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, id := range ids {
			if !w.gone[id] && !yield(id) {
				return
			}
		}
	}
}

// attempts are one caller's to do whatever there is to do. What would change
// something names a version that nothing has: who may not do it is refused before
// that counts.
type attempts struct {
	w   *closureWorld
	t   *testing.T
	ctx context.Context
	can map[power]bool
}

const noVersion = `"none"`

const receiver = "https://receiver.example.com/"

// note notes what was tried, unless it was refused.
func (a *attempts) note(what, on string, err error) {
	a.t.Helper()
	e, ok := errors.AsType[*twinplatform.Error](err)
	if err != nil && (!ok || e.Kind == twinplatform.Internal) {
		a.t.Fatal(err)
	}
	if err == nil || e.Code == "VersionMismatch" || e.Code == "ChangesetConflict" {
		a.can[power{what, on}] = true
	}
}

func (a *attempts) atTwins() {
	p, _ := twinplatform.PrincipalFrom(a.ctx)
	for _, twin := range a.w.known {
		for _, permission := range closurePermissions {
			ok, err := a.w.twins.Allowed(a.ctx, p, permission, twinplatform.Target{TwinID: twin.ID})
			if ok || err != nil {
				a.note(permission, twin.ID, err)
			}
		}
	}
}

func (a *attempts) onForms() {
	var subject, status forms.FormPatch
	subject.Subject, status.Status = twinplatform.Set("S"), twinplatform.Set("Open")
	for id := range a.w.there(a.w.forms) {
		_, err := a.w.formsArea.Form(a.ctx, id)
		a.note("view", id, err)
		_, err = a.w.formsArea.UpdateForm(a.ctx, id, subject, twinplatform.IfMatch(noVersion))
		a.note("change", id, err)
		_, err = a.w.formsArea.UpdateForm(a.ctx, id, status, twinplatform.IfMatch(noVersion))
		a.note("approve", id, err)
	}
}

func (a *attempts) onDefinitions() {
	for id := range a.w.there(a.w.definitions) {
		_, err := a.w.formsArea.FormDefinition(a.ctx, id)
		a.note("see", id, err)
		_, err = a.w.formsArea.UpdateFormDefinition(a.ctx, id, forms.FormDefinitionPatch{}, twinplatform.IfMatch(noVersion))
		a.note("edit", id, err)
	}
}

func (a *attempts) onWebhooks() {
	for id := range a.w.there(a.w.hooks) {
		_, err := a.w.hooksArea.Webhook(a.ctx, id)
		a.note("see", id, err)
		_, err = a.w.hooksArea.UpdateWebhook(a.ctx, id, webhooks.WebhookPatch{Active: twinplatform.Set(false)}, twinplatform.IfMatch(noVersion))
		a.note("switch off", id, err)
		_, err = a.w.hooksArea.UpdateWebhook(a.ctx, id, webhooks.WebhookPatch{CallbackURL: twinplatform.Set(receiver)}, twinplatform.IfMatch(noVersion))
		a.note("redirect", id, err)
	}
}

// inconsistent reports what someone can do that no one should.
func (m *measured) inconsistent() string {
	for i, can := range m.can {
		for _, id := range m.w.forms {
			if twin := m.w.formIn[id]; can[power{"view", id}] && !can[power{twins.PermissionRead, twin}] {
				return fmt.Sprintf("%s views %s in %s, which is not for %[1]s to see", personName(i), m.w.name(id), m.w.name(twin))
			}
		}
		for _, id := range m.w.definitions {
			if twin := m.w.definedIn[id]; can[power{"edit", id}] && !can[power{forms.PermissionDefine, twin}] {
				return fmt.Sprintf("%s edits %s of %s without the permission there", personName(i), m.w.name(id), m.w.name(twin))
			}
		}
		for _, id := range m.w.hooks {
			at := m.w.hears[id]
			if _, there := m.parents[at]; !there {
				continue // what is left of a deleted twin's webhook is for administrators
			}
			maintains := can[power{webhooks.PermissionMaintainer, at}]
			supervises := maintains || can[power{twins.PermissionManageMembers, at}]
			if (can[power{"see", id}] || can[power{"switch off", id}]) && !supervises || can[power{"redirect", id}] && !maintains {
				return fmt.Sprintf("%s has %s of %s without the permission there", personName(i), m.w.name(id), m.w.name(at))
			}
		}
	}
	return ""
}
