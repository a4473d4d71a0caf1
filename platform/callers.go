package platform

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Callers are who may call a platform, in the order of the file that names them.
// They are a twinplatform.PrincipalDirectory, and a webhooks.ApplicationDirectory of the
// service applications among them.
type Callers []Caller

// Caller is someone who may call.
type Caller struct {
	// Token is the secret that identifies the caller; it is never shown. Digest is there
	// in its place where the token itself is not kept.
	Token  string
	Digest TokenDigest
	// Name distinguishes this token from others; empty, or the only one of its name.
	Name      string
	Created   time.Time // the zero value where it is not known
	Expires   time.Time // from when on the token is no longer good; the zero value: never
	Principal twinplatform.Principal
	Grants    []Grant // those of several tokens of a principal add up
}

// Expired reports whether a caller's token is no longer good.
func (c *Caller) Expired(now time.Time) bool { return !c.Expires.IsZero() && !now.Before(c.Expires) }

// TokenDigest is the SHA-256 of a token. The zero value is none.
type TokenDigest [sha256.Size]byte

// DigestOf is the digest of a token.
func DigestOf(token string) TokenDigest { return sha256.Sum256([]byte(token)) }

// digestPrefix is how the text of a digest begins; hexadecimal digits follow.
const digestPrefix = "sha256:"

// MarshalText implements encoding.TextMarshaler: sha256: and 64 hexadecimal digits.
func (d TokenDigest) MarshalText() ([]byte, error) {
	return append([]byte(digestPrefix), hex.EncodeToString(d[:])...), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *TokenDigest) UnmarshalText(text []byte) error {
	digits, ok := bytes.CutPrefix(text, []byte(digestPrefix))
	if !ok || len(digits) != hex.EncodedLen(len(d)) {
		return errBadDigest
	}
	if _, err := hex.Decode(d[:], digits); err != nil {
		return errBadDigest // which does not say what is there: it may be the token
	}
	return nil
}

var errBadDigest = errors.New("a digest is sha256: and 64 hexadecimal digits")

// ErrNoCallers is what reading a file fails with that names no caller.
var ErrNoCallers = errors.New("there are none, so no caller could be known")

// Grant is what a principal may do at a twin and below it or, with a ModelID, at a
// single model of the twin.
type Grant struct {
	TwinID string `json:"twinId"` // that of an account is the account's id
	// ModelID names a model of the twin itself. The permissions are among
	// models.ModelPermissions then.
	ModelID     string   `json:"modelId,omitempty"`
	Permissions []string `json:"permissions"` // none grants nothing
}

// check reports what is wrong with a grant. own are permissions of the program.
func (g *Grant) check(own []string) error {
	foreign := func(p string) bool { return !slices.Contains(models.ModelPermissions(), p) }
	known := slices.Concat(twins.Permissions(), own)
	unknown := slices.IndexFunc(g.Permissions, func(p string) bool { return !slices.Contains(known, p) })
	switch {
	case g.TwinID == "" || slices.Contains(g.Permissions, ""):
		return errors.New("a grant needs a twinId and permissions that are not empty")
	case g.ModelID != "" && slices.ContainsFunc(g.Permissions, foreign):
		return fmt.Errorf("a grant with a modelId has the permissions %s alone",
			strings.Join(models.ModelPermissions(), " and "))
	case unknown >= 0:
		return errors.New(problem.Unknown("permission", g.Permissions[unknown], known))
	}
	return nil
}

// Tokens are the principals by their tokens, as httpapi.StaticTokens takes them: those that
// are kept by their digests alone are not among them.
func (c Callers) Tokens() map[string]twinplatform.Principal {
	m := make(map[string]twinplatform.Principal, len(c))
	for _, caller := range c {
		if caller.Token != "" {
			m[caller.Token] = caller.Principal
		}
	}
	return m
}

// At are the callers whose tokens are good at a time.
func (c Callers) At(now time.Time) Callers {
	if !slices.ContainsFunc(c, func(caller Caller) bool { return caller.Expired(now) }) {
		return c
	}
	return slices.DeleteFunc(slices.Clone(c), func(caller Caller) bool { return caller.Expired(now) })
}

// principal is the one with an id.
func (c Callers) principal(id string) twinplatform.Principal {
	if i := slices.IndexFunc(c, func(c Caller) bool { return c.Principal.ID == id }); i >= 0 {
		return c[i].Principal
	}
	return twinplatform.Principal{ID: id, Kind: twinplatform.User}
}

// granted is the principal that is granted something.
func (c Callers) granted(at grantee) twinplatform.Principal {
	has := func(g Grant) bool { return g.TwinID == at.TwinID && g.ModelID == at.ModelID }
	i := slices.IndexFunc(c, func(c Caller) bool {
		return c.Principal.ID == at.PrincipalID &&
			slices.ContainsFunc(c.Grants, has)
	})
	if i < 0 {
		return c.principal(at.PrincipalID)
	}
	return c[i].Principal
}

// Application implements webhooks.ApplicationDirectory: an application is one
// that may call.
func (c Callers) Application(_ context.Context, id string) (twinplatform.Principal, bool, error) {
	p := c.principal(id)
	return p, p.Kind == twinplatform.Service, nil
}

// Principal implements twinplatform.PrincipalDirectory. A principal with several tokens
// may do what any of them may.
func (c Callers) Principal(_ context.Context, accountID, id string) (p twinplatform.Principal, ok bool, err error) {
	for _, caller := range c {
		switch {
		case caller.Principal.ID != id || caller.Principal.AccountID != accountID:
		case !ok:
			p, ok = caller.Principal, true
		default:
			p.Scopes = slices.Concat(p.Scopes, caller.Principal.Scopes)
			p.AdministratorRoles = slices.Concat(p.AdministratorRoles, caller.Principal.AdministratorRoles)
		}
	}
	return p, ok, nil
}

// Transactional implements twinplatform.Transactional: no one is asked.
func (Callers) Transactional() {}

// ReadCallers reads a JSON array of callers:
//
//	[{"token": "…", "principal": {"id": "…", "displayName": "…", "email": "…", "accountId": "…", "kind": "User",
//	  "scopes": ["twin-platform"], "organizationAdmin": false},
//	  "grants": [{"twinId": "…", "permissions": ["schedules_read"]},
//	             {"twinId": "…", "modelId": "…", "permissions": ["models_read"]}]}]
//
// In the place of the token there may be its digest, "sha256:" and 64 hexadecimal digits; a
// name of the token, and when it was created and expires ("2027-01-31T00:00:00Z"), may be
// next to both.
//
// An organizationAdmin has the role AccountAdministrator. Unknown members are refused,
// and so are a token or a name given twice, no caller at all ([ErrNoCallers]), and scopes
// and permissions that there are not. Errors hold no token.
func ReadCallers(r io.Reader) (Callers, error) { return ReadCallersWith(r) }

// ReadCallersWith is ReadCallers for a program with its own permissions, as
// twins.Config.Permissions has them.
func ReadCallersWith(r io.Reader, own ...string) (Callers, error) {
	var entries []struct {
		Name      string      `json:"name"`
		Token     string      `json:"token"`
		Digest    TokenDigest `json:"digest"`
		Created   time.Time   `json:"created"`
		Expires   time.Time   `json:"expires"`
		Principal struct {
			ID                string                     `json:"id"`
			DisplayName       string                     `json:"displayName"`
			Email             string                     `json:"email"`
			AccountID         string                     `json:"accountId"`
			Kind              twinplatform.PrincipalKind `json:"kind"`
			Scopes            []string                   `json:"scopes"`
			OrganizationAdmin bool                       `json:"organizationAdmin"`
		} `json:"principal"`
		Grants []Grant `json:"grants"`
	}
	if err := readStrictly(r, &entries); err != nil {
		return nil, err
	}
	var callers Callers
	for i, e := range entries {
		c := Caller{
			Token: e.Token, Digest: e.Digest, Name: e.Name, Created: e.Created, Expires: e.Expires,
			Grants: e.Grants, Principal: twinplatform.Principal{
				ID: e.Principal.ID, DisplayName: e.Principal.DisplayName, Email: e.Principal.Email,
				AccountID: e.Principal.AccountID,
				Kind:      e.Principal.Kind, Scopes: e.Principal.Scopes,
			},
		}
		if e.Principal.OrganizationAdmin {
			c.Principal.AdministratorRoles = []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
		}
		if err := c.check(callers, own); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		callers = append(callers, c)
	}
	if len(callers) == 0 {
		return nil, ErrNoCallers
	}
	return callers, nil
}

func (c *Caller) check(before Callers, own []string) error {
	unsendable := func(b byte) bool { return b <= ' ' || b > '~' }
	p := c.Principal
	switch {
	case c.Token != "" && c.Digest != TokenDigest{}:
		return errors.New("the token and a digest are both there; only one of them may identify the caller")
	case strings.ContainsFunc(c.Name, unprintable) || len(c.Name) > maxTokenName:
		return errors.New("the name of a token is one line of at most 128 bytes")
	case c.Name != "" && slices.ContainsFunc(before, func(other Caller) bool { return other.Name == c.Name }):
		return fmt.Errorf("the name %q is in the file already", c.Name)
	case c.Digest == TokenDigest{} && (c.Token == "" || slices.ContainsFunc([]byte(c.Token), unsendable)):
		return errors.New("the token is empty, or has characters that no Authorization header may carry")
	case slices.ContainsFunc(before, func(other Caller) bool { return other.TokenDigest() == c.TokenDigest() }):
		return errors.New("the token is in the file already")
	case p.ID == "" || p.AccountID == "":
		return errors.New("the principal needs an id and an accountId")
	case p.Kind != twinplatform.User && p.Kind != twinplatform.Service:
		return fmt.Errorf("the principal's kind is %q; want %s or %s", p.Kind, twinplatform.User, twinplatform.Service)
	}
	for _, scope := range p.Scopes {
		if !slices.Contains(twinplatform.Scopes(), scope) {
			return errors.New(problem.Unknown("scope", scope, twinplatform.Scopes()))
		}
	}
	for _, g := range c.Grants {
		if err := g.check(own); err != nil {
			return err
		}
	}
	return nil
}

// maxTokenName is the length of the longest name of a token, in bytes.
const maxTokenName = 128

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// TokenDigest is the digest of the caller's token, whichever of the two is kept.
func (c *Caller) TokenDigest() TokenDigest {
	if c.Token != "" {
		return DigestOf(c.Token)
	}
	return c.Digest
}

// readStrictly decodes the one JSON value of a file and refuses members that no one would
// read.
func readStrictly(r io.Reader, v any) error {
	if r == nil {
		return errors.New("there is nothing to read")
	}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("the file is empty")
		}
		return fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("at byte %d: there is more than one value", d.InputOffset())
	}
	return nil
}
