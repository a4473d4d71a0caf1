package httpapi

import "net/http"

// NotImplemented lists the operations that are known of the platform, by its
// documentation or its clients, and that nothing here serves: requests to them are
// answered as those of any unknown path or method, and those with a word in the place of an
// id as for a record that is not there.
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
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs", Summary: "List jobs"},
	{Area: "detectors", Method: http.MethodPost, Path: "/reality-analysis/jobs", Summary: "Start a job"},
}
