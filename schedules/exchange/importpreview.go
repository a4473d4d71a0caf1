package exchange

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxPreviewed is how many records of a type a preview names that are created, and as many that
// are updated, and that are deleted.
const MaxPreviewed = 1_000

// PlannerRequest is what a preview is asked for: a [PlannerImport], a [PlannerSynchronization], a
// [MicrosoftProjectImport] or a [MicrosoftProjectSynchronization].
type PlannerRequest interface {
	// Previews reports whether a preview is asked for.
	Previews() bool
	// job is the import that is asked for. It notes what is wrong with the request.
	job(c *problem.Checks) importJob
}

// ImportPreview is what an import or a synchronization would do.
type ImportPreview struct {
	// Causes are why the plan of the file would end at another time, as those of a FinishMove; MoveDays is by how many
	// of its working days, and RemainderDays what no cause explains.
	Causes []analysis.FinishCause `json:"causes"`
	// Changes are by type of record, of those types of which something would change.
	Changes []PreviewedChanges `json:"changes"`
	// Finish is when the last task of the file ends, and FinishNow when the last one ended by
	// what the synchronizer had before; each is null where nothing has a date.
	Finish        twinplatform.DateTime `json:"finish"`
	FinishNow     twinplatform.DateTime `json:"finishNow"`
	MoveDays      float64               `json:"moveDays"`
	RemainderDays float64               `json:"remainderDays"`
	// Projects are those of the file that would be imported.
	Projects []PreviewedProject `json:"projects"`
	// Refusal is why the synchronization would fail; null where it would not.
	Refusal twinplatform.NullString `json:"refusal"`
	// SynchronizationDetails are as the synchronizer would have them.
	SynchronizationDetails synchronizers.SynchronizationDetails `json:"synchronizationDetails"`
	// Synchronizers are those of the schedule that have imported something, the last one
	// first, MaxBatch at most.
	Synchronizers []PreviewedSynchronizer `json:"synchronizers"`

	plan *dated.Plan
}

// Moves is a plan of the tasks that would be created or move, with those that they are below: each
// where it would be, with where it is now as its baseline. It has the dates of the file.
func (p *ImportPreview) Moves() *dated.Plan { return p.plan }

// MovesSVG draws Moves, the first page of it: where each task would be, and as its baseline where it is now. It is empty where nothing moves.
func (p *ImportPreview) MovesSVG() ([]byte, error) {
	plan := p.Moves()
	if plan == nil || len(plan.Tasks) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	err := gantt.SVG(&b, plan, gantt.Options{WithoutLinks: true})
	return b.Bytes(), err
}

// PreviewedChanges are what would become of the records of a type.
type PreviewedChanges struct {
	Created PreviewedRecords `json:"created"`
	Deleted PreviewedRecords `json:"deleted"`
	Type    string           `json:"type"` // as SynchronizationCounts calls them, such as tasks
	Updated PreviewedRecords `json:"updated"`
}

// PreviewedRecords are records, and how many there are of them.
type PreviewedRecords struct {
	Count   int               `json:"count"`
	Records []PreviewedRecord `json:"records"` // the first MaxPreviewed
}

// PreviewedRecord is a record that would be created, updated or deleted.
type PreviewedRecord struct {
	ID   twinplatform.NullString `json:"id"` // null of one that would be created
	Name string                  `json:"name"`
	// UserDefinedID is that of a task or a resource, and null where there is none.
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
}

// PreviewedProject is a project of a file.
type PreviewedProject struct {
	ID            string `json:"id"` // by the file
	Name          string `json:"name"`
	UserDefinedID string `json:"userDefinedId"` // its code
	// Updates is what the project is called that it updates, and null of one that the schedule
	// does not have.
	Updates twinplatform.NullString `json:"updates"`
}

// PreviewedSynchronizer is a synchronizer that a file may continue.
type PreviewedSynchronizer struct {
	ID                  string                `json:"id"`
	ProjectName         string                `json:"projectName"` // of the last synchronization
	SynchronizationTime twinplatform.DateTime `json:"synchronizationTime"`
	SynchronizerName    string                `json:"synchronizerName"`
}

// PreviewImport reports what an import or a synchronization would do, and changes nothing (POST
// …/imports/planner, …/imports/microsoft-project and their …/synchronize with "preview": true). It
// reads the whole file and compares it with the schedule, which takes as long as the first part of
// the import. A synchronization that would fail since it deletes too much is shown with that
// refusal. It needs no more than PermissionRead.
//
// Errors: as those of the request, except for InsufficientPermissions, ScheduleNotInitialized and
// SynchronizationDeletesTasks.
func (p Plan) PreviewImport(ctx context.Context, r PlannerRequest) (preview ImportPreview, err error) {
	s := p.s
	var c problem.Checks
	w := r.job(&c)
	w.check(&c)
	if err := c.Err(schedules.InvalidRequest); err != nil {
		return preview, err
	}
	w.Preview, w.SynchronizerID = true, s.IDOr(w.SynchronizerID)
	err = s.Read(ctx, p.id, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		w.Place = sc.Place
		err := model.V10Only(sc)
		if err == nil {
			_, err = s.importOf(v, &w)
		}
		return err
	})
	if err != nil {
		return preview, err
	}
	file, err := s.readPlan(ctx, &w)
	if err != nil {
		return preview, err
	}
	err = s.Read(ctx, p.id, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		if sc.Scope != w.Scope {
			return model.ScheduleMissing.Err()
		}
		d, err := s.diff(v, &w, file)
		if err == nil {
			preview, err = d.preview(v, sc)
		}
		return err
	})
	return preview, err
}

// preview is what was found.
func (d *planDiff) preview(v *records.View, sc *model.Schedule) (p ImportPreview, err error) {
	p = ImportPreview{
		SynchronizationDetails: d.details, Changes: d.found.of(d), Projects: []PreviewedProject{},
		Causes: []analysis.FinishCause{},
	}
	if d.refusal != nil {
		p.Refusal = twinplatform.NullString(d.refusal.Message)
	}
	for i := range d.file.Projects {
		x := &d.file.Projects[i]
		updates := twinplatform.NullString(d.updates[x.ID])
		p.Projects = append(p.Projects,
			PreviewedProject{ID: x.ID, Name: x.Name, UserDefinedID: x.Code, Updates: updates})
	}
	if p.Synchronizers, err = d.synchronizers(); err != nil {
		return p, err
	}
	now, err := d.spansNow()
	if err != nil {
		return p, err
	}
	var finish, finishNow worktime.Time
	for _, span := range now {
		finishNow = max(finishNow, span.Finish)
	}
	for i := range d.file.Tasks {
		finish = max(finish, d.spanOf(i).Finish)
	}
	p.Finish, p.FinishNow = d.at(finish), d.at(finishNow)
	if finish != finishNow && finishNow != 0 {
		if err := d.explain(v, sc, now, &p); err != nil {
			return p, err
		}
	}
	p.plan, err = d.moves(now)
	return p, err
}

// explain says why the plan of the file would end at another time than by what the synchronizer had before.
func (d *planDiff) explain(v *records.View, sc *model.Schedule, now map[string]dated.Span, p *ImportPreview) error {
	then := d.scheduled.Dated()
	for i := range then.Tasks {
		t, span := &then.Tasks[i], d.spanOf(i)
		t.ID, t.Key, t.Template = d.filed[d.file.Tasks[i].ID].id(), "", ""
		t.Start, t.Finish = span.Start, span.Finish
	}
	return d.s.At(v, sc, func(n *rescheduling.Network) error {
		was := n.Shown(nil)
		for i := range was.Tasks {
			if span, had := now[was.Tasks[i].ID]; had {
				was.Tasks[i].Start, was.Tasks[i].Finish = span.Start, span.Finish
			}
		}
		was = was.With(func(task int) bool {
			_, had := now[was.Tasks[task].ID]
			return had
		})
		m := analysis.FinishMoveOf(compare.Finish(was, then), n.Calendars)
		p.Causes, p.MoveDays, p.RemainderDays = m.Causes, m.MoveDays, m.RemainderDays
		return nil
	})
}

// synchronizers are those of the schedule that a file may continue.
func (d *planDiff) synchronizers() ([]PreviewedSynchronizer, error) {
	out := []PreviewedSynchronizer{}
	for y, err := range synchronizers.Records.From(d.Tx, d.Scope, "") {
		if err != nil {
			return nil, err
		}
		if y.SynchronizationType == synchronizers.SynchronizationImport ||
			y.SynchronizationType == synchronizers.SynchronizationFrom {
			one := PreviewedSynchronizer{ID: y.ID, ProjectName: y.ProjectName, SynchronizerName: y.SynchronizerName}
			one.SynchronizationTime = y.SynchronizationTime
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b PreviewedSynchronizer) int {
		return b.SynchronizationTime.Compare(a.SynchronizationTime.Time)
	})
	return out[:min(len(out), schedules.MaxBatch)], nil
}

// spansNow are where the synchronizer has had the tasks of the file before, by their ids.
func (d *planDiff) spansNow() (map[string]dated.Span, error) {
	now := make(map[string]dated.Span)
	local := func(t twinplatform.DateTime) worktime.Time {
		if t.IsZero() {
			return 0
		}
		return worktime.Of(t.Time, d.zone)
	}
	for p, err := range synchronizers.InFiles.All(d.Tx, d.Scope, records.Join(d.w.SynchronizerID, "")) {
		if err == nil {
			err = records.Interrupted(d.Tx)
		}
		if err != nil {
			return nil, err
		}
		now[p.TaskID] = dated.Span{
			Start:  local(cmp.Or(p.File.Start, p.File.EarlyStart)),
			Finish: local(cmp.Or(p.File.Finish, p.File.EarlyFinish)),
		}
	}
	return now, nil
}

// spanOf is where the file has the task at a place.
func (d *planDiff) spanOf(place int) dated.Span {
	t, computed := &d.file.Tasks[place], d.scheduled.Dates(place)
	return dated.Span{
		Start:  cmp.Or(t.File.Start, t.File.EarlyStart, computed.Start),
		Finish: cmp.Or(t.File.Finish, t.File.EarlyFinish, computed.Finish),
	}
}

// moves is a plan of the tasks that are created or move.
func (d *planDiff) moves(now map[string]dated.Span) (*dated.Plan, error) {
	p := d.scheduled.Dated()
	p.Assignments, p.Resources = nil, nil
	keep := make([]bool, len(p.Tasks))
	for i := range slices.Backward(p.Tasks) {
		t, id := &p.Tasks[i], d.filed[d.file.Tasks[i].ID].id()
		span := d.spanOf(i)
		t.Start, t.Finish, t.Baseline = span.Start, span.Finish, dated.Span{}
		if _, there := d.tasks.now[id]; there {
			t.Baseline = cmp.Or(now[id], span)
		}
		if moved := t.Baseline.Start != t.Start || t.Baseline.Finish != t.Finish; moved && d.tasks.puts[id] != nil {
			keep[i] = true
		}
		if keep[i] && t.Parent != dated.None {
			keep[t.Parent] = true
		}
	}
	return p.With(func(i int) bool { return keep[i] }), nil
}

// defaultDeletedShare and leastDeleted are how much of what it has made a synchronization deletes
// at most: that share of the tasks, or so many of them.
const (
	defaultDeletedShare = 0.5
	leastDeleted        = 10
)

// guardTasks refuses a synchronization that deletes more of the tasks than it may, which happens
// with a file of another plan. A preview shows the refusal.
func (d *planDiff) guardTasks() error {
	if d.w.Type != synchronizers.SynchronizationFrom {
		return nil
	}
	made, going := 0, make(map[string]bool)
	for _, gone := range d.Gone {
		for _, change := range gone {
			going[change.Gone] = going[change.Gone] || change.Records == core.Tasks.Name
		}
	}
	deleted := 0
	for _, item := range d.ItemsOf(tasksKind).All {
		_, there := d.tasks.now[item.RecordID]
		ours := d.w.Modes.Tasks == importing.Synchronize || item.SynchronizerID == d.w.SynchronizerID
		if !there || !ours {
			continue
		}
		made++
		if going[item.RecordID] {
			deleted++
		}
	}
	share, least := defaultDeletedShare, leastDeleted
	if d.w.MaxDeletedShare != nil {
		share, least = *d.w.MaxDeletedShare, 0
	}
	if deleted <= least || float64(deleted) <= share*float64(made) {
		return nil
	}
	d.refusal = &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "SynchronizationDeletesTasks", Target: "fileId",
		Message: fmt.Sprintf("The synchronization would delete %d of the %d tasks that files have made, which are "+
			"not in this "+
			"file, and was not begun: at most %.0f %% of them may go. If the file is another plan, choose the right "+
			"one; if it "+
			"holds an update under another name, say which project of the schedule it updates; to delete them all "+
			"the same, "+
			"allow a larger share in the options.", deleted, made, 100*share),
	}
	if d.w.Preview {
		return nil
	}
	for _, change := range d.found.of(d) {
		d.refusal.Details = append(d.refusal.Details, change.details()...)
	}
	return d.refusal
}

// namedInDetail is how long the names of records are that one detail of an error has, in bytes.
const namedInDetail = 2_000

// details are the changes as reasons of a refusal.
func (c *PreviewedChanges) details() (out []twinplatform.Detail) {
	for _, of := range []struct {
		code, text string
		records    *PreviewedRecords
	}{
		{"WouldCreate", "created", &c.Created},
		{"WouldUpdate", "updated", &c.Updated},
		{"WouldDelete", "deleted", &c.Deleted},
	} {
		if of.records.Count == 0 {
			continue
		}
		var names strings.Builder
		shown := 0
		for _, r := range of.records.Records {
			name := strings.TrimSpace(string(r.UserDefinedID) + " " + r.Name)
			if names.Len()+len(name) > namedInDetail {
				break
			}
			if shown++; shown > 1 {
				names.WriteString(", ")
			}
			names.WriteString(name)
		}
		if more := of.records.Count - shown; more > 0 {
			fmt.Fprintf(&names, " and %d more", more)
		}
		message := fmt.Sprintf("%d %s would be %s: %s.", of.records.Count, c.Type, of.text, names.String())
		out = append(out, twinplatform.Detail{Code: of.code, Target: c.Type, Message: message})
	}
	return out
}

// foundChanges are the records of each type that are created, updated and deleted, in the order in
// which the types are compared.
type foundChanges struct {
	types []string
	by    map[string]*[3]foundRecords
}

// foundRecords are how many there are, and the first of them.
type foundRecords struct {
	count int
	first []any
}

// add takes up a record.
func (f *foundChanges) add(typ string, o importing.Outcome, v any) {
	of := f.by[typ]
	if of == nil {
		if f.by == nil {
			f.by = make(map[string]*[3]foundRecords)
		}
		of = new([3]foundRecords)
		f.by[typ], f.types = of, append(f.types, typ)
	}
	r := &of[o]
	if r.count++; len(r.first) < MaxPreviewed {
		r.first = append(r.first, v)
	}
}

// of are the changes with the names of their records.
func (f *foundChanges) of(d *planDiff) []PreviewedChanges {
	named := recordNames{d: d, written: make(map[string]any)}
	for i := range d.Changes {
		named.note(d.Changes[i].Value)
	}
	for _, t := range d.tasks.puts {
		named.note(t)
	}
	out := make([]PreviewedChanges, 0, len(f.types))
	for _, typ := range f.types {
		c := PreviewedChanges{Type: typ}
		for o, into := range []*PreviewedRecords{
			importing.Created: &c.Created, importing.Updated: &c.Updated, importing.Deleted: &c.Deleted,
		} {
			r := f.by[typ][o]
			into.Count, into.Records = r.count, make([]PreviewedRecord, 0, len(r.first))
			for _, v := range r.first {
				record := named.record(v)
				if importing.Outcome(o) == importing.Created {
					record.ID = ""
				}
				into.Records = append(into.Records, record)
			}
		}
		out = append(out, c)
	}
	return out
}

// recordNames are what records are called for people.
type recordNames struct {
	d       *planDiff
	written map[string]any // those that are written, by collections and ids
}

// note takes up a record that is written.
func (n *recordNames) note(v any) {
	switch v := v.(type) {
	case *schedules.Task:
		n.written[core.Tasks.Name+"/"+v.ID] = v
	case *schedules.Resource:
		n.written[core.Resources.Name+"/"+v.ID] = v
	case *codes.CodeValue:
		n.written[codes.Imported.Values.Records.Name()+"/"+v.ID] = v
	case *userfields.UserField:
		n.written[userfields.Imported.Fields.Records.Name()+"/"+v.ID] = v
	}
}

// record is one as a preview has it.
func (n *recordNames) record(v any) PreviewedRecord {
	id := func(s string) twinplatform.NullString { return twinplatform.NullString(s) }
	switch v := v.(type) {
	case *schedules.Task:
		return PreviewedRecord{ID: id(v.ID), Name: v.Name, UserDefinedID: id(v.UserDefinedID)}
	case *schedules.Resource:
		return PreviewedRecord{ID: id(v.ID), Name: v.Name, UserDefinedID: v.UserDefinedID}
	case *schedules.TaskLink:
		name := fmt.Sprintf("%s → %s (%s)", n.task(v.PredecessorID), n.task(v.SuccessorID), v.Type)
		return PreviewedRecord{ID: id(v.ID), Name: name}
	case *schedules.ResourceAssignment:
		return PreviewedRecord{ID: id(v.ID), Name: n.task(v.TaskID) + ": " + n.resource(v.ResourceID)}
	case *schedules.Calendar:
		return PreviewedRecord{ID: id(v.ID), Name: v.Name}
	case *codes.Code:
		return PreviewedRecord{ID: id(v.ID), Name: v.Name}
	case *codes.CodeValue:
		return PreviewedRecord{ID: id(v.ID), Name: v.Name}
	case *codes.CodeValueAssignment:
		name := n.task(v.TaskID) + ": " + n.value(v.CodeValueID)
		return PreviewedRecord{ID: id(records.Join(v.TaskID, v.CodeValueID)), Name: name}
	case *userfields.UserField:
		return PreviewedRecord{ID: id(v.ID), Name: v.Name}
	case *userfields.UserFieldValue:
		of, object := v.TaskID, n.task(v.TaskID)
		if v.ResourceID != "" {
			of, object = v.ResourceID, n.resource(v.ResourceID)
		}
		name := fmt.Sprintf("%s: %s = %s", object, n.field(v.UserFieldID), v.Value)
		return PreviewedRecord{ID: id(records.Join(of, v.UserFieldID)), Name: name}
	}
	return PreviewedRecord{}
}

// find is a record that is written, or else the one that is there; nil is none.
func (n *recordNames) find(c *records.Table, id string) any {
	if v, ok := n.written[c.Name()+"/"+id]; ok {
		return v
	}
	found, err := c.Lookup(n.d.Tx, n.d.Scope, id)
	if err != nil { // a preview names it by its id then
		return nil
	}
	return found
}

func (n *recordNames) task(id string) string {
	if t, ok := n.find(core.Tasks.Table(), id).(*schedules.Task); ok && t != nil {
		return cmp.Or(t.UserDefinedID, t.Name)
	}
	return id
}

func (n *recordNames) resource(id string) string {
	if r, ok := n.find(core.Resources.Table(), id).(*schedules.Resource); ok && r != nil {
		return r.Name
	}
	return id
}

func (n *recordNames) value(id string) string {
	if v, ok := n.find(codes.Imported.Values.Records, id).(*codes.CodeValue); ok && v != nil {
		return v.Name
	}
	return id
}

func (n *recordNames) field(id string) string {
	if f, ok := n.find(userfields.Imported.Fields.Records, id).(*userfields.UserField); ok && f != nil {
		return f.Name
	}
	return id
}
