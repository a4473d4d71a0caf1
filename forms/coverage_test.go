package forms_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform/forms"
)

// covers: Form data representation: field storageFile.fileId
// covers: Form data representation: field storageFile.folderId
// covers: Form data representation: field storageFile.fileName
// covers: Form data representation: field modelElement.modelId
// covers: Form data representation: field modelElement.elementId
// covers: Form data representation: field modelElement.changeSetId
// covers: Form data representation: field modelElement.modelName
// covers: Form data representation: field cameraView.viewToWorldScale
// covers: Form data representation: field cameraView.fieldOfView
func TestFormHasEitherSourceAndEitherScale(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	const camera = `"viewPoint":{"x":1,"y":2,"z":3},"direction":{"x":0,"y":1,"z":0},"up":{"x":0,"y":0,"z":1}`
	for _, property := range []string{
		`"sourceEntity":{"storageFile":{"fileId":"f1","fileName":"plan.dgn","folderId":"d1"}}`,
		`"sourceEntity":{"modelElement":{"changeSetId":"c1","elementId":"0x1 0x2","modelId":"m1","modelName":"M"}}`,
		`"modelView":{"cameraView":{` + camera + `,"viewToWorldScale":2.5}}`,
		`"modelView":{"cameraView":{` + camera + `,"fieldOfView":45}}`,
	} {
		f := o.form(d.ID, decode(t, "{"+property+"}"))
		rec, err := o.Form(o.as("viewer"), f.ID)
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal([]byte("{"+property+"}"), &want), json.Unmarshal(rec.JSON, &got)); err != nil {
			t.Fatal(err)
		}
		for name := range want {
			sameJSON(t, string(want[name]), got[name])
		}
	}
}

// covers: Form definition values: value None
// covers: Form definition values: value Warning
// covers: Form definition values: value Error
// covers: Form definition values: value Critical
// covers: Form definition values: value Unknown
func TestErrorStatusIsSentAsItIsSet(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition(func(n *forms.NewFormDefinition) { n.Status = forms.Draft })
	for _, status := range []forms.ErrorStatus{"None", "Warning", "Error", "Critical", "Unknown"} {
		if err := o.SetLayout(o.as("definer"), d.ID, forms.Layout{Definition: "{}", ErrorStatus: status}); err != nil {
			t.Fatal(err)
		}
		rec, err := o.FormDefinition(o.as("viewer"), d.ID)
		if err != nil || rec.Value.ErrorStatus != status {
			t.Errorf("%s is shown as %s, %v", status, rec.Value.ErrorStatus, err)
		}
	}
}
