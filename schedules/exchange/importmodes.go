package exchange

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// importModes are what is done with each kind of records.
type importModes struct {
	ActivityCodeAssignments importing.Mode `json:"activityCodeAssignments"`
	ActivityCodes           importing.Mode `json:"activityCodes"`
	Calendars               importing.Mode `json:"calendars"`
	CostAccounts            importing.Mode `json:"costAccounts"`
	Costs                   importing.Mode `json:"costs"`
	Links                   importing.Mode `json:"links"`
	Notebooks               importing.Mode `json:"notebooks"`
	ResourceAssignments     importing.Mode `json:"resourceAssignments"`
	ResourceCodeAssignments importing.Mode `json:"resourceCodeAssignments"`
	ResourceCodes           importing.Mode `json:"resourceCodes"`
	Resources               importing.Mode `json:"resources"`
	TaskActuals             importing.Mode `json:"taskActuals"`
	TaskConstraints         importing.Mode `json:"taskConstraints"`
	Tasks                   importing.Mode `json:"tasks"`
	UserFieldValues         importing.Mode `json:"userFieldValues"`
	UserFields              importing.Mode `json:"userFields"`

	ConstrainExternalDates bool `json:"constrainExternalDates,omitempty"`
	CreateProjectNodes     bool `json:"createProjectNodes,omitempty"`
	MergeActivityCodes     bool `json:"mergeActivityCodes,omitempty"`
	MergeResourceCodes     bool `json:"mergeResourceCodes,omitempty"`
	UseActivityIDs         bool `json:"useActivityIds,omitempty"`
	UseWBSCodes            bool `json:"useWBSCodes,omitempty"`
}

// imported is the mode of what an import takes along or leaves.
func imported(o twinplatform.Optional[bool]) importing.Mode {
	if o.Or(true) {
		return importing.Consolidate
	}
	return importing.Skip
}

func (o *PlannerImportOptions) modes() importModes {
	return importModes{
		ActivityCodeAssignments: imported(o.ImportActivityCodeAssignments),
		ActivityCodes:           imported(o.ImportActivityCodes),
		Calendars:               imported(o.ImportCalendars), CostAccounts: imported(o.ImportCostAccounts),
		Costs: imported(o.ImportCosts),
		Links: imported(o.ImportLinks), Notebooks: imported(o.ImportNotebooks),
		ResourceAssignments:     imported(o.ImportResourceAssignments),
		ResourceCodeAssignments: imported(o.ImportResourceCodeAssignments),
		ResourceCodes:           imported(o.ImportResourceCodes),
		Resources:               imported(o.ImportResources), TaskActuals: imported(o.ImportTasks),
		TaskConstraints: imported(o.ImportTaskConstraints),
		Tasks:           imported(o.ImportTasks), UserFieldValues: imported(o.ImportUserFieldValues),
		UserFields:             imported(o.ImportUserFields),
		ConstrainExternalDates: o.ConstrainExternalDates.Or(false), CreateProjectNodes: o.CreateProjectNodes.Or(false),
		MergeActivityCodes: o.MergeActivityCodes.Or(false), MergeResourceCodes: o.MergeResourceCodes.Or(false),
		UseWBSCodes: o.UseWBSCodes.Or(false),
	}
}

func (o *MicrosoftProjectImportOptions) modes() importModes {
	all := PlannerImportOptions{
		ImportActivityCodeAssignments: o.ImportActivityCodeAssignments, ImportActivityCodes: o.ImportActivityCodes,
		ImportCalendars: o.ImportCalendars,
		ImportCosts:     o.ImportCosts, ImportLinks: o.ImportLinks,
		ImportResourceAssignments:     o.ImportResourceAssignments,
		ImportResourceCodeAssignments: o.ImportResourceCodeAssignments, ImportResourceCodes: o.ImportResourceCodes,
		ImportResources:       o.ImportResources,
		ImportTaskConstraints: o.ImportTaskConstraints, ImportTasks: o.ImportTasks,
		ImportUserFieldValues: o.ImportUserFieldValues,
		ImportUserFields:      o.ImportUserFields,
	}
	m := all.modes()
	m.Notebooks = m.Tasks
	return m
}

func (o *PlannerSyncOptions) modes(c *problem.Checks) importModes {
	mode := modeOf(c)
	return importModes{
		ActivityCodeAssignments: mode("syncActivityCodesAssignments", o.SyncActivityCodesAssignment),
		ActivityCodes:           mode("syncActivityCodes", o.SyncActivityCodes),
		Calendars:               mode("syncCalendars", o.SyncCalendars), CostAccounts: mode("syncCostAccounts",
			o.SyncCostAccounts), Costs: mode("syncCosts", o.SyncCosts),
		Links: mode("syncLinks", o.SyncLinks), Notebooks: mode("syncNotebooks", o.SyncNotebooks),
		ResourceAssignments:     mode("syncResourceAssignments", o.SyncResourceAssignments),
		ResourceCodeAssignments: mode("syncResourceCodeAssignments", o.SyncResourceCodeAssignments),
		ResourceCodes:           mode("syncResourceCodes", o.SyncResourceCodes),
		Resources:               mode("syncResources", o.SyncResources), TaskActuals: mode("syncTaskActuals",
			o.SyncTaskActuals), TaskConstraints: mode("syncTaskConstraints", o.SyncTaskConstraints),
		Tasks: mode("syncTasks", o.SyncTasks), UserFieldValues: mode("syncUserFieldValues", o.SyncUserFieldValues),
		UserFields:             mode("syncUserField", o.SyncUserField),
		ConstrainExternalDates: o.ConstrainExternalDates.Or(false), CreateProjectNodes: o.CreateProjectNodes.Or(false),
		UseActivityIDs: o.UseActivityIDs.Or(false), UseWBSCodes: o.UseWBSCodes.Or(false),
	}
}

func (o *MicrosoftProjectSyncOptions) modes(c *problem.Checks) importModes {
	mode := modeOf(c)
	m := importModes{
		ActivityCodeAssignments: mode("syncActivityCodeAssignments", o.SyncActivityCodeAssignments),
		ActivityCodes:           mode("syncActivityCodes", o.SyncActivityCodes),
		Calendars:               mode("syncCalendars", o.SyncCalendars), CostAccounts: importing.Skip,
		Costs: mode("syncCosts", o.SyncCosts), Links: mode("syncLinks", o.SyncLinks),
		ResourceAssignments:     mode("syncResourceAssignments", o.SyncResourceAssignments),
		ResourceCodeAssignments: mode("syncResourceCodeAssignments", o.SyncResourceCodeAssignments),
		ResourceCodes:           mode("syncResourceCodes", o.SyncResourceCodes),
		Resources:               mode("syncResources", o.SyncResources), TaskActuals: mode("syncTaskActuals",
			o.SyncTaskActuals), TaskConstraints: mode("syncTaskConstraints", o.SyncTaskConstraints),
		Tasks: mode("syncTasks", o.SyncTasks), UserFieldValues: mode("syncUserFieldValues", o.SyncUserFieldValues),
		UserFields: mode("syncUserFields", o.SyncUserFields),
	}
	m.Notebooks = m.Tasks
	return m
}

// modeOf reads modes, and notes those that there are not.
func modeOf(c *problem.Checks) func(name string, asked SyncMode) importing.Mode {
	return func(name string, asked SyncMode) importing.Mode {
		if asked == "" {
			return importing.Integrate
		}
		problem.OneOf(c, "options."+name, asked, syncModes)
		return importing.Mode(asked)
	}
}

// codePage reads the name of a code page, and notes one that there is not.
func codePage(c *problem.Checks, name string) planner.CodePage {
	page, err := planner.ParseCodePage(name)
	if err != nil {
		c.Bad("options.codePage", "%s.", err)
	}
	return page
}
