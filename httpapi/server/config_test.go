package server

import (
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	standard := Config{Addr: "127.0.0.1:4790", DB: ":memory:", Rate: 5000, logFormat: "text", Journal: 500}
	with := func(change func(*Config)) Config {
		c := standard
		change(&c)
		return c
	}
	allowed := webhooks.Config{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}}
	for _, tt := range []struct {
		name string
		args []string
		env  []string
		want Config
	}{
		{"no options", nil, nil, standard},
		{
			"every flag",
			[]string{
				"-addr", ":0", "-addr-file", "a", "-base-url", "https://example.com/twin/", "-db", "d", "-seed", "s", "-export", "e", "-tokens", "t", "-rate", "0", "-background", "-log", "json", "-retain", "2s",
				"-files", "f", "-file-key", "x", "-webhook-allow", "127.0.0.0/8", "-webhook-allow", "::1/128", "-webhook-ca", "c", "-webhook-key", "k",
			},
			nil,
			Config{Addr: ":0", AddrFile: "a", BaseURL: "https://example.com/twin", DB: "d", SeedFile: "s", export: "e", TokensFile: "t", Rate: httpapi.Unlimited, Background: true, Retain: 2 * time.Second, logFormat: "json", Files: "f", FileKeyFile: "x", Webhooks: allowed, WebhookCAFile: "c", WebhookKeyFile: "k", Journal: 500},
		},
		{
			"every variable", nil,
			[]string{
				"TWIN_ADDR=[::1]:80", "TWIN_ADDR_FILE=a", "TWIN_BASE_URL=https://example.com/twin", "TWIN_DB=d", "TWIN_SEED=s", "TWIN_EXPORT=e", "TWIN_TOKENS=t", "TWIN_RATE=7", "TWIN_BACKGROUND=true", "TWIN_LOG=json",
				"TWIN_FILES=f", "TWIN_FILE_KEY=x", "TWIN_RETAIN=-1s", "TWIN_WEBHOOK_ALLOW=127.0.0.0/8, ::1/128", "TWIN_WEBHOOK_CA=c", "TWIN_WEBHOOK_KEY=k",
			},
			Config{Addr: "[::1]:80", AddrFile: "a", BaseURL: "https://example.com/twin", DB: "d", SeedFile: "s", export: "e", TokensFile: "t", Rate: 7, Background: true, Retain: -time.Second, logFormat: "json", Files: "f", FileKeyFile: "x", Webhooks: allowed, WebhookCAFile: "c", WebhookKeyFile: "k", Journal: 500},
		},
		{"flag wins", []string{"-rate", "1", "-background=false"}, []string{"TWIN_RATE=2", "TWIN_BACKGROUND=true"}, with(func(c *Config) { c.Rate = 1 })},
		{"a flag hides nonsense in the environment", []string{"-rate", "1"}, []string{"TWIN_RATE=many"}, with(func(c *Config) { c.Rate = 1 })},
		{"empty variable is not set", nil, []string{"TWIN_DB=", "TWIN_RATE="}, standard},
		{"other variables", nil, []string{"TWIN=1", "PATH=/bin", "TWIN_TOWERS=2"}, standard},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := parseConfig(tt.args, tt.env)
			if err != nil {
				t.Fatal(err)
			}
			wantSameConfig(t, "config", tt.want, got)
		})
	}
}

func wantSameConfig(t *testing.T, what string, want, got Config) {
	t.Helper()
	want.given, got.given = nil, nil // which the log shows
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Config{}), cmpopts.EquateComparable(netip.Prefix{}, webhooks.SealingKey{}), cmpopts.IgnoreUnexported(httpapi.Vocabulary{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestNonsenseIsOneClearLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		args []string
		env  []string
		want string // in the error
	}{
		{"unknown flag", []string{"-port", "80"}, nil, "-port"},
		{"argument", []string{"serve", "now"}, nil, `unexpected argument "now"`},
		{"command that there is not", []string{"server"}, nil, `unknown command "server"`},
		{"certificate without its key", []string{"-tls-cert", "c"}, nil, "belong together"},
		{"profiles without an admin listener", []string{"-pprof"}, nil, "-admin"},
		{"origin with a path", []string{"-origins", "https://app.example/page"}, nil, "an origin such as https://app.example"},
		{"name of an address that is not served", []string{"-admin-host", "twin"}, nil, "-admin"},
		{"name with a port", []string{"-admin", ":1", "-admin-host", "twin:4791"}, nil, "a host name without a port"},
		{"level of thirteen", []string{"-log-level", "13"}, nil, "debug, info, warn or error"},
		{"level in between", []string{"-log-level", "info+2"}, nil, "debug, info, warn or error"},
		{"flag without its value", []string{"-addr"}, nil, "-addr"},
		{"address without port", []string{"-addr", "localhost"}, nil, `invalid value "localhost" for flag -addr: want host:port`},
		{"port of letters", []string{"-addr", "localhost:http"}, nil, "0 to 65535"},
		{"port too large", []string{"-addr", ":65536"}, nil, "0 to 65535"},
		{"base address without a host", []string{"-base-url", "example.com"}, nil, "want an address such as"},
		{"base address with a query", []string{"-base-url", "https://example.com/?a=b"}, nil, "want an address such as"},
		{"negative rate", []string{"-rate", "-1"}, nil, "0 for no limit"},
		{"rate of letters", nil, []string{"TWIN_RATE=many"}, `invalid value "many" for TWIN_RATE`},
		{"huge rate", []string{"-rate", "99999999999999999999"}, nil, "-rate"},
		{"background perhaps", []string{"-background=perhaps"}, nil, "true or false"},
		{"retention without a unit", []string{"-retain", "30"}, nil, "want a duration"},
		{"retention of nothing", []string{"-retain", "0"}, nil, "want a duration"},
		{"background in the environment", nil, []string{"TWIN_BACKGROUND=perhaps"}, "TWIN_BACKGROUND"},
		{"console perhaps", []string{"-console", "perhaps"}, nil, "want true, false or read-only"},
		{"journal without end", []string{"-journal", "1000000"}, nil, "from 0 to 100000"},
		{"log as xml", []string{"-log", "xml"}, nil, "text, json or off"},
		{"address for a network", []string{"-webhook-allow", "127.0.0.1"}, nil, "want a network such as 10.0.0.0/8"},
		{"networks of words", nil, []string{"TWIN_WEBHOOK_ALLOW=10.0.0.0/8,home"}, "TWIN_WEBHOOK_ALLOW"},
		{"empty file name", []string{"-db", ""}, nil, "want a file name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), tt.args, tt.env, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("parseConfig says %q, want one line with %q", err, tt.want)
			}
		})
	}
}

func TestHelpHasEveryFlagInAGroupAndNamesVariables(t *testing.T) {
	t.Parallel()
	help := helpOf(t, "serve", "-h")
	for _, want := range []string{"-addr host:port", "-retain time", "-webhook-allow network", "-addr-file is TWIN_ADDR_FILE", "\nWebhooks:\n"} {
		if !strings.Contains(help, want) {
			t.Errorf("the help does not name %s:\n%s", want, help)
		}
	}
	for _, o := range new(Config).options() {
		if !slices.Contains(optionGroups, o.group) {
			t.Errorf("-%s is of the group %q, which the help does not have", o.name, o.group)
		}
	}
}
