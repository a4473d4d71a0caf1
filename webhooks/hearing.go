package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Who made a webhook hears through it, and only as long as it may: the right is
// judged when an event is handed out to the webhook, and again before each
// attempt to deliver it.

// ApplicationDirectory says what service applications are at present.
type ApplicationDirectory interface {
	// Application returns the service application with an id, its account and
	// its administrator roles, and whether there is one still.
	Application(ctx context.Context, id string) (p twinplatform.Principal, ok bool, err error)
}

// maker is what a webhook keeps of the application that made it.
type maker struct {
	AccountID string   `json:"accountId"`
	Roles     []string `json:"roles,omitempty"` // of an administrator
}

func makerOf(p twinplatform.Principal) maker { return maker{p.AccountID, p.AdministratorRoles} }

// application is the service application that made a webhook, as it is now if
// that can be known.
func (s *Service) application(ctx context.Context, w *Webhook) (p twinplatform.Principal, ok bool, err error) {
	if s.cfg.Applications != nil {
		return s.cfg.Applications.Application(ctx, w.CreatedBy)
	}
	return twinplatform.Principal{
		ID: w.CreatedBy, AccountID: cmp.Or(w.maker.AccountID, w.AccountID), AdministratorRoles: w.maker.Roles,
		Kind: twinplatform.Service, Scopes: []string{twinplatform.ScopeWebhooksModify},
	}, true, nil
}

// right is what is known of the right to hear.
type right struct {
	held bool
	gone bool // with its twin; held is as it last was
}

// rightOf says whether whoever made a webhook may hear of what happens there.
// With its twin, the rights at it are gone; then it is as it last was, since
// what still waits was recorded before.
func (s *Service) rightOf(ctx context.Context, w *Webhook, barred bool) (r right, err error) {
	if w.CreatedBy == "" {
		return right{held: true}, nil // the system
	}
	p, ok, err := s.application(ctx, w)
	if err != nil || !ok {
		return r, err
	}
	r.held, err = s.env.Allowed(twinplatform.WithPrincipal(ctx, p), PermissionMaintainer, w.target())
	if r.held || err != nil || w.Scope != TwinScope || s.cfg.Twins == nil {
		return r, err
	}
	_, there, err := s.cfg.Twins.TwinAccount(ctx, w.ScopeID)
	return right{held: !there && !barred, gone: !there}, err
}

// confirmRight is rightOf within a transaction. Nothing is asked there that may
// answer from elsewhere; then the answer before the attempt decides.
func (s *Service) confirmRight(ctx context.Context, w *Webhook, l *lane) (r right, asked bool, err error) {
	for _, who := range []any{s.env.Authorizer, s.cfg.Twins, s.cfg.Applications} {
		if _, ok := who.(twinplatform.Transactional); who != nil && !ok {
			return right{held: true}, false, nil
		}
	}
	r, err = s.rightOf(ctx, w, l.Barred)
	return r, true, err
}

// takesAway reports whether an event is that a role, or all of them, were taken
// from whoever made a webhook.
func takesAway(e twinplatform.Event, w *Webhook) bool {
	if t := EventType(e.Type); t != MemberRemoved && t != RoleUnassigned {
		return false
	}
	var content struct {
		MemberID string `json:"memberId"`
	}
	return json.Unmarshal(e.Content, &content) == nil && content.MemberID == w.CreatedBy
}

// bar notes whether a webhook may not hear, and tells of it when that is new.
func (l *lane) bar(barred bool, now time.Time) (told []Notice) {
	if l.Barred == barred {
		return nil
	}
	l.Barred = barred
	if barred {
		return []Notice{{Kind: WebhookBarred, WebhookID: l.WebhookID, At: now}}
	}
	if !l.Down {
		l.PausedUntil = time.Time{}
	}
	return nil
}
