package forms_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

// operation is something that can be done with a form, or with what it has.
type operation struct {
	name string
	// needs are the permissions of which each lets a caller do it, besides
	// Forms_FullAccess; none means that viewing is enough.
	needs   []string
	missing string // the code when the form is not to be seen
	do      func(ctx context.Context, o *office, w work) error
}

// work is what an operation is done to.
type work struct{ twin, definition, form, comment, attachment string }

func patch(fields forms.FormFields) func(context.Context, *office, work) error {
	return func(ctx context.Context, o *office, w work) error {
		_, err := o.UpdateForm(ctx, w.form, forms.FormPatch{FormFields: fields})
		return err
	}
}

var operations = []operation{
	{"list", nil, "ProjectNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.FormSummaries(ctx, forms.FormQuery{TwinID: w.twin})
		return err
	}},
	{"list in representation", nil, "ProjectNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.Forms(ctx, forms.FormQuery{TwinID: w.twin})
		return err
	}},
	{"list definitions", nil, "ProjectNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.FormDefinitions(ctx, forms.FormDefinitionQuery{TwinID: w.twin})
		return err
	}},
	{"get definition", nil, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.FormDefinition(ctx, w.definition)
		return err
	}},
	{"get layout", nil, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.Layout(ctx, w.definition)
		return err
	}},
	{"get", nil, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.Form(ctx, w.form)
		return err
	}},
	{"create", []string{forms.PermissionCreate}, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.CreateForm(ctx, forms.NewForm{FormID: w.definition})
		return err
	}},
	{"patch nothing", []string{forms.PermissionModify, forms.PermissionCreate}, "FormDataNotFound", patch(forms.FormFields{})},
	{"patch subject", []string{forms.PermissionModify, forms.PermissionCreate}, "FormDataNotFound", patch(forms.FormFields{Subject: twinplatform.Set("s")})},
	{"patch status", []string{forms.PermissionApprove}, "FormDataNotFound", patch(forms.FormFields{Status: twinplatform.Set("Closed")})},
	{"patch assignee", []string{forms.PermissionAssign, forms.PermissionApprove}, "FormDataNotFound", patch(forms.FormFields{Assignee: twinplatform.Null[forms.Person]()})},
	{"patch assignees", []string{forms.PermissionAssign, forms.PermissionApprove}, "FormDataNotFound", patch(forms.FormFields{Assignees: twinplatform.Null[[]forms.Assignee]()})},
	{"patch status and assignee", []string{forms.PermissionApprove}, "FormDataNotFound", patch(forms.FormFields{Status: twinplatform.Set("Closed"), Assignee: twinplatform.Null[forms.Person]()})},
	{"patch status and subject", []string{}, "FormDataNotFound", patch(forms.FormFields{Status: twinplatform.Set("Closed"), Subject: twinplatform.Set("s")})},
	{"audit trail", nil, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.AuditTrail(ctx, w.form, twinplatform.ListOptions{})
		return err
	}},
	{"list comments", nil, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.Comments(ctx, w.form, forms.CommentQuery{})
		return err
	}},
	{"comment", []string{forms.PermissionComment}, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.CreateComment(ctx, w.form, forms.NewComment{Text: "t"})
		return err
	}},
	{"delete another's comment", []string{}, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		return o.DeleteComment(ctx, w.form, w.comment)
	}},
	{"list attachments", nil, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.Attachments(ctx, w.form, twinplatform.ListOptions{})
		return err
	}},
	{"attach", []string{forms.PermissionComment}, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.CreateAttachment(ctx, w.form, forms.NewAttachment{FileName: "a.txt"})
		return err
	}},
	{"read attachment", nil, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.OpenAttachment(ctx, w.form, w.attachment)
		return err
	}},
	{"write attachment", []string{forms.PermissionComment}, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.WriteAttachment(ctx, w.form, w.attachment, strings.NewReader("new"))
		return err
	}},
	{"delete attachment", []string{forms.PermissionComment}, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		return o.DeleteAttachment(ctx, w.form, w.attachment)
	}},
	{"delete", []string{forms.PermissionDelete}, "FormDataNotFound", func(ctx context.Context, o *office, w work) error {
		return o.DeleteForm(ctx, w.form)
	}},
}

// holders are the callers that hold one permission on the tower.
var holders = map[string]string{
	"viewer": forms.PermissionView, "creator": forms.PermissionCreate, "modifier": forms.PermissionModify, "assigner": forms.PermissionAssign,
	"approver": forms.PermissionApprove, "commenter": forms.PermissionComment, "deleter": forms.PermissionDelete, "full": forms.PermissionFull,
	"definer": forms.PermissionDefine,
}

// grantee is who is granted a permission by a definition's security, and sees the
// tower.
func grantee(permission string) string { return guid("g " + permission[6:]) }

// filled returns a form with everything an operation may be done to.
func (o *office) filled(d forms.FormDefinition) work {
	o.t.Helper()
	f := o.form(d.ID)
	comment, err := o.CreateComment(o.system(), f.ID, forms.NewComment{Text: "t"})
	w := work{twin: tower, definition: d.ID, form: f.ID, comment: done(o.t, comment, err).ID}
	attachment, err := o.CreateAttachment(o.system(), f.ID, forms.NewAttachment{FileName: "a.txt"})
	w.attachment = done(o.t, attachment, err).ID
	if _, err := o.WriteAttachment(o.system(), f.ID, w.attachment, strings.NewReader("text")); err != nil {
		o.t.Fatal(err)
	}
	return w
}

// covers: F1: permission any other forms permission implies view
// covers: operations of forms
func TestEveryOperationIsForThoseWhoMay(t *testing.T) {
	t.Parallel()
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			d := o.definition()
			check := func(who string, ctx context.Context, want string) {
				t.Helper()
				if got := code(op.do(ctx, o, o.filled(d))); got != want {
					t.Errorf("%s: %q, want %q", who, got, want)
				}
			}
			for name, permission := range holders {
				want := "InsufficientPermissions"
				if op.needs == nil || permission == forms.PermissionFull || slices.Contains(op.needs, permission) {
					want = ""
				}
				check(name, o.as(name), want)
			}
			check("system", o.system(), "")
			check("administrator", o.of("acme", "boss", "Account Administrator"), "")
			check("administrator of another account", o.of("other", "boss", "Account Administrator"), op.missing)
			check("stranger", o.as("stranger"), op.missing)
			check("foreigner", o.of("other", "foreigner"), op.missing)
			check("of another twin", o.as("neighbour"), op.missing)
		})
	}
}

func TestWhatIsMissingAndWhatIsHiddenLookAlike(t *testing.T) {
	t.Parallel()
	o := open(t)
	hidden := o.filled(o.definition())
	missing := work{nowhere, "missing", "missing", "missing", "missing"}
	for _, op := range operations {
		a, b := op.do(o.as("stranger"), o, hidden), op.do(o.as("stranger"), o, missing)
		if fmt.Sprint(a) != fmt.Sprint(b) || code(a) != op.missing {
			t.Errorf("%s: %v and %v", op.name, a, b)
		}
		if got := code(op.do(o.system(), o, missing)); got != op.missing {
			t.Errorf("%s: what is missing is %q", op.name, got)
		}
	}
}

// covers: F1: permission Forms_ViewAccess, on the twin or on a definition
func TestSecuredDefinitionGoesByItsOwnGrants(t *testing.T) {
	t.Parallel()
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			d := o.definition()
			var grants []forms.Grant
			for _, permission := range holders {
				grants = append(grants, forms.Grant{PrincipalID: grantee(permission), Permissions: []string{permission}})
			}
			secure := func() work {
				w := o.filled(d)
				if err := o.SetSecurity(o.system(), d.ID, "", &forms.Security{Grants: grants}); err != nil {
					t.Fatal(err)
				}
				return w
			}
			inTwin := strings.HasPrefix(op.name, "list") && op.missing == "ProjectNotFound"
			for name := range holders {
				want := op.missing
				if inTwin || name == "definer" && op.missing == "FormDefinitionNotFound" && op.needs == nil {
					want = "" // the twin is theirs to see, and the definition its keeper's
				}
				if got := code(op.do(o.as(name), o, secure())); got != want {
					t.Errorf("%s of the twin: %q, want %q", name, got, want)
				}
			}
			for _, permission := range holders {
				want := "InsufficientPermissions"
				if op.needs == nil || permission == forms.PermissionFull || slices.Contains(op.needs, permission) {
					want = ""
				}
				if got := code(op.do(o.as("g "+permission[6:]), o, secure())); got != want {
					t.Errorf("%s of the definition: %q, want %q", permission, got, want)
				}
			}
			if err := op.do(o.system(), o, secure()); err != nil {
				t.Errorf("system: %v", err)
			}
			if err := op.do(o.of("acme", "boss", "Account Administrator"), o, secure()); err != nil {
				t.Errorf("administrator: %v", err)
			}
		})
	}
}

func TestSecurityLeavesOutWhatIsNotGranted(t *testing.T) {
	t.Parallel()
	o := open(t)
	open, secured := o.definition(), o.definition(func(n *forms.NewFormDefinition) { n.DisplayName = "Secured" })
	o.form(open.ID, forms.FormFields{Subject: twinplatform.Set("open")})
	o.form(secured.ID, forms.FormFields{Subject: twinplatform.Set("secured")})
	set := func(sec *forms.Security) {
		t.Helper()
		if err := o.SetSecurity(o.as("keeper"), secured.ID, "", sec); err != nil {
			t.Fatal(err)
		}
	}
	check := func(caller, wantForms, wantDefinitions string) {
		t.Helper()
		_, names := pages(t, o.as(caller), o, forms.FormQuery{TwinID: tower})
		if got := strings.Join(names, " "); got != wantForms {
			t.Errorf("%s sees the forms %q, want %q", caller, got, wantForms)
		}
		page, err := o.FormDefinitions(o.as(caller), forms.FormDefinitionQuery{TwinID: tower})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for d, err := range page.OnPage() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d.DisplayName)
		}
		if strings.Join(got, " ") != wantDefinitions {
			t.Errorf("%s sees the definitions %q, want %q", caller, got, wantDefinitions)
		}
	}
	check("viewer", "open secured", "Request Secured")
	set(&forms.Security{Grants: []forms.Grant{{PrincipalID: guid("guest"), Permissions: []string{forms.PermissionComment}}}})
	check("viewer", "open", "Request")
	check("definer", "open", "Request Secured")
	check("guest", "secured", "Secured")
	set(&forms.Security{Grants: []forms.Grant{}})
	check("viewer", "open", "Request")
	_, err := o.FormSummaries(o.as("guest"), forms.FormQuery{TwinID: tower})
	fails(t, err, twinplatform.NotFound, "ProjectNotFound", "projectId")
	set(nil)
	check("viewer", "open secured", "Request Secured")
}

func TestSecurityHasItsErrors(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	set := func(caller, id string, grants ...forms.Grant) error {
		return o.SetSecurity(o.as(caller), id, "", &forms.Security{Grants: append([]forms.Grant{}, grants...)})
	}
	_, err := o.Security(o.as("viewer"), d.ID, "")
	fails(t, err, twinplatform.Forbidden, "InsufficientPermissions", "")
	_, err = o.Security(o.as("stranger"), d.ID, "")
	fails(t, err, twinplatform.NotFound, "FormDefinitionNotFound", "id")
	if sec, err := o.Security(o.as("definer"), d.ID, ""); err != nil || sec != nil {
		t.Errorf("before it is set: %v, %v", sec, err)
	}
	fails(t, set("viewer", d.ID), twinplatform.Forbidden, "InsufficientPermissions", "")
	fails(t, set("stranger", d.ID), twinplatform.NotFound, "FormDefinitionNotFound", "id")
	fails(t, set("definer", "missing"), twinplatform.NotFound, "FormDefinitionNotFound", "id")
	fails(t, set("definer", d.ID, forms.Grant{PrincipalID: guid("guest")}), twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:grants")
	fails(t, o.SetSecurity(o.as("definer"), d.ID, "", &forms.Security{}), twinplatform.Unprocessable, "InvalidFormDefRequest", "", "MissingRequiredProperty:security.grants")
	fails(t, o.SetSecurity(o.as("definer"), d.ID, "tower", nil), twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:twinId")
	fails(t, set("definer", d.ID, forms.Grant{Permissions: []string{"schedules_read"}}), twinplatform.Unprocessable, "InvalidFormDefRequest", "",
		"InvalidValue:grants", "InvalidValue:grants")
	fails(t, set("definer", d.ID, make([]forms.Grant, 1001)...), twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:grants")
}

// covers: Form definition values: rule null: a single twin only
func TestSharedDefinitionIsUsedInEveryTwinOfTheAccount(t *testing.T) {
	t.Parallel()
	o := open(t)
	for share, want := range map[forms.ShareType]string{forms.NotShared: "FormDefinitionNotFound", forms.ReadOnly: "", forms.ReadWrite: ""} {
		d := o.definition(func(n *forms.NewFormDefinition) { n.ShareType = share })
		res, err := o.CreateForm(o.as("neighbour"), forms.NewForm{FormID: d.ID, TwinID: strings.ToUpper(bridge)})
		if got := code(err); got != want {
			t.Fatalf("%q: %q, want %q", share, got, want)
		}
		_, err = o.CreateForm(o.of("other", "foreigner"), forms.NewForm{FormID: d.ID, TwinID: abroad})
		fails(t, err, twinplatform.NotFound, "FormDefinitionNotFound", "formId")
		if _, err := o.FormDefinition(o.as("neighbour"), d.ID); code(err) != want {
			t.Errorf("%q: got by a member of the account: %v", share, err)
		}
		if want != "" {
			continue
		}
		f := res.Value()
		if f.TwinID != bridge {
			t.Errorf("the form is in %s", f.TwinID)
		}
		if _, err := o.Form(o.as("neighbour"), f.ID); err != nil {
			t.Error(err)
		}
		_, err = o.Form(o.as("viewer"), f.ID)
		fails(t, err, twinplatform.NotFound, "FormDataNotFound", "id")
	}
	_, err := o.CreateForm(o.system(), forms.NewForm{TwinID: "bridge"})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "MissingRequiredProperty:formId", "InvalidValue:twinId")
}
