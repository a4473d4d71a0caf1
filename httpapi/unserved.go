package httpapi

import "net/http"

// NotImplemented lists the operations that are known of the platform, by its
// documentation or its clients, and that nothing here serves: requests to them are
// answered as those of an unknown path, 404 OperationNotFound, also where a word of theirs
// stands in the place of an id.
func NotImplemented() []Operation {
	var out []Operation
	for _, o := range unserved {
		o.Origin = Unserved
		out = append(out, o)
	}
	return out
}

var unserved = []Operation{
	{Area: "schedules", Method: http.MethodGet, Path: "/schedules/{scheduleId}/sync-configuration", Summary: "Get the link of a v6.5 schedule to a v10 one"},
	{Area: "schedules", Method: http.MethodPost, Path: "/schedules/{scheduleId}/sync-configuration", Summary: "Link a v6.5 schedule to a v10 one"},
	{Area: "schedules", Method: http.MethodGet, Path: "/schedules/{scheduleId}/sync-operations", Summary: "List Sync Operations"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/{formId}/download", Summary: "Download a form as PDF"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/storageExport", Summary: "Export forms to storage"},
	{Area: "forms", Method: http.MethodPost, Path: "/forms/formDefinitions/import", Summary: "Import a form definition from another twin"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/templates", Summary: "List templates"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/repositories", Summary: "List global repositories"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/repositories/{repositoryId}", Summary: "Get a global repository"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/{twinId}/repositories/{repositoryId}/resources", Summary: "List the resources of a repository"},
	{Area: "twins", Method: http.MethodPost, Path: "/twins/{twinId}/repositories/{repositoryId}/resources", Summary: "Note a resource of a repository"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/{twinId}/repositories/{repositoryId}/resources/{resourceId}", Summary: "Get a resource of a repository"},
	{Area: "twins", Method: http.MethodDelete, Path: "/twins/{twinId}/repositories/{repositoryId}/resources/{resourceId}", Summary: "Forget a resource of a repository"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/{twinId}/repositories/{repositoryId}/resources/{resourceId}/graphics", Summary: "List the graphics of a resource"},
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs/{jobId}", Summary: "Get a job"},
	{Area: "detectors", Method: http.MethodDelete, Path: "/reality-analysis/jobs/{jobId}", Summary: "Cancel a job"},
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs/{jobId}/messages", Summary: "List the messages of a job"},
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs/{jobId}/progress", Summary: "Get the progress of a job"},
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs", Summary: "List jobs"},
	{Area: "detectors", Method: http.MethodPost, Path: "/reality-analysis/jobs", Summary: "Start a job"},
}
