package forms_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Twins of the tests: the tower and the bridge belong to acme, abroad to other.
const (
	tower   = "10000000-0000-4000-8000-000000000001"
	bridge  = "10000000-0000-4000-8000-000000000002"
	abroad  = "20000000-0000-4000-8000-000000000001"
	nowhere = "90000000-0000-4000-8000-000000000009"
)

var moment = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// held are the permissions of callers: "id twin" to permissions.
type held map[string][]string

func (h held) Allowed(_ context.Context, who twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return slices.Contains(h[who.ID+" "+target.TwinID], permission), nil
}

type directory map[string]string

func (d directory) TwinAccount(_ context.Context, id string) (string, bool, error) {
	account, ok := d[id]
	return account, ok, nil
}

type mailboxes map[string]string

func (m mailboxes) Email(_ context.Context, id string) (string, error) { return m[id], nil }

// permissionSeeTwin lets a caller see a twin, and nothing in it.
const permissionSeeTwin = "twins_read"

// office is a forms service with callers and twins around it.
type office struct {
	*forms.Service
	t    testing.TB
	held held
	now  *atomic.Int64 // seconds since moment
}

func open(t testing.TB) *office { return openOver(t, storetest.New(t)) }

func openOver(t testing.TB, store storage.Store) *office {
	t.Helper()
	var ids, seconds atomic.Int64
	o := &office{t: t, now: &seconds, held: held{
		guid("viewer") + " " + tower:    {forms.PermissionView},
		guid("creator") + " " + tower:   {forms.PermissionCreate},
		guid("modifier") + " " + tower:  {forms.PermissionModify},
		guid("assigner") + " " + tower:  {forms.PermissionAssign},
		guid("approver") + " " + tower:  {forms.PermissionApprove},
		guid("commenter") + " " + tower: {forms.PermissionComment},
		guid("deleter") + " " + tower:   {forms.PermissionDelete},
		guid("full") + " " + tower:      {forms.PermissionFull},
		guid("definer") + " " + tower:   {forms.PermissionDefine},
		guid("keeper") + " " + tower:    {forms.PermissionDefine, forms.PermissionFull},
		guid("guest") + " " + tower:     {permissionSeeTwin},
		guid("one") + " " + tower:       {permissionSeeTwin},
		guid("two") + " " + tower:       {permissionSeeTwin},
		guid("neighbour") + " " + bridge: {
			forms.PermissionFull, forms.PermissionDefine,
		},
		guid("foreigner") + " " + abroad: {forms.PermissionFull, forms.PermissionDefine},
	}}
	for _, permission := range holders {
		o.held[grantee(permission)+" "+tower] = []string{permissionSeeTwin}
	}
	o.Service = forms.New(store, forms.Config{
		Env: twinplatform.Env{
			Now:        func() time.Time { return moment.Add(time.Duration(seconds.Load()) * time.Second) },
			NewID:      func() string { return fmt.Sprintf("id%06d", ids.Add(1)) },
			Authorizer: o.held,
		},
		Twins:     directory{tower: "acme", bridge: "acme", abroad: "other"},
		Mailboxes: mailboxes{guid("commenter"): "commenter@example.com"},
		Designer:  "https://designer.example.com/",
	})
	return o
}

// openWith is a service with its own configuration and every GUID a twin.
func openWith(t testing.TB, cfg forms.Config) *forms.Service {
	t.Helper()
	return forms.New(storetest.New(t), cfg)
}

// guid is a GUID that stands for a name.
func guid(name string) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", len(name), []byte(name + "______")[:6])
}

// as is the context of a caller of the account acme.
func (o *office) as(name string) context.Context { return o.of("acme", name) }

func (o *office) of(account, name string, roles ...twinplatform.AdministratorRole) context.Context {
	return twinplatform.WithPrincipal(o.t.Context(), twinplatform.Principal{
		ID: guid(name), DisplayName: strings.ToUpper(name[:1]) + name[1:], AccountID: account, AdministratorRoles: roles,
	})
}

// system is the context of the program itself.
func (o *office) system() context.Context { return o.t.Context() }

func done[T any](t testing.TB, res twinplatform.Result[T], err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return res.Value()
}

// definition makes an approved definition in the tower, changed by the
// functions.
func (o *office) definition(change ...func(*forms.NewFormDefinition)) forms.FormDefinition {
	o.t.Helper()
	n := forms.NewFormDefinition{TwinID: tower, DisplayName: "Request", Type: "RFI", Discipline: "Structure", Status: forms.Approved}
	for _, c := range change {
		c(&n)
	}
	res, err := o.CreateFormDefinition(o.system(), n)
	return done(o.t, res, err)
}

func (o *office) form(definitionID string, fields ...forms.FormFields) forms.Form {
	o.t.Helper()
	n := forms.NewForm{FormID: definitionID}
	if len(fields) > 0 {
		n.FormFields = fields[0]
	}
	res, err := o.CreateForm(o.system(), n)
	return done(o.t, res, err)
}

// fails checks an error: its code, its target, and its details as code:target.
func fails(t testing.TB, err error, kind twinplatform.Kind, code, target string, details ...string) {
	t.Helper()
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok {
		t.Fatalf("error %v, want %s", err, code)
	}
	if e.Kind != kind || e.Code != code || e.Target != target {
		t.Errorf("error %v %s (%s), want %v %s (%s)", e.Kind, e.Code, e.Target, kind, code, target)
	}
	got := make([]string, 0, len(e.Details))
	for _, d := range problemtest.Details(e) {
		got = append(got, d.Code+":"+d.Target)
	}
	if diff := cmp.Diff(append([]string{}, details...), got); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

// sameJSON compares JSON by content.
func sameJSON(t testing.TB, want string, got []byte) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func top(n int) twinplatform.ListOptions { return twinplatform.ListOptions{Top: n} }
