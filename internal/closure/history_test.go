package closure_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// seedFiles are worlds to begin with. Their twins belong to the account of the caller.
var seedFiles = []string{"world-bridge.json", "world-j30.json"}

func (w *world) seed() {
	w.Helper()
	for _, name := range seedFiles {
		raw, err := os.ReadFile(filepath.Join("../../examples/server/testdata", name))
		if err != nil {
			w.Fatal(err)
		}
		text := strings.ReplaceAll(string(raw), "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", account)
		seed, err := platform.ReadWorld(strings.NewReader(text))
		if err != nil {
			w.Fatal(err)
		}
		if err := w.platform.Seed(w.Context(), seed, platform.SeedOptions{}); err != nil {
			w.Fatal(err)
		}
	}
}

// furnish makes what no step makes by chance, or seldom: bytes of images and attachments,
// webhooks with deliveries, files, exports, an invitation, and what a v6.5 schedule holds.
func (w *world) furnish() {
	w.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		w.Fatal(err)
	}
	asPNG := http.Header{"Content-Type": {"image/png"}}
	twin, view, form := "b0000000-0000-4000-8000-000000000010", w.known.pick(w.r, "", "savedViewId"), w.known.pick(w.r, "", "issueId")
	w.must(request{"PUT", "/twins/" + twin + "/image", asPNG, picture.Bytes()})
	data := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture.Bytes())
	w.must(request{"PUT", "/saved-views/" + view + "/image", nil, inJSON(map[string]any{"image": data})})
	for _, root := range []string{"/forms/", "/issues/"} {
		a := w.must(request{"POST", root + form + "/attachments", nil, inJSON(map[string]any{"fileName": "crack.png"})})
		_, attachment := a.one()
		w.must(request{"PUT", root + form + "/attachments/" + attachment["id"].(string), asPNG, picture.Bytes()})
	}
	hook := map[string]any{
		"callbackUrl": "https://receiver.example.com/hook", "scope": "Twin", "scopeId": twin, "eventTypes": []string{"twins.twinCreated.v1", "transformations.jobCompleted.v1"},
		"secret": "0123456789abcdef0123456789abcdef",
	}
	_, hooked := w.must(request{"POST", "/webhooks", nil, inJSON(hook)}).one()
	w.must(request{"POST", "/webhooks/" + hooked["id"].(string) + "/test", nil, nil})
	w.must(request{"POST", "/schedules/nb-plan/files", http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Length": {"7"}}, nil})
	w.must(request{"POST", "/twins/exports", nil, inJSON(map[string]any{"outputFormat": "Csv", "select": "displayName"})})
	roles := w.must(request{"GET", "/access-control/twins/" + twin + "/roles", nil, nil}).value["roles"].([]any)
	guest := map[string]any{"email": "guest@example.com", "roleIds": []any{roles[0].(map[string]any)["id"]}}
	w.must(request{"POST", "/access-control/twins/" + twin + "/members/invitations", nil, inJSON(guest)})
	groups := "/access-control/twins/" + twin + "/groups"
	_, crew := w.must(request{"POST", groups, nil, inJSON(map[string]any{"name": "Crew", "members": []any{"surveyor"}})}).one()
	member := map[string]any{"groupId": crew["id"], "roleIds": guest["roleIds"]}
	w.must(request{"POST", "/access-control/twins/" + twin + "/members/groups", nil, inJSON(map[string]any{"members": []any{member}})})
	w.must(request{"POST", "/access-control/twins/" + twin + "/shares", nil, inJSON(map[string]any{})})
	w.furnishLinks(twin)
	w.furnishJobs(twin)
	for _, name := range smallPlans {
		w.importPlan(filepath.Join(planFolder, name))
	}
	old := "/schedules/sb-plan"
	w.must(request{"POST", old + "/tasks", nil, inJSON(map[string]any{"id": "raise", "name": "Raise", "type": "Work"})})
	w.must(request{"POST", old + "/resources", nil, inJSON(map[string]any{"id": "bricks", "name": "Bricks", "type": "Material"})})
	w.must(request{"POST", old + "/entities-3d", nil, inJSON(map[string]any{"id": "wall", "name": "Wall", "resourceId": "bricks"})})
	w.must(request{"POST", old + "/resource-status-categories", nil, inJSON(map[string]any{"id": "supply", "name": "Supply"})})
	w.must(request{"POST", old + "/resource-status-sets", nil, inJSON(map[string]any{"id": "transport", "name": "Transport", "statusCategoryId": "supply"})})
	w.must(request{"POST", old + "/resource-status-items", nil, inJSON(map[string]any{"id": "loaded", "name": "Loaded", "statusSetId": "transport", "color": "#8d6e63"})})
	w.must(request{"POST", old + "/resources/status-history", nil, inJSON(map[string]any{"resourceId": "bricks", "statusItemId": "loaded", "date": "2026-03-02T06:30:00Z"})})
}

// furnishLinks makes resources of a repository, and deletes one.
func (w *world) furnishLinks(twin string) {
	w.Helper()
	soil := map[string]any{"class": "GeographicInformationSystem", "subClass": "WebMapService", "displayName": "Soil", "uri": "https://maps.example.com/soil"}
	_, repository := w.must(request{"POST", "/twins/" + twin + "/repositories", nil, inJSON(soil)}).one()
	resources := "/twins/" + twin + "/repositories/" + repository["id"].(string) + "/resources"
	for _, id := range []string{"clay:2026", "silt", "gone"} {
		resource := map[string]any{"id": id, "displayName": "Größe of " + id, "properties": map[string]any{"flown": "2025-05-03"}}
		w.must(request{"POST", resources, nil, inJSON(resource)})
	}
	w.must(request{"DELETE", resources + "/gone", nil, nil})
}

// furnishJobs makes jobs of reality data: one that is done when the platform is next tended, and
// one that is left as it is.
func (w *world) furnishJobs(twin string) {
	w.Helper()
	scan := map[string]any{"displayName": "Scan", "type": "LAS", "twinId": twin}
	_, data := w.must(request{"POST", "/reality-management/reality-data", nil, inJSON(scan)}).one()
	for _, service := range []struct {
		jobs, does string
		outputs    []string
	}{
		{"/reality-conversion/jobs", "Conversion", []string{"LAS"}},
		{"/reality-analysis/jobs", "TileListing", nil},
	} {
		job := map[string]any{"type": service.does, "name": "Weekly", "twinId": twin, "inputs": []any{map[string]any{"id": data["id"]}}}
		if service.outputs != nil {
			job["outputs"] = service.outputs
		}
		_, made := w.must(request{"POST", service.jobs, nil, inJSON(job)}).one()
		w.must(request{"PATCH", service.jobs + "/" + made["id"].(string), nil, inJSON(map[string]any{"state": "active"})})
		w.must(request{"POST", service.jobs, nil, inJSON(job)})
	}
}

// send sends a request of the history, and learns from its answer.
func (w *world) send(q request) answer {
	w.Helper()
	w.now = w.now.Add(time.Second)
	a := w.ask(q)
	if a.status < 300 {
		w.story = append(w.story, q.String())
	}
	path, _, _ := strings.Cut(q.target, "?")
	w.learn(path, a)
	var body any
	if a.status < 300 && json.Unmarshal(q.body, &body) == nil {
		w.learnMembers(scopeOf(path), body)
	}
	return a
}

// planFolder has the files of planning tools that the module is tested with, and smallPlans
// are small ones, one of each tool.
const planFolder = "../../schedules/planner/testdata"

var smallPlans = []string{"p6-5.0-roles-resources.xer", "mspdi-mp_j30_a2_nr1.xml"}

// plannerFiles are all of them.
func plannerFiles() []string {
	names, _ := filepath.Glob(filepath.Join(planFolder, "*.x[em][rl]"))
	return names
}

// importPlan imports a planner file into its own schedule.
func (w *world) importPlan(name string) {
	w.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		w.Fatal(err)
	}
	id := fmt.Sprintf("imported-%d", len(w.story))
	w.must(request{"POST", "/schedules", nil, inJSON(map[string]any{"id": id, "name": filepath.Base(name), "twinId": w.known.pick(w.r, "", "twinId")})})
	in := "/schedules/" + id
	file := w.must(request{"POST", in + "/files", http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Length": {fmt.Sprint(len(content))}}, nil})
	fileID := file.value["file"].(map[string]any)["id"].(string)
	for from := 0; from < len(content); from += 1 << 19 {
		part := content[from:min(from+1<<19, len(content))]
		header := http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Offset": {fmt.Sprint(from)}, "Content-Type": {"application/offset+octet-stream"}}
		w.must(request{"PATCH", in + "/files/" + fileID, header, part})
	}
	kind := "planner"
	if strings.Contains(string(content), "schemas.microsoft.com/project") {
		kind = "microsoft-project"
	}
	from := map[string]any{"fileId": fileID, "filePath": filepath.Base(name), "synchronizerId": "weekly"}
	w.must(request{"POST", in + "/imports/" + kind, nil, inJSON(from)})
	to := map[string]any{"format": []string{"XER", "P6XML", "MSPDI"}[w.r.IntN(3)], "synchronizerId": "monthly"}
	w.must(request{"POST", in + "/exports/planner", nil, inJSON(to)})
	w.must(request{"GET", in + "/exports/planner/synchronizers/monthly/file", nil, nil})
}

// must sends a request that cannot be refused.
func (w *world) must(q request) answer {
	w.Helper()
	a := w.send(q)
	if a.status >= 300 {
		w.Fatalf("%s is answered with %d %s", q, a.status, a.body)
	}
	return a
}

func inJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// zones are those of schedules: at both ends of the day, and with odd offsets.
var zones = []string{"UTC", "Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/St_Johns", "Asia/Kathmandu"}

// specials are what a history does besides calling operations at random.
var specials = []func(*world){
	func(w *world) { w.restart() },
	func(w *world) { w.tend() },
	func(w *world) { w.now = w.now.Add(time.Duration(w.r.IntN(20*24)) * time.Hour) },
	func(w *world) {
		w.now = w.now.AddDate(0, 0, 40) // behind what is retained
		w.tend()
	},
	func(w *world) { w.importPlan(choice(w.r, plannerFiles())) },
	func(w *world) {
		w.inSchedule("PATCH", "/project-scheduling", map[string]any{"timeZone": choice(w.r, zones)})
	},
	func(w *world) { w.inSchedule("POST", "/tasks/reschedule", map[string]any{}) },
	func(w *world) {
		w.inSchedule("POST", "/clone", map[string]any{"name": "clone", "id": fmt.Sprint("clone-", w.r.IntN(1000))})
	},
	func(w *world) {
		w.send(request{"POST", "/transformations", nil, inJSON(map[string]any{"configurationId": w.known.pick(w.r, "", "configurationId")})})
	},
}

func (w *world) inSchedule(method, below string, body map[string]any) {
	id := choice(w.r, w.known.below("/schedules", "scheduleId"))
	w.send(request{method, "/schedules/" + id + below, nil, inJSON(body)})
}

// step takes a step of a history.
func (w *world) step() {
	if w.r.IntN(25) == 0 {
		choice(w.r, specials)(w)
		return
	}
	method := choice(w.r, []string{"POST", "POST", "POST", "POST", "PATCH", "PATCH", "PATCH", "PUT", "DELETE"})
	var ops []*operation
	for _, o := range w.contract.operations {
		if o.method == method {
			ops = append(ops, o)
		}
	}
	// Of three the one that was taken least, so that chance leaves no operation out for long.
	op := choice(w.r, ops)
	for range 2 {
		if other := choice(w.r, ops); w.taken[other.name] < w.taken[op.name] {
			op = other
		}
	}
	if op.method == "DELETE" && strings.Count(op.path, "{") == 1 && w.r.IntN(3) > 0 {
		return // what holds much is deleted seldom
	}
	if q, ok := w.request(op); ok && w.send(q).status < 300 {
		w.taken[op.name]++
	}
}

// request is a request to an operation in this world, if what its path names is there.
func (w *world) request(op *operation) (q request, ok bool) {
	path := ""
	for _, segment := range op.segments {
		if param, isParam := parameterName(segment); isParam {
			if segment = choice(w.r, w.known.below(path, param)); segment == "" {
				return q, false
			}
		}
		path += "/" + segment
	}
	q = request{method: op.method, target: path}
	query := make(url.Values)
	for _, p := range op.parameters {
		if p.in != "query" || !p.required {
			continue
		}
		id := w.known.pick(w.r, scopeOf(path), strings.TrimSuffix(p.name, "s"))
		query.Set(p.name, id)
	}
	if len(query) > 0 {
		q.target += "?" + query.Encode()
	}
	if op.body != nil || op.raw {
		record := w.body(op, scopeOf(path))
		q.header, q.body = record.header, []byte(record.body)
	}
	return q, true
}
