package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// registry shows the webhooks to the delivery engine.
type registry struct{ *Service }

var _ delivery.Registry = registry{}

// subscription is a webhook as the engine asks it.
type subscription struct {
	*Service
	w *Webhook
}

// endpoint is a webhook as the engine sees it.
func (s *Service) endpoint(w *Webhook) *delivery.Endpoint {
	e := &delivery.Endpoint{
		ID: w.ID, URL: w.CallbackURL, Active: w.Active, Tenant: w.AccountID, Queue: w.queue,
		Subscription: subscription{s, w},
	}
	if e.Tenant == "" {
		e.Tenant = w.ScopeID
	}
	if u, err := url.Parse(w.CallbackURL); s.cfg.Inbox != nil && err == nil &&
		strings.EqualFold(u.Hostname(), inbox.Host) {
		e.Inside = s.cfg.Inbox.For(w.ID, subscription{s, w}.asNoted())
	}
	return e
}

func (r registry) Endpoint(tx records.Reading, id string) (*delivery.Endpoint, error) {
	w, err := callsOf(r.Service).known.Value(tx, &webhookRecords, allAccounts, id)
	if err != nil {
		return nil, err
	}
	return r.endpoint(w), nil
}

func (r registry) Endpoints(tx records.Reading) iter.Seq2[*delivery.Endpoint, error] {
	return func(yield func(*delivery.Endpoint, error) bool) {
		for w, err := range webhookRecords.All(tx, allAccounts, "") {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(r.endpoint(w), nil) {
				return
			}
		}
	}
}

func (r registry) Listeners(tx records.Reading) func(twinplatform.Event, string, []string) iter.Seq2[*delivery.Endpoint,
	error] {
	l := listeners{r: r, tx: tx, ids: make(map[string][]string), endpoints: make(map[string]*delivery.Endpoint)}
	return l.of
}

// listeners are the listeners of each place that one transaction knows.
type listeners struct {
	r         registry
	tx        records.Reading
	ids       map[string][]string // by place
	endpoints map[string]*delivery.Endpoint
}

func (l *listeners) of(e twinplatform.Event, after string, changed []string) iter.Seq2[*delivery.Endpoint, error] {
	places := placesOf(e)
	ids, err := l.among(changed, places)
	if err != nil {
		return func(yield func(*delivery.Endpoint, error) bool) { yield(nil, err) }
	}
	for _, place := range places {
		if _, ok := l.ids[place]; !ok {
			l.ids[place] = slices.Collect(webhookRecords.IDs(l.tx, allAccounts, "hears", place))
		}
		ids = append(ids, l.ids[place]...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	first, found := slices.BinarySearch(ids, after)
	if found {
		first++
	}
	return func(yield func(*delivery.Endpoint, error) bool) {
		for _, id := range ids[first:] {
			endpoint, err := l.endpoint(id)
			if err == nil && !l.r.receives(endpoint, e) {
				continue
			}
			if !yield(endpoint, err) || err != nil {
				return
			}
		}
	}
}

// among returns which of some webhooks listen to one of the places.
func (l *listeners) among(changed, places []string) (ids []string, err error) {
	for _, id := range changed {
		e, err := l.endpoint(id)
		if errors.Is(err, records.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if w := e.Subscription.(subscription).w; slices.Contains(places, placeKey(w.Scope, w.ScopeID)) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// receives reports whether a webhook receives an event of its place. Without a directory
// several accounts may have a twin with the same id: each receives the events of its own.
func (s *Service) receives(to *delivery.Endpoint, e twinplatform.Event) bool {
	w := to.Subscription.(subscription).w
	return s.cfg.Twins != nil || w.AccountID == "" || e.AccountID == "" || w.AccountID == e.AccountID
}

func (l *listeners) endpoint(id string) (endpoint *delivery.Endpoint, err error) {
	if known, ok := l.endpoints[id]; ok {
		return known, nil
	}
	if endpoint, err = l.r.Endpoint(l.tx, id); err == nil {
		l.endpoints[id] = endpoint
	}
	return endpoint, err
}

// placesOf are where an event happened: the account, the twin, and the twin that contains
// the one which the event is about, since the webhooks of a twin receive what is created
// inside it.
func placesOf(e twinplatform.Event) []string {
	places := []string{placeKey(AccountScope, e.AccountID)}
	if e.TwinID != "" {
		places = append(places, placeKey(TwinScope, e.TwinID))
	}
	if event.AreaOf(e.Type) != event.AreaOf(event.TypeTwinCreated) {
		return places
	}
	var content event.TwinCreated // whose members those of the other events of twins have
	if json.Unmarshal(e.Content, &content) == nil && content.ParentID != "" && content.ParentID != e.TwinID {
		places = append(places, placeKey(TwinScope, content.ParentID))
	}
	return places
}

func (r registry) Signer(tx records.Reading, e *delivery.Endpoint, now time.Time) (delivery.Sign, error) {
	keys, err := keyrings.Value(tx, e.Queue.Scope(), e.ID)
	if err != nil {
		return nil, err
	}
	secrets, err := r.cfg.SealingKey.openAll(keys, now)
	return func(header http.Header, messageID string, at time.Time, body []byte) {
		receiver.Sign(header, messageID, at, body, secrets...)
	}, err
}

func (r registry) Deactivate(u *records.Update, id string, now time.Time) (was bool, err error) {
	w, err := webhookRecords.Value(u, allAccounts, id)
	if err != nil || !w.Active {
		return false, err
	}
	if err := r.note(context.Background(), u, w); err != nil {
		return false, err
	}
	_, err = webhookRecords.Modify(u, allAccounts, id, "", func(w *Webhook) error {
		w.Active, w.Modified = false, twinplatform.At(now)
		return nil
	})
	return err == nil, err
}

func (r registry) Remove(ctx context.Context, id string) error {
	_, err := callsOf(r.Service).deleteWebhook.Start(ctx,
		jobs.Spec{AtOnce: true, Scope: allAccounts, Subjects: []string{id}}, &removal{WebhookID: id})
	if errors.Is(err, errNoWebhook.Err()) {
		return nil
	}
	return err
}

func (registry) Reindex(u *records.Update, id string) error {
	return webhookRecords.Reindex(u, allAccounts, id)
}

// note keeps what a webhook, or the right of who made it, is and is about to change from, for
// the events that happened so far.
func (s *Service) note(ctx context.Context, u *records.Update, w *Webhook) error {
	queues, err := s.queuesFor(u, w)
	if err != nil {
		return err
	}
	return s.engine.Note(ctx, u, s.endpoint(w), queues...)
}

// queuesFor are the queues of the events that a webhook may receive: that of its account,
// and without a directory, see receives, that of none, or of all for one of none.
func (s *Service) queuesFor(tx records.Reading, w *Webhook) (queues []records.Queue, err error) {
	switch own := records.QueueOf(w.AccountID); {
	case s.cfg.Twins != nil:
		return []records.Queue{own}, nil
	case w.AccountID != "":
		return []records.Queue{own, records.QueueOf("")}, nil
	}
	q, err := records.NextQueue(tx, "")
	for ; q != "" && err == nil; q, err = records.NextQueue(tx, q) {
		queues = append(queues, q)
	}
	return queues, err
}

func (s subscription) Subscribed() []string {
	types := make([]string, len(s.w.EventTypes))
	for i, t := range s.w.EventTypes {
		types[i] = string(t)
	}
	return types
}

func (s subscription) Concerns(eventType string) (wants, rights bool) {
	rights = event.AreaOf(eventType) == event.AreaOf(event.TypeMemberRemoved)
	return slices.Contains(s.w.EventTypes, EventType(eventType)), rights
}

// RevokedBy reports whether an event is that a role, or all of them, were taken from the
// application that made the webhook.
func (s subscription) RevokedBy(e twinplatform.Event) bool {
	if e.Type != event.TypeMemberRemoved && e.Type != event.TypeRoleUnassigned {
		return false
	}
	var content event.MemberRemoved // whose members a taken role has too
	return json.Unmarshal(e.Content, &content) == nil && content.MemberID == s.w.CreatedBy
}
