package forms_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

// FuzzFormFields creates and patches a form with whatever decodes: it is taken
// or refused as invalid, what is taken is read back as it was answered, and
// sending it once more changes nothing.
func FuzzFormFields(f *testing.F) {
	f.Add(everything, `{}`)
	f.Add(`{}`, everything)
	f.Add(everything, `{"location":null,"boundingBox":null,"modelPin":null,"modelView":null,"sourceEntity":null,"properties":null,"assignees":null}`)
	f.Add(everything, `{"sourceEntity":{"storageFile":{"fileId":"f"}},"assignee":null,"status":null,"subject":"<&>\u2028\u0000"}`)
	f.Add(`{"properties":{"a":{"b":[1e400,-0,null]},"A":1}}`, `{"properties":{"a":null}}`)
	o := open(f)
	d := o.definition()
	f.Fuzz(func(t *testing.T, create, patch string) {
		var first, second forms.FormFields
		if json.Unmarshal([]byte(create), &first) != nil || json.Unmarshal([]byte(patch), &second) != nil {
			return
		}
		made, err := o.CreateForm(t.Context(), forms.NewForm{FormID: d.ID, FormFields: first})
		if err != nil {
			if !errors.Is(err, twinplatform.Unprocessable) {
				t.Fatal(twinplatform.Cause(err))
			}
			return
		}
		id := made.Value().ID
		for i := range 2 {
			res, err := o.UpdateForm(t.Context(), id, forms.FormPatch{FormFields: second})
			if err != nil {
				if !errors.Is(err, twinplatform.Unprocessable) {
					t.Fatal(twinplatform.Cause(err))
				}
				return
			}
			rec, err := o.Form(t.Context(), id)
			if err != nil || string(rec.JSON) != string(res.Records[0].JSON) {
				t.Fatalf("answered %s, read %s, %v", res.Records[0].JSON, rec.JSON, err)
			}
			if i == 0 {
				made = res
			} else if res.Records[0].ETag != made.Records[0].ETag {
				t.Fatalf("the same patch again makes\n%s of\n%s", res.Records[0].JSON, made.Records[0].JSON)
			}
			again, err := json.Marshal(rec.Value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(generic(t, rec.JSON), generic(t, again)); diff != "" {
				t.Fatalf("read and written again (-read +written):\n%s", diff)
			}
		}
	})
}

// generic is JSON with its numbers as they are written.
func generic(t *testing.T, raw []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
