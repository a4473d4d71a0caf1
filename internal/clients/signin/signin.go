// Package signin signs in at the OpenID Connect provider of a deployment, with the libraries
// that programs use for it.
package signin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// Client is a program at the provider.
type Client struct {
	Issuer string `json:"issuer"`
	// ID is what the provider knows the program by, and Redirect is where it sends people back to.
	ID       string `json:"client"`
	Redirect string `json:"redirect"`
	// Scopes are what the tokens are to be good for.
	Scopes []string `json:"scopes"`
}

// Person signs a person in by a code with PKCE, fills in the page of the provider as the person
// would, redeems the code, checks the ID token, and returns the access token that the refresh
// token is valid for.
func (c Client) Person(ctx context.Context, name, password string) (string, error) {
	provider, err := oidc.NewProvider(ctx, c.Issuer)
	if err != nil {
		return "", err
	}
	cfg := oauth2.Config{
		ClientID: c.ID, RedirectURL: c.Redirect, Endpoint: provider.Endpoint(),
		Scopes: append([]string{oidc.ScopeOpenID, oidc.ScopeOfflineAccess, "profile"}, c.Scopes...),
	}
	const state, nonce = "state of the client", "nonce of the client"
	verifier := oauth2.GenerateVerifier()
	page := cfg.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce))
	code, err := fillIn(ctx, page, c.Redirect, state, url.Values{"user": {name}, "password": {password}})
	if err != nil {
		return "", err
	}
	first, err := cfg.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return "", fmt.Errorf("redeeming the code: %w", err)
	}
	identity, _ := first.Extra("id_token").(string)
	claims, err := provider.Verifier(&oidc.Config{ClientID: c.ID}).Verify(ctx, identity)
	if err != nil || claims.Nonce != nonce {
		return "", fmt.Errorf("the ID token has the nonce %v: %w", claims, err)
	}
	if _, err := cfg.Exchange(ctx, "another code", oauth2.VerifierOption(verifier)); err == nil {
		return "", errors.New("a code that was never given out is redeemed")
	}
	next, err := cfg.TokenSource(ctx, &oauth2.Token{RefreshToken: first.RefreshToken}).Token()
	if err != nil || next.AccessToken == first.AccessToken {
		return "", fmt.Errorf("the refresh token gives %v: %w", next, err)
	}
	return next.AccessToken, nil
}

// fillIn sends the form of a page, and returns the code with which the provider sends the
// person back.
func fillIn(ctx context.Context, page, redirect, state string, form url.Values) (code string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, page, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	browser := &http.Client{CheckRedirect: func(*http.Request,
		[]*http.Request,
	) error {
		return http.ErrUseLastResponse
	}}
	res, err := browser.Do(req)
	if err != nil {
		return "", err
	}
	said, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return "", err
	}
	to, err := res.Location()
	if err != nil {
		return "", fmt.Errorf("the page answers %d %s: %w", res.StatusCode, said, err)
	}
	q := to.Query()
	if !strings.HasPrefix(to.String(), redirect+"?") || q.Get("state") != state || q.Get("code") == "" {
		return "", fmt.Errorf("the page sends the person to %s", to)
	}
	return q.Get("code"), nil
}

// Application signs a service application in by its secret, for whatever it may do.
func (c Client) Application(ctx context.Context, id, secret string) (string, error) {
	provider, err := oidc.NewProvider(ctx, c.Issuer)
	if err != nil {
		return "", err
	}
	cfg := clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: provider.Endpoint().TokenURL}
	token, err := cfg.Token(ctx)
	if err != nil {
		return "", err
	}
	return token.AccessToken, nil
}
