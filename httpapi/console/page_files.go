package console

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"strings"
)

// filesPages are the attachments of issues and of other forms.
var filesPages = table{
	{pattern: "GET /issues/{record}/attachments", area: "forms", page: filesPage},
	{pattern: "POST /issues/{record}/attachments", area: "forms", act: attachFiles, maxBody: maxAttached},
	{pattern: "GET /issues/{record}/attachments/{file}", area: "forms", file: attachedFile},
	{pattern: "GET /forms/{record}/attachments", area: "forms", page: filesPage},
	{pattern: "POST /forms/{record}/attachments", area: "forms", act: attachFiles, maxBody: maxAttached},
	{pattern: "GET /forms/{record}/attachments/{file}", area: "forms", file: attachedFile},
}

// maxFile is how large a file may be that is attached, in bytes, and maxAttached how much may be attached at once with
// the form around it.
const (
	maxFile     = 50 << 20
	maxAttached = 4*maxFile + 1<<20
)

// filesView are the files of an issue or of another form.
type filesView struct {
	*request
	Of     string // what people call the record
	Path   string // of the list
	Files  []fileRow
	More   string
	Most   int64 // bytes of the largest file
	MostIn string
}

// fileRow is a file that is attached.
type fileRow struct {
	Name, Caption, Kind, Size, By, When string
	Link                                string
	Delete                              []actionView
}

// attachmentsPath is the list of the page, in the API and in the console.
func (r *request) attachmentsPath() (record, list string) {
	kind := "issues"
	if strings.HasPrefix(r.URL.Path, r.console.cfg.Path+"/forms/") {
		kind = "forms"
	}
	record = at(kind, r.PathValue("record"))
	return record, record + "/attachments"
}

func filesPage(r *request) (view, error) {
	record, path := r.attachmentsPath()
	list, next, err := r.objects(path+"?"+queryOf([]string{
		"$top", "50", "continuationToken", r.Query("continuationToken"),
	}), "attachments")
	if err != nil {
		return view{}, err
	}
	place, _, _ := r.console.at(path)
	r.above(place, path, nil)
	page := filesView{
		request: r, Of: r.nameAt(record), Path: path, More: r.nextPage(next, "continuationToken", "continuationToken"),
		Most: maxFile, MostIn: bytesText(maxFile),
	}
	r.title = "Files of " + page.Of
	for _, o := range list {
		one := path + at(o.text("id"))
		file := fileRow{
			Name: cmp.Or(o.text("fileName"), o.text("id")), Caption: o.text("caption"), Kind: o.text("type"),
			By: o.text("createdBy"), When: o.text("createdDateTime"), Link: r.Link(one),
			Delete: r.editLink(http.MethodDelete, place, one, "Delete"),
		}
		if file.Size = "no content yet"; o.at("size") != nil {
			file.Size = bytesText(o.int("size"))
		}
		page.Files = append(page.Files, file)
	}
	return r.show("files", page)
}

// attachedFile is the content of a file.
func attachedFile(r *request) download {
	_, path := r.attachmentsPath()
	return download{path: path + at(r.PathValue("file")), unnamed: r.PathValue("file")}
}

// attachFiles attaches the files of a form. Where one is refused, it says which were attached before.
func attachFiles(r *request) (target, error) {
	_, path := r.attachmentsPath()
	attached, file, err := r.attachEach(path)
	switch {
	case err != nil:
		return target{}, partly(err, file, attached)
	case len(attached) == 0:
		return target{}, &problem{http.StatusBadRequest, "No file was chosen", "Choose one file or more."}
	}
	return to(path).withNotice(plural(len(attached), "file") + " attached."), nil
}

// partly is an error with a file, before which others were attached.
func partly(err error, file string, attached []string) error {
	p, ok := errors.AsType[*problem](err)
	if refused, is := asRefusal(err); is {
		p, ok = &problem{status: refused.Status, message: file + " was not attached: " + refused.Message}, true
	}
	if !ok || len(attached) == 0 {
		return err
	}
	return &problem{
		p.status, "Not all files were attached",
		p.message + " Attached before it: " + strings.Join(attached, ", ") + ".",
	}
}

// attachEach attaches the files of a form, one after the other, as they come in. An error is with the file.
func (r *request) attachEach(path string) (attached []string, file string, err error) {
	reader, err := r.MultipartReader()
	if err != nil {
		return nil, "", unreadable(err)
	}
	caption := ""
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return attached, "", nil
		}
		if err != nil {
			return attached, "", unreadable(err)
		}
		file := part.FileName()
		content, err := io.ReadAll(io.LimitReader(part, maxFile+1))
		switch {
		case err != nil:
			return attached, file, unreadable(err)
		case len(content) > maxFile:
			return attached, file, &problem{
				http.StatusRequestEntityTooLarge, "The file is too large",
				file + " is larger than " + bytesText(maxFile) + ", and was not attached.",
			}
		case part.FormName() == "caption":
			caption = string(content)
		case part.FormName() == "file" && file != "":
			if err := r.attach(path, file, caption, content); err != nil {
				return attached, file, err
			}
			attached = append(attached, file)
		}
	}
}

// attach attaches a file. One of which the content is refused is not attached.
func (r *request) attach(path, name, caption string, content []byte) error {
	described := map[string]string{"fileName": name}
	if caption != "" {
		described["caption"] = caption
	}
	a, err := r.create(path, described)
	if err != nil {
		return err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return err
	}
	one := path + at(body.text("attachment.id"))
	a, err = r.send(http.MethodPut, one, content, header{"Content-Type", "application/octet-stream"})
	if err == nil && a.status >= 300 {
		err = refusalOf(a)
	}
	if err != nil {
		_, _ = r.send(http.MethodDelete, one, nil)
	}
	return err
}
