package signin

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// pollInterval is how long a device waits between two questions.
const pollInterval = 5 * time.Second

// askDevice begins the sign-in of a program that has no browser (RFC 8628).
func (p *Provider) askDevice(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		writeRefusal(w, err)
		return
	}
	id, secret, err := credentials(r, form)
	if _, ok := p.client(id); err == nil && (!ok || secret != "") {
		err = refuse("invalid_client", "there is no client of this id without a secret")
	}
	if err != nil {
		writeRefusal(w, err)
		return
	}
	now := p.cfg.Now()
	secretCode, userCode := rand.Text(), newUserCode()
	d := device{
		client: id, userCode: userCode, scopes: strings.Fields(form.Get("scope")), expires: now.Add(deviceTime),
		interval: pollInterval,
	}
	p.state.mu.Lock()
	err = keep(p.state.devices, secretCode, d, func(old device) bool { return !now.Before(old.expires) })
	p.state.mu.Unlock()
	if err != nil {
		writeRefusal(w, err)
		return
	}
	at := p.cfg.Issuer + devicePath
	writeJSON(w, http.StatusOK, map[string]any{
		"device_code": secretCode, "user_code": userCode, "verification_uri": at, "verification_uri_complete": at +
			"?user_code=" + userCode,
		"expires_in": int(deviceTime.Seconds()), "interval": int(pollInterval.Seconds()),
	})
}

// userLetters are the letters of user codes, 20 as RFC 8628 proposes: without vowels they
// spell no words, and none looks like a digit.
const userLetters = "BCDFGHJKLMNPQRSTVWXZ"

// newUserCode is one that people type, such as WDJB-MJHT.
func newUserCode() string {
	var b strings.Builder
	for b.Len() < 9 {
		if b.Len() == 4 {
			b.WriteByte('-')
			continue
		}
		var one [1]byte
		if _, _ = rand.Read(one[:]); int(one[0]) < 256/len(userLetters)*len(userLetters) { // all as likely
			b.WriteByte(userLetters[int(one[0])%len(userLetters)])
		}
	}
	return b.String()
}

// device shows the page on which people let a device in.
func (p *Provider) device(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	v := view{Title: "Sign in on a device", Code: r.URL.Query().Get("user_code"), Device: true}
	status := http.StatusOK
	if err == nil && r.Method == http.MethodPost {
		v.Code, v.Name = form.Get("code"), form.Get("user")
		if v.Problem = p.letIn(r.Context(), form); v.Problem == "" {
			v = view{Title: "Done", Done: "The device has its answer. You can close this page."}
		} else {
			status = http.StatusUnauthorized
		}
	}
	p.show(w, status, v)
}

// letIn gives a device what the form of a person says, or says what is wrong with it.
func (p *Provider) letIn(ctx context.Context, form url.Values) (problem string) {
	now := p.cfg.Now()
	denied := form.Get("answer") == "deny"
	caller, ok := p.person(form)
	if !ok && !denied {
		return wrongPassword
	}
	if ok {
		p.cfg.Caller(ctx, caller.Principal)
	}
	typed := strings.ToUpper(strings.Trim(form.Get("code"), " "))
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	for secret, d := range p.state.devices {
		if d.userCode != typed || !now.Before(d.expires) || d.granted != nil || d.denied {
			continue
		}
		if d.denied = denied; !denied {
			d.granted = &grant{
				client: d.client, digest: caller.TokenDigest(), signedIn: now,
				scopes: scopesOf(strings.Join(d.scopes, " "), caller.Principal, true),
			}
		}
		p.state.devices[secret] = d
		return ""
	}
	return "No device waits with this code."
}

// pollDevice answers a device that asks whether it was let in.
func (p *Provider) pollDevice(client string, form url.Values) (issued, error) {
	now := p.cfg.Now()
	s, refresh, err := p.letInBy(client, form.Get("device_code"), now)
	if err != nil {
		return issued{}, err
	}
	return p.issue(s, refresh, now)
}

func (p *Provider) letInBy(client, secret string, now time.Time) (s session, refresh string, err error) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	d, ok := p.state.devices[secret]
	switch {
	case !ok || d.client != client:
		return s, "", errBadGrant
	case !now.Before(d.expires):
		return s, "", refuse("expired_token", "the code has expired")
	case d.denied:
		return s, "", refuse("access_denied", "the user has not let the device in")
	case d.granted == nil:
		early := now.Before(d.next)
		if early {
			d.interval += pollInterval
		}
		d.next = now.Add(d.interval)
		p.state.devices[secret] = d
		if early {
			return s, "", refuse("slow_down", "wait longer before the next question")
		}
		return s, "", refuse("authorization_pending", "the device waits to be let in")
	}
	delete(p.state.devices, secret)
	return p.beginSession(*d.granted, now)
}
