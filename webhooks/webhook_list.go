package webhooks

import (
	"context"
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Webhook returns a webhook (GET /webhooks/{webhookId}). The token of the caller
// must carry the scope webhooks:read or webhooks:modify. The caller is a service
// application that holds PermissionMaintainer at what the webhook listens to, or
// anybody who holds PermissionAdministrator there.
//
// Errors: WebhookNotFound, InsufficientPermissions.
func (s *Service) Webhook(ctx context.Context, webhookID string) (rec twinplatform.Record[Webhook], err error) {
	err = s.read(ctx, webhookID, func(_ *records.View, found twinplatform.Record[Webhook]) error {
		rec = found
		return nil
	})
	if err == nil {
		s.meet(ctx, []twinplatform.Record[Webhook]{rec})
	}
	return rec, err
}

// WebhookQuery selects the webhooks to list.
type WebhookQuery struct {
	// TwinID lists the webhooks of one twin, for those who maintain or
	// administer them; empty lists those that concern the caller.
	TwinID string
}

// Webhooks lists, on one page in the order of their ids (GET /webhooks/): the
// webhooks that the calling service application has made and may still read, and
// those of the caller's account that the caller administers: all of them for an
// organization administrator, and otherwise those of twins at which it holds
// PermissionAdministrator. The system gets all there are.
//
// Errors: InsufficientPermissions; InvalidWebhooksRequest with InvalidValue (twinId), if it is
// no GUID and the caller may see no webhooks of a twin that is called so.
func (s *Service) Webhooks(ctx context.Context, q WebhookQuery) (page twinplatform.Page[Webhook], err error) {
	if err := admitReader(ctx); err != nil {
		return page, err
	}
	var listed []twinplatform.Record[Webhook]
	err = s.bench.View(ctx, func(v *records.View, j *judge.Judge) error {
		listed = nil
		if err := named(j, q.TwinID); err != nil {
			return err
		}
		found, err := candidates(j, v, q)
		if err != nil {
			return err
		}
		for _, rec := range found {
			in, err := isListed(j, &rec.Value, q)
			if err != nil {
				return err
			}
			if in {
				listed = append(listed, rec)
			}
		}
		return nil
	})
	if err != nil {
		return page, err
	}
	s.meet(ctx, listed)
	page = twinplatform.PageOf(listed)
	page.Top = len(listed)
	return page, nil
}

// named checks the id of a twin whose webhooks are asked for: what is no GUID is one alone
// at which the caller may see webhooks.
func named(j *judge.Judge, twinID string) error {
	if problem.Strange("twinId", twinID, false) == nil {
		return nil
	}
	p, _ := j.Caller()
	visible, err := j.Holds(p.AccountID, twinID, PermissionAdministrator, PermissionMaintainer)
	if strange := problem.Strange("twinId", twinID, visible); err == nil && strange != nil {
		return problem.With(InvalidRequest, strange...)
	}
	return err
}

// isListed reports whether a webhook is in the caller's list.
func isListed(j *judge.Judge, w *Webhook, q WebhookQuery) (bool, error) {
	has, err := accessTo(j, w)
	p, called := j.Caller()
	if err != nil || has == noAccess || !called || q.TwinID != "" || has == administers {
		return has != noAccess, err
	}
	if w.CreatedBy == p.ID {
		return true, nil
	}
	return j.Allowed(PermissionAdministrator, w.target())
}

// candidates are the webhooks that may be in the caller's list, by id.
func candidates(j *judge.Judge, v *records.View, q WebhookQuery) (out []twinplatform.Record[Webhook], err error) {
	p, called := j.Caller()
	indexes := [][2]string{{"creator", p.ID}, {"account", p.AccountID}}
	switch {
	case q.TwinID != "":
		indexes = [][2]string{{"place", placeKey(TwinScope, q.TwinID)}}
	case !called:
		indexes = nil
	}
	ids := make(map[string]bool)
	for _, index := range indexes {
		records.Declare(v, webhookRecords.NeedsIndexed(allAccounts, index[0], index[1])...)
	}
	for _, index := range indexes {
		for id := range webhookRecords.IDs(v, allAccounts, index[0], index[1]) {
			ids[id] = true
		}
	}
	if indexes == nil {
		for w, err := range webhookRecords.All(v, allAccounts, "") {
			if err != nil {
				return nil, err
			}
			ids[w.ID] = true
		}
	}
	found := slices.Sorted(maps.Keys(ids))
	expect(v, j, found...)
	for _, id := range found {
		rec, err := webhookRecords.Get(v, allAccounts, id)
		if err != nil {
			return nil, err
		}
		met(v, id)
		out = append(out, rec)
	}
	return out, nil
}
