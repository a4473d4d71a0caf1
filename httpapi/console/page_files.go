package console

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// dataFiles is the page with the files of reality data.
const dataFiles = "/reality-management/reality-data/{data}/files"

// filesPages are the attachments of issues and of other forms, and the files of reality data.
var filesPages = table{
	{pattern: "GET " + dataFiles, area: "reality data", page: dataPage},
	{pattern: "POST " + dataFiles, area: "reality data", act: uploadData, maxBody: maxUploaded},
	{pattern: "GET " + dataFiles + "/{file...}", area: "reality data", file: dataFile},
	{
		pattern: "POST /reality-management/reality-data/{data}/remove-file", area: "reality data",
		act: removeDataFile,
	},
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

// maxUploaded is how much may be uploaded to reality data at once by a form without a script, in bytes;
// filesListed how many of their files and folders are on a page; imageShown how large an image is that is shown there.
const (
	maxUploaded = 16 << 30
	filesListed = 200
	imageShown  = 200 << 10
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
	caption := ""
	attached, file, err := r.eachFile(func(field, name string, sent io.Reader) (done bool, err error) {
		content, err := io.ReadAll(io.LimitReader(sent, maxFile+1))
		switch {
		case err != nil:
			return false, unreadable(err)
		case len(content) > maxFile:
			return false, tooLarge(name, maxFile, "attached")
		case field == "caption":
			caption = string(content)
		case field == "file" && name != "":
			return true, r.attach(path, name, caption, content)
		}
		return false, nil
	})
	switch {
	case err != nil:
		return target{}, partly(err, file, attached, "attached")
	case len(attached) == 0:
		return target{}, errNoFile
	}
	return to(path).withNotice(plural(len(attached), "file") + " attached."), nil
}

var errNoFile = &problem{http.StatusBadRequest, "No file was chosen", "Choose one file or more."}

// tooLarge is why a file was not attached, or not uploaded.
func tooLarge(file string, most int64, done string) error {
	return &problem{
		http.StatusRequestEntityTooLarge, "The file is too large",
		file + " is larger than " + bytesText(most) + ", and was not " + done + ".",
	}
}

// partly is an error with a file, before which others were attached or uploaded.
func partly(err error, file string, before []string, done string) error {
	p, ok := errors.AsType[*problem](err)
	if refused, is := asRefusal(err); is {
		p, ok = &problem{status: refused.Status, message: file + " was not " + done + ": " + refused.Message}, true
	}
	if !ok || len(before) == 0 {
		return err
	}
	last := before[max(0, len(before)-maxNamed):]
	message := p.message + " " + strings.ToUpper(done[:1]) + done[1:] + " before it: "
	if more := len(before) - len(last); more > 0 {
		message += plural(more, "file") + " and "
	}
	return &problem{p.status, "Not all files were " + done, message + strings.Join(last, ", ") + "."}
}

// eachFile calls take with the parts of a form, one after the other, as they come in: with the name of the field, and
// of the file with the folders that it was chosen with. It returns the files that take says are done. An error is
// with the file.
func (r *request) eachFile(take func(field, name string, content io.Reader) (bool, error)) (
	done []string, file string, err error,
) {
	reader, err := r.MultipartReader()
	if err != nil {
		return nil, "", unreadable(err)
	}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return done, "", nil
		}
		if err != nil {
			return done, "", unreadable(err)
		}
		// Part.FileName leaves folders out.
		_, sent, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		file := sent["filename"]
		is, err := take(part.FormName(), file, part)
		if err != nil {
			return done, file, err
		}
		if is {
			done = append(done, file)
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

// dataView are the files and folders of reality data in one of their folders.
type dataView struct {
	*request
	Of      string // what people call the data
	Path    string // of the page
	Remove  string // the path of the form that removes a file
	Size    string // of all files; empty while they are authored
	Folder  string // that is shown; empty for the first
	Above   []actionView
	Files   []dataFileRow
	More    string
	Upload  string // the address to which a script sends files; empty where the viewer may not
	Why     string // why there is no upload
	Most    int64
	MostIn  string
	Changes []actionView
}

// dataFileRow is a file, or a folder.
type dataFileRow struct {
	Name, Path, Link, Size, When string
	Folder, Shown                bool // a folder; an image that is shown
}

// dataPath is the record of the page, in the API and in the console.
func (r *request) dataPath() string {
	return at("reality-management", "reality-data", r.PathValue("data"))
}

// bytesAt is the address of the files of reality data, for reading alone or also for writing.
func (r *request) bytesAt(right string) (string, error) {
	if r.console.cfg.Files == nil {
		return "", &problem{
			http.StatusNotFound, "The files are kept elsewhere",
			"This console does not show files of reality data. The API gives the address at which they are.",
		}
	}
	var body object
	if _, err := r.get(r.dataPath()+right, &body); err != nil {
		return "", err
	}
	return body.text("_links.containerUrl.href"), nil
}

// inside is the path with the query of a file at an address, or of all of them where file is empty.
func (r *request) inside(address, file string, query ...string) string {
	target, signed, _ := strings.Cut(r.console.withinAPI(address), "?")
	if file != "" {
		target += at(strings.Split(file, "/")...)
	}
	if q := queryOf(query); q != "" {
		signed += "&" + q
	}
	return target + "?" + signed
}

// fileList is a list of files as the address of reality data answers it.
type fileList struct {
	Blobs struct {
		Blob []struct {
			Name       listedName
			Properties struct {
				Modified string `xml:"Last-Modified"`
				Size     int64  `xml:"Content-Length"`
			}
		}
		BlobPrefix []struct{ Name listedName }
	}
	NextMarker string
}

// listedName is a name in a list, in the escapes of addresses where XML cannot have it.
type listedName struct {
	Encoded bool   `xml:",attr"`
	Text    string `xml:",chardata"`
}

func (n listedName) String() string {
	if plain, err := url.PathUnescape(n.Text); n.Encoded && err == nil {
		return plain
	}
	return n.Text
}

// dataPage shows the files of reality data, folder by folder.
func dataPage(r *request) (view, error) {
	record := r.dataPath()
	var body object
	if _, err := r.get(record, &body); err != nil {
		return view{}, err
	}
	data := body.object("realityData")
	page := dataView{
		request: r, Of: cmp.Or(data.text("displayName"), data.text("id")), Path: record + "/files",
		Remove: record + "/remove-file", Folder: strings.Trim(r.Query("folder"), "/"),
		Most: r.console.cfg.MaxFile, MostIn: bytesText(r.console.cfg.MaxFile),
	}
	if !data.is("authoring") {
		page.Size = bytesText(data.int("size") << 10)
	}
	r.title = "Files of " + page.Of
	place := r.console.placeOf("/reality-management/reality-data")
	r.above(place, record, nil)
	r.below(r.consolePath(record), page.Of)
	address, err := page.address(place, data)
	if err != nil {
		return view{}, err
	}
	if err := page.list(address); err != nil {
		return view{}, err
	}
	above := ""
	for name := range strings.SplitSeq(page.Folder, "/") {
		if page.Folder != "" {
			above = strings.TrimPrefix(above+"/"+name, "/")
			page.Above = append(page.Above, actionView{r.Link(page.Path, "folder", above), name})
		}
	}
	return r.show("data-files", page)
}

// address is that of the files for reading, or for writing where the viewer may, with which a script uploads.
func (v *dataView) address(place *place, data object) (string, error) {
	v.Why = "This console is read-only."
	if v.Writable() {
		address, err := v.bytesAt("/writeaccess")
		refused, is := asRefusal(err)
		switch {
		case err == nil:
			v.Upload, v.Why = v.sameOrigin(address), ""
			return address, nil
		case is && refused.Code == "RealityDataComplete":
			v.Why = "These data are complete. Set Authoring to true to add files, or to remove some."
			v.Changes = v.editLink(http.MethodPatch, place, v.dataPath(), "Edit "+data.text("displayName"))
		case is && refused.Status == http.StatusForbidden:
			v.Why = "You may read these files. Only those who manage or own the data may add files or remove some."
		default:
			return "", err
		}
	}
	return v.bytesAt("/readaccess")
}

// sameOrigin is an address as a script of this page may use it. One of another host is let through the policy of the
// page.
func (r *request) sameOrigin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if u.Host == "" || u.Host == r.Host {
		return u.RequestURI()
	}
	h := r.w.Header()
	policy := h.Get("Content-Security-Policy")
	h.Set("Content-Security-Policy",
		strings.Replace(policy, "connect-src 'self'", "connect-src 'self' "+u.Scheme+"://"+u.Host, 1))
	return address
}

// list reads the files and folders of the folder that is shown.
func (v *dataView) list(address string) error {
	prefix := ""
	if v.Folder != "" {
		prefix = v.Folder + "/"
	}
	target := v.inside(address, "", "restype", "container", "comp", "list", "delimiter", "/", "prefix", prefix,
		"marker", v.Query("marker"), "maxresults", strconv.Itoa(filesListed))
	a, err := v.sendTo(v.console.cfg.Files, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return refusalOf(a)
	}
	var list fileList
	if err := xml.Unmarshal(a.body, &list); err != nil {
		return fmt.Errorf("console: a list of files: %w", err)
	}
	v.More = ""
	if list.NextMarker != "" {
		v.More = v.Here("marker", list.NextMarker)
	}
	for _, f := range list.Blobs.BlobPrefix {
		name := strings.TrimSuffix(f.Name.String(), "/")
		v.Files = append(v.Files, dataFileRow{
			Name: strings.TrimPrefix(name, prefix), Path: name, Folder: true, Link: v.Link(v.Path, "folder", name),
		})
	}
	for _, f := range list.Blobs.Blob {
		name := f.Name.String()
		if strings.HasSuffix(name, "/") {
			continue // what keeps a folder
		}
		row := dataFileRow{
			Name: strings.TrimPrefix(name, prefix), Path: name, Size: bytesText(f.Properties.Size),
			Link:  v.Link(v.Path + at(strings.Split(name, "/")...)),
			Shown: imageType(name) != "" && f.Properties.Size <= imageShown,
		}
		if modified, err := http.ParseTime(f.Properties.Modified); err == nil {
			row.When = modified.UTC().Format("2006-01-02 15:04")
		}
		v.Files = append(v.Files, row)
	}
	return nil
}

// imageType is the media type of a file by its name; empty for what is no image that browsers draw.
func imageType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".gif":
		return "image/gif"
	case ".webp":
		return "image/webp"
	}
	return ""
}

// dataFile is a file of reality data.
func dataFile(r *request) download {
	name := r.PathValue("file")
	address, err := r.bytesAt("/readaccess")
	return download{
		path: r.inside(address, name), name: path.Base(name), from: r.console.cfg.Files, image: imageType(name),
		err: err,
	}
}

// uploadData takes the files of a form, as browsers send it that run no script. It replaces files of the same names
// where the form says so. Where one is refused, it says which were uploaded before.
func uploadData(r *request) (target, error) {
	address, err := r.bytesAt("/writeaccess")
	if err != nil {
		return target{}, err
	}
	folder, unless := "", "*" // a file with the name is there
	uploaded, file, err := r.eachFile(func(field, name string, content io.Reader) (bool, error) {
		switch {
		case field == "folder":
			text, err := io.ReadAll(io.LimitReader(content, 2<<10))
			folder = string(text)
			return false, err
		case field == "replace":
			unless = ""
			return false, nil
		case field != "file" || name == "":
			return false, nil
		}
		err := r.writeFile(r.inside(address, path.Join(folder, name)), content, unless)
		if refused, is := asRefusal(err); is && refused.Code == "FileAlreadyExists" {
			refused.Message = name + ` is there already. Tick "Replace files of the same name" to replace it.`
		}
		return true, err
	})
	switch {
	case err != nil:
		return target{}, partly(err, file, uploaded, "uploaded")
	case len(uploaded) == 0:
		return target{}, errNoFile
	}
	return to(r.dataPath()+"/files", "folder", folder).withNotice(plural(len(uploaded), "file") + " uploaded."), nil
}

// writeFile writes a file as it comes in, unless one is there; an empty unless replaces it.
func (r *request) writeFile(target string, content io.Reader, unless string) error {
	w := &taken{header: make(http.Header), from: r.w}
	err := r.stream(r.console.cfg.Files, w, http.MethodPut, target, content, -1, header{"If-None-Match", unless})
	if err != nil {
		return err
	}
	a, err := w.answer()
	if err == nil && a.status >= 300 {
		err = refusalOf(a)
	}
	return err
}

// removeDataFile removes a file.
func removeDataFile(r *request) (target, error) {
	address, err := r.bytesAt("/writeaccess")
	if err != nil {
		return target{}, err
	}
	name := r.PostForm.Get("name")
	a, err := r.sendTo(r.console.cfg.Files, http.MethodDelete, r.inside(address, name), nil)
	if err != nil {
		return target{}, err
	}
	if a.status >= 300 {
		return target{}, refusalOf(a)
	}
	folder := path.Dir(name)
	if folder == "." {
		folder = ""
	}
	return to(r.dataPath()+"/files", "folder", folder).withNotice(path.Base(name) + " was deleted."), nil
}

// filesBelow leads from reality data to their files.
func (r *request) filesBelow(p *place, path string) []actionView {
	if p.one != "/reality-management/reality-data/{}" || r.console.cfg.Files == nil {
		return nil
	}
	return []actionView{{r.Link(path + "/files"), "Files"}}
}
