package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
)

const tokenAccount = "b0000000-0000-4000-8000-000000000001"

// addToken adds a token to a file and returns it.
func addToken(t *testing.T, file, name string, more ...string) string {
	t.Helper()
	args := append([]string{"token", "add", "-tokens", file, "-name", name, "-account", tokenAccount, "-admin"}, more...)
	token := strings.TrimSpace(output(t, args...))
	if !regexp.MustCompile(`^twp_[A-Z2-7]{52}$`).MatchString(token) {
		t.Fatalf("%v prints %q", args, token)
	}
	return token
}

// wantStatus asks again and again until a token is answered with a status: a changed file is
// read within a second.
func (s *running) wantStatus(token string, want int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	for status := 0; status != want; {
		req, err := http.NewRequestWithContext(ctx, "GET", s.base+"/twins?$top=1", http.NoBody)
		if err != nil {
			s.t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := s.client.Do(req)
		if err != nil {
			s.t.Fatalf("the last status is %d, want %d: %v", status, want, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		status = resp.StatusCode
	}
}

func TestATokenIsShownOnceAndKeptAsItsDigest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens.json")
	token := addToken(t, file, "ci", "-expires", "48h", "-kind", "Service")
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), token) || !strings.Contains(string(text), `"sha256:`) {
		t.Errorf("the file holds %s (%v)", text, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v (%v)", info.Mode(), err)
	}
	for _, args := range [][]string{{}, {"-json"}} {
		listed := output(t, append([]string{"token", "list", "-tokens", file}, args...)...)
		if strings.Contains(listed, token) || !strings.Contains(listed, "ci") || !strings.Contains(listed, "Service") {
			t.Errorf("token list %v prints %s", args, listed)
		}
	}
}

// In a folder whose files are for its group, as the set-group-ID bit says, a tokens file is
// too: the group can read it, and no one else.
func TestATokenInAFolderOfAGroupIsReadableByIt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("modes mean something else here")
	}
	for folder, want := range map[os.FileMode]os.FileMode{0o750: 0o600, os.ModeSetgid | 0o750: 0o640, os.ModeSetgid | 0o700: 0o600} {
		dir := t.TempDir()
		if err := os.Chmod(dir, folder); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "tokens.json")
		addToken(t, file, "first")
		for _, name := range []string{"second", "third"} {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
				t.Errorf("in a folder of %v the file is %v (%v), want %v", folder, info.Mode(), err, want)
			}
			addToken(t, file, name)
		}
	}
}

func TestARunningServerTakesTokensUpAndLetsThemGo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens.json")
	first := addToken(t, file, "first")
	s := start(t, "-tokens", file)
	s.callAs(first, "GET", "/twins", "", http.StatusOK)
	second := addToken(t, file, "second")
	s.wantStatus(second, http.StatusOK)
	output(t, "token", "revoke", "-tokens", file, "first")
	s.wantStatus(first, http.StatusUnauthorized)
	s.callAs(second, "GET", "/twins", "", http.StatusOK)
	output(t, "token", "revoke", "-tokens", file, "second") // the last one
	s.wantStatus(second, http.StatusUnauthorized)
	third := addToken(t, file, "third")
	s.wantStatus(third, http.StatusOK)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{first, second, third} {
		if strings.Contains(s.log.String()+s.banner, token) {
			t.Errorf("the log holds a token:\n%s", s.log)
		}
	}
}

func TestTheLastUseOfATokenIsListed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens.json")
	used := addToken(t, file, "used")
	addToken(t, file, "idle")
	uses := filepath.Join(t.TempDir(), "uses.json")
	began := time.Now().Truncate(time.Second)
	s := start(t, "-tokens", file, "-token-uses", uses)
	s.callAs(used, "GET", "/twins", "", http.StatusOK)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	var tokens []listed
	if err := json.Unmarshal([]byte(output(t, "token", "list", "-json", "-tokens", file, "-token-uses", uses)), &tokens); err != nil || len(tokens) != 2 {
		t.Fatalf("%+v, %v", tokens, err)
	}
	if at := tokens[0].LastUse; at == nil || at.Before(began) || tokens[1].LastUse != nil {
		t.Errorf("the last uses are %v and %v, want one after %v", at, tokens[1].LastUse, began)
	}
	if text, err := os.ReadFile(uses); err != nil || strings.Contains(string(text), used) {
		t.Errorf("the file of last uses: %s, %v", text, err)
	}
}

func TestAnExpiredTokenIsRefusedAndTheReasonLogged(t *testing.T) {
	t.Parallel()
	file := fileWith(t, fmt.Sprintf(`[{"name": "old", "digest": %q, "expires": "2026-01-31T00:00:00Z", "principal": {"id": "p-old", "accountId": "a", "kind": "User", "scopes": ["twin-platform"]}},
		{"token": "good", "principal": {"id": "p-good", "accountId": "a", "kind": "User", "scopes": ["twin-platform"]}}]`, digestText(t, "old-token")))
	s := start(t, "-tokens", file)
	s.callAs("old-token", "GET", "/twins", "", http.StatusUnauthorized)
	s.callAs("good", "GET", "/twins", "", http.StatusOK)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.log.String(), "a token of the principal p-old that expired at 2026-01-31T00:00:00Z") {
		t.Errorf("the log is\n%s", s.log)
	}
	if listed := output(t, "token", "list", "-tokens", file); !strings.Contains(listed, "2026-01-31T00:00:00Z (expired)") || !strings.Contains(listed, "plain text") {
		t.Errorf("token list prints\n%s", listed)
	}
}

func digestText(t *testing.T, token string) string {
	t.Helper()
	text, err := platform.DigestOf(token).MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTokensThatAreAddedAtOnceAreAllThere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens.json")
	addToken(t, file, "first")
	var adding sync.WaitGroup
	for i := range 20 {
		adding.Go(func() { addToken(t, file, fmt.Sprintf("token-%d", i)) })
	}
	adding.Wait()
	callers, err := tokenFile(file).read()
	if err != nil || len(callers) != 21 {
		t.Errorf("%d tokens are there (%v)", len(callers), err)
	}
}

// What people wrote stays as it is, also where a change is refused.
func TestOtherEntriesStayAsTheyAre(t *testing.T) {
	t.Parallel()
	file := fileWith(t, twoCallers)
	token := addToken(t, file, "more", "-principal", "p2", "-expires", "2099-01-01", "-grant", bridge+"=schedules_read,twins_read")
	callers, err := tokenFile(file).read()
	if err != nil || len(callers) != 3 {
		t.Fatalf("%d tokens are there (%v)", len(callers), err)
	}
	wantSame(t, "the plain tokens", []string{"t-admin", "t-robot"}, []string{callers[0].Token, callers[1].Token})
	wantSame(t, "the principal of another token", "Robot", callers[2].Principal.DisplayName)
	wantSame(t, "grants", []platform.Grant{{TwinID: bridge, Permissions: []string{"schedules_read", "twins_read"}}}, callers[2].Grants)
	wantSame(t, "the digest", platform.DigestOf(token), callers[2].Digest)
	before, _ := os.ReadFile(file)
	for _, args := range [][]string{
		{"add", "-name", "more"},
		{"add", "-name", "bad", "-scope", "everything"},
		{"add", "-name", "bad", "-grant", bridge + "=nothing_such"},
		{"revoke", "more", "unknown"},
	} {
		if err := run(t.Context(), append([]string{"token", args[0], "-tokens", file}, args[1:]...), nil, io.Discard, io.Discard); err == nil {
			t.Errorf("token %v is taken", args)
		}
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
		t.Errorf("the file has become\n%s", after)
	}
}

func TestATokensFileThatOthersCanReadIsWarnedOf(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing here")
	}
	for mode, warns := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o660: true, 0o644: true} {
		file := fileWith(t, twoCallers)
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		s := start(t, "-tokens", file)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		if given := strings.Contains(s.log.String(), "others can read or change the tokens file"); given != warns {
			t.Errorf("with the mode %v the log is\n%s", mode, s.log)
		}
	}
}

func TestWrongCallsOfTokenNameTheMistake(t *testing.T) {
	t.Parallel()
	file := fileWith(t, twoCallers)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "token wants add, list, revoke"},
		{[]string{"make"}, `unknown verb "make"`},
		{[]string{"add", "-name", "x"}, "there is no -tokens file"},
		{[]string{"add", "-tokens", file}, "wants a -name"},
		{[]string{"add", "-tokens", file, "-name", "x", "-expires", "2001-01-01"}, "want a time from now on"},
		{[]string{"add", "-tokens", filepath.Join(t.TempDir(), "new.json"), "-name", "x"}, "wants an -account"},
		{[]string{"revoke", "-tokens", file}, "token revoke wants NAME…"},
		{[]string{"list", "-tokens", file, "more"}, "token list wants no arguments"},
	} {
		var errs bytes.Buffer
		code := Main(t.Context(), Process{Args: append([]string{"token"}, tt.args...), Stdout: io.Discard, Stderr: &errs})
		if code != 2 || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("token %v exits with %d and says %q, want %q", tt.args, code, &errs, tt.want)
		}
	}
}
