package webhooks

import (
	"crypto/x509"
	"errors"
)

// ParseRootCAs returns the system's certificates and those of a file in PEM form, as
// Config.RootCAs takes them.
func ParseRootCAs(pem []byte) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("it holds no certificate in PEM form")
	}
	return pool, nil
}
