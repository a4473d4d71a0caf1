package twinplatform_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
)

var errTask = &twinplatform.Error{
	Kind: twinplatform.NotFound, Code: "TaskNotFound", Message: "The task is not available.", Target: "taskId",
	Details: []twinplatform.Detail{{Code: "InvalidValue", Message: "no such id", Target: "id"}, {Code: "Other"}},
}

func TestErrorIsItsKindAndItsCode(t *testing.T) {
	t.Parallel()
	wrapped := fmt.Errorf("reading: %w", errTask)
	for _, test := range []struct {
		target error
		want   bool
	}{
		{twinplatform.NotFound, true},
		{twinplatform.Conflict, false},
		{twinplatform.Internal, false},
		{&twinplatform.Error{Code: "TaskNotFound"}, true},
		{&twinplatform.Error{Code: "ScheduleNotFound"}, false},
		{&twinplatform.Error{}, false},
		{context.Canceled, false},
	} {
		if got := errors.Is(wrapped, test.target); got != test.want {
			t.Errorf("is %v: %v, want %v", test.target, got, test.want)
		}
	}
}

func TestErrorTextHasCodeTargetAndDetails(t *testing.T) {
	t.Parallel()
	want := "TaskNotFound (taskId): The task is not available.: InvalidValue (id) no such id; Other"
	if got := errTask.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEveryKindHasAName(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for k := twinplatform.Internal; k <= twinplatform.Unavailable; k++ {
		if name := k.Error(); name == "" || seen[name] {
			t.Errorf("kind %d is called %q", k, name)
		} else {
			seen[name] = true
		}
	}
	if got := twinplatform.Kind(99).Error(); got != twinplatform.Internal.Error() {
		t.Errorf("an unknown kind is called %q", got)
	}
}

func TestCauseReachesTheLogAndNoMessage(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk sda1 is on fire")
	got := errTask.Because(cause)
	if twinplatform.Cause(fmt.Errorf("reading: %w", got)) != cause {
		t.Error("the cause is lost")
	}
	if strings.Contains(got.Error(), "sda1") || errors.Is(got, cause) {
		t.Error("the cause shows")
	}
	if twinplatform.Cause(errTask) != error(errTask) {
		t.Error("remembering a cause changed the original")
	}
}

func TestAsErrorKeepsTypedErrorsAndHidesOthers(t *testing.T) {
	t.Parallel()
	if got := twinplatform.AsError(nil); got != nil {
		t.Errorf("no error became %v", got)
	}
	if got := twinplatform.AsError(fmt.Errorf("wrapped: %w", errTask)); got != errTask {
		t.Errorf("a typed error became %v", got)
	}
	for _, test := range []struct {
		err  error
		kind twinplatform.Kind
	}{
		{errors.New("secret text"), twinplatform.Internal},
		{fmt.Errorf("secret text: %w", context.Canceled), twinplatform.Unavailable},
		{context.DeadlineExceeded, twinplatform.Unavailable},
	} {
		got := twinplatform.AsError(test.err)
		if got.Kind != test.kind || strings.Contains(got.Error(), "secret") {
			t.Errorf("%v became %v", test.err, got)
		}
		if twinplatform.Cause(got) != test.err {
			t.Errorf("%v: the cause is %v", test.err, twinplatform.Cause(got))
		}
	}
}

func TestSystemMayDoAllAndOthersWhatIsGranted(t *testing.T) {
	t.Parallel()
	target := twinplatform.Target{TwinID: "t", AccountID: "acme"}
	admin := twinplatform.Principal{ID: "root", AccountID: "acme", AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}}
	elsewhere := admin
	elsewhere.AccountID = "other"
	ask := func(asked *[]string, answer bool, err error) twinplatform.Authorizer {
		return authorizer(func(p twinplatform.Principal, permission string, at twinplatform.Target) (bool, error) {
			*asked = append(*asked, p.ID+" "+permission+" "+at.TwinID)
			return answer, err
		})
	}
	boom := errors.New("boom")
	for name, test := range map[string]struct {
		who   *twinplatform.Principal
		yes   bool
		err   error
		none  bool // no authorizer
		want  bool
		asked []string
	}{
		"system":                             {want: true},
		"administrator of the account":       {who: &admin, want: true},
		"administrator of another account":   {who: &elsewhere, asked: []string{"root p t"}},
		"user with the permission":           {who: &twinplatform.Principal{ID: "u"}, yes: true, want: true, asked: []string{"u p t"}},
		"user without the permission":        {who: &twinplatform.Principal{ID: "u"}, asked: []string{"u p t"}},
		"user without a directory":           {who: &twinplatform.Principal{ID: "u"}, none: true},
		"user where the answer is not known": {who: &twinplatform.Principal{ID: "u"}, err: boom, asked: []string{"u p t"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			env := twinplatform.Env{Authorizer: ask(&asked, test.yes, test.err)}
			if test.none {
				env.Authorizer = nil
			}
			ctx := t.Context()
			if test.who != nil {
				ctx = twinplatform.WithPrincipal(ctx, *test.who)
			}
			got, err := env.Allowed(ctx, "p", target)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %v, %v", got, err)
			}
			if diff := cmp.Diff(test.asked, asked, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

type authorizer func(twinplatform.Principal, string, twinplatform.Target) (bool, error)

func (f authorizer) Allowed(_ context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return f(p, permission, target)
}

func TestThreeRolesMakeAnAdministrator(t *testing.T) {
	t.Parallel()
	unknownRoles := []string{"the third role, not configured", "another role", "another spelling", "the empty role"}
	plain, third := twinplatform.Env{}, twinplatform.Env{AdministratorRole: "Site Administrator"}
	for name, test := range map[string]struct {
		env     twinplatform.Env
		roles   []twinplatform.AdministratorRole
		account string
		want    bool
	}{
		"the first named role":           {plain, []twinplatform.AdministratorRole{"Account Administrator"}, "acme", true},
		"the second named role":          {plain, []twinplatform.AdministratorRole{"Account Administrator", "Co-Administrator"}, "acme", true},
		"a named role next to the third": {third, []twinplatform.AdministratorRole{"Co-Administrator"}, "acme", true},
		"the third role":                 {third, []twinplatform.AdministratorRole{"Site Administrator"}, "acme", true},
		"the third role, not configured": {plain, []twinplatform.AdministratorRole{"Site Administrator"}, "acme", false},
		"another role":                   {third, []twinplatform.AdministratorRole{"Reader", "owner", "Administrator"}, "acme", false},
		"another spelling":               {third, []twinplatform.AdministratorRole{"account administrator", "Site administrator", "CoAdministrator"}, "acme", false},
		"the empty role":                 {plain, []twinplatform.AdministratorRole{""}, "acme", false},
		"no role":                        {third, nil, "acme", false},
		"another account":                {plain, []twinplatform.AdministratorRole{"Account Administrator"}, "other", false},
		"no account":                     {plain, []twinplatform.AdministratorRole{"Account Administrator"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := twinplatform.Principal{ID: "p", AccountID: test.account, AdministratorRoles: test.roles}
			target := twinplatform.Target{AccountID: "acme"}
			if test.account == "" {
				target.AccountID = ""
			}
			if got := test.env.Administers(p, target.AccountID); got != test.want {
				t.Errorf("administers: %t, want %t", got, test.want)
			}
			unknown := test.env.CheckPrincipal(p)
			if refused := !test.want && slices.Contains(unknownRoles, name); (unknown != nil) != refused {
				t.Errorf("the principal is checked with %v, want an error: %t", unknown, refused)
			}
			got, err := test.env.Allowed(twinplatform.WithPrincipal(t.Context(), p), "anything", target)
			if got != test.want || (err != nil) != (unknown != nil) {
				t.Errorf("may do anything: %t, %v, want %t", got, err, test.want)
			}
		})
	}
}

func TestEnvWithDefaultsIsReadyAndKeepsWhatIsSet(t *testing.T) {
	t.Parallel()
	env := twinplatform.Env{}.WithDefaults()
	if env.Now().IsZero() {
		t.Error("the clock does not advance")
	}
	for name, made := range map[string]func() string{"id": env.NewID, "GUID": env.NewGUID} {
		if first, second := made(), made(); first == second || first == "" {
			t.Errorf("the %s %q was made twice", name, first)
		}
	}
	env.Logger.Info("goes nowhere")
	set := twinplatform.Env{NewID: func() string { return "mine" }}.WithDefaults()
	if set.NewID() != "mine" {
		t.Error("what was set is lost")
	}
	if first, second := env.NewID(), env.NewID(); first >= second {
		t.Errorf("ids do not sort by creation: %s, %s", first, second)
	}
}
