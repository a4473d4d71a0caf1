package forms_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// storedName needs escapes in JSON, and would in HTML.
const storedName = "Graben \"tief\"\n<Löcher> & mehr"

// storedWorld fills a store with every type of record, changed and deleted ones
// among them.
func storedWorld(t *testing.T, store storage.Store) *forms.Service {
	t.Helper()
	n := 0
	svc := forms.New(store, forms.Config{Env: twinplatform.Env{
		Now:        func() time.Time { return moment },
		NewID:      func() string { n++; return fmt.Sprintf("id-%04d", n) },
		Authorizer: held{guid("stored") + " " + tower: {permissionSeeTwin}},
	}})
	ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
		ID: guid("stored"), DisplayName: storedName, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}, AccountID: "none",
	})
	must := recordstest.Must(t)
	system := t.Context()
	rfi, err := svc.CreateFormDefinition(system, forms.NewFormDefinition{TwinID: tower, DisplayName: storedName, Type: "RFI", Discipline: "Structure", ShareType: forms.ReadWrite, IDPrefix: "R"})
	d := done(t, rfi, err)
	must(svc.SetLayout(system, d.ID, forms.Layout{Definition: `{"title":"<Titel>"}`, ErrorStatus: forms.Warning}))
	must(svc.SetSecurity(system, d.ID, "", &forms.Security{Grants: []forms.Grant{{PrincipalID: guid("stored"), Permissions: []string{forms.PermissionFull}}}}))
	_, err = svc.UpdateFormDefinition(system, d.ID, forms.FormDefinitionPatch{Status: twinplatform.Set(forms.Approved)})
	must(err)
	gone, err := svc.CreateFormDefinition(system, forms.NewFormDefinition{TwinID: tower, DisplayName: "gone", Type: "RFI"})
	must(svc.DeleteFormDefinition(system, done(t, gone, err).ID))

	made, err := svc.CreateForm(ctx, forms.NewForm{FormID: d.ID, FormFields: decode(t, everything)})
	f := done(t, made, err)
	made, err = svc.CreateForm(ctx, forms.NewForm{FormID: d.ID})
	g := done(t, made, err)
	made, err = svc.CreateForm(ctx, forms.NewForm{FormID: d.ID})
	must(svc.DeleteForm(ctx, done(t, made, err).ID))
	_, err = svc.UpdateForm(ctx, g.ID, forms.FormPatch{FormFields: decode(t, `{"subject":"set","status":"Closed","location":{"latitude":1},"properties":{"a":"<b>"}}`)})
	must(err)
	_, err = svc.UpdateForm(ctx, g.ID, forms.FormPatch{FormFields: decode(t, `{"subject":null,"location":null}`)})
	must(err)
	_, err = svc.CreateComment(ctx, f.ID, forms.NewComment{Text: storedName})
	must(err)
	a, err := svc.CreateAttachment(ctx, f.ID, forms.NewAttachment{FileName: "plan.pdf", Caption: storedName})
	_, err = svc.WriteAttachment(ctx, f.ID, done(t, a, err).ID, strings.NewReader("some bytes"))
	must(err)
	_, err = svc.CreateAttachment(ctx, f.ID, forms.NewAttachment{FileName: "empty.txt"})
	must(err)
	must(svc.SetSecurity(system, d.ID, bridge, grantTo("stored", forms.PermissionView)))
	return svc
}

// readEverything reads all that the stored world holds.
func readEverything(t *testing.T, svc *forms.Service) []string {
	t.Helper()
	var lines []string
	add := func(wire []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(wire))
	}
	ctx := t.Context()
	for _, id := range []string{"id-0001"} {
		rec, err := svc.FormDefinition(ctx, id)
		add(rec.JSON, err)
		l, err := svc.Layout(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		sec, err := svc.Security(ctx, id, tower)
		add(fmt.Appendf(nil, "%+v %s %+v", l, rec.ETag, sec.Grants), err)
		sec, err = svc.Security(ctx, id, bridge)
		add(fmt.Appendf(nil, "%+v", sec), err)
	}
	definitions, err := svc.FormDefinitions(ctx, forms.FormDefinitionQuery{TwinID: bridge, Status: forms.AnyStatus})
	add(fmt.Appendf(nil, "%s", definitions.JSON()), err)
	one := 1
	first, err := svc.FormSummaries(ctx, forms.FormQuery{TwinID: tower, ListOptions: twinplatform.ListOptions{Top: one}})
	add(fmt.Appendf(nil, "%s next %s", first.JSON(), first.Next), err)
	for _, q := range []forms.FormQuery{{}, {Type: "RFI"}, {Discipline: "Structure"}, {State: forms.StateClosed}} {
		q.TwinID = tower
		summaries, err := svc.FormSummaries(ctx, q)
		add(fmt.Appendf(nil, "%s", summaries.JSON()), err)
	}
	all, err := svc.Forms(ctx, forms.FormQuery{TwinID: tower})
	values, err2 := all.Values()
	add(nil, err2)
	for _, f := range values {
		rec, err := svc.Form(ctx, f.ID)
		add(fmt.Appendf(nil, "%s %s %s %s", rec.ETag, rec.Value.TwinID, rec.Value.CreatedByID, rec.JSON), err)
		trail, err := svc.AuditTrail(ctx, f.ID, twinplatform.ListOptions{})
		add(fmt.Appendf(nil, "%s", trail.JSON()), err)
		comments, err := svc.Comments(ctx, f.ID, forms.CommentQuery{})
		add(fmt.Appendf(nil, "%s", comments.JSON()), err)
		for c, err := range comments.OnPage() {
			add([]byte(c.AuthorID), err)
		}
		attachments, err := svc.Attachments(ctx, f.ID, twinplatform.ListOptions{})
		add(fmt.Appendf(nil, "%s", attachments.JSON()), err)
		for a, err := range attachments.OnPage() {
			if err != nil || a.Size == nil {
				continue
			}
			c, err := svc.OpenAttachment(ctx, f.ID, a.ID)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(c)
			add(b, err)
		}
	}
	add(nil, err)
	return lines
}

var storedFormat = recordstest.Stored{
	World: func(t *testing.T, store storage.Store) { storedWorld(t, store) },
	Read: func(t *testing.T, store storage.Store) []string {
		return readEverything(t, forms.New(store, forms.Config{}))
	},
	Kinds: forms.Kinds(),
}

func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, goOn)
}

// goOn works with a store of an earlier format.
func goOn(t *testing.T, store storage.Store, read []string) {
	t.Helper()
	svc := forms.New(store, forms.Config{})
	// The tokens in the file are good, and the counters continue where they were.
	_, rest, _ := strings.Cut(strings.Join(read, "\n"), " next ")
	token, _, _ := strings.Cut(rest, "\n")
	page, err := svc.FormSummaries(t.Context(), forms.FormQuery{TwinID: tower, ListOptions: twinplatform.ListOptions{Continuation: token}})
	if err != nil || page.Len() != 1 || page.Next != "" {
		t.Errorf("behind the token: %d forms, %v", page.Len(), err)
	}
	res, err := svc.CreateForm(t.Context(), forms.NewForm{FormID: "id-0001"})
	if f := done(t, res, err); f.Number != "R-00004" {
		t.Errorf("the next number is %s", f.Number)
	}
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}

func TestFormsOutliveTheProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "forms.db")
	openFile := func() storage.Store {
		store, err := buntdb.Open(path, buntdb.Options{Durability: buntdb.SyncNever})
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	store := openFile()
	want := readEverything(t, storedWorld(t, store))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store = openFile()
	defer store.Close()
	if diff := cmp.Diff(want, readEverything(t, forms.New(store, forms.Config{}))); diff != "" {
		t.Errorf("after opening the file again (-want +got):\n%s", diff)
	}
}

func TestDeletionThatWasCutShortIsFinishedByRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Over(memory.New())
		o := openOver(t, store)
		f := o.form(o.definition().ID)
		before := storetest.Keys(t, store)
		for range 40 { // more than one step removes
			a := o.attach(f.ID, "a.txt")
			if _, err := o.WriteAttachment(o.system(), f.ID, a.ID, strings.NewReader("bytes")); err != nil {
				t.Fatal(err)
			}
		}
		store.FailAfter(1, storage.ErrUnavailable)
		err := o.DeleteForm(o.system(), f.ID)
		if err != nil {
			t.Fatal("what is accepted was refused: ", err)
		}
		_, err = o.Form(o.system(), f.ID)
		fails(t, err, twinplatform.NotFound, "FormDataNotFound", "id")
		if storetest.Keys(t, store) <= before {
			t.Error("nothing is left to do")
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- forms.New(store.Store, forms.Config{}).Run(ctx) }()
		synctest.Wait()
		if got := storetest.Keys(t, store); got > before {
			t.Errorf("%d keys are left of %d", got, before)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
