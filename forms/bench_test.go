package forms_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// BenchmarkList reads one page of 50 out of 10,000 forms: of all of them, and of
// two definitions that hold every tenth. "x-engine" is the ratio to a scan of as
// many records of the engine alone.
func BenchmarkList(b *testing.B) {
	store := memory.New()
	o := openOver(b, store)
	var kinds []forms.FormDefinition
	for range 20 {
		kinds = append(kinds, o.definition())
	}
	for i := range 10_000 {
		o.form(kinds[i%20].ID, decode(b, everything))
	}
	for i, d := range kinds {
		sec := &forms.Security{Grants: []forms.Grant{}}
		if i%10 == 9 {
			sec.Grants = []forms.Grant{{PrincipalID: guid("one"), Permissions: []string{forms.PermissionView}}}
		}
		if err := o.SetSecurity(o.system(), d.ID, "", sec); err != nil {
			b.Fatal(err)
		}
	}
	all, tenth := o.system(), o.as("one")
	for name, list := range map[string]struct {
		scanned int
		page    func() (int, error)
	}{
		"summaries": {51, func() (int, error) {
			p, err := o.FormSummaries(all, forms.FormQuery{TwinID: tower})
			return p.Len(), err
		}},
		"representation": {51, func() (int, error) {
			p, err := o.Forms(all, forms.FormQuery{TwinID: tower})
			return p.Len(), err
		}},
		"every-tenth": {510, func() (int, error) {
			p, err := o.FormSummaries(tenth, forms.FormQuery{TwinID: tower})
			return p.Len(), err
		}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if n, err := list.page(); n != 50 || err != nil {
					b.Fatal(n, err)
				}
			}
			ours := float64(b.Elapsed()) / float64(b.N)
			began := time.Now()
			for range b.N {
				scan(b, store, list.scanned)
			}
			b.ReportMetric(ours/(float64(time.Since(began))/float64(b.N)), "x-engine")
		})
	}
}

// scan reads so many summaries from the engine.
func scan(b *testing.B, store storage.Store, count int) {
	err := store.View(b.Context(), func(r storage.Reader) error {
		n := 0
		for range r.Scan("forms-"+tower+"/summaries/r/", "") {
			if n++; n == count {
				break
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkCreate(b *testing.B) {
	o := open(b)
	d := o.definition()
	n := forms.NewForm{FormID: d.ID, FormFields: decode(b, everything)}
	for b.Loop() {
		if _, err := o.CreateForm(o.system(), n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	o := open(b)
	f := o.form(o.definition().ID, decode(b, everything))
	for i := 0; b.Loop(); i++ {
		p := forms.FormPatch{FormFields: forms.FormFields{Subject: twinplatform.Set(fmt.Sprint(i))}}
		if _, err := o.UpdateForm(o.system(), f.ID, p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAttachment(b *testing.B) {
	o := open(b)
	f := o.form(o.definition().ID)
	a := o.attach(f.ID, "a.bin")
	content := make([]byte, 8<<20)
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		for b.Loop() {
			if _, err := o.WriteAttachment(o.system(), f.ID, a.ID, bytes.NewReader(content)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		for b.Loop() {
			c, err := o.OpenAttachment(o.system(), f.ID, a.ID)
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, c); n != int64(len(content)) || err != nil {
				b.Fatal(n, err)
			}
		}
	})
}
