package httpapi

import "net/http"

// NotImplemented lists the operations that are known of the platform, by its documentation or its
// clients, and that nothing here serves: requests to them are answered as those of an unknown path,
// 404 OperationNotFound, with its summary, also where a word of theirs is in place of an id.
func NotImplemented() []Operation {
	var out []Operation
	for _, o := range unserved {
		o.Origin = Unserved
		out = append(out, o)
	}
	return out
}

var unserved = []Operation{
	{
		Area: "schedules", Method: http.MethodGet, Path: "/schedules/{scheduleId}/sync-configuration",
		Summary: "Get the link of a v6.5 schedule to a v10 one",
	},
	{
		Area: "schedules", Method: http.MethodPost, Path: "/schedules/{scheduleId}/sync-configuration",
		Summary: "Link a v6.5 schedule to a v10 one",
	},
	{
		Area: "schedules", Method: http.MethodGet, Path: "/schedules/{scheduleId}/sync-operations",
		Summary: "List Sync Operations",
	},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/{formId}/download", Summary: "Download a form as PDF"},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/storageExport", Summary: "Export forms to storage"},
	{
		Area: "forms", Method: http.MethodPost, Path: "/forms/formDefinitions/import",
		Summary: "Import a form definition from another twin",
	},
	{Area: "forms", Method: http.MethodGet, Path: "/forms/templates", Summary: "List templates"},
	{
		Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/jobs/{jobId}/messages",
		Summary: "List the messages of a job",
	},
	{Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/files", Summary: "List the files of jobs"},
	{
		Area: "detectors", Method: http.MethodGet, Path: "/reality-analysis/twins/{twinId}/bucket",
		Summary: "Get where a twin keeps the files of jobs",
	},
	{Area: "reality data", Method: http.MethodGet, Path: "/reality-modeling/jobs", Summary: "List jobs that model"},
	{
		Area: "reality data", Method: http.MethodPost, Path: "/reality-modeling/jobs",
		Summary: "Create a job that models",
	},
	{
		Area: "reality data", Method: http.MethodGet, Path: "/reality-modeling/jobs/{jobId}",
		Summary: "Get a job that models",
	},
	{
		Area: "reality data", Method: http.MethodPatch, Path: "/reality-modeling/jobs/{jobId}",
		Summary: "Change, submit or cancel a job that models",
	},
	{
		Area: "reality data", Method: http.MethodDelete, Path: "/reality-modeling/jobs/{jobId}",
		Summary: "Delete a job that models",
	},
	{
		Area: "reality data", Method: http.MethodGet, Path: "/reality-modeling/jobs/{jobId}/progress",
		Summary: "Get how far a job that models is",
	},
	{
		Area: "reality data", Method: http.MethodGet, Path: "/reality-modeling/jobs/{jobId}/messages",
		Summary: "List the messages of a job that models",
	},
	{
		Area: "reality data", Method: http.MethodGet, Path: "/reality-conversion/jobs/{jobId}/messages",
		Summary: "List the messages of a job that makes reality data of others",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/alignmodeldata",
		Summary: "Create a configuration that aligns the data of models",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/combinemodels",
		Summary: "Create a configuration that combines models",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/combinephysicalmodels",
		Summary: "Create a configuration that combines physical models",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/createfork",
		Summary: "Create a configuration that makes a fork of a model",
	},
	{
		Area: "transformations", Method: http.MethodPost,
		Path:    "/transformations/configurations/filterbyviewdefinition",
		Summary: "Create a configuration that filters by a view definition",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/filtermodel",
		Summary: "Create a configuration that filters a model",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/filtersubcategories",
		Summary: "Create a configuration that filters subcategories",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/groupandmap",
		Summary: "Create a configuration that groups and maps elements",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/importmodel",
		Summary: "Create a configuration that imports a model",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/mergefork",
		Summary: "Create a configuration that merges a fork into its model",
	},
	{
		Area: "transformations", Method: http.MethodPost, Path: "/transformations/configurations/mergemodel",
		Summary: "Create a configuration that merges a model",
	},
	{
		Area: "transformations", Method: http.MethodPost,
		Path:    "/transformations/configurations/populatefederationguids",
		Summary: "Create a configuration that gives elements their federation GUIDs",
	},
}
