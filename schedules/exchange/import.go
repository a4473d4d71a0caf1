package exchange

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// SyncMode is what a synchronization does with records of a kind, where the file and the
// schedule differ. What came from a file is known by its identity in the planner, through
// any number of files.
type SyncMode string

// The modes.
const (
	// SkipMode leaves the records of the schedule as they are.
	SkipMode SyncMode = "Skip"
	// SynchronizeMode makes them those of the file: what differs becomes as it is there,
	// and what the file does not have goes, also what was made here.
	SynchronizeMode SyncMode = "Synchronize"
	// IntegrateMode follows what has changed from the file before to this one: what is new
	// in it comes, what has changed becomes as it is there, and what is no longer in it
	// goes. What was made or changed here stays.
	IntegrateMode SyncMode = "Integrate"
	// ConsolidateMode is IntegrateMode, but what is no longer in the file stays.
	ConsolidateMode SyncMode = "Consolidate"
)

var syncModes = []SyncMode{SkipMode, SynchronizeMode, IntegrateMode, ConsolidateMode}

// PlannerFile names the file to import.
type PlannerFile struct {
	// FileID is a whole File of the schedule; required. XER and XML of Primavera P6 and
	// XML of Microsoft Project are recognized by their content.
	FileID string `json:"fileId"`
	// FilePath is where its user has it; up to MaxText characters. The synchronizer shows
	// it.
	FilePath string `json:"filePath"`
	// SynchronizerID is the synchronizer that records the import. An import makes one of
	// this id, which the platform chooses when it is empty, or continues one that there
	// is; a synchronization needs one that there is.
	SynchronizerID string `json:"synchronizerId"`
	// Preview asks for what would be done, over HTTP. In Go, [Plan.PreviewImport] answers it,
	// and what imports takes no request with it.
	Preview bool `json:"preview,omitempty"`
}

// ImportedProject is a project of a file that is to be imported.
type ImportedProject struct {
	ID            string `json:"id"`            // by the file, or its code; required
	Name          string `json:"name"`          // has no meaning
	UserDefinedID string `json:"userDefinedId"` // its code, which counts where no project has the ID
	// ScheduleProjectID is the id or the code of the project of the schedule that it updates,
	// which no other does: needed where the file has several and the planner gives them
	// other ids and codes than before.
	ScheduleProjectID string `json:"scheduleProjectId,omitempty"`
}

// PlannerImport asks for the import of a file of Primavera P6.
type PlannerImport struct {
	PlannerFile

	Projects []ImportedProject    `json:"projects"` // all of the file when there are none; up to MaxBatch
	Options  PlannerImportOptions `json:"options"`
}

// PlannerImportOptions select what of a file is imported. What is left out is true where
// it begins with import, and false otherwise.
type PlannerImportOptions struct {
	// CodePage is that of an XER which is not in UTF-8, "windows-1256" or "1256"; there are 874, 932, 936, 949, 950
	// and 1250 to 1258. It is windows-1252 where it is empty, with a warning if that matters.
	CodePage string `json:"codePage"`

	// which tasks have which values
	ImportActivityCodeAssignments twinplatform.Optional[bool] `json:"importActivityCodeAssignments,omitzero"`
	// with their values
	ImportActivityCodes twinplatform.Optional[bool] `json:"importActivityCodes,omitzero"`
	// and the default one
	ImportCalendars twinplatform.Optional[bool] `json:"importCalendars,omitzero"`
	// as values of the code of category Cost
	ImportCostAccounts twinplatform.Optional[bool] `json:"importCostAccounts,omitzero"`
	// costs of assignments, expenses of tasks and rates of resources
	ImportCosts twinplatform.Optional[bool] `json:"importCosts,omitzero"`
	// between tasks of the schedule
	ImportLinks twinplatform.Optional[bool] `json:"importLinks,omitzero"`
	// as comments of tasks and descriptions of resources
	ImportNotebooks twinplatform.Optional[bool] `json:"importNotebooks,omitzero"`
	// of resources of the schedule
	ImportResourceAssignments twinplatform.Optional[bool] `json:"importResourceAssignments,omitzero"`
	// a schedule keeps none; true warns of what stays behind
	ImportResourceCodeAssignments twinplatform.Optional[bool] `json:"importResourceCodeAssignments,omitzero"`
	// with their values
	ImportResourceCodes twinplatform.Optional[bool] `json:"importResourceCodes,omitzero"`
	// with what they are below
	ImportResources       twinplatform.Optional[bool] `json:"importResources,omitzero"`
	ImportTaskConstraints twinplatform.Optional[bool] `json:"importTaskConstraints,omitzero"` // and expected finishes
	// with what they are below
	ImportTasks           twinplatform.Optional[bool] `json:"importTasks,omitzero"`
	ImportUserFieldValues twinplatform.Optional[bool] `json:"importUserFieldValues,omitzero"` // of tasks and resources
	ImportUserFields      twinplatform.Optional[bool] `json:"importUserFields,omitzero"`      // of tasks and resources

	// ConstrainExternalDates makes constraints of the dates that tasks have from projects
	// which the file does not hold.
	ConstrainExternalDates twinplatform.Optional[bool] `json:"constrainExternalDates,omitzero"`
	// CreateProjectNodes puts the tasks of each project below one that stands for it.
	CreateProjectNodes twinplatform.Optional[bool] `json:"createProjectNodes,omitzero"`
	// MergeActivityCodes and MergeResourceCodes take codes of the schedule that have the
	// name of one of the file for it, with their values.
	MergeActivityCodes twinplatform.Optional[bool] `json:"mergeActivityCodes,omitzero"`
	MergeResourceCodes twinplatform.Optional[bool] `json:"mergeResourceCodes,omitzero"`
	// UseWBSCodes gives what is above tasks its WBS code as the user-defined id, and knows
	// it again by that.
	UseWBSCodes twinplatform.Optional[bool] `json:"useWBSCodes,omitzero"`
}

// MicrosoftProjectImport asks for the import of a file of Microsoft Project.
type MicrosoftProjectImport struct {
	PlannerFile

	Options MicrosoftProjectImportOptions `json:"options"`
}

// MicrosoftProjectImportOptions select what of a file is imported: all that is left out.
type MicrosoftProjectImportOptions struct {
	CodePage string `json:"codePage"` // that of PlannerImportOptions

	// which tasks have which values
	ImportActivityCodeAssignments twinplatform.Optional[bool] `json:"importActivityCodeAssignments,omitzero"`
	// outline codes, with their values
	ImportActivityCodes twinplatform.Optional[bool] `json:"importActivityCodes,omitzero"`
	// and the default one
	ImportCalendars twinplatform.Optional[bool] `json:"importCalendars,omitzero"`
	// costs of assignments, expenses of tasks and rates of resources
	ImportCosts twinplatform.Optional[bool] `json:"importCosts,omitzero"`
	// between tasks of the schedule
	ImportLinks twinplatform.Optional[bool] `json:"importLinks,omitzero"`
	// of resources of the schedule
	ImportResourceAssignments twinplatform.Optional[bool] `json:"importResourceAssignments,omitzero"`
	// a schedule keeps none; true warns of what stays behind
	ImportResourceCodeAssignments twinplatform.Optional[bool] `json:"importResourceCodeAssignments,omitzero"`
	// with their values
	ImportResourceCodes   twinplatform.Optional[bool] `json:"importResourceCodes,omitzero"`
	ImportResources       twinplatform.Optional[bool] `json:"importResources,omitzero"`       // of all types
	ImportTaskConstraints twinplatform.Optional[bool] `json:"importTaskConstraints,omitzero"` // of all types
	// with what they are below
	ImportTasks           twinplatform.Optional[bool] `json:"importTasks,omitzero"`
	ImportUserFieldValues twinplatform.Optional[bool] `json:"importUserFieldValues,omitzero"` // of tasks and resources
	ImportUserFields      twinplatform.Optional[bool] `json:"importUserFields,omitzero"`      // of tasks and resources
}

// PlannerSynchronization asks for the synchronization with a file of Primavera P6.
type PlannerSynchronization struct {
	PlannerFile

	Projects []ImportedProject  `json:"projects"` // all of the file when there are none; up to MaxBatch
	Options  PlannerSyncOptions `json:"options"`
}

// PlannerSyncOptions set what becomes of what: what is left out of the modes is
// IntegrateMode, and what is left out of the others false.
type PlannerSyncOptions struct {
	CodePage string `json:"codePage"` // that of PlannerImportOptions

	SyncActivityCodes           SyncMode `json:"syncActivityCodes"`            // with their values
	SyncActivityCodesAssignment SyncMode `json:"syncActivityCodesAssignments"` // which tasks have which values
	SyncCalendars               SyncMode `json:"syncCalendars"`                // and the default one
	SyncCostAccounts            SyncMode `json:"syncCostAccounts"`             // values of the code of category Cost
	// costs of assignments, expenses of tasks and rates of resources
	SyncCosts SyncMode `json:"syncCosts"`
	SyncLinks SyncMode `json:"syncLinks"` // between tasks of the schedule
	// comments of tasks and descriptions of resources
	SyncNotebooks           SyncMode `json:"syncNotebooks"`
	SyncResourceAssignments SyncMode `json:"syncResourceAssignments"` // of resources of the schedule
	// a schedule keeps none; all but Skip warn of what stays behind
	SyncResourceCodeAssignments SyncMode `json:"syncResourceCodeAssignments"`
	SyncResourceCodes           SyncMode `json:"syncResourceCodes"`   // with their values
	SyncResources               SyncMode `json:"syncResources"`       // with what they are below
	SyncTaskActuals             SyncMode `json:"syncTaskActuals"`     // status, actual dates and progress
	SyncTaskConstraints         SyncMode `json:"syncTaskConstraints"` // and expected finishes
	SyncTasks                   SyncMode `json:"syncTasks"`           // all else of them
	SyncUserFieldValues         SyncMode `json:"syncUserFieldValues"` // of tasks and resources
	SyncUserField               SyncMode `json:"syncUserField"`       // of tasks and resources

	// ConstrainExternalDates, CreateProjectNodes and UseWBSCodes are those of an import.
	ConstrainExternalDates twinplatform.Optional[bool] `json:"constrainExternalDates,omitzero"`
	CreateProjectNodes     twinplatform.Optional[bool] `json:"createProjectNodes,omitzero"`
	UseWBSCodes            twinplatform.Optional[bool] `json:"useWBSCodes,omitzero"`
	// UseActivityIDs knows tasks again by their project and activity id first, and only
	// then by the id that the planner gave them when they were made.
	UseActivityIDs twinplatform.Optional[bool] `json:"useActivityIds,omitzero"`
	// MaxDeletedShare is how much of the tasks that its synchronizer has made a synchronization
	// may delete, from 0 to 1, or else it fails; of all that files have made where SyncTasks
	// is SynchronizeMode. Where it is left out, that is half of them, or 10.
	MaxDeletedShare twinplatform.Optional[float64] `json:"maxDeletedShare,omitzero"`
}

// MicrosoftProjectSynchronization asks for the synchronization with a file of Microsoft
// Project.
type MicrosoftProjectSynchronization struct {
	PlannerFile

	Options MicrosoftProjectSyncOptions `json:"options"`
}

// MicrosoftProjectSyncOptions set what becomes of what: what is left out is
// IntegrateMode.
type MicrosoftProjectSyncOptions struct {
	CodePage string `json:"codePage"` // that of PlannerImportOptions

	SyncActivityCodes           SyncMode `json:"syncActivityCodes"`           // outline codes, with their values
	SyncActivityCodeAssignments SyncMode `json:"syncActivityCodeAssignments"` // which tasks have which values
	SyncCalendars               SyncMode `json:"syncCalendars"`               // and the default one
	// costs of assignments, expenses of tasks and rates of resources
	SyncCosts               SyncMode `json:"syncCosts"`
	SyncLinks               SyncMode `json:"syncLinks"`               // between tasks of the schedule
	SyncResourceAssignments SyncMode `json:"syncResourceAssignments"` // of resources of the schedule
	// a schedule keeps none; all but Skip warn of what stays behind
	SyncResourceCodeAssignments SyncMode `json:"syncResourceCodeAssignments"`
	SyncResourceCodes           SyncMode `json:"syncResourceCodes"`   // with their values
	SyncResources               SyncMode `json:"syncResources"`       // of all types
	SyncTaskActuals             SyncMode `json:"syncTaskActuals"`     // status, actual dates and progress
	SyncTaskConstraints         SyncMode `json:"syncTaskConstraints"` // of all types
	SyncTasks                   SyncMode `json:"syncTasks"`           // all else of them
	SyncUserFieldValues         SyncMode `json:"syncUserFieldValues"` // of tasks and resources
	SyncUserFields              SyncMode `json:"syncUserFields"`      // of tasks and resources

	// MaxDeletedShare is that of PlannerSyncOptions.
	MaxDeletedShare twinplatform.Optional[float64] `json:"maxDeletedShare,omitzero"`
}

// Previews implements PlannerRequest.
func (f PlannerFile) Previews() bool { return f.Preview }

func (w *importJob) check(c *problem.Checks) {
	c.Need("fileId", w.FileID, schedules.MaxText)
	c.AtMost("filePath", w.FilePath, schedules.MaxText)
	c.ID("synchronizerId", w.SynchronizerID)
	if w.Type == synchronizers.SynchronizationFrom {
		c.Need("synchronizerId", w.SynchronizerID, schedules.MaxText)
	}
	if w.MaxDeletedShare != nil {
		c.Within("options.maxDeletedShare", *w.MaxDeletedShare, 0, 1)
	}
	if len(w.Projects) > schedules.MaxBatch {
		c.Bad("projects", "At most %d items can be given at once.", schedules.MaxBatch)
		return
	}
	updated := make(map[string]bool)
	for i, p := range w.Projects {
		c.At("projects", i)
		c.Need("id", p.ID, schedules.MaxText)
		c.AtMost("userDefinedId", p.UserDefinedID, schedules.MaxText)
		c.AtMost("scheduleProjectId", p.ScheduleProjectID, schedules.MaxText)
		if p.ScheduleProjectID != "" && updated[p.ScheduleProjectID] {
			c.Bad("scheduleProjectId", "Another project of the file updates '%s'.", p.ScheduleProjectID)
		}
		updated[p.ScheduleProjectID] = true
	}
	c.At("", 0)
}

// job implements PlannerRequest.
func (r PlannerImport) job(c *problem.Checks) importJob {
	return importJob{
		PlannerFile: r.PlannerFile, CodePage: codePage(c, r.Options.CodePage), Projects: r.Projects,
		Modes: r.Options.modes(),
		Type:  synchronizers.SynchronizationImport,
	}
}

// job implements PlannerRequest.
func (r MicrosoftProjectImport) job(c *problem.Checks) importJob {
	return importJob{
		PlannerFile: r.PlannerFile, CodePage: codePage(c, r.Options.CodePage), Modes: r.Options.modes(),
		Type: synchronizers.SynchronizationImport,
	}
}

// job implements PlannerRequest.
func (r PlannerSynchronization) job(c *problem.Checks) importJob {
	return importJob{
		PlannerFile: r.PlannerFile, CodePage: codePage(c, r.Options.CodePage), Projects: r.Projects,
		Modes:           r.Options.modes(c),
		Type:            synchronizers.SynchronizationFrom,
		MaxDeletedShare: shareOf(r.Options.MaxDeletedShare),
	}
}

// job implements PlannerRequest.
func (r MicrosoftProjectSynchronization) job(c *problem.Checks) importJob {
	return importJob{
		PlannerFile: r.PlannerFile, CodePage: codePage(c, r.Options.CodePage), Modes: r.Options.modes(c),
		Type:            synchronizers.SynchronizationFrom,
		MaxDeletedShare: shareOf(r.Options.MaxDeletedShare),
	}
}

// shareOf is a share that a request has, nil where it has none.
func shareOf(o twinplatform.Optional[float64]) *float64 {
	if share, ok := o.Get(); ok {
		return &share
	}
	return nil
}

// Import imports a file of Primavera P6 into a schedule (POST …/imports/planner),
// as a long-running operation: calendars, tasks below those that stand for their WBS,
// links, constraints, progress, resources, assignments, codes, user fields, notes and
// baselines, with the rules and the data date of the planner. What the file has of the
// planner's own dates is kept next to those of the schedule: see [Plan.PlannedTasks].
//
// The file is read and compared with the schedule before anything is written, and where
// something is wrong the operation fails, says what, and leaves the schedule as it was.
// While it writes, which it does in steps, the schedule is in state Processing and takes
// no other changes; readers see what is written so far. An import that is interrupted
// continues where it was, so that in the end all of it is there.
//
// What was imported before, by any synchronizer, is recognized, and not made once more: a
// second import of a file changes nothing. The synchronizer, which is the operation's
// subject, has what was created, updated and deleted, and names in its warnings what of
// the file the schedule does not hold.
//
// The dates stay those of the planner; SchedulingAnalyses shows from then on what the
// logic of the plan finds besides. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that
// is not of type v10, MissingRequiredProperty (fileId) or InvalidValue (synchronizerId,
// filePath, projects, options.codePage, and fileId for a file that is not there, not whole, or cannot be
// imported; an MPP is one of these, and is to be saved as XML first); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized.
func (p Plan) Import(ctx context.Context, r PlannerImport) (twinplatform.Result[synchronizers.Synchronizer], error) {
	return p.startImport(twinplatform.WithOperationKind(ctx, "plannerImports.create"), r)
}

// ImportMicrosoftProject imports a file of Microsoft Project into a schedule (POST
// …/imports/microsoft-project), as Import does.
//
// Errors: as Import.
func (p Plan) ImportMicrosoftProject(ctx context.Context,
	r MicrosoftProjectImport) (twinplatform.Result[synchronizers.Synchronizer],
	error,
) {
	return p.startImport(twinplatform.WithOperationKind(ctx, "microsoftProjectImports.create"), r)
}

// Synchronize brings a schedule that was imported from Primavera P6 up to a newer
// file (POST …/imports/planner/synchronize), in the way that a [SyncMode] sets for each
// kind of records. All else is as with Import.
//
// A project of the file is the one of the schedule that the request says, that has its id, or its
// code; where the file has one project, and the synchronizer has one, these are the same, so that
// a copy of the project for each update is an update. What is in it is known again by the id that
// the planner gave it, by what it was copied from, and by what its users call it: an activity by
// its activity id, a node of the WBS by the codes from the project down, a link by its two tasks and
// its type.
//
// Errors: as Import, also MissingRequiredProperty (synchronizerId) and InvalidValue
// (synchronizerId for one that is not there, options.syncTasks and so on). The operation fails with
// SynchronizationDeletesTasks, with what would be done in its details, where it would delete more
// than options.maxDeletedShare.
func (p Plan) Synchronize(ctx context.Context, r PlannerSynchronization) (
	_ twinplatform.Result[synchronizers.Synchronizer], _ error,
) {
	return p.startImport(twinplatform.WithOperationKind(ctx, "plannerImports.synchronize"), r)
}

// SynchronizeMicrosoftProject brings a schedule that was imported from Microsoft Project up
// to a newer file (POST …/imports/microsoft-project/synchronize), as Synchronize
// does.
//
// Errors: as Synchronize.
func (p Plan) SynchronizeMicrosoftProject(ctx context.Context,
	r MicrosoftProjectSynchronization,
) (twinplatform.Result[synchronizers.Synchronizer], error) {
	return p.startImport(twinplatform.WithOperationKind(ctx, "microsoftProjectImports.synchronize"), r)
}

// startImport accepts an import.
func (p Plan) startImport(ctx context.Context, r PlannerRequest) (res twinplatform.Result[synchronizers.Synchronizer],
	err error,
) {
	s := p.s
	var c problem.Checks
	request := r.job(&c)
	request.check(&c)
	if request.Preview {
		c.Bad("preview", "What is imported is no preview, which Plan.PreviewImport answers.")
	}
	if err := c.Err(schedules.InvalidRequest); err != nil {
		return res, err
	}
	request.SynchronizerID = s.IDOr(request.SynchronizerID)
	err = s.Bench().Call(ctx, func(j *judge.Judge) error {
		w := request
		done, err := s.imports.Start(ctx,
			jobs.Spec{
				Subjects: []string{w.SynchronizerID}, Keep: true, Contention: model.Contention(p.id),
				Open: func(u *records.Update) (records.Scope, error) {
					return s.openImport(u, j, p.id, &w)
				},
			}, &w)
		res = twinplatform.Pending[synchronizers.Synchronizer](done.Operation, done.Wait)
		return err
	})
	return res, err
}

// openImport checks that an import may begin, and makes room for what it notes.
func (s *exchanges) openImport(u *records.Update, j *judge.Judge, scheduleID string, w *importJob) (in records.Scope,
	err error,
) {
	sc, err := s.Changeable(u, j, scheduleID)
	if err == nil {
		err = model.V10Only(sc)
	}
	if err == nil {
		_, err = s.Ready(u, sc.Place, false)
	}
	if err != nil {
		return "", err
	}
	w.Place = sc.Place
	f, err := s.importOf(u, w)
	if err != nil {
		return "", err
	}
	if err := files.Of(s.Area).Extend(u, f); err != nil { // the import has time for it
		return "", err
	}
	w.Stage, err = u.NewScope("plannerimport", core.InAccount(sc.AccountID))
	return sc.Scope, err
}

// importOf is the file of an import, which names a synchronizer where it needs one.
func (s *exchanges) importOf(tx records.Reading, w *importJob) (*files.File, error) {
	f, err := s.importable(tx, w.Scope, w.FileID)
	if err != nil || w.Type != synchronizers.SynchronizationFrom {
		return f, err
	}
	has, err := synchronizers.Records.Has(tx, w.Scope, w.SynchronizerID)
	if err == nil && !has {
		err = model.Invalid(problem.BadValue("synchronizerId", "The schedule has no synchronizer with the id '%s'.",
			w.SynchronizerID))
	}
	return f, err
}

// importable is a file of a schedule that is whole.
func (s *exchanges) importable(tx records.Reading, holder records.Scope, id string) (*files.File, error) {
	f, err := files.Of(s.Area).Find(tx, holder, id)
	if model.IsMissing(err) {
		return nil, badFile("The schedule has no file with the id '%s'.", id)
	}
	if err == nil && !f.Whole() {
		return nil, badFile("The file has only %d of its %d bytes so far.", f.Offset, f.Length)
	}
	return f, err
}

// badFile refuses a file, in words that its user understands.
func badFile(format string, args ...any) error {
	return model.Invalid(problem.BadValue("fileId", "%s", fmt.Sprintf(format, args...)))
}

// describeImports declares the limits of the bodies of imports.
func describeImports(b *schema.Book) {
	file := []schema.Member{
		schema.NeedText("fileId", schedules.MaxText), schema.May("filePath", schema.AtMost(schedules.MaxText)),
		schema.May("synchronizerId", schema.AtMost(schedules.MaxID)),
	}
	projects := schema.May("projects", schema.List(0, schedules.MaxBatch, schema.Value{}))
	share := schema.May("maxDeletedShare", schema.Range(0, 1))
	again := []schema.Member{file[0], file[1], schema.NeedText("synchronizerId", schedules.MaxID)}
	b.Has(reflect.TypeFor[PlannerImport](), append(slices.Clone(file), projects)...)
	b.Has(reflect.TypeFor[MicrosoftProjectImport](), file...)
	b.Has(reflect.TypeFor[PlannerSynchronization](), append(slices.Clone(again), projects)...)
	b.Has(reflect.TypeFor[MicrosoftProjectSynchronization](), again...)
	text := schema.AtMost(schedules.MaxText)
	b.Has(reflect.TypeFor[ImportedProject](), schema.NeedText("id", schedules.MaxText),
		schema.May("userDefinedId", text),
		schema.May("scheduleProjectId", text))
	b.Has(reflect.TypeFor[PlannerSyncOptions](), share)
	b.Has(reflect.TypeFor[MicrosoftProjectSyncOptions](), share)
}
