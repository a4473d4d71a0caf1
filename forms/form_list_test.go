package forms_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// counting counts the records that are read from a store: those that a scan
// yields and those that are got by their key.
type counting struct {
	storage.Store
	scanned, got atomic.Int64
}

func (c *counting) View(ctx context.Context, fn func(storage.Reader) error) error {
	return c.Store.View(ctx, func(r storage.Reader) error { return fn(countingReader{r, c}) })
}

type countingReader struct {
	storage.Reader
	c *counting
}

func (r countingReader) Get(key string) ([]byte, error) {
	r.c.got.Add(1)
	return r.Reader.Get(key)
}

func (r countingReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for k, v := range r.Reader.Scan(prefix, after) {
			r.c.scanned.Add(1)
			if !yield(k, v) {
				return
			}
		}
	}
}

// pages goes through the pages of a list and returns their sizes and what is on
// them.
func pages(t testing.TB, ctx context.Context, o *office, q forms.FormQuery) (sizes []int, names []string) {
	t.Helper()
	for {
		page, err := o.FormSummaries(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if page.Delta != "" || page.ETag != "" {
			t.Errorf("delta token %q, ETag %q", page.Delta, page.ETag)
		}
		sizes = append(sizes, page.Len())
		for f, err := range page.OnPage() {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, f.DisplayName)
		}
		if q.Continuation = page.Next; page.Next == "" {
			return sizes, names
		}
	}
}

// covers: F1: limit $top: default and maximum 50
// covers: F1: rule forms that the caller may not view are left out, pages are full
func TestEveryTenthOfTenThousandFormsComesInFullPages(t *testing.T) {
	t.Parallel()
	const total, tenth = 10_000, 1_000
	store := memory.New()
	o := openOver(t, store)
	// Forms of ten definitions alternately. The last two are for someone: in the first
	// case one definition is every tenth form, in the second the two definitions of a
	// type are among eight that stay hidden.
	var kinds []forms.FormDefinition
	for i := range 10 {
		kinds = append(kinds, o.definition(func(n *forms.NewFormDefinition) { n.Type = fmt.Sprintf("Type%d", i/2) }))
	}
	secure := func(d forms.FormDefinition, grants ...forms.Grant) {
		t.Helper()
		if err := o.SetSecurity(o.system(), d.ID, "", &forms.Security{Grants: append([]forms.Grant{}, grants...)}); err != nil {
			t.Fatal(err)
		}
	}
	grant := func(name string) forms.Grant {
		return forms.Grant{PrincipalID: guid(name), Permissions: []string{forms.PermissionView}}
	}
	for i := range total {
		d := kinds[i%10]
		if i >= tenth*10/2 { // the other half in one run of each kind
			d = kinds[(i-tenth*5)/(tenth/2)]
		}
		fields := forms.FormFields{Subject: twinplatform.Set(fmt.Sprint(i))}
		if i%2 == 1 {
			fields.Status = twinplatform.Set("Closed")
		}
		o.form(d.ID, fields)
	}
	secure(kinds[9], grant("one"), grant("two"))
	secure(kinds[8], grant("two"))
	for _, d := range kinds[:8] {
		secure(d)
	}
	const definitionsPerPage = 10 // that are secured, read again for each page

	for name, test := range map[string]struct {
		ctx         context.Context
		q           forms.FormQuery
		found       int
		scans, gets int64 // at most, besides what each page reads anyway
	}{
		"one definition by its index":            {o.as("one"), forms.FormQuery{}, tenth, tenth, tenth},
		"two definitions, what is passed once":   {o.as("two"), forms.FormQuery{}, 2 * tenth, total, 0},
		"one definition and a state":             {o.as("one"), forms.FormQuery{State: forms.StateClosed}, 750, tenth, tenth},
		"two definitions by the index of a type": {o.as("two"), forms.FormQuery{Type: "Type4"}, 2 * tenth, 2 * tenth, 2 * tenth},
		"nothing of a type":                      {o.as("two"), forms.FormQuery{Type: "Type9"}, 0, 0, 0},
		"another's type":                         {o.as("two"), forms.FormQuery{Type: "Type3"}, 0, 2 * tenth, 2 * tenth},
		"all, by the index of a state":           {o.of("acme", "boss", "Account Administrator"), forms.FormQuery{State: forms.StateClosed}, total / 2, total / 2, total / 2},
		"a discipline that no form has":          {o.of("acme", "boss", "Account Administrator"), forms.FormQuery{Discipline: "None"}, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counted := &counting{Store: store}
			test.q.TwinID = tower
			sizes, names := pages(t, test.ctx, openOver(t, counted), test.q)
			if len(names) != test.found {
				t.Errorf("%d forms, want %d", len(names), test.found)
			}
			for i, size := range sizes[:len(sizes)-1] {
				if size != 50 {
					t.Errorf("page %d has %d forms", i, size)
				}
			}
			if len(sizes) != max(1, (test.found+49)/50) {
				t.Errorf("%d pages for %d forms", len(sizes), test.found)
			}
			// One record more per page shows that there is another page.
			perPage := int64(len(sizes)) * (1 + 2*definitionsPerPage)
			if got := counted.scanned.Load(); got > test.scans+perPage {
				t.Errorf("%d records scanned, want at most %d", got, test.scans+perPage)
			}
			if got := counted.got.Load(); got > test.gets+perPage+4*int64(len(sizes)) {
				t.Errorf("%d records got, want at most %d", got, test.gets+perPage)
			}
			t.Logf("%d pages, %d scanned, %d got", len(sizes), counted.scanned.Load(), counted.got.Load())
		})
	}
}

// covers: F1
func TestFormsAreListedByTypeStateAndDiscipline(t *testing.T) {
	t.Parallel()
	o := open(t)
	rfi := o.definition()
	issue := o.definition(func(n *forms.NewFormDefinition) { n.Type, n.Discipline = "Issue", "Electrical" })
	put := func(d forms.FormDefinition, subject, status string) {
		o.form(d.ID, forms.FormFields{Subject: twinplatform.Set(subject), Status: twinplatform.Set(status)})
	}
	put(rfi, "r1", "Open")
	put(rfi, "r2", "Closed")
	put(issue, "i1", "Draft")
	put(issue, "i2", "In Progress")
	for name, test := range map[string]struct {
		q    forms.FormQuery
		want string
	}{
		"all":             {forms.FormQuery{}, "r1 r2 i1 i2"},
		"type":            {forms.FormQuery{Type: "RFI"}, "r1 r2"},
		"discipline":      {forms.FormQuery{Discipline: "Electrical"}, "i1 i2"},
		"open":            {forms.FormQuery{State: forms.StateOpen}, "r1 i2"},
		"draft":           {forms.FormQuery{State: forms.StateDraft}, "i1"},
		"closed":          {forms.FormQuery{State: forms.StateClosed}, "r2"},
		"type and state":  {forms.FormQuery{Type: "RFI", State: forms.StateOpen}, "r1"},
		"all filters":     {forms.FormQuery{Type: "Issue", State: forms.StateOpen, Discipline: "Electrical"}, "i2"},
		"at odds":         {forms.FormQuery{Type: "RFI", Discipline: "Electrical"}, ""},
		"in another case": {forms.FormQuery{Type: "rfi"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{1, 50} {
				q := test.q
				q.TwinID, q.ListOptions = strings.ToUpper(tower), top(size)
				_, names := pages(t, o.as("viewer"), o, q)
				if got := strings.Join(names, " "); got != test.want {
					t.Errorf("by %d: %q, want %q", size, got, test.want)
				}
			}
		})
	}
}

func TestFormsFollowTheirStateThroughTheFilters(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID, forms.FormFields{Subject: twinplatform.Set("f")})
	for _, status := range []string{"Closed", "Draft", "Open"} {
		res, err := o.UpdateForm(o.system(), f.ID, forms.FormPatch{FormFields: forms.FormFields{Status: twinplatform.Set(status)}})
		done(t, res, err)
		for _, state := range []forms.State{"Open", "Closed", "Draft"} {
			_, names := pages(t, o.system(), o, forms.FormQuery{TwinID: tower, State: state})
			if want := string(state) == status; (len(names) == 1) != want {
				t.Errorf("while %s, %d forms are %s", status, len(names), state)
			}
		}
	}
}

// covers: F1: rule the page size is kept when $top is omitted
// covers: F1: rule links self and next, forward only
func TestPageIsAsLargeAsTheOneBefore(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	for range 60 {
		o.form(d.ID)
	}
	ctx := o.as("viewer")
	page, err := o.FormSummaries(ctx, forms.FormQuery{TwinID: tower})
	if err != nil || page.Len() != 50 || page.Top != 50 {
		t.Errorf("a page that names no size has %d forms, %v", page.Len(), err)
	}
	first, err := o.FormSummaries(ctx, forms.FormQuery{TwinID: tower, ListOptions: top(7)})
	if err != nil || first.Len() != 7 {
		t.Fatalf("%d forms, %v", first.Len(), err)
	}
	second, err := o.FormSummaries(ctx, forms.FormQuery{TwinID: tower, ListOptions: twinplatform.ListOptions{Continuation: first.Next}})
	if err != nil || second.Len() != 7 || second.Top != 7 {
		t.Errorf("the next page has %d forms, %v", second.Len(), err)
	}
	q := forms.FormQuery{TwinID: tower, ListOptions: top(9)}
	q.Continuation = second.Next
	third, err := o.FormSummaries(ctx, q)
	if err != nil || third.Len() != 9 {
		t.Errorf("a page of nine has %d forms, %v", third.Len(), err)
	}
	full, err := o.Forms(ctx, forms.FormQuery{TwinID: tower, ListOptions: twinplatform.ListOptions{Continuation: first.Next}})
	if err != nil || full.Len() != 7 || full.Next != second.Next {
		t.Errorf("in representation %d forms, %v", full.Len(), err)
	}
}

// covers: Form data summary (F1, minimal): rule it is what Prefer: return=minimal gives
// covers: F1: rule Prefer: return=representation gives whole forms
func TestListInRepresentationHasTheFormsThemselves(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	var want []string
	for _, body := range []string{everything, `{}`} {
		rec, err := o.Form(o.system(), o.form(d.ID, decode(t, body)).ID)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(rec.JSON))
	}
	page, err := o.Forms(o.as("viewer"), forms.FormQuery{TwinID: tower})
	if err != nil || page.Len() != 2 || page.Next != "" || page.Delta != "" {
		t.Fatalf("%d forms, next %q, %v", page.Len(), page.Next, err)
	}
	for i, wire := range page.JSON() {
		if diff := cmp.Diff(want[i], string(wire)); diff != "" {
			t.Error(diff)
		}
	}
	values, err := page.Values()
	if err != nil || values[0].Subject.Or("") != "Crack" || values[0].TwinID != tower {
		t.Errorf("%+v, %v", values, err)
	}
}

// covers: F1: rule twinId is required
// covers: F1: rule twinId is a GUID
// covers: F1: limit $top: default and maximum 50
// covers: F1: error ProjectNotFound
// covers: F1: rule an inaccessible twin is as a missing one
// covers: F1: error InvalidFormDataRequest
// covers: F1: error MissingRequiredParameter
func TestFormListHasItsDocumentedErrors(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	for range 3 {
		o.form(d.ID)
	}
	first, err := o.FormSummaries(o.as("viewer"), forms.FormQuery{TwinID: tower, ListOptions: top(1)})
	if err != nil {
		t.Fatal(err)
	}
	with := func(token string) twinplatform.ListOptions {
		return twinplatform.ListOptions{Continuation: token}
	}
	for name, test := range map[string]struct {
		q    forms.FormQuery
		want []string
	}{
		"no twin":                   {forms.FormQuery{}, []string{"MissingRequiredParameter:projectId"}},
		"no GUID":                   {forms.FormQuery{TwinID: "tower"}, []string{"MissingRequiredParameter:projectId"}},
		"a GUID with a wrong digit": {forms.FormQuery{TwinID: tower[:35] + "g"}, []string{"MissingRequiredParameter:projectId"}},
		"a GUID without dashes":     {forms.FormQuery{TwinID: strings.ReplaceAll(tower, "-", "0")}, []string{"MissingRequiredParameter:projectId"}},
		"state":                     {forms.FormQuery{TwinID: tower, State: "open"}, []string{"InvalidValue:state"}},
		"both":                      {forms.FormQuery{State: "open"}, []string{"MissingRequiredParameter:projectId", "InvalidValue:state"}},
		"page of none":              {forms.FormQuery{TwinID: tower, ListOptions: top(-1)}, []string{"InvalidValue:top"}},
		"page of less than none":    {forms.FormQuery{TwinID: tower, ListOptions: top(-1)}, []string{"InvalidValue:top"}},
		"page of 51":                {forms.FormQuery{TwinID: tower, ListOptions: top(51)}, []string{"InvalidValue:top"}},
		"no token":                  {forms.FormQuery{TwinID: tower, ListOptions: with("x")}, []string{"InvalidValue:continuation"}},
		"token of another filter":   {forms.FormQuery{TwinID: tower, Type: "RFI", ListOptions: with(first.Next)}, []string{"InvalidValue:continuation"}},
		"a changed token":           {forms.FormQuery{TwinID: tower, ListOptions: with(first.Next + "A")}, []string{"InvalidValue:continuation"}},
		"delta token":               {forms.FormQuery{TwinID: tower, ListOptions: twinplatform.ListOptions{Delta: first.Next}}, []string{"InvalidValue:delta"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := o.FormSummaries(o.as("viewer"), test.q)
			fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", test.want...)
			_, err = o.Forms(o.as("viewer"), test.q)
			fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", test.want...)
		})
	}
	_, err = o.FormSummaries(o.system(), forms.FormQuery{TwinID: bridge, ListOptions: with(first.Next)})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:continuation")
	var shown []string
	for caller, twin := range map[string]string{"stranger": tower, "neighbour": tower, "foreigner": tower, "viewer": nowhere} {
		_, err := o.FormSummaries(o.as(caller), forms.FormQuery{TwinID: twin})
		fails(t, err, twinplatform.NotFound, "ProjectNotFound", "projectId")
		if shown = append(shown, err.Error()); shown[0] != err.Error() {
			t.Errorf("what is missing and what is not to be seen differ: %q", shown)
		}
	}
}

func TestDirectoryThatFailsIsNoMissingTwin(t *testing.T) {
	t.Parallel()
	broken := errors.New("no connection")
	svc := openWith(t, forms.Config{Twins: failing{broken}})
	_, err := svc.FormSummaries(t.Context(), forms.FormQuery{TwinID: tower})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) TwinAccount(context.Context, string) (string, bool, error) { return "", false, f.err }
