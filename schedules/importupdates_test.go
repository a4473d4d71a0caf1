package schedules_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// update is a monthly update of one plan, as planners make it: the project is copied, and what is
// in the copy has other ids and GUIDs.
func update(t testing.TB, n int) []byte {
	t.Helper()
	return plannerFile(t, fmt.Sprintf("updates/update-%d.xer", n))
}

// byName are the ids of tasks by their names and those of what they are below.
func (p *plan) byName() map[string]string {
	p.Helper()
	tasks, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
	names, ids := make(map[string]string), make(map[string]string)
	for _, task := range tasks {
		names[task.ID] = task.Name
	}
	for _, task := range tasks {
		ids[names[string(task.ParentID)]+" / "+task.Name] = task.ID
	}
	return ids
}

// taskLines are what a file has of each activity that changes a task, by its code.
func taskLines(t testing.TB, content []byte) map[string]string {
	t.Helper()
	plan, err := planner.Read(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	lines, names := make(map[string]string), make(map[string]string)
	for i := range plan.Tasks {
		x := &plan.Tasks[i]
		names[x.ID] = x.Name
		lines[x.Code] = fmt.Sprint(x.Name, x.Kind, names[x.ParentID], x.Duration, x.Remaining, x.Planned, x.ActualStart, x.ActualFinish, x.File.Start, x.File.Finish, x.File.EarlyStart)
	}
	return lines
}

func TestAMonthlyUpdateChangesOnlyWhatThePlannerChanged(t *testing.T) {
	t.Parallel()
	known := twinplatform.Set(true)
	want := []map[string]map[string]int{
		2: {"created": {}, "updated": {"links": 1}, "deleted": {}},
		3: {
			"created": {"tasks": 2, "links": 3, "resourceAssignments": 1, "activityCodeValuesAssignments": 2}, "updated": {},
			"deleted": {"tasks": 1, "links": 3, "resourceAssignments": 3, "activityCodeValuesAssignments": 2},
		},
		4: {"created": {}, "updated": {"links": 1}, "deleted": {"resourceAssignments": 1}},
		5: {
			"created": {"activityCodeValuesAssignments": 1}, "updated": {"resourceAssignments": 1, "userFieldValues": 1},
			"deleted": {"activityCodeValuesAssignments": 1},
		},
	}
	for name, options := range map[string]exchange.PlannerSyncOptions{
		"": {}, "by activity ids": {UseActivityIDs: known}, "by WBS codes": {UseWBSCodes: known}, "below the project": {CreateProjectNodes: known},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.importPlan(update(t, 1), exchange.PlannerImportOptions{UseWBSCodes: options.UseWBSCodes, CreateProjectNodes: options.CreateProjectNodes})
			ids, codes, above := p.byName(), p.byCode(), " / "
			if options.CreateProjectNodes.Or(false) {
				above = "Bridge works / "
			}
			delete(codes, "")
			p.create(schedules.NewTask{ID: "mine", Name: "mine", Type: schedules.Work, ParentID: ids["Structure / Level 1"]})
			p.links("mine FinishToStart " + ids["Level 1 / Cure 1.2.1"])
			p.patch(ids["Ground / Strip 1.1"], schedules.TaskPatch{Comment: twinplatform.Set("seen on site")})
			links, _ := p.allLinks(twinplatform.ListOptions{Top: schedules.MaxTop})
			before := taskLines(t, update(t, 1))
			for n := 2; n <= 5; n++ {
				_, since := p.allTasks(twinplatform.ListOptions{})
				did := changes(t, p.synchronizeBy(update(t, n), options))
				tasks := did["updated"]["tasks"]
				delete(did["updated"], "tasks")
				if diff := cmp.Diff(want[n], did); diff != "" {
					t.Errorf("update %d (-want +did):\n%s", n, diff)
				}
				now, moved := taskLines(t, update(t, n)), 0
				for code, line := range now {
					if before[code] != line {
						moved++
					}
				}
				if tasks == 0 || tasks > moved {
					t.Errorf("update %d updated %d tasks, of which the planner changed %d", n, tasks, moved)
				}
				written, _ := p.allTasks(twinplatform.ListOptions{Delta: since, Top: schedules.MaxTop})
				for _, task := range written {
					if code := task.UserDefinedID; !task.Deleted && !task.IsWBS && before[code] == now[code] && task.ID != "mine" {
						t.Errorf("update %d has written task %s, of which the file has what it had", n, code)
					}
				}
				before = now
			}
			after := p.byCode()
			for code, id := range codes {
				now := code
				switch code {
				case "A1260": // which the third update leaves out
					id = ""
				case "A1340": // which the fourth one calls otherwise
					now = "B1340"
				}
				if after[now] != id {
					t.Errorf("%q is %q, was %q", code, after[now], id)
				}
			}
			nodes := p.byName()
			for _, path := range []string{"Civil works", "Mechanical"} {
				if nodes[above+path] == "" || nodes[above+path] != ids[above+path] {
					t.Errorf("the node %s is %q, was %q", path, nodes[above+path], ids[above+path])
				}
			}
			task, err := p.in().Task(p.ctx, ids["Ground / Strip 1.1"])
			if err != nil || task.Value.Comment != "seen on site" {
				t.Errorf("a comment of the schedule is %q (%v)", task.Value.Comment, err)
			}
			if nodes["Level 1 / mine"] != "mine" {
				t.Error("a task that was made here is not where it was")
			}
			left, _ := p.allLinks(twinplatform.ListOptions{Top: schedules.MaxTop})
			if kept := keptLinks(links, left); kept != len(links)-3 {
				t.Errorf("%d of %d links are there by their ids, all but 3 are in the last file", kept, len(links))
			}
			if diff := cmp.Diff(noChanges, changes(t, p.synchronizeBy(update(t, 5), options))); diff != "" {
				t.Errorf("the last update once more:\n%s", diff)
			}
		})
	}
}

func keptLinks(was, is []schedules.TaskLink) (n int) {
	for _, l := range was {
		if slices.ContainsFunc(is, func(o schedules.TaskLink) bool { return o.ID == l.ID }) {
			n++
		}
	}
	return n
}

var guids = regexp.MustCompile(`[A-Za-z0-9+/]{22}\b`)

// The same project, of which everything has another GUID.
func TestOtherGUIDsOfTheSameProjectChangeNothing(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(update(t, 1), exchange.PlannerImportOptions{})
	n := 0
	content := guids.ReplaceAllFunc(update(t, 1), func([]byte) []byte {
		n++
		return fmt.Appendf(nil, "another%015d", n)
	})
	if n < 100 {
		t.Fatalf("%d GUIDs are found", n)
	}
	for _, mode := range []exchange.SyncMode{exchange.IntegrateMode, exchange.SynchronizeMode} {
		did := changes(t, p.synchronize(content, mode))
		delete(did["updated"], "resources") // of which the GUID is a member, since P6 keeps it in each project
		if mode == exchange.SynchronizeMode {
			delete(did["updated"], "resourceAssignments") // that has all of the file
		}
		if diff := cmp.Diff(noChanges, did); diff != "" {
			t.Errorf("%s:\n%s", mode, diff)
		}
	}
}

func TestARequestSaysWhichProjectOfAFileUpdatesWhich(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	two := func(first, second string) []byte { // two projects in one file
		content := string(xerOf(t, randomXER(4, 20)))
		content = strings.ReplaceAll(content, "PRJ", first)
		return twoProjects(content, first, second)
	}
	p.importPlan(two("EAST", "WEST"), exchange.PlannerImportOptions{})
	ids := p.byCode()
	renamed := []byte(strings.NewReplacer("\tg0-", "\th0-", "\tg1-", "\th1-", "\tg3-", "\th3-").Replace(string(two("EAST-2", "WEST-2"))))
	request := exchange.PlannerSynchronization{
		PlannerFile: exchange.PlannerFile{FileID: p.upload(renamed), SynchronizerID: "planner"},
		Projects: []exchange.ImportedProject{
			{ID: "EAST-2", ScheduleProjectID: "EAST"}, {ID: "WEST-2", ScheduleProjectID: "WEST"},
		},
	}
	preview, err := exchange.In(p.in()).PreviewImport(p.ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	if len(preview.Projects) != 2 || preview.Projects[0].Updates != "EAST" || preview.Projects[1].Updates != "WEST" {
		t.Errorf("projects %+v", preview.Projects)
	}
	if _, err := exchange.In(p.in()).Synchronize(p.ctx, request); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(noChanges, changes(t, p.synchronizer("planner"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(ids, p.byCode()); diff != "" {
		t.Errorf("ids (-before +after):\n%s", diff)
	}
	request.Projects = []exchange.ImportedProject{{ID: "EAST-2", ScheduleProjectID: "NORTH"}}
	_, err = exchange.In(p.in()).PreviewImport(p.ctx, request)
	invalid("InvalidValue projects").saying("no project 'NORTH'").check(t, err)
	request.Projects = []exchange.ImportedProject{{ID: "EAST-2", ScheduleProjectID: "EAST"}, {ID: "WEST-2", ScheduleProjectID: "EAST"}}
	_, err = exchange.In(p.in()).PreviewImport(p.ctx, request)
	invalid("InvalidValue projects[1].scheduleProjectId").check(t, err)
}

// twoProjects is a file with a project, and a second one of the same shape.
func twoProjects(content, first, second string) []byte {
	var out []string
	var table string
	var fields []string
	var rows []string
	flush := func() {
		out = append(out, rows...)
		if slices.Contains([]string{"PROJECT", "PROJWBS", "TASK", "TASKPRED", "TASKRSRC"}, table) {
			for _, row := range rows {
				cells := strings.Split(row, "\t")
				for i := 1; i < len(cells); i++ {
					switch name := fields[i]; {
					case slices.Contains([]string{"proj_id", "pred_proj_id", "wbs_id", "parent_wbs_id", "task_id", "pred_task_id", "task_pred_id", "taskrsrc_id"}, name) && cells[i] != "":
						n, _ := strconv.Atoi(cells[i])
						cells[i] = fmt.Sprint(n + 5000)
					case name == "guid" && cells[i] != "":
						cells[i] += "-second"
					case cells[i] == first:
						cells[i] = second
					}
				}
				out = append(out, strings.Join(cells, "\t"))
			}
		}
		rows = nil
	}
	for line := range strings.SplitSeq(content, "\n") {
		cells := strings.Split(line, "\t")
		switch cells[0] {
		case "%R":
			rows = append(rows, line)
			continue
		case "%T":
			flush()
			table = cells[1]
		case "%F":
			fields = cells
		default:
			flush()
			table = ""
		}
		out = append(out, line)
	}
	flush()
	return []byte(strings.Join(out, "\n"))
}

func TestASynchronizationThatDeletesTooMuchFailsWithItsPreview(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(update(t, 1), exchange.PlannerImportOptions{})
	before := p.said()
	other := xerOf(t, randomXER(8, 30))
	other = bytes.ReplaceAll(other, []byte("\tA"), []byte("\tOther"))
	request := func(share twinplatform.Optional[float64]) exchange.PlannerSynchronization {
		return exchange.PlannerSynchronization{
			PlannerFile: exchange.PlannerFile{FileID: p.upload(bytes.Clone(other)), SynchronizerID: "planner"},
			Options:     exchange.PlannerSyncOptions{MaxDeletedShare: share},
		}
	}
	preview, err := exchange.In(p.in()).PreviewImport(p.ctx, request(twinplatform.Optional[float64]{}))
	if err != nil || !strings.Contains(string(preview.Refusal), "allow a larger share in the options") {
		t.Fatalf("the preview has the refusal %q (%v)", preview.Refusal, err)
	}
	_, err = exchange.In(p.in()).Synchronize(p.ctx, request(twinplatform.Optional[float64]{}))
	if e := twinplatform.AsError(err); e == nil || e.Kind != twinplatform.Conflict || e.Code != "SynchronizationDeletesTasks" || !strings.Contains(e.Message, "45 of the 45 tasks") || !strings.Contains(e.Message, "allow a larger share") {
		t.Fatalf("it ends as %v", err)
	}
	if e := twinplatform.AsError(err); len(e.Details) < 3 || !slices.ContainsFunc(e.Details, func(d twinplatform.Detail) bool {
		return d.Code == "WouldDelete" && d.Target == "tasks" && strings.Contains(d.Message, "A1010 Survey 1.1")
	}) {
		t.Errorf("details %+v", e.Details)
	}
	if diff := cmp.Diff(before, p.said()); diff != "" {
		t.Errorf("it changed the schedule:\n%s", diff)
	}
	invalid("InvalidValue options.maxDeletedShare").check(t, p.synchronizing(request(twinplatform.Set(1.5)).PlannerFile, exchange.PlannerSyncOptions{MaxDeletedShare: twinplatform.Set(1.5)})())
	_, err = exchange.In(p.in()).Synchronize(p.ctx, request(twinplatform.Set(1.0)))
	if did := changes(t, p.synchronizer("planner")); err != nil || did["deleted"]["tasks"] < 40 {
		t.Errorf("told to, it did %v (%v)", did, err)
	}
}

// With the least share even one task is too many, and a few go without a word.
//
// covers: Files and imports: error SynchronizationDeletesTasks
func TestAShareThatIsGivenHoldsForFewTasksToo(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := xerOf(t, xer{tasks: []xerTask{{code: "A1", hours: 8}, {code: "A2", hours: 8}, {code: "A3", hours: 8}}})
	p.importPlan(content, exchange.PlannerImportOptions{})
	less := xerOf(t, xer{tasks: []xerTask{{code: "A1", hours: 8}}})
	file := func() exchange.PlannerFile {
		return exchange.PlannerFile{FileID: p.upload(bytes.Clone(less)), SynchronizerID: "planner"}
	}
	err := p.synchronizing(file(), exchange.PlannerSyncOptions{MaxDeletedShare: twinplatform.Set(0.3)})()
	refusal{kind: twinplatform.Conflict, code: "SynchronizationDeletesTasks", target: "fileId", details: []string{"WouldDelete tasks"}}.check(t, err)
	if err := p.synchronizing(file(), exchange.PlannerSyncOptions{})(); err != nil {
		t.Error(err)
	}
}

func TestAPreviewSaysWhatIsDoneThen(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	preview := func(r exchange.PlannerRequest) exchange.ImportPreview {
		t.Helper()
		before, revision := p.said(), p.schedulesRevision()
		got, err := exchange.In(p.in()).PreviewImport(p.ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, p.said()); diff != "" || p.schedulesRevision() != revision {
			t.Errorf("a preview changed the schedule:\n%s", diff)
		}
		return got
	}
	check := func(got exchange.ImportPreview, y synchronizers.Synchronizer) {
		t.Helper()
		if diff := cmp.Diff(y.SynchronizationDetails, got.SynchronizationDetails); diff != "" {
			t.Errorf("details (-done +previewed):\n%s", diff)
		}
		did := changes(t, y)
		previewed := map[string]map[string]int{"created": {}, "updated": {}, "deleted": {}}
		for _, c := range got.Changes {
			for outcome, of := range map[string]exchange.PreviewedRecords{"created": c.Created, "updated": c.Updated, "deleted": c.Deleted} {
				if of.Count > 0 {
					previewed[outcome][c.Type] = of.Count
				}
				if len(of.Records) != min(of.Count, exchange.MaxPreviewed) {
					t.Errorf("%d of %d %s are named", len(of.Records), of.Count, c.Type)
				}
				for _, r := range of.Records {
					if r.Name == "" || (r.ID == "") != (outcome == "created") {
						t.Errorf("%s %s: %+v", outcome, c.Type, r)
					}
				}
			}
		}
		if diff := cmp.Diff(did, previewed); diff != "" {
			t.Errorf("changes (-done +previewed):\n%s", diff)
		}
	}
	first := exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: p.upload(update(t, 1)), FilePath: "plan", SynchronizerID: "planner"}}
	got := preview(first)
	if len(got.Synchronizers) != 0 || len(got.Moves().Tasks) < 40 || !got.FinishNow.IsZero() || got.Finish.IsZero() {
		t.Errorf("the first preview has the synchronizers %v, %d tasks that move, and a finish %v after %v", got.Synchronizers, len(got.Moves().Tasks), got.Finish, got.FinishNow)
	}
	check(got, p.importPlan(update(t, 1), exchange.PlannerImportOptions{}))
	for n := 2; n <= 5; n++ {
		r := exchange.PlannerSynchronization{PlannerFile: exchange.PlannerFile{FileID: p.upload(update(t, n)), SynchronizerID: "planner"}}
		got = preview(r)
		if len(got.Synchronizers) != 1 || got.Synchronizers[0].ID != "planner" || got.Projects[0].Updates == "" {
			t.Errorf("update %d: %v, %v", n, got.Synchronizers, got.Projects)
		}
		if later := got.Finish.After(got.FinishNow.Time); later != (n == 2) {
			t.Errorf("update %d ends at %v, and the one before at %v", n, got.Finish, got.FinishNow)
		}
		sum := got.RemainderDays
		for _, c := range got.Causes {
			sum += c.ContributionDays
			if c.Name == "" {
				t.Errorf("update %d: a cause without a name: %+v", n, c)
			}
		}
		if math.Abs(sum-got.MoveDays) > 1e-6 || (got.MoveDays > 0) != (n == 2) || n == 2 && len(got.Causes) == 0 {
			t.Errorf("update %d moves the finish by %g days, of which %g are explained by %+v", n, got.MoveDays, sum, got.Causes)
		}
		check(got, p.synchronizeBy(update(t, n), exchange.PlannerSyncOptions{}))
	}
	got = preview(exchange.PlannerSynchronization{PlannerFile: exchange.PlannerFile{FileID: p.upload(update(t, 5)), SynchronizerID: "planner"}})
	if len(got.Moves().Tasks) != 0 || len(got.Changes) != 0 {
		t.Errorf("the same file once more would do %+v", got.Changes)
	}
	if err := p.importing(p.id, exchange.PlannerFile{FileID: p.upload(update(t, 5)), Preview: true})(); err == nil {
		t.Error("an import takes a preview")
	} else {
		invalid("InvalidValue preview").check(t, err)
	}
}

// schedulesRevision is what every change of the schedule raises.
func (p *plan) schedulesRevision() string {
	p.Helper()
	tasks, since := p.allTasks(twinplatform.ListOptions{})
	return fmt.Sprint(len(tasks), since)
}

// TestNoRecordIsTakenForAnotherBetweenConfusedUpdates copies a project again and again, of which
// the copies keep some of what activities are known by: the GUID, what they were copied from, or
// the activity id. What keeps one is the same task in each update, and what keeps none is not
// another one's. The name says which activity it is.
func TestNoRecordIsTakenForAnotherBetweenConfusedUpdates(t *testing.T) {
	t.Parallel()
	seeds := 24
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p, c := inMemory(t), newConfusion(t, uint64(seed))
			p.importPlan(c.content(), exchange.PlannerImportOptions{})
			for range 4 {
				was := p.idsOfActivities()
				kept := c.update()
				p.synchronizeBy(c.content(), exchange.PlannerSyncOptions{MaxDeletedShare: twinplatform.Set(1.0)})
				is := p.idsOfActivities()
				for name, id := range was {
					if kept[name] && is[name] != id {
						t.Errorf("%s is in the file with a name that it had, and another task: %s, was %s", name, is[name], id)
					}
				}
				owners := make(map[string]string)
				for name, id := range was {
					owners[id] = name
				}
				for name, id := range is {
					if owner := owners[id]; owner != "" && owner != name && kept[owner] {
						t.Errorf("%s is the task that was %s, which is in the file", name, owner)
					}
				}
				if len(is) != c.activities() {
					t.Errorf("%d activities are there, and %d in the file", len(is), c.activities())
				}
				if diff := cmp.Diff(noChanges, changes(t, p.synchronize(c.content(), exchange.IntegrateMode))); diff != "" {
					t.Errorf("the same file once more:\n%s", diff)
				}
			}
		})
	}
}

// idsOfActivities are the ids of tasks that are no nodes, by their names.
func (p *plan) idsOfActivities() map[string]string {
	p.Helper()
	ids := make(map[string]string)
	tasks, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
	for _, task := range tasks {
		if strings.HasPrefix(task.Name, "Activity") {
			ids[task.Name] = task.ID
		}
	}
	return ids
}

// confusion is a plan of which each update is confused.
type confusion struct {
	t   testing.TB
	rnd *rand.Rand
	n   int
	all []knownActivity
	x   xer
}

// knownActivity is an activity with what it is known by.
type knownActivity struct{ name, code, guid, origin string }

func newConfusion(t testing.TB, seed uint64) *confusion {
	c := &confusion{t: t, rnd: rand.New(rand.NewPCG(seed, 11)), x: randomXER(seed, 24)}
	for range 24 {
		c.add()
	}
	return c
}

func (c *confusion) fresh(prefix string) string {
	c.n++
	return fmt.Sprint(prefix, c.n)
}

func (c *confusion) add() {
	c.all = append(c.all, knownActivity{c.fresh("Activity "), c.fresh("K"), c.fresh("guid"), c.fresh("tmpl")})
}

func (c *confusion) activities() int { return len(c.all) }

// update makes the next update, and returns the names of those that keep something they are known by.
func (c *confusion) update() (kept map[string]bool) {
	kept = make(map[string]bool)
	var all []knownActivity
	for _, a := range c.all {
		guid, origin, code := c.rnd.IntN(3) == 0, c.rnd.IntN(3) > 0, c.rnd.IntN(3) > 0
		if c.rnd.IntN(10) == 0 {
			continue
		}
		if !guid {
			a.guid = c.fresh("guid")
		}
		if !origin {
			a.origin = ""
		}
		if a.origin == "" {
			origin = false
		}
		if !code {
			a.code = c.fresh("K")
		}
		kept[a.name] = guid || origin || code
		all = append(all, a)
	}
	c.all = all
	for range c.rnd.IntN(3) {
		c.add()
	}
	c.rnd.Shuffle(len(c.all), func(i, j int) { c.all[i], c.all[j] = c.all[j], c.all[i] })
	return kept
}

// content is the update as an XER.
func (c *confusion) content() []byte {
	x := xer{nodes: c.x.nodes}
	for i, a := range c.all {
		x.tasks = append(x.tasks, xerTask{code: a.code, name: a.name, hours: 8 + 8*(i%3), node: c.x.nodes[0].code})
	}
	for i := 1; i < len(c.all); i += 2 {
		x.links = append(x.links, xerLink{c.all[i-1].code, c.all[i].code, "PR_FS", 0})
	}
	by := make(map[string]knownActivity)
	for _, a := range c.all {
		by[a.name] = a
	}
	lines := strings.Split(string(xerOf(c.t, x)), "\n")
	var fields []string
	for n, line := range lines {
		cells := strings.Split(line, "\t")
		switch cells[0] {
		case "%T":
			fields = nil
		case "%F":
			if fields = nil; slices.Contains(cells, "task_code") {
				fields = cells
				lines[n] += "\ttmpl_guid"
			}
		case "%R":
			if fields != nil {
				a := by[cells[slices.Index(fields, "task_name")]]
				cells[slices.Index(fields, "guid")] = a.guid
				lines[n] = strings.Join(append(cells, a.origin), "\t")
			}
		}
	}
	return []byte(strings.Join(lines, "\n"))
}
