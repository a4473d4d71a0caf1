// Package forms manages form definitions and the forms filled out from them:
// issues, requests for information, inspections and whatever else a twin's
// people record, with their comments, attachments and audit trail.
//
// A [Service] does the work over any storage.Store:
//
//	svc := forms.New(memory.New(), forms.Config{})
//	d, err := svc.CreateFormDefinition(ctx, forms.NewFormDefinition{TwinID: twinID, DisplayName: "RFI", Type: forms.RFI, Status: forms.Approved})
//	if err != nil {
//		return err
//	}
//	f, err := svc.CreateForm(ctx, forms.NewForm{FormID: d.Value().ID, FormFields: forms.FormFields{Subject: twinplatform.Set("Which door?")}})
//
// Every call checks what the caller in its context may do; a program that puts
// no principal into the context acts as the system. Every failure is a
// *twinplatform.Error with the documented code.
//
// # Definitions and forms
//
// A [FormDefinition] says what a type of form asks for. A [Form] is filled out from an approved one.
//
// # What comes with a form
//
// Comments, attachments and the audit trail belong to a form, and are deleted with it.
package forms

import (
	"context"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Limits of the forms area. Texts are counted in characters.
const (
	// MaxTop is the largest page of every list, and the size of a page whose
	// request names none.
	MaxTop = 50
	// MaxIDPrefix is the length of the longest prefix of form numbers.
	MaxIDPrefix = 25
	// MaxName is the length of the longest name of a definition, a type, a
	// discipline, a person or a file.
	MaxName = 255
	// MaxText is the length of the longest subject, caption or id.
	MaxText = 1_000
	// MaxDescription is the length of the longest description or comment.
	MaxDescription = 32_000
	// MaxAssignees is how many assignees a form has at most.
	MaxAssignees = 50
	// MaxPropertiesBytes is the size of a form's properties as JSON.
	MaxPropertiesBytes = 64 << 10
	// MaxLayoutBytes is the size of the layout of a definition.
	MaxLayoutBytes = 256 << 10
	// MaxAttachmentBytes is the size of the largest attachment.
	MaxAttachmentBytes = 50 << 20
)

// Mailboxes knows the e-mail addresses of people.
type Mailboxes interface {
	// Email returns the address of a user; empty when there is none.
	Email(ctx context.Context, userID string) (string, error)
}

// Config sets what the forms area works with. The zero value is ready.
type Config struct {
	// Env is the clock, the ids, the log, the authorizer and the mode of
	// operations.
	Env twinplatform.Env
	// Twins reports which twins there are. Nil takes every GUID for a twin of the
	// caller's own account, and of none where the system calls.
	Twins twinplatform.TwinDirectory
	// Mailboxes gives the addresses that comments show in representation. Nil
	// knows none.
	Mailboxes Mailboxes
	// Workflows are the workflows of form types, and under the empty type that
	// of all others. A type without any has DefaultWorkflow.
	Workflows map[string]Workflow
	// Designer is the address to which the id of a definition is appended to
	// make the link to its designer. Empty means the address of the definition
	// itself, relative to that of the REST API.
	Designer string
}

// Service is the forms area. It is safe for concurrent use.
type Service struct {
	db  *records.DB
	cfg Config
	env twinplatform.Env

	jobs  *jobs.Runner
	blobs *blob.Keeper
	// known is a *known. Behind an interface, what imports this package does not compile
	// every generic type that it is made of once more.
	known any

	cleaning sync.Mutex
	looked   twinsLook // guarded by cleaning
}

// New returns the forms area over a store. It starts nothing.
func New(store storage.Store, cfg Config) *Service {
	if cfg.Designer == "" {
		cfg.Designer = "/forms/formDefinitions/"
	}
	s := &Service{db: records.New(store), cfg: cfg, env: cfg.Env.WithDefaults()}
	s.blobs = blob.NewKeeper(s.db, s.env)
	s.jobs = jobs.NewRunner(s.db, s.env, "forms")
	s.known = &known{deletion: jobs.Define(s.jobs, "form.delete", removeForm, "forms.delete")}
	s.jobs.AddGC(s.forgetTwins)
	s.jobs.AddGC(s.blobs.Sweep)
	return s
}

// Run clears away what an earlier process left of deleted forms and what deleted
// twins leave, and forgets what has ended longer ago than Env.Retain, until ctx is
// done. It returns nil then, and an error only when the store does.
func (s *Service) Run(ctx context.Context) error { return s.jobs.Run(ctx) }

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }
