package platform_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

const (
	day = 24 * time.Hour
	// Everything that is retained by default has an end by the first count: what is
	// deleted at the end of its time is remembered for as long again.
	firstCount, lastCount = 65, 120
)

// However long a platform runs: what is alive stays as large as it is, and so does the
// store. The kinds of what is kept are read from the store itself, so that a new one
// cannot be left out.
func TestNothingPilesUpUnderSteadyChange(t *testing.T) { //nolint:paralleltest // it looks at the heap
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	//nolint:paralleltest // as above
	for name, open := range map[string]func(path string) (storage.Store, error){
		"memory": func(string) (storage.Store, error) { return memory.New(), nil },
		"buntdb": func(path string) (storage.Store, error) {
			return buntdb.Open(path, buntdb.Options{Durability: buntdb.SyncNever, CompactBytes: 1 << 20})
		},
	} {
		for _, listens := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, delivering %v", name, listens), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "world.db")
				synctest.Test(t, func(t *testing.T) {
					store, err := open(path)
					if err != nil {
						t.Fatal(err)
					}
					l := beginLife(t.Context(), t, store)
					before, heapBefore := l.live(firstCount, listens)
					after, heapAfter := l.live(lastCount, listens)
					compare(t, before, after)
					if limit := heapBefore + heapBefore/4 + 4<<20; heapAfter > limit {
						t.Errorf("the heap went from %d to %d bytes", heapBefore, heapAfter)
					}
					if name != "buntdb" {
						return
					}
					if info, err := os.Stat(path); err != nil || info.Size() > 1<<20+4*after.bytes {
						t.Errorf("the file of %d bytes holds %d of records (%v)", info.Size(), after.bytes, err)
					}
					if err := storage.Compact(t.Context(), store); err != nil {
						t.Fatal(err)
					}
					if info, err := os.Stat(path); err != nil || info.Size() > 2*after.bytes {
						t.Errorf("the compacted file of %d bytes holds %d of records (%v)", info.Size(), after.bytes, err)
					}
				})
			})
		}
	}
}

// census counts the keys of a store by their sort, and its bytes.
type census struct {
	keys  map[string]int
	bytes int64
}

// names are the parts of a key that name one record among those of its kind.
var names = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-v]{20}|-[0-9a-z]+$`)

func takeCensus(t *testing.T, store storage.Store) census {
	t.Helper()
	c := census{keys: make(map[string]int)}
	err := store.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			parts := strings.Split(key, "/")
			parts[0] = names.ReplaceAllString(parts[0], "-*")
			c.keys[strings.Join(parts[:min(len(parts), 3)], "/")]++
			c.bytes += int64(len(key) + len(value))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	merged := make(map[string]int)
	for sort, n := range c.keys {
		if strings.HasPrefix(sort, "zended/") || strings.HasPrefix(sort, "outbox/e/") {
			sort = sort[:strings.LastIndexByte(sort, '/')]
			if strings.HasPrefix(sort, "zended/") {
				sort = "ended"
			}
		}
		merged[sort] += n
	}
	c.keys = merged
	return c
}

// compare fails the test for everything of which there is more after as many days.
func compare(t *testing.T, before, after census) {
	t.Helper()
	for _, sort := range slices.Sorted(maps.Keys(after.keys)) {
		was, is := before.keys[sort], after.keys[sort]
		if is > was+was/10+3 {
			t.Errorf("%s: %d keys after %d days, %d after %d", sort, was, firstCount, is, lastCount)
		}
	}
	if after.bytes > before.bytes+before.bytes/10 {
		t.Errorf("the store holds %d bytes after %d days, %d after %d", before.bytes, firstCount, after.bytes, lastCount)
	}
}

// life is a platform and what lives in it all the time.
type life struct {
	t     *testing.T
	p     *platform.Platform
	store storage.Store
	day   int

	twin, other, schedule, shared, configuration string
}

// answers is a receiver that refuses every third event.
type answers struct{ n atomic.Int64 }

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, r.Body)
	status := http.StatusOK
	if a.n.Add(1)%3 == 0 {
		status = http.StatusInternalServerError
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Request: r}, err
}

func beginLife(ctx context.Context, t *testing.T, store storage.Store) *life {
	t.Helper()
	l := &life{t: t, store: store}
	l.p = over(t, store, platform.Config{Webhooks: webhooks.Config{Transport: &answers{}, Poll: time.Hour}})
	l.twin, l.other = newTwin(ctx, t, l.p), newTwin(ctx, t, l.p)
	l.schedule = made[twinplatform.Result[schedules.Schedule]](t)(l.p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: l.twin})).Value().ID
	for _, id := range []string{"phase-a", "phase-b", "moves"} {
		l.must(l.p.Schedules.CreateTask(ctx, l.schedule, schedules.NewTask{ID: id, Name: id, Type: schedules.Work}))
	}
	l.shared = made[twinplatform.Result[forms.FormDefinition]](t)(l.p.Forms.CreateFormDefinition(ctx, forms.NewFormDefinition{DisplayName: "Diary", Type: "Diary", ShareType: forms.ReadOnly, TwinID: l.twin})).Value().ID
	_, _, _, l.configuration = l.newConfiguration(ctx)
	hook := made[webhooks.WebhookResult](t)(l.p.Webhooks.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/", Scope: webhooks.TwinScope, ScopeID: l.twin,
		EventTypes: []webhooks.EventType{event.TypeTwinCreated, event.TypeTwinDeleted, "models.modelCreated.v1", "models.modelDeleted.v1"},
	}))
	l.must(l.p.Webhooks.UpdateWebhook(ctx, hook.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}))
	return l
}

// must fails the test on an error among what a call has returned.
func (l *life) must(returned ...any) {
	l.t.Helper()
	for _, v := range returned {
		if err, ok := v.(error); ok {
			l.t.Fatalf("on day %d: %v", l.day, err)
		}
	}
}

// live continues until the end of a day and counts what there is then.
func (l *life) live(until int, delivering bool) (census, uint64) {
	l.t.Helper()
	ctx, stop := context.WithCancel(l.t.Context())
	defer stop()
	done := make(chan error, 6)
	running := 0
	run := func(r func(context.Context) error) {
		running++
		go func() { done <- r(ctx) }()
	}
	if delivering {
		run(l.p.Run)
	} else {
		run(l.p.Forms.Run)
		run(l.p.Transform.Run)
	}
	for ; l.day < until; l.day++ {
		l.change(l.t.Context(), delivering)
		time.Sleep(day)
		synctest.Wait()
	}
	stop()
	for range running {
		l.must(<-done)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return takeCensus(l.t, l.store), m.HeapAlloc
}

// change makes and deletes something of every sort.
func (l *life) change(ctx context.Context, delivering bool) {
	l.t.Helper()
	l.changeTwins(ctx)
	l.changeSchedule(ctx, l.schedule)
	res := made[twinplatform.Result[schedules.Schedule]](l.t)(l.p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: l.twin}))
	l.changeSchedule(ctx, res.Value().ID)
	l.must(l.p.Schedules.DeleteSchedule(ctx, res.Value().ID))
	l.changeModel(ctx)
	l.changeForms(ctx, l.twin)
	l.changeTransform(ctx)
	l.changeRealityData(ctx)
	l.changeWebhooks(ctx, delivering)
}

// picture is an image.
func picture() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 2))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (l *life) changeTwins(ctx context.Context) {
	l.t.Helper()
	tw := l.p.Twins
	id := made[twinplatform.Result[twins.Twin]](l.t)(tw.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Wing ", l.day), ParentID: l.twin})).Value().ID
	role := made[twinplatform.Result[twins.Role]](l.t)(tw.CreateRole(ctx, id, twins.NewRole{DisplayName: "Reader", Permissions: []string{"schedules_read"}})).Value().ID
	l.must(tw.CreateMember(ctx, id, twins.NewMember{ID: twinplatform.NewGUID(), RoleIDs: []string{role}}))
	l.must(tw.CreateInvitation(ctx, id, twins.NewInvitation{Email: "a@example.com", RoleIDs: []string{role}}))
	l.must(tw.CreateExport(ctx, twins.ExportRequest{OutputFormat: twins.CSV}))
	l.must(tw.SetTwinImage(ctx, id, bytes.NewReader(picture())))
	l.must(tw.SetTwinImage(ctx, id, bytes.NewReader(picture())))
	crew := made[twinplatform.Result[twins.Group]](l.t)(tw.CreateGroup(ctx, id, twins.NewGroup{Name: "Crew", Members: []string{twinplatform.NewGUID()}})).Value().ID
	l.must(tw.AddGroupMembers(ctx, id, []twins.NewGroupMember{{GroupID: crew, RoleIDs: []string{role}}}))
	l.must(tw.UpdateGroup(ctx, id, crew, twins.GroupPatch{Members: twinplatform.Set(twins.People{twinplatform.NewGUID()})}))
	bores := made[twinplatform.Result[twins.Repository]](l.t)(tw.CreateRepository(ctx, id, twins.NewRepository{Class: "Subsurface", URI: "https://bores.example.com"})).Value().ID
	l.must(tw.CreateRepositoryResource(ctx, id, bores, twins.NewRepositoryResource{ID: "bore", DisplayName: "Bore"}))
	l.must(tw.AddFavorite(ctx, id), tw.AddRecent(ctx, id))
	l.must(tw.UpdateTwin(ctx, id, twins.TwinPatch{ParentID: twinplatform.Set(l.other)}))
	l.changeForms(ctx, id)
	l.must(l.p.Forms.SetSecurity(ctx, l.shared, id, &forms.Security{Grants: []forms.Grant{{PrincipalID: "p", Permissions: []string{forms.PermissionView}}}}))
	l.must(tw.DeleteTwin(ctx, id))
}

func (l *life) changeSchedule(ctx context.Context, id string) {
	l.t.Helper()
	s := l.p.Schedules
	name := func(of string) string { return fmt.Sprint(of, "-", l.day) }
	phase, other := name("phase"), name("other")
	l.must(s.In(id).CreateTasks(ctx, []schedules.NewTask{
		{ID: phase, Name: "Phase", Type: schedules.Work},
		{ID: other, Name: "Phase", Type: schedules.Work},
		{ID: name("a"), Name: "A", Type: schedules.Work, ParentID: phase},
		{ID: "again", Name: "Again", Type: schedules.Work, ParentID: other},
	}))
	l.must(s.In(id).UpdateTask(ctx, "again", schedules.TaskPatch{ParentID: twinplatform.Set(phase)}))
	if id == l.schedule {
		l.must(s.In(id).UpdateTask(ctx, "moves", schedules.TaskPatch{ParentID: twinplatform.Set([]string{"phase-a", "phase-b"}[l.day%2])}))
	}
	l.must(s.In(id).CreateTaskLinks(ctx, []schedules.NewTaskLink{{ID: name("link"), PredecessorID: name("a"), SuccessorID: "again", Type: schedules.FinishToStart}}))
	l.must(s.In(id).CreateBaseline(ctx, schedules.NewBaseline{ID: name("baseline"), Name: "B"}))
	l.must(s.In(id).DeleteBaselines(ctx, []string{name("baseline")}))
	l.must(s.In(id).CreateResources(ctx, []schedules.NewResource{{ID: name("crew"), Name: "Crew", Type: schedules.HumanResource}, {ID: name("mate"), Name: "Mate", Type: schedules.HumanResource, ParentID: name("crew")}}))
	l.must(s.In(id).CreateResourceAssignments(ctx, []schedules.NewResourceAssignment{{ID: name("use"), TaskID: name("a"), ResourceID: name("mate"), AppearanceProfileID: "install"}, {TaskID: name("a"), ResourceID: name("crew"), AppearanceProfileID: "install"}}))
	l.must(s.In(id).UpdateResourceAssignment(ctx, name("use"), schedules.ResourceAssignmentPatch{ResourceAssignmentFields: schedules.ResourceAssignmentFields{AppearanceProfileID: twinplatform.Set("remove")}}))
	l.must(s.In(id).CreateResourceGroup(ctx, schedules.NewResourceGroup{ID: name("group"), Name: "Group", ForemanResourceID: name("crew")}))
	l.must(s.In(id).AddResourcesToGroup(ctx, name("group"), []string{name("crew"), name("mate")}))
	l.must(s.In(id).RemoveResourcesFromGroup(ctx, name("group"), []string{name("mate")}))
	l.must(userfields.In(s.In(id)).CreateUserField(ctx, userfields.NewUserField{ID: name("field"), Name: name("field"), Category: userfields.TaskField, Type: userfields.StringField}))
	l.must(userfields.In(s.In(id)).SetUserFieldValue(ctx, userfields.TaskField, userfields.NewUserFieldValue{TaskID: "again", UserFieldID: name("field"), StringValue: new("v")}))
	l.must(statuses.In(s.In(id)).CreateResourceStatusCategory(ctx, statuses.NewResourceStatusCategory{ID: name("category"), Name: "C"}))
	l.must(statuses.In(s.In(id)).CreateResourceStatusSet(ctx, statuses.NewResourceStatusSet{ID: name("set"), Name: "S", StatusCategoryID: name("category")}))
	l.must(statuses.In(s.In(id)).CreateResourceStatusItem(ctx, statuses.NewResourceStatusItem{ID: name("item"), Name: "I", StatusSetID: name("set"), Color: "#000000"}))
	for range 2 {
		res := made[twinplatform.Result[statuses.StatusHistoryItem]](l.t)(statuses.In(s.In(id)).CreateStatusHistoryItem(ctx, statuses.NewStatusHistoryItem{ResourceID: name("crew"), StatusItemID: name("item"), Date: twinplatform.At(time.Now())}))
		l.must(statuses.In(s.In(id)).UpdateStatusHistoryItem(ctx, res.Value().ID, statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(true)}))
		l.must(statuses.In(s.In(id)).DeleteStatusHistoryItem(ctx, res.Value().ID))
	}
	l.must(statuses.In(s.In(id)).DeleteResourceStatusCategory(ctx, name("category")))
	l.must(animation.In(s.In(id)).CreateAppearanceProfile(ctx, animation.NewAppearanceProfile{ID: name("profile"), Name: "P"}))
	l.must(animation.In(s.In(id)).UpdateAppearanceProfile(ctx, name("profile"), animation.AppearanceProfilePatch{Name: twinplatform.Set("Q")}))
	l.must(animation.In(s.In(id)).CreateTransform(ctx, animation.NewTransform{ID: name("transform"), Transform: make([]float64, 16)}))
	l.must(animation.In(s.In(id)).CreatePath(ctx, animation.NewPath{ID: name("path")}))
	l.must(animation.In(s.In(id)).CreateKeyframe(ctx, animation.NewKeyframe{ID: name("keyframe"), PathID: name("path")}))
	l.must(animation.In(s.In(id)).UpdateKeyframe(ctx, name("keyframe"), animation.KeyframePatch{Time: twinplatform.Set(0.5)}))
	l.must(animation.In(s.In(id)).CreatePathAssignment(ctx, animation.NewPathAssignment{ID: name("along"), PathID: name("path")}))
	l.must(s.CreateTask(ctx, id, schedules.NewTask{ID: name("animated"), Name: "A", Type: schedules.Work}))
	l.must(animation.In(s.In(id)).CreateBinding(ctx, animation.NewBinding{
		ID: name("binding"), AnimatedEntityID: name("entity"), TaskID: name("animated"), AppearanceProfileID: name("profile"),
		PathAssignmentID: name("along"), TransformID: name("transform"),
	}))
	l.must(codes.In(s.In(id)).CreateCode(ctx, codes.NewCode{ID: name("code"), Name: "C", Category: codes.ActivityCode}))
	l.must(codes.In(s.In(id)).UpdateCode(ctx, name("code"), codes.CodePatch{Name: twinplatform.Set("D")}))
	l.must(codes.In(s.In(id)).CreateCodeValue(ctx, codes.NewCodeValue{ID: name("codevalue"), CodeID: name("code"), Name: "V"}))
	l.must(codes.In(s.In(id)).UpdateCodeValue(ctx, name("codevalue"), codes.CodeValuePatch{Name: twinplatform.Set("W")}))
	l.must(codes.In(s.In(id)).CreateCodeValueAssignment(ctx, codes.NewCodeValueAssignment{TaskID: name("animated"), CodeValueID: name("codevalue")}))
	l.must(codes.In(s.In(id)).DeleteCode(ctx, name("code")))
	l.must(s.In(id).CreateTaskQueryFilter(ctx, schedules.NewTaskQueryFilter{ID: name("filter"), Name: "F"}))
	l.must(s.In(id).UpdateTaskQueryFilter(ctx, name("filter"), schedules.NewTaskQueryFilter{Name: "G"}))
	l.must(s.In(id).DeleteTaskQueryFilter(ctx, name("filter")))
	l.must(s.In(id).CreateCalendar(ctx, schedules.NewCalendar{ID: name("calendar"), Name: "C", ParentID: schedules.StandardCalendar}))
	l.must(s.In(id).UpdateCalendar(ctx, name("calendar"), schedules.CalendarPatch{Name: twinplatform.Set("D")}))
	l.must(s.In(id).DeleteCalendar(ctx, name("calendar")))
	l.must(s.In(id).CreateRule(ctx, schedules.NewRule{ID: name("rule"), Rate: 1}))
	l.must(s.In(id).UpdateRule(ctx, name("rule"), schedules.RulePatch{Rate: twinplatform.Set(2.5)}))
	l.must(s.In(id).DeleteRule(ctx, name("rule")))
	l.must(s.In(id).DeleteTasks(ctx, []string{name("animated")}))
	l.must(animation.In(s.In(id)).DeletePathAssignment(ctx, name("along")))
	l.must(animation.In(s.In(id)).DeletePath(ctx, name("path")))
	l.must(animation.In(s.In(id)).DeleteTransform(ctx, name("transform")))
	l.must(animation.In(s.In(id)).DeleteAppearanceProfile(ctx, name("profile")))
	l.must(userfields.In(s.In(id)).DeleteUserField(ctx, name("field")))
	l.must(s.In(id).DeleteTasks(ctx, []string{phase, other}))
	l.must(s.In(id).DeleteResources(ctx, []string{name("crew")}))
	l.must(s.In(id).DeleteResourceGroups(ctx, []string{name("group")}))
}

// changeModel fills and deletes a schedule that has 3D entities.
func (l *life) changeModel(ctx context.Context) {
	l.t.Helper()
	s := l.p.Schedules
	id := made[twinplatform.Result[schedules.Schedule]](l.t)(s.CreateSchedule(ctx, schedules.NewSchedule{Name: "Model", TwinID: l.twin, Type: schedules.V65})).Value().ID
	l.must(animation.In(s.In(id)).CreateEntity3D(ctx, animation.NewEntity3D{ID: "wall", Name: "Wall"}))
	l.must(animation.In(s.In(id)).DeleteEntities3D(ctx, []string{"wall"}))
	l.must(s.DeleteSchedule(ctx, id))
}

func (l *life) changeForms(ctx context.Context, twin string) {
	l.t.Helper()
	f := l.p.Forms
	definition := made[twinplatform.Result[forms.FormDefinition]](l.t)(f.CreateFormDefinition(ctx, forms.NewFormDefinition{DisplayName: "RFI", Type: "RFI", Status: forms.Approved, TwinID: twin})).Value().ID
	form := made[twinplatform.Result[forms.Form]](l.t)(f.CreateForm(ctx, forms.NewForm{FormID: definition})).Value().ID
	l.must(f.CreateComment(ctx, form, forms.NewComment{Text: "Why?"}))
	file := made[twinplatform.Result[forms.Attachment]](l.t)(f.CreateAttachment(ctx, form, forms.NewAttachment{FileName: "a.txt"})).Value().ID
	l.must(f.WriteAttachment(ctx, form, file, strings.NewReader("text")))
	l.must(f.WriteAttachment(ctx, form, file, strings.NewReader("other text")))
	l.must(f.UpdateForm(ctx, form, forms.FormPatch{FormFields: forms.FormFields{Subject: twinplatform.Set("Which door?")}}))
	l.must(f.DeleteForm(ctx, form))
	l.must(f.UpdateFormDefinition(ctx, definition, forms.FormDefinitionPatch{Status: twinplatform.Set(forms.Draft)}))
	l.must(f.SetLayout(ctx, definition, forms.Layout{Definition: "{}"}))
	l.must(f.DeleteFormDefinition(ctx, definition))
}

// newConfiguration makes a configuration with all that it needs.
func (l *life) newConfiguration(ctx context.Context) (source, target, view, configuration string) {
	l.t.Helper()
	tr := l.p.Transform
	source = made[twinplatform.Result[models.Model]](l.t)(tr.Models().CreateModel(ctx, models.NewModel{TwinID: l.twin, DisplayName: "Source"})).Value().ID
	target = made[twinplatform.Result[models.Model]](l.t)(tr.Models().CreateModel(ctx, models.NewModel{TwinID: l.twin, DisplayName: "Target"})).Value().ID
	role := made[twinplatform.Page[twins.Role]](l.t)(l.p.Twins.Roles(ctx, l.twin, twins.RoleQuery{}))
	for r := range role.OnPage() {
		l.must(tr.Models().CreateModelMember(ctx, source, models.NewModelMember{ID: "ann", RoleIDs: []string{r.ID}}))
		l.must(tr.Models().DeleteModelMember(ctx, source, "ann"))
	}
	view = made[twinplatform.Result[models.SavedView]](l.t)(tr.Models().CreateSavedView(ctx, models.NewSavedView{ModelID: source, DisplayName: "View", Shared: true})).Value().ID
	group := made[twinplatform.Result[models.ViewGroup]](l.t)(tr.Models().CreateViewGroup(ctx, models.NewViewGroup{ModelID: source, DisplayName: "Group"})).Value().ID
	tag := made[twinplatform.Result[models.ViewTag]](l.t)(tr.Models().CreateViewTag(ctx, models.NewViewTag{ModelID: source, DisplayName: "Tag"})).Value().ID
	made[twinplatform.Result[models.SavedView]](l.t)(tr.Models().UpdateSavedView(ctx, view, models.SavedViewPatch{GroupID: twinplatform.Set(group), TagIDs: twinplatform.Set([]string{tag})}))
	made[twinplatform.Result[models.ViewExtension]](l.t)(tr.Models().SetViewExtension(ctx, view, models.NewViewExtension{ExtensionName: "markup", Data: "x"}))
	for range 2 {
		made[models.ViewImage](l.t)(tr.Models().SetViewImage(ctx, view, bytes.NewReader(picture())))
	}
	l.must(tr.Models().DeleteViewGroup(ctx, group))
	l.must(tr.Models().DeleteViewTag(ctx, tag))
	configuration = made[twinplatform.Result[transform.Configuration]](l.t)(tr.CreateConfiguration(ctx, transform.NewConfiguration{
		TransformName: "T", SourceProjectID: l.twin, SourceModelID: source, TargetProjectID: l.twin, TargetModelID: target, Comment: "c",
		TransformParameters: &transform.NewParameters{SavedViewID: view},
	})).Value().ID
	return source, target, view, configuration
}

func (l *life) changeTransform(ctx context.Context) {
	l.t.Helper()
	tr := l.p.Transform
	source, target, view, configuration := l.newConfiguration(ctx)
	l.must(tr.Models().CreateChangeset(ctx, source, models.NewChangeset{Inserted: []models.NewElement{{ID: "wall", Class: "Wall", Category: "walls"}}}))
	for _, id := range []string{configuration, l.configuration} {
		l.must(tr.RunTransformation(ctx, transform.NewTransformation{ConfigurationID: id}))
	}
	l.must(tr.DeleteConfiguration(ctx, configuration), tr.Models().DeleteSavedView(ctx, view), tr.Models().DeleteModel(ctx, source), tr.Models().DeleteModel(ctx, target))
}

func (l *life) changeRealityData(ctx context.Context) {
	l.t.Helper()
	r := l.p.RealityData
	id := made[twinplatform.Result[realitydata.RealityData]](l.t)(r.CreateRealityData(ctx, realitydata.NewRealityData{DisplayName: "Scan", Type: "LAS", TwinID: l.twin})).Value().ID
	l.must(r.Associate(ctx, id, l.other), r.Dissociate(ctx, id, l.other), r.DeleteRealityData(ctx, id))
	name := fmt.Sprint("@a/detector-", l.day)
	l.must(r.CreateDetector(ctx, realitydata.NewDetector{Name: name, Type: "PhotoObjectDetector"}))
	l.must(r.DeleteDetector(ctx, name))
}

func (l *life) changeWebhooks(ctx context.Context, delivering bool) {
	l.t.Helper()
	w := l.p.Webhooks
	hook := made[webhooks.WebhookResult](l.t)(w.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/", Scope: webhooks.TwinScope, ScopeID: l.twin, EventTypes: []webhooks.EventType{event.TypeTwinCreated},
	})).Value().ID
	l.must(w.UpdateWebhook(ctx, hook, webhooks.WebhookPatch{Active: twinplatform.Set(true)}))
	if delivering { // no one else removes what a test leaves
		l.must(w.SendTest(ctx, hook, webhooks.TestEvent{}))
	}
	l.must(w.DeleteWebhook(ctx, hook))
}
