package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/forms"
)

// attach sends files by the form of a page.
func (b *visitor) attach(target, caption string, files map[string][]byte) *httptest.ResponseRecorder {
	b.w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("caption", caption); err != nil {
		b.w.t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		part, err := form.CreateFormFile("file", name)
		if err == nil {
			_, err = part.Write(files[name])
		}
		if err != nil {
			b.w.t.Fatal(err)
		}
	}
	_ = form.Close()
	r := httptest.NewRequest(http.MethodPost, target, &body)
	r.Host, r.RemoteAddr, r.Header = b.host, b.from, b.header.Clone()
	r.Header.Set("Content-Type", form.FormDataContentType())
	rec := httptest.NewRecorder()
	b.w.handler.ServeHTTP(rec, r)
	return rec
}

// issue makes an issue, and returns its id.
func (w *world) issue() string {
	w.t.Helper()
	made := w.ask(ownerToken, "POST", "/forms/formDefinitions", `{"twinId": "`+planTwin+
		`", "displayName": "Snag", "type": "Issue", "status": "Approved"}`)
	var definition struct{ FormDefinition struct{ ID string } }
	if err := json.Unmarshal(made.Body.Bytes(), &definition); err != nil || made.Code != http.StatusCreated {
		w.t.Fatal(made.Code, made.Body, err)
	}
	made = w.ask(ownerToken, "POST", "/issues", `{"formId": "`+definition.FormDefinition.ID+`", "subject": "A crack"}`)
	var issue struct{ Issue struct{ ID string } }
	if err := json.Unmarshal(made.Body.Bytes(), &issue); err != nil || made.Code != http.StatusCreated {
		w.t.Fatal(made.Code, made.Body, err)
	}
	return issue.Issue.ID
}

func TestFilesAreAttachedToAnIssueListedWithTheirSizesReadAndDeleted(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, id := w.browser(), w.issue()
	page := "/console/issues/" + id + "/attachments"
	if p := b.source("/console/browse/issues/"+id, http.StatusOK); !strings.Contains(p, "issues/"+id+"/attachments") {
		t.Errorf("the issue does not lead to its files: %s", p)
	}
	if p := b.source(page, http.StatusOK); !strings.Contains(p, `type="file"`) || !strings.Contains(p, "There are no files yet.") {
		t.Errorf("the page without files: %s", p)
	}
	photo := bytes.Repeat([]byte("photo"), 1<<20)
	res := b.attach(page, "From the crane", map[string][]byte{"riß <1>.png": photo, "empty.txt": nil})
	if res.Code != http.StatusSeeOther {
		t.Fatalf("attaching answers %d %s", res.Code, res.Body)
	}
	b.lead(page, res, "2 files attached.")
	for _, want := range []string{"riß &lt;1&gt;.png", "From the crane", "5.0 MiB", "0 B", "image/png"} {
		if p := b.source(page, http.StatusOK); !strings.Contains(p, want) {
			t.Errorf("the list has no %q: %s", want, p)
		}
	}
	var list struct {
		Attachments []struct{ ID, FileName string }
	}
	if err := json.Unmarshal(w.ask(ownerToken, "GET", "/issues/"+id+"/attachments", "").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, a := range list.Attachments {
		if a.FileName == "empty.txt" {
			continue
		}
		read := b.get(page + "/" + a.ID)
		if got := read.Header().Get("Content-Disposition"); got != `inline; filename="ri---1-.png"; filename*=UTF-8''ri%C3%9F%20%3C1%3E.png` {
			t.Errorf("the photo is saved as %s", got)
		}
		if !bytes.Equal(read.Body.Bytes(), photo) || read.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("the file is %d bytes, and %d are read with %v", len(photo), read.Body.Len(), read.Header())
		}
		form := "/console/edit/issueAttachments.delete?path.issueId=" + id + "&path.attachmentId=" + a.ID
		if res := b.fill(form); res.Code != http.StatusSeeOther {
			t.Errorf("deleting answers %d %s", res.Code, res.Body)
		}
	}
	if p := b.source(page, http.StatusOK); strings.Contains(p, "riß") {
		t.Errorf("the file is still there: %s", p)
	}
}

func TestAFileIsReadHoweverLargeItMayBe(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, id := w.browser(), w.issue()
	page := "/console/issues/" + id + "/attachments"
	scan := bytes.Repeat([]byte("scan"), 10<<20)
	if res := b.attach(page, "", map[string][]byte{"Bauteil ä.bin": scan}); res.Code != http.StatusSeeOther {
		t.Fatalf("attaching answers %d %s", res.Code, res.Body)
	}
	var list struct{ Attachments []struct{ ID string } }
	if err := json.Unmarshal(w.ask(ownerToken, "GET", "/issues/"+id+"/attachments", "").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	read := b.get(page + "/" + list.Attachments[0].ID)
	if !bytes.Equal(read.Body.Bytes(), scan) || read.Header().Get("Content-Length") != fmt.Sprint(len(scan)) {
		t.Errorf("of %d bytes, %d are read: %d with %v", len(scan), read.Body.Len(), read.Code, read.Header())
	}
	if got := read.Header().Get("Content-Disposition"); got != `attachment; filename="Bauteil--.bin"; filename*=UTF-8''Bauteil%20%C3%A4.bin` {
		t.Errorf("it is saved as %s", got)
	}
	if res := b.get(page + "/none"); res.Code != http.StatusNotFound {
		t.Errorf("a file that is not there answers %d %s", res.Code, res.Body)
	}
}

func TestAFileThatIsTooLargeOrNoneLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, id := w.browser(), w.issue()
	page := "/console/issues/" + id + "/attachments"
	if res := b.attach(page, "", nil); res.Code != http.StatusBadRequest || !strings.Contains(res.Body.String(), "No file was chosen") {
		t.Errorf("no file answers %d %s", res.Code, res.Body)
	}
	if p := b.source(page, http.StatusOK); !strings.Contains(p, fmt.Sprintf(`data-most="%d"`, forms.MaxAttachmentBytes)) {
		t.Errorf("the form does not know how large a file may be: %s", p)
	}
	large := map[string][]byte{"large.bin": make([]byte, forms.MaxAttachmentBytes+1)}
	if res := b.attach(page, "", large); res.Code != http.StatusRequestEntityTooLarge ||
		!strings.Contains(res.Body.String(), "large.bin is larger than 50.0 MiB") {
		t.Errorf("a file that is too large answers %d %s", res.Code, res.Body)
	}
	if p := b.source(page, http.StatusOK); !strings.Contains(p, "There are no files yet.") {
		t.Errorf("something was left: %s", p)
	}
	large["a plan.pdf"] = []byte("%PDF-")
	res := b.attach(page, "", large)
	if body := res.Body.String(); res.Code != http.StatusRequestEntityTooLarge ||
		!strings.Contains(body, "large.bin is larger") || !strings.Contains(body, "Attached before it: a plan.pdf.") {
		t.Errorf("the second of two files is too large: %d %s", res.Code, body)
	}
}
