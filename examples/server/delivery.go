package main

import (
	"crypto/x509"
	"fmt"
	"os"

	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// load reads the files that deliveries need.
func (c *webhookConfig) load() (hooks webhooks.Config, err error) {
	hooks.AllowPrivate, hooks.PatchReplacesSecret = c.allow, c.patchSecret
	if c.caFile != "" {
		if hooks.RootCAs, err = trusting(c.caFile); err != nil {
			return hooks, err
		}
	}
	if c.keyFile != "" {
		key, err := os.ReadFile(c.keyFile)
		if err != nil {
			return hooks, fmt.Errorf("-webhook-key: %w", err)
		}
		if hooks.SealingKey, err = webhooks.ParseSealingKey(key); err != nil {
			return hooks, fmt.Errorf("-webhook-key: %s: %w", c.keyFile, err)
		}
	}
	return hooks, nil
}

// trusting returns the system's certificates and those of a file.
func trusting(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-webhook-ca: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("-webhook-ca: %s holds no certificate in PEM form", file)
	}
	return pool, nil
}
