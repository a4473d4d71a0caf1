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
// as long as only this machine can reach the server; see demoTokenFor.
const demoToken = "demo"

// serviceSuffix makes the token of the demo application of that of the demo
// principal.
const serviceSuffix = "-service"

// demoPrincipal is who calls when no tokens file is given.
var demoPrincipal = twinplatform.Principal{
	ID:                 "11111111-1111-4111-8111-111111111111",
	DisplayName:        "Demo",
	AccountID:          "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
	Kind:               twinplatform.User,
	Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
	AdministratorRoles: []string{administratorRole},
}

// demoService is the same as a service application, which webhooks are for.
var demoService = twinplatform.Principal{
	ID:                 "22222222-2222-4222-8222-222222222222",
	DisplayName:        "Demo service",
	AccountID:          demoPrincipal.AccountID,
	Kind:               twinplatform.Service,
	Scopes:             demoPrincipal.Scopes,
	AdministratorRoles: demoPrincipal.AdministratorRoles,
}

// access is who may call, and what they are granted.
type access struct {
	callers []caller // in the order of the file; at least one
	grants  map[grantee]map[string]bool
	demo    bool // the callers may do everything
}

type caller struct {
	token     string
	principal twinplatform.Principal
}

// grantee is a principal at a twin.
type grantee struct {
	TwinID      string `json:"twinId"`
	PrincipalID string `json:"principalId"`
}

// authorizer decides in the place of the roles and members of twins; nil leaves
// it to them.
func (a *access) authorizer() twinplatform.Authorizer {
	if a.demo {
		return everything{}
	}
	return nil
}

// principal is the caller with an id.
func (a *access) principal(id string) twinplatform.Principal {
	for _, c := range a.callers {
		if c.principal.ID == id {
			return c.principal
		}
	}
	return twinplatform.Principal{ID: id, Kind: twinplatform.User}
}

// entry is the place of a caller in the tokens file, from 1.
func (a *access) entry(of caller) int {
	return 1 + slices.IndexFunc(a.callers, func(c caller) bool { return c.token == of.token })
}

// Application implements webhooks.ApplicationDirectory: an application is one
// that may call.
func (a *access) Application(_ context.Context, id string) (twinplatform.Principal, bool, error) {
	p := a.principal(id)
	return p, p.Kind == twinplatform.Service, nil
}

// Transactional implements twinplatform.Transactional: nobody is asked.
func (a *access) Transactional() {}

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

// demoAccess lets one person, and one application, do everything in every
// account.
func demoAccess(token string) *access {
	return &access{demo: true, callers: []caller{{token, demoPrincipal}, {token + serviceSuffix, demoService}}}
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
const administratorRole = twinplatform.AccountAdministrator

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
	a := &access{grants: make(map[grantee]map[string]bool)}
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
		at := grantee{g.TwinID, p.ID}
		if a.grants[at] == nil {
			a.grants[at] = make(map[string]bool)
		}
		for _, permission := range g.Permissions {
			a.grants[at][permission] = true
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

// everything lets everybody do everything.
type everything struct{}

// Allowed implements twinplatform.Authorizer.
func (everything) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return true, nil
}
