package console

import "slices"

// Records that have no their own pages are browsed at the paths of the API, below
// /browse. This is what there is of each kind.
var kinds = slices.Concat(scheduleKinds, []kind{
	{
		area: "twins", list: "/twins", member: "twins", title: "Twins", one: "/twins/{}", record: "twin",
		search: "$search",
		none:   "No twins are visible to you.", columns: "displayName number class subClass status",
		name: "displayName",
		below: []below{
			{"Schedules", "/schedules?twinId={}"},
			{"Forms", "/forms?twinId={}"},
			{"Issues", "/issues?twinId={}"},
			{"Form definitions", "/forms/formDefinitions?twinId={}"},
			{"Models", "/models?twinId={}"},
			{"Reality data", "/reality-management/reality-data?twinId={}"},
			{"Transformations", "/transformations/configurations?projectId={}"},
			{"Members", "/access-control/twins/{}/members"},
			{"Roles", "/access-control/twins/{}/roles"},
			{"Invitations", "/access-control/twins/{}/members/invitations"},
			{"Repositories", "/twins/{}/repositories"},
		},
	},
	{
		area: "twins", list: "/twins/{}/repositories", member: "repositories", title: "Repositories",
		one: "/twins/{}/repositories/{}", record: "repository", columns: "class subClass displayName uri",
		none: "There are no repositories.",
	},
	{
		area: "accessControl", list: "/access-control/twins/{}/members", member: "members", title: "Members",
		one: "/access-control/twins/{}/members/{}", record: "member",
		columns: "displayName email memberType createdDateTime", none: "It has no members.", name: "displayName",
	},
	{
		area: "accessControl", list: "/access-control/twins/{}/roles", member: "roles", title: "Roles",
		one: "/access-control/twins/{}/roles/{}", record: "role", name: "displayName",
		columns: "displayName description permissions", none: "It has no roles.",
	},
	{
		area: "accessControl", list: "/access-control/twins/{}/members/invitations", member: "invitations",
		title: "Invitations", one: "/access-control/twins/{}/members/invitations/{}", record: "invitation",
		columns: "email status createdDateTime expirationDate", none: "There are no open invitations.", name: "email",
	},
	{
		area: "forms", list: "/forms", member: "forms.formDataInstances", title: "Forms", one: "/forms/{}",
		record: "formData", name: "displayName", twin: "twinId",
		columns: "displayName type discipline state", none: "There are no forms.", below: formParts("/forms"),
	},
	{
		area: "forms", list: "/issues", member: "issues", title: "Issues", one: "/issues/{}", record: "issue",
		name: "displayName", twin: "twinId",
		columns: "displayName type discipline state", none: "There are no issues.", below: formParts("/issues"),
	},
	{
		area: "forms", list: "/forms/formDefinitions", member: "formDefinitions", title: "Form definitions",
		one: "/forms/formDefinitions/{}", record: "formDefinition", name: "displayName", twin: "twinId",
		search: "search", columns: "displayName type status shareType", none: "There are no form definitions.",
		all: [2]string{"status", "any"},
	},
	{
		area: "forms", list: "/forms/{}/auditTrailEntries", member: "auditTrailEntries", title: "Audit trail",
		columns: "changeDateTime action changeBy changes", none: "There are no entries.",
	},
	{
		area: "forms", list: "/forms/{}/comments", member: "comments", title: "Comments",
		columns: "createdDateTime authorDisplayName text", none: "There are no comments.",
	},
	{
		area: "forms", list: "/forms/{}/attachments", member: "attachments", title: "Attachments",
		columns: "fileName caption type size createdBy createdDateTime", none: "There are no attachments.",
	},
	{
		area: "forms", list: "/issues/{}/auditTrailEntries", member: "auditTrailEntries", title: "Audit trail",
		columns: "changeDateTime action changeBy changes", none: "There are no entries.",
	},
	{
		area: "forms", list: "/issues/{}/comments", member: "comments", title: "Comments",
		columns: "createdDateTime authorDisplayName text", none: "There are no comments.",
	},
	{
		area: "forms", list: "/issues/{}/attachments", member: "attachments", title: "Attachments",
		columns: "fileName caption type size createdBy createdDateTime", none: "There are no attachments.",
	},
	{
		area: "reality data", list: "/reality-management/reality-data", member: "realityData", title: "Reality data",
		one: "/reality-management/reality-data/{}", record: "realityData", name: "displayName", twin: "twinId",
		search: "$search", whole: true,
		columns: "displayName type classification size modifiedDateTime ownerId", none: "There is no reality data.",
		below: []below{{"Twins", "/reality-management/reality-data/{}/twins"}},
	},
	{
		area: "reality data", list: "/reality-management/reality-data/{}/twins", member: "twins",
		title: "Its twins", columns: "twinId", none: "It is associated with no twin.",
	},
	{
		area: "detectors", list: "/reality-analysis/detectors", member: "detectors", title: "Detectors",
		one: "/reality-analysis/detectors/{}", record: "detector", key: "name",
		columns: "name displayName type latestVersion", none: "There are no detectors.",
	},
	{
		area: "models", list: "/models", member: "models", title: "Models", one: "/models/{}", record: "model",
		name: "displayName", twin: "twinId", columns: "displayName description createdDateTime",
		none: "There are no models.",
		below: []below{
			{"Changesets", "/models/{}/changesets"},
			{"Elements", "/models/{}/elements"},
			{"Named versions", "/models/{}/named-versions"},
			{"Saved views", "/saved-views?modelId={}"},
			{"Transformations into it", "/transformations?targetModelId={}"},
			{"Members", "/models/{}/members"},
		},
	},
	{
		area: "models", list: "/models/{}/changesets", member: "changesets", title: "Changesets",
		one: "/models/{}/changesets/{}", record: "changeset",
		columns: "index description createdBy createdDateTime insertedCount updatedCount deletedCount elementCount",
		none:    "The model has no changesets.",
		below:   []below{{"Changes", "/models/{}/changesets/{}/changes"}},
	},
	{
		area: "models", list: "/models/{}/changesets/{}/changes", member: "changes", title: "Changes",
		columns: "elementId change", none: "It changed nothing.",
	},
	{
		area: "models", list: "/models/{}/elements", member: "elements", title: "Elements",
		one: "/models/{}/elements/{}", record: "element", columns: "id class category parentId changesetId",
		none: "The model has no elements.",
	},
	{
		area: "models", list: "/models/{}/named-versions", member: "namedVersions", title: "Named versions",
		one: "/models/{}/named-versions/{}", record: "namedVersion", name: "name",
		columns: "name description changesetId createdDateTime", none: "There are no named versions.",
	},
	{
		area: "models", list: "/models/{}/members", member: "members", title: "Members",
		one: "/models/{}/members/{}", record: "member", columns: "displayName email roleIds",
		none: "It has no own members.",
	},
	{
		area: "models", list: "/saved-views", member: "savedViews", title: "Saved views", asked: true,
		one: "/saved-views/{}", record: "savedView", name: "displayName",
		columns: "displayName shared createdDateTime", none: "There are no saved views.",
	},
	{
		area: "transformations", list: "/transformations/configurations", member: "configurations",
		title: "Transformations",
		one:   "/transformations/configurations/{}", record: "configuration", name: "transformName", twin: "projectId",
		columns: "transformName transformType id", none: "There are no configurations.",
		below: []below{{"Runs", "/transformations?configurationId={}"}},
	},
	{
		area: "transformations", list: "/transformations", member: "transformations", title: "Runs",
		one: "/transformations/{}", record: "transformation", asked: true, whole: true,
		columns: "id status createdDateTime finishedDateTime processedElementCount configurationId",
		none:    "There are no runs.", more: beforeAndAfter,
	},
})

// kind is a type of record that is browsed. Paths are those of the API, with {} for
// each id.
type kind struct {
	area, title, none string
	list, member      string    // the list, and the member of its answer where records stand
	one, record       string    // one of them, and the member where it stands
	columns           string    // members that the list shows
	key               string    // the member by which a record is known: id unless it is given
	name              string    // the member by which people know it
	twin              string    // the parameter without which the list asks for a twin
	search            string    // the parameter that searches the list
	all               [2]string // the parameter with its value without which the list is not all of it
	asked             bool      // the list is only one of something that its query names
	whole             bool      // the list has all of its columns only with Prefer
	page              bool      // one of them has a page of its own
	below             []below
	more              func(*request, object) (view, error) // what else the page of a record shows
}

// below is a list that lies below a record.
type below struct{ title, list string }

// formParts are the lists below a form, which are the same for forms and for issues.
func formParts(path string) []below {
	return []below{
		{"Audit trail", path + "/{}/auditTrailEntries"},
		{"Comments", path + "/{}/comments"},
		{"Attachments", path + "/{}/attachments"},
	}
}
