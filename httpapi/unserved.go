package httpapi

import "net/http"

// NotImplemented lists the operations that are known of the platform, by its
// documentation or its clients, and that nothing here serves: requests to them are
// answered as those to any unknown path.
func NotImplemented() []Operation {
	var out []Operation
	for _, o := range unserved {
		o.Origin = Unserved
		out = append(out, o)
	}
	return out
}

var unserved = []Operation{
	{Area: "schedules", Method: http.MethodPost, Path: "/schedules/{scheduleId}/clone", Summary: "Clone a Schedule"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/{formId}/download", Summary: "Download a form as PDF"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/storageExport", Summary: "Export forms to storage"},
	{Area: "forms", Method: http.MethodPost, Path: "/forms/formDefinitions/import", Summary: "Import a form definition from another twin"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/templates", Summary: "List templates"},
	{Area: "twins", Method: http.MethodPost, Path: "/twins/exports", Summary: "Export twins"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/exports", Summary: "List exports"},
	{Area: "twins", Method: http.MethodGet, Path: "/twins/exports/{exportId}", Summary: "Get an export"},
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs", Summary: "List jobs"},
	{Area: "detectors", Method: http.MethodPost, Path: "/reality-analysis/jobs", Summary: "Start a job"},
}
