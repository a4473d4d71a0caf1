package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

// replacing in place of a caption ticks the box by which files of the same names are replaced.
const replacing = "replace"

// attach sends files by the form of a page.
func (b *visitor) attach(target, caption string, files map[string][]byte) *httptest.ResponseRecorder {
	b.w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields := map[string]string{"caption": caption}
	if caption == replacing {
		fields = map[string]string{"replace": "true"}
	}
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			b.w.t.Fatal(err)
		}
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

// data makes reality data, and returns the path of their files on the pages.
func (w *world) data(name, more string) (page string) {
	w.t.Helper()
	made := w.ask(ownerToken, "POST", "/reality-management/reality-data",
		`{"twinId": "`+planTwin+`", "displayName": "`+name+`", "type": "LAS"`+more+`}`)
	var body struct{ RealityData struct{ ID string } }
	if err := json.Unmarshal(made.Body.Bytes(), &body); err != nil || made.Code != http.StatusCreated {
		w.t.Fatal(made.Code, made.Body, err)
	}
	return "/console/reality-management/reality-data/" + body.RealityData.ID + "/files"
}

func TestFilesAndFoldersOfRealityDataAreUploadedListedShownReadAndDeleted(t *testing.T) {
	t.Parallel()
	w := openFiles(t, 0, demo)
	b, page := w.browser(), w.data("Scan Süd", "")
	record := "/console/browse" + strings.TrimSuffix(strings.TrimPrefix(page, "/console"), "/files")
	if p := b.source(record, http.StatusOK); !strings.Contains(p, strings.TrimPrefix(page, "/console/")) {
		t.Errorf("the data do not lead to their files: %s", p)
	}
	p := b.source(page, http.StatusOK)
	for _, want := range []string{"webkitdirectory", `multiple=""`, "512.0 MiB each at most", "There are no files yet."} {
		if !strings.Contains(p, want) {
			t.Errorf("the page without files has no %q: %s", want, p)
		}
	}
	scan := bytes.Repeat([]byte("scan"), 50_001)
	res := b.attach(page, "", map[string][]byte{
		"flight 1/rohdaten/ä <1>.las": scan, "flight 1/crane.png": []byte("\x89PNG\r\n\x1a\n"), "read me.txt": nil,
	})
	if res.Code != http.StatusSeeOther {
		t.Fatalf("uploading answers %d %s", res.Code, res.Body)
	}
	b.lead(page, res, "3 files uploaded.")
	p = b.source(page, http.StatusOK)
	for _, want := range []string{"flight 1/", "read me.txt", "0 B", "196.0 KiB in all"} {
		if !strings.Contains(p, want) {
			t.Errorf("the list has no %q: %s", want, p)
		}
	}
	if p := b.source(page+"?folder=flight+1", http.StatusOK); !strings.Contains(p, "rohdaten/") || !strings.Contains(p, "<img") {
		t.Errorf("the folder has no folder and no image: %s", p)
	}
	if p := b.source(page+"?folder=flight+1/rohdaten", http.StatusOK); !strings.Contains(p, "ä &lt;1&gt;.las") ||
		!strings.Contains(p, "195.3 KiB") {
		t.Errorf("the inner folder has not its file: %s", p)
	}
	read := b.get(page + "/flight%201/rohdaten/%C3%A4%20%3C1%3E.las")
	if got := read.Header().Get("Content-Disposition"); !bytes.Equal(read.Body.Bytes(), scan) ||
		got != `attachment; filename="---1-.las"; filename*=UTF-8''%C3%A4%20%3C1%3E.las` {
		t.Errorf("of %d bytes, %d are read as %s", len(scan), read.Body.Len(), got)
	}
	if image := b.get(page + "/flight%201/crane.png"); image.Header().Get("Content-Type") != "image/png" ||
		image.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the image is answered with %v", image.Header())
	}
	b.header.Set("If-None-Match", b.get(page+"/flight%201/crane.png").Header().Get("ETag"))
	again := b.get(page + "/flight%201/crane.png")
	if again.Code != http.StatusNotModified || again.Body.Len() > 0 || again.Header().Get("Cache-Control") != "private, no-cache" {
		t.Errorf("an image that the browser has is answered with %d %v", again.Code, again.Header())
	}
	b.header.Del("If-None-Match")
	b.header.Set("Range", "bytes=4-11")
	part := b.get(page + "/flight%201/rohdaten/%C3%A4%20%3C1%3E.las")
	if part.Code != http.StatusPartialContent || part.Body.String() != "scanscan" || part.Header().Get("Content-Range") != "bytes 4-11/200004" {
		t.Errorf("a part is answered with %d %v %q", part.Code, part.Header(), part.Body)
	}
	b.header.Del("Range")
	if res := b.get(page + "/none.las"); res.Code != http.StatusNotFound {
		t.Errorf("a file that is not there answers %d %s", res.Code, res.Body)
	}
	gone := b.post(strings.TrimSuffix(page, "files")+"remove-file", url.Values{"name": {"flight 1/rohdaten/ä <1>.las"}})
	b.lead(page, gone, "was deleted.")
	if p := b.source(page, http.StatusOK); !strings.Contains(p, "1.0 KiB in all") {
		t.Errorf("the size still has the file that is deleted: %s", p)
	}
}

// An object store sends who reads a plain file to its bucket, from where no page shows images.
func TestImagesAreSentThroughThePlatformWhereOtherFilesAreReadFromABucket(t *testing.T) {
	t.Parallel()
	w := openFiles(t, 0, func(cfg *console.Config) {
		demo(cfg)
		files := cfg.Files
		cfg.Files = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && r.Header.Get("X-Ms-Version") == "" && !r.URL.Query().Has("restype") {
				w.Header().Set("Location", "https://bucket.example.com/file")
				w.WriteHeader(http.StatusTemporaryRedirect)
				return
			}
			files.ServeHTTP(w, r)
		})
	})
	b, page := w.browser(), w.data("Scan Mitte", "")
	b.lead(page, b.attach(page, "", map[string][]byte{
		"crane.png": []byte("\x89PNG\r\n\x1a\n"), "scan.las": {1}, "large.png": make([]byte, 200<<10+1),
	}), "3 files uploaded.")
	if image := b.get(page + "/crane.png"); image.Code != http.StatusOK || image.Body.Len() != 8 {
		t.Errorf("the image is answered with %d %v", image.Code, image.Header())
	}
	if scan := b.get(page + "/scan.las"); scan.Code != http.StatusTemporaryRedirect {
		t.Errorf("the scan is answered with %d %v", scan.Code, scan.Header())
	}
	if n := strings.Count(b.source(page, http.StatusOK), "<img"); n != 1 {
		t.Errorf("%d images are shown, one of which is small", n)
	}
}

func TestAFormWithoutAScriptReplacesAFileOnlyWhereItSaysSo(t *testing.T) {
	t.Parallel()
	w := openFiles(t, 0, demo)
	b, page := w.browser(), w.data("Scan Ost", "")
	content := func() string { return b.get(page + "/flight/DJI_0001.JPG").Body.String() }
	send := func(caption, text string) *httptest.ResponseRecorder {
		return b.attach(page, caption, map[string][]byte{"flight/DJI_0001.JPG": []byte(text)})
	}
	if res := send("", "flight 1"); res.Code != http.StatusSeeOther {
		t.Fatal(res.Code, res.Body)
	}
	res := send("", "flight 2")
	if body := res.Body.String(); res.Code != http.StatusConflict || content() != "flight 1" ||
		!strings.Contains(body, "flight/DJI_0001.JPG is there already. Tick &#34;Replace files of the same name&#34;") {
		t.Errorf("a file of the same name answers %d %s, and there is %q", res.Code, body, content())
	}
	if res := send(replacing, "flight 2"); res.Code != http.StatusSeeOther || content() != "flight 2" {
		t.Errorf("to replace it answers %d %s, and there is %q", res.Code, res.Body, content())
	}
}

func TestAFileThatRealityDataDoNotTakeIsNamedWithThoseBefore(t *testing.T) {
	t.Parallel()
	w := openFiles(t, 1<<10, demo)
	b, page := w.browser(), w.data("Scan Nord", "")
	if p := b.source(page, http.StatusOK); !strings.Contains(p, `data-most="1024"`) {
		t.Errorf("the form does not know how large a file may be: %s", p)
	}
	res := b.attach(page, "", map[string][]byte{"a.las": {1}, "b.las": make([]byte, 1025), "c.las": {1}})
	if body := res.Body.String(); res.Code != http.StatusRequestEntityTooLarge ||
		!strings.Contains(body, "b.las was not uploaded") || !strings.Contains(body, "Uploaded before it: a.las.") {
		t.Errorf("a file that is too large answers %d %s", res.Code, res.Body)
	}
	if res := b.attach(page, "", nil); res.Code != http.StatusBadRequest {
		t.Errorf("no file answers %d %s", res.Code, res.Body)
	}
}

func TestOnlyWhoMayWriteRealityDataIsShownAnUpload(t *testing.T) {
	t.Parallel()
	w := openFiles(t, 0, demo)
	b, page := w.browser(), w.data("Scan West", `, "authoring": true`)
	if p := b.source(page, http.StatusOK); !strings.Contains(p, "data-upload") {
		t.Errorf("data that are made have no upload: %s", p)
	}
	if res := b.attach(page, "", map[string][]byte{"scan.las": make([]byte, 5_000)}); res.Code != http.StatusSeeOther {
		t.Fatal(res.Code, res.Body)
	}
	if p := b.source(page, http.StatusOK); strings.Contains(p, "in all.") || !strings.Contains(p, "counted once authoring ends") {
		t.Errorf("data that are made have a size: %s", p)
	}
	id := strings.TrimSuffix(strings.TrimPrefix(page, "/console"), "/files")
	if done := w.ask(ownerToken, "PATCH", id, `{"authoring": false}`); done.Code != http.StatusOK {
		t.Fatal(done.Code, done.Body)
	}
	if p := b.source(page, http.StatusOK); !strings.Contains(p, "5.0 KiB in all.") {
		t.Errorf("complete data have no size: %s", p)
	}
	if p := b.source(page, http.StatusOK); strings.Contains(p, "data-upload") || !strings.Contains(p, "These data are complete.") {
		t.Errorf("complete data have an upload: %s", p)
	}
	if res := b.attach(page, "", map[string][]byte{"a.las": {1}}); res.Code != http.StatusConflict {
		t.Errorf("uploading to complete data answers %d %s", res.Code, res.Body)
	}
	reading := openFiles(t, 0, func(cfg *console.Config) {
		demo(cfg)
		cfg.ReadOnly = true
	})
	if p := reading.browser().source(reading.data("Scan", ""), http.StatusOK); strings.Contains(p, "data-upload") {
		t.Errorf("a console that is read-only has an upload: %s", p)
	}
	other := w.browser()
	other.signIn(strangerTok)
	if res := other.get(page); res.Code != http.StatusNotFound {
		t.Errorf("a stranger gets %d %s", res.Code, res.Body)
	}
}
