package console

import (
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// maxUpload is how large a planner's file may be, in bytes, with the form around it.
const maxUpload = 64 << 20

// newPlan is what the form has in place of a synchronizer where the file is added as another plan.
const newPlan = "new"

// importPageView is the form for a planner file, or what importing a file that was uploaded would do.
type importPageView struct {
	*request
	File, Name string // the id of what was uploaded, and its name
	Missing    string // why it cannot be imported
	Changed    string // since the preview that was to be carried out
	Mark       string // see previewMark
	Deleted    int    // tasks that are more than may be deleted unasked
	As         []optionView
	Update     bool // the file updates a plan that is there
	Preview    object
	Unchanged  bool
	Said       string // what would be done, in a sentence
	Changes    []importChangeView
	FinishNow  string
	Finish     string
	Later      string // by how many days the plan would end later; empty where it stays
	Causes     []causeView
	Picture    template.HTML
	Warnings   []importWarningView

	deletedShare float64 // of the tasks that files have made
}

// importWarningView are warnings that differ only in what they name and count.
type importWarningView struct {
	Text  string // the first of them
	Count int
	All   []string // where there are several: maxListed at most
}

// varying is what warnings of a kind name and count.
var varying = regexp.MustCompile(`“[^”]*”|"[^"]*"|'[^']*'|[0-9]+`)

// importWarnings are the warnings of an import by their kinds, those first that there are most of.
func importWarnings(list []object) (all []importWarningView) {
	places := make(map[string]int)
	for _, o := range list {
		text := o.text("message")
		kind := varying.ReplaceAllString(text, "…")
		i, known := places[kind]
		if !known {
			i, places[kind] = len(all), len(all)
			all = append(all, importWarningView{Text: text})
		}
		if all[i].Count++; len(all[i].All) < maxListed {
			all[i].All = append(all[i].All, text)
		}
	}
	slices.SortStableFunc(all, func(a, b importWarningView) int { return cmp.Compare(b.Count, a.Count) })
	return all
}

// importSaid says how many tasks, links and other records an import creates, changes and deletes. count is how many of
// a type it does so with.
func importSaid(types []string, count func(typ, outcome string) int64) string {
	said := make([]string, 0, 3)
	for _, of := range []struct{ outcome, word string }{
		{"updated", "Changed"}, {"created", "New"}, {"deleted", "Deleted"},
	} {
		counts, others := []string{}, int64(0)
		for _, typ := range types {
			switch n := count(typ, of.outcome); {
			case n == 0:
			case typ == "tasks" || typ == "links":
				counts = append(counts, plural(int(n), strings.TrimSuffix(typ, "s")))
			default:
				others += n
			}
		}
		if others > 0 {
			counts = append(counts, plural(int(others), "other record"))
		}
		said = append(said, of.word+": "+cmp.Or(strings.Join(counts, ", "), "nothing")+".")
	}
	return strings.Join(said, " ")
}

// importChangeView is what would become of the records of a type.
type importChangeView struct {
	Type                      string
	Created, Updated, Deleted object
}

// Named are outcomes of which something is named, with what is.
func (v importChangeView) Named() (all []importNamesView) {
	for _, of := range []struct {
		text   string
		object object
	}{{"created", v.Created}, {"updated", v.Updated}, {"deleted", v.Deleted}} {
		list := of.object.objects("records")
		if len(list) == 0 {
			continue
		}
		names := importNamesView{Text: v.Type + " " + of.text}
		for _, o := range list[:min(len(list), maxListed)] {
			names.Names = append(names.Names, strings.TrimSpace(o.text("userDefinedId")+" "+o.text("name")))
		}
		names.More = of.object.int("count") - int64(len(names.Names))
		all = append(all, names)
	}
	return all
}

// importNamesView are records, by their names.
type importNamesView struct {
	Text  string
	Names []string
	More  int64
}

// importPage is the form for a planner file, whose format follows from the content; and once it is
// uploaded, what importing it would do.
func importPage(r *request) (view, error) {
	if err := r.inSchedule("Import"); err != nil {
		return view{}, err
	}
	page := importPageView{request: r, File: r.Query("file"), Name: r.Query("name")}
	if page.File == "" {
		return r.show("import", page)
	}
	err := page.preview(r.Query("synchronizer"))
	if page.Missing, err = withoutData(err); err != nil {
		return view{}, err
	}
	return r.show("import", page)
}

// preview asks what would be done with the file: as an update of the plan that was imported last,
// where there is one, unless another synchronizer is chosen or it is to be another plan.
func (v *importPageView) preview(synchronizer string) error {
	body, err := v.previewed(cmp.Or(synchronizer, newPlan))
	if err != nil {
		return err
	}
	all := body.objects("synchronizers")
	if synchronizer == "" && len(all) > 0 {
		synchronizer = all[0].text("id")
		if body, err = v.previewed(synchronizer); err != nil {
			return err
		}
	}
	synchronizer = cmp.Or(synchronizer, newPlan)
	var choices []string
	for _, o := range all {
		name := cmp.Or(o.text("projectName"), o.text("synchronizerName"))
		choices = append(choices, o.text("id"), "Update of "+name+", imported "+o.text("synchronizationTime"))
	}
	v.As = options(synchronizer, append(choices, newPlan, "A new plan of this schedule")...)
	v.Update = synchronizer != newPlan
	return v.fill(body)
}

// deletedOf is how a preview says how many tasks would be deleted, and of how many.
var deletedOf = regexp.MustCompile(`delete ([0-9]+) of the ([0-9]+) tasks`)

// tooManyDeleted are the tasks for which a preview says that they are too many to be deleted unasked, and the share of
// all for which nothing more may be deleted than these.
func tooManyDeleted(refusal string) (tasks int, share float64) {
	said := deletedOf.FindStringSubmatch(refusal)
	if said == nil {
		return 0, 0
	}
	tasks, err := strconv.Atoi(said[1])
	all, failed := strconv.Atoi(said[2])
	if cmp.Or(err, failed) != nil || tasks > all || tasks == 0 {
		return 0, 0
	}
	return tasks, min(1, math.Nextafter(float64(tasks)/float64(all), 2)) // which is rounded
}

// previewed is a preview of an update, or of a new plan.
func (v *importPageView) previewed(synchronizer string) (object, error) {
	request := map[string]any{"fileId": v.File, "filePath": v.Name, "preview": true}
	path := v.schedule() + "/imports/planner"
	if synchronizer != newPlan {
		request["synchronizerId"], path = synchronizer, path+"/synchronize"
	}
	a, err := v.create(path, request)
	if err != nil {
		return nil, err
	}
	var body object
	err = decode(a.body, &body)
	return body.object("importPreview"), err
}

// fill takes what the page shows out of a preview.
func (v *importPageView) fill(body object) (err error) {
	v.Preview = body
	refusal := body.text("refusal")
	v.Mark, err = previewMark(v.File, body.at("changes"), body.at("finishNow"), body.at("finish"), refusal)
	if err != nil {
		return err
	}
	v.Deleted, v.deletedShare = tooManyDeleted(refusal)
	types, counts := []string{}, make(map[string]object)
	for _, o := range body.objects("changes") {
		types, counts[o.text("type")] = append(types, o.text("type")), o
		change := importChangeView{Type: words(o.text("type")), Created: o.object("created")}
		change.Updated, change.Deleted = o.object("updated"), o.object("deleted")
		v.Changes = append(v.Changes, change)
	}
	v.Unchanged = len(v.Changes) == 0
	v.Said = importSaid(types, func(typ, outcome string) int64 { return counts[typ].int(outcome + ".count") })
	days, _ := strconv.ParseFloat(body.text("moveDays"), 64)
	remainder, _ := strconv.ParseFloat(body.text("remainderDays"), 64)
	v.Later, v.Causes = later(days), v.causes(body.objects("causes"), remainder, "AddedTask")
	now, _ := body.at("finishNow").(string)
	then, _ := body.at("finish").(string)
	v.FinishNow, v.Finish = v.clock(now), v.clock(then)
	v.Warnings = importWarnings(body.objects("synchronizationDetails.warnings"))
	if drawn := body.text("picture"); drawn != "" {
		head, rest, _ := strings.Cut(drawn, "<style>") // which the page has
		_, rest, _ = strings.Cut(rest, "</style>")
		v.Picture, err = picture([]byte(head + rest))
	}
	return err
}

// importFile uploads a file in parts, as the API takes files, and leads to what importing it would do.
func importFile(r *request) (target, error) {
	reader, err := r.MultipartReader()
	if err != nil {
		return target{}, unreadable(err)
	}
	var bytes []byte
	name := ""
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return target{}, unreadable(err)
		}
		if part.FormName() == "file" && bytes == nil {
			name = part.FileName()
			if bytes, err = io.ReadAll(part); err != nil {
				return target{}, unreadable(err)
			}
		}
	}
	if len(bytes) == 0 {
		return target{}, &problem{http.StatusBadRequest, "No file was chosen", "Choose a file that is not empty."}
	}
	id, err := r.upload(name, bytes)
	if err != nil {
		return target{}, err
	}
	return to(r.schedule()+"/import", "file", id, "name", name), nil
}

// startImport carries out what the page has shown as a preview, after a baseline where one is asked for. Where the plan
// was changed since, it shows another preview. No more tasks are deleted than the page has said.
func startImport(r *request) (view, error) {
	if err := r.inSchedule("Import"); err != nil {
		return view{}, err
	}
	page := importPageView{request: r, File: r.PostFormValue("file"), Name: r.PostFormValue("name")}
	synchronizer := r.PostFormValue("synchronizer")
	if err := page.preview(synchronizer); err != nil {
		return view{}, err
	}
	if page.Mark != r.PostFormValue("preview") {
		page.Changed = planChanged
		return r.show("import", page)
	}
	body := map[string]any{"fileId": page.File, "filePath": page.Name}
	path := r.schedule() + "/imports/planner"
	if synchronizer != newPlan {
		body["synchronizerId"], path = synchronizer, path+"/synchronize"
		if page.Deleted > 0 && r.PostFormValue("delete") != "" {
			body["options"] = map[string]any{"maxDeletedShare": page.deletedShare}
		}
	}
	if r.PostFormValue("baseline") != "" {
		if err := r.baselineBefore("Before " + page.Name); err != nil {
			return view{}, err
		}
	}
	a, err := r.create(path, body)
	if err != nil {
		return view{}, err
	}
	var made object
	if err := decode(a.body, &made); err != nil {
		return view{}, err
	}
	done := r.schedule() + at("import", made.text("synchronizer.id"))
	to, err := r.started(a, "The import was started.", done, "The file was imported.")
	if err != nil {
		return view{}, err
	}
	return view{}, redirected(r.leads(to))
}

// awaited is how long the console waits for an operation before it does the next thing.
const awaited = 10 * time.Second

// baselineBefore takes a baseline, and returns when it is there.
func (r *request) baselineBefore(name string) error {
	a, err := r.create(r.schedule()+"/baselines", map[string]string{"name": shortened(name, 100)})
	if err != nil {
		return err
	}
	return r.await(a, awaiting{
		"Nothing was imported", "The baseline was not taken: ",
		"The baseline is still being taken. Go back, and apply the import without one when it is there.",
	})
}

// awaiting is what is said where an operation fails, or takes too long.
type awaiting struct{ title, failed, late string }

// await returns when the operation of an answer is done, if it has one.
func (r *request) await(a *answer, say awaiting) error {
	var body object
	if err := decode(a.body, &body); err != nil || body.text("operation.id") == "" {
		return err
	}
	path := r.schedule() + at("operations", body.text("operation.id"))
	for end := time.Now().Add(awaited); ; {
		var operation object
		if _, err := r.get(path, &operation); err != nil {
			return err
		}
		switch operation.text("operation.status") {
		case "Succeeded":
			return nil
		case "Failed":
			return &problem{http.StatusConflict, say.title, say.failed + operation.text("operation.failureDescription")}
		}
		if time.Now().After(end) {
			return &problem{http.StatusServiceUnavailable, say.title + " yet", say.late}
		}
		select {
		case <-r.Context().Done():
			return r.Context().Err()
		case <-time.After(awaited / 100):
		}
	}
}

// importedPageView is what an import has done.
type importedPageView struct {
	*request
	Name     string
	Said     string
	Changes  []importCountView
	Warnings []importWarningView
}

// importCountView is with how many records of a type an import has done what.
type importCountView struct {
	Type                      string
	Created, Updated, Deleted int64
}

// importedPage shows what the last import by a synchronizer has done.
func importedPage(r *request) (view, error) {
	if err := r.inSchedule("Imported"); err != nil {
		return view{}, err
	}
	var body object
	path := r.schedule() + at("imports", "planner", "synchronizers", r.PathValue("synchronizer"))
	if _, err := r.get(path, &body); err != nil {
		return view{}, err
	}
	of := body.object("synchronizer")
	details := of.object("synchronizationDetails")
	page := importedPageView{request: r, Name: cmp.Or(of.text("projectName"), of.text("synchronizerName"))}
	types := []string{"tasks", "links"}
	for _, typ := range slices.Sorted(maps.Keys(details.object("created"))) {
		if !slices.Contains(types, typ) {
			types = append(types, typ)
		}
	}
	count := func(typ, outcome string) int64 { return details.int(outcome + "." + typ) }
	page.Said = importSaid(types, count)
	for _, typ := range types {
		c := importCountView{words(typ), count(typ, "created"), count(typ, "updated"), count(typ, "deleted")}
		if c.Created+c.Updated+c.Deleted > 0 {
			page.Changes = append(page.Changes, c)
		}
	}
	page.Warnings = importWarnings(details.objects("warnings"))
	return r.show("imported", page)
}

// upload sends a file in parts that the API takes.
func (r *request) upload(name string, bytes []byte) (string, error) {
	version := header{"Tus-Resumable", "1.0.0"}
	a, err := r.call(http.MethodPost, r.schedule()+"/files", nil, version,
		header{"Upload-Length", strconv.Itoa(len(bytes))},
		header{"Upload-Metadata", "filename " + base64.StdEncoding.EncodeToString([]byte(name))})
	if err != nil {
		return "", err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return "", err
	}
	id := body.text("file.id")
	limit := int(cmp.Or(r.console.cfg.API.MaxBody, httpapi.DefaultMaxBody))
	for from := 0; from < len(bytes); from += limit {
		a, err := r.send(http.MethodPatch, r.schedule()+at("files", id), bytes[from:min(from+limit, len(bytes))],
			version,
			header{"Upload-Offset", strconv.Itoa(from)}, header{"Content-Type", "application/offset+octet-stream"})
		if err != nil {
			return "", err
		}
		if a.status >= 300 {
			return "", refusalOf(a)
		}
	}
	return id, nil
}
