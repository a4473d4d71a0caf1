package postgres_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// A pooler hands three connections of the server on to more clients than that, after each
// transaction, so that a statement prepared on one is unknown on the next.
func TestPromisesHoldBehindPgBouncer(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	address, err := server.Pooler(3)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no PgBouncer: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	behind := storagetest.Engine{New: func(t testing.TB) storage.Store {
		s, err := postgres.Open(t.Context(), server.URL(address), postgres.Options{
			Schema: server.Schema(t), MaxConns: 4, Pooler: true, Logger: quiet,
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}}
	storagetest.Run(t, behind)
	storagetest.RunReruns(t, behind)
}

func TestPoolersThatStartAtOnceAreApart(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	addresses := make([]string, 4)
	errs := make([]error, len(addresses))
	var starting sync.WaitGroup
	for i := range addresses {
		starting.Go(func() { addresses[i], errs[i] = server.Pooler(1 + i) })
	}
	starting.Wait()
	err := errors.Join(errs...)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no PgBouncer: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(addresses)
	if len(slices.Compact(addresses)) != len(errs) {
		t.Errorf("poolers share the addresses %q", addresses)
	}
}

// certificate returns one for an address, signed by itself, and its key, both as PEM.
func certificate(t *testing.T, address string) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "database"}, IPAddresses: []net.IP{net.ParseIP(address)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// The address says how the way to the server is secured; one who is not who the address
// wants gets no word.
func TestTheAddressSecuresTheWay(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t) // or skips
	server, err := postgrestest.Start("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	cert, key := certificate(t, "127.0.0.1")
	if err := server.Secure(cert, key); err != nil {
		t.Fatal(err)
	}
	stranger, _ := certificate(t, "127.0.0.1")
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	by := func(mode string) string {
		return strings.Replace(server.URL(""), "sslmode=disable", "sslmode="+mode, 1)
	}
	verified := by("verify-full") + "&sslrootcert=" + file("root.pem", cert)

	s, err := postgres.Open(t.Context(), verified, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("a", []byte("b")) }); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for name, test := range map[string]struct{ url, want string }{
		"in the clear":    {by("disable"), "pg_hba.conf"},
		"another's root":  {by("verify-full") + "&sslrootcert=" + file("stranger.pem", stranger), "certificate"},
		"another's name":  {strings.Replace(verified, "127.0.0.1", "localhost", 1), "certificate"},
		"no such a root":  {by("verify-full") + "&sslrootcert=" + filepath.Join(dir, "missing.pem"), "missing.pem"},
		"no root to hold": {by("verify-full"), "certificate"},
	} {
		s, err := postgres.Open(t.Context(), test.url, postgres.Options{})
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want one that names %q", name, err, test.want)
		}
	}
}
