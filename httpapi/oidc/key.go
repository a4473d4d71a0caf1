package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

const (
	// keysLast is after how long keys are read again, while those that are known are good.
	keysLast = time.Hour
	// fetchPause is the least time between two readings of the keys, for all callers.
	fetchPause = 10 * time.Second
	// fetchTime is how long one may take.
	fetchTime = 10 * time.Second
	// maxAnswer is how much of an answer of the issuer is read, in bytes.
	maxAnswer = 1 << 20
	// maxKeys is how many keys are looked at.
	maxKeys = 100
)

// keySet are the public keys of an issuer as it published them last. Keys that are known stay
// good while the issuer is down.
type keySet struct {
	issuer string
	client *http.Client
	now    func() time.Time

	mu      sync.Mutex
	known   []jose.JSONWebKey
	fetched time.Time     // when they were read; the zero value: never
	tried   time.Time     // when that was begun last
	failure error         // of the last reading
	pending chan struct{} // closed once the reading under way is over; nil: there is none
}

func newKeySet(cfg Config) *keySet {
	client := http.Client{}
	if cfg.Client != nil {
		client = *cfg.Client
	}
	client.Transport = bounded{client.Transport}
	client.CheckRedirect = func(*http.Request,
		[]*http.Request,
	) error {
		return errors.New("the issuer sends elsewhere")
	}
	return &keySet{issuer: cfg.Issuer, client: &client, now: cfg.Now}
}

var errUnknownKey = errors.New("signed by a key that the issuer does not publish")

// find returns the keys that may have signed a token. It waits for the issuer only where it
// knows none, and then for one reading that all have in common.
func (k *keySet) find(ctx context.Context, id string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	found := k.named(id)
	if len(found) > 0 {
		if k.now().Sub(k.fetched) >= keysLast {
			k.begin()
		}
		k.mu.Unlock()
		return found, nil
	}
	pending := k.begin()
	k.mu.Unlock()
	if pending != nil {
		select {
		case <-pending:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch found := k.named(id); {
	case len(found) > 0:
		return found, nil
	case k.failure != nil:
		return nil, fmt.Errorf("the keys of %s cannot be read: %w", k.issuer, k.failure)
	}
	return nil, errUnknownKey
}

// named are the known keys with an id. A token need not name the key of an issuer that has
// a single one.
func (k *keySet) named(id string) (found []jose.JSONWebKey) {
	if id == "" && len(k.known) == 1 {
		return k.known
	}
	for _, key := range k.known {
		if id != "" && key.KeyID == id {
			found = append(found, key)
		}
	}
	return found
}

// begin begins to read the keys, unless that is under way or was tried a moment ago. It
// returns what is closed at the end; nil: nothing is read.
func (k *keySet) begin() <-chan struct{} {
	now := k.now()
	if k.pending != nil {
		return k.pending
	}
	if since := now.Sub(k.tried); !k.tried.IsZero() && since >= 0 && since < fetchPause {
		return nil
	}
	done := make(chan struct{})
	k.pending, k.tried = done, now
	go func() {
		// No caller's: one that goes away takes nothing from the others.
		ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
		defer cancel()
		keys, err := k.fetch(ctx)
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.failure = err; err == nil {
			k.known, k.fetched = keys, now
		}
		k.pending = nil
		close(done)
	}()
	return done
}

// fetch reads the keys where the metadata of the issuer say that they are.
func (k *keySet) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	provider, err := goidc.NewProvider(goidc.ClientContext(ctx, k.client), k.issuer)
	if err != nil {
		return nil, err
	}
	var metadata struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&metadata); err != nil {
		return nil, err
	}
	if at, err := url.Parse(metadata.Keys); err != nil || at.Host == "" || at.Scheme != "https" && !isHTTP(k.issuer) {
		return nil, fmt.Errorf("jwks_uri is %q", metadata.Keys)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, metadata.Keys, nil)
	if err != nil {
		return nil, err
	}
	res, err := k.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", metadata.Keys, res.Status)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.NewDecoder(res.Body).Decode(&set); err != nil {
		return nil, fmt.Errorf("%s: %w", metadata.Keys, err)
	}
	return usableKeys(set.Keys)
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "http"
}

// usableKeys are the public ones for signatures. Others may be of kinds that are not known here.
func usableKeys(published []json.RawMessage) (keys []jose.JSONWebKey, err error) {
	for _, text := range published[:min(len(published), maxKeys)] {
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) == nil && key.Valid() && key.IsPublic() && (key.Use == "sig" || key.Use == "") {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("no key for signatures is published")
	}
	return keys, nil
}

// bounded is a transport whose answers are not longer than they may be.
type bounded struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	transport := b.RoundTripper
	if transport == nil {
		transport = http.DefaultTransport
	}
	res, err := transport.RoundTrip(r)
	if err == nil {
		res.Body = &boundedBody{res.Body, maxAnswer}
	}
	return res, err
}

// boundedBody is a body that fails where it is longer than it may be.
type boundedBody struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("the answer of the issuer is too long")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
