package webhooks

import (
	"slices"
	"strings"
)

// EventType is a documented sort of event.
type EventType string

// The event types that webhooks can subscribe to.
const (
	ModelCreated        EventType = "models.modelCreated.v1"
	ModelDeleted        EventType = "models.modelDeleted.v1"
	NamedVersionCreated EventType = "models.namedVersionCreated.v1"
	ChangesReady        EventType = "models.changesReady.v1"

	MemberAdded       EventType = "accessControl.memberAdded.v1"
	MemberRemoved     EventType = "accessControl.memberRemoved.v1"
	InvitationCreated EventType = "accessControl.invitationCreated.v1"
	RoleAssigned      EventType = "accessControl.roleAssigned.v1"
	RoleUnassigned    EventType = "accessControl.roleUnassigned.v1"

	TwinCreated EventType = "twins.twinCreated.v1"
	TwinUpdated EventType = "twins.twinUpdated.v1"
	TwinDeleted EventType = "twins.twinDeleted.v1"

	SynchronizationJobCompleted   EventType = "synchronization.jobCompleted.v1"
	TransformationJobCompleted    EventType = "transformations.jobCompleted.v1"
	RealityModelingJobCompleted   EventType = "realityModeling.jobCompleted.v1"
	RealityAnalysisJobCompleted   EventType = "realityAnalysis.jobCompleted.v1"
	RealityConversionJobCompleted EventType = "realityConversion.jobCompleted.v1"
	ChangedElementsJobCompleted   EventType = "changedElements.jobCompleted.v1"
	ChangedElementsJobCompletedV2 EventType = "changedElements.jobCompleted.v2"
)

// TestSent is the type of the events that SendTest makes. Nobody subscribes to
// it.
const TestSent EventType = "webhooks.testSent.v1"

// catalogueEntry is what is known of an event type.
type catalogueEntry struct {
	name EventType
	// members of its content, all of them texts. None are known of some.
	members []string
	// chosen are the members of a content that is not documented, as it is told here.
	chosen []string
}

var catalogue = []catalogueEntry{
	{name: ModelCreated, members: []string{"modelId", "userId"}},
	{name: ModelDeleted, members: []string{"modelId", "userId"}},
	{name: NamedVersionCreated, members: []string{"changesetId", "changesetIndex", "modelId", "userId", "versionId"}},
	{name: ChangesReady, members: []string{"changesetId", "changesetIndex", "modelId"}},
	{name: MemberAdded, members: []string{"memberId", "eventCreatedBy", "memberType", "roleId", "roleName"}},
	{name: MemberRemoved, members: []string{"memberId", "eventCreatedBy", "memberType"}},
	{name: InvitationCreated, members: []string{"invitationId"}},
	{name: RoleAssigned, members: []string{"memberId", "eventCreatedBy", "memberType", "roleId", "roleName"}},
	{name: RoleUnassigned, chosen: []string{"memberId", "eventCreatedBy", "memberType", "roleId", "roleName"}},
	{name: TwinCreated, members: []string{"eventCreatedBy", "parentId", "accountOwnerId", "accountOwnerType", "twinClass", "twinSubClass"}},
	{name: TwinUpdated, chosen: []string{"eventCreatedBy", "parentId", "accountOwnerId", "accountOwnerType", "twinClass", "twinSubClass"}},
	{name: TwinDeleted, chosen: []string{"eventCreatedBy", "parentId", "accountOwnerId", "accountOwnerType", "twinClass", "twinSubClass"}},
	{name: SynchronizationJobCompleted, members: []string{"synchronizationId", "modelId", "connectionId", "result"}},
	{name: TransformationJobCompleted, members: []string{
		"transformationId", "status", "sourceTwinId", "targetTwinId", "targetModelId", "configurationId", "transformType",
	}},
	{name: RealityModelingJobCompleted, chosen: []string{"jobId"}},
	{name: RealityAnalysisJobCompleted, chosen: []string{"jobId"}},
	{name: RealityConversionJobCompleted, members: []string{"jobId"}},
	{name: ChangedElementsJobCompleted, members: []string{"jobId", "modelId", "jobSucceeded"}},
	{name: ChangedElementsJobCompletedV2, chosen: []string{"jobId", "modelId", "jobSucceeded"}},
}

// EventTypes lists the event types that webhooks can subscribe to.
func EventTypes() []EventType {
	out := make([]EventType, len(catalogue))
	for i, d := range catalogue {
		out[i] = d.name
	}
	return out
}

// ContentMembers lists the documented members of an event type's content, all
// of them texts. It is empty for types whose content is not documented, and ok
// is false for what is no event type.
func ContentMembers(t EventType) (members []string, ok bool) {
	d, ok := lookUp(t)
	return slices.Clone(d.members), ok
}

func lookUp(t EventType) (catalogueEntry, bool) {
	for _, d := range catalogue {
		if d.name == t {
			return d, true
		}
	}
	return catalogueEntry{}, false
}

// area is what comes before the first dot.
func (t EventType) area() string {
	area, _, _ := strings.Cut(string(t), ".")
	return area
}
