package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// certify writes a certificate for this machine with a name, and its key.
func certify(t *testing.T, name, cert, key string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return pool
}

func TestServesHTTPS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool := certify(t, "first", cert, key)
	s := start(t, "-tls-cert", cert, "-tls-key", key, "-seed", seedFile)
	if !strings.HasPrefix(s.base, "https://") {
		t.Fatalf("the base URL is %s", s.base)
	}
	s.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	a := s.call("GET", plan+"/tasks?$top=1", "", http.StatusOK)
	if links, _ := a.body["_links"].(map[string]any); !strings.Contains(links["next"].(map[string]any)["href"].(string), s.base) {
		t.Errorf("the links are %v", links)
	}
	if got := output(t, "health", "-addr", strings.TrimPrefix(s.base, "https://"), "-tls-cert", cert, "-tls-key", key); !strings.Contains(got, "ready") {
		t.Errorf("health says %s", got)
	}
}

// A certificate that has changed is served; one that is no good is not, and the former
// continues.
func TestCertificateIsReadAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certify(t, "first", cert, key)
	failures := 0
	p := &keyPair{cert: cert, key: key, failed: func(error) { failures++ }}
	if err := p.read(); err != nil {
		t.Fatal(err)
	}
	name := func() string {
		t.Helper()
		p.looked = time.Time{} // a second has gone by
		pair, err := p.current(nil)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(pair.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		return leaf.Subject.CommonName
	}
	wantSame(t, "the certificate", "first", name())
	certify(t, "another", cert, key)
	wantSame(t, "the certificate that has changed", "another", name())
	if err := os.WriteFile(cert, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantSame(t, "the certificate that is no good", "another", name())
	wantSame(t, "failures", 1, failures)
}

// SIGHUP makes the tokens of the file those that are accepted; a file that is no good
// changes nothing.
func TestTokensAreReadAgain(t *testing.T) {
	t.Parallel()
	file := fileWith(t, twoCallers)
	s := start(t, "-tokens", file)
	again := func(text string, token string, status int) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			a := s.tried(token)
			if a == status {
				return
			}
		}
		t.Errorf("%s gets no %d", token, status)
	}
	s.callAs("t-new", "GET", "/twins", "", http.StatusUnauthorized)
	again(strings.Replace(twoCallers, "t-admin", "t-new", 1), "t-new", http.StatusOK)
	s.callAs("t-admin", "GET", "/twins", "", http.StatusUnauthorized)
	again("[nonsense", "t-new", http.StatusOK)
}

// tried is the status of a request with a token.
func (s *running) tried(token string) int {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.base+"/twins", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// A socket that was opened for the server is used instead of a new one.
func TestSocketThatIsHandedOver(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	socket, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	// A shell knows its number, which exec keeps.
	cmd := exec.Command("sh", "-c", `LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" -addr 127.0.0.1:1`, build(t))
	cmd.ExtraFiles = []*os.File{socket}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	status, _ := ask(t, "GET", "http://"+l.Addr().String()+"/healthz") // which waits in the socket's queue
	if status != http.StatusOK {
		t.Errorf("/healthz answers %d", status)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
