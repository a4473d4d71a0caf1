package route

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// missingIn are the codes with which operations miss what their path names, by the
// name in the path.
var missingIn = map[string]string{
	"scheduleId": "ScheduleNotFound", "taskId": "TaskNotFound", "taskLinkId": "TaskLinkNotFound",
	"resourceId":      "ResourceNotFound",
	"resourceGroupId": "ResourceGroupNotFound", "resourceStatusCategoryId": "ResourceStatusCategoryNotFound",
	"resourceStatusSetId": "ResourceStatusSetNotFound", "resourceStatusItemId": "ResourceStatusItemNotFound",
	"userFieldId": "UserFieldNotFound", "baselineId": "BaselineNotFound", "entity3dId": "Entity3dNotFound",
	"resourceAssignmentId": "ResourceAssignmentNotFound", "statusHistoryItemId": "StatusHistoryItemNotFound",
	"operationId": "OperationNotFound", "synchronizerId": "SynchronizerNotFound",
	"appearanceProfileId": "AppearanceProfileNotFound", "animationBindingId": "AnimationBindingNotFound",
	"animation3dTransformId": "Animation3dTransformNotFound", "animation3dPathId": "Animation3dPathNotFound",
	"animation3dPathAssignmentId": "Animation3dPathAssignmentNotFound", "keyframeId": "KeyframeNotFound",
	"codeId": "CodeNotFound", "codeValueId": "CodeValueNotFound", "ruleId": "RuleNotFound",
	"calendarId": "CalendarNotFound", "fileId": "FileNotFound", "taskQueryFilterId": "TaskQueryFilterNotFound",
	"formId": "FormDataNotFound", "issueId": "FormDataNotFound", "formDefinitionId": "FormDefinitionNotFound",
	"commentId":    "CommentNotFound",
	"attachmentId": "AttachmentNotFound", "twinId": "twinNotFound", "twinGroupId": "GroupNotFound",
	"shareId": "ShareNotFound", "roleId": "RoleNotFound", "memberId": "TeamMemberNotFound",
	"invitationId": "InvitationNotFound", "repositoryId": "twinRepositoryNotFound",
	"repositoryResourceId": "twinRepositoryResourceNotFound", "imageName": "twinImageNotFound",
	"exportId": "twinExportNotFound", "fileName": "twinExportNotFound", "viewImageName": "SavedViewImageNotFound",
	"webhookId": "WebhookNotFound", "deliveryId": "DeliveryNotFound",
	"realityDataId": "RealityDataNotFound", "jobId": "JobNotFound", "detectorName": "DetectorNotFound",
	"versionNumber":   "DetectorVersionNotFound",
	"configurationId": "ConfigurationNotFound", "modelId": "ModelNotFound", "savedViewId": "SavedViewNotFound",
	"groupId": "SavedViewGroupNotFound", "tagId": "SavedViewTagNotFound", "extensionName": "SavedViewExtensionNotFound",
	"changesetId": "ChangesetNotFound", "elementId": "ElementNotFound", "namedVersionId": "NamedVersionNotFound",
	"transformationId": "TransformationNotFound",
}

// missingElsewhere are the codes of what operations miss that their path does not name.
var missingElsewhere = map[string][]string{
	"resourceUserFieldValues.set": {"ResourceNotFound", "UserFieldNotFound"},
	"entity3dUserFieldValues.set": {"Entity3dNotFound", "UserFieldNotFound"}, "tasks.deleteMany": {"TaskNotFound"},
	"wbsDates.list":    {"TaskNotFound"},
	"tasks.reschedule": {"TaskNotFound"}, "gantt.svg": {"BaselineNotFound"}, "gantt.mmd": {"BaselineNotFound"},
	"gantt.json": {"BaselineNotFound"}, "gantt.pdf": {"BaselineNotFound"}, "tasks.xlsx": {"BaselineNotFound"},
	"qualityViolations.analyze": {"BaselineNotFound"},
	"qualityViolations.list":    {"BaselineNotFound"},
	"paths.driving":             {"BaselineNotFound"},
	"animationBindings.match":   {"ModelNotFound"},
	"animationStates.list":      {"BaselineNotFound", "ModelNotFound"},
	"animationTimelines.list":   {"BaselineNotFound", "ModelNotFound"},
	"animation.glb":             {"BaselineNotFound", "ModelNotFound"},
	"progressCurves.json":       {"BaselineNotFound"}, "progressCurves.svg": {"BaselineNotFound"},
	"progressCurves.csv": {"BaselineNotFound"}, "progressLines.json": {"BaselineNotFound"},
	"progressLines.svg": {"BaselineNotFound"}, "progressLines.csv": {"BaselineNotFound"},
	"taskUserFieldValues.set":          {"TaskNotFound", "UserFieldNotFound"},
	"taskUserFieldValues.setMany":      {"TaskNotFound", "UserFieldNotFound"},
	"resourceUserFieldValues.setMany":  {"ResourceNotFound", "UserFieldNotFound"},
	"resourceGroupUserFieldValues.set": {"ResourceGroupNotFound", "UserFieldNotFound"},
	"resourceGroups.removeResources":   {"ResourceNotFound"}, "tasks.createMany": {"TaskNotFound"},
	"baselines.deleteMany": {"BaselineNotFound"}, "entities3d.deleteMany": {"Entity3dNotFound"},
	"resources.deleteMany":      {"ResourceNotFound"},
	"resourceGroups.deleteMany": {"ResourceGroupNotFound"}, "taskLinks.deleteMany": {"TaskLinkNotFound"},
	"taskLinks.updateMany":           {"TaskLinkNotFound"},
	"resourceAssignments.updateMany": {"ResourceAssignmentNotFound"},
	"resourceAssignments.deleteMany": {"ResourceAssignmentNotFound"},
	"animationBindings.deleteMany":   {"AnimationBindingNotFound"},
	"codeValueAssignments.delete":    {"CodeValueAssignmentNotFound"}, "plannerExports.read": {"FileNotFound"},
	"forms.list": {"ProjectNotFound"}, "formDefinitions.create": {"ProjectNotFound"},
	"formDefinitions.list": {"ProjectNotFound"},
	"issues.list":          {"ProjectNotFound"}, "issues.create": {"FormDefinitionNotFound"},
	"issues.formDefinitions.list": {"ProjectNotFound"}, "formDefinitions.setSecurity": {
		"FormDataNotFound",
		"ProjectNotFound",
	},
	"forms.create": {"FormDefinitionNotFound"}, "twins.create": {"ResourceNotFound"},
	"twins.update":        {"ResourceNotFound"},
	"savedViewImages.get": {"SavedViewImageNotFound"}, "twinImages.get": {"twinImageNotFound"},
	"twinImages.delete":      {"twinImageNotFound"},
	"twins.myPrimaryAccount": {"twinNotFound"}, "shares.create": {"ShareContractNotFound"},
	"realityData.dissociate": {"AssociationNotFound"},
	"conversionJobs.create":  {"RealityDataNotFound"}, "analysisJobs.create": {"RealityDataNotFound"},
	"conversionJobs.update": {"RealityDataNotFound"}, "analysisJobs.update": {"RealityDataNotFound"},
	"detectors.create": {"ResourceNotFound"}, "detectors.list": {"ResourceNotFound"},
	"configurations.create": {"ModelNotFound"}, "models.create": {"TwinNotFound"},
	"savedViews.create": {"ModelNotFound", "TwinNotFound", "ChangesetNotFound"}, "savedViews.list": {
		"ModelNotFound",
		"TwinNotFound",
	},
	"savedViewGroups.create": {"ModelNotFound"}, "savedViewGroups.list": {"ModelNotFound"},
	"savedViewTags.create": {"ModelNotFound"}, "savedViewTags.list": {"ModelNotFound"},
	"elements.list": {"ChangesetNotFound"}, "elements.get": {"ChangesetNotFound"},
	"models.extents":       {"ChangesetNotFound"},
	"namedVersions.create": {"ChangesetNotFound"}, "transformations.create": {"ConfigurationNotFound", "ModelNotFound"},
}

// conflicts are the codes with which operations conflict with what is there.
var conflicts = map[string][]string{
	"tasks.create": {"AlreadyExists"}, "tasks.createMany": {"AlreadyExists"}, "tasks.update": {"AlreadyExists"},
	"resources.update": {"AlreadyExists"}, "taskLinks.createMany": {"AlreadyExists"},
	"resources.create": {"AlreadyExists"}, "resources.createMany": {"AlreadyExists"},
	"resourceGroups.create":           {"AlreadyExists"},
	"resourceStatusCategories.create": {"AlreadyExists"}, "resourceStatusSets.create": {"AlreadyExists"},
	"resourceStatusCategories.delete": {"ResourceStatusItemInUse"},
	"resourceStatusSets.delete":       {"ResourceStatusItemInUse"},
	"resourceStatusItems.delete":      {"ResourceStatusItemInUse"},
	"resourceStatusItems.create":      {"AlreadyExists"}, "userFields.create": {"AlreadyExists"},
	"baselines.create":  {"AlreadyExists"},
	"entities3d.create": {"AlreadyExists"}, "schedules.create": {"AlreadyExists"}, "schedules.clone": {
		"AlreadyExists",
		"LimitExceeded",
	},
	"resourceAssignments.create": {"AlreadyExists"}, "resourceAssignments.createMany": {"AlreadyExists"},
	"statusHistoryItems.create": {"AlreadyExists"},
	"appearanceProfiles.create": {"AlreadyExists"}, "appearanceProfiles.delete": {"AppearanceProfileInUse"},
	"animationStates.list": {"LimitExceeded"}, "animationTimelines.list": {"LimitExceeded"},
	"animation.glb":            {"LimitExceeded"},
	"animationBindings.match":  {"LimitExceeded"},
	"animationBindings.create": {"AlreadyExists"}, "animationBindings.createMany": {"AlreadyExists"},
	"animation3dTransforms.create": {"AlreadyExists"}, "animation3dTransforms.createMany": {"AlreadyExists"},
	"animation3dTransforms.delete": {"Animation3dTransformInUse"},
	"animation3dPaths.create":      {"AlreadyExists"}, "animation3dPaths.delete": {"Animation3dPathInUse"},
	"animation3dPathAssignments.create": {"AlreadyExists"},
	"animation3dPathAssignments.delete": {"Animation3dPathAssignmentInUse"},
	"keyframes.create":                  {"AlreadyExists"}, "keyframes.createMany": {"AlreadyExists"},
	"codes.create": {"AlreadyExists", "CostCodeExists"}, "codeValues.create": {"AlreadyExists"},
	"codeValues.createMany":       {"AlreadyExists"},
	"codeValueAssignments.create": {"AlreadyExists"}, "codeValueAssignments.createMany": {"AlreadyExists"},
	"rules.create": {"AlreadyExists"}, "rules.update": {"AlreadyExists"}, "taskQueryFilters.create": {"AlreadyExists"},
	"files.create": {"FileQuotaExceeded"}, "plannerExports.create": {"FileQuotaExceeded"},
	"files.update":                        {"UploadOffsetMismatch"},
	"plannerImports.synchronize":          {"SynchronizationDeletesTasks"},
	"microsoftProjectImports.synchronize": {"SynchronizationDeletesTasks"},
	"calendars.create":                    {"AlreadyExists"}, "calendars.delete": {"CalendarInUse"},
	"tasks.reschedule": {"CircularDependency", "LimitExceeded", "ScheduleChanging"},
	"paths.critical":   {"CircularDependency", "LimitExceeded"}, "paths.driving": {
		"CircularDependency",
		"LimitExceeded",
	},
	"gantt.svg": {"LimitExceeded"}, "gantt.json": {"LimitExceeded"}, "gantt.mmd": {"LimitExceeded"},
	"gantt.pdf": {"LimitExceeded"}, "tasks.xlsx": {"LimitExceeded"},
	"comparisons.get": {"LimitExceeded"}, "comparisons.csv": {"LimitExceeded"}, "finishMoves.get": {"LimitExceeded"},
	"risks.analyze": {"CircularDependency", "LimitExceeded"}, "risks.svg": {"CircularDependency", "LimitExceeded"},
	"progressCurves.json": {"LimitExceeded"}, "progressCurves.svg": {"LimitExceeded"},
	"progressCurves.csv":      {"LimitExceeded"},
	"resourceHistograms.json": {"LimitExceeded"}, "resourceHistograms.svg": {"LimitExceeded"},
	"resourceHistograms.csv": {"LimitExceeded"},
	"progressLines.json":     {"LimitExceeded"}, "progressLines.svg": {"LimitExceeded"},
	"progressLines.csv":         {"LimitExceeded"},
	"qualityViolations.analyze": {"LimitExceeded"}, "qualityViolations.list": {"LimitExceeded"},
	"wbsDates.list":    {"LimitExceeded"},
	"resources.delete": {"ResourceInUse"}, "resources.deleteMany": {"ResourceInUse"},
	"issues.formDefinitions.update": {"FormDefIsClosed", "UpsertNotSupported"},
	"formDefinitions.update":        {"FormDefIsClosed", "UpsertNotSupported"},
	"formDefinitions.delete":        {"FormDefinitionInUse"},
	"twins.create":                  {"twinExists"}, "twins.update": {"twinExists"}, "twins.delete": {"TwinNotEmpty"},
	"roles.create": {"roleExists"}, "roles.update": {"roleExists", "OwnerRole"}, "roles.delete": {
		"OwnerRole",
		"RoleInUse",
	},
	"members.create": {"memberExists", "invitationExists"}, "members.update": {"LastOwner"},
	"members.delete": {"LastOwner"},
	"groups.create":  {"groupExists", "LimitExceeded"}, "groups.update": {"groupExists", "LastOwner", "LimitExceeded"},
	"groups.delete":       {"LastOwner"},
	"shares.create":       {"LimitExceeded"},
	"groupMembers.create": {"memberExists", "LimitExceeded"}, "groupMembers.update": {"LastOwner"},
	"groupMembers.delete": {"LastOwner"},
	"exports.create":      {"LimitExceeded"},
	"repositories.create": {"twinRepositoryExists", "LimitExceeded"}, "repositories.update": {"twinRepositoryExists"},
	"repositoryResources.create": {"twinRepositoryResourceExists", "LimitExceeded"},
	"repositoryResources.update": {"twinRepositoryResourceExists"},
	"users.create":               {"memberExists", "invitationExists"}, "users.update": {"LastOwner"},
	"users.delete": {"LastOwner"}, "owners.delete": {"LastOwner"},
	"invitations.create": {"invitationExists", "LimitExceeded"}, "owners.create": {"invitationExists"},
	"invitations.accept":    {"memberExists", "InvitationExpired", "InvitationNotValid", "AmbiguousId"},
	"conversionJobs.create": {"LimitExceeded"}, "analysisJobs.create": {"LimitExceeded"},
	"conversionJobs.update": {"JobSubmitted", "JobNotActive"}, "analysisJobs.update": {"JobSubmitted", "JobNotActive"},
	"realityData.delete": {"RealityDataShared"}, "realityData.move": {"RealityDataShared"},
	"realityData.writeAccess": {"RealityDataComplete"},
	"detectors.create":        {"DetectorExists"}, "detectorVersions.create": {"DetectorVersionExists"},
	"detectorVersions.publish": {"DetectorVersionNotReady", "DetectorExists"},
	"models.create":            {"ModelExists"}, "models.delete": {"ModelInUse"},
	"savedViews.create": {"SavedViewExists"}, "savedViews.delete": {"SavedViewInUse"},
	"savedViewGroups.create": {"SavedViewGroupExists", "LimitExceeded"}, "savedViewTags.create": {
		"SavedViewTagExists",
		"LimitExceeded",
	}, "savedViewExtensions.set": {"LimitExceeded"},
	"changesets.create":    {"ChangesetExists", "ChangesetConflict", "ChangesetInProgress"},
	"models.importGltf":    {"ChangesetConflict", "ChangesetInProgress"},
	"namedVersions.create": {"NamedVersionExists"}, "modelMembers.create": {"MemberExists", "LimitExceeded"},
	"transformations.create": {"TransformationInProgress"}, "transformations.delete": {"TransformationEnded"},
	"configurations.delete": {"ConfigurationInUse"},
	"webhooks.create":       {"LimitExceeded"},
}

// conflictText are the messages of conflicts that give more detail.
var conflictText = map[string]string{
	"AlreadyExists":          "A record with the id exists already.",
	"ScheduleNotInitialized": "The schedule is not initialized. Its current state is 'Processing'.",
}

// Errors lists the documented errors of a route, by status.
func Errors(r *cycle.Route) []cycle.OperationError {
	l := listed{r: r}
	l.always()
	if len(r.Scopes) > 0 {
		l.refusals()
		l.conflicts()
	}
	l.missing()
	slices.SortStableFunc(l.errors, func(a, b cycle.OperationError) int { return cmp.Compare(a.Status, b.Status) })
	return l.errors
}

// listed are the errors of a route so far.
type listed struct {
	r      *cycle.Route
	errors []cycle.OperationError
}

func (l *listed) add(status int, code, target, message string) {
	if !slices.ContainsFunc(l.errors,
		func(e cycle.OperationError) bool { return e.Status == status && e.Code == code }) {
		l.errors = append(l.errors, cycle.OperationError{Status: status, Code: code, Target: target, Message: message})
	}
}

func (l *listed) error(e *twinplatform.Error) { l.add(httperror.Status(e.Kind), e.Code, "", e.Message) }

// always are the errors that every operation has.
func (l *listed) always() {
	if l.r.Bad.Code != "" {
		l.error(&l.r.Bad)
	}
	if l.r.NoBody != nil {
		l.error(l.r.NoBody)
	}
	if l.r.Body != nil {
		l.add(cycle.ErrTooLarge.Status, cycle.ErrTooLarge.Err.Code, "", cycle.ErrTooLarge.Err.Message)
		l.add(cycle.ErrEncoding.Status, cycle.ErrEncoding.Err.Code, "", cycle.ErrEncoding.Err.Message)
	}
	if l.r.Raw {
		l.add(cycle.ErrTooLarge.Status, cycle.ErrTooLarge.Err.Code, "", cycle.ErrTooLarge.Err.Message)
	}
	for _, f := range l.r.Refusals {
		l.add(f.Status, f.Err.Code, "", f.Err.Message)
	}
	l.add(http.StatusTooManyRequests, "RateLimitExceeded", "", "The client has sent more requests than it may.")
	l.error(twinplatform.AsError(twinplatform.Internal))
	l.add(http.StatusServiceUnavailable, "StoreUnavailable", "", "The store accepts no changes at present.")
	if !l.r.ReadOnly() {
		l.add(http.StatusServiceUnavailable, "OutcomeUnknown", "",
			"The connection to the store broke while the change was being made. It is not known whether the change "+
				"was made: read before you send it again.")
	}
	l.add(http.StatusServiceUnavailable, "RequestAborted", "", "The request was cancelled before it was done.")
}

// refusals lists the errors that refuse the caller.
func (l *listed) refusals() {
	l.error(cycle.ErrNoHeader)
	l.error(cycle.ErrUnchecked)
	if l.r.Forbids {
		l.error(problem.Forbidden)
	}
}

func (l *listed) missing() {
	for _, name := range l.r.PathNames {
		if code := missingIn[name]; code != "" {
			l.add(http.StatusNotFound, code, name, notAvailable(code))
		}
	}
	for _, code := range missingElsewhere[l.r.ID] {
		l.add(http.StatusNotFound, code, "", notAvailable(code))
	}
}

func (l *listed) conflicts() {
	conflict := func(code string) {
		l.add(http.StatusConflict, code, "",
			cmp.Or(conflictText[code], "The request conflicts with the current state."))
	}
	changes := !l.r.ReadOnly()
	if l.r.Conditional {
		l.add(http.StatusConflict, problem.VersionMismatch.Code, "", problem.VersionMismatch.Message)
	}
	if changes && strings.HasPrefix(l.r.Path, Schedule) {
		conflict("ScheduleNotInitialized")
	}
	if slices.ContainsFunc(l.r.PathNames, func(name string) bool { return slices.Contains(ambiguous, name) }) {
		conflict("AmbiguousId")
	}
	for _, code := range conflicts[l.r.ID] {
		conflict(code)
	}
}

// ambiguous are the names in paths of what several accounts may call the same.
var ambiguous = []string{"scheduleId", "detectorName", "modelId", "savedViewId"}

// notAvailable is the message of a code whose words are what is missing.
func notAvailable(code string) string {
	var b strings.Builder
	for i, r := range strings.TrimSuffix(code, "NotFound") {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return "The requested " + strings.ReplaceAll(b.String(), "3d", " 3D") + " is not available."
}
