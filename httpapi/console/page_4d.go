package console

import (
	"cmp"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/site"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// sitePages show what the site looks like at a time.
var sitePages = table{
	{pattern: "GET /schedules/{schedule}/4d", area: "schedules", page: sitePage},
	{pattern: "GET /schedules/{schedule}/4d/site.json", area: "schedules", stream: siteData},
	{pattern: "GET /schedules/{schedule}/4d/shapes.json", area: "schedules", stream: siteShapes},
	{pattern: "GET /schedules/{schedule}/4d/match", area: "schedules", page: matchPage},
	{pattern: "POST /schedules/{schedule}/4d/match", area: "schedules", run: matchBindings},
}

// sitePageView is the page 4D of a schedule.
type sitePageView struct {
	*request
	Models         siteModels
	Dates, Against []optionView // by which dates, and next to which others
	Sides          []datedView
	Shapes         string     // the address of the shapes; empty where there is no model
	Match          string     // the address of the page that matches; empty for who may not
	Empty          *emptyView // what is there in place of all that, and the next step
}

// datedView is a picture of the site by some dates.
type datedView struct{ Data, Name string }

func sitePage(r *request) (view, error) {
	if err := r.inSchedule("4D"); err != nil {
		return view{}, err
	}
	page := sitePageView{request: r}
	models, err := r.siteModels()
	if err != nil {
		return view{}, err
	}
	page.Models = models
	model := models.Chosen
	if !r.undrawn && r.Writable() {
		page.Match = r.PlanLink("/4d/match", "modelId", model)
	}
	bound, err := r.hasSite()
	if err != nil {
		return view{}, err
	}
	if !bound {
		page.Empty = r.noSite(&models, page.Match)
		return r.show("4d", page)
	}
	dates, err := r.siteDates()
	if err != nil {
		return view{}, err
	}
	page.Dates = options(cmp.Or(r.Query("dates"), "Current"), dates...)
	page.Against = options(r.Query("against"), append([]string{"", "nothing"}, dates...)...)
	page.Sides = append(page.Sides, r.side(page.Dates, model))
	if r.Query("against") != "" {
		page.Sides = append(page.Sides, r.side(page.Against, model))
	}
	if model != "" {
		page.Shapes = r.PlanLink("/4d/shapes.json", "modelId", model)
	}
	return r.show("4d", page)
}

// side is the picture by the dates that are chosen; an unknown choice is left to the API, which refuses it.
func (r *request) side(dates []optionView, model string) datedView {
	for _, o := range dates {
		if o.Chosen {
			return datedView{r.PlanLink("/4d/site.json", "dates", o.Value, "name", o.Text, "modelId", model), o.Text}
		}
	}
	return datedView{r.PlanLink("/4d/site.json", "dates", "Unknown", "modelId", model), "Unknown"}
}

// baselinePrefix begins the choice of the dates of a baseline.
const baselinePrefix = "baseline:"

// siteDates are by which dates the site can be shown, with what they are called, in pairs.
func (r *request) siteDates() ([]string, error) {
	pairs := []string{"Current", "Current dates", "Planned", "As planned", "Actual", "Actual"}
	if r.undrawn {
		return pairs, nil
	}
	list, err := r.baselines()
	for _, b := range list {
		pairs = append(pairs, baselinePrefix+b.text("id"), "Baseline "+cmp.Or(b.text("name"), b.text("id")))
	}
	return pairs, err
}

// siteModels are the models of the twin of a schedule.
type siteModels struct {
	All     []optionView
	Chosen  string   // the first where none is
	More    bool     // there are others, which are not in All
	Refusal *refusal // why there are none for the viewer to see
	twin    string
}

// siteModels are the models of the twin of the schedule of the page.
func (r *request) siteModels() (m siteModels, err error) {
	m.Chosen = r.Query("modelId")
	if !r.console.areas["models"] {
		return siteModels{}, nil
	}
	var body object
	if _, err := r.get(r.schedule(), &body); err != nil {
		return m, err
	}
	m.twin = body.text("schedule.twinId")
	list, next, err := r.objects("/models?"+queryOf([]string{"twinId", m.twin, "$top", "100"}), "models")
	if refusedWith(err, http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest) {
		m.Refusal, _ = asRefusal(err)
		return siteModels{Refusal: m.Refusal}, nil
	}
	var pairs []string
	m.More, m.Chosen = next != "", cmp.Or(m.Chosen, body.text("schedule.modelId"))
	for _, one := range list {
		m.Chosen = cmp.Or(m.Chosen, one.text("id"))
		pairs = append(pairs, one.text("id"), cmp.Or(one.text("displayName"), one.text("id")))
	}
	if m.Chosen != "" && !slices.ContainsFunc(list, func(one object) bool { return one.text("id") == m.Chosen }) {
		var body object
		_, _ = r.get(at("models", m.Chosen), &body) // where there is none, the site says so
		pairs = append(pairs, m.Chosen, cmp.Or(body.text("model.displayName"), m.Chosen))
	}
	m.All = options(m.Chosen, pairs...)
	return m, err
}

// hasSite reports whether anything shows a task of the schedule.
func (r *request) hasSite() (bool, error) {
	target, member := "/animation-bindings?$top=1", "animationBindings"
	if r.undrawn { // it has none: they follow from the assignments of resources
		target, member = "/animation-timeline?$top=1", "animationTimelines"
	}
	list, _, err := r.objects(r.schedule()+target, member)
	return len(list) > 0, err
}

// noSite is what the page says while nothing of a model shows a task, and what to do next.
func (r *request) noSite(models *siteModels, match string) *emptyView {
	v := &emptyView{Text: "No object of a 3D model shows a task of this schedule yet."}
	model := models.Chosen
	switch {
	case r.undrawn || !r.Writable() || models.Refusal != nil:
		return v
	case model == "":
		v.Text += " There is no model of its twin either, or you lack the permission models_read: make one, " +
			"and import a glTF file into it. Its objects are then matched with tasks, by their codes for example."
		if r.console.areas["models"] {
			v.Actions = []actionView{{r.Link("/browse/models"), "Models"}}
			v.Command = r.modelCommands(models.twin)
		}
		return v
	}
	v.Text += " Match the objects of a model with the tasks, by their codes for example: " +
		"an object with the code A1010-03 shows the task A1010 by the rule Prefix. You see first what would be bound."
	v.Actions = []actionView{{match, "Match"}}
	v.Command = r.jsonCommand(r.schedule()+"/animation-bindings/match?dryRun=true",
		map[string]string{"modelId": model, "kind": "Prefix"})
	return v
}

// modelCommands make a model of a twin, and import a glTF file into it.
func (r *request) modelCommands(twin string) string {
	id := r.PathValue("schedule")
	file := curl{
		method: http.MethodPost, address: r.apiRoot(r.Host) + at("models", id, "gltf"), file: "site.glb",
		headers: []journal.Header{{Name: "Content-Type", Value: "model/gltf-binary"}},
	}
	return r.jsonCommand("/models", map[string]string{"id": id, "displayName": "Site", "twinId": twin}) +
		"\n" + file.view().Command
}

// jsonCommand is the command that posts a value.
func (r *request) jsonCommand(target string, value map[string]string) string {
	body, _ := json.Marshal(value) // of texts
	o := operation{media: "application/json"}
	o.Method = http.MethodPost
	return r.command(o, target, []header{{"Content-Type", o.media}}, body).Command
}

// timelinesOfAPage is how many timelines are asked for at once: for each page the API computes the whole plan.
const timelinesOfAPage = "5000"

// siteTimelines are how the entities change, page after page. A page that the API refuses as too much is asked for in
// smaller parts.
func (r *request) siteTimelines(query string) iter.Seq2[site.Timeline, error] {
	return func(yield func(site.Timeline, error) bool) {
		for next := r.schedule() + "/animation-timeline?$top=" + timelinesOfAPage + query; next != ""; {
			var page []site.Timeline
			var err error
			if page, next, err = r.timelinePage(next); err != nil {
				yield(site.Timeline{}, err)
				return
			}
			for _, t := range page {
				if !yield(t, nil) {
					return
				}
			}
		}
	}
}

func (r *request) timelinePage(target string) (page []site.Timeline, next string, err error) {
	for {
		page = nil
		next, err = r.list(target, "animationTimelines", &page)
		refused, ok := asRefusal(err)
		if !ok || refused.Code != "LimitExceeded" {
			return page, next, err
		}
		u, bad := url.Parse(target)
		if bad != nil {
			return nil, "", err
		}
		q := u.Query()
		top, _ := strconv.Atoi(q.Get("$top"))
		if top < 4 {
			return nil, "", err
		}
		q.Set("$top", strconv.Itoa(top/4))
		u.RawQuery = q.Encode()
		target = u.RequestURI()
	}
}

// siteData answers with the site as its page takes it: by the dates and with the model of the query.
func siteData(r *request) error {
	if _, err := r.named(); err != nil {
		return r.sendProblem(err)
	}
	s, err := r.readSite()
	if err != nil {
		return r.sendProblem(err)
	}
	return r.sendJSON(http.StatusOK, s)
}

func (r *request) readSite() (*site.Site, error) {
	b := &site.Builder{
		Zone: r.zone(), Profile: r.namesOf("appearance-profiles", "appearanceProfiles"),
		Status: r.namesOf("resource-status-items", "resourceStatusItems"),
	}
	q := []string{"modelId", r.Query("modelId"), "dates", r.Query("dates")}
	if id, baseline := strings.CutPrefix(r.Query("dates"), baselinePrefix); baseline {
		q[2], q[3] = "baselineId", id
	}
	for t, err := range r.siteTimelines("&" + queryOf(q)) {
		if err != nil {
			return nil, err
		}
		if b.Timeline(&t); b.Full() {
			break
		}
	}
	for _, add := range []func(*site.Builder) error{r.addBindings, r.addElements, r.addTasks} {
		if err := add(b); err != nil {
			return nil, err
		}
	}
	dataDate, _ := r.planSettings().at("dataDate").(string)
	at, _ := time.Parse(time.RFC3339Nano, dataDate)
	return b.Site(r.Query("name"), at), nil
}

// namesOf are the names of the records of a list of the schedule by their ids; none where they are not to be had.
func (r *request) namesOf(list, member string) map[string]string {
	names := make(map[string]string)
	for o, err := range records[object](r, r.schedule()+"/"+list+"?$top=1000", member) {
		if err != nil {
			break
		}
		names[o.text("id")] = o.text("name")
	}
	return names
}

func (r *request) addBindings(b *site.Builder) error {
	if r.undrawn {
		return nil // they follow from the assignments of resources
	}
	type binding struct{ AnimatedEntityID, TaskID string }
	for v, err := range records[binding](r, r.schedule()+"/animation-bindings?$top=1000", "animationBindings") {
		if err != nil {
			return err
		}
		b.Binding(v.AnimatedEntityID, v.TaskID)
	}
	return nil
}

// addElements adds the elements of the model, by the entities that they are.
func (r *request) addElements(b *site.Builder) error {
	if r.Query("modelId") == "" {
		return nil
	}
	entities := make(map[string][]string)
	if r.undrawn {
		type entity struct{ ID, ModelElementID string }
		for e, err := range records[entity](r, r.schedule()+"/entities-3d?$top=1000", "entities3d") {
			if err != nil {
				return err
			}
			id := cmp.Or(e.ModelElementID, e.ID)
			entities[id] = append(entities[id], e.ID)
		}
	}
	target := at("models", r.Query("modelId"), "elements") + "?$top=1000"
	for e, err := range records[site.Element](r, target, "elements") {
		if err != nil {
			return err
		}
		shown := entities[e.ID]
		if shown == nil {
			shown = []string{e.ID}
		}
		for _, id := range shown {
			b.Element(id, &e)
		}
		if b.Done() {
			return nil
		}
	}
	return nil
}

func (r *request) addTasks(b *site.Builder) error {
	type task struct{ ID, UserDefinedID, Name string }
	for t, err := range records[task](r, r.schedule()+"/tasks?$top=1000", "tasks") {
		if err != nil {
			return err
		}
		b.Task(t.ID, t.UserDefinedID, t.Name)
	}
	return nil
}

// shapesOfAPage is how many elements a page of shapes has at most.
const shapesOfAPage = 50

// shapesView is a page of the shapes of the elements of a model.
type shapesView struct {
	Shapes []shapeView `json:"shapes"`
	Next   string      `json:"next,omitempty"` // the address of the next page
}

// shapeView is the shape of an element: a GLB of it alone.
type shapeView struct {
	ID    string `json:"id"`
	Shape []byte `json:"shape"`
}

// siteShapes answers with a page of the shapes of the elements of the model of the query.
func siteShapes(r *request) error {
	elements := at("models", r.Query("modelId"), "elements")
	q := queryOf([]string{
		"$top", strconv.Itoa(shapesOfAPage), "$continuationToken", r.Query("$continuationToken"),
	})
	var list []site.Element
	next, err := r.list(elements+"?"+q, "elements", &list)
	if err != nil {
		return r.sendProblem(err)
	}
	var ids []string
	for i := range list {
		if list[i].GeometryHash != "" {
			ids = append(ids, list[i].ID)
		}
	}
	shapes, err := askAll(len(ids), func(i int) (shapeView, error) {
		var body struct{ Element site.Element }
		_, err := r.get(elements+at(ids[i]), &body)
		if refusedWith(err, http.StatusNotFound) { // it was deleted since it was listed
			return shapeView{}, nil
		}
		return shapeView{ids[i], body.Element.Geometry}, err
	})
	if err != nil {
		return r.sendProblem(err)
	}
	page := shapesView{Shapes: slices.DeleteFunc(shapes, func(s shapeView) bool { return s.ID == "" })}
	if next != "" {
		page.Next = r.Here("$continuationToken", tokenOf(next))
	}
	return r.sendJSON(http.StatusOK, page)
}

// sendProblem answers a script with why something was refused, as a sentence in the member message.
func (r *request) sendProblem(err error) error {
	refused, ok := asRefusal(err)
	if !ok {
		return err
	}
	return r.sendJSON(refused.Status, map[string]string{"message": refused.sentences()})
}

// sentences say what was refused and why.
func (e *refusal) sentences() string {
	all := []string{e.Message}
	for _, d := range e.Details {
		all = append(all, d.Message)
	}
	return strings.Join(all, " ")
}

func (r *request) sendJSON(status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	r.w.Header().Set("Content-Type", "application/json")
	r.w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	r.w.WriteHeader(status)
	_, _ = r.w.Write(b)
	return errStreamed
}
