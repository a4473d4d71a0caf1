package webhooks

import (
	"context"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
)

// What follows are the events that only services beside the platform cause. The
// program that runs such a service, or hears of it, publishes them by a call for each
// type, with the content that is documented of it.

// SynchronizationJob is the content of synchronization.jobCompleted.v1.
type SynchronizationJob struct {
	SynchronizationID string `json:"synchronizationId"` // the job
	ModelID           string `json:"modelId"`           // what was synchronized
	ConnectionID      string `json:"connectionId"`      // by what it was
	Result            string `json:"result"`            // such as success
}

// PublishSynchronizationJob tells that a model of a twin was synchronized, by
// synchronization.jobCompleted.v1. Errors: as Publish.
func (s *Service) PublishSynchronizationJob(ctx context.Context, twinID string, job SynchronizationJob) (twinplatform.Event, error) {
	return s.publish(ctx, SynchronizationJobCompleted, twinID, job)
}

// TransformationJob is the content of transformations.jobCompleted.v1.
type TransformationJob struct {
	TransformationID string `json:"transformationId"` // the job
	Status           string `json:"status"`           // such as Succeeded
	SourceTwinID     string `json:"sourceTwinId"`
	TargetTwinID     string `json:"targetTwinId"`
	TargetModelID    string `json:"targetModelId"`   // of the target twin
	ConfigurationID  string `json:"configurationId"` // of the transformation
	TransformType    string `json:"transformType"`   // such as FilterBySavedView
}

// PublishTransformationJob tells that a transformation came to its end that another
// service ran, by transformations.jobCompleted.v1. Errors: as Publish.
func (s *Service) PublishTransformationJob(ctx context.Context, twinID string, job TransformationJob) (twinplatform.Event, error) {
	return s.publish(ctx, TransformationJobCompleted, twinID, job)
}

// RealityJob is the content of the events about jobs with reality data.
type RealityJob struct {
	JobID string `json:"jobId"` // the job that came to its end
}

// PublishRealityModelingJob tells that reality data of a twin was modeled, by
// realityModeling.jobCompleted.v1. Errors: as Publish.
func (s *Service) PublishRealityModelingJob(ctx context.Context, twinID string, job RealityJob) (twinplatform.Event, error) {
	return s.publish(ctx, RealityModelingJobCompleted, twinID, job)
}

// PublishRealityAnalysisJob tells that reality data of a twin was analyzed, by
// realityAnalysis.jobCompleted.v1. Errors: as Publish.
func (s *Service) PublishRealityAnalysisJob(ctx context.Context, twinID string, job RealityJob) (twinplatform.Event, error) {
	return s.publish(ctx, RealityAnalysisJobCompleted, twinID, job)
}

// PublishRealityConversionJob tells that reality data of a twin was converted, by
// realityConversion.jobCompleted.v1. Errors: as Publish.
func (s *Service) PublishRealityConversionJob(ctx context.Context, twinID string, job RealityJob) (twinplatform.Event, error) {
	return s.publish(ctx, RealityConversionJobCompleted, twinID, job)
}

// ChangedElementsJob is the content of both changedElements.jobCompleted.
type ChangedElementsJob struct {
	JobID        string `json:"jobId"`               // the job that came to its end
	ModelID      string `json:"modelId"`             // whose changesets were compared
	JobSucceeded bool   `json:"jobSucceeded,string"` // a text on the wire
}

// PublishChangedElementsJob tells that changesets of a model were compared, by
// changedElements.jobCompleted.v1. Errors: as Publish.
func (s *Service) PublishChangedElementsJob(ctx context.Context, twinID string, job ChangedElementsJob) (twinplatform.Event, error) {
	return s.publish(ctx, ChangedElementsJobCompleted, twinID, job)
}

// PublishChangedElementsJobV2 is PublishChangedElementsJob by
// changedElements.jobCompleted.v2.
func (s *Service) PublishChangedElementsJobV2(ctx context.Context, twinID string, job ChangedElementsJob) (twinplatform.Event, error) {
	return s.publish(ctx, ChangedElementsJobCompletedV2, twinID, job)
}

// publish publishes an event of a twin.
func (s *Service) publish(ctx context.Context, typ EventType, twinID string, content any) (twinplatform.Event, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return twinplatform.Event{}, err
	}
	return s.Publish(ctx, twinplatform.Event{Type: string(typ), TwinID: twinID, Content: text})
}
