package console

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
)

// Bounds of sessions.
const (
	// MaxSessions is how many browsers are signed in at a time. Who was away the longest
	// is signed out then.
	MaxSessions = 1000
	// SessionIdle is how long a session lasts in which nothing is asked for, and
	// SessionLife how long one lasts at most.
	SessionIdle = 8 * time.Hour
	SessionLife = 24 * time.Hour
	// MaxGuesses is how many wrong tokens a minute are looked at from one address: from
	// one network of 64 bits where addresses have 128. A viewer that comes through a proxy has
	// the address of that.
	MaxGuesses = 60
	// MaxGuessers are of how many addresses that is remembered; of those that guessed
	// last.
	MaxGuessers = 2000
)

// signedOut is in the cookie of a browser that does not want to act as a caller of
// Config.Demo.
const signedOut = "none"

// sessions are the browsers that are signed in.
type sessions struct {
	now     func() time.Time
	guesses *guesses

	mu  sync.Mutex
	all map[[sha256.Size]byte]*session // by the digest of the id, so that timing reveals no ids
}

type session struct {
	token       string
	began, used time.Time
}

// newSessions begins without any; now is the clock by which they end.
func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, guesses: newGuesses(now), all: make(map[[sha256.Size]byte]*session)}
}

// begin makes a session and returns its id.
func (s *sessions) begin(token string) string {
	id := rand.Text()
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) >= MaxSessions {
		s.forget(now)
	}
	s.all[sha256.Sum256([]byte(id))] = &session{token, now, now}
	return id
}

// forget makes room for one.
func (s *sessions) forget(now time.Time) {
	var oldest [sha256.Size]byte
	var since time.Time
	for digest, one := range s.all {
		if one.over(now) {
			delete(s.all, digest)
		} else if since.IsZero() || one.used.Before(since) {
			oldest, since = digest, one.used
		}
	}
	if len(s.all) >= MaxSessions {
		delete(s.all, oldest)
	}
}

// over reports whether a session has ended: of age, or unused for too long.
func (s *session) over(now time.Time) bool {
	return now.Sub(s.used) >= SessionIdle || now.Sub(s.began) >= SessionLife
}

// token is that of a session.
func (s *sessions) token(id string) (token string, ok bool) {
	digest, now := sha256.Sum256([]byte(id)), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[digest]
	if one == nil {
		return "", false
	}
	if one.over(now) {
		delete(s.all, digest)
		return "", false
	}
	one.used = now
	return one.token, true
}

// end forgets a session.
func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, sha256.Sum256([]byte(id)))
}

// cookie is the name of the session's cookie. Browsers share cookies between the ports of
// a host, so the name does.
func cookie(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		if n, err := strconv.ParseUint(port, 10, 16); err == nil {
			return "twinplatform-console-" + strconv.FormatUint(n, 10)
		}
	}
	return "twinplatform-console"
}

// identify finds out who asks for the page.
func (r *request) identify() error {
	id := ""
	if c, err := r.Cookie(cookie(r.Request)); err == nil {
		id = c.Value
	}
	token, ok := r.console.sessions.token(id)
	if !ok {
		if demo := r.console.cfg.Demo; len(demo) > 0 && id != signedOut {
			id, token, ok = "", demo[0].Token, true
		}
	}
	if !ok {
		return errSignIn
	}
	p, err := r.console.authenticate(r.Request, token)
	if errors.Is(err, twinplatform.Unauthenticated) {
		r.console.sessions.end(id)
		return errSignIn
	}
	if err != nil {
		return errUnchecked
	}
	r.who = caller{p, token, id}
	return nil
}

// authenticate asks who has a token.
func (c *Console) authenticate(r *http.Request, token string) (twinplatform.Principal, error) {
	asked := &http.Request{
		Method: http.MethodGet, URL: r.URL, Host: r.Host, TLS: r.TLS, RemoteAddr: r.RemoteAddr, Body: http.NoBody,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Authorization": {"Bearer " + token}},
	}
	p, err := c.cfg.API.Authenticator.Authenticate(asked.WithContext(r.Context()))
	if err == nil && p.ID == "" {
		err = twinplatform.Unauthenticated
	}
	return p, err
}

var sessionPages = table{
	{pattern: "GET /sign-in", title: "Sign in", page: signInPage, open: true},
	{pattern: "POST /sign-in", act: signIn, open: true, harmless: true},
	{pattern: "POST /sign-out", act: signOut, open: true, harmless: true},
}

func signInPage(r *request) (view, error) { return r.show("signin", r.signInForm("", "/")) }

// signInForm asks for a token; refused says what was wrong with the last one, and next
// is the page to go to.
func (r *request) signInForm(refused, next string) signInView {
	r.title = "Sign in"
	return signInView{request: r, Refused: refused, Next: next, Name: r.PostForm.Get("name"), Demo: r.console.cfg.Demo}
}

// signInView is the form to sign in, with the callers that need no token.
type signInView struct {
	*request
	Refused, Next string
	Name          string // as it was typed
	Demo          []Caller
	Elsewhere     bool // the browser came from another site, without its cookie
}

// signIn begins a session for a token, which the browser never gets back. Every attempt
// takes a guess of its address before the token is looked at, and gives it back unless
// the token was wrong.
func signIn(r *request) (target, error) {
	token := strings.TrimSpace(r.PostForm.Get("token"))
	if i, err := strconv.Atoi(r.PostForm.Get("demo")); err == nil && i >= 0 && i < len(r.console.cfg.Demo) {
		token = r.console.cfg.Demo[i].Token
	}
	s := r.console.sessions
	if !s.guesses.take(r.RemoteAddr) {
		return target{}, &problem{
			http.StatusTooManyRequests, "Too many failed attempts",
			"Your address sent too many wrong tokens. Try again in a minute.",
		}
	}
	_, err := r.console.authenticate(r.Request, token)
	if errors.Is(err, twinplatform.Unauthenticated) {
		return target{}, errWrongToken
	}
	s.guesses.giveBack(r.RemoteAddr)
	if err != nil {
		return target{}, errUnchecked
	}
	s.end(r.who.session)
	r.setCookie(s.begin(token))
	return to(pageOnly(r.PostForm.Get("next"))), nil
}

// pageOnly is a path of the console to go to next. No page has a colon in its first
// segment, where browsers would read a scheme.
func pageOnly(next string) string {
	unsafe := func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("\\?#", r) }
	rest, absolute := strings.CutPrefix(next, "/")
	first, _, _ := strings.Cut(rest, "/")
	if !absolute || strings.ContainsFunc(rest, unsafe) || strings.Contains(first, ":") ||
		strings.Contains(next, "//") || strings.Contains(rest, "..") {
		return "/"
	}
	return next
}

// signOut ends the session of this browser, on the server too: a copy of the cookie is
// worth nothing then.
func signOut(r *request) (target, error) {
	r.console.sessions.end(r.who.session)
	r.setCookie(signedOut)
	return to("/sign-in"), nil
}

// setCookie sets the cookie of a session; an empty value ends it. It is Secure over TLS
// and where the base address is https, which a proxy ends.
func (r *request) setCookie(value string) {
	http.SetCookie(r.w, &http.Cookie{
		Name: cookie(r.Request), Value: value, Path: r.console.cookieAt, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: r.console.secure || r.TLS != nil,
	})
}

// notices are sentences on what was done, which are in addresses: signed, so that no
// other site makes the console say anything, and each for one caller.
type notices struct{ key []byte }

// newNotices has a key of this process: after a restart old notices are not shown.
func newNotices() notices {
	key := make([]byte, sha256.Size)
	rand.Read(key)
	return notices{key}
}

// maxNotice bounds the text of a notice, which is in an address.
const maxNotice = 500

// sign is a notice for one caller as it is in an address.
func (n notices) sign(who, text string) string {
	if len(text) > maxNotice {
		text = strings.ToValidUTF8(text[:maxNotice], "") + "…"
	}
	return base64.RawURLEncoding.EncodeToString(append(n.of(who, text), text...))
}

// text is the sentence of what sign has returned; empty for anything else.
func (n notices) text(who, signed string) string {
	b, err := base64.RawURLEncoding.DecodeString(signed)
	if err != nil || len(b) < sha256.Size || !hmac.Equal(b[:sha256.Size], n.of(who, string(b[sha256.Size:]))) {
		return ""
	}
	return string(b[sha256.Size:])
}

// of is the signature. It covers the caller, so that an address that is sent to another one
// shows nothing there.
func (n notices) of(who, text string) []byte {
	h := hmac.New(sha256.New, n.key)
	h.Write([]byte(who + "\n" + text))
	return h.Sum(nil)
}

// guesses bound how many wrong tokens are looked at from each address, so that a client that
// tries many of them holds up no other client.
type guesses struct {
	now func() time.Time

	mu  sync.Mutex
	all map[netip.Prefix]*guesser
}

// guesser is an address that has guessed recently.
type guesser struct {
	left float64 // guesses at that time
	at   time.Time
}

// newGuesses begins without any address; now is the clock by which minutes are counted.
func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, all: make(map[netip.Prefix]*guesser)}
}

// take counts a guess before it is looked at, and reports whether it may be.
func (g *guesses) take(remote string) bool {
	from, now := allowance.Network(remote), g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.all[from]
	if one == nil {
		if len(g.all) >= MaxGuessers {
			g.forget(now)
		}
		one = &guesser{MaxGuesses, now}
		g.all[from] = one
	}
	one.left, one.at = one.by(now), now
	if one.left < 1 {
		return false
	}
	one.left--
	return true
}

// giveBack takes back what take has counted of a token that was no wrong one.
func (g *guesses) giveBack(remote string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if one := g.all[allowance.Network(remote)]; one != nil {
		one.left = min(one.left+1, MaxGuesses)
	}
}

// by is how many guesses are left by a time: all of them a minute after the last one.
func (o *guesser) by(now time.Time) float64 {
	return min(o.left+max(now.Sub(o.at), 0).Minutes()*MaxGuesses, MaxGuesses)
}

// forget makes room for one: of those with all guesses left, or else of the one that
// guessed the longest ago.
func (g *guesses) forget(now time.Time) {
	var oldest netip.Prefix
	var since time.Time
	for from, one := range g.all {
		if one.by(now) == MaxGuesses {
			delete(g.all, from)
		} else if since.IsZero() || one.at.Before(since) {
			oldest, since = from, one.at
		}
	}
	if len(g.all) >= MaxGuessers {
		delete(g.all, oldest)
	}
}
