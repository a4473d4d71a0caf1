package objectstore_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
)

// The address that a reader is sent to is that of one file, for a minute, and gives
// nothing else away.
func TestPresignedAddressIsOfOneFileForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.node(w.config(), filestore.Config{})
	id, address := n.data()
	n.want(201, "PUT", address, "folder/a b.las", "LASF")
	n.want(201, "PUT", address, "other", "secret")
	header := n.want(307, "GET", address, "folder/a b.las", "")
	if got := header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control is %q", got)
	}
	at := header.Get("Location")
	u, err := url.Parse(at)
	if err != nil || u.Host != "s3.test" || strings.Contains(at, secretKey) {
		t.Fatalf("the address is %s, %v", at, err)
	}
	get := func(method, at string) (int, string, http.Header) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := w.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body), res.Header
	}
	status, body, header := get("GET", at)
	if status != 200 || body != "LASF" || header.Get("Content-Type") != "application/octet-stream" || header.Get("Content-Disposition") != "attachment" {
		t.Errorf("reading: %d %q %v", status, body, header)
	}
	for name, changed := range map[string]string{
		"another file":   strings.Replace(at, "folder/a%2120b.las", "other", 1),
		"a longer time":  strings.Replace(at, "X-Amz-Expires=60", "X-Amz-Expires=6000", 1),
		"shown as pages": strings.Replace(at, "octet-stream", "xml", 1),
	} {
		if status, body, _ := get("GET", changed); changed == at || status != 403 {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	for _, method := range []string{"PUT", "DELETE", "HEAD"} {
		if status, _, _ := get(method, at); status != 403 {
			t.Errorf("%s: %d", method, status)
		}
	}
	w.advance(62 * time.Second)
	if status, _, _ := get("GET", at); status != 403 {
		t.Errorf("a minute later: %d", status)
	}
	if err := n.DeleteRealityData(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if n.want(404, "GET", address, "folder/a b.las", "").Get("Location") != "" {
		t.Error("who has no right is sent on")
	}
}

func TestAddressForClientsMayBeAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	cfg.PublicEndpoint, cfg.AddressTime = "https://public.test:8443", time.Hour
	n := w.node(cfg, filestore.Config{})
	_, address := n.data()
	n.want(201, "PUT", address, "f", "x")
	u, err := url.Parse(n.want(307, "GET", address, "f", "").Get("Location"))
	if err != nil || u.Host != "public.test:8443" || u.Query().Get("X-Amz-Expires") != "3600" {
		t.Errorf("the address is %v, %v", u, err)
	}
}

func TestConfigThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	for name, change := range map[string]func(*objectstore.Config){
		"no endpoint":            func(c *objectstore.Config) { c.Endpoint = "" },
		"a host alone":           func(c *objectstore.Config) { c.Endpoint = "s3.test" },
		"another scheme":         func(c *objectstore.Config) { c.Endpoint = "ftp://s3.test" },
		"a password":             func(c *objectstore.Config) { c.Endpoint = "https://user:hush@s3.test" },
		"a password for clients": func(c *objectstore.Config) { c.PublicEndpoint = "https://user:hush@s3.test" },
		"no address":             func(c *objectstore.Config) { c.Endpoint = "https://hush\x7f" },
		"a path":                 func(c *objectstore.Config) { c.Endpoint = "https://s3.test/twins" },
		"no bucket":              func(c *objectstore.Config) { c.Bucket = "" },
		"a bucket that is not":   func(c *objectstore.Config) { c.Bucket = "none" },
		"a prefix that escapes":  func(c *objectstore.Config) { c.Prefix = "/a" },
		"a prefix with blanks":   func(c *objectstore.Config) { c.Prefix = "a b" },
		"a long prefix":          func(c *objectstore.Config) { c.Prefix = strings.Repeat("a", 300) },
		"small parts":            func(c *objectstore.Config) { c.PartSize = 1 << 20 },
		"a long time":            func(c *objectstore.Config) { c.AddressTime = 2 * time.Hour },
		"a part of a second":     func(c *objectstore.Config) { c.AddressTime = 1500 * time.Millisecond },
		"a negative time":        func(c *objectstore.Config) { c.Fresh = -1 },
		"another's credentials": func(c *objectstore.Config) {
			c.Credentials = credentials.NewStaticV4("AKIDOTHER", "hush", "")
		},
	} {
		cfg := f.config()
		change(&cfg)
		_, err := objectstore.Open(t.Context(), cfg)
		if err == nil || strings.Contains(err.Error(), "hush") || !strings.HasPrefix(err.Error(), "objectstore: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
