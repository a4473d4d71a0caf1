package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// SynchronizationType says what an exchange with the external planner does.
type SynchronizationType string

// The synchronization types.
const (
	Import                     SynchronizationType = "Import"
	Export                     SynchronizationType = "Export"
	SynchronizeFrom            SynchronizationType = "SynchronizeFrom"
	SynchronizeTo              SynchronizationType = "SynchronizeTo"
	UnknownSynchronizationType SynchronizationType = "Unknown"
)

var synchronizationTypes = []SynchronizationType{Import, Export, SynchronizeFrom, SynchronizeTo, UnknownSynchronizationType}

// Synchronizer records imports from and exports to an external planning tool.
// Synchronizers exist in v10 schedules only.
type Synchronizer struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// The Original properties tell of the initial import.
	OriginalProjectName         string                `json:"originalProjectName"`         // up to MaxText characters
	OriginalProjectPath         string                `json:"originalProjectPath"`         // up to MaxText characters
	OriginalSynchronizationTime twinplatform.DateTime `json:"originalSynchronizationTime"` // when the import occurred
	OriginalSynchronizationType SynchronizationType   `json:"originalSynchronizationType"` // SynchronizationType when empty
	ProjectName                 string                `json:"projectName"`                 // of the last synchronization; up to MaxText characters
	ProjectPath                 string                `json:"projectPath"`                 // of the last synchronization; up to MaxText characters
	// Projects are those present in the planner's file.
	Projects []PlannerProject `json:"projects"`
	// SynchronizationDetails tell what the last synchronization did.
	SynchronizationDetails SynchronizationDetails `json:"synchronizationDetails"`
	// SynchronizationTime is when the last synchronization occurred.
	SynchronizationTime twinplatform.DateTime `json:"synchronizationTime"`
	SynchronizationType SynchronizationType   `json:"synchronizationType"` // Import when made without one
	SynchronizerName    string                `json:"synchronizerName"`    // 1 to MaxText characters
}

// PlannerProject is a project in the external planner's file.
type PlannerProject struct {
	ID            string `json:"id"`            // the planner's; required
	UserDefinedID string `json:"userDefinedId"` // up to MaxText characters
}

// SynchronizationDetails tell what a synchronization did.
type SynchronizationDetails struct {
	Created  SynchronizationCounts    `json:"created"`  // how many it did so with
	Deleted  SynchronizationCounts    `json:"deleted"`  // how many it did so with
	Updated  SynchronizationCounts    `json:"updated"`  // how many it did so with
	Warnings []SynchronizationWarning `json:"warnings"` // up to MaxBatch
}

// SynchronizationWarning is what a synchronization warns of.
type SynchronizationWarning struct {
	Message string `json:"message"` // up to MaxText characters
}

// SynchronizationCounts are the numbers of items modified; nil where none is
// known.
type SynchronizationCounts struct {
	ActivityCodeValues            *int `json:"activityCodeValues"`            // values that an activity code can have
	ActivityCodeValuesAssignments *int `json:"activityCodeValuesAssignments"` // of such values to tasks
	ActivityCodes                 *int `json:"activityCodes"`                 // defined in the planner
	Calendars                     *int `json:"calendars"`                     // defined in the planner
	Companies                     *int `json:"companies"`
	CostCodes                     *int `json:"costCodes"`
	Links                         *int `json:"links"`                         // task links
	ResourceAssignments           *int `json:"resourceAssignments"`           // of resources to tasks
	ResourceCodeValues            *int `json:"resourceCodeValues"`            // values that a resource code can have
	ResourceCodeValuesAssignments *int `json:"resourceCodeValuesAssignments"` // of such values to resources
	ResourceCodes                 *int `json:"resourceCodes"`
	ResourceRates                 *int `json:"resourceRates"`
	Resources                     *int `json:"resources"` // of the schedule
	Risks                         *int `json:"risks"`
	TaskCategories                *int `json:"taskCategories"`
	TaskCosts                     *int `json:"taskCosts"`
	Tasks                         *int `json:"tasks"`           // of the schedule
	UserFieldValues               *int `json:"userFieldValues"` // assignments to objects
	UserFields                    *int `json:"userFields"`      // of any category
}

var synchronizerRecords = records.Collection[Synchronizer]{
	Name:        "synchronizers",
	ID:          func(y *Synchronizer) string { return y.ID },
	MarkDeleted: func(y *Synchronizer) { y.Deleted = true },
}

var synchronizerMissing = problem.NotFound("SynchronizerNotFound", "synchronizerId", "synchronizer")

// synchronizerKinds are the sorts of change to synchronizers.
type synchronizerKinds struct {
	create kind[Synchronizer, Synchronizer]
	update kind[synchronizerUpdate, Synchronizer]
}

func defineSynchronizerKinds(s *Service) synchronizerKinds {
	return synchronizerKinds{
		create: change(s, "synchronizer.create", addSynchronizer).only(v10Only),
		update: change(s, "synchronizer.update", updateSynchronizer),
	}
}

// Synchronizer returns a synchronizer of an external planner import (S14,
// technical preview).
//
// Errors: SynchronizerNotFound, also for a schedule that is missing, not for the
// caller to see, or not of type v10.
func (s *Service) Synchronizer(ctx context.Context, scheduleID, synchronizerID string) (twinplatform.Record[Synchronizer], error) {
	return get(ctx, s.read, scheduleID, synchronizerMissing, &synchronizerRecords, synchronizerID)
}

// CreateSynchronizer keeps the record of an initial import. What is left empty
// of the id, the synchronization time and type is chosen: a fresh id, the
// present, and Import; the Original properties that are left empty are the same
// as the others. It needs PermissionModify. The REST API has no operation for
// it.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a
// schedule that is not of type v10, MissingRequiredProperty (synchronizerName,
// projects[3].id) or InvalidValue; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateSynchronizer(ctx context.Context, scheduleID string, y Synchronizer) (res twinplatform.Result[Synchronizer], err error) {
	y.Deleted = false
	y.complete(s.now())
	var c problem.Checks
	c.ID("id", y.ID)
	y.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	if y.ID == "" {
		y.ID = s.env.NewID()
	}
	return s.synchronizers.create.start(ctx, scheduleID, direct, []string{y.ID}, y)
}

func v10Only(sc *Schedule) error {
	if sc.Type != V10 {
		return badParameter("scheduleId", "The operation is not supported by "+string(sc.Type)+" schedules.")
	}
	return nil
}

// complete sets what a new synchronizer leaves out.
func (y *Synchronizer) complete(now twinplatform.DateTime) {
	if y.SynchronizationTime.IsZero() {
		y.SynchronizationTime = now
	}
	if y.SynchronizationType == "" {
		y.SynchronizationType = Import
	}
	if y.OriginalProjectName == "" {
		y.OriginalProjectName = y.ProjectName
	}
	if y.OriginalProjectPath == "" {
		y.OriginalProjectPath = y.ProjectPath
	}
	if y.OriginalSynchronizationTime.IsZero() {
		y.OriginalSynchronizationTime = y.SynchronizationTime
	}
	if y.OriginalSynchronizationType == "" {
		y.OriginalSynchronizationType = y.SynchronizationType
	}
	y.fill()
}

// fill makes empty lists of those that are missing: on the wire a list is never
// null.
func (y *Synchronizer) fill() {
	if y.Projects == nil {
		y.Projects = []PlannerProject{}
	}
	if y.SynchronizationDetails.Warnings == nil {
		y.SynchronizationDetails.Warnings = []SynchronizationWarning{}
	}
}

func (y *Synchronizer) check(c *problem.Checks) {
	c.Need("synchronizerName", y.SynchronizerName, MaxText)
	c.AtMost("originalProjectName", y.OriginalProjectName, MaxText)
	c.AtMost("originalProjectPath", y.OriginalProjectPath, MaxText)
	c.Date("originalSynchronizationTime", y.OriginalSynchronizationTime)
	problem.OneOf(c, "originalSynchronizationType", y.OriginalSynchronizationType, synchronizationTypes)
	c.AtMost("projectName", y.ProjectName, MaxText)
	c.AtMost("projectPath", y.ProjectPath, MaxText)
	c.Date("synchronizationTime", y.SynchronizationTime)
	problem.OneOf(c, "synchronizationType", y.SynchronizationType, synchronizationTypes)
	if len(y.Projects) > MaxBatch {
		c.Bad("projects", "At most %d items can be given at once.", MaxBatch)
	}
	if len(y.SynchronizationDetails.Warnings) > MaxBatch {
		c.Bad("synchronizationDetails.warnings", "At most %d items can be given at once.", MaxBatch)
	}
	for i, p := range y.Projects {
		c.At("projects", i)
		c.Need("id", p.ID, MaxText)
		c.AtMost("userDefinedId", p.UserDefinedID, MaxText)
	}
	for i, w := range y.SynchronizationDetails.Warnings {
		c.At("synchronizationDetails.warnings", i)
		c.AtMost("message", w.Message, MaxText)
	}
}

func addSynchronizer(u *records.Update, e *edit[Synchronizer, Synchronizer]) error {
	rec, err := synchronizerRecords.Insert(u, e.scope, &e.Request)
	e.wrote(rec)
	return written(err, synchronizerMissing, "synchronizer", e.Request.ID)
}

// SynchronizerPatch changes a synchronizer after a further synchronization: what
// is left out stays, null clears.
type SynchronizerPatch struct {
	ProjectName            twinplatform.Optional[string]                 `json:"projectName,omitzero"`            // up to MaxText characters; null clears it
	ProjectPath            twinplatform.Optional[string]                 `json:"projectPath,omitzero"`            // up to MaxText characters; null clears it
	Projects               twinplatform.Optional[[]PlannerProject]       `json:"projects,omitzero"`               // up to MaxBatch, in the place of all
	SynchronizationDetails twinplatform.Optional[SynchronizationDetails] `json:"synchronizationDetails,omitzero"` // in the place of all of them
	SynchronizationTime    twinplatform.Optional[twinplatform.DateTime]  `json:"synchronizationTime,omitzero"`    // when it last occurred; null clears it
	SynchronizationType    twinplatform.Optional[SynchronizationType]    `json:"synchronizationType,omitzero"`    // null makes it Unknown
	SynchronizerName       twinplatform.Optional[string]                 `json:"synchronizerName,omitzero"`       // not empty, up to MaxText characters
}

// synchronizerUpdate is a patch on its way into the journal.
type synchronizerUpdate struct {
	ID      string            `json:"id"`
	Patch   SynchronizerPatch `json:"patch"`
	IfMatch string            `json:"ifMatch"`
}

// UpdateSynchronizer records a further synchronization. It needs
// PermissionModify. The REST API has no operation for it.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// for each property that has no such value; ScheduleNotFound;
// SynchronizerNotFound; InsufficientPermissions; ScheduleNotInitialized;
// VersionMismatch.
func (s *Service) UpdateSynchronizer(ctx context.Context, scheduleID, synchronizerID string, p SynchronizerPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Synchronizer], error) {
	return s.synchronizers.update.start(ctx, scheduleID, direct, []string{synchronizerID}, synchronizerUpdate{
		ID: synchronizerID, Patch: p, IfMatch: twinplatform.IfMatchHeader(pre...),
	})
}

func updateSynchronizer(u *records.Update, e *edit[synchronizerUpdate, Synchronizer]) error {
	p := e.Request.Patch
	rec, err := synchronizerRecords.Modify(u, e.scope, e.Request.ID, e.Request.IfMatch, func(y *Synchronizer) error {
		p.ProjectName.Apply(&y.ProjectName)
		p.ProjectPath.Apply(&y.ProjectPath)
		p.Projects.Apply(&y.Projects)
		p.SynchronizationDetails.Apply(&y.SynchronizationDetails)
		p.SynchronizationTime.Apply(&y.SynchronizationTime)
		p.SynchronizerName.Apply(&y.SynchronizerName)
		if p.SynchronizationType.Present() {
			y.SynchronizationType = p.SynchronizationType.Or(UnknownSynchronizationType)
		}
		y.fill()
		var c problem.Checks
		y.check(&c)
		return c.Err(InvalidRequest)
	})
	e.wrote(rec)
	return written(err, synchronizerMissing, "synchronizer", e.Request.ID)
}
