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

// attachFiles attaches the files of a form, one after the other, as they come in.
func attachFiles(r *request) (target, error) {
	_, path := r.attachmentsPath()
	reader, err := r.MultipartReader()
	if err != nil {
		return target{}, unreadable(err)
	}
	caption, n := "", 0
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return target{}, unreadable(err)
		}
		content, err := io.ReadAll(io.LimitReader(part, maxFile+1))
		switch {
		case err != nil:
			return target{}, unreadable(err)
		case len(content) > maxFile:
			return target{}, &problem{
				http.StatusRequestEntityTooLarge, "The file is too large",
				part.FileName() + " is larger than " + bytesText(maxFile) + ", and was not attached.",
			}
		case part.FormName() == "caption":
			caption = string(content)
		case part.FormName() == "file" && part.FileName() != "":
			if err := r.attach(path, part.FileName(), caption, content); err != nil {
				return target{}, err
			}
			n++
		}
	}
	if n == 0 {
		return target{}, &problem{http.StatusBadRequest, "No file was chosen", "Choose one file or more."}
	}
	return to(path).withNotice(plural(n, "file") + " attached."), nil
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
