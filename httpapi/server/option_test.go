package server

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// operatingPage is the page for those who run the server.
const operatingPage = "../../docs/operating.md"

var update = flag.Bool("update", false, "rewrite the tables of docs/operating.md")

// optionTable is the table of the options in the page.
func optionTable() string {
	var b strings.Builder
	b.WriteString("| flag | environment | without it | what it does |\n|---|---|---|---|\n")
	for _, o := range new(Config).options() {
		flag := strings.TrimSpace("-" + o.name + " " + o.value)
		without := o.without
		if slices.Contains([]string{defaultAddr, inMemory, "5000", "500", "720h", "text", "info"}, without) {
			without = "`" + without + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", flag, variable(o.name), without, o.text)
	}
	return b.String()
}

// commandTable is the table of the commands in the page.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | its flags | what it does |\n|---|---|---|\n")
	for _, c := range commands() {
		flags := "none"
		switch names := c.job().options; {
		case len(names) == len(everyOption()):
			flags = "all"
		case len(names) > 0:
			flags = "`-" + strings.Join(slices.Sorted(slices.Values(names)), "`, `-") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimSpace(c.name+" "+c.operands), flags, c.text)
	}
	return b.String()
}

// exitTable is the table of exit codes in the page.
func exitTable() string {
	var b strings.Builder
	b.WriteString("| exit code | means |\n|---|---|\n")
	for _, code := range exitCodes {
		fmt.Fprintf(&b, "| %d | %s |\n", code.code, code.means)
	}
	return b.String()
}

func TestPageShowsOptionsAndCommandsAsTheyAre(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	page := file(t, operatingPage)
	for begin, table := range map[string]string{"| flag |": optionTable(), "| command |": commandTable(), "| exit code |": exitTable()} {
		before, after, ok := strings.Cut(page, begin)
		shown, rest, _ := strings.Cut(begin+after, "\n\n")
		switch {
		case ok && shown+"\n" == table:
		case ok && *update:
			page = before + table + "\n" + rest
		default:
			t.Errorf("%s does not show this table; run go test ./httpapi/server -update:\n%s", operatingPage, table)
		}
	}
	if *update {
		if err := os.WriteFile(operatingPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What a flag sets can be set in the environment and in a file, with the same words and
// the same effect, and nothing else can.
func TestFlagsEnvironmentAndFileAgree(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"account-bytes": "1MiB", "addr": "127.0.0.1:0", "admin": ":0", "admin-host": "twin,metrics.internal", "banner": "true", "base-url": "https://example.com/twin/", "console": "read-only", "drain": "3s", "oidc-client": "app=https://app.example/callback", "origins": "https://app.example,http://localhost:3000", "invitations": "48h", "journal": "7", "lease": "10s", "log": "json", "log-slow": "3s", "trusted-proxies": "10.0.0.0/8,::1/128", "log-level": "warn", "rate": "7", "retain": "2s", "store-bytes": "0", "unknown-members": "report", "webhook-allow": "10.0.0.0/8,::1/128",
	}
	for _, o := range new(Config).options() {
		value := values[o.name]
		switch {
		case o.name == "config":
			continue
		case o.value == "":
			value = "true"
		case value == "":
			value = "some name"
		}
		args, line := []string{"-" + o.name + "=" + value}, o.name+" = "+value
		more, with := "", ":1"
		switch o.name { // which go with another
		case "tls-cert":
			more = "tls-key"
		case "tls-key":
			more = "tls-cert"
		case "pprof", "admin-host":
			more = "admin"
		case "oidc-client":
			more, with = "oidc", "true"
		}
		env := []string{variable(o.name) + "=" + value}
		if more != "" {
			args, line, env = append(args, "-"+more+"="+with), line+"\n"+more+"="+with, append(env, variable(more)+"="+with)
		}
		file := fileWith(t, "# a remark\n\n"+line+"\n")
		byFlag, _, err := parseConfig(args, nil)
		if err != nil {
			t.Errorf("-%s: %v", o.name, err)
			continue
		}
		byEnvironment, _, err := parseConfig(nil, env)
		if err != nil {
			t.Errorf("%s: %v", o.name, err)
		}
		byFile, _, err := parseConfig([]string{"-config", file}, nil)
		if err != nil {
			t.Errorf("%s in a file: %v", o.name, err)
		}
		byFile.configFile = ""
		wantSameConfig(t, "-"+o.name+" in the environment", byFlag, byEnvironment)
		wantSameConfig(t, "-"+o.name+" in a file", byFlag, byFile)
		byFlag.given = nil
		if got := fmt.Sprintf("%+v", byFlag); got == fmt.Sprintf("%+v", must(parseConfig(nil, nil))) {
			t.Errorf("-%s changes nothing", o.name)
		}
	}
}

func must(c Config, _ []string, err error) Config {
	if err != nil {
		panic(err)
	}
	return c
}

func TestTheNearerWordWins(t *testing.T) {
	t.Parallel()
	file := fileWith(t, "rate = 3\nlog = json\nlog-level=error\nwebhook-allow = 10.0.0.0/8\nwebhook-allow = 11.0.0.0/8\n")
	c, operands, err := parseConfig([]string{"one", "-rate", "1", "two"}, []string{"TWIN_RATE=2", "TWIN_LOG=text", "TWIN_CONFIG=" + file})
	if err != nil {
		t.Fatal(err)
	}
	if c.Rate != 1 || c.logFormat != "text" || c.logLevel.String() != "ERROR" || len(c.Webhooks.AllowPrivate) != 2 {
		t.Errorf("the configuration is %+v", c)
	}
	wantSame(t, "operands", []string{"one", "two"}, operands)
}

func TestNonsenseInAFileNamesItsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rate":               "line 1: want name = value",
		"\nrates = 7":        `line 2: there is no option "rates"`,
		"config = other":     `line 1: there is no option "config"`,
		"# x\n\nrate = many": `line 3: invalid value "many" for rate: want a whole number`,
	} {
		file := fileWith(t, text)
		err := run(t.Context(), []string{"-config", file}, nil, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("of %q run says %v, want %s", text, err, want)
		}
	}
}
