package schedules

import (
	"context"
	"io"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Plan is one schedule: the methods of [Service] that are about what a schedule
// holds, without its id, so that it cannot be mistaken for that of a task.
//
//	plan := svc.In(tower.Value().ID)
//	dig, err := plan.Task(ctx, "dig")
//	for task, err := range twinplatform.All(ctx, plan.Tasks, schedules.TaskQuery{}) { … }
//
// It holds nothing but the id: that of a schedule which is not there is found out
// by the first call.
type Plan struct {
	s  *Service
	id string
}

// In is the schedule with an id.
func (s *Service) In(scheduleID string) Plan { return Plan{s, scheduleID} }

// ID is the id of the schedule.
func (p Plan) ID() string { return p.id }

// AddResourcesToGroup is [Service.AddResourcesToGroup].
func (p Plan) AddResourcesToGroup(ctx context.Context, groupID string, resourceIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return p.s.AddResourcesToGroup(ctx, p.id, groupID, resourceIDs, pre...)
}

// AnalyzeQuality is [Service.AnalyzeQuality].
func (p Plan) AnalyzeQuality(ctx context.Context, o QualityOptions) ([]QualityResult, error) {
	return p.s.AnalyzeQuality(ctx, p.id, o)
}

// Animation3DPath is [Service.Animation3DPath].
func (p Plan) Animation3DPath(ctx context.Context, pathID string) (twinplatform.Record[Animation3DPath], error) {
	return p.s.Animation3DPath(ctx, p.id, pathID)
}

// Animation3DPathAssignment is [Service.Animation3DPathAssignment].
func (p Plan) Animation3DPathAssignment(ctx context.Context, assignmentID string) (twinplatform.Record[Animation3DPathAssignment], error) {
	return p.s.Animation3DPathAssignment(ctx, p.id, assignmentID)
}

// Animation3DPathAssignments is [Service.Animation3DPathAssignments].
func (p Plan) Animation3DPathAssignments(ctx context.Context, q Animation3DPathAssignmentQuery) (twinplatform.Page[Animation3DPathAssignment], error) {
	return p.s.Animation3DPathAssignments(ctx, p.id, q)
}

// Animation3DPaths is [Service.Animation3DPaths].
func (p Plan) Animation3DPaths(ctx context.Context, q Animation3DPathQuery) (twinplatform.Page[Animation3DPath], error) {
	return p.s.Animation3DPaths(ctx, p.id, q)
}

// Animation3DTransform is [Service.Animation3DTransform].
func (p Plan) Animation3DTransform(ctx context.Context, transformID string) (twinplatform.Record[Animation3DTransform], error) {
	return p.s.Animation3DTransform(ctx, p.id, transformID)
}

// Animation3DTransforms is [Service.Animation3DTransforms].
func (p Plan) Animation3DTransforms(ctx context.Context, q Animation3DTransformQuery) (twinplatform.Page[Animation3DTransform], error) {
	return p.s.Animation3DTransforms(ctx, p.id, q)
}

// AnimationBinding is [Service.AnimationBinding].
func (p Plan) AnimationBinding(ctx context.Context, bindingID string) (twinplatform.Record[AnimationBinding], error) {
	return p.s.AnimationBinding(ctx, p.id, bindingID)
}

// AnimationBindings is [Service.AnimationBindings].
func (p Plan) AnimationBindings(ctx context.Context, q AnimationBindingQuery) (twinplatform.Page[AnimationBinding], error) {
	return p.s.AnimationBindings(ctx, p.id, q)
}

// AnimationStatistics is [Service.AnimationStatistics].
func (p Plan) AnimationStatistics(ctx context.Context) (twinplatform.Record[AnimationStatistics], error) {
	return p.s.AnimationStatistics(ctx, p.id)
}

// AppearanceProfile is [Service.AppearanceProfile].
func (p Plan) AppearanceProfile(ctx context.Context, profileID string) (twinplatform.Record[AppearanceProfile], error) {
	return p.s.AppearanceProfile(ctx, p.id, profileID)
}

// AppearanceProfiles is [Service.AppearanceProfiles].
func (p Plan) AppearanceProfiles(ctx context.Context, q AppearanceProfileQuery) (twinplatform.Page[AppearanceProfile], error) {
	return p.s.AppearanceProfiles(ctx, p.id, q)
}

// AppendFile is [Service.AppendFile].
func (p Plan) AppendFile(ctx context.Context, fileID string, offset int64, content io.Reader, pre ...twinplatform.Precondition) (twinplatform.Record[File], error) {
	return p.s.AppendFile(ctx, p.id, fileID, offset, content, pre...)
}

// Baseline is [Service.Baseline].
func (p Plan) Baseline(ctx context.Context, baselineID string) (twinplatform.Record[Baseline], error) {
	return p.s.Baseline(ctx, p.id, baselineID)
}

// BaselineSchedulingAnalyses is [Service.BaselineSchedulingAnalyses].
func (p Plan) BaselineSchedulingAnalyses(ctx context.Context, baselineID string, q BaselineSchedulingAnalysisQuery) (twinplatform.Page[BaselineSchedulingAnalysis], error) {
	return p.s.BaselineSchedulingAnalyses(ctx, p.id, baselineID, q)
}

// BaselineTaskLinks is [Service.BaselineTaskLinks].
func (p Plan) BaselineTaskLinks(ctx context.Context, baselineID string, q BaselineTaskLinkQuery) (twinplatform.Page[BaselineTaskLink], error) {
	return p.s.BaselineTaskLinks(ctx, p.id, baselineID, q)
}

// BaselineTasks is [Service.BaselineTasks].
func (p Plan) BaselineTasks(ctx context.Context, baselineID string, q BaselineTaskQuery) (twinplatform.Page[BaselineTask], error) {
	return p.s.BaselineTasks(ctx, p.id, baselineID, q)
}

// Baselines is [Service.Baselines].
func (p Plan) Baselines(ctx context.Context, q BaselineQuery) (twinplatform.Page[Baseline], error) {
	return p.s.Baselines(ctx, p.id, q)
}

// Calendar is [Service.Calendar].
func (p Plan) Calendar(ctx context.Context, calendarID string) (twinplatform.Record[Calendar], error) {
	return p.s.Calendar(ctx, p.id, calendarID)
}

// Calendars is [Service.Calendars].
func (p Plan) Calendars(ctx context.Context, q CalendarQuery) (twinplatform.Page[Calendar], error) {
	return p.s.Calendars(ctx, p.id, q)
}

// CloneSchedule is [Service.CloneSchedule].
func (p Plan) CloneSchedule(ctx context.Context, n NewClone) (twinplatform.Result[Schedule], error) {
	return p.s.CloneSchedule(ctx, p.id, n)
}

// Code is [Service.Code].
func (p Plan) Code(ctx context.Context, codeID string) (twinplatform.Record[Code], error) {
	return p.s.Code(ctx, p.id, codeID)
}

// CodeValue is [Service.CodeValue].
func (p Plan) CodeValue(ctx context.Context, codeValueID string) (twinplatform.Record[CodeValue], error) {
	return p.s.CodeValue(ctx, p.id, codeValueID)
}

// CodeValueAssignments is [Service.CodeValueAssignments].
func (p Plan) CodeValueAssignments(ctx context.Context, q CodeValueAssignmentQuery) (twinplatform.Page[CodeValueAssignment], error) {
	return p.s.CodeValueAssignments(ctx, p.id, q)
}

// CodeValues is [Service.CodeValues].
func (p Plan) CodeValues(ctx context.Context, q CodeValueQuery) (twinplatform.Page[CodeValue], error) {
	return p.s.CodeValues(ctx, p.id, q)
}

// CodeValuesOfCode is [Service.CodeValuesOfCode].
func (p Plan) CodeValuesOfCode(ctx context.Context, codeID string, q CodeValueQuery) (twinplatform.Page[CodeValue], error) {
	return p.s.CodeValuesOfCode(ctx, p.id, codeID, q)
}

// Codes is [Service.Codes].
func (p Plan) Codes(ctx context.Context, q CodeQuery) (twinplatform.Page[Code], error) {
	return p.s.Codes(ctx, p.id, q)
}

// CompareBaseline is [Service.CompareBaseline].
func (p Plan) CompareBaseline(ctx context.Context, baselineID string) (Comparison, error) {
	return p.s.CompareBaseline(ctx, p.id, baselineID)
}

// CompareBaselineCSV is [Service.CompareBaselineCSV].
func (p Plan) CompareBaselineCSV(ctx context.Context, baselineID string) (ComparisonCSV, error) {
	return p.s.CompareBaselineCSV(ctx, p.id, baselineID)
}

// CreateAnimation3DPath is [Service.CreateAnimation3DPath].
func (p Plan) CreateAnimation3DPath(ctx context.Context, n NewAnimation3DPath) (twinplatform.Result[Animation3DPath], error) {
	return p.s.CreateAnimation3DPath(ctx, p.id, n)
}

// CreateAnimation3DPathAssignment is [Service.CreateAnimation3DPathAssignment].
func (p Plan) CreateAnimation3DPathAssignment(ctx context.Context, n NewAnimation3DPathAssignment) (twinplatform.Result[Animation3DPathAssignment], error) {
	return p.s.CreateAnimation3DPathAssignment(ctx, p.id, n)
}

// CreateAnimation3DTransform is [Service.CreateAnimation3DTransform].
func (p Plan) CreateAnimation3DTransform(ctx context.Context, n NewAnimation3DTransform) (twinplatform.Result[Animation3DTransform], error) {
	return p.s.CreateAnimation3DTransform(ctx, p.id, n)
}

// CreateAnimation3DTransforms is [Service.CreateAnimation3DTransforms].
func (p Plan) CreateAnimation3DTransforms(ctx context.Context, batch []NewAnimation3DTransform) (twinplatform.Result[Animation3DTransform], error) {
	return p.s.CreateAnimation3DTransforms(ctx, p.id, batch)
}

// CreateAnimationBinding is [Service.CreateAnimationBinding].
func (p Plan) CreateAnimationBinding(ctx context.Context, n NewAnimationBinding) (twinplatform.Result[AnimationBinding], error) {
	return p.s.CreateAnimationBinding(ctx, p.id, n)
}

// CreateAnimationBindings is [Service.CreateAnimationBindings].
func (p Plan) CreateAnimationBindings(ctx context.Context, batch []NewAnimationBinding) (twinplatform.Result[AnimationBinding], error) {
	return p.s.CreateAnimationBindings(ctx, p.id, batch)
}

// CreateAppearanceProfile is [Service.CreateAppearanceProfile].
func (p Plan) CreateAppearanceProfile(ctx context.Context, n NewAppearanceProfile) (twinplatform.Result[AppearanceProfile], error) {
	return p.s.CreateAppearanceProfile(ctx, p.id, n)
}

// CreateBaseline is [Service.CreateBaseline].
func (p Plan) CreateBaseline(ctx context.Context, n NewBaseline) (twinplatform.Result[Baseline], error) {
	return p.s.CreateBaseline(ctx, p.id, n)
}

// CreateCalendar is [Service.CreateCalendar].
func (p Plan) CreateCalendar(ctx context.Context, n NewCalendar) (twinplatform.Result[Calendar], error) {
	return p.s.CreateCalendar(ctx, p.id, n)
}

// CreateCode is [Service.CreateCode].
func (p Plan) CreateCode(ctx context.Context, n NewCode) (twinplatform.Result[Code], error) {
	return p.s.CreateCode(ctx, p.id, n)
}

// CreateCodeValue is [Service.CreateCodeValue].
func (p Plan) CreateCodeValue(ctx context.Context, n NewCodeValue) (twinplatform.Result[CodeValue], error) {
	return p.s.CreateCodeValue(ctx, p.id, n)
}

// CreateCodeValueAssignment is [Service.CreateCodeValueAssignment].
func (p Plan) CreateCodeValueAssignment(ctx context.Context, n NewCodeValueAssignment) (twinplatform.Result[CodeValueAssignment], error) {
	return p.s.CreateCodeValueAssignment(ctx, p.id, n)
}

// CreateCodeValueAssignments is [Service.CreateCodeValueAssignments].
func (p Plan) CreateCodeValueAssignments(ctx context.Context, batch []NewCodeValueAssignment) (twinplatform.Result[CodeValueAssignment], error) {
	return p.s.CreateCodeValueAssignments(ctx, p.id, batch)
}

// CreateCodeValues is [Service.CreateCodeValues].
func (p Plan) CreateCodeValues(ctx context.Context, batch []NewCodeValue) (twinplatform.Result[CodeValue], error) {
	return p.s.CreateCodeValues(ctx, p.id, batch)
}

// CreateEntity3D is [Service.CreateEntity3D].
func (p Plan) CreateEntity3D(ctx context.Context, n NewEntity3D) (twinplatform.Result[Entity3D], error) {
	return p.s.CreateEntity3D(ctx, p.id, n)
}

// CreateFile is [Service.CreateFile].
func (p Plan) CreateFile(ctx context.Context, n NewFile) (twinplatform.Record[File], error) {
	return p.s.CreateFile(ctx, p.id, n)
}

// CreateKeyframe is [Service.CreateKeyframe].
func (p Plan) CreateKeyframe(ctx context.Context, n NewKeyframe) (twinplatform.Result[Keyframe], error) {
	return p.s.CreateKeyframe(ctx, p.id, n)
}

// CreateKeyframes is [Service.CreateKeyframes].
func (p Plan) CreateKeyframes(ctx context.Context, batch []NewKeyframe) (twinplatform.Result[Keyframe], error) {
	return p.s.CreateKeyframes(ctx, p.id, batch)
}

// CreateResource is [Service.CreateResource].
func (p Plan) CreateResource(ctx context.Context, n NewResource) (twinplatform.Result[Resource], error) {
	return p.s.CreateResource(ctx, p.id, n)
}

// CreateResourceAssignment is [Service.CreateResourceAssignment].
func (p Plan) CreateResourceAssignment(ctx context.Context, n NewResourceAssignment) (twinplatform.Result[ResourceAssignment], error) {
	return p.s.CreateResourceAssignment(ctx, p.id, n)
}

// CreateResourceAssignments is [Service.CreateResourceAssignments].
func (p Plan) CreateResourceAssignments(ctx context.Context, batch []NewResourceAssignment) (twinplatform.Result[ResourceAssignment], error) {
	return p.s.CreateResourceAssignments(ctx, p.id, batch)
}

// CreateResourceGroup is [Service.CreateResourceGroup].
func (p Plan) CreateResourceGroup(ctx context.Context, n NewResourceGroup) (twinplatform.Result[ResourceGroup], error) {
	return p.s.CreateResourceGroup(ctx, p.id, n)
}

// CreateResourceStatusCategory is [Service.CreateResourceStatusCategory].
func (p Plan) CreateResourceStatusCategory(ctx context.Context, n NewResourceStatusCategory) (twinplatform.Result[ResourceStatusCategory], error) {
	return p.s.CreateResourceStatusCategory(ctx, p.id, n)
}

// CreateResourceStatusItem is [Service.CreateResourceStatusItem].
func (p Plan) CreateResourceStatusItem(ctx context.Context, n NewResourceStatusItem) (twinplatform.Result[ResourceStatusItem], error) {
	return p.s.CreateResourceStatusItem(ctx, p.id, n)
}

// CreateResourceStatusSet is [Service.CreateResourceStatusSet].
func (p Plan) CreateResourceStatusSet(ctx context.Context, n NewResourceStatusSet) (twinplatform.Result[ResourceStatusSet], error) {
	return p.s.CreateResourceStatusSet(ctx, p.id, n)
}

// CreateResources is [Service.CreateResources].
func (p Plan) CreateResources(ctx context.Context, batch []NewResource) (twinplatform.Result[Resource], error) {
	return p.s.CreateResources(ctx, p.id, batch)
}

// CreateRule is [Service.CreateRule].
func (p Plan) CreateRule(ctx context.Context, n NewRule) (twinplatform.Result[Rule], error) {
	return p.s.CreateRule(ctx, p.id, n)
}

// CreateStatusHistoryItem is [Service.CreateStatusHistoryItem].
func (p Plan) CreateStatusHistoryItem(ctx context.Context, n NewStatusHistoryItem) (twinplatform.Result[StatusHistoryItem], error) {
	return p.s.CreateStatusHistoryItem(ctx, p.id, n)
}

// CreateSynchronizer is [Service.CreateSynchronizer].
func (p Plan) CreateSynchronizer(ctx context.Context, y Synchronizer) (twinplatform.Result[Synchronizer], error) {
	return p.s.CreateSynchronizer(ctx, p.id, y)
}

// CreateTask is [Service.CreateTask].
func (p Plan) CreateTask(ctx context.Context, n NewTask) (twinplatform.Result[Task], error) {
	return p.s.CreateTask(ctx, p.id, n)
}

// CreateTaskLinks is [Service.CreateTaskLinks].
func (p Plan) CreateTaskLinks(ctx context.Context, batch []NewTaskLink) (twinplatform.Result[TaskLink], error) {
	return p.s.CreateTaskLinks(ctx, p.id, batch)
}

// CreateTaskQueryFilter is [Service.CreateTaskQueryFilter].
func (p Plan) CreateTaskQueryFilter(ctx context.Context, n NewTaskQueryFilter) (twinplatform.Result[TaskQueryFilter], error) {
	return p.s.CreateTaskQueryFilter(ctx, p.id, n)
}

// CreateTasks is [Service.CreateTasks].
func (p Plan) CreateTasks(ctx context.Context, batch []NewTask) (twinplatform.Result[Task], error) {
	return p.s.CreateTasks(ctx, p.id, batch)
}

// CreateUserField is [Service.CreateUserField].
func (p Plan) CreateUserField(ctx context.Context, n NewUserField) (twinplatform.Result[UserField], error) {
	return p.s.CreateUserField(ctx, p.id, n)
}

// CriticalPath is [Service.CriticalPath].
func (p Plan) CriticalPath(ctx context.Context) (Path, error) {
	return p.s.CriticalPath(ctx, p.id)
}

// DeleteAnimation3DPath is [Service.DeleteAnimation3DPath].
func (p Plan) DeleteAnimation3DPath(ctx context.Context, pathID string, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DPath], error) {
	return p.s.DeleteAnimation3DPath(ctx, p.id, pathID, pre...)
}

// DeleteAnimation3DPathAssignment is [Service.DeleteAnimation3DPathAssignment].
func (p Plan) DeleteAnimation3DPathAssignment(ctx context.Context, assignmentID string, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DPathAssignment], error) {
	return p.s.DeleteAnimation3DPathAssignment(ctx, p.id, assignmentID, pre...)
}

// DeleteAnimation3DTransform is [Service.DeleteAnimation3DTransform].
func (p Plan) DeleteAnimation3DTransform(ctx context.Context, transformID string, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DTransform], error) {
	return p.s.DeleteAnimation3DTransform(ctx, p.id, transformID, pre...)
}

// DeleteAnimationBindings is [Service.DeleteAnimationBindings].
func (p Plan) DeleteAnimationBindings(ctx context.Context, bindingIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[AnimationBinding], error) {
	return p.s.DeleteAnimationBindings(ctx, p.id, bindingIDs, pre...)
}

// DeleteAppearanceProfile is [Service.DeleteAppearanceProfile].
func (p Plan) DeleteAppearanceProfile(ctx context.Context, profileID string, pre ...twinplatform.Precondition) (twinplatform.Result[AppearanceProfile], error) {
	return p.s.DeleteAppearanceProfile(ctx, p.id, profileID, pre...)
}

// DeleteBaselines is [Service.DeleteBaselines].
func (p Plan) DeleteBaselines(ctx context.Context, baselineIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Baseline], error) {
	return p.s.DeleteBaselines(ctx, p.id, baselineIDs, pre...)
}

// DeleteCalendar is [Service.DeleteCalendar].
func (p Plan) DeleteCalendar(ctx context.Context, calendarID string, pre ...twinplatform.Precondition) (twinplatform.Result[Calendar], error) {
	return p.s.DeleteCalendar(ctx, p.id, calendarID, pre...)
}

// DeleteCode is [Service.DeleteCode].
func (p Plan) DeleteCode(ctx context.Context, codeID string, pre ...twinplatform.Precondition) (twinplatform.Result[Code], error) {
	return p.s.DeleteCode(ctx, p.id, codeID, pre...)
}

// DeleteCodeValue is [Service.DeleteCodeValue].
func (p Plan) DeleteCodeValue(ctx context.Context, codeValueID string, pre ...twinplatform.Precondition) (twinplatform.Result[CodeValue], error) {
	return p.s.DeleteCodeValue(ctx, p.id, codeValueID, pre...)
}

// DeleteCodeValueAssignment is [Service.DeleteCodeValueAssignment].
func (p Plan) DeleteCodeValueAssignment(ctx context.Context, taskID, codeValueID string, pre ...twinplatform.Precondition) error {
	return p.s.DeleteCodeValueAssignment(ctx, p.id, taskID, codeValueID, pre...)
}

// DeleteEntities3D is [Service.DeleteEntities3D].
func (p Plan) DeleteEntities3D(ctx context.Context, entity3DIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Entity3D], error) {
	return p.s.DeleteEntities3D(ctx, p.id, entity3DIDs, pre...)
}

// DeleteFile is [Service.DeleteFile].
func (p Plan) DeleteFile(ctx context.Context, fileID string, pre ...twinplatform.Precondition) error {
	return p.s.DeleteFile(ctx, p.id, fileID, pre...)
}

// DeleteKeyframe is [Service.DeleteKeyframe].
func (p Plan) DeleteKeyframe(ctx context.Context, keyframeID string, pre ...twinplatform.Precondition) (twinplatform.Result[Keyframe], error) {
	return p.s.DeleteKeyframe(ctx, p.id, keyframeID, pre...)
}

// DeleteResourceAssignments is [Service.DeleteResourceAssignments].
func (p Plan) DeleteResourceAssignments(ctx context.Context, assignmentIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceAssignment], error) {
	return p.s.DeleteResourceAssignments(ctx, p.id, assignmentIDs, pre...)
}

// DeleteResourceGroups is [Service.DeleteResourceGroups].
func (p Plan) DeleteResourceGroups(ctx context.Context, groupIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceGroup], error) {
	return p.s.DeleteResourceGroups(ctx, p.id, groupIDs, pre...)
}

// DeleteResourceStatusCategory is [Service.DeleteResourceStatusCategory].
func (p Plan) DeleteResourceStatusCategory(ctx context.Context, categoryID string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusCategory], error) {
	return p.s.DeleteResourceStatusCategory(ctx, p.id, categoryID, pre...)
}

// DeleteResourceStatusItem is [Service.DeleteResourceStatusItem].
func (p Plan) DeleteResourceStatusItem(ctx context.Context, itemID string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusItem], error) {
	return p.s.DeleteResourceStatusItem(ctx, p.id, itemID, pre...)
}

// DeleteResourceStatusSet is [Service.DeleteResourceStatusSet].
func (p Plan) DeleteResourceStatusSet(ctx context.Context, setID string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusSet], error) {
	return p.s.DeleteResourceStatusSet(ctx, p.id, setID, pre...)
}

// DeleteResources is [Service.DeleteResources].
func (p Plan) DeleteResources(ctx context.Context, resourceIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return p.s.DeleteResources(ctx, p.id, resourceIDs, pre...)
}

// DeleteRule is [Service.DeleteRule].
func (p Plan) DeleteRule(ctx context.Context, ruleID string, pre ...twinplatform.Precondition) (twinplatform.Result[Rule], error) {
	return p.s.DeleteRule(ctx, p.id, ruleID, pre...)
}

// DeleteSchedule is [Service.DeleteSchedule].
func (p Plan) DeleteSchedule(ctx context.Context, pre ...twinplatform.Precondition) error {
	return p.s.DeleteSchedule(ctx, p.id, pre...)
}

// DeleteStatusHistoryItem is [Service.DeleteStatusHistoryItem].
func (p Plan) DeleteStatusHistoryItem(ctx context.Context, itemID string, pre ...twinplatform.Precondition) (twinplatform.Result[StatusHistoryItem], error) {
	return p.s.DeleteStatusHistoryItem(ctx, p.id, itemID, pre...)
}

// DeleteTaskLinks is [Service.DeleteTaskLinks].
func (p Plan) DeleteTaskLinks(ctx context.Context, taskLinkIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[TaskLink], error) {
	return p.s.DeleteTaskLinks(ctx, p.id, taskLinkIDs, pre...)
}

// DeleteTaskQueryFilter is [Service.DeleteTaskQueryFilter].
func (p Plan) DeleteTaskQueryFilter(ctx context.Context, filterID string, pre ...twinplatform.Precondition) (twinplatform.Result[TaskQueryFilter], error) {
	return p.s.DeleteTaskQueryFilter(ctx, p.id, filterID, pre...)
}

// DeleteTasks is [Service.DeleteTasks].
func (p Plan) DeleteTasks(ctx context.Context, taskIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Task], error) {
	return p.s.DeleteTasks(ctx, p.id, taskIDs, pre...)
}

// DeleteUserField is [Service.DeleteUserField].
func (p Plan) DeleteUserField(ctx context.Context, userFieldID string, pre ...twinplatform.Precondition) (twinplatform.Result[UserField], error) {
	return p.s.DeleteUserField(ctx, p.id, userFieldID, pre...)
}

// DeleteUserFieldValue is [Service.DeleteUserFieldValue].
func (p Plan) DeleteUserFieldValue(ctx context.Context, category UserFieldCategory, objectID, userFieldID string, pre ...twinplatform.Precondition) error {
	return p.s.DeleteUserFieldValue(ctx, p.id, category, objectID, userFieldID, pre...)
}

// DrivingPath is [Service.DrivingPath].
func (p Plan) DrivingPath(ctx context.Context, taskID string) (Path, error) {
	return p.s.DrivingPath(ctx, p.id, taskID)
}

// Entities3D is [Service.Entities3D].
func (p Plan) Entities3D(ctx context.Context, q Entity3DQuery) (twinplatform.Page[Entity3D], error) {
	return p.s.Entities3D(ctx, p.id, q)
}

// Entities3DOfResource is [Service.Entities3DOfResource].
func (p Plan) Entities3DOfResource(ctx context.Context, resourceID string, q Entity3DQuery) (twinplatform.Page[Entity3D], error) {
	return p.s.Entities3DOfResource(ctx, p.id, resourceID, q)
}

// Entities3DOfTask is [Service.Entities3DOfTask].
func (p Plan) Entities3DOfTask(ctx context.Context, taskID string, q Entity3DQuery) (twinplatform.Page[Entity3D], error) {
	return p.s.Entities3DOfTask(ctx, p.id, taskID, q)
}

// Entity3D is [Service.Entity3D].
func (p Plan) Entity3D(ctx context.Context, entity3DID string) (twinplatform.Record[Entity3D], error) {
	return p.s.Entity3D(ctx, p.id, entity3DID)
}

// File is [Service.File].
func (p Plan) File(ctx context.Context, fileID string) (twinplatform.Record[File], error) {
	return p.s.File(ctx, p.id, fileID)
}

// GanttMermaid is [Service.GanttMermaid].
func (p Plan) GanttMermaid(ctx context.Context, q ChartQuery) (Chart, error) {
	return p.s.GanttMermaid(ctx, p.id, q)
}

// GanttRows is [Service.GanttRows].
func (p Plan) GanttRows(ctx context.Context, q ChartQuery) (ChartRows, error) {
	return p.s.GanttRows(ctx, p.id, q)
}

// GanttSVG is [Service.GanttSVG].
func (p Plan) GanttSVG(ctx context.Context, q ChartQuery) (Chart, error) {
	return p.s.GanttSVG(ctx, p.id, q)
}

// Get is [Service.Schedule].
func (p Plan) Get(ctx context.Context) (twinplatform.Record[Schedule], error) {
	return p.s.Schedule(ctx, p.id)
}

// GroupResources is [Service.GroupResources].
func (p Plan) GroupResources(ctx context.Context, groupID string, q ResourceQuery) (twinplatform.Page[Resource], error) {
	return p.s.GroupResources(ctx, p.id, groupID, q)
}

// ImportMicrosoftProject is [Service.ImportMicrosoftProject].
func (p Plan) ImportMicrosoftProject(ctx context.Context, r MicrosoftProjectImport) (twinplatform.Result[Synchronizer], error) {
	return p.s.ImportMicrosoftProject(ctx, p.id, r)
}

// ImportPlanner is [Service.ImportPlanner].
func (p Plan) ImportPlanner(ctx context.Context, r PlannerImport) (twinplatform.Result[Synchronizer], error) {
	return p.s.ImportPlanner(ctx, p.id, r)
}

// Keyframe is [Service.Keyframe].
func (p Plan) Keyframe(ctx context.Context, keyframeID string) (twinplatform.Record[Keyframe], error) {
	return p.s.Keyframe(ctx, p.id, keyframeID)
}

// Keyframes is [Service.Keyframes].
func (p Plan) Keyframes(ctx context.Context, q KeyframeQuery) (twinplatform.Page[Keyframe], error) {
	return p.s.Keyframes(ctx, p.id, q)
}

// KeyframesOfPath is [Service.KeyframesOfPath].
func (p Plan) KeyframesOfPath(ctx context.Context, pathID string, q KeyframeQuery) (twinplatform.Page[Keyframe], error) {
	return p.s.KeyframesOfPath(ctx, p.id, pathID, q)
}

// MicrosoftProjectSynchronizer is [Service.MicrosoftProjectSynchronizer].
func (p Plan) MicrosoftProjectSynchronizer(ctx context.Context, synchronizerID string) (twinplatform.Record[MicrosoftProjectSynchronizer], error) {
	return p.s.MicrosoftProjectSynchronizer(ctx, p.id, synchronizerID)
}

// OpenFile is [Service.OpenFile].
func (p Plan) OpenFile(ctx context.Context, fileID string) (io.Reader, error) {
	return p.s.OpenFile(ctx, p.id, fileID)
}

// Operation is [Service.Operation].
func (p Plan) Operation(ctx context.Context, operationID string) (twinplatform.Record[twinplatform.Operation], error) {
	return p.s.Operation(ctx, p.id, operationID)
}

// Operations is [Service.Operations].
func (p Plan) Operations(ctx context.Context, q OperationQuery) (twinplatform.Page[twinplatform.Operation], error) {
	return p.s.Operations(ctx, p.id, q)
}

// PlannedTasks is [Service.PlannedTasks].
func (p Plan) PlannedTasks(ctx context.Context, synchronizerID string, q PlannedTaskQuery) (twinplatform.Page[PlannedTask], error) {
	return p.s.PlannedTasks(ctx, p.id, synchronizerID, q)
}

// ProjectScheduling is [Service.ProjectScheduling].
func (p Plan) ProjectScheduling(ctx context.Context) (twinplatform.Record[ProjectScheduling], error) {
	return p.s.ProjectScheduling(ctx, p.id)
}

// PurgeDeleted is [Service.PurgeDeleted].
func (p Plan) PurgeDeleted(ctx context.Context, olderThan time.Duration) error {
	return p.s.PurgeDeleted(ctx, p.id, olderThan)
}

// QualityViolations is [Service.QualityViolations].
func (p Plan) QualityViolations(ctx context.Context, q QualityViolationQuery) (twinplatform.Page[QualityViolation], error) {
	return p.s.QualityViolations(ctx, p.id, q)
}

// RemoveResourcesFromGroup is [Service.RemoveResourcesFromGroup].
func (p Plan) RemoveResourcesFromGroup(ctx context.Context, groupID string, resourceIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return p.s.RemoveResourcesFromGroup(ctx, p.id, groupID, resourceIDs, pre...)
}

// Reschedule is [Service.Reschedule].
func (p Plan) Reschedule(ctx context.Context, r Rescheduling) (twinplatform.Result[Task], error) {
	return p.s.Reschedule(ctx, p.id, r)
}

// Resource is [Service.Resource].
func (p Plan) Resource(ctx context.Context, resourceID string) (twinplatform.Record[Resource], error) {
	return p.s.Resource(ctx, p.id, resourceID)
}

// ResourceAssignment is [Service.ResourceAssignment].
func (p Plan) ResourceAssignment(ctx context.Context, assignmentID string) (twinplatform.Record[ResourceAssignment], error) {
	return p.s.ResourceAssignment(ctx, p.id, assignmentID)
}

// ResourceAssignments is [Service.ResourceAssignments].
func (p Plan) ResourceAssignments(ctx context.Context, q ResourceAssignmentQuery) (twinplatform.Page[ResourceAssignment], error) {
	return p.s.ResourceAssignments(ctx, p.id, q)
}

// ResourceAssignmentsOfResource is [Service.ResourceAssignmentsOfResource].
func (p Plan) ResourceAssignmentsOfResource(ctx context.Context, resourceID string, q ResourceAssignmentQuery) (twinplatform.Page[ResourceAssignment], error) {
	return p.s.ResourceAssignmentsOfResource(ctx, p.id, resourceID, q)
}

// ResourceAssignmentsOfTask is [Service.ResourceAssignmentsOfTask].
func (p Plan) ResourceAssignmentsOfTask(ctx context.Context, taskID string, q ResourceAssignmentQuery) (twinplatform.Page[ResourceAssignment], error) {
	return p.s.ResourceAssignmentsOfTask(ctx, p.id, taskID, q)
}

// ResourceGroup is [Service.ResourceGroup].
func (p Plan) ResourceGroup(ctx context.Context, groupID string) (twinplatform.Record[ResourceGroup], error) {
	return p.s.ResourceGroup(ctx, p.id, groupID)
}

// ResourceGroups is [Service.ResourceGroups].
func (p Plan) ResourceGroups(ctx context.Context, q ResourceGroupQuery) (twinplatform.Page[ResourceGroup], error) {
	return p.s.ResourceGroups(ctx, p.id, q)
}

// ResourceStatusCategories is [Service.ResourceStatusCategories].
func (p Plan) ResourceStatusCategories(ctx context.Context, q ResourceStatusCategoryQuery) (twinplatform.Page[ResourceStatusCategory], error) {
	return p.s.ResourceStatusCategories(ctx, p.id, q)
}

// ResourceStatusCategory is [Service.ResourceStatusCategory].
func (p Plan) ResourceStatusCategory(ctx context.Context, categoryID string) (twinplatform.Record[ResourceStatusCategory], error) {
	return p.s.ResourceStatusCategory(ctx, p.id, categoryID)
}

// ResourceStatusItem is [Service.ResourceStatusItem].
func (p Plan) ResourceStatusItem(ctx context.Context, itemID string) (twinplatform.Record[ResourceStatusItem], error) {
	return p.s.ResourceStatusItem(ctx, p.id, itemID)
}

// ResourceStatusItems is [Service.ResourceStatusItems].
func (p Plan) ResourceStatusItems(ctx context.Context, q ResourceStatusItemQuery) (twinplatform.Page[ResourceStatusItem], error) {
	return p.s.ResourceStatusItems(ctx, p.id, q)
}

// ResourceStatusItemsOf is [Service.ResourceStatusItemsOf].
func (p Plan) ResourceStatusItemsOf(ctx context.Context, setID string, q ResourceStatusItemQuery) (twinplatform.Page[ResourceStatusItem], error) {
	return p.s.ResourceStatusItemsOf(ctx, p.id, setID, q)
}

// ResourceStatusSet is [Service.ResourceStatusSet].
func (p Plan) ResourceStatusSet(ctx context.Context, setID string) (twinplatform.Record[ResourceStatusSet], error) {
	return p.s.ResourceStatusSet(ctx, p.id, setID)
}

// ResourceStatusSets is [Service.ResourceStatusSets].
func (p Plan) ResourceStatusSets(ctx context.Context, q ResourceStatusSetQuery) (twinplatform.Page[ResourceStatusSet], error) {
	return p.s.ResourceStatusSets(ctx, p.id, q)
}

// ResourceStatusSetsOf is [Service.ResourceStatusSetsOf].
func (p Plan) ResourceStatusSetsOf(ctx context.Context, categoryID string, q ResourceStatusSetQuery) (twinplatform.Page[ResourceStatusSet], error) {
	return p.s.ResourceStatusSetsOf(ctx, p.id, categoryID, q)
}

// Resources is [Service.Resources].
func (p Plan) Resources(ctx context.Context, q ResourceQuery) (twinplatform.Page[Resource], error) {
	return p.s.Resources(ctx, p.id, q)
}

// RestoreBaseline is [Service.RestoreBaseline].
func (p Plan) RestoreBaseline(ctx context.Context, b Baseline, tasks []BaselineTask, links []BaselineTaskLink) (twinplatform.Record[Baseline], error) {
	return p.s.RestoreBaseline(ctx, p.id, b, tasks, links)
}

// Rule is [Service.Rule].
func (p Plan) Rule(ctx context.Context, ruleID string) (twinplatform.Record[Rule], error) {
	return p.s.Rule(ctx, p.id, ruleID)
}

// Rules is [Service.Rules].
func (p Plan) Rules(ctx context.Context, q RuleQuery) (twinplatform.Page[Rule], error) {
	return p.s.Rules(ctx, p.id, q)
}

// SchedulingAnalyses is [Service.SchedulingAnalyses].
func (p Plan) SchedulingAnalyses(ctx context.Context, q SchedulingAnalysisQuery) (twinplatform.Page[SchedulingAnalysis], error) {
	return p.s.SchedulingAnalyses(ctx, p.id, q)
}

// SetState is [Service.SetState].
func (p Plan) SetState(ctx context.Context, state State, pre ...twinplatform.Precondition) error {
	return p.s.SetState(ctx, p.id, state, pre...)
}

// SetUserFieldValue is [Service.SetUserFieldValue].
func (p Plan) SetUserFieldValue(ctx context.Context, category UserFieldCategory, n NewUserFieldValue, pre ...twinplatform.Precondition) (twinplatform.Result[UserFieldValue], error) {
	return p.s.SetUserFieldValue(ctx, p.id, category, n, pre...)
}

// SetUserFieldValues is [Service.SetUserFieldValues].
func (p Plan) SetUserFieldValues(ctx context.Context, category UserFieldCategory, batch []NewUserFieldValue, pre ...twinplatform.Precondition) (twinplatform.Result[UserFieldValue], error) {
	return p.s.SetUserFieldValues(ctx, p.id, category, batch, pre...)
}

// Simulate is [Service.Simulate].
func (p Plan) Simulate(ctx context.Context, r Rescheduling) (Simulation, error) {
	return p.s.Simulate(ctx, p.id, r)
}

// StatusHistoryItem is [Service.StatusHistoryItem].
func (p Plan) StatusHistoryItem(ctx context.Context, itemID string) (twinplatform.Record[StatusHistoryItem], error) {
	return p.s.StatusHistoryItem(ctx, p.id, itemID)
}

// StatusHistoryItems is [Service.StatusHistoryItems].
func (p Plan) StatusHistoryItems(ctx context.Context, q StatusHistoryQuery) (twinplatform.Page[StatusHistoryItem], error) {
	return p.s.StatusHistoryItems(ctx, p.id, q)
}

// StatusHistoryItemsOf is [Service.StatusHistoryItemsOf].
func (p Plan) StatusHistoryItemsOf(ctx context.Context, resourceID string, q StatusHistoryQuery) (twinplatform.Page[StatusHistoryItem], error) {
	return p.s.StatusHistoryItemsOf(ctx, p.id, resourceID, q)
}

// SynchronizeMicrosoftProject is [Service.SynchronizeMicrosoftProject].
func (p Plan) SynchronizeMicrosoftProject(ctx context.Context, r MicrosoftProjectSynchronization) (twinplatform.Result[Synchronizer], error) {
	return p.s.SynchronizeMicrosoftProject(ctx, p.id, r)
}

// SynchronizePlanner is [Service.SynchronizePlanner].
func (p Plan) SynchronizePlanner(ctx context.Context, r PlannerSynchronization) (twinplatform.Result[Synchronizer], error) {
	return p.s.SynchronizePlanner(ctx, p.id, r)
}

// Synchronizer is [Service.Synchronizer].
func (p Plan) Synchronizer(ctx context.Context, synchronizerID string) (twinplatform.Record[Synchronizer], error) {
	return p.s.Synchronizer(ctx, p.id, synchronizerID)
}

// Synchronizers is [Service.Synchronizers].
func (p Plan) Synchronizers(ctx context.Context, q SynchronizerQuery) (twinplatform.Page[Synchronizer], error) {
	return p.s.Synchronizers(ctx, p.id, q)
}

// Task is [Service.Task].
func (p Plan) Task(ctx context.Context, taskID string) (twinplatform.Record[Task], error) {
	return p.s.Task(ctx, p.id, taskID)
}

// TaskLink is [Service.TaskLink].
func (p Plan) TaskLink(ctx context.Context, taskLinkID string) (twinplatform.Record[TaskLink], error) {
	return p.s.TaskLink(ctx, p.id, taskLinkID)
}

// TaskLinks is [Service.TaskLinks].
func (p Plan) TaskLinks(ctx context.Context, q TaskLinkQuery) (twinplatform.Page[TaskLink], error) {
	return p.s.TaskLinks(ctx, p.id, q)
}

// TaskLinksOfBaselines is [Service.TaskLinksOfBaselines].
func (p Plan) TaskLinksOfBaselines(ctx context.Context, q TaskLinksOfBaselinesQuery) (twinplatform.Page[BaselineTaskLink], error) {
	return p.s.TaskLinksOfBaselines(ctx, p.id, q)
}

// TaskQueryFilter is [Service.TaskQueryFilter].
func (p Plan) TaskQueryFilter(ctx context.Context, filterID string) (twinplatform.Record[TaskQueryFilter], error) {
	return p.s.TaskQueryFilter(ctx, p.id, filterID)
}

// TaskQueryFilters is [Service.TaskQueryFilters].
func (p Plan) TaskQueryFilters(ctx context.Context, q TaskQueryFilterQuery) (twinplatform.Page[TaskQueryFilter], error) {
	return p.s.TaskQueryFilters(ctx, p.id, q)
}

// Tasks is [Service.Tasks].
func (p Plan) Tasks(ctx context.Context, q TaskQuery) (twinplatform.Page[Task], error) {
	return p.s.Tasks(ctx, p.id, q)
}

// UpdateAnimation3DPath is [Service.UpdateAnimation3DPath].
func (p Plan) UpdateAnimation3DPath(ctx context.Context, pathID string, patch Animation3DPathPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DPath], error) {
	return p.s.UpdateAnimation3DPath(ctx, p.id, pathID, patch, pre...)
}

// UpdateAnimation3DPathAssignment is [Service.UpdateAnimation3DPathAssignment].
func (p Plan) UpdateAnimation3DPathAssignment(ctx context.Context, assignmentID string, patch Animation3DPathAssignmentPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DPathAssignment], error) {
	return p.s.UpdateAnimation3DPathAssignment(ctx, p.id, assignmentID, patch, pre...)
}

// UpdateAnimation3DTransform is [Service.UpdateAnimation3DTransform].
func (p Plan) UpdateAnimation3DTransform(ctx context.Context, transformID string, patch Animation3DTransformPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Animation3DTransform], error) {
	return p.s.UpdateAnimation3DTransform(ctx, p.id, transformID, patch, pre...)
}

// UpdateAnimationBinding is [Service.UpdateAnimationBinding].
func (p Plan) UpdateAnimationBinding(ctx context.Context, bindingID string, patch AnimationBindingPatch, pre ...twinplatform.Precondition) (twinplatform.Result[AnimationBinding], error) {
	return p.s.UpdateAnimationBinding(ctx, p.id, bindingID, patch, pre...)
}

// UpdateAppearanceProfile is [Service.UpdateAppearanceProfile].
func (p Plan) UpdateAppearanceProfile(ctx context.Context, profileID string, patch AppearanceProfilePatch, pre ...twinplatform.Precondition) (twinplatform.Result[AppearanceProfile], error) {
	return p.s.UpdateAppearanceProfile(ctx, p.id, profileID, patch, pre...)
}

// UpdateCalendar is [Service.UpdateCalendar].
func (p Plan) UpdateCalendar(ctx context.Context, calendarID string, patch CalendarPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Calendar], error) {
	return p.s.UpdateCalendar(ctx, p.id, calendarID, patch, pre...)
}

// UpdateCode is [Service.UpdateCode].
func (p Plan) UpdateCode(ctx context.Context, codeID string, patch CodePatch, pre ...twinplatform.Precondition) (twinplatform.Result[Code], error) {
	return p.s.UpdateCode(ctx, p.id, codeID, patch, pre...)
}

// UpdateCodeValue is [Service.UpdateCodeValue].
func (p Plan) UpdateCodeValue(ctx context.Context, codeValueID string, patch CodeValuePatch, pre ...twinplatform.Precondition) (twinplatform.Result[CodeValue], error) {
	return p.s.UpdateCodeValue(ctx, p.id, codeValueID, patch, pre...)
}

// UpdateEntity3D is [Service.UpdateEntity3D].
func (p Plan) UpdateEntity3D(ctx context.Context, entity3DID string, patch Entity3DPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Entity3D], error) {
	return p.s.UpdateEntity3D(ctx, p.id, entity3DID, patch, pre...)
}

// UpdateKeyframe is [Service.UpdateKeyframe].
func (p Plan) UpdateKeyframe(ctx context.Context, keyframeID string, patch KeyframePatch, pre ...twinplatform.Precondition) (twinplatform.Result[Keyframe], error) {
	return p.s.UpdateKeyframe(ctx, p.id, keyframeID, patch, pre...)
}

// UpdateProjectScheduling is [Service.UpdateProjectScheduling].
func (p Plan) UpdateProjectScheduling(ctx context.Context, patch ProjectSchedulingPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ProjectScheduling], error) {
	return p.s.UpdateProjectScheduling(ctx, p.id, patch, pre...)
}

// UpdateResource is [Service.UpdateResource].
func (p Plan) UpdateResource(ctx context.Context, resourceID string, patch ResourcePatch, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return p.s.UpdateResource(ctx, p.id, resourceID, patch, pre...)
}

// UpdateResourceAssignment is [Service.UpdateResourceAssignment].
func (p Plan) UpdateResourceAssignment(ctx context.Context, assignmentID string, patch ResourceAssignmentPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceAssignment], error) {
	return p.s.UpdateResourceAssignment(ctx, p.id, assignmentID, patch, pre...)
}

// UpdateResourceAssignments is [Service.UpdateResourceAssignments].
func (p Plan) UpdateResourceAssignments(ctx context.Context, changes []ResourceAssignmentChange, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceAssignment], error) {
	return p.s.UpdateResourceAssignments(ctx, p.id, changes, pre...)
}

// UpdateResourceGroup is [Service.UpdateResourceGroup].
func (p Plan) UpdateResourceGroup(ctx context.Context, groupID string, patch ResourceGroupPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceGroup], error) {
	return p.s.UpdateResourceGroup(ctx, p.id, groupID, patch, pre...)
}

// UpdateResourceStatusCategory is [Service.UpdateResourceStatusCategory].
func (p Plan) UpdateResourceStatusCategory(ctx context.Context, categoryID string, patch ResourceStatusCategoryPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusCategory], error) {
	return p.s.UpdateResourceStatusCategory(ctx, p.id, categoryID, patch, pre...)
}

// UpdateResourceStatusItem is [Service.UpdateResourceStatusItem].
func (p Plan) UpdateResourceStatusItem(ctx context.Context, itemID string, patch ResourceStatusItemPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusItem], error) {
	return p.s.UpdateResourceStatusItem(ctx, p.id, itemID, patch, pre...)
}

// UpdateResourceStatusSet is [Service.UpdateResourceStatusSet].
func (p Plan) UpdateResourceStatusSet(ctx context.Context, setID string, patch ResourceStatusSetPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusSet], error) {
	return p.s.UpdateResourceStatusSet(ctx, p.id, setID, patch, pre...)
}

// UpdateRule is [Service.UpdateRule].
func (p Plan) UpdateRule(ctx context.Context, ruleID string, patch RulePatch, pre ...twinplatform.Precondition) (twinplatform.Result[Rule], error) {
	return p.s.UpdateRule(ctx, p.id, ruleID, patch, pre...)
}

// UpdateStatusHistoryItem is [Service.UpdateStatusHistoryItem].
func (p Plan) UpdateStatusHistoryItem(ctx context.Context, itemID string, patch StatusHistoryItemPatch, pre ...twinplatform.Precondition) (twinplatform.Result[StatusHistoryItem], error) {
	return p.s.UpdateStatusHistoryItem(ctx, p.id, itemID, patch, pre...)
}

// UpdateSynchronizer is [Service.UpdateSynchronizer].
func (p Plan) UpdateSynchronizer(ctx context.Context, synchronizerID string, patch SynchronizerPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Synchronizer], error) {
	return p.s.UpdateSynchronizer(ctx, p.id, synchronizerID, patch, pre...)
}

// UpdateTask is [Service.UpdateTask].
func (p Plan) UpdateTask(ctx context.Context, taskID string, patch TaskPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Task], error) {
	return p.s.UpdateTask(ctx, p.id, taskID, patch, pre...)
}

// UpdateTaskLinks is [Service.UpdateTaskLinks].
func (p Plan) UpdateTaskLinks(ctx context.Context, patches []TaskLinkPatch, pre ...twinplatform.Precondition) (twinplatform.Result[TaskLink], error) {
	return p.s.UpdateTaskLinks(ctx, p.id, patches, pre...)
}

// UpdateTaskQueryFilter is [Service.UpdateTaskQueryFilter].
func (p Plan) UpdateTaskQueryFilter(ctx context.Context, filterID string, n NewTaskQueryFilter, pre ...twinplatform.Precondition) (twinplatform.Result[TaskQueryFilter], error) {
	return p.s.UpdateTaskQueryFilter(ctx, p.id, filterID, n, pre...)
}

// UserField is [Service.UserField].
func (p Plan) UserField(ctx context.Context, userFieldID string) (twinplatform.Record[UserField], error) {
	return p.s.UserField(ctx, p.id, userFieldID)
}

// UserFieldValues is [Service.UserFieldValues].
func (p Plan) UserFieldValues(ctx context.Context, category UserFieldCategory, q UserFieldValueQuery) (twinplatform.Page[UserFieldValue], error) {
	return p.s.UserFieldValues(ctx, p.id, category, q)
}

// UserFieldValuesOf is [Service.UserFieldValuesOf].
func (p Plan) UserFieldValuesOf(ctx context.Context, category UserFieldCategory, objectID string, q UserFieldValueQuery) (twinplatform.Page[UserFieldValue], error) {
	return p.s.UserFieldValuesOf(ctx, p.id, category, objectID, q)
}

// UserFields is [Service.UserFields].
func (p Plan) UserFields(ctx context.Context, q UserFieldQuery) (twinplatform.Page[UserField], error) {
	return p.s.UserFields(ctx, p.id, q)
}

// Wait is [Service.Wait].
func (p Plan) Wait(ctx context.Context, operationID string) (twinplatform.Operation, error) {
	return p.s.Wait(ctx, p.id, operationID)
}
