package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
)

// demoToken is what the demo principal's clients send. It is the same each time
// as long as only this machine can reach the server; see demoAccess.
const demoToken = "demo"

// demoPrincipal is who calls when no tokens file is given.
var demoPrincipal = twinplatform.Principal{
	ID:          "11111111-1111-4111-8111-111111111111",
	DisplayName: "Demo",
	AccountID:   "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
	Kind:        twinplatform.User,
	Scopes:      []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
}

// access is who may call, and what they may do. It is the Authorizer of the
// services.
type access struct {
	callers []caller // in the order of the file; at least one
	grants  map[grant]bool
	demo    bool
}

type caller struct {
	token     string
	principal twinplatform.Principal
}

// grant is one permission of one principal on one twin.
type grant struct{ principalID, twinID, permission string }

var _ twinplatform.Authorizer = (*access)(nil)

// Allowed implements twinplatform.Authorizer.
func (a *access) Allowed(_ context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return a.demo || a.grants[grant{p.ID, target.TwinID, permission}], nil
}

// account is whose the twins are that name no account.
func (a *access) account() string { return a.callers[0].principal.AccountID }

// tokens are the principals by their tokens.
func (a *access) tokens() map[string]twinplatform.Principal {
	m := make(map[string]twinplatform.Principal, len(a.callers))
	for _, c := range a.callers {
		m[c.token] = c.principal
	}
	return m
}

// demoAccess lets one principal do everything in every account.
func demoAccess(token string) *access {
	return &access{demo: true, callers: []caller{{token, demoPrincipal}}}
}

// tokenEntry is one entry of the tokens file.
type tokenEntry struct {
	Token     string `json:"token"`
	Principal struct {
		ID                string                     `json:"id"`
		DisplayName       string                     `json:"displayName"`
		AccountID         string                     `json:"accountId"`
		Kind              twinplatform.PrincipalKind `json:"kind"`
		Scopes            []string                   `json:"scopes"`
		OrganizationAdmin bool                       `json:"organizationAdmin"`
	} `json:"principal"`
	Grants []struct {
		TwinID      string   `json:"twinId"`
		Permissions []string `json:"permissions"`
	} `json:"grants"`
}

// administratorRole is the one that organizationAdmin stands for.
const administratorRole = "Account Administrator"

// loadAccess reads a tokens file.
func loadAccess(file string) (*access, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the tokens: %w", err)
	}
	var entries []tokenEntry
	if err := decodeStrictly(data, &entries); err != nil {
		return nil, fmt.Errorf("reading the tokens: %s: %w", file, err)
	}
	a := &access{grants: make(map[grant]bool)}
	for i, e := range entries {
		if err := a.add(e); err != nil {
			return nil, fmt.Errorf("reading the tokens: %s: entry %d: %w", file, i+1, err)
		}
	}
	if len(a.callers) == 0 {
		return nil, fmt.Errorf("reading the tokens: %s: there are none, so nobody could call", file)
	}
	return a, nil
}

func (a *access) add(e tokenEntry) error {
	p := twinplatform.Principal{
		ID: e.Principal.ID, DisplayName: e.Principal.DisplayName, AccountID: e.Principal.AccountID,
		Kind: e.Principal.Kind, Scopes: e.Principal.Scopes,
	}
	if e.Principal.OrganizationAdmin {
		p.AdministratorRoles = []string{administratorRole}
	}
	switch {
	case !sendable(e.Token):
		return errors.New("the token is empty, or has characters that no Authorization header may carry")
	case slices.ContainsFunc(a.callers, func(c caller) bool { return c.token == e.Token }):
		return errors.New("the token stands in the file already")
	case p.ID == "" || p.AccountID == "":
		return errors.New("the principal needs an id and an accountId")
	case p.Kind != twinplatform.User && p.Kind != twinplatform.Service:
		return fmt.Errorf("the principal's kind is %q; want %s or %s", p.Kind, twinplatform.User, twinplatform.Service)
	}
	for _, g := range e.Grants {
		if g.TwinID == "" || slices.Contains(g.Permissions, "") {
			return errors.New("a grant needs a twinId and permissions that are not empty")
		}
		for _, permission := range g.Permissions {
			a.grants[grant{p.ID, g.TwinID, permission}] = true
		}
	}
	a.callers = append(a.callers, caller{e.Token, p})
	return nil
}

// sendable reports whether a token can stand in an Authorization header.
func sendable(token string) bool {
	return token != "" && !slices.ContainsFunc([]byte(token), func(c byte) bool { return c <= ' ' || c > '~' })
}

// decodeStrictly decodes the one JSON value of a file and refuses members that
// nobody would read.
func decodeStrictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
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
