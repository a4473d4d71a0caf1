package webhooks

import (
	"context"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// An issuer outside of the platform cannot be asked who its applications still are: what
// is known of one is the last token that it called with. So its webhooks deliver for a time
// after it was seen, and no longer.

// VisitorDirectory knows callers whose tokens an issuer outside of the platform gives
// them.
type VisitorDirectory interface {
	// Trusts reports whether tokens of an issuer are good here.
	Trusts(issuer string) bool
	// LastSeen returns a principal of an account as the last token says that it called with,
	// and when that was. ok is false where it is not known.
	LastSeen(ctx context.Context, issuer, accountID, id string) (p twinplatform.Principal, at time.Time, ok bool,
		err error)
}

// visitor is the application of an issuer that made the webhook, as it was last seen; ok is
// false where that is too long ago.
func (s subscription) visitor(ctx context.Context) (p twinplatform.Principal, ok bool, err error) {
	p, at := s.asNoted(), s.w.creator.Seen.Time
	if s.cfg.Visitors == nil || !s.cfg.Visitors.Trusts(p.Issuer) {
		return p, false, nil
	}
	last, seen, known, err := s.cfg.Visitors.LastSeen(ctx, p.Issuer, p.AccountID, p.ID)
	if err != nil {
		return p, false, err
	}
	if known && seen.After(at) {
		p, at = last, seen
	}
	return p, p.Kind == twinplatform.Service && s.now().Before(at.Add(s.cfg.VisitorTime)), nil
}

// notedEvery is how often it is noted that an application was seen.
const notedEvery = time.Hour

// meet notes on the webhooks of the calling application, when an issuer gave it its token,
// that it was seen, and what it is: after a restart nothing else shows it.
func (s *Service) meet(ctx context.Context, listed []twinplatform.Record[Webhook]) {
	p, _ := twinplatform.PrincipalFrom(ctx)
	if p.Issuer == "" || p.Kind != twinplatform.Service {
		return
	}
	now := twinplatform.At(s.now())
	stale := func(w *Webhook) bool {
		c := &w.creator
		return w.CreatedBy == p.ID && c.AccountID == p.AccountID && c.Issuer == p.Issuer &&
			(now.Sub(c.Seen.Time) >= notedEvery || !slices.Equal(c.Roles, p.AdministratorRoles))
	}
	for _, rec := range listed {
		if !stale(&rec.Value) {
			continue
		}
		err := s.bench.Update(ctx, func(u *records.Update, _ *judge.Judge) error {
			_, err := webhookRecords.Modify(u, inAccount(rec.Value.AccountID), rec.Value.ID, "",
				func(w *Webhook) error {
					if stale(w) {
						w.creator = creatorOf(p, now)
					}
					return nil
				})
			return err
		})
		if err != nil { // it is noted the next time
			s.env.Logger.WarnContext(ctx, "it was not noted that the application of a webhook was seen", "webhook",
				rec.Value.ID, "error", twinplatform.Cause(err))
		}
	}
}
