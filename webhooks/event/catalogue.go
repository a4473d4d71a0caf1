package event

import "github.com/seed-933f9a09/twinplatform"

// The event types that webhooks can subscribe to.
const (
	TypeModelCreated        = "models.modelCreated.v1"
	TypeModelDeleted        = "models.modelDeleted.v1"
	TypeNamedVersionCreated = "models.namedVersionCreated.v1"
	TypeChangesReady        = "models.changesReady.v1"

	TypeMemberAdded       = "accessControl.memberAdded.v1"
	TypeMemberRemoved     = "accessControl.memberRemoved.v1"
	TypeInvitationCreated = "accessControl.invitationCreated.v1"
	TypeRoleAssigned      = "accessControl.roleAssigned.v1"
	TypeRoleUnassigned    = "accessControl.roleUnassigned.v1"

	TypeTwinCreated = "twins.twinCreated.v1"
	TypeTwinUpdated = "twins.twinUpdated.v1"
	TypeTwinDeleted = "twins.twinDeleted.v1"

	TypeSynchronizationJobCompleted   = "synchronization.jobCompleted.v1"
	TypeTransformationJobCompleted    = "transformations.jobCompleted.v1"
	TypeRealityModelingJobCompleted   = "realityModeling.jobCompleted.v1"
	TypeRealityAnalysisJobCompleted   = "realityAnalysis.jobCompleted.v1"
	TypeRealityConversionJobCompleted = "realityConversion.jobCompleted.v1"
	TypeChangedElementsJobCompleted   = "changedElements.jobCompleted.v1"
	TypeChangedElementsJobCompletedV2 = "changedElements.jobCompleted.v2"
)

// TypeTestSent is the type of the events that webhooks.Service.SendTest makes. Webhooks
// cannot subscribe to it.
const TypeTestSent = "webhooks.testSent.v1"

// catalogue has a row for each event type, in the order of documents. To add one, add
// its constant above, its content below and its row here.
var catalogue = []Kind{
	{Content: ModelCreated{}, Source: FromTransform, When: "a model is created"},
	{Content: ModelDeleted{}, Source: FromTransform, When: "a model is deleted"},
	{
		Content: NamedVersionCreated{ChangesetID: changeset, ChangesetIndex: 1},
		Source:  FromTransform, When: "a changeset of a model is given a name",
	},
	{
		Content: ChangesReady{ChangesetID: changeset, ChangesetIndex: 1},
		Source:  FromTransform, When: "a changeset is added to a model",
	},

	{Content: MemberAdded(member), Source: FromTwins, When: "a member is added to a twin; it names the first role"},
	{Content: MemberRemoved{MemberType: user}, Source: FromTwins, When: "a member is removed from a twin"},
	{Content: InvitationCreated{}, Source: FromTwins, When: "an address is invited to a twin"},
	{Content: RoleAssigned(member), Source: FromTwins, When: "a member is given a further role"},
	{Content: RoleUnassigned(member), Source: FromTwins, When: "a role is taken from a member", Chosen: true},

	{Content: TwinCreated(twin), Source: FromTwins, When: "a twin is created"},
	{Content: TwinUpdated(twin), Source: FromTwins, When: "a twin or its image is changed", Chosen: true},
	{Content: TwinDeleted(twin), Source: FromTwins, When: "a twin is deleted", Chosen: true},

	{
		Content: SynchronizationJobCompleted{Result: "success"}, Source: FromProgram,
		When: "a model has been synchronized",
	},
	{
		Content: TransformationJobCompleted{Status: "Succeeded", TransformType: "FilterBySavedView"},
		Source:  FromTransform, When: "a transformation has ended: status is Succeeded, Failed or Aborted",
	},
	{Content: RealityModelingJobCompleted{}, Source: FromProgram, When: "reality data has been modeled", Chosen: true},
	{
		Content: RealityAnalysisJobCompleted{}, Source: FromRealityData,
		When: "a job of the analysis of reality data has succeeded or failed", Chosen: true,
	},
	{
		Content: RealityConversionJobCompleted{}, Source: FromRealityData,
		When: "a job of the conversion of reality data has succeeded or failed",
	},
	{
		Content: ChangedElementsJobCompleted{JobSucceeded: true},
		Source:  FromProgram, When: "changesets of a model have been compared",
	},
	{
		Content: ChangedElementsJobCompletedV2{JobSucceeded: true},
		Source:  FromProgram, When: "changesets of a model have been compared", Chosen: true,
	},
}

// Members of the examples.
const (
	changeset = "0123456789abcdef0123456789abcdef01234567"
	user      = twinplatform.User
)

var (
	member = MemberAdded{MemberType: user, RoleName: "Test role"}
	twin   = TwinCreated{AccountOwnerType: user, TwinClass: "Endeavor", TwinSubClass: "Project"}
)

// ModelCreated is the content of models.modelCreated.v1.
type ModelCreated struct {
	ModelID string `json:"modelId"`
	UserID  string `json:"userId"` // who did it
}

// EventType implements [Content].
func (ModelCreated) EventType() string { return TypeModelCreated }

// ModelDeleted is the content of models.modelDeleted.v1.
type ModelDeleted ModelCreated

// EventType implements [Content].
func (ModelDeleted) EventType() string { return TypeModelDeleted }

// NamedVersionCreated is the content of models.namedVersionCreated.v1.
type NamedVersionCreated struct {
	ChangesetID    string `json:"changesetId"`
	ChangesetIndex int    `json:"changesetIndex,string"` // from 1
	ModelID        string `json:"modelId"`
	UserID         string `json:"userId"` // who named it
	VersionID      string `json:"versionId"`
}

// EventType implements [Content].
func (NamedVersionCreated) EventType() string { return TypeNamedVersionCreated }

// ChangesReady is the content of models.changesReady.v1.
type ChangesReady struct {
	ChangesetID    string `json:"changesetId"`
	ChangesetIndex int    `json:"changesetIndex,string"` // from 1
	ModelID        string `json:"modelId"`
}

// EventType implements [Content].
func (ChangesReady) EventType() string { return TypeChangesReady }

// MemberAdded is the content of accessControl.memberAdded.v1. It names the first of
// the member's roles; an event of type RoleAssigned follows for each of the others.
type MemberAdded struct {
	MemberID       string                     `json:"memberId"`
	EventCreatedBy string                     `json:"eventCreatedBy"` // who did it; empty for the system
	MemberType     twinplatform.PrincipalKind `json:"memberType"`
	RoleID         string                     `json:"roleId"`
	RoleName       string                     `json:"roleName"`
}

// EventType implements [Content].
func (MemberAdded) EventType() string { return TypeMemberAdded }

// MemberRemoved is the content of accessControl.memberRemoved.v1.
type MemberRemoved struct {
	MemberID       string                     `json:"memberId"`
	EventCreatedBy string                     `json:"eventCreatedBy"` // who did it; empty for the system
	MemberType     twinplatform.PrincipalKind `json:"memberType"`
}

// EventType implements [Content].
func (MemberRemoved) EventType() string { return TypeMemberRemoved }

// InvitationCreated is the content of accessControl.invitationCreated.v1.
type InvitationCreated struct {
	InvitationID string `json:"invitationId"`
}

// EventType implements [Content].
func (InvitationCreated) EventType() string { return TypeInvitationCreated }

// RoleAssigned is the content of accessControl.roleAssigned.v1.
type RoleAssigned MemberAdded

// EventType implements [Content].
func (RoleAssigned) EventType() string { return TypeRoleAssigned }

// RoleUnassigned is the content of accessControl.roleUnassigned.v1.
type RoleUnassigned MemberAdded

// EventType implements [Content].
func (RoleUnassigned) EventType() string { return TypeRoleUnassigned }

// TwinCreated is the content of twins.twinCreated.v1.
type TwinCreated struct {
	EventCreatedBy   string                     `json:"eventCreatedBy"` // who did it; empty for the system
	ParentID         string                     `json:"parentId"`       // the twin that contains it
	AccountOwnerID   string                     `json:"accountOwnerId"` // who created the twin
	AccountOwnerType twinplatform.PrincipalKind `json:"accountOwnerType"`
	TwinClass        string                     `json:"twinClass"`    // such as Endeavor
	TwinSubClass     string                     `json:"twinSubClass"` // such as Project
}

// EventType implements [Content].
func (TwinCreated) EventType() string { return TypeTwinCreated }

// TwinUpdated is the content of twins.twinUpdated.v1.
type TwinUpdated TwinCreated

// EventType implements [Content].
func (TwinUpdated) EventType() string { return TypeTwinUpdated }

// TwinDeleted is the content of twins.twinDeleted.v1.
type TwinDeleted TwinCreated

// EventType implements [Content].
func (TwinDeleted) EventType() string { return TypeTwinDeleted }

// SynchronizationJobCompleted is the content of synchronization.jobCompleted.v1.
type SynchronizationJobCompleted struct {
	SynchronizationID string `json:"synchronizationId"` // the job
	ModelID           string `json:"modelId"`           // what was synchronized
	ConnectionID      string `json:"connectionId"`      // by what it was
	Result            string `json:"result"`            // such as success
}

// EventType implements [Content].
func (SynchronizationJobCompleted) EventType() string { return TypeSynchronizationJobCompleted }

// TransformationJobCompleted is the content of transformations.jobCompleted.v1.
type TransformationJobCompleted struct {
	ConfigurationID  string `json:"configurationId"` // of the transformation
	SourceTwinID     string `json:"sourceTwinId"`
	Status           string `json:"status"`        // Succeeded, Failed or Aborted
	TargetModelID    string `json:"targetModelId"` // of the target twin
	TargetTwinID     string `json:"targetTwinId"`
	TransformType    string `json:"transformType"`    // such as FilterBySavedView
	TransformationID string `json:"transformationId"` // the job
}

// EventType implements [Content].
func (TransformationJobCompleted) EventType() string { return TypeTransformationJobCompleted }

// RealityModelingJobCompleted is the content of realityModeling.jobCompleted.v1.
type RealityModelingJobCompleted struct {
	JobID string `json:"jobId"`
}

// EventType implements [Content].
func (RealityModelingJobCompleted) EventType() string { return TypeRealityModelingJobCompleted }

// RealityAnalysisJobCompleted is the content of realityAnalysis.jobCompleted.v1.
type RealityAnalysisJobCompleted struct {
	JobID string `json:"jobId"`
}

// EventType implements [Content].
func (RealityAnalysisJobCompleted) EventType() string { return TypeRealityAnalysisJobCompleted }

// RealityConversionJobCompleted is the content of realityConversion.jobCompleted.v1.
type RealityConversionJobCompleted struct {
	JobID string `json:"jobId"`
}

// EventType implements [Content].
func (RealityConversionJobCompleted) EventType() string { return TypeRealityConversionJobCompleted }

// ChangedElementsJobCompleted is the content of changedElements.jobCompleted.v1.
type ChangedElementsJobCompleted struct {
	JobID        string `json:"jobId"`
	ModelID      string `json:"modelId"`             // the model whose changesets were compared
	JobSucceeded bool   `json:"jobSucceeded,string"` // a text on the wire
}

// EventType implements [Content].
func (ChangedElementsJobCompleted) EventType() string { return TypeChangedElementsJobCompleted }

// ChangedElementsJobCompletedV2 is the content of changedElements.jobCompleted.v2.
type ChangedElementsJobCompletedV2 ChangedElementsJobCompleted

// EventType implements [Content].
func (ChangedElementsJobCompletedV2) EventType() string { return TypeChangedElementsJobCompletedV2 }

// TestSent is the content of webhooks.testSent.v1.
type TestSent struct {
	WebhookID string `json:"webhookId"` // the webhook that is tried
}

// EventType implements [Content].
func (TestSent) EventType() string { return TypeTestSent }
