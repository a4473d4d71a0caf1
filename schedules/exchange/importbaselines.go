package exchange

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const baselinesKind = "baselines"

// compareBaselines takes along the baselines of the file, as far as its tasks are. Those
// that were made here stay.
func (d *planDiff) compareBaselines() error {
	mode := d.w.Modes.Tasks
	if mode == importing.Skip {
		return nil
	}
	items, seen := d.ItemsOf(baselinesKind), make(map[*importing.Item]bool)
	keys, aliases := make(importing.Names), make(importing.Names)
	for i := range d.file.Baselines {
		b := &d.file.Baselines[i]
		of := "b:" + d.projects[b.ProjectID] + "/"
		key, alias := keys.Name(of+b.ID), ""
		var item *importing.Item
		if b.Code != "" { // which P6 keeps when it gives another number
			alias = aliases.Name(of + "c:" + b.Code)
			item = items.ByAlias(alias)
		}
		if item == nil || seen[item] {
			item = items.ByKey(key)
		}
		if seen[item] {
			item = nil
		}
		seen[item] = item != nil
		if err := d.compareBaseline(b, key, alias, item); err != nil {
			return err
		}
	}
	if err := d.KeepItems(baselinesKind); err != nil {
		return err
	}
	var gone []importing.Change
	for _, item := range items.All {
		if seen[item] || mode == importing.Consolidate ||
			mode == importing.Integrate && item.SynchronizerID != d.w.SynchronizerID {
			continue
		}
		gone = append(gone, importing.Change{Records: core.Baselines.Name, Gone: item.RecordID})
		d.Forget(item)
	}
	d.Gone = append(d.Gone, gone)
	return nil
}

func (d *planDiff) compareBaseline(b *planner.Baseline, key, alias string, item *importing.Item) error {
	content := d.baselineContent(b)
	hashes := []string{importing.HashOf(content.Compared(nil))}
	id := ""
	if item != nil {
		id = item.RecordID
	}
	stored, err := core.Baselines.Lookup(d.Tx, d.Scope, id)
	if err != nil {
		return err
	}
	if item != nil && item.Hashes[0] == hashes[0] && (stored != nil || d.w.Modes.Tasks != importing.Synchronize) {
		return nil
	}
	if id == "" {
		id = d.s.Env.NewID()
	}
	v := importedBaseline{Baseline: schedules.Baseline{ID: id, CreatedOn: d.s.Now()}}
	content.Set(&v)
	if err := d.writeBaseline(&v); err != nil {
		return err
	}
	if stored != nil {
		d.Changes = append(d.Changes, importing.Change{Records: importing.FormerRows, Gone: core.RowsOf(stored)})
	}
	d.ItemsOf(baselinesKind).Put(&importing.Item{
		Sort: baselinesKind, RecordID: id, SynchronizerID: d.w.SynchronizerID,
		Key: importing.ShortName(key), Alias: importing.ShortName(alias), Hashes: hashes,
	}, false)
	return nil
}

// writeBaseline writes a baseline with rows of its own, which a baseline before it does not share.
func (d *planDiff) writeBaseline(v *importedBaseline) error {
	rows := d.s.Env.NewID()
	for _, row := range v.Tasks {
		row.BaselineID = v.Baseline.ID
		if err := d.WriteJSON(core.BaselineTasks("").Name,
			importing.Row[schedules.BaselineTask]{Rows: rows, Row: row}); err != nil {
			return err
		}
	}
	for _, row := range v.Links {
		row.BaselineID = v.Baseline.ID
		if err := d.WriteJSON(core.BaselineTaskLinks("").Name,
			importing.Row[schedules.BaselineTaskLink]{Rows: rows, Row: row}); err != nil {
			return err
		}
	}
	return d.WriteJSON(core.Baselines.Name, importing.WithRows[schedules.Baseline]{Baseline: v.Baseline, Rows: rows})
}

// filedBaseline is what a file has of a baseline. Its rows are records of their own.
type filedBaseline struct {
	Name, Code string
	Current    bool
	ProjectID  twinplatform.NullString
	DataDate   worktime.Time // 0: the file has none
	Tasks      []schedules.BaselineTask
	Links      []schedules.BaselineTaskLink

	zone *time.Location // of the schedule
}

func (d *planDiff) baselineContent(b *planner.Baseline) *filedBaseline {
	c := &filedBaseline{
		Name:    d.nameFor("a baseline", b.ID, cmp.Or(b.Name, b.Code, "Baseline "+b.ID), schedules.MaxText),
		Code:    d.text("a baseline", b.Code, schedules.MaxText),
		Current: b.Current, ProjectID: twinplatform.NullString(d.projectIDs[b.ProjectID]), DataDate: b.DataDate,
		zone: d.zone,
	}
	c.Tasks, c.Links = d.rowsOf(b)
	return c
}

// Compared implements importing.Content.
func (c *filedBaseline) Compared(*importing.Facts) any {
	content := []any{c.Name, c.DataDate, c.Tasks, c.Links}
	if c.Code != "" || c.Current || c.ProjectID != "" { // as in filedProgress
		content = append(content, c.Code, c.Current, c.ProjectID)
	}
	return content
}

// Set implements importing.Content.
func (c *filedBaseline) Set(v *importedBaseline) {
	b := &v.Baseline
	b.Name, b.Code, b.IsCurrent, b.ProjectID = c.Name, c.Code, c.Current, c.ProjectID
	if c.DataDate != 0 {
		b.CreatedOn = twinplatform.At(c.DataDate.In(c.zone))
	}
	v.Tasks, v.Links = c.Tasks, c.Links
}

// importedBaseline is a baseline that an import makes, with its rows.
type importedBaseline struct {
	Baseline schedules.Baseline
	Tasks    []schedules.BaselineTask
	Links    []schedules.BaselineTaskLink
}

// rowsOf are the rows of a baseline.
func (d *planDiff) rowsOf(b *planner.Baseline) (tasks []schedules.BaselineTask, links []schedules.BaselineTaskLink) {
	ids, taken, of := make(map[string]string), make(map[string]bool), amounts{
		d: d, what: "baseline",
		id: cmp.Or(b.Code, b.ID),
	}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		id := cmp.Or(d.filed[t.TaskID].id(), "planner-"+cmp.Or(t.ExternalID, t.ID))
		id, _ = importing.Cut(strings.ReplaceAll(id, "/", "-"), schedules.MaxID)
		if taken[id] {
			d.Warn("Warning: The baseline '%s' has the task (ID=%s) more than once; one was ignored.",
				cmp.Or(b.Name, b.ID), cmp.Or(t.Code, t.ID))
			continue
		}
		taken[id], ids[t.ID] = true, id
		row := schedules.BaselineTask{
			PlannedCost: of.of(t.Cost), PlannedWork: of.of(t.Work), TotalFloat: t.TotalFloat,
			TaskID: id, Name: d.nameFor("a task of a baseline", cmp.Or(t.Code, t.ID), t.Name, schedules.MaxText),
			UserDefinedID: d.text("a task of a baseline", t.Code, schedules.MaxText),
			StartDate:     d.at(t.Start), FinishDate: d.at(t.Finish),
			Duration: int32(min(max(t.Duration, 0), math.MaxInt32)),
		}
		if d.file.Format != planner.MSPDI { // where it is that of the task
			row.ExternalID = d.text("a task of a baseline", t.ExternalID, schedules.MaxText)
		}
		tasks = append(tasks, row)
	}
	of.warn()
	for i := range b.Links {
		l := &b.Links[i]
		from, to := ids[l.PredecessorID], ids[l.SuccessorID]
		if from == "" || to == "" {
			continue
		}
		links = append(links, schedules.BaselineTaskLink{
			TaskLinkID: fmt.Sprintf("planner-%d", i+1), PredecessorID: from, SuccessorID: to, Type: linkTypesOf[l.Type],
			Lag: int32(min(max(l.Lag, math.MinInt32), math.MaxInt32)),
		})
	}
	return tasks, links
}
