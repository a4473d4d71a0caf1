package document

import (
	_ "embed"
	"strings"
)

// described are the doc comments of the types of bodies, as clients of the REST
// API read them: a name, a tab and the text in each line. A test keeps them in
// step with the source.
//
//go:embed descriptions.txt
var described string

// descriptions returns the description of a name, which is empty where there is none.
// requestID is the header that every answer has.
func descriptions(requestID string) func(name string) string {
	texts := aboutTheAPI(requestID)
	for line := range strings.Lines(described) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		texts[name] = text
	}
	return func(name string) string { return texts[name] }
}

// aboutTheAPI describes what no type stands for.
func aboutTheAPI(requestID string) map[string]string {
	return map[string]string{
		"info": "Schedules, forms, twins, webhooks, reality data and transformations. " +
			"Each operation says by x-origin " +
			"whether the specification of the platform shows it or its form was chosen here, and by x-operation " +
			"under which id; " +
			"x-not-implemented lists what is known of the platform and not served. Every answer has the header " +
			requestID + ": the id that " +
			"the request came with, or a new one.",

		"area.schedules":       "Project schedules with tasks, links, resources, user fields and baselines.",
		"area.forms":           "Forms, and the definitions that they are made from.",
		"area.twins":           "Projects, assets and other containers of data.",
		"area.accessControl":   "Who may do what in a twin.",
		"area.reality data":    "Images, meshes and point clouds.",
		"area.detectors":       "What finds things in reality data.",
		"area.transformations": "What is to be done with models.",
		"area.models":          "The registry of models and their saved views.",
		"area.webhooks":        "Who is notified of events.",
		"area.platform":        "What belongs to no area.",

		"error.code":    "What went wrong. Programs go by it.",
		"error.message": "What went wrong, for people.",
		"error.target":  "The member or the parameter that it is about.",
		"error.detail":  "What is wrong with the target.",

		"header.ETag":                "The version, for If-Match and If-None-Match.",
		"header.Location":            "Where the new record is.",
		"header.Deprecation":         "Since when the operation is deprecated: @ and seconds since 1970.",
		"header.Link":                "What to call instead, as rel=\"successor-version\".",
		"header.Operation-Id":        "The long-running operation.",
		"header.Operation-Location":  "Where the long-running operation can be followed.",
		"header.Continuation-Token":  "The token of the next page; missing on the last one.",
		"header.Delta-Token":         "The token by which the next listing reports what has changed since.",
		"header.X-Max-Return":        "How many twins all pages have together.",
		"header.Content-Disposition": "The name of the file.",
		"header.Cache-Control":       "no-store: the answer is for its caller alone, and soon another.",
		"header.Page-Count":          "How many pages the picture has.",
		"header.Replaced-Letters":    "How many letters are question marks, since the fonts of PDF lack them.",
		"header.Left-Out-Entities": "How many entities show tasks of which the model has neither a geometry nor a" +
			" box.",
		"header.Tus-Resumable": "The version of the upload protocol.",
		"header.Tus-Version":   "The versions of the upload protocol that are served.",
		"header.Tus-Extension": "What of the upload protocol is served besides its core.",
		"header.Tus-Max-Size":  "How many bytes a file may have.",
		"header.Upload-Length": "How many bytes the file has.",
		"header.Upload-Offset": "How many of its bytes are there.",
		"header.Upload-Metadata": "Metadata of the file from its sender: keys, each with a value in base64 " +
			"behind a blank, separated by commas.",
		"header.Upload-Expires":          "When the file is forgotten.",
		"header.Content-Security-Policy": "What a browser may do with the picture: run nothing and load nothing.",

		"status.401": "The token is missing, unknown or expired.",
		"status.403": "The caller may see it, but not do this (InsufficientPermissions).",
		"status.404": "It does not exist, or the caller may not see it.",
		"status.409": "Conflict with the current state: a record with this id exists already, or the record was " +
			"changed since it was read (VersionMismatch).",
		"status.412": "The version of the protocol is not supported.",
		"status.413": "The body is too large.",
		"status.415": "The body is not JSON.",
		"status.429": "The caller makes too many requests. Try again after so many seconds.",
		"status.500": "The platform failed; its log has the details.",
		"status.503": "The platform is not available, or the request took too long.",
	}
}
