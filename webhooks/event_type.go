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
}

var catalogue = []catalogueEntry{
	{ModelCreated, []string{"modelId", "userId"}},
	{ModelDeleted, []string{"modelId", "userId"}},
	{NamedVersionCreated, []string{"changesetId", "changesetIndex", "modelId", "userId", "versionId"}},
	{ChangesReady, []string{"changesetId", "changesetIndex", "modelId"}},
	{MemberAdded, []string{"memberId", "eventCreatedBy", "memberType", "roleId", "roleName"}},
	{MemberRemoved, []string{"memberId", "eventCreatedBy", "memberType"}},
	{InvitationCreated, []string{"invitationId"}},
	{RoleAssigned, []string{"memberId", "eventCreatedBy", "memberType", "roleId", "roleName"}},
	{RoleUnassigned, nil},
	{TwinCreated, []string{"eventCreatedBy", "parentId", "accountOwnerId", "accountOwnerType", "twinClass", "twinSubClass"}},
	{TwinUpdated, nil},
	{TwinDeleted, nil},
	{SynchronizationJobCompleted, []string{"synchronizationId", "modelId", "connectionId", "result"}},
	{TransformationJobCompleted, []string{
		"transformationId", "status", "sourceTwinId", "targetTwinId", "targetModelId", "configurationId", "transformType",
	}},
	{RealityModelingJobCompleted, nil},
	{RealityAnalysisJobCompleted, nil},
	{RealityConversionJobCompleted, []string{"jobId"}},
	{ChangedElementsJobCompleted, []string{"jobId", "modelId", "jobSucceeded"}},
	{ChangedElementsJobCompletedV2, nil},
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
