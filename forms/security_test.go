package forms_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func grantTo(name string, permissions ...string) *forms.Security {
	return &forms.Security{Grants: []forms.Grant{{PrincipalID: guid(name), Permissions: permissions}}}
}

// shared is a definition of the tower that is used in the bridge, and a form of
// it there.
func (o *office) shared() (d forms.FormDefinition, atBridge work) {
	o.t.Helper()
	d = o.definition(func(n *forms.NewFormDefinition) { n.ShareType = forms.ReadOnly })
	res, err := o.CreateForm(o.system(), forms.NewForm{FormID: d.ID, TwinID: bridge})
	f := done(o.t, res, err)
	comment, err := o.CreateComment(o.system(), f.ID, forms.NewComment{Text: "t"})
	atBridge = work{twin: bridge, definition: d.ID, form: f.ID, comment: done(o.t, comment, err).ID}
	attachment, err := o.CreateAttachment(o.system(), f.ID, forms.NewAttachment{FileName: "a.txt"})
	atBridge.attachment = done(o.t, attachment, err).ID
	if _, err := o.WriteAttachment(o.system(), f.ID, atBridge.attachment, strings.NewReader("text")); err != nil {
		o.t.Fatal(err)
	}
	return d, atBridge
}

// covers: F1: permission security of a definition holds in one twin
func TestSecurityOfADefinitionReachesNoOtherTwin(t *testing.T) {
	t.Parallel()
	for _, op := range operations {
		if !strings.HasPrefix(op.missing, "FormData") {
			continue
		}
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			d, atBridge := o.shared()
			for _, twin := range []string{"", tower} {
				if err := o.SetSecurity(o.as("keeper"), d.ID, twin, grantTo("keeper", forms.PermissionFull)); err != nil {
					t.Fatal(err)
				}
				err := op.do(o.as("keeper"), o, atBridge)
				fails(t, err, twinplatform.NotFound, op.missing, "id")
			}
			if err := op.do(o.as("neighbour"), o, atBridge); err != nil {
				t.Errorf("the people of the other twin are locked out: %v", err)
			}
		})
	}
}

// covers: F1: permission security of a definition holds in one twin
func TestEachTwinSecuresASharedDefinitionForItself(t *testing.T) {
	t.Parallel()
	o := open(t)
	d, atBridge := o.shared()
	here := o.form(d.ID)
	for _, who := range []string{"inspector", "guest"} {
		o.held[guid(who)+" "+bridge] = []string{permissionSeeTwin}
	}
	sees := func(caller, form, want string) {
		t.Helper()
		_, err := o.Form(o.as(caller), form)
		if got := code(err); got != want {
			t.Errorf("%s: %q, want %q", caller, got, want)
		}
	}
	set := func(caller, twin string, sec *forms.Security) {
		t.Helper()
		if err := o.SetSecurity(o.as(caller), d.ID, twin, sec); err != nil {
			t.Fatal(err)
		}
	}
	set("neighbour", strings.ToUpper(bridge), grantTo("inspector", forms.PermissionModify))
	sees("inspector", atBridge.form, "")
	sees("inspector", here.ID, "FormDataNotFound")
	sees("neighbour", atBridge.form, "FormDataNotFound")
	sees("viewer", here.ID, "")
	set("keeper", "", grantTo("guest", forms.PermissionView))
	sees("guest", here.ID, "")
	sees("guest", atBridge.form, "FormDataNotFound")
	sees("viewer", here.ID, "FormDataNotFound")
	sees("inspector", atBridge.form, "")
	for twin, want := range map[string]*forms.Security{tower: grantTo("guest", forms.PermissionView), bridge: grantTo("inspector", forms.PermissionModify)} {
		got, err := o.Security(o.system(), d.ID, twin)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	_, names := pages(t, o.as("inspector"), o, forms.FormQuery{TwinID: bridge})
	if len(names) != 1 {
		t.Errorf("the list of the bridge shows %q", names)
	}
	set("neighbour", bridge, nil)
	sees("neighbour", atBridge.form, "")
	sees("inspector", atBridge.form, "FormDataNotFound")
	sees("guest", here.ID, "")
}

func TestGrantIsWorthNothingToWhoDoesNotSeeTheTwin(t *testing.T) {
	t.Parallel()
	o := open(t)
	w := o.filled(o.definition())
	if err := o.SetSecurity(o.system(), w.definition, "", grantTo("outsider", forms.PermissionFull, forms.PermissionDefine)); err != nil {
		t.Fatal(err)
	}
	for _, op := range operations {
		if got := code(op.do(o.as("outsider"), o, w)); got != op.missing {
			t.Errorf("%s: %q, want %q", op.name, got, op.missing)
		}
	}
	o.held[guid("outsider")+" "+tower] = []string{permissionSeeTwin}
	if _, err := o.Form(o.as("outsider"), w.form); err != nil {
		t.Error(err)
	}
}

// covers: operations formDefinitions.setSecurity
func TestGrantsAreLimitedToWhatTheGranterHoldsInTheTwin(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		caller   string
		old, sec *forms.Security
		want     string
	}{
		"more than it holds":             {"definer", nil, grantTo("guest", forms.PermissionModify), "InsufficientPermissions"},
		"more than it holds, to itself":  {"definer", nil, grantTo("definer", forms.PermissionFull), "InsufficientPermissions"},
		"what it holds":                  {"definer", nil, grantTo("guest", forms.PermissionDefine), ""},
		"viewing, as one who may define": {"definer", nil, grantTo("guest", forms.PermissionView), ""},
		"all of it, with full access":    {"keeper", nil, grantTo("guest", forms.PermissionDelete, forms.PermissionDefine, forms.PermissionFull), ""},
		"what was granted before":        {"definer", grantTo("guest", forms.PermissionFull), grantTo("guest", forms.PermissionFull), ""},
		"less than was granted before":   {"definer", grantTo("guest", forms.PermissionFull), grantTo("guest", forms.PermissionModify), ""},
		"what another was granted":       {"definer", grantTo("guest", forms.PermissionModify), grantTo("one", forms.PermissionModify), "InsufficientPermissions"},
		"more than was granted before":   {"definer", grantTo("guest", forms.PermissionModify), grantTo("guest", forms.PermissionModify, forms.PermissionDelete), "InsufficientPermissions"},
		"nothing to anybody":             {"definer", nil, &forms.Security{Grants: []forms.Grant{}}, ""},
		"what the twin grants anyhow":    {"definer", grantTo("guest", forms.PermissionView), nil, "InsufficientPermissions"},
		"the same, with full access":     {"keeper", grantTo("guest", forms.PermissionView), nil, ""},
		"no security, as before":         {"definer", nil, nil, ""},
		"as an administrator":            {"", grantTo("guest", forms.PermissionView), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			d := o.definition()
			if err := o.SetSecurity(o.system(), d.ID, "", test.old); err != nil {
				t.Fatal(err)
			}
			ctx := o.of("acme", "boss", "Account Administrator")
			if test.caller != "" {
				ctx = o.as(test.caller)
			}
			if got := code(o.SetSecurity(ctx, d.ID, "", test.sec)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			want := test.sec
			if test.want != "" {
				want = test.old
			}
			got, err := o.Security(o.system(), d.ID, "")
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestSecurityIsSetWhereTheDefinitionIsUsedByWhoManagesItThere(t *testing.T) {
	t.Parallel()
	o := open(t)
	d, _ := o.shared()
	own := o.definition()
	o.held[guid("looker")+" "+bridge] = []string{permissionSeeTwin}
	none := &forms.Security{Grants: []forms.Grant{}}
	for name, test := range map[string]struct {
		ctx        context.Context
		definition string
		twin       string
		kind       twinplatform.Kind
		code       string
		target     string
		details    []string
	}{
		"its own manager, elsewhere":              {o.as("keeper"), d.ID, bridge, twinplatform.NotFound, "ProjectNotFound", "twinId", nil},
		"another's manager, at home":              {o.as("neighbour"), d.ID, "", twinplatform.Forbidden, "InsufficientPermissions", "", nil},
		"who only sees the twin":                  {o.as("looker"), d.ID, bridge, twinplatform.Forbidden, "InsufficientPermissions", "", nil},
		"who only views the forms":                {o.as("viewer"), d.ID, tower, twinplatform.Forbidden, "InsufficientPermissions", "", nil},
		"of another account":                      {o.of("other", "foreigner"), d.ID, abroad, twinplatform.NotFound, "FormDefinitionNotFound", "id", nil},
		"in a twin of another account":            {o.as("keeper"), d.ID, abroad, twinplatform.NotFound, "ProjectNotFound", "twinId", nil},
		"in a twin that is not there":             {o.as("keeper"), d.ID, nowhere, twinplatform.NotFound, "ProjectNotFound", "twinId", nil},
		"where it is not shared":                  {o.system(), own.ID, bridge, twinplatform.Unprocessable, "InvalidFormDefRequest", "", []string{"InvalidValue:twinId"}},
		"where it is not shared, for a neighbour": {o.as("neighbour"), own.ID, bridge, twinplatform.NotFound, "FormDefinitionNotFound", "id", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fails(t, o.SetSecurity(test.ctx, test.definition, test.twin, none), test.kind, test.code, test.target, test.details...)
			_, err := o.Security(test.ctx, test.definition, test.twin)
			fails(t, err, test.kind, test.code, test.target, test.details...)
		})
	}
	if err := o.SetSecurity(o.as("neighbour"), d.ID, bridge, none); err != nil {
		t.Error(err)
	}
}

func TestSecurityOfADeletedDefinitionIsGoneEverywhere(t *testing.T) {
	t.Parallel()
	store := memory.New()
	o := openOver(t, store)
	o.form(o.definition().ID)
	before := storetest.Keys(t, store)
	d := o.definition(func(n *forms.NewFormDefinition) { n.ShareType = forms.ReadOnly })
	for _, twin := range []string{tower, bridge} {
		if err := o.SetSecurity(o.system(), d.ID, twin, grantTo("guest", forms.PermissionView)); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.DeleteFormDefinition(o.system(), d.ID); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Keys(t, store); got != before {
		t.Errorf("%d keys, want the %d from before", got, before)
	}
}

// powers are probes of what a caller may do with a form: they leave it as it is,
// or add what no probe looks at.
var powers = map[string]func(context.Context, *office, string) error{
	forms.PermissionView: func(ctx context.Context, o *office, form string) error {
		_, err := o.Form(ctx, form)
		return err
	},
	forms.PermissionModify:  probe(forms.FormFields{}),
	forms.PermissionApprove: probe(forms.FormFields{Status: twinplatform.Set("Open")}),
	forms.PermissionAssign:  probe(forms.FormFields{Assignee: twinplatform.Null[forms.Person]()}),
	forms.PermissionComment: func(ctx context.Context, o *office, form string) error {
		_, err := o.CreateComment(ctx, form, forms.NewComment{Text: "t"})
		return err
	},
}

func probe(fields forms.FormFields) func(context.Context, *office, string) error {
	return func(ctx context.Context, o *office, form string) error {
		_, err := o.UpdateForm(ctx, form, forms.FormPatch{FormFields: fields})
		return err
	}
}

// givers are, for each power, the permissions on a twin that give it.
var givers = map[string][]string{
	forms.PermissionView: {
		forms.PermissionView, forms.PermissionCreate, forms.PermissionModify, forms.PermissionAssign, forms.PermissionApprove,
		forms.PermissionComment, forms.PermissionDelete, forms.PermissionDefine,
	},
	forms.PermissionModify:  {forms.PermissionModify, forms.PermissionCreate},
	forms.PermissionApprove: {forms.PermissionApprove},
	forms.PermissionAssign:  {forms.PermissionAssign, forms.PermissionApprove},
	forms.PermissionComment: {forms.PermissionComment},
}

// TestSecurityGrantsNoMoreThanTheGranterHolds lets managers of three twins secure shared
// definitions at random. After each step, anyone who may do more with the forms in a twin
// than before was granted it by a caller who may define there and holds the same there;
// and anyone who may do less lost it to one who may define there.
func TestSecurityGrantsNoMoreThanTheGranterHolds(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](25, 5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, rand.New(rand.NewPCG(seed, 8)))
			before := h.powers()
			for range 15 {
				actor, act := h.step()
				after := h.powers()
				h.judge(actor, act, before, after)
				before = after
			}
		})
	}
}

// history is a random one.
type history struct {
	*office
	random      *rand.Rand
	twins       []string
	people      []string
	definitions []string
	forms       map[string]string // by definition and twin
}

func newHistory(t *testing.T, random *rand.Rand) *history {
	o := open(t)
	const canal = "10000000-0000-4000-8000-000000000003"
	h := &history{
		office: o, random: random, people: []string{"ada", "ben", "cyd", "dot"}, twins: []string{tower, bridge, canal}, forms: map[string]string{},
	}
	o.Service = forms.New(memory.New(), forms.Config{
		Env: twinplatform.Env{Authorizer: heldWithin{o.held}}, Twins: directory{tower: "acme", bridge: "acme", canal: "acme"},
	})
	for _, person := range h.people {
		for _, twin := range h.twins {
			o.held[guid(person)+" "+twin] = h.some(append([]string{permissionSeeTwin, forms.PermissionFull}, givers[forms.PermissionView]...))
			if random.IntN(2) == 0 {
				o.held[guid(person)+" "+twin] = append(o.held[guid(person)+" "+twin], forms.PermissionDefine)
			}
		}
	}
	for _, home := range h.twins {
		d := o.definition(func(n *forms.NewFormDefinition) { n.TwinID, n.ShareType = home, forms.ReadWrite })
		h.definitions = append(h.definitions, d.ID)
		for _, twin := range h.twins {
			res, err := o.CreateForm(o.system(), forms.NewForm{FormID: d.ID, TwinID: twin})
			h.forms[d.ID+" "+twin] = done(t, res, err).ID
		}
	}
	return h
}

// heldWithin are permissions that are asked for within transactions.
type heldWithin struct{ held }

func (heldWithin) Transactional() {}

// some are up to three of the texts.
func (h *history) some(of []string) []string {
	var out []string
	for range h.random.IntN(4) {
		out = append(out, of[h.random.IntN(len(of))])
	}
	return out
}

func (h *history) one(of []string) string { return of[h.random.IntN(len(of))] }

// step lets someone do something.
func (h *history) step() (actor, act string) {
	actor = h.one(h.people)
	definition, twin := h.one(h.definitions), h.one(append([]string{""}, h.twins...))
	ctx := h.as(actor)
	var err error
	switch h.random.IntN(8) {
	case 0:
		act, err = "lifts security", h.SetSecurity(ctx, definition, twin, nil)
	case 1:
		act = "moves the definition to another status"
		_, err = h.UpdateFormDefinition(ctx, definition, forms.FormDefinitionPatch{Status: twinplatform.Set(forms.Maintenance)})
	case 2:
		act, err = "deletes the definition", h.DeleteFormDefinition(ctx, definition)
	case 3:
		act, err = "edits the layout", h.SetLayout(ctx, definition, forms.Layout{Definition: `{}`, TwinID: twin})
	default:
		sec := &forms.Security{Grants: []forms.Grant{}}
		for _, who := range h.some(h.people) {
			permissions := append(h.some(append([]string{forms.PermissionFull}, givers[forms.PermissionView]...)), forms.PermissionView)
			sec.Grants = append(sec.Grants, forms.Grant{PrincipalID: guid(who), Permissions: permissions})
		}
		act, err = fmt.Sprintf("grants %v", sec.Grants), h.SetSecurity(ctx, definition, twin, sec)
	}
	return actor, fmt.Sprintf("%s %s of %s in %q: %v", actor, act, definition, twin, err)
}

// powers are what everybody may do: person, definition, twin and power to true.
func (h *history) powers() map[[4]string]bool {
	out := make(map[[4]string]bool)
	for _, person := range h.people {
		for _, definition := range h.definitions {
			for _, twin := range h.twins {
				for power, try := range powers {
					err := try(h.as(person), h.office, h.forms[definition+" "+twin])
					if err == nil {
						out[[4]string{person, definition, twin, power}] = true
					} else if c := code(err); c != "FormDataNotFound" && c != "InsufficientPermissions" {
						h.t.Fatal(err)
					}
				}
			}
		}
	}
	return out
}

func (h *history) judge(actor, act string, before, after map[[4]string]bool) {
	h.t.Helper()
	mayDefine := func(twin string) bool {
		return slices.Contains(h.held[guid(actor)+" "+twin], forms.PermissionDefine)
	}
	for at := range after {
		held := h.held[guid(actor)+" "+at[2]]
		holds := slices.ContainsFunc(append([]string{forms.PermissionFull}, givers[at[3]]...), func(p string) bool { return slices.Contains(held, p) })
		if !before[at] && !(mayDefine(at[2]) && holds) {
			h.t.Fatalf("%s\nand so %v is gained, while %s holds %v there", act, at, actor, held)
		}
		if len(h.held[guid(at[0])+" "+at[2]]) == 0 {
			h.t.Fatalf("%s\nand so %v, who does not see the twin", act, at)
		}
	}
	for at := range before {
		if !after[at] && !mayDefine(at[2]) {
			h.t.Fatalf("%s\nand so %v is lost, while %s may not define there", act, at, actor)
		}
	}
}
