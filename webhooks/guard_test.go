package webhooks_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// When a hostile callback URL is refused.
const (
	atCreate   = "at create"
	atDelivery = "at delivery"
)

// hostile are callback URLs that lead behind the platform. Names end in
// .hostile.example and resolve to the addresses given.
var hostile = []struct {
	name, url, addrs, refused string
}{
	{"loopback", "https://127.0.0.1/", "", atCreate},
	{"loopback beyond the first", "https://127.8.8.8/", "", atCreate},
	{"unspecified", "https://0.0.0.0/", "", atCreate},
	{"this network", "https://0.1.2.3/", "", atCreate},
	{"private 10", "https://10.0.0.1/", "", atCreate},
	{"private 172.16", "https://172.31.255.254/", "", atCreate},
	{"private 192.168", "https://192.168.1.1/", "", atCreate},
	{"shared address space", "https://100.64.0.1/", "", atCreate},
	{"link-local", "https://169.254.1.1/", "", atCreate},
	{"cloud metadata", "https://169.254.169.254/latest/meta-data/", "", atCreate},
	{"container credentials", "https://169.254.170.2/v2/credentials", "", atCreate},
	{"metadata outside special blocks", "https://168.63.129.16/", "", atCreate},
	{"protocol assignments", "https://192.0.0.8/", "", atCreate},
	{"documentation", "https://192.0.2.1/", "", atCreate},
	{"6to4 relay", "https://192.88.99.1/", "", atCreate},
	{"benchmarking", "https://198.18.0.1/", "", atCreate},
	{"multicast", "https://224.0.0.1/", "", atCreate},
	{"reserved", "https://240.0.0.1/", "", atCreate},
	{"broadcast", "https://255.255.255.255/", "", atCreate},
	{"IPv6 loopback", "https://[::1]/", "", atCreate},
	{"IPv6 unspecified", "https://[::]/", "", atCreate},
	{"IPv6 link-local", "https://[fe80::1]/", "", atCreate},
	{"IPv6 link-local with zone", "https://[fe80::1%25lo]/", "", atCreate},
	{"IPv6 global with zone", "https://[2606:4700::1%25lo]/", "", atCreate},
	{"IPv6 unique local", "https://[fd00::1]/", "", atCreate},
	{"IPv6 metadata", "https://[fd00:ec2::254]/", "", atCreate},
	{"IPv6 site-local", "https://[fec0::1]/", "", atCreate},
	{"IPv6 multicast", "https://[ff02::1]/", "", atCreate},
	{"IPv6 documentation", "https://[2001:db8::1]/", "", atCreate},
	{"IPv6 discard", "https://[100::1]/", "", atCreate},
	{"segment routing", "https://[5f00::1]/", "", atCreate},
	{"mapped loopback", "https://[::ffff:127.0.0.1]/", "", atCreate},
	{"mapped private in hexadecimal", "https://[::ffff:a00:1]/", "", atCreate},
	{"compatible loopback", "https://[::127.0.0.1]/", "", atCreate},
	{"NAT64 of a private address", "https://[64:ff9b::10.0.0.1]/", "", atCreate},
	{"local NAT64", "https://[64:ff9b:1::a00:1]/", "", atCreate},
	{"6to4 of a private address", "https://[2002:a00:1::1]/", "", atCreate},
	{"Teredo", "https://[2001:0:a00:1::1]/", "", atCreate},
	{"decimal spelling", "https://2130706433/", "", atCreate},
	{"octal spelling", "https://0177.0.0.1/", "", atCreate},
	{"hexadecimal spelling", "https://0x7f000001/", "", atCreate},
	{"mixed spelling", "https://0x7f.1/", "", atCreate},
	{"short spelling", "https://127.1/", "", atCreate},
	{"zero", "https://0/", "", atCreate},
	{"full-width digits", "https://１２７.０.０.１/", "", atCreate},
	{"trailing dot", "https://127.0.0.1./", "", atCreate},
	{"name without a dot", "https://localhost/", "", atCreate},
	{"name of loopback with a dot behind it", "https://localhost./", "", atCreate},
	{"name below that of loopback", "https://foo.localhost/", "", atCreate},
	{"name below that of loopback in capitals", "https://foo.LOCALHOST./", "", atCreate},
	{"name of multicast DNS", "https://printer.local/", "", atCreate},
	{"name of private networks", "https://metadata.google.internal/", "", atCreate},
	{"name of home networks", "https://nas.home.arpa/", "", atCreate},
	{"user information", "https://receiver.example.com@10.0.0.1/", "", atCreate},
	{"user information of a public host", "https://user:pass@receiver.example.com/", "", atCreate},
	{"fragment", "https://receiver.example.com/#@10.0.0.1", "", atCreate},
	{"backslash", `https://receiver.example.com\@10.0.0.1/`, "", atCreate},
	{"no port", "https://receiver.example.com:0/", "", atCreate},
	{"other scheme", "gopher://receiver.example.com/", "", atCreate},
	{"plain HTTP", "http://receiver.example.com/", "", atCreate},
	{"relative", "//receiver.example.com/", "", atCreate},
	{"name of loopback", "https://a.hostile.example/", "127.0.0.1", atDelivery},
	{"name of a private address", "https://b.hostile.example/", "10.1.2.3", atDelivery},
	{"name of metadata", "https://c.hostile.example/", "169.254.169.254", atDelivery},
	{"name of IPv6 loopback", "https://d.hostile.example/", "::1", atDelivery},
	{"name of a mapped address", "https://e.hostile.example/", "::ffff:192.168.0.1", atDelivery},
	{"name of NAT64", "https://f.hostile.example/", "64:ff9b::7f00:1", atDelivery},
	{"name of 6to4", "https://g.hostile.example/", "2002:7f00:1::1", atDelivery},
	{"name of unique local", "https://h.hostile.example/", "fd12::1", atDelivery},
	{"name of several private addresses", "https://i.hostile.example/", "10.0.0.1 fd00::1 127.0.0.1", atDelivery},
	{"name of the unspecified address", "https://j.hostile.example/", "0.0.0.0", atDelivery},
}

// Where a network is allowed, only the dial knows what a name leads to.
func TestNamesThatAreNeverPublicAreTakenWhereANetworkIsAllowed(t *testing.T) {
	t.Parallel()
	svc := newService(memory.New(), webhooks.Config{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	for _, url := range []string{"https://hooks.internal/", "https://localhost/", "https://printer.local/"} {
		create(t, t.Context(), svc, webhooks.NewWebhook{CallbackURL: url})
	}
}

// names is a name server in memory.
type names struct {
	mu      sync.Mutex
	answers map[string]func(n int) string // addresses, by the count of look-ups
	asked   map[string]int
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go n.serve(far)
		return near, nil
	}}
}

func (n *names) serve(c net.Conn) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		q := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, q); err != nil {
			return
		}
		a := n.answer(q)
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(a))), a...)); err != nil {
			return
		}
	}
}

// answer answers a query for the addresses of one name.
func (n *names) answer(q []byte) []byte {
	var labels []string
	at := 12
	for q[at] != 0 {
		labels = append(labels, string(q[at+1:at+1+int(q[at])]))
		at += 1 + int(q[at])
	}
	kind := binary.BigEndian.Uint16(q[at+1:])
	question := q[12 : at+5]
	name := strings.ToLower(strings.Join(labels, "."))

	n.mu.Lock()
	addrs := ""
	if f := n.answers[name]; f != nil {
		addrs = f(n.asked[name] / 2) // A and AAAA
		n.asked[name]++
	}
	n.mu.Unlock()
	var records []byte
	count := uint16(0)
	for text := range strings.FieldsSeq(addrs) {
		addr := netip.MustParseAddr(text)
		if addr.Is4() != (kind == 1) {
			continue
		}
		raw := addr.AsSlice()
		records = append(records, 0xc0, 12, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
		records = append(records, raw...)
		count++
	}
	head := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1}, byte(count>>8), byte(count), 0, 0, 0, 0)
	return append(append(head, question...), records...)
}

// lookout is a guarded dialer that counts what the guard lets pass and lets
// nothing pass itself.
type lookout struct {
	*net.Dialer
	mu     sync.Mutex
	passed []string
}

var errLookout = errors.New("let pass by the guard")

func watch(cfg webhooks.Config) *lookout {
	w := &lookout{Dialer: webhooks.GuardedDialer(cfg)}
	judge := w.ControlContext
	w.ControlContext = func(ctx context.Context, network, address string, c syscall.RawConn) error {
		if err := judge(ctx, network, address, c); err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.passed = append(w.passed, address)
		return errLookout
	}
	return w
}

// covers: Create webhook: limit callbackUrl: HTTPS and public
func TestHostileCallbackURLsAreRefusedBeforeAPacketLeaves(t *testing.T) {
	t.Parallel()
	n := &names{answers: make(map[string]func(int) string), asked: make(map[string]int)}
	for _, h := range hostile {
		host, _, _ := strings.Cut(strings.TrimPrefix(h.url, "https://"), "/")
		n.answers[host] = func(int) string { return h.addrs }
	}
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			cfg := webhooks.Config{Resolver: n.resolver()}
			eye := watch(cfg)
			cfg.Dial = eye.DialContext
			svc := newService(memory.New(), cfg)
			ctx := t.Context()
			_, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
				CallbackURL: h.url, Scope: webhooks.TwinScope, ScopeID: twinID, EventTypes: webhooks.EventTypes(),
			})
			if h.refused == atCreate {
				wantDetail(t, err, "InvalidCreateWebhookRequest", "callbackUrl")
				// A patch is judged like a create.
				hook := create(t, ctx, svc, webhooks.NewWebhook{})
				_, err = svc.UpdateWebhook(ctx, hook.Value().ID, webhooks.WebhookPatch{CallbackURL: twinplatform.Set(h.url)})
				wantDetail(t, err, "InvalidUpdateWebhookRequest", "callbackUrl")
				return
			}
			hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{CallbackURL: h.url})
			publish(t, ctx, svc, "event")
			if _, err := svc.Deliver(ctx); err != nil {
				t.Fatal(err)
			}
			page, err := svc.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{})
			if err != nil {
				t.Fatal(err)
			}
			for d := range page.OnPage() {
				if len(d.Attempts) != 1 || d.Attempts[0].Outcome != webhooks.Blocked {
					t.Errorf("attempts %+v", d.Attempts)
				}
			}
			for _, wire := range page.JSON() {
				for addr := range strings.FieldsSeq(h.addrs) {
					if strings.Contains(string(wire), addr) {
						t.Errorf("the delivery shows the address: %s", wire)
					}
				}
			}
			if len(eye.passed) > 0 {
				t.Errorf("the guard let pass %v", eye.passed)
			}
			if st, _ := svc.Status(ctx, hook.ID); st.Failures != 0 {
				t.Error("what the guard refused was counted against the endpoint")
			}
		})
	}
}

func TestNameThatIsReboundIsJudgedAtTheDial(t *testing.T) {
	t.Parallel()
	n := &names{asked: make(map[string]int), answers: map[string]func(int) string{
		"rebound.example.com": func(n int) string {
			if n == 0 {
				return "93.184.215.14"
			}
			return "127.0.0.1"
		},
	}}
	cfg := webhooks.Config{Resolver: n.resolver()}
	eye := watch(cfg)
	for range 3 {
		if _, err := eye.DialContext(t.Context(), "tcp", "rebound.example.com:443"); err == nil {
			t.Error("the dialer connected")
		}
	}
	if len(eye.passed) != 1 || eye.passed[0] != "93.184.215.14:443" {
		t.Errorf("the guard let pass %v, want the public address alone", eye.passed)
	}
}

func TestPublicAddressesAreLetPass(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"93.184.215.14:443", "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443", "1.1.1.1:443", "[2001:4860:4860::8888]:443"} {
		eye := watch(webhooks.Config{})
		_, _ = eye.DialContext(t.Context(), "tcp", address)
		if len(eye.passed) != 1 {
			t.Errorf("%s was refused", address)
		}
	}
}

func TestPortsOfPublicAddressesAreNarrowedByConfig(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ports []uint16
		pass  bool
	}{
		"any port unless some are named": {nil, true},
		"a named port":                   {[]uint16{443, 8443}, true},
		"a port that is not named":       {[]uint16{443}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eye := watch(webhooks.Config{Ports: c.ports})
			_, _ = eye.DialContext(t.Context(), "tcp", "93.184.215.14:8443")
			if passed := len(eye.passed) == 1; passed != c.pass {
				t.Errorf("let pass: %t, want %t", passed, c.pass)
			}
		})
	}
}

func TestAllowedPrivateNetworksExcludeMetadataUnlessNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		allow, address string
		pass           bool
	}{
		{"10.0.0.0/8", "10.1.2.3:8443", true},
		{"10.0.0.0/8", "192.168.0.1:443", false},
		{"::ffff:10.0.0.0/104", "10.1.2.3:443", true},
		{"169.254.0.0/16", "169.254.1.1:443", true},
		{"169.254.0.0/16", "169.254.169.254:443", false},
		{"169.254.169.254/32", "169.254.169.254:443", true},
		{"fd00::/8", "[fd00:ec2::254]:443", false},
		{"fd00::/8", "[fd00::1]:443", true},
		{"0.0.0.0/0", "169.254.169.254:80", false},
		{"0.0.0.0/0", "[::1]:443", false},
	} {
		eye := watch(webhooks.Config{AllowPrivate: []netip.Prefix{netip.MustParsePrefix(c.allow)}})
		_, _ = eye.DialContext(t.Context(), "tcp", c.address)
		if got := len(eye.passed) == 1; got != c.pass {
			t.Errorf("allowing %s: %s let pass %v, want %v", c.allow, c.address, got, c.pass)
		}
	}
}

// tlsReceiver is a receiver on a real socket of this machine.
func tlsReceiver(t testing.TB, h http.Handler) (url string, cfg webhooks.Config) {
	t.Helper()
	certificate, pool := authority()
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = quiet
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv.URL, webhooks.Config{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, RootCAs: pool}
}

func TestRedirectsAreFailuresAndNotFollowed(t *testing.T) {
	t.Parallel()
	var led atomic.Int32
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { led.Add(1) }))
	defer inner.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		url, cfg := tlsReceiver(t, http.RedirectHandler(inner.URL, status))
		svc := newService(memory.New(), cfg)
		hook, _ := subscribe(t, t.Context(), svc, webhooks.NewWebhook{CallbackURL: url})
		publish(t, t.Context(), svc, "event")
		if _, err := svc.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := outcomes(t, t.Context(), svc, hook.ID); len(got) != 1 || !strings.HasPrefix(got[0], "Pending: Rejected 30") {
			t.Errorf("redirect %d: %v", status, got)
		}
	}
	if led.Load() > 0 {
		t.Errorf("%d redirects were followed", led.Load())
	}
}

func TestProxyOfTheEnvironmentIsNotAsked(t *testing.T) {
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer proxy.Close()
	t.Setenv("HTTPS_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	url, cfg := tlsReceiver(t, &inbox{})
	svc := newService(memory.New(), cfg)
	hook, _ := subscribe(t, t.Context(), svc, webhooks.NewWebhook{CallbackURL: url})
	publish(t, t.Context(), svc, "event")
	if _, err := svc.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := outcomes(t, t.Context(), svc, hook.ID); got[0] != "Delivered: Accepted 200" || asked.Load() > 0 {
		t.Errorf("%v, the proxy was asked %d times", got, asked.Load())
	}
}

// wantDetail checks the code of an error and the property that it names.
func wantDetail(t *testing.T, err error, code, target string) {
	t.Helper()
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok || e.Code != code || e.Kind != twinplatform.Unprocessable {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, d := range e.Details {
		if d.Target == target && d.Code == "InvalidRequestBody" {
			return
		}
	}
	t.Fatalf("got %v, want InvalidRequestBody for %s", err, target)
}

func tlsConfig(cfg webhooks.Config) *tls.Config { return &tls.Config{RootCAs: cfg.RootCAs} }
