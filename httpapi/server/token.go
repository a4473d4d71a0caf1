package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/platform"
)

const tokenText = "Adds, lists and revokes bearer tokens. The `-tokens` file keeps their digests, so that a token is " +
	"shown once. A running server reads a " +
	"changed file within a second."

// tokenCommand manages the tokens of a file.
func tokenCommand() job {
	verbs := []verb{
		{
			name: "add", text: "Makes a token and prints it to standard output. The file gets its digest; the token " +
				"is not shown again.",
			examples: []usage.Example{
				{
					Call: "twinplatform token add -tokens tokens.json -name ci -kind Service -expires 2160h",
					Does: "For an application, for 90 days.",
				},
				{
					Call: "twinplatform token add -tokens tokens.json -name reader -grant " +
						"6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90=schedules_read",
					Does: "For a user who may read the schedules of one twin.",
				},
			}, flags: addFlags,
		},
		{
			name: "list", text: "Lists the tokens of the file, when each expires and when it was last used.",
			examples: []usage.Example{{Call: "twinplatform token list -tokens tokens.json"}}, flags: listFlags,
		},
		{
			name: "revoke", operands: "NAME…", text: "Removes tokens from the file, by their names.",
			examples: []usage.Example{{Call: "twinplatform token revoke -tokens tokens.json ci"}}, flags: revokeFlags,
		},
	}
	return job{
		examples: verbs[0].examples,
		words:    namesOf(verbs),
		verbs:    func(_ context.Context, p Process) error { return runVerb("token", tokenText, verbs, p) },
	}
}

// tokensFlag declares the flag of the file, and returns what it says, or else the
// environment.
func tokensFlag(set *flag.FlagSet) func(Process) (tokenFile, error) {
	name := set.String("tokens", "", "tokens `file` of the server (default: "+variable("tokens")+" of the environment)")
	return func(p Process) (tokenFile, error) {
		f := tokenFile(cmp.Or(*name, p.variable("tokens")))
		if f == "" {
			return f, wrongly{errors.New("there is no -tokens file")}
		}
		return f, nil
	}
}

// variable is the value of an option in the environment.
func (p Process) variable(option string) (value string) {
	for _, kv := range p.Env {
		if v, ok := strings.CutPrefix(kv, variable(option)+"="); ok {
			value = v
		}
	}
	return value
}

// newEntry is an entry of the file as it is written; platform.ReadCallers reads it.
type newEntry struct {
	Name      string               `json:"name"`
	Digest    platform.TokenDigest `json:"digest"`
	Created   time.Time            `json:"created"`
	Expires   *time.Time           `json:"expires,omitempty"`
	Principal newPrincipal         `json:"principal"`
	Grants    []platform.Grant     `json:"grants,omitempty"`
}

type newPrincipal struct {
	ID                string                     `json:"id"`
	DisplayName       string                     `json:"displayName,omitempty"`
	Email             string                     `json:"email,omitempty"`
	AccountID         string                     `json:"accountId"`
	Kind              twinplatform.PrincipalKind `json:"kind"`
	Scopes            []string                   `json:"scopes"`
	OrganizationAdmin bool                       `json:"organizationAdmin,omitempty"`
}

func addFlags(set *flag.FlagSet) func(Process, []string) error {
	file := tokensFlag(set)
	var e newEntry
	var expires, kind string
	set.StringVar(&e.Name, "name", "", "`name` of the token, by which it is listed and revoked; required")
	set.StringVar(&e.Principal.ID, "principal", "",
		"`id` of the principal who calls with it (default: a new one); what the file knows of it holds")
	set.StringVar(&e.Principal.AccountID, "account", "",
		"`id` of the account (default: that of the first entry in the file)")
	set.StringVar(&kind, "kind", "",
		"`kind` of principal: User, or Service for an application, which webhooks need (default: User)")
	set.StringVar(&e.Principal.DisplayName, "display-name", "", "`name` of the principal (default: that of the token)")
	set.StringVar(&e.Principal.Email, "email", "", "`address` of the principal")
	set.BoolVar(&e.Principal.OrganizationAdmin, "admin", false, "make the principal an administrator of the account")
	set.StringVar(&expires, "expires", "",
		"`when` the token expires: after a time such as 720h, or at a date such as 2027-01-31 (default: never)")
	set.Func("scope", "`scope` of the token; repeat it for several (default: "+twinplatform.ScopePlatform+")",
		func(s string) error {
			e.Principal.Scopes = append(e.Principal.Scopes, s)
			return nil
		})
	set.Func("grant", "permissions at a twin, as `twin=permission,…`; repeat it for several", func(s string) error {
		twin, permissions, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("want TWIN=PERMISSION,…")
		}
		e.Grants = append(e.Grants, platform.Grant{TwinID: twin, Permissions: strings.Split(permissions, ",")})
		return nil
	})
	return func(p Process, _ []string) error {
		f, err := file(p)
		if err != nil {
			return err
		}
		e.Created, e.Principal.Kind = time.Now().UTC().Truncate(time.Second), twinplatform.PrincipalKind(kind)
		switch at, ok := expiry(expires, e.Created); {
		case e.Name == "":
			return wrongly{errors.New("token add wants a -name, by which it is listed and revoked")}
		case !ok:
			return wrongly{fmt.Errorf("invalid value %q for flag -expires: want a time from now on, such as 720h or "+
				"2027-01-31", expires)}
		case !at.IsZero():
			e.Expires = &at
		}
		return f.add(p, e)
	}
}

// expiry reads when a token expires: after a time, or at the beginning of a date or a moment
// that is still to come; the zero time for never.
func expiry(s string, now time.Time) (at time.Time, ok bool) {
	if s == "" {
		return at, true
	}
	if d, err := time.ParseDuration(s); err == nil {
		return now.Add(d), d > 0
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC(), at.After(now)
		}
	}
	return at, false
}

// tokenPrefix is what tokens begin with, so that programs that look for secrets in places
// where they should not be know one when they see it.
const tokenPrefix = "twp_"

// newToken is a token that no one can guess: 256 random bits.
func newToken() string { return tokenPrefix + rand.Text() + rand.Text() }

// add makes a token, and shows it once the file has its digest.
func (f tokenFile) add(p Process, e newEntry) error {
	token := newToken()
	e.Digest = platform.DigestOf(token)
	err := f.change(func(entries []json.RawMessage, callers platform.Callers) ([]json.RawMessage, error) {
		if err := e.complete(callers); err != nil {
			return nil, err
		}
		text, err := json.Marshal(e)
		return append(entries, text), err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stderr, "the token %s of the principal %s; it is shown this once:\n", e.Name, e.Principal.ID)
	_, err = fmt.Fprintln(p.Stdout, token)
	return err
}

// complete fills in what was not given, from the file.
func (e *newEntry) complete(callers platform.Callers) error {
	p := &e.Principal
	if i := slices.IndexFunc(callers, func(c platform.Caller) bool { return c.Principal.ID == p.ID }); i >= 0 &&
		p.ID != "" {
		known := callers[i].Principal
		p.DisplayName, p.Email = cmp.Or(p.DisplayName, known.DisplayName), cmp.Or(p.Email, known.Email)
		p.AccountID, p.Kind = cmp.Or(p.AccountID, known.AccountID), cmp.Or(p.Kind, known.Kind)
		p.OrganizationAdmin = p.OrganizationAdmin ||
			slices.Contains(known.AdministratorRoles, twinplatform.AccountAdministrator)
		if len(p.Scopes) == 0 {
			p.Scopes = known.Scopes
		}
	}
	if p.AccountID == "" && len(callers) > 0 {
		p.AccountID = callers[0].Principal.AccountID
	}
	if p.AccountID == "" {
		return wrongly{errors.New("the first token of a file wants an -account")}
	}
	p.ID, p.Kind = cmp.Or(p.ID, twinplatform.NewGUID()), cmp.Or(p.Kind, twinplatform.User)
	p.DisplayName = cmp.Or(p.DisplayName, e.Name)
	if len(p.Scopes) == 0 {
		p.Scopes = []string{twinplatform.ScopePlatform}
	}
	return nil
}

func revokeFlags(set *flag.FlagSet) func(Process, []string) error {
	file := tokensFlag(set)
	return func(p Process, names []string) error {
		f, err := file(p)
		if err != nil {
			return err
		}
		err = f.change(func(entries []json.RawMessage, callers platform.Callers) ([]json.RawMessage, error) {
			var kept []json.RawMessage
			missing := slices.Clone(names)
			for i, c := range callers {
				if c.Name == "" || !slices.Contains(names, c.Name) {
					kept = append(kept, entries[i])
				}
				missing = slices.DeleteFunc(missing, func(name string) bool { return name == c.Name })
			}
			if len(missing) > 0 {
				return nil, fmt.Errorf("%s has no token %q, and none is revoked; \"twinplatform token list\" has "+
					"their names", f, missing[0])
			}
			return kept, nil
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Stdout, "revoked: %s\n", strings.Join(names, ", "))
		return err
	}
}

// listed is a token as it is listed.
type listed struct {
	Name        string                     `json:"name"`
	PrincipalID string                     `json:"principalId"`
	Kind        twinplatform.PrincipalKind `json:"kind"`
	Created     *time.Time                 `json:"created"`
	Expires     *time.Time                 `json:"expires"`
	LastUse     *time.Time                 `json:"lastUse"`
	PlainText   bool                       `json:"plainText"` // the file has the token itself
}

func listFlags(set *flag.FlagSet) func(Process, []string) error {
	file := tokensFlag(set)
	uses := set.String("token-uses", "", "`file` of the server with last uses (default: next to the -tokens file)")
	asJSON := set.Bool("json", false, "print JSON, for programs")
	return func(p Process, _ []string) error {
		f, err := file(p)
		if err != nil {
			return err
		}
		callers, err := f.read()
		if err != nil {
			return err
		}
		used, err := useFile(cmp.Or(*uses, p.variable("token-uses"), f.uses())).read()
		if err != nil {
			return err
		}
		tokens := make([]listed, len(callers))
		for i, c := range callers {
			tokens[i] = listed{
				c.Name, c.Principal.ID, c.Principal.Kind, unlessZero(c.Created), unlessZero(c.Expires),
				unlessZero(used[c.TokenDigest()]), c.Token != "",
			}
		}
		if *asJSON {
			e := json.NewEncoder(p.Stdout)
			e.SetIndent("", "  ")
			return e.Encode(tokens)
		}
		return printTokens(p, tokens)
	}
}

func printTokens(p Process, tokens []listed) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tPRINCIPAL\tKIND\tCREATED\tEXPIRES\tLAST USE\tKEPT AS")
	for _, t := range tokens {
		kept := "digest"
		if t.PlainText {
			kept = "plain text"
		}
		expires := when(t.Expires, "never")
		if t.Expires != nil && !time.Now().Before(*t.Expires) {
			expires += " (expired)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", cmp.Or(t.Name, "-"), t.PrincipalID, t.Kind, when(t.Created, "-"),
			expires, when(t.LastUse, "never"), kept)
	}
	return w.Flush()
}

func unlessZero(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func when(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.UTC().Format(time.RFC3339)
}
