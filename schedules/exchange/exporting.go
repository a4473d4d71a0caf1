package exchange

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// PlannerFormat is that of a file for a planning tool.
type PlannerFormat string

// The formats.
const (
	FormatXER   PlannerFormat = "XER"   // of Primavera P6
	FormatP6XML PlannerFormat = "P6XML" // the XML of Primavera P6
	FormatMSPDI PlannerFormat = "MSPDI" // the XML of Microsoft Project
)

var plannerFormats = []PlannerFormat{FormatXER, FormatP6XML, FormatMSPDI}

// extensions are how the names of files end.
var extensions = map[PlannerFormat]string{FormatXER: ".xer", FormatP6XML: ".xml", FormatMSPDI: ".xml"}

// PlannerExport asks for a file of a schedule for a planning tool.
type PlannerExport struct {
	Format PlannerFormat `json:"format"` // required
	// SynchronizerID is the synchronizer that records the export: one that there is, of
	// which it becomes the last synchronization, or a new one. The platform chooses a new
	// id when it is empty.
	SynchronizerID string `json:"synchronizerId"`
}

// exporting is what the journal keeps of an export.
type exporting struct {
	model.Place
	PlannerExport

	AccountID string `json:"accountId"`
	// Written reports that the file is there, and Details what is in it.
	Written bool                                 `json:"written,omitempty"`
	Details synchronizers.SynchronizationDetails `json:"details,omitzero"`
	// Projects are those of the file.
	Projects []synchronizers.PlannerProject `json:"projects,omitempty"`
}

// defineExports registers with the runner how exports are made.
func defineExports(s *exchanges) jobs.Kind[exporting, struct{}] {
	return jobs.DefineOutside(s.Jobs, "planner.export", jobs.Outside[exporting]{
		Step:   s.exportStep,
		Failed: func(context.Context, exporting, *twinplatform.Error) (bool, error) { return false, nil },
	}, "plannerExports.create").Holdable()
}

// Export makes a file of a schedule for a planning tool (POST …/exports/planner), as a
// long-running operation: its calendars, tasks in their tree, links, constraints, progress,
// resources and assignments with what they cost, codes and user fields with their values, with
// the rules and the data date by which it is scheduled, comments and descriptions as notes, and its
// baselines. It shows the schedule as it is at one moment between the call and the end of the operation.
//
// Once the operation has succeeded its subject, a synchronizer of type Export, has how many
// records are in the file, and names in its warnings what the format does not hold. Then
// OpenExport returns the file, for files.FileTime; it counts among the files of the
// schedule. A failed operation leaves the synchronizer as it was.
//
// Statuses, rules and all appearance are not in the file. It needs
// PermissionModify, since it is recorded in the schedule.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that is
// not of type v10, MissingRequiredProperty (format) or InvalidValue (format,
// synchronizerId); ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// FileQuotaExceeded beyond files.MaxFiles and files.MaxFilesBytes, which also fails the
// operation, as AccountStorageFull and StorageFull do.
func (p Plan) Export(ctx context.Context, r PlannerExport) (res twinplatform.Result[synchronizers.Synchronizer],
	err error,
) {
	var c problem.Checks
	if c.Need("format", string(r.Format), schedules.MaxText); r.Format != "" {
		problem.OneOf(&c, "format", r.Format, plannerFormats)
	}
	c.ID("synchronizerId", r.SynchronizerID)
	if err := c.Err(schedules.InvalidRequest); err != nil {
		return res, err
	}
	s := p.s
	r.SynchronizerID = s.IDOr(r.SynchronizerID)
	err = s.Bench().Call(ctx, func(j *judge.Judge) error {
		w := exporting{PlannerExport: r}
		done, err := s.exports.Start(ctx,
			jobs.Spec{
				Subjects: []string{r.SynchronizerID}, Keep: true, Contention: model.Contention(p.id),
				Open: func(u *records.Update) (records.Scope, error) {
					sc, err := s.Changeable(u, j, p.id)
					if err == nil {
						err = model.V10Only(sc)
					}
					if err == nil {
						_, err = s.Ready(u, sc.Place, false)
					}
					if err == nil {
						err = files.Of(s.Area).Room(u, sc.Scope)
					}
					if err != nil {
						return "", err
					}
					w.Place, w.AccountID = sc.Place, sc.AccountID
					return sc.Scope, nil
				},
			}, &w)
		res = twinplatform.Pending[synchronizers.Synchronizer](done.Operation, done.Wait)
		return err
	})
	return res, err
}

// ExportedFile is the file of an export, whose bytes are read while the context lasts of the
// call that returned it.
type ExportedFile struct {
	io.Reader
	Name   string // after the schedule, with .xer or .xml behind
	Length int64  // in bytes
}

var exportMissing = problem.NotFound("FileNotFound", "synchronizerId", "file of the export")

// OpenExport returns the file of the last export of a synchronizer (GET
// …/exports/planner/synchronizers/{synchronizerId}/file). Reading fails with FileNotFound
// once the file is forgotten.
//
// Errors: SynchronizerNotFound, also for a schedule that is missing, or not for the caller to
// see; FileNotFound (synchronizerId) where no export has made a file, and once it is
// forgotten, files.FileTime after it was made.
func (p Plan) OpenExport(ctx context.Context, synchronizerID string) (*ExportedFile, error) {
	var f *files.File
	kept := files.Of(p.s.Area)
	err := p.s.Read(ctx, p.id, synchronizers.Missing, func(v *records.View, sc *model.Schedule) error {
		has, err := synchronizers.Records.Has(v, sc.Scope, synchronizerID)
		if err != nil {
			return err
		}
		if !has {
			return synchronizers.Missing.Err()
		}
		f, err = kept.Export(v, sc.Scope, synchronizerID)
		return exportMissing.Or(err)
	})
	if err != nil {
		return nil, err
	}
	return &ExportedFile{Reader: kept.Open(ctx, f), Name: f.Name(), Length: f.Length}, nil
}

// exportStep writes the file, and then records it.
func (s *exchanges) exportStep(ctx context.Context, w exporting) (exporting, jobs.Progress, error) {
	if !w.Written {
		err := s.writeExport(ctx, &w)
		w.Written = true
		return w, jobs.Progress{Percent: 80}, err
	}
	return w, jobs.Done, s.DB.Update(ctx, func(u *records.Update) error {
		sc, err := s.Ready(u, w.Place, true)
		if err != nil {
			return err
		}
		y, err := synchronizers.Records.Lookup(u, w.Scope, w.SynchronizerID)
		if err != nil {
			return err
		}
		if y == nil {
			y = &synchronizers.Synchronizer{ID: w.SynchronizerID, SynchronizerName: sc.Name}
		}
		y.ProjectName, y.ProjectPath, y.Projects = sc.Name, "", w.Projects
		y.SynchronizationTime, y.SynchronizationType, y.SynchronizationDetails = s.Now(),
			synchronizers.SynchronizationExport,
			w.Details
		y.Complete(y.SynchronizationTime)
		_, err = synchronizers.Records.Put(u, w.Scope, y)
		return err
	})
}

// writeExport makes the file of an export.
func (s *exchanges) writeExport(ctx context.Context, w *exporting) error {
	var p *planner.Plan
	var warnings []string
	var name string
	err := s.DB.View(ctx, func(v *records.View) error {
		sc, err := s.Ready(v, w.Place, true)
		if err == nil {
			name = sc.Name
			p, warnings, err = s.planOf(v, sc, w.Format)
		}
		return err
	})
	if err != nil {
		return err
	}
	var content bytes.Buffer
	lost, err := planner.Options{Page: planner.UTF8}.Write(&content, p, planner.Format(w.Format))
	if err != nil {
		return err
	}
	created := &w.Details.Created
	tasks := len(p.Tasks)
	if w.Format == FormatXER {
		tasks -= len(p.Projects) // which stand for these
	}
	created.Calendars, created.Tasks, created.Links = new(len(p.Calendars)), new(tasks), new(len(p.Links))
	created.Resources, created.ResourceAssignments = new(len(p.Resources)), new(len(p.Assignments))
	counted := func(to **int, n int) { *to = new(n) }
	var coded, valued, taskCodes, taskCodeValues int
	for i := range p.Tasks {
		coded, valued = coded+len(p.Tasks[i].CodeValueIDs), valued+len(p.Tasks[i].Values)
	}
	for i := range p.Resources {
		valued += len(p.Resources[i].Values)
	}
	of := make(map[string]planner.Subject)
	for _, c := range p.Codes {
		if of[c.ID] = c.Of; c.Of == planner.OfTasks {
			taskCodes++
		}
	}
	for _, x := range p.CodeValues {
		if of[x.CodeID] == planner.OfTasks {
			taskCodeValues++
		}
	}
	counted(&created.ActivityCodes, taskCodes)
	counted(&created.ActivityCodeValues, taskCodeValues)
	counted(&created.ResourceCodes, len(p.Codes)-taskCodes)
	counted(&created.ResourceCodeValues, len(p.CodeValues)-taskCodeValues)
	counted(&created.ActivityCodeValuesAssignments, coded)
	counted(&created.UserFields, len(p.UserFields))
	counted(&created.UserFieldValues, valued)
	counted(&created.CostCodes, len(p.Accounts))
	for _, l := range lost {
		warnings = append(warnings, fmt.Sprintf("Warning: %s: %s", l.What, l.Text))
	}
	w.Details.Warnings = []synchronizers.SynchronizationWarning{}
	for _, text := range warnings[:min(len(warnings), schedules.MaxBatch)] {
		short, _ := importing.Cut(text, schedules.MaxText)
		w.Details.Warnings = append(w.Details.Warnings, synchronizers.SynchronizationWarning{Message: short})
	}
	for _, x := range p.Projects {
		w.Projects = append(w.Projects, synchronizers.PlannerProject{ID: x.ID, UserDefinedID: x.Code})
	}
	name = cmp.Or(name, "Plan") + extensions[w.Format]
	return files.Of(s.Area).Keep(ctx, &files.Exported{
		Holder: w.Scope, AccountID: w.AccountID, SynchronizerID: w.SynchronizerID, Name: name, Content: content.Bytes(),
	})
}

// describeExports declares the limits of the body of an export.
func describeExports(b *schema.Book) {
	schema.Enum(b, plannerFormats)
	b.Has(reflect.TypeFor[PlannerExport](), schema.Need("format", schema.Value{}),
		schema.May("synchronizerId", schema.AtMost(schedules.MaxID)))
}
