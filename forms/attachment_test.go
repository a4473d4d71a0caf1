package forms_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func (o *office) attach(formID, fileName string) forms.Attachment {
	o.t.Helper()
	res, err := o.CreateAttachment(o.as("commenter"), formID, forms.NewAttachment{FileName: fileName})
	return done(o.t, res, err)
}

func (o *office) content(formID, attachmentID string) []byte {
	o.t.Helper()
	c, err := o.OpenAttachment(o.as("viewer"), formID, attachmentID)
	if err != nil {
		o.t.Fatal(err)
	}
	b, err := io.ReadAll(c)
	if err != nil {
		o.t.Fatal(err)
	}
	return b
}

func TestAttachmentIsFirstDescribedAndThenWritten(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	res, err := o.CreateAttachment(o.as("commenter"), f.ID, forms.NewAttachment{FileName: "crack.png", Caption: "The crack", Binding: "photo"})
	a := done(t, res, err)
	want := `{"id":"` + a.ID + `","fileName":"crack.png","caption":"The crack","binding":"photo","type":"image/png","createdBy":"Commenter","createdDateTime":"2026-01-05T09:00:00Z","size":`
	sameJSON(t, want+`null}`, res.Records[0].JSON)
	_, err = o.OpenAttachment(o.system(), f.ID, a.ID)
	fails(t, err, twinplatform.NotFound, "AttachmentNotFound", "attachmentId")

	rec, err := o.WriteAttachment(o.as("commenter"), f.ID, a.ID, strings.NewReader("bytes"))
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, want+`5}`, rec.JSON)
	page, err := o.Attachments(o.as("viewer"), f.ID, twinplatform.ListOptions{})
	if err != nil || page.Len() != 1 {
		t.Fatal(page.Len(), err)
	}
	sameJSON(t, want+`5}`, page.JSON()[0])
	c, err := o.OpenAttachment(o.as("viewer"), f.ID, a.ID)
	if err != nil || c.Type != "image/png" || *c.Size != 5 {
		t.Errorf("%+v, %v", c, err)
	}
	if err := iotest.TestReader(c, []byte("bytes")); err != nil {
		t.Error(err)
	}
	other := o.attach(f.ID, "other.txt")
	page, err = o.Attachments(o.as("viewer"), f.ID, top(1))
	if values, _ := page.Values(); err != nil || page.Next == "" || values[0].ID != a.ID || values[0].ID == other.ID {
		t.Errorf("%+v, %v", values, err)
	}
}

func TestMediaTypeFollowsFromTheExtension(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	for name, want := range map[string]string{
		"a.PDF": "application/pdf", "a.jpg": "image/jpeg", "a.txt": "text/plain; charset=utf-8", "a.csv": "text/csv; charset=utf-8",
		"a.zip": "application/zip", "a.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"a.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "a.xls": "application/vnd.ms-excel",
		"a.doc": "application/msword", "a.mp4": "video/mp4", "a.unheardof": "application/octet-stream", "a": "application/octet-stream",
	} {
		if got := o.attach(f.ID, name).Type; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestAttachmentsOfEverySizeAreReadBack(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	a := o.attach(f.ID, "a.bin")
	const chunk = 256 << 10
	for _, size := range []int{0, 1, chunk - 1, chunk, chunk + 1, 17 * chunk, forms.MaxAttachmentBytes} {
		want := bytes.Repeat([]byte{0, 1, 2, 0xff, '"', '\n', 7}, size/7+1)[:size]
		rec, err := o.WriteAttachment(o.system(), f.ID, a.ID, iotest.HalfReader(bytes.NewReader(want)))
		if err != nil || *rec.Value.Size != int64(size) {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if got := o.content(f.ID, a.ID); !bytes.Equal(got, want) {
			t.Errorf("of %d bytes, %d are read back, or others", size, len(got))
		}
	}
	_, err := o.WriteAttachment(o.system(), f.ID, a.ID, zeros{})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:content")
	if got := o.content(f.ID, a.ID); len(got) != forms.MaxAttachmentBytes {
		t.Errorf("a refused content leaves %d bytes", len(got))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestAttachmentsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	store := memory.New()
	o := openOver(t, store)
	d := o.definition()
	f := o.form(d.ID)
	first := storetest.Keys(t, store)
	a := o.attach(f.ID, "a.bin")
	empty := storetest.Keys(t, store)
	write := func(size int) {
		if _, err := o.WriteAttachment(o.system(), f.ID, a.ID, bytes.NewReader(make([]byte, size))); err != nil {
			t.Fatal(err)
		}
	}
	write(1 << 20)
	large := storetest.Keys(t, store)
	write(9 << 20)
	write(1 << 20)
	if got := storetest.Keys(t, store); got != large {
		t.Errorf("%d keys after overwriting, want %d", got, large)
	}
	broken := errors.New("the line is dead")
	_, err := o.WriteAttachment(o.system(), f.ID, a.ID, io.MultiReader(bytes.NewReader(make([]byte, 9<<20)), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if got := storetest.Keys(t, store); got != large {
		t.Errorf("%d keys after a broken line, want %d", got, large)
	}
	if err := o.DeleteAttachment(o.system(), f.ID, a.ID); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Keys(t, store); got > empty {
		t.Errorf("%d keys after a deletion, want at most %d", got, empty)
	}
	for range 20 {
		a = o.attach(f.ID, "a.bin")
		write(1 << 20)
	}
	if err := o.DeleteForm(o.system(), f.ID); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Keys(t, store); got >= first {
		t.Errorf("%d keys after the form is gone, want less than %d", got, first)
	}
}

// relay calls a function when a part of the bytes was read.
type relay struct {
	io.Reader
	then func()
}

func (r *relay) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) && r.then != nil {
		then := r.then
		r.then = nil
		then()
	}
	return n, err
}

func TestFirstOfTwoWritersWins(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	a := o.attach(f.ID, "a.bin")
	slow := &relay{Reader: bytes.NewReader(make([]byte, 300<<10)), then: func() {
		if _, err := o.WriteAttachment(o.system(), f.ID, a.ID, strings.NewReader("first")); err != nil {
			t.Error(err)
		}
	}}
	_, err := o.WriteAttachment(o.system(), f.ID, a.ID, slow)
	fails(t, err, twinplatform.Conflict, "AttachmentOverwritten", "attachmentId")
	if got := o.content(f.ID, a.ID); string(got) != "first" {
		t.Errorf("%d bytes", len(got))
	}
}

func TestReaderOfOverwrittenBytesGetsAnError(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	a := o.attach(f.ID, "a.bin")
	write := func() {
		if _, err := o.WriteAttachment(o.system(), f.ID, a.ID, bytes.NewReader(make([]byte, 600<<10))); err != nil {
			t.Fatal(err)
		}
	}
	write()
	c, err := o.OpenAttachment(o.system(), f.ID, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	write()
	_, err = io.ReadAll(c)
	fails(t, err, twinplatform.Conflict, "AttachmentOverwritten", "attachmentId")
}

func TestAttachmentHasItsErrors(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	long := strings.Repeat("x", 1001)
	for _, name := range []string{"", " "} {
		_, err := o.CreateAttachment(o.system(), f.ID, forms.NewAttachment{FileName: name, Caption: twinplatform.NullString(long), Binding: twinplatform.NullString(long)})
		fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "MissingRequiredProperty:fileName", "InvalidValue:caption", "InvalidValue:binding")
	}
	for _, name := range []string{"../a", `a\b`, "a\nb", "..", long} {
		_, err := o.CreateAttachment(o.system(), f.ID, forms.NewAttachment{FileName: name})
		fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:fileName")
	}
	_, err := o.WriteAttachment(o.system(), f.ID, "missing", strings.NewReader(""))
	fails(t, err, twinplatform.NotFound, "AttachmentNotFound", "attachmentId")
	fails(t, o.DeleteAttachment(o.system(), f.ID, "missing"), twinplatform.NotFound, "AttachmentNotFound", "attachmentId")
	_, err = o.OpenAttachment(o.system(), f.ID, "missing")
	fails(t, err, twinplatform.NotFound, "AttachmentNotFound", "attachmentId")
	_, err = o.Attachments(o.system(), f.ID, top(-1))
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:top")
}

func TestWhatBelongsToAFormGoesWithIt(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	a := o.attach(f.ID, "a.bin")
	gone := &relay{Reader: bytes.NewReader(make([]byte, 300<<10)), then: func() {
		if err := o.DeleteForm(context.WithoutCancel(o.system()), f.ID); err != nil {
			t.Error(err)
		}
	}}
	_, err := o.WriteAttachment(o.system(), f.ID, a.ID, gone)
	fails(t, err, twinplatform.NotFound, "FormDataNotFound", "id")
}
