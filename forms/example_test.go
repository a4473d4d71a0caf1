package forms_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A definition is made and approved, a form filled out, changed, commented on
// and found again.
func Example() {
	ctx := context.Background()
	const twinID = "6f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01"
	svc := forms.New(memory.New(), forms.Config{})

	definition, err := svc.CreateFormDefinition(ctx, forms.NewFormDefinition{
		TwinID: twinID, DisplayName: "Request for information", Type: "RFI", Discipline: "Structure",
	})
	if err != nil {
		log.Fatal(err)
	}
	id := definition.Value().ID
	if _, err := svc.UpdateFormDefinition(ctx, id, forms.FormDefinitionPatch{Status: twinplatform.Set(forms.Approved)}); err != nil {
		log.Fatal(err)
	}

	made, err := svc.CreateForm(ctx, forms.NewForm{FormID: id, FormFields: forms.FormFields{
		Subject:    twinplatform.Set("Which door?"),
		Location:   twinplatform.Set(forms.Location{Latitude: twinplatform.Set(60.17), Longitude: twinplatform.Set(24.94)}),
		Properties: twinplatform.Set(forms.Properties{"floor": 3, "urgent": true}),
	}})
	if err != nil {
		log.Fatal(err)
	}
	form := made.Value()
	fmt.Println(form.Number, form.DisplayName, form.State)

	if _, err := svc.CreateComment(ctx, form.ID, forms.NewComment{Text: "The red one."}); err != nil {
		log.Fatal(err)
	}
	if _, err := svc.UpdateForm(ctx, form.ID, forms.FormPatch{FormFields: forms.FormFields{Status: twinplatform.Set("Closed")}}); err != nil {
		log.Fatal(err)
	}
	closed, err := svc.FormSummaries(ctx, forms.FormQuery{TwinID: twinID, State: forms.StateClosed})
	if err != nil {
		log.Fatal(err)
	}
	for f, err := range closed.OnPage() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.DisplayName, f.Type, f.State)
	}
	trail, err := svc.AuditTrail(ctx, form.ID, twinplatform.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range trail.OnPage() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Action, e.ChangeBy, e.Changes[0].Property, e.Changes[0].OldValue, e.Changes[0].NewValue)
	}
	// Output:
	// RFI-00001 Which door? Open
	// Which door? RFI Closed
	// Status System Status Open Closed
	// Opened System Closed  False
}

// people are the permissions that principals hold on the only twin.
type people map[string][]string

func (p people) Allowed(_ context.Context, who twinplatform.Principal, permission string, _ twinplatform.Target) (bool, error) {
	return slices.Contains(p[who.ID], permission), nil
}

// The forms of a secured definition are for those who see the twin and to whom
// the definition grants something, whatever else they may do there.
func ExampleService_SetSecurity() {
	ctx := context.Background()
	const twinID = "6f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01"
	svc := forms.New(memory.New(), forms.Config{Env: twinplatform.Env{Authorizer: people{
		"ann": {"twins_read"}, "bob": {"twins_read", forms.PermissionFull},
	}}})
	d, err := svc.CreateFormDefinition(ctx, forms.NewFormDefinition{TwinID: twinID, DisplayName: "Incident", Type: "Incident", Status: forms.Approved})
	if err != nil {
		log.Fatal(err)
	}
	if err := svc.SetSecurity(ctx, d.Value().ID, twinID, &forms.Security{Grants: []forms.Grant{
		{PrincipalID: "ann", Permissions: []string{forms.PermissionView}},
		{PrincipalID: "zoe", Permissions: []string{forms.PermissionView}},
	}}); err != nil {
		log.Fatal(err)
	}
	if _, err := svc.CreateForm(ctx, forms.NewForm{FormID: d.Value().ID}); err != nil {
		log.Fatal(err)
	}
	for _, who := range []string{"ann", "bob", "zoe"} {
		page, err := svc.FormSummaries(twinplatform.WithPrincipal(ctx, twinplatform.Principal{ID: who}), forms.FormQuery{TwinID: twinID})
		fmt.Println(who, page.Len(), err)
	}
	// Output:
	// ann 1 <nil>
	// bob 0 <nil>
	// zoe 0 ProjectNotFound (projectId): The requested project is not available.
}

// An attachment is first described, and then its bytes are written.
func ExampleService_WriteAttachment() {
	ctx := context.Background()
	svc := forms.New(memory.New(), forms.Config{})
	d, err := svc.CreateFormDefinition(ctx, forms.NewFormDefinition{
		TwinID: "6f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01", DisplayName: "RFI", Type: "RFI", Status: forms.Approved,
	})
	if err != nil {
		log.Fatal(err)
	}
	form, err := svc.CreateForm(ctx, forms.NewForm{FormID: d.Value().ID})
	if err != nil {
		log.Fatal(err)
	}
	attachment, err := svc.CreateAttachment(ctx, form.Value().ID, forms.NewAttachment{FileName: "notes.txt", Caption: "Notes"})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := svc.WriteAttachment(ctx, form.Value().ID, attachment.Value().ID, strings.NewReader("The red one.")); err != nil {
		log.Fatal(err)
	}
	content, err := svc.OpenAttachment(ctx, form.Value().ID, attachment.Value().ID)
	if err != nil {
		log.Fatal(err)
	}
	b, err := io.ReadAll(content)
	fmt.Println(content.FileName, content.Type, *content.Size, string(b), err)
	// Output: notes.txt text/plain; charset=utf-8 12 The red one. <nil>
}
