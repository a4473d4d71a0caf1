package synchronizers

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SynchronizationType is what an exchange with the external planner does.
type SynchronizationType string

// The synchronization types.
const (
	SynchronizationImport  SynchronizationType = "Import"
	SynchronizationExport  SynchronizationType = "Export"
	SynchronizationFrom    SynchronizationType = "SynchronizeFrom"
	SynchronizationTo      SynchronizationType = "SynchronizeTo"
	UnknownSynchronization SynchronizationType = "Unknown"
)

var synchronizationTypes = []SynchronizationType{
	SynchronizationImport, SynchronizationExport, SynchronizationFrom,
	SynchronizationTo, UnknownSynchronization,
}

// Synchronizer records imports from and exports to an external planning tool.
// Synchronizers exist in v10 schedules only.
type Synchronizer struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// The Original properties are those of the initial import.
	OriginalProjectName         string                `json:"originalProjectName"`         // up to MaxText characters
	OriginalProjectPath         string                `json:"originalProjectPath"`         // up to MaxText characters
	OriginalSynchronizationTime twinplatform.DateTime `json:"originalSynchronizationTime"` // when the import occurred
	// SynchronizationType when empty
	OriginalSynchronizationType SynchronizationType `json:"originalSynchronizationType"`
	// of the last synchronization; up to MaxText characters
	ProjectName string `json:"projectName"`
	ProjectPath string `json:"projectPath"` // of the last synchronization; up to MaxText characters
	// Projects are those present in the planner's file.
	Projects []PlannerProject `json:"projects"`
	// SynchronizationDetails are what the last synchronization did.
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

// SynchronizationDetails are what a synchronization did.
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

// all are the numbers, whatever they are of.
func (c *SynchronizationCounts) all() []**int {
	return []**int{
		&c.ActivityCodeValues, &c.ActivityCodeValuesAssignments, &c.ActivityCodes, &c.Calendars, &c.Companies,
		&c.CostCodes, &c.Links,
		&c.ResourceAssignments, &c.ResourceCodeValues, &c.ResourceCodeValuesAssignments, &c.ResourceCodes,
		&c.ResourceRates, &c.Resources,
		&c.Risks, &c.TaskCategories, &c.TaskCosts, &c.Tasks, &c.UserFieldValues, &c.UserFields,
	}
}

// Nothing makes each number that is known 0, for a synchronization that did nothing.
func (d *SynchronizationDetails) Nothing() {
	none := new(int)
	for _, counts := range []*SynchronizationCounts{&d.Created, &d.Updated, &d.Deleted} {
		for _, n := range counts.all() {
			if *n != nil {
				*n = none
			}
		}
	}
}

// Records are the synchronizers of a schedule, for imports and exports.
var Records = records.Collection[Synchronizer]{
	Name:        "synchronizers",
	ID:          func(y *Synchronizer) string { return y.ID },
	MarkDeleted: func(y *Synchronizer) { y.Deleted = true },
}

// Missing is the error of a synchronizer that is not there.
var Missing = problem.NotFound("SynchronizerNotFound", "synchronizerId", "synchronizer")

var synchronizerKind = entity.Kind[Synchronizer, Synchronizer, SynchronizerPatch]{
	Records: &Records, One: "synchronizer", Many: "synchronizers", Resource: "synchronizer",
	Missing: Missing, Bad: &model.InvalidRequest,
	Members: func(y, n *Synchronizer, p *SynchronizerPatch) []entity.Member {
		return []entity.Member{
			entity.ID(&y.ID, &n.ID, nil),
			entity.Text("synchronizerName", &y.SynchronizerName, &n.SynchronizerName,
				&p.SynchronizerName).Max(model.MaxText).Required(),
			entity.Text("originalProjectName", &y.OriginalProjectName, &n.OriginalProjectName, nil).Max(model.MaxText),
			entity.Text("originalProjectPath", &y.OriginalProjectPath, &n.OriginalProjectPath, nil).Max(model.MaxText),
			entity.Value("originalSynchronizationTime", &y.OriginalSynchronizationTime, &n.OriginalSynchronizationTime,
				nil),
			entity.Enum("originalSynchronizationType", &y.OriginalSynchronizationType, &n.OriginalSynchronizationType,
				nil, synchronizationTypes),
			entity.Text("projectName", &y.ProjectName, &n.ProjectName, &p.ProjectName).Max(model.MaxText),
			entity.Text("projectPath", &y.ProjectPath, &n.ProjectPath, &p.ProjectPath).Max(model.MaxText),
			entity.Value("synchronizationTime", &y.SynchronizationTime, &n.SynchronizationTime, &p.SynchronizationTime).
				Blank(twinplatform.DateTime.IsZero).NeverEmptied("A synchronization has a time."),
			entity.Enum("synchronizationType", &y.SynchronizationType, &n.SynchronizationType, &p.SynchronizationType,
				synchronizationTypes).
				Default(UnknownSynchronization),
			entity.Value("projects", &y.Projects, &n.Projects, &p.Projects).Valid(checkProjects),
			entity.Value("synchronizationDetails", &y.SynchronizationDetails, &n.SynchronizationDetails,
				&p.SynchronizationDetails).Valid(checkDetails),
		}
	},
	AfterUpdate: func(y, _ *Synchronizer, _ *SynchronizerPatch, _ *problem.Checks) { y.fill() },
}

// synchronizersOf defines the changes to synchronizers, of which v10 schedules alone
// get new ones.
func synchronizersOf(area model.Area) *model.Family[Synchronizer, Synchronizer, SynchronizerPatch] {
	f := model.FamilyOf(area, &synchronizerKind)
	f.One.Fits = model.V10Only
	return f
}

// Synchronizer returns a synchronizer of an external planner import (S14,
// technical preview).
//
// Errors: SynchronizerNotFound, also for a schedule that is missing, not for the
// caller to see, or not of type v10.
func (p Plan) Synchronizer(ctx context.Context, synchronizerID string) (twinplatform.Record[Synchronizer], error) {
	return p.calls.synchronizers.Get(ctx, p.id, synchronizerID)
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
func (p Plan) CreateSynchronizer(ctx context.Context, y Synchronizer) (twinplatform.Result[Synchronizer], error) {
	y.Deleted = false
	y.Complete(p.calls.area.Now())
	return p.calls.synchronizers.Create(ctx, p.id, y)
}

// Complete sets what a new synchronizer leaves out.
func (y *Synchronizer) Complete(now twinplatform.DateTime) {
	if y.SynchronizationTime.IsZero() {
		y.SynchronizationTime = now
	}
	if y.SynchronizationType == "" {
		y.SynchronizationType = SynchronizationImport
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

func checkProjects(c *problem.Checks, name string, projects []PlannerProject) {
	if len(projects) > model.MaxBatch {
		c.Bad(name, "At most %d items can be given at once.", model.MaxBatch)
	}
	for i, p := range projects {
		c.At(name, i)
		c.Need("id", p.ID, model.MaxText)
		c.AtMost("userDefinedId", p.UserDefinedID, model.MaxText)
	}
	c.At("", 0)
}

func checkDetails(c *problem.Checks, name string, d SynchronizationDetails) {
	name += ".warnings"
	if len(d.Warnings) > model.MaxBatch {
		c.Bad(name, "At most %d items can be given at once.", model.MaxBatch)
	}
	for i, w := range d.Warnings {
		c.At(name, i)
		c.AtMost("message", w.Message, model.MaxText)
	}
	c.At("", 0)
}

// SynchronizerPatch changes a synchronizer after a further synchronization: what
// is left out stays, null clears.
type SynchronizerPatch struct {
	// up to MaxText characters; null clears it
	ProjectName twinplatform.Optional[string] `json:"projectName,omitzero"`
	// up to MaxText characters; null clears it
	ProjectPath twinplatform.Optional[string] `json:"projectPath,omitzero"`
	// up to MaxBatch, in place of all
	Projects twinplatform.Optional[[]PlannerProject] `json:"projects,omitzero"`
	// in place of all of them
	SynchronizationDetails twinplatform.Optional[SynchronizationDetails] `json:"synchronizationDetails,omitzero"`
	// when it last occurred; it stays with one that has none
	SynchronizationTime twinplatform.Optional[twinplatform.DateTime] `json:"synchronizationTime,omitzero"`
	// null makes it Unknown
	SynchronizationType twinplatform.Optional[SynchronizationType] `json:"synchronizationType,omitzero"`
	// not empty, up to MaxText characters
	SynchronizerName twinplatform.Optional[string] `json:"synchronizerName,omitzero"`
}

// UpdateSynchronizer records a further synchronization. It needs
// PermissionModify. The REST API has no operation for it.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// for each property that has no such value; ScheduleNotFound;
// SynchronizerNotFound; InsufficientPermissions; ScheduleNotInitialized;
// VersionMismatch.
func (p Plan) UpdateSynchronizer(ctx context.Context, synchronizerID string, patch SynchronizerPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Synchronizer], error) {
	return p.calls.synchronizers.Update(ctx, p.id, synchronizerID, patch, pre)
}

// MicrosoftProjectSynchronizer is a Synchronizer as the operations of Microsoft Project
// show it: without the projects, since a file has one, and without counts that are not
// known.
type MicrosoftProjectSynchronizer struct {
	Deleted                     bool                          `json:"deleted"` // true in deltas alone
	ID                          string                        `json:"id"`
	OriginalProjectName         string                        `json:"originalProjectName"` // of the initial import
	OriginalProjectPath         string                        `json:"originalProjectPath"` // of the initial import
	OriginalSynchronizationTime twinplatform.DateTime         `json:"originalSynchronizationTime"`
	OriginalSynchronizationType SynchronizationType           `json:"originalSynchronizationType"`
	ProjectName                 string                        `json:"projectName"` // of the last synchronization
	ProjectPath                 string                        `json:"projectPath"` // of the last synchronization
	SynchronizationDetails      MicrosoftProjectSynchronizing `json:"synchronizationDetails"`
	SynchronizationTime         twinplatform.DateTime         `json:"synchronizationTime"`
	SynchronizationType         SynchronizationType           `json:"synchronizationType"`
	SynchronizerName            string                        `json:"synchronizerName"`
}

// MicrosoftProjectSynchronizing is what a synchronization did.
type MicrosoftProjectSynchronizing struct {
	Created  MicrosoftProjectCounts   `json:"created"`  // how many it did so with
	Deleted  MicrosoftProjectCounts   `json:"deleted"`  // how many it did so with
	Updated  MicrosoftProjectCounts   `json:"updated"`  // how many it did so with
	Warnings []SynchronizationWarning `json:"warnings"` // up to MaxBatch
}

// MicrosoftProjectCounts are the numbers of items modified, as far as they are known.
type MicrosoftProjectCounts struct {
	ActivityCodeValues            *int `json:"activityCodeValues,omitempty"`            // of outline codes
	ActivityCodeValuesAssignments *int `json:"activityCodeValuesAssignments,omitempty"` // of such values to tasks
	ActivityCodes                 *int `json:"activityCodes,omitempty"`                 // outline codes
	Calendars                     *int `json:"calendars,omitempty"`
	Links                         *int `json:"links,omitempty"` // task links
	ResourceAssignments           *int `json:"resourceAssignments,omitempty"`
	ResourceCodeValues            *int `json:"resourceCodeValues,omitempty"`
	ResourceCodes                 *int `json:"resourceCodes,omitempty"`
	Resources                     *int `json:"resources,omitempty"`
	Tasks                         *int `json:"tasks,omitempty"`
	UserFieldValues               *int `json:"userFieldValues,omitempty"`
	UserFields                    *int `json:"userFields,omitempty"`
}

func (c *SynchronizationCounts) microsoftProject() MicrosoftProjectCounts {
	return MicrosoftProjectCounts{
		ActivityCodeValues: c.ActivityCodeValues, ActivityCodeValuesAssignments: c.ActivityCodeValuesAssignments,
		ActivityCodes: c.ActivityCodes,
		Calendars:     c.Calendars, Links: c.Links, ResourceAssignments: c.ResourceAssignments,
		ResourceCodeValues: c.ResourceCodeValues,
		ResourceCodes:      c.ResourceCodes, Resources: c.Resources, Tasks: c.Tasks, UserFieldValues: c.UserFieldValues,
		UserFields: c.UserFields,
	}
}

// MicrosoftProjectSynchronizer returns a synchronizer as the operations of Microsoft
// Project show it (GET …/imports/microsoft-project/synchronizers/{synchronizerId}).
//
// Errors: as Synchronizer.
func (p Plan) MicrosoftProjectSynchronizer(ctx context.Context,
	synchronizerID string,
) (rec twinplatform.Record[MicrosoftProjectSynchronizer], err error) {
	whole, err := p.Synchronizer(ctx, synchronizerID)
	if err != nil {
		return rec, err
	}
	y := &whole.Value
	d := &y.SynchronizationDetails
	rec.ETag = whole.ETag
	rec.Value = MicrosoftProjectSynchronizer{
		ID: y.ID, OriginalProjectName: y.OriginalProjectName, OriginalProjectPath: y.OriginalProjectPath,
		OriginalSynchronizationTime: y.OriginalSynchronizationTime,
		OriginalSynchronizationType: y.OriginalSynchronizationType,
		ProjectName:                 y.ProjectName, ProjectPath: y.ProjectPath,
		SynchronizationTime: y.SynchronizationTime, SynchronizationType: y.SynchronizationType,
		SynchronizerName: y.SynchronizerName, SynchronizationDetails: MicrosoftProjectSynchronizing{
			Created: d.Created.microsoftProject(), Deleted: d.Deleted.microsoftProject(),
			Updated: d.Updated.microsoftProject(), Warnings: d.Warnings,
		},
	}
	rec.JSON, err = wire.Marshal(rec.Value)
	return rec, err
}
