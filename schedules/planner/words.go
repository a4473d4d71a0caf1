package planner

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// vocabulary are the words by which the files of all tools call what a member of a record can
// be. A word that is not known is warned of and taken as the tools themselves take it.
type vocabulary[V any] struct {
	thing string       // what the words are for, in a warning
	words map[string]V // by words as they are written and as fold has them
	usual V            // what is taken where there is no word, or none that is known
	as    string       // how a warning calls that; empty where it is left out
}

// words makes a vocabulary. Reading knows the words of all tables, writing uses the first
// table alone.
func words[V any](thing string, usual V, as string, tables ...map[string]V) *vocabulary[V] {
	v := &vocabulary[V]{thing, make(map[string]V), usual, as}
	for _, t := range tables {
		maps.Copy(v.words, t)
		for word, is := range t {
			v.words[fold(word)] = is
		}
	}
	return v
}

// fold is a word without its case and what is between its parts.
func fold(word string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(word))
}

// of reads a word of a record.
func (v *vocabulary[V]) of(f *fields, names ...string) V {
	word, name := f.text(names...)
	return v.read(f, name, word)
}

// read is what a word means; it is the only one that looks up.
func (v *vocabulary[V]) read(f *fields, name, word string) V {
	if is, ok := v.words[word]; ok || word == "" {
		if ok {
			return is
		}
		return v.usual
	}
	folded := fold(word)
	// Some tools number words: PR_FF1 is a finish-to-finish link.
	for _, w := range []string{folded, strings.TrimRight(folded, "0123456789")} {
		if is, ok := v.words[w]; ok && w != "" {
			return is
		}
	}
	f.unknown(name, word, v.thing, v.as)
	return v.usual
}

// unknown warns of a word that no vocabulary has.
func (f *fields) unknown(name, word, thing, as string) {
	if as == "" {
		f.left(name, word, fmt.Sprintf("no %s that is known", thing))
		return
	}
	f.taken(name, word, fmt.Sprintf("is no %s that is known", thing), as)
}

// The tables by which files are also written have the names of one tool each.
var (
	xerLinks = map[string]cpm.LinkType{
		"PR_FS": cpm.FinishToStart, "PR_SS": cpm.StartToStart, "PR_FF": cpm.FinishToFinish, "PR_SF": cpm.StartToFinish,
	}
	p6Links = map[string]cpm.LinkType{
		"Finish to Start": cpm.FinishToStart, "Start to Start": cpm.StartToStart,
		"Finish to Finish": cpm.FinishToFinish,
		"Start to Finish":  cpm.StartToFinish,
	}
	mspdiLinks = map[string]cpm.LinkType{
		"0": cpm.FinishToFinish, "1": cpm.FinishToStart, "2": cpm.StartToFinish, "3": cpm.StartToStart,
	}
	shortLinks = map[string]cpm.LinkType{
		"FS": cpm.FinishToStart, "SS": cpm.StartToStart, "FF": cpm.FinishToFinish, "SF": cpm.StartToFinish,
		"Finish-Start": cpm.FinishToStart, "Start-Start": cpm.StartToStart, "Finish-Finish": cpm.FinishToFinish,
		"Start-Finish": cpm.StartToFinish,
	}
	linkTypes      = words("type of link", cpm.FinishToStart, "finish to start", xerLinks, p6Links, shortLinks)
	mspdiLinkTypes = words("type of link", cpm.FinishToStart, "finish to start", mspdiLinks, p6Links, shortLinks)
	xerConstraints = map[string]cpm.ConstraintType{
		"CS_MSO": cpm.StartOn, "CS_MSOA": cpm.StartNoEarlier, "CS_MSOB": cpm.StartNoLater, "CS_MEO": cpm.FinishOn,
		"CS_MEOA": cpm.FinishNoEarlier, "CS_MEOB": cpm.FinishNoLater, "CS_MANDSTART": cpm.MandatoryStart,
		"CS_MANDFIN": cpm.MandatoryFinish, "CS_ALAP": cpm.AsLateAsPossible,
	}
	p6Constraints = map[string]cpm.ConstraintType{
		"Start On": cpm.StartOn, "Start On or After": cpm.StartNoEarlier, "Start On or Before": cpm.StartNoLater,
		"Finish On": cpm.FinishOn, "Finish On or After": cpm.FinishNoEarlier, "Finish On or Before": cpm.FinishNoLater,
		"Mandatory Start": cpm.MandatoryStart, "Mandatory Finish": cpm.MandatoryFinish,
		"As Late As Possible": cpm.AsLateAsPossible,
	}
	mspdiConstraints = map[string]cpm.ConstraintType{
		"1": cpm.AsLateAsPossible, "2": cpm.MandatoryStart, "3": cpm.MandatoryFinish, "4": cpm.StartNoEarlier,
		"5": cpm.StartNoLater, "6": cpm.FinishNoEarlier, "7": cpm.FinishNoLater,
	}
	constraintTypes = words(
		"constraint", 0, "", xerConstraints, p6Constraints, map[string]cpm.ConstraintType{
			"None": 0, "CS_NONE": 0, "As Soon As Possible": 0, "CS_ASAP": 0,
			"Start No Earlier Than": cpm.StartNoEarlier,
			"Start No Later Than":   cpm.StartNoLater, "Finish No Earlier Than": cpm.FinishNoEarlier,
			"Finish No Later Than": cpm.FinishNoLater, "Must Start On": cpm.MandatoryStart,
			"Must Finish On":    cpm.MandatoryFinish,
			"Start On or Later": cpm.StartNoEarlier, "Start On or Earlier": cpm.StartNoLater,
			"Finish On or Later": cpm.FinishNoEarlier, "Finish On or Earlier": cpm.FinishNoLater,
		},
	)
	mspdiConstraintTypes = words("constraint", 0, "", mspdiConstraints, map[string]cpm.ConstraintType{"0": 0})

	p6Percents   = map[string]PercentType{"Units": OfUnits, "Physical": OfPhysical}
	percentTypes = words("type of percent complete", OfDuration, "of the duration", p6Percents, map[string]PercentType{
		"CP_Units": OfUnits, "CP_Phys": OfPhysical, "CP_Drtn": OfDuration, "Duration": OfDuration,
	})

	xerResources = map[string]ResourceType{"RT_Labor": Human, "RT_Equip": Equipment, "RT_Mat": Material}
	p6Resources  = map[string]ResourceType{"Labor": Human, "Nonlabor": Equipment, "Material": Material}
	// mspdiResources are the types of resources by their numbers.
	mspdiResources = map[string]ResourceType{"0": Material, "1": Human, "2": Cost}
	resourceTypes  = words("type of resource", "", "", xerResources, p6Resources,
		map[string]ResourceType{"RT_Nonlabor": Equipment})
	mspdiResourceTypes = words("type of resource", Human, "work", mspdiResources, map[string]ResourceType{
		"Material": Material, "Work": Human, "Cost": Cost,
	})

	p6Families = map[string]FieldFamily{
		"Text": TextField, "Indicator": IndicatorField, "Integer": IntegerField, "Double": NumberField,
		"Cost":       CostField,
		"Start Date": StartField, "Finish Date": FinishField, "Code": CodeField,
	}
	families = words("type of user field", TextField, "text", p6Families, map[string]FieldFamily{
		"FT_TEXT": TextField, "FT_STATICTYPE": IndicatorField, "FT_INT": IntegerField, "FT_FLOAT": NumberField,
		"FT_FLOAT_2_DECIMALS": NumberField, "FT_MONEY": CostField, "FT_START_DATE": StartField,
		"FT_END_DATE": FinishField,
	})
	// mspdiFamilies are the families of user fields by their numbers.
	mspdiFamilies = map[string]FieldFamily{
		"0": CostField, "1": DateField, "2": DurationField, "3": FinishField, "4": FlagField, "5": NumberField,
		"6": StartField, "7": TextField,
	}
	mspdiFamilyTypes = words("type of user field", TextField, "text", mspdiFamilies)

	// weekdays are the days of a week by their words.
	weekdays = map[string]time.Weekday{
		"Sunday": time.Sunday, "Monday": time.Monday, "Tuesday": time.Tuesday, "Wednesday": time.Wednesday,
		"Thursday": time.Thursday, "Friday": time.Friday, "Saturday": time.Saturday,
	}
	daysOfWeek = words("day of a week", noWeekday, "", weekdays)
)

// noWeekday is no day of a week.
const noWeekday = time.Weekday(-1)

// taskType is what P6 calls a task.
type taskType struct {
	kind                cpm.Kind
	wbs, usingResources bool
}

var (
	// taskTypes has the words that begin with TT_ for XER files, and the words of P6's XML
	// and of other tools that write such files.
	taskTypes = words("type of task", taskType{}, "task dependent", map[string]taskType{
		"TT_Task": {}, "TT_Rsrc": {usingResources: true}, "TT_Mile": {kind: cpm.StartMilestone},
		"TT_FinMile": {kind: cpm.FinishMilestone}, "TT_LOE": {kind: cpm.LongHammock},
		"TT_WBS": {kind: cpm.LongHammock, wbs: true}, "Task Dependent": {},
		"Resource Dependent": {usingResources: true},
		"Start Milestone":    {kind: cpm.StartMilestone}, "Finish Milestone": {kind: cpm.FinishMilestone},
		"Level of Effort": {kind: cpm.LongHammock}, "WBS Summary": {kind: cpm.LongHammock, wbs: true},
		"Task": {}, "Milestone": {kind: cpm.StartMilestone}, "LOE": {kind: cpm.LongHammock},
	})
	// statuses report whether a task has begun.
	statuses = words("status of a task", true, "what its actual dates say", map[string]bool{
		"TK_NotStart": false, "TK_Active": true, "TK_Complete": true, "Not Started": false, "In Progress": true,
		"Completed": true, "TK_NotStarted": false, "TK_InProgress": true, "TK_Completed": true, "Complete": true,
		"Active":   true,
		"NotStart": false,
	})
	// priorities reads five words as numbers from 0 to 1000, the scale of Microsoft
	// Project.
	priorities = words("priority", usualPriority, "normal", p6Priorities, map[string]int32{
		"PT_Top": p6Priorities["Top"], "PT_High": p6Priorities["High"], "PT_Normal": usualPriority,
		"PT_Low":    p6Priorities["Low"],
		"PT_Lowest": p6Priorities["Lowest"],
	})

	lagCalendars = words("calendar of lags", cpm.LagOfPredecessor, "that of the predecessor",
		map[string]cpm.LagCalendar{
			"rcal_Predecessor": cpm.LagOfPredecessor, "rcal_Successor": cpm.LagOfSuccessor,
			"rcal_ProjDefault": cpm.LagOfProject,
			"rcal_24Hour":      cpm.LagElapsed, "Predecessor Activity Calendar": cpm.LagOfPredecessor,
			"Successor Activity Calendar": cpm.LagOfSuccessor, "Project Default Calendar": cpm.LagOfProject,
			"24 Hour Calendar": cpm.LagElapsed,
		})
	progressModes = words("way to schedule progress", cpm.RetainedLogic, "retained logic", map[string]cpm.Progress{
		"Retained Logic": cpm.RetainedLogic, "Progress Override": cpm.ProgressOverride, "Actual Dates": cpm.ActualDates,
	})
	// pathTypes report whether tasks are critical by the longest path.
	pathTypes = words("type of critical path", false, "total float", map[string]bool{
		"CT_TotFloat": false, "CT_DrivPath": true, "Critical Float": false, "Total Float": false, "Longest Path": true,
	})
	// externalLinks report whether what other projects have of dates is left out of account.
	externalLinks = words("use of other projects", false, "both", map[string]bool{"SD_Both": false, "SD_None": true})

	codeScopes = words("scope of codes", Global, "global", map[string]CodeScope{
		"AS_Global": Global, "AS_EPS": EPSCode, "AS_Project": OneProject, "Global": Global, "EPS": EPSCode,
		"Project": OneProject,
	})
	// subjects are what user fields are for. Those of others are left out with a warning once all
	// are known.
	subjects = words("subject of user fields", fieldSubject{}, "", map[string]fieldSubject{
		"TASK": {of: OfTasks}, "PROJWBS": {of: OfTasks, nodes: true}, "RSRC": {of: OfResources},
		"PROJECT":  {of: OfProjects},
		"Activity": {of: OfTasks}, "WBS": {of: OfTasks, nodes: true}, "Resource": {of: OfResources},
		"TASKRSRC": {}, "Resource Assignment": {}, "PROJCOST": {}, "Activity Expense": {}, "TASKPROC": {},
		"Activity Step": {},
		"DOCUMENT":      {}, "Work Products and Documents": {}, "PROJRISK": {}, "RISK": {}, "Project Risk": {},
		"PROJISSU":      {},
		"Project Issue": {}, "ROLES": {}, "Role": {}, "USERS": {},
	})

	// timeFormats are in what the durations and lags of Microsoft Project are shown, estimates included.
	timeFormats = words("unit of time", timeFormat{}, "working time", mspdiTimeFormats())
)

// fieldSubject is what user fields are for.
type fieldSubject struct {
	of    Subject
	nodes bool // of the WBS
}

// timeFormat is in what a time is shown. An elapsed one continues day and night.
type timeFormat struct{ elapsed, percent bool }

// elapsed reports whether a duration of this format counts 24 hours a day, whatever the
// calendar.
func elapsed(format string) bool { return timeFormats.words[format].elapsed }

// mspdiTimeFormats are the formats by their numbers, 32 more of which mark estimates.
func mspdiTimeFormats() map[string]timeFormat {
	all := make(map[string]timeFormat)
	for n := range 22 {
		if n == 0 || n > 2 && n <= 12 || n >= 19 {
			is := timeFormat{elapsed: n > 2 && n <= 12 && n%2 == 0 || n == 20, percent: n == 19 || n == 20}
			all[fmt.Sprint(n)], all[fmt.Sprint(n+32)] = is, is
		}
	}
	return all
}

// usualPriority is the default priority of a task.
const usualPriority int32 = 500

// p6Priorities are the priorities by how P6 calls them.
var p6Priorities = map[string]int32{"Top": 900, "High": 600, "Normal": usualPriority, "Low": 400, "Lowest": 100}

// given is a priority as a task has it.
func given(priority int32) *int32 {
	if priority == usualPriority {
		return nil
	}
	return &priority
}

// priority reads the priority of a task as Microsoft Project counts it.
func (f *fields) priority(to **int32, names ...string) {
	if n := 0; f.whole(&n, 0, 1000, names...) {
		*to = given(int32(n))
	}
}

// priority returns the priority of a task from 0 to 1000, and the default, 500, where the
// file states none.
func (t *Task) priority() int32 {
	if t.Priority == nil {
		return usualPriority
	}
	return *t.Priority
}

// priority is how P6 calls the priority of a task, or the one that is closest to it.
func (x *p6Writer) priority(t *Task) string {
	word, away := "Normal", int32(math.MaxInt32)
	for _, w := range []string{"Lowest", "Low", "Normal", "High", "Top"} {
		if d := max(t.priority()-p6Priorities[w], p6Priorities[w]-t.priority()); d < away {
			word, away = w, d
		}
	}
	if away != 0 {
		x.lose("task", t.ID, "Its priority is "+word+", the closest that P6 has.")
	}
	return word
}
