package console_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/site"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// builtSite is a schedule of a world whose tasks the objects of a model show.
type builtSite struct {
	*world
	id    string // of the schedule and of the model
	tasks int    // that the codes of elements name
}

// api calls the API as the owner, and returns what it answers.
func (s *builtSite) api(method, path, body string) map[string]any {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+ownerToken)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code >= 300 {
		s.t.Fatalf("%s %s answers %d %s, %v", method, path, w.Code, w.Body, err)
	}
	return answer
}

// as is the browser of someone who has signed in.
func (s *builtSite) as(token string) *visitor {
	b := s.browser()
	b.signIn(token)
	return b
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// build makes a schedule in Europe/Berlin, around the night in which its clocks are put forward, with a model of so
// many elements.
func (w *world) build(id string, tasks, elements int) *builtSite {
	w.t.Helper()
	s := &builtSite{w, id, tasks}
	s.api("POST", "/schedules", asJSON(map[string]any{"id": id, "name": "Site " + id, "twinId": planTwin}))
	s.api("PATCH", "/schedules/"+id+"/project-scheduling", `{"timeZone": "Europe/Berlin", "dataDate": "2026-03-29T00:00:00Z"}`)
	s.api("POST", "/models", asJSON(map[string]any{"id": id, "displayName": "Model " + id, "twinId": planTwin}))
	s.insert("one", 0, elements)
	return s
}

// insert adds elements to the model by a changeset.
func (s *builtSite) insert(changeset string, from, to int) {
	s.t.Helper()
	var inserted []any
	for i := from; i < to; i++ {
		low := map[string]float64{"x": 4e5 + float64(3*i), "y": 5e6, "z": float64(i % 3)}
		high := map[string]float64{"x": low["x"] + 2, "y": low["y"] + 2, "z": low["z"] + 3}
		inserted = append(inserted, map[string]any{
			"id": fmt.Sprint("0x", i), "class": "Object", "category": "Objects", "parentId": nil,
			"code": fmt.Sprintf("T%d-%d", i%s.tasks, i), "properties": map[string]any{"name": fmt.Sprint("Wand ", i)},
			"boundingBox": map[string]any{"low": low, "high": high},
		})
	}
	s.api("POST", "/models/"+s.id+"/changesets", asJSON(map[string]any{"id": changeset, "description": "all", "inserted": inserted}))
}

func (s *builtSite) task(i int, start, finish time.Time) {
	s.t.Helper()
	s.api("POST", "/schedules/"+s.id+"/tasks", asJSON(map[string]any{
		"id": fmt.Sprint("task", i), "name": fmt.Sprint("Lay ", i), "userDefinedId": fmt.Sprint("T", i), "type": "Work",
		"plannedStart": start, "plannedDuration": int(finish.Sub(start).Seconds()) / 3,
	}))
}

// data is what the page takes.
func (s *builtSite) data(query string) (out map[string]any) {
	s.t.Helper()
	res := s.as(ownerToken).get("/console/schedules/" + s.id + "/4d/site.json?" + query)
	if err := json.Unmarshal(res.Body.Bytes(), &out); err != nil || res.Code != http.StatusOK {
		s.t.Fatalf("the data answers %d %s", res.Code, res.Body)
	}
	return out
}

// random gives the tasks of a site random dates, and shows them by random profiles, transforms and paths.
func (s *builtSite) random(r *rand.Rand, from time.Time) {
	s.t.Helper()
	one := func(all ...string) string { return all[r.IntN(len(all))] }
	path := "/schedules/" + s.id
	for i := range 6 {
		start := from.Add(time.Duration(r.IntN(100)) * time.Hour)
		s.task(i, start, start.Add(time.Duration(r.IntN(40))*time.Hour))
	}
	for i := range 4 {
		still := func() any {
			if r.IntN(3) == 0 {
				return nil
			}
			return map[string]any{"color": one("#112233", "#abcdef"), "transparency": r.IntN(101), "useOriginalTransparency": r.IntN(2) == 0}
		}
		growth := map[string]any{
			"mode": one("None", "BottomTop", "LeftRight", "Custom"), "direction": map[string]any{"x": 1, "y": 0.5, "z": -1},
			"simulateAsRemove": r.IntN(3) == 0, "pauseDuringNonWorkingTime": r.IntN(2) == 0, "adjustForTaskPercentComplete": r.IntN(3) == 0,
		}
		s.api("POST", path+"/appearance-profiles", asJSON(map[string]any{
			"id": fmt.Sprint("profile", i), "name": fmt.Sprint("Profile ", i), "startAppearance": still(), "endAppearance": still(),
			"action":           one("Install", "Remove", "Temporary", "Maintain", "Neutral"),
			"activeAppearance": map[string]any{"color": "#00ff00", "startTransparency": r.IntN(101), "finishTransparency": r.IntN(101), "growthSimulation": growth},
		}))
	}
	for i := range 2 {
		sin, cos := math.Sincos(r.Float64() * 6)
		s.api("POST", path+"/animation-3d-transforms", asJSON(map[string]any{
			"id": fmt.Sprint("put", i), "transform": []float64{cos, -sin, 0, 9 * r.Float64(), sin, cos, 0, 4, 0, 0, 1, 2, 0, 0, 0, 1},
		}))
		way := fmt.Sprint("way", i)
		s.api("POST", path+"/animation-3d-paths", asJSON(map[string]any{"id": way, "name": way}))
		for k := range 3 {
			s.api("POST", path+"/animation-3d-paths/keyframes", asJSON(map[string]any{
				"pathId": way, "time": float64(k) / 2, "position": map[string]any{"x": 4e5 + r.Float64()*50, "y": 5e6 + r.Float64()*50, "z": r.Float64()},
				"rotation": map[string]any{"x": 0, "y": r.Float64(), "z": 1, "angle": r.Float64() * 300},
			}))
		}
		s.api("POST", path+"/animation-3d-path-assignments", asJSON(map[string]any{
			"id": fmt.Sprint("drive", i), "pathId": way, "alignment": one("Center", "Original", "MinX"), "reverseDirection": r.IntN(2) == 0,
		}))
	}
	for i := range 14 {
		binding := map[string]any{
			"id": fmt.Sprint("binding", i), "animatedEntityId": fmt.Sprint("0x", r.IntN(5)), "taskId": fmt.Sprint("task", r.IntN(6)),
			"appearanceProfileId": fmt.Sprint("profile", r.IntN(4)),
		}
		if r.IntN(2) == 0 {
			binding["transformId"] = fmt.Sprint("put", r.IntN(2))
		}
		if r.IntN(2) == 0 {
			binding["pathAssignmentId"] = fmt.Sprint("drive", r.IntN(2))
		}
		s.api("POST", path+"/animation-bindings", asJSON(binding))
	}
}

// node is a folder with the modules of the page, and the program that runs them; it skips where there is none.
func node(t *testing.T) (program, folder string) {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: there is no Node here to run the modules of the page")
	}
	folder = t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("assets/4d")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"type": "module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return program, folder
}

// run runs a script in a folder, gives it a value as JSON, and reads that which it writes.
func run(t *testing.T, program, folder, script string, given, into any) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "--input-type=module", "--eval", script)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(asJSON(given))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, said.String())
	}
}

const statesScript = `
import {readFileSync} from "node:fs";
import {stateAt} from "./state.js";
const {site, times} = JSON.parse(readFileSync(0));
const all = times.map(t => Object.fromEntries(site.objects.map(o => {
  const s = stateAt(o, t);
  return [o.id, {
    present: s.present, color: s.color, transparency: s.transparency, matrix: s.matrix,
    task: s.task < 0 ? "" : site.tasks[s.task].id, phase: s.phase, growth: s.growth && {
      share: s.growth.share, removing: s.growth.removing, plane: s.growth.plane,
    },
  }];
})));
process.stdout.write(JSON.stringify(all));`

// states are what the API says of the entities at a time, in the form of statesScript.
func (s *builtSite) states(at time.Time, query string) map[string]any {
	s.t.Helper()
	q := "?modelId=" + s.id + "&time=" + url.QueryEscape(at.UTC().Format(time.RFC3339Nano)) + query
	all := make(map[string]any)
	for _, v := range s.api("GET", "/schedules/"+s.id+"/animation-state"+q, "")["animationStates"].([]any) {
		o := v.(map[string]any)
		why, text := o["why"].(map[string]any), func(v any) any { return cmpOr(v, "") }
		state := map[string]any{
			"present": o["isPresent"], "color": text(o["color"]), "transparency": o["transparency"], "matrix": o["matrix"],
			"task": text(why["taskId"]), "phase": text(why["phase"]), "growth": nil,
		}
		if o["useOriginalTransparency"] == true {
			state["transparency"] = nil
		}
		if g, ok := o["growth"].(map[string]any); ok {
			growth := map[string]any{"share": g["share"], "removing": g["isRemoving"], "plane": nil}
			if p, ok := g["plane"].(map[string]any); ok {
				n := p["normal"].(map[string]any)
				growth["plane"] = []any{n["x"], n["y"], n["z"], p["offset"]}
			}
			state["growth"] = growth
		}
		all[o["animatedEntityId"].(string)] = state
	}
	return all
}

func cmpOr(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

func TestThePageComputesTheStatesOfRandomSitesAsTheAPIDoes(t *testing.T) {
	t.Parallel()
	program, folder := node(t)
	w := open(t, nil)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for seed := range testsize.Of(12, 4) {
		// Around the nights in which the clocks are put forward and back.
		from := []time.Time{time.Date(2026, 3, 26, 7, 0, 0, 0, time.UTC), time.Date(2026, 10, 22, 7, 0, 0, 0, time.UTC)}[seed%2]
		r := rand.New(rand.NewPCG(uint64(seed), 54))
		s := w.build(fmt.Sprint("random", seed), 6, 5)
		s.random(r, from)
		dates := []string{"Current", "Planned", "Actual"}[seed%3]
		var times []int64
		var at []time.Time
		for i := range 40 {
			moment := from.Add(time.Duration(r.IntN(170*3600)-7200) * time.Second)
			if i >= 30 { // in that night
				moment = from.Add(65*time.Hour + time.Duration(r.IntN(3*3600))*time.Second)
			}
			_, offset := moment.In(berlin).Zone()
			at, times = append(at, moment), append(times, moment.UnixMilli()+1000*int64(offset))
		}
		var got []map[string]any
		run(t, program, folder, statesScript, map[string]any{"site": s.data("modelId=" + s.id + "&dates=" + dates), "times": times}, &got)
		for i, moment := range at {
			want := s.states(moment, "&dates="+dates)
			for id, state := range want {
				of := state.(map[string]any)
				count(seen, of)
				mine := got[i][id]
				if of["matrix"] == nil && isIdentity(mine.(map[string]any)["matrix"]) {
					mine.(map[string]any)["matrix"] = nil
				}
				if diff := cmp.Diff(state, mine, cmpopts.EquateApprox(1e-7, 1e-5)); diff != "" {
					t.Fatalf("seed %d, %s at %s (-API +page)\n%s", seed, id, moment, diff)
				}
			}
		}
	}
	for _, kind := range []string{"absent", "grows", "moved", "transparent"} {
		if seen[kind] < 10 {
			t.Errorf("of %v too few were compared: %s", seen, kind)
		}
	}
}

// count counts what there is to be compared.
func count(seen map[string]int, state map[string]any) {
	if state["present"] == false {
		seen["absent"]++
	}
	if g, ok := state["growth"].(map[string]any); ok && g["plane"] != nil {
		seen["grows"]++
	}
	if state["matrix"] != nil {
		seen["moved"]++
	}
	if v, ok := state["transparency"].(float64); ok && v > 0 && v < 100 {
		seen["transparent"]++
	}
}

func isIdentity(m any) bool {
	return cmp.Equal(m, []any{1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.}, cmpopts.EquateApprox(0, 1e-5))
}

// markOf is what a preview of a match has its form send.
func markOf(b *visitor, preview string) string {
	_, mark, _ := strings.Cut(b.get(preview).Body.String(), `name="preview" value="`)
	mark, _, _ = strings.Cut(mark, `"`)
	return mark
}

// follow is the page to which a form leads.
func follow(from string, res *httptest.ResponseRecorder) string {
	at, err := url.Parse(from)
	if err == nil {
		at, err = at.Parse(res.Header().Get("Location"))
	}
	if err != nil {
		return err.Error()
	}
	return at.String()
}

func TestObjectsAreMatchedWithTasksAsThePageHasShown(t *testing.T) {
	t.Parallel()
	s := open(t, nil).build("tower", 3, 9)
	day := time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	for i := range 3 {
		s.task(i, day.AddDate(0, 0, i), day.AddDate(0, 0, i+1))
	}
	b := s.as(ownerToken)
	const page = "/console/schedules/tower/4d"
	b.wants(page, "No object of a 3D model shows a task of this schedule yet", ">Match</a>", "match?dryRun=true")

	rule := url.Values{
		"modelId": {"tower"}, "entityKey": {"Code"}, "taskKey": {"Code"}, "kind": {"Pattern"}, "pattern": {"^(T[0-9]+)-"},
		"profile": {"new"}, "property": {""}, "ignoreCase": {""},
	}
	preview := page + "/match?" + rule.Encode()
	b.wants(preview, "<dt>Would be bound</dt><dd>9</dd>", "<dt>Tasks without an object</dt><dd>0</dd>", "T0-0 Wand 0", "Lay 0")
	if len(s.api("GET", "/schedules/tower/animation-bindings", "")["animationBindings"].([]any)) != 0 {
		t.Error("the preview has bound something")
	}
	mark := markOf(b, preview)
	form := maps.Clone(rule)
	form.Set("preview", "of another plan")
	if body := b.post(page+"/match", form).Body.String(); !strings.Contains(body, "nothing was done") {
		t.Error("what the page has not shown was bound, or nothing is said")
	}
	form.Set("preview", mark)
	if res := b.post(page+"/match", form); res.Code != http.StatusSeeOther {
		t.Fatalf("binding answers %d %s", res.Code, res.Body)
	}
	b.wants(preview, "<dt>Bound already</dt><dd>9</dd>", "The rule binds nothing")
	s.insert("more", 9, 1009)
	s.insert("most", 1009, 1509)
	form.Set("preview", markOf(b, preview))
	res := b.post(page+"/match", form)
	if text := b.text(follow(page+"/match", res), http.StatusOK); !strings.Contains(text, "1500 objects bound.") {
		t.Errorf("after 1,500 more were bound, the page says %s", text)
	}
	if all := s.api("GET", "/schedules/tower/appearance-profiles", "")["appearanceProfiles"].([]any); len(all) != 1 {
		t.Errorf("binding twice makes %d profiles, want one", len(all))
	}
	b.wants(page, "<canvas", `type="module"`, "Current dates")
	b.wants(page+"?against=Actual", ">Actual</option>", "dates=Actual")

	data := s.data("modelId=tower&dates=Current&name=Current")
	if data["dataDate"] != float64(time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC).UnixMilli()) {
		t.Errorf("the data date is %v, want that of the clocks in Berlin", data["dataDate"])
	}
	first := data["objects"].([]any)[0].(map[string]any)
	if len(data["objects"].([]any)) != 1509 || len(first["box"].([]any)) != 6 || !strings.HasPrefix(first["name"].(string), "T") {
		t.Errorf("the data has %v", first)
	}
	want := []any{
		map[string]any{"color": "", "text": "as the model has it"},
		map[string]any{"color": "#2e9e4f", "text": "Build during the task"},
	}
	if diff := cmp.Diff(want, data["looks"]); diff != "" {
		t.Error("colours are explained otherwise (-want +got)\n" + diff)
	}
	b.wants(page+"/match?modelId=tower&entityKey=Code&kind=Pattern&pattern=(", "refused", "regular expression")
}

func TestTheDataOfASiteIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	s := open(t, nil).build("site", 1, 1)
	s.task(0, time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC), time.Date(2026, 3, 3, 7, 0, 0, 0, time.UTC))
	b := s.as(ownerToken)
	for target, want := range map[string]string{
		"site/4d/site.json?dates=Never":            "400 ",
		"site/4d/site.json?dates=baseline:none":    "404 ",
		"site/4d/site.json?modelId=none":           "404 ",
		"none/4d/site.json":                        "404 ",
		"site/4d/shapes.json?modelId=none":         "404 ",
		"site/4d/shapes.json?modelId=site&$top=-1": "200 ",
	} {
		res := b.get("/console/schedules/" + target)
		var body struct{ Message string }
		if err := json.Unmarshal(res.Body.Bytes(), &body); err != nil || !strings.HasPrefix(fmt.Sprint(res.Code, " "), want) ||
			(res.Code != http.StatusOK && body.Message == "") {
			t.Errorf("%s answers %d %s, want %s", target, res.Code, res.Body, want)
		}
	}
	stranger := s.as(strangerTok)
	for _, target := range []string{"site/4d/site.json", "site/4d/shapes.json?modelId=site"} {
		if res := stranger.get("/console/schedules/" + target); res.Code != http.StatusNotFound && res.Code != http.StatusForbidden {
			t.Errorf("a stranger gets %d of %s", res.Code, target)
		}
	}
}

func TestModulesAreServedForEverByNamesThatChangeWithThem(t *testing.T) {
	t.Parallel()
	s := open(t, nil).build("site", 1, 2)
	s.task(0, time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC), time.Date(2026, 3, 3, 7, 0, 0, 0, time.UTC))
	s.api("POST", "/schedules/site/animation-bindings", `{"animatedEntityId": "0x0", "taskId": "task0"}`)
	b := s.as(ownerToken)
	body := b.get("/console/schedules/site/4d").Body.String()
	var names []string
	packed := 0
	for _, part := range strings.Split(body, "/assets/4d-")[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name[strings.Index(name, "/")+1:])
		res := b.get("/console/assets/4d-" + name)
		if res.Code != http.StatusOK || !strings.HasPrefix(res.Header().Get("Content-Type"), "text/javascript") ||
			!strings.Contains(res.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s answers %d %v", name, res.Code, res.Header())
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(res.Body.Bytes())
		_ = z.Close()
		packed += b.Len()
	}
	if want := []string{"page.js", "camera.js", "draw.js", "shape.js", "state.js", "words.js"}; !cmp.Equal(want, names) {
		t.Errorf("the page loads %q, want %q", names, want)
	}
	if packed > 60_000 {
		t.Errorf("the modules have %d bytes compressed, want at most 60000", packed)
	}
	for _, name := range []string{"4d-0000000000000000/page.js", "4d/page.js", "4d-0000000000000000/none.js"} {
		if res := b.get("/console/assets/" + name); res.Code != http.StatusNotFound {
			t.Errorf("%s answers %d", name, res.Code)
		}
	}
	lines := 0
	files, err := filepath.Glob("assets/4d/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	if len(files) != len(names) || lines > 900 {
		t.Errorf("%d modules have %d lines, want those of the page with at most 900", len(files), lines)
	}
}

func TestTheObjectsOfTasksAreDrawnHoweverManyOthersAModelHas(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: a model of 20,001 elements takes seconds; what a full site takes has its own test")
	}
	t.Parallel()
	s := open(t, nil).build("large", 1, 1)
	for i := range site.MaxObjects / 1000 {
		s.insert(fmt.Sprint("more", i), 1+1000*i, 1001+1000*i)
	}
	s.task(0, time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC), time.Date(2026, 3, 3, 7, 0, 0, 0, time.UTC))
	const last = "0x9999" // behind all others in the order of ids
	s.api("POST", "/schedules/large/animation-bindings", `{"animatedEntityId": "`+last+`", "taskId": "task0"}`)
	data := s.data("modelId=large")
	all := data["objects"].([]any)
	first := all[0].(map[string]any)
	if first["id"] != last || first["box"] == nil || first["name"] == "" || len(all) != site.MaxObjects || data["left"] == nil {
		t.Errorf("of %d objects the one of the task is %v; %v", len(all), first, data["left"])
	}
}

func TestTheEmptyPageMakesAModelByCommandsThatWork(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	const plan = "it's & more"
	s := &builtSite{w, plan, 1}
	s.api("POST", "/schedules", asJSON(map[string]any{"id": plan, "name": "Works", "twinId": w.twin("Annexe")}))
	page := "/console/schedules/" + url.PathEscape(plan) + "/4d"
	commands := strings.Split(commandOf.FindString(w.browser().text(page, http.StatusOK)), " curl ")
	if len(commands) != 2 || !strings.Contains(commands[0], "-H 'Content-Type: application/json'") {
		t.Fatalf("the page has the commands %q", commands)
	}
	if res := w.runs(commands[0]); res.Code != http.StatusCreated {
		t.Errorf("making the model is answered %d %s", res.Code, res.Body)
	}
	for _, part := range []string{"'Content-Type: model/gltf-binary'", "--data-binary @site.glb", url.PathEscape(plan)} {
		if !strings.Contains(commands[1], part) {
			t.Errorf("the import is %q, without %q", commands[1], part)
		}
	}
	if again := commandOf.FindString(w.browser().text(page, http.StatusOK)); w.runs(again).Code != http.StatusOK {
		t.Errorf("the preview is not answered: %s", again)
	}
}

func TestAMissingRightAtTheModelsIsSaidOnThePagesOfTheSite(t *testing.T) {
	t.Parallel()
	s := open(t, nil).build("site", 1, 1)
	ctx := twinplatform.WithPrincipal(t.Context(), s.tokens[ownerToken])
	role, err := s.platform.Twins.CreateRole(ctx, planTwin, twins.NewRole{DisplayName: "Planners", Permissions: []string{
		twinplatform.PermissionTwinsRead, twinplatform.PermissionSchedulesRead, twinplatform.PermissionSchedulesModify,
	}})
	if err != nil {
		t.Fatal(err)
	}
	who := principal("44444444-4444-4444-8444-444444444444", ownAccount)
	s.tokens["token-of-a-planner"] = who
	if _, err := s.platform.Twins.AddMembers(ctx, planTwin, twins.NewMembers{
		Members: []twins.NewMember{{ID: who.ID, DisplayName: "Planner", RoleIDs: []string{role.Value().ID}}},
	}); err != nil {
		t.Fatal(err)
	}
	b := s.as("token-of-a-planner")
	for _, page := range []string{"/console/schedules/site/4d", "/console/schedules/site/4d/match"} {
		b.wants(page, "or you lack the permission models_read")
	}
}

func TestTheModelThatIsChosenIsInTheListHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	s := open(t, nil).build("site", 1, 1)
	for i := range 110 {
		s.api("POST", "/models", asJSON(map[string]any{"id": fmt.Sprint("m", i), "displayName": fmt.Sprint("Model no ", i), "twinId": planTwin}))
	}
	b := s.as(ownerToken)
	page, chosen := "/console/schedules/site/4d/match?modelId=", 0
	for i := range 110 {
		if i%10 != 0 && i < 100 {
			continue
		}
		text := packed(b.source(page+fmt.Sprint("m", i), http.StatusOK))
		if strings.Contains(text, fmt.Sprintf(`<option value="m%d" selected="">Model no %d</option>`, i, i)) {
			chosen++
		}
		if !strings.Contains(text, "There are more models") {
			t.Error("nothing says that there are more models")
		}
	}
	if chosen != 20 {
		t.Errorf("%d of 20 models are chosen in the list", chosen)
	}
}
