package schedules_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// place is where a member of a plan comes from and goes to. The names in files are separated
// by spaces, as are the members of records and those that compute; a name in a file may be
// behind the table or the element that it is in. What is empty is not there.
type place struct{ xer, p6, mspdi, kept, computes string }

// planPlaces are those of all members of planner.Plan, by their types and names.
var planPlaces = map[string]place{
	"Project.ID":                {"PROJECT.proj_id", "ObjectId", "", "", ""},
	"Project.Code":              {"PROJECT.proj_short_name", "Id", "", "ProjectScheduling.code Project.code", ""},
	"Project.Name":              {"PROJWBS.wbs_name", "Name", "Title", "Project.name", ""},
	"Project.ExternalID":        {"PROJECT.guid", "GUID", "GUID", "ProjectScheduling.externalId Project.externalId", ""},
	"Project.CalendarID":        {"PROJECT.clndr_id", "ActivityDefaultCalendarObjectId", "CalendarUID", "ProjectScheduling.calendarId Project.calendarId", "Project.Calendar"},
	"Project.Start":             {"PROJECT.plan_start_date", "PlannedStartDate", "StartDate", "ProjectScheduling.startDate Project.startDate", "Project.Start"},
	"Project.DataDate":          {"PROJECT.last_recalc_date", "DataDate", "StatusDate", "ProjectScheduling.dataDate Project.dataDate", "Project.DataDate"},
	"Project.MustFinish":        {"PROJECT.plan_end_date", "MustFinishByDate", "", "ProjectScheduling.mustFinishBy Project.mustFinishBy", "Project.MustFinish"},
	"Project.Critical":          {"PROJECT.critical_drtn_hr_cnt", "CriticalActivityFloatLimit", "CriticalSlackLimit", "ProjectScheduling.criticalFloat Project.criticalFloat", "Project.Critical"},
	"Project.Lag":               {"SCHEDOPTIONS.sched_calendar_on_relationship_lag", "RelationshipLagCalendar", "", "ProjectScheduling.lagCalendar", "Options.Lag"},
	"Project.Progress":          {"SCHEDOPTIONS.sched_retained_logic SCHEDOPTIONS.sched_progress_override", "OutOfSequenceScheduleType", "", "ProjectScheduling.progressMode", "Options.Progress"},
	"Project.Float":             {"SCHEDOPTIONS.sched_float_type", "ComputeTotalFloatType", "", "ProjectScheduling.totalFloatType", "Options.Float"},
	"Project.Together":          {"SCHEDOPTIONS.sched_use_project_end_date_for_float", "CalculateFloatBasedOnFinishDate", "", "ProjectScheduling.floatToLastProject", "Options.Together"},
	"Project.OpenEndsCritical":  {"SCHEDOPTIONS.sched_open_critical_flag", "MakeOpenEndedActivitiesCritical", "", "ProjectScheduling.openEndsCritical", "Options.OpenEndsCritical"},
	"Project.LongestPath":       {"PROJECT.critical_path_type", "CriticalActivityPathType", "", "ProjectScheduling.criticalPathType Project.criticalPathType", "Dates.Longest"},
	"Project.IgnoreExpected":    {"SCHEDOPTIONS.sched_use_expect_end_flag", "UseExpectedFinishDates", "", "ProjectScheduling.ignoreExpectedFinish Project.ignoreExpectedFinish", "Task.ExpectedFinish"},
	"Project.IgnoreExternal":    {"SCHEDOPTIONS.sched_outer_depend_type", "IgnoreOtherProjectRelationships", "", "ProjectScheduling.ignoreExternalDates Project.ignoreExternalDates", "Task.Constraints"},
	"Project.CodeValueIDs":      {"PROJPCAT.proj_catg_id", "Project.Code.ValueObjectId", "", "", ""},
	"Project.Values":            {"UDFVALUE.fk_id", "UDF.TypeObjectId", "", "", ""},
	"Project.Notes":             {"PROJMEMO.proj_memo", "ProjectNote.Note", "", "ProjectScheduling.notes", ""},
	"Calendar.ID":               {"CALENDAR.clndr_id", "Calendar.ObjectId", "Calendar.UID", "", ""},
	"Calendar.Name":             {"CALENDAR.clndr_name", "Calendar.Name", "Calendar.Name", "Calendar.name", ""},
	"Calendar.BaseID":           {"CALENDAR.base_clndr_id", "BaseCalendarObjectId", "BaseCalendarUID", "Calendar.parentId", "Task.Calendar"},
	"Calendar.ProjectID":        {"CALENDAR.proj_id", "Calendar.ProjectObjectId", "", "", ""},
	"Calendar.Week":             {"CALENDAR.clndr_data", "StandardWorkWeek", "WeekDays", "Calendar.week Calendar.dayTypes", "Task.Calendar"},
	"Calendar.Exceptions":       {"CALENDAR.clndr_data", "HolidayOrExceptions", "Exceptions", "Calendar.exceptions", "Task.Calendar"},
	"Task.ID":                   {"TASK.task_id", "ObjectId", "Task.UID", "PlannedTask.taskId", "Task.ID"},
	"Task.ExternalID":           {"TASK.guid", "GUID", "GUID", "PlannedTask.externalId", ""},
	"Task.TemplateID":           {"TASK.tmpl_guid", "", "", "", ""},
	"Task.Code":                 {"TASK.task_code", "Id", "WBS", "Task.userDefinedId PlannedTask.code", ""},
	"Task.Name":                 {"TASK.task_name", "Name", "Name", "Task.name", ""},
	"Task.ProjectID":            {"TASK.proj_id", "ProjectObjectId", "", "Task.projectId", "Task.Project"},
	"Task.ParentID":             {"TASK.wbs_id", "WBSObjectId", "OutlineLevel", "Task.parentId", ""},
	"Task.Kind":                 {"TASK.task_type", "Type", "Summary Milestone", "Task.type Task.isWbs Task.isSummary", "Task.Kind"},
	"Task.CalendarID":           {"TASK.clndr_id", "CalendarObjectId", "CalendarUID", "Task.calendarId", "Task.Calendar"},
	"Task.Duration":             {"TASK.target_drtn_hr_cnt", "PlannedDuration", "Duration", "Task.plannedDuration", "Task.Duration"},
	"Task.Remaining":            {"TASK.remain_drtn_hr_cnt", "RemainingDuration", "RemainingDuration", "Task.remainingDuration", "Task.Remaining"},
	"Task.Planned":              {"TASK.target_drtn_hr_cnt", "PlannedDuration", "", "Task.plannedDuration", ""},
	"Task.Elapsed":              {"", "", "DurationFormat", "Task.calendarId", "Task.Calendar"},
	"Task.ActualStart":          {"TASK.act_start_date", "ActualStartDate", "ActualStart", "Task.actualStart", "Task.ActualStart"},
	"Task.ActualFinish":         {"TASK.act_end_date", "ActualFinishDate", "ActualFinish", "Task.actualFinish", "Task.ActualFinish"},
	"Task.Suspend":              {"TASK.suspend_date", "SuspendDate", "Stop", "Task.suspendDate", ""},
	"Task.Resume":               {"TASK.resume_date", "ResumeDate", "Resume", "Task.resumeDate", "Task.Resume"},
	"Task.Splits":               {"", "", "TimephasedData", "Task.splits", "Task.Paused"},
	"Task.Constraints":          {"TASK.cstr_type TASK.cstr_date TASK.cstr_type2 TASK.cstr_date2", "PrimaryConstraintType PrimaryConstraintDate SecondaryConstraintType SecondaryConstraintDate", "ConstraintType ConstraintDate", "Task.constraintType Task.constraintEarlyDate Task.constraintLateDate Task.isMandatory Task.secondConstraintType Task.secondConstraintDate", "Task.Constraints"},
	"Task.Deadline":             {"", "", "Deadline", "Task.deadline", "Task.Deadline"},
	"Task.ExpectedFinish":       {"TASK.expect_end_date", "ExpectedFinishDate", "", "Task.expectedFinish", "Task.ExpectedFinish"},
	"Task.ExternalStart":        {"TASK.external_early_start_date", "ExternalEarlyStartDate", "", "Task.externalEarlyStart", "Task.Constraints"},
	"Task.ExternalFinish":       {"TASK.external_late_end_date", "ExternalLateFinishDate", "", "Task.externalLateFinish", "Task.Constraints"},
	"Task.Manual":               {"", "", "Manual", "Task.constraintType", "Task.Manual"},
	"Task.Inactive":             {"", "", "Active", "Task.isInactive", "Task.Inactive"},
	"Task.Placeholder":          {"", "", "StartText FinishText DurationText", "Task.isPlaceholder", "Task.NeverCritical"},
	"Task.WBSSummary":           {"TASK.task_type", "Type", "", "", "Task.Kind"},
	"Task.ResourceCalendars":    {"TASK.task_type", "Type", "IgnoreResourceCalendar", "Task.usesResourceCalendars", "Task.Calendar"},
	"Task.Percent":              {"TASK.complete_pct_type", "PercentComplete", "PercentComplete", "Task.percentComplete", ""},
	"Task.Physical":             {"TASK.phys_complete_pct", "PhysicalPercentComplete", "PhysicalPercentComplete", "Task.physicalPercentComplete", ""},
	"Task.PercentOf":            {"TASK.complete_pct_type", "PercentCompleteType", "", "Task.percentCompleteType", ""},
	"Task.Steps":                {"TASKPROC.task_id", "ActivityStep.ActivityObjectId", "", "Task.steps", ""},
	"Task.Priority":             {"TASK.priority_type", "LevelingPriority", "Priority", "Task.priority", ""},
	"Step.Name":                 {"TASKPROC.proc_name", "ActivityStep.Name", "", "TaskStep.name", ""},
	"Step.Description":          {"TASKPROC.proc_descr", "ActivityStep.Description", "", "TaskStep.description", ""},
	"Step.Weight":               {"TASKPROC.proc_wt", "ActivityStep.Weight", "", "TaskStep.weight", ""},
	"Step.Percent":              {"TASKPROC.complete_pct", "ActivityStep.PercentComplete", "", "TaskStep.percentComplete", ""},
	"Step.Done":                 {"TASKPROC.complete_flag", "ActivityStep.IsCompleted", "", "TaskStep.isDone", ""},
	"Task.Costs":                {"TASKRSRC.target_cost TASKRSRC.act_reg_cost TASKRSRC.remain_cost", "PlannedCost ActualCost RemainingCost", "Cost ActualCost RemainingCost", "ResourceAssignment.plannedCost ResourceAssignment.actualCost ResourceAssignment.remainingCost Task.expenses", ""},
	"Task.CodeValueIDs":         {"TASKACTV.actv_code_id", "Code.ValueObjectId", "OutlineCode.ValueID", "CodeValueAssignment.codeValueId", ""},
	"Task.Values":               {"UDFVALUE.udf_text UDFVALUE.udf_number UDFVALUE.udf_date", "UDF.TypeObjectId", "ExtendedAttribute.Value", "UserFieldValue.value", ""},
	"Task.Notes":                {"TASKMEMO.task_memo WBSMEMO.wbs_memo", "ActivityNote.Note", "Notes", "Task.comment Task.notes", ""},
	"Task.File":                 {"TASK.early_start_date", "StartDate", "Start", "PlannedTask.file", ""},
	"Costs.Planned":             {"TASKRSRC.target_cost PROJCOST.target_cost", "PlannedCost", "Cost", "ResourceAssignment.plannedCost TaskExpense.plannedCost", ""},
	"Costs.Actual":              {"TASKRSRC.act_reg_cost TASKRSRC.act_ot_cost PROJCOST.act_cost", "ActualCost", "ActualCost", "ResourceAssignment.actualCost TaskExpense.actualCost", ""},
	"Costs.Remaining":           {"TASKRSRC.remain_cost PROJCOST.remain_cost", "RemainingCost", "RemainingCost", "ResourceAssignment.remainingCost TaskExpense.remainingCost", ""},
	"Note.Topic":                {"MEMOTYPE.memo_type", "NotebookTopicObjectId", "", "TaskNote.topic ProjectNote.topic", ""},
	"Note.Text":                 {"TASKMEMO.task_memo", "ActivityNote.Note", "Notes", "Task.comment TaskNote.text ProjectNote.text", ""},
	"Dates.Start":               {"TASK.target_start_date", "StartDate", "Start", "PlannedDates.start Task.plannedStart", ""},
	"Dates.Finish":              {"TASK.target_end_date", "FinishDate", "Finish", "PlannedDates.finish Task.plannedFinish", ""},
	"Dates.EarlyStart":          {"TASK.early_start_date", "EarlyStartDate", "EarlyStart", "PlannedDates.earlyStart", ""},
	"Dates.EarlyFinish":         {"TASK.early_end_date", "EarlyFinishDate", "EarlyFinish", "PlannedDates.earlyFinish", ""},
	"Dates.LateStart":           {"TASK.late_start_date", "LateStartDate", "LateStart", "PlannedDates.lateStart", ""},
	"Dates.LateFinish":          {"TASK.late_end_date", "LateFinishDate", "LateFinish", "PlannedDates.lateFinish", ""},
	"Dates.PlannedStart":        {"TASK.target_start_date", "PlannedStartDate", "", "Task.plannedStart", ""},
	"Dates.PlannedFinish":       {"TASK.target_end_date", "PlannedFinishDate", "", "", ""},
	"Dates.TotalFloat":          {"TASK.total_float_hr_cnt", "TotalFloat", "TotalSlack", "PlannedDates.totalFloat", ""},
	"Dates.FreeFloat":           {"TASK.free_float_hr_cnt", "FreeFloat", "FreeSlack", "PlannedDates.freeFloat", ""},
	"Dates.Critical":            {"", "IsCritical", "Critical", "PlannedDates.critical", ""},
	"Dates.DrivingPath":         {"TASK.driving_path_flag", "IsLongestPath", "", "PlannedDates.drivingPath", ""},
	"Link.ID":                   {"TASKPRED.task_pred_id", "Relationship.ObjectId", "", "", ""},
	"Link.PredecessorID":        {"TASKPRED.pred_task_id", "PredecessorActivityObjectId", "PredecessorLink.PredecessorUID", "TaskLink.predecessorId", "Link.Predecessor"},
	"Link.SuccessorID":          {"TASKPRED.task_id", "SuccessorActivityObjectId", "Task.UID", "TaskLink.successorId", "Link.Successor"},
	"Link.Type":                 {"TASKPRED.pred_type", "Type", "PredecessorLink.Type", "TaskLink.type", "Link.Type"},
	"Link.Lag":                  {"TASKPRED.lag_hr_cnt", "Lag", "PredecessorLink.LinkLag", "TaskLink.lag", "Link.Lag"},
	"Link.Percent":              {"", "", "PredecessorLink.LagFormat", "TaskLink.lag", "Link.Percent"},
	"Link.Elapsed":              {"", "", "PredecessorLink.LagFormat", "TaskLink.calendarId", "Link.Calendar"},
	"Resource.ID":               {"RSRC.rsrc_id", "ObjectId", "Resource.UID", "", ""},
	"Resource.ExternalID":       {"RSRC.guid", "GUID", "GUID", "Resource.externalId", ""},
	"Resource.Code":             {"RSRC.rsrc_short_name", "Id", "Code", "Resource.userDefinedId", ""},
	"Resource.Name":             {"RSRC.rsrc_name", "Name", "Name", "Resource.name", ""},
	"Resource.Type":             {"RSRC.rsrc_type", "ResourceType", "Type", "Resource.type", ""},
	"Resource.CalendarID":       {"RSRC.clndr_id", "CalendarObjectId", "CalendarUID", "Resource.calendarId", "Task.Calendar"},
	"Resource.ParentID":         {"RSRC.parent_rsrc_id", "ParentObjectId", "", "Resource.parentId", ""},
	"Resource.Email":            {"RSRC.email_addr", "EmailAddress", "EmailAddress", "Resource.email", ""},
	"Resource.Unit":             {"UMEASURE.unit_abbrev RSRC.unit_id", "UnitOfMeasureObjectId", "MaterialLabel", "Resource.unitType Resource.unitName", ""},
	"Resource.Rates":            {"RSRCRATE.cost_per_qty", "ResourceRate.PricePerUnit", "Rates", "Resource.rates Resource.quantity", ""},
	"Resource.CodeValueIDs":     {"RSRCRCAT.rsrc_catg_id", "Code.ValueObjectId", "OutlineCode.ValueID", "", ""},
	"Resource.Values":           {"UDFVALUE.udf_text", "UDF.TypeObjectId", "ExtendedAttribute.Value", "UserFieldValue.value", ""},
	"Resource.Notes":            {"RSRC.rsrc_notes", "ResourceNotes", "Notes", "Resource.description", ""},
	"Rate.Table":                {"", "", "RateTable", "ResourceRate.table", ""},
	"Rate.From":                 {"RSRCRATE.start_date", "EffectiveDate", "RatesFrom", "ResourceRate.from", ""},
	"Rate.To":                   {"", "", "RatesTo", "ResourceRate.until", ""},
	"Rate.Price":                {"RSRCRATE.cost_per_qty", "PricePerUnit", "StandardRate", "ResourceRate.price", ""},
	"Rate.Overtime":             {"", "", "OvertimeRate", "ResourceRate.overtimePrice", ""},
	"Rate.PerUse":               {"", "", "CostPerUse", "ResourceRate.pricePerUse", ""},
	"Rate.MaxUnits":             {"RSRCRATE.max_qty_per_hr", "MaxUnitsPerTime", "MaxUnits", "ResourceRate.maxUnits", ""},
	"Assignment.ID":             {"TASKRSRC.taskrsrc_id", "ObjectId", "Assignment.UID", "", ""},
	"Assignment.TaskID":         {"TASKRSRC.task_id", "ActivityObjectId", "TaskUID", "ResourceAssignment.taskId", ""},
	"Assignment.ResourceID":     {"TASKRSRC.rsrc_id", "ResourceObjectId", "ResourceUID", "ResourceAssignment.resourceId", ""},
	"Assignment.ExternalID":     {"TASKRSRC.guid", "GUID", "GUID", "ResourceAssignment.externalId", ""},
	"Assignment.Units":          {"TASKRSRC.target_qty", "PlannedUnits", "Work", "ResourceAssignment.plannedUtilization", ""},
	"Assignment.ActualUnits":    {"TASKRSRC.act_reg_qty TASKRSRC.act_ot_qty", "ActualUnits", "ActualWork", "ResourceAssignment.actualUtilization", ""},
	"Assignment.RemainingUnits": {"TASKRSRC.remain_qty", "RemainingUnits", "RemainingWork", "ResourceAssignment.remainingUtilization", ""},
	"Assignment.UnitsPerTime":   {"TASKRSRC.target_qty_per_hr", "PlannedUnitsPerTime", "Units", "Utilization.resourceCount", ""},
	"Assignment.Delay":          {"TASKRSRC.target_lag_drtn_hr_cnt", "PlannedLag", "Delay", "ResourceAssignment.delay", ""},
	"Assignment.Start":          {"TASKRSRC.restart_date", "StartDate", "Start", "ResourceAssignment.plannedStart", ""},
	"Assignment.Finish":         {"TASKRSRC.reend_date", "FinishDate", "Finish", "ResourceAssignment.plannedFinish", ""},
	"Assignment.ActualStart":    {"TASKRSRC.act_start_date", "ActualStartDate", "ActualStart", "ResourceAssignment.actualStart", ""},
	"Assignment.ActualFinish":   {"TASKRSRC.act_end_date", "ActualFinishDate", "ActualFinish", "ResourceAssignment.actualFinish", ""},
	"Assignment.AccountID":      {"TASKRSRC.acct_id", "CostAccountObjectId", "", "ResourceAssignment.costAccount", ""},
	"Assignment.Costs":          {"TASKRSRC.target_cost", "PlannedCost", "Cost", "ResourceAssignment.plannedCost ResourceAssignment.actualCost ResourceAssignment.remainingCost", ""},
	"Code.ID":                   {"ACTVTYPE.actv_code_type_id", "ObjectId", "FieldID", "", ""},
	"Code.ExternalID":           {"", "", "FieldName", "", ""},
	"Code.Name":                 {"ACTVTYPE.actv_code_type", "Name", "Alias", "Code.name", ""},
	"Code.Of":                   {"ACTVTYPE RCATTYPE PCATTYPE", "ActivityCodeType ResourceCodeType ProjectCodeType", "OutlineCodes", "Code.category", ""},
	"Code.Scope":                {"ACTVTYPE.actv_code_type_scope", "Scope", "", "", ""},
	"Code.ProjectID":            {"ACTVTYPE.proj_id", "ProjectObjectId", "", "", ""},
	"CodeValue.ID":              {"ACTVCODE.actv_code_id", "ObjectId", "ValueID", "", ""},
	"CodeValue.CodeID":          {"ACTVCODE.actv_code_type_id", "CodeTypeObjectId", "FieldID", "CodeValue.codeId", ""},
	"CodeValue.ParentID":        {"ACTVCODE.parent_actv_code_id", "ParentObjectId", "ParentValueID", "CodeValue.parentId", ""},
	"CodeValue.Name":            {"ACTVCODE.short_name", "CodeValue", "Value", "CodeValue.name", ""},
	"CodeValue.Description":     {"ACTVCODE.actv_code_name", "Description", "Description", "CodeValue.description", ""},
	"CodeValue.Color":           {"ACTVCODE.color", "Color", "", "CodeValue.color", ""},
	"UserField.ID":              {"UDFTYPE.udf_type_id", "ObjectId", "FieldID", "", ""},
	"UserField.ExternalID":      {"", "", "FieldName", "", ""},
	"UserField.Name":            {"UDFTYPE.udf_type_label", "Title", "Alias", "UserField.name", ""},
	"UserField.Of":              {"UDFTYPE.table_name", "SubjectArea", "FieldID", "UserField.category", ""},
	"UserField.Nodes":           {"UDFTYPE.table_name", "SubjectArea", "", "", ""},
	"UserField.Family":          {"UDFTYPE.logical_data_type", "DataType", "CFType", "UserField.type", ""},
	"Value.FieldID":             {"UDFVALUE.udf_type_id", "TypeObjectId", "FieldID", "UserFieldValue.userFieldId", ""},
	"Value.Text":                {"UDFVALUE.udf_text", "TextValue", "Value", "UserFieldValue.value", ""},
	"Value.Number":              {"UDFVALUE.udf_number", "DoubleValue", "Value", "UserFieldValue.value", ""},
	"Value.Time":                {"UDFVALUE.udf_date", "FinishDateValue", "Value", "UserFieldValue.value", ""},
	"Value.Flag":                {"UDFVALUE.udf_text", "IndicatorValue", "Value", "UserFieldValue.value", ""},
	"Account.ID":                {"ACCOUNT.acct_id", "ObjectId", "", "", ""},
	"Account.ParentID":          {"ACCOUNT.parent_acct_id", "ParentObjectId", "", "CodeValue.parentId", ""},
	"Account.Code":              {"ACCOUNT.acct_short_name", "Id", "", "CodeValue.name", ""},
	"Account.Name":              {"ACCOUNT.acct_name", "Name", "", "CodeValue.description", ""},
	"Account.Description":       {"ACCOUNT.acct_descr", "Description", "", "", ""},
	"Expense.ID":                {"PROJCOST.cost_item_id", "ObjectId", "", "", ""},
	"Expense.TaskID":            {"PROJCOST.task_id", "ActivityObjectId", "FixedCost", "Task.expenses", ""},
	"Expense.AccountID":         {"PROJCOST.acct_id", "CostAccountObjectId", "", "TaskExpense.costAccount", ""},
	"Expense.Name":              {"PROJCOST.cost_name", "ExpenseItem", "", "TaskExpense.name", ""},
	"Expense.Description":       {"PROJCOST.cost_descr", "ExpenseDescription", "", "TaskExpense.description", ""},
	"Expense.Vendor":            {"PROJCOST.vendor_name", "Vendor", "", "TaskExpense.vendor", ""},
	"Expense.Costs":             {"PROJCOST.target_cost PROJCOST.act_cost PROJCOST.remain_cost", "PlannedCost ActualCost RemainingCost", "FixedCost", "TaskExpense.plannedCost TaskExpense.actualCost TaskExpense.remainingCost", ""},
	"Baseline.ID":               {"PROJECT.proj_id", "BaselineProject.ObjectId", "Baseline.Number", "", ""},
	"Baseline.Code":             {"PROJECT.proj_short_name", "Id", "", "Baseline.code", ""},
	"Baseline.Name":             {"PROJECT.proj_short_name", "Name", "Baseline.Number", "Baseline.name", ""},
	"Baseline.ProjectID":        {"PROJECT.orig_proj_id", "OriginalProjectObjectId", "", "Baseline.projectId", ""},
	"Baseline.Current":          {"PROJECT.sum_base_proj_id", "CurrentBaselineProjectObjectId", "Baseline.Number", "Baseline.isCurrent", ""},
	"Baseline.DataDate":         {"PROJECT.last_recalc_date", "DataDate", "", "Baseline.createdOn", ""},
	"Baseline.Tasks":            {"TASK", "Activity", "Task.Baseline", "BaselineTask.baselineId", ""},
	"Baseline.Links":            {"TASKPRED", "Relationship", "", "BaselineTaskLink.baselineId", ""},
	"BaselineTask.ID":           {"TASK.task_id", "ObjectId", "Task.UID", "", ""},
	"BaselineTask.TaskID":       {"TASK.task_code", "GUID", "Task.UID", "BaselineTask.taskId", ""},
	"BaselineTask.ExternalID":   {"TASK.guid", "GUID", "Task.GUID", "BaselineTask.externalId", ""},
	"BaselineTask.Code":         {"TASK.task_code", "Id", "Task.WBS", "BaselineTask.userDefinedId", ""},
	"BaselineTask.Name":         {"TASK.task_name", "Name", "Task.Name", "BaselineTask.name", ""},
	"BaselineTask.Start":        {"TASK.target_start_date", "StartDate", "Start", "BaselineTask.startDate", ""},
	"BaselineTask.Finish":       {"TASK.target_end_date", "FinishDate", "Finish", "BaselineTask.finishDate", ""},
	"BaselineTask.Duration":     {"TASK.target_drtn_hr_cnt", "PlannedDuration", "Duration", "BaselineTask.duration", ""},
	"BaselineTask.TotalFloat":   {"TASK.total_float_hr_cnt", "TotalFloat", "", "BaselineTask.totalFloat", ""},
	"BaselineTask.Work":         {"TASKRSRC.target_qty", "PlannedLaborUnits", "Work", "BaselineTask.plannedWork", ""},
	"BaselineTask.Cost":         {"TASKRSRC.target_cost", "PlannedCost", "Cost", "BaselineTask.plannedCost", ""},
}

// keepers are the records that keep what files say, by how the table calls them.
var keepers = map[string]any{
	"Task": schedules.Task{}, "TaskLink": schedules.TaskLink{}, "ProjectScheduling": schedules.ProjectScheduling{}, "Calendar": schedules.Calendar{}, "Project": schedules.Project{},
	"PlannedTask": exchange.PlannedTask{}, "PlannedDates": synchronizers.PlannedDates{}, "Resource": schedules.Resource{},
	"TaskNote": schedules.TaskNote{}, "ProjectNote": schedules.ProjectNote{}, "TaskStep": schedules.TaskStep{}, "TaskExpense": schedules.TaskExpense{}, "ResourceRate": schedules.ResourceRate{},
	"ResourceAssignment": schedules.ResourceAssignment{}, "Utilization": schedules.Utilization{}, "Baseline": schedules.Baseline{},
	"BaselineTask": schedules.BaselineTask{}, "BaselineTaskLink": schedules.BaselineTaskLink{}, "Code": codes.Code{}, "CodeValue": codes.CodeValue{},
	"CodeValueAssignment": codes.CodeValueAssignment{}, "UserField": userfields.UserField{}, "UserFieldValue": userfields.UserFieldValue{},
}

// computers are the types of package cpm.
var computers = map[string]any{"Task": cpm.Task{}, "Link": cpm.Link{}, "Project": cpm.Project{}, "Options": cpm.Options{}, "Dates": cpm.Dates{}}

// planMembers are the members of all that a plan holds, by their types and names.
func planMembers() (all []string) {
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] || t.PkgPath() != reflect.TypeFor[planner.Plan]().PkgPath() {
			return
		}
		seen[t] = true
		switch t { // which hold what no member of the plan is made of
		case reflect.TypeFor[planner.Table](), reflect.TypeFor[planner.Warning]():
			return
		}
		for f := range t.Fields() {
			if t != reflect.TypeFor[planner.Plan]() {
				all = append(all, t.Name()+"."+f.Name)
			}
		}
		for f := range t.Fields() {
			visit(f.Type)
		}
	}
	visit(reflect.TypeFor[planner.Plan]())
	return all
}

func TestEveryMemberOfAPlanNamesItsPlaceInTheTableOfTheDocument(t *testing.T) {
	t.Parallel()
	members := planMembers()
	for _, m := range members {
		if _, ok := planPlaces[m]; !ok {
			t.Errorf("planner.%s has no place: say where files have it, where it is kept and what computes with it", m)
		}
	}
	for m := range planPlaces {
		if !slices.Contains(members, m) {
			t.Errorf("there is no planner.%s", m)
		}
	}
	known := map[string]map[string]bool{"xer": words(source(t, "xer*.go")), "p6xml": words(source(t, "p6*.go")), "mspdi": words(source(t, "mspdi*.go"))}
	for m, p := range planPlaces {
		for format, names := range map[string]string{"xer": p.xer, "p6xml": p.p6, "mspdi": p.mspdi} {
			for name := range strings.FieldsSeq(names) {
				for word := range strings.SplitSeq(name, ".") {
					if !known[format][word] {
						t.Errorf("%s: no reader or writer of %s knows %s", m, format, name)
					}
				}
			}
		}
		for of := range strings.FieldsSeq(p.kept) {
			record, member, _ := strings.Cut(of, ".")
			if keepers[record] == nil || !hasJSON(reflect.TypeOf(keepers[record]), member) {
				t.Errorf("%s: there is no %s", m, of)
			}
		}
		for by := range strings.FieldsSeq(p.computes) {
			typ, member, _ := strings.Cut(by, ".")
			if computers[typ] == nil {
				t.Errorf("%s: there is no cpm.%s", m, by)
			} else if _, ok := reflect.TypeOf(computers[typ]).FieldByName(member); !ok {
				t.Errorf("%s: there is no cpm.%s", m, by)
			}
		}
	}
	writeTable(t, members)
}

// words are those of a source that quotes, tags and bars divide.
func words(source string) map[string]bool {
	all := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(source, func(r rune) bool { return strings.ContainsRune("\"<>|/ ", r) }) {
		all[word] = true
	}
	return all
}

// source is the text of files of package planner.
func source(t *testing.T, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("planner", pattern))
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// hasJSON reports whether a record has a member.
func hasJSON(t reflect.Type, member string) bool {
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == member || f.Anonymous && hasJSON(f.Type, member) {
			return true
		}
	}
	return false
}

// Where the table is in the document.
const (
	tableBegins = "<!-- members: what a plan holds -->\n"
	tableEnds   = "<!-- end of members -->\n"
)

// writeTable holds the table of the document to the places.
func writeTable(t *testing.T, members []string) {
	t.Helper()
	code := func(names, prefix string) string {
		words := strings.Fields(names)
		for i := range words {
			words[i] = "`" + prefix + words[i] + "`"
		}
		return cmp.Or(strings.Join(words, " "), "–")
	}
	var b strings.Builder
	b.WriteString("\n| member | XER | XML of P6 | XML of Microsoft Project | kept in a schedule as | computed with by |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, m := range members {
		p := planPlaces[m]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", m, code(p.xer, ""), code(p.p6, ""), code(p.mspdi, ""), code(p.kept, ""), code(p.computes, "cpm."))
	}
	b.WriteString("\n")
	path := filepath.Join("..", "docs", "planner.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegins)
	was, after, both := strings.Cut(rest, tableEnds)
	if !ok || !both {
		t.Fatal("docs/planner.md has no place for the table")
	}
	if *recordstest.Update && was != b.String() {
		if err := os.WriteFile(path, []byte(before+tableBegins+b.String()+tableEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(was, b.String()); diff != "" {
		t.Errorf("run go test -update (-document +code)\n%s", diff)
	}
}
