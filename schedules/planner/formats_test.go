package planner_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func parse(t *testing.T, text string) *planner.Plan {
	t.Helper()
	p, err := planner.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// content is what a plan has besides tasks, links and calendars.
type content struct {
	Codes      []planner.Code
	CodeValues []planner.CodeValue
	UserFields []planner.UserField
	Accounts   []planner.Account
	Expenses   []planner.Expense
	Baselines  []planner.Baseline
	Task       planner.Task
	Resources  []planner.Resource
	Assignment []planner.Assignment
	Notes      []planner.Note // of the project
	Warnings   []string       // what they are of
}

// contentOf is that of a plan whose last task counts.
func contentOf(p *planner.Plan) content {
	c := content{
		Codes: p.Codes, CodeValues: p.CodeValues, UserFields: p.UserFields, Accounts: p.Accounts, Expenses: p.Expenses,
		Baselines: p.Baselines,
		Task:      p.Tasks[len(p.Tasks)-1], Resources: p.Resources, Assignment: p.Assignments, Notes: p.Projects[0].Notes,
	}
	c.Task.File = planner.Dates{}
	for _, w := range p.Warnings {
		c.Warnings = append(c.Warnings, w.What)
	}
	return c
}

var at = worktime.Date(2026, time.January, 5, 8, 0, 0)

func TestXMLOfP6HasCodesFieldsNotesCostsAndBaselines(t *testing.T) {
	t.Parallel()
	p := parse(t, "\xEF\xBB\xBF"+`<?xml version="1.0" encoding="UTF-8"?>
<APIBusinessObjects xmlns="http://xmlns.oracle.com/Primavera/P6/V8.3/API/BusinessObjects" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<NotebookTopic><ObjectId>3</ObjectId><Name>Scope</Name></NotebookTopic>
<UnitOfMeasure><ObjectId>4</ObjectId><Abbreviation>m3</Abbreviation></UnitOfMeasure>
<CostAccount><ObjectId>5</ObjectId><Id>C.1</Id><Name>Concrete</Name><Description>&lt;p&gt;All of it&lt;/p&gt;</Description><ParentObjectId xsi:nil="true"/></CostAccount>
<UDFType><ObjectId>6</ObjectId><DataType>Double</DataType><SubjectArea>Activity</SubjectArea><Title>Volume</Title></UDFType>
<UDFType><ObjectId>7</ObjectId><DataType>Start Date</DataType><SubjectArea>Resource</SubjectArea><Title>Hired</Title></UDFType>
<UDFType><ObjectId>8</ObjectId><DataType>Text</DataType><SubjectArea>Activity Expense</SubjectArea><Title>Bill</Title></UDFType>
<ActivityCodeType><ObjectId>9</ObjectId><Name>Phase</Name><Scope>EPS</Scope></ActivityCodeType>
<ActivityCode><ObjectId>10</ObjectId><CodeTypeObjectId>9</CodeTypeObjectId><CodeValue>B</CodeValue><Description>Below</Description><ParentObjectId>11</ParentObjectId></ActivityCode>
<ActivityCode><ObjectId>11</ObjectId><CodeTypeObjectId>9</CodeTypeObjectId><CodeValue>A</CodeValue><Color>#ff0000</Color></ActivityCode>
<ResourceCodeType><ObjectId>9</ObjectId><Name>Trade</Name></ResourceCodeType>
<ResourceCode><ObjectId>10</ObjectId><CodeTypeObjectId>9</CodeTypeObjectId><CodeValue>Mason</CodeValue></ResourceCode>
<Role><ObjectId>1</ObjectId></Role>
<Resource><ObjectId>20</ObjectId><Id>M</Id><Name>Cement</Name><ResourceType>Material</ResourceType><UnitOfMeasureObjectId>4</UnitOfMeasureObjectId>
<EmailAddress>m@example.com</EmailAddress><ResourceNotes>by rail</ResourceNotes><Code><TypeObjectId>9</TypeObjectId><ValueObjectId>10</ValueObjectId></Code>
<UDF><TypeObjectId>7</TypeObjectId><StartDateValue>2026-01-05T08:00:00</StartDateValue></UDF></Resource>
<ResourceRate><ObjectId>1</ObjectId><ResourceObjectId>20</ResourceObjectId><EffectiveDate>2026-01-05T08:00:00</EffectiveDate><MaxUnitsPerTime>2</MaxUnitsPerTime><PricePerUnit>7.5</PricePerUnit><PricePerUnit3>9</PricePerUnit3></ResourceRate>
<Project><ObjectId>1</ObjectId><Id>BR</Id><Name>Bridge</Name><DataDate>2026-01-05T08:00:00</DataDate><CurrentBaselineProjectObjectId>2</CurrentBaselineProjectObjectId>
<ProjectNote><ObjectId>1</ObjectId><ProjectObjectId>1</ProjectObjectId><NotebookTopicObjectId>3</NotebookTopicObjectId><Note><![CDATA[<HTML><BODY><P>One&nbsp;way<BR>to cross</P></BODY></HTML>]]></Note></ProjectNote>
<Activity><ObjectId>30</ObjectId><GUID>{G}</GUID><Id>A1</Id><Name>Pour</Name><ProjectObjectId>1</ProjectObjectId><Type>Resource Dependent</Type><Status>In Progress</Status>
<PercentCompleteType>Physical</PercentCompleteType><PhysicalPercentComplete>0.07</PhysicalPercentComplete><PercentComplete>0.07</PercentComplete>
<PlannedDuration>16</PlannedDuration><RemainingDuration>12</RemainingDuration><ActualStartDate>2026-01-05T08:00:00</ActualStartDate><SuspendDate>2026-01-05T08:00:00</SuspendDate>
<ResumeDate>2026-01-06T08:00:00</ResumeDate><ExpectedFinishDate>2026-01-06T08:00:00</ExpectedFinishDate><ExternalEarlyStartDate>2026-01-05T08:00:00</ExternalEarlyStartDate>
<ExternalLateFinishDate>2026-01-06T08:00:00</ExternalLateFinishDate><Code><TypeObjectId>9</TypeObjectId><ValueObjectId>10</ValueObjectId></Code>
<UDF><TypeObjectId>6</TypeObjectId><DoubleValue>12.5</DoubleValue></UDF><UDF><TypeObjectId>99</TypeObjectId><TextValue>?</TextValue></UDF></Activity>
<ActivityNote><ObjectId>2</ObjectId><ActivityObjectId>30</ActivityObjectId><Note>plain &lt; text</Note></ActivityNote>
<ActivityExpense><ObjectId>40</ObjectId><ActivityObjectId>30</ActivityObjectId><CostAccountObjectId>5</CostAccountObjectId><ExpenseItem>Permit</ExpenseItem><Vendor>City</Vendor><PlannedCost>100</PlannedCost><ActualCost>30</ActualCost><RemainingCost>70</RemainingCost></ActivityExpense>
<ResourceAssignment><ObjectId>50</ObjectId><GUID>{H}</GUID><ActivityObjectId>30</ActivityObjectId><ResourceObjectId>20</ResourceObjectId><CostAccountObjectId>5</CostAccountObjectId>
<PlannedUnits>8</PlannedUnits><ActualUnits>2</ActualUnits><RemainingUnits>6</RemainingUnits><PlannedUnitsPerTime>0.5</PlannedUnitsPerTime><PlannedLag>1</PlannedLag>
<PlannedCost>60</PlannedCost><ActualCost>15</ActualCost><RemainingCost>45</RemainingCost><StartDate>2026-01-05T08:00:00</StartDate></ResourceAssignment></Project>
<BaselineProject><ObjectId>2</ObjectId><Id>BR-B1</Id><Name>Bridge - B1</Name><OriginalProjectObjectId>1</OriginalProjectObjectId><DataDate>2026-01-05T08:00:00</DataDate>
<Activity><ObjectId>31</ObjectId><Id>A1</Id><Name>Pour</Name><ProjectObjectId>2</ProjectObjectId><Status>Not Started</Status><PlannedDuration>8</PlannedDuration><StartDate>2026-01-05T08:00:00</StartDate></Activity>
<Activity><ObjectId>32</ObjectId><Id>A9</Id><Name>Gone</Name><ProjectObjectId>2</ProjectObjectId><PlannedDuration>8</PlannedDuration></Activity>
<Relationship><ObjectId>60</ObjectId><PredecessorActivityObjectId>31</PredecessorActivityObjectId><SuccessorActivityObjectId>32</SuccessorActivityObjectId><Type>Start to Start</Type><Lag>2</Lag></Relationship>
</BaselineProject></APIBusinessObjects>`)
	want := content{
		Codes: []planner.Code{
			{ID: "9", Name: "Phase", Of: planner.OfTasks, Scope: planner.EPSCode},
			{ID: "rsrc-9", Name: "Trade", Of: planner.OfResources},
		},
		CodeValues: []planner.CodeValue{
			{ID: "11", CodeID: "9", Name: "A", Color: "#FF0000"},
			{ID: "rsrc-10", CodeID: "rsrc-9", Name: "Mason"},
			{ID: "10", CodeID: "9", ParentID: "11", Name: "B", Description: "Below"},
		},
		UserFields: []planner.UserField{
			{ID: "6", Name: "Volume", Of: planner.OfTasks, Family: planner.NumberField},
			{ID: "7", Name: "Hired", Of: planner.OfResources, Family: planner.StartField},
		},
		Accounts: []planner.Account{{ID: "5", Code: "C.1", Name: "Concrete", Description: "All of it"}},
		Expenses: []planner.Expense{
			{
				ID: "40", TaskID: "30", AccountID: "5", Name: "Permit", Vendor: "City",
				Costs: planner.Costs{Planned: 100, Actual: 30, Remaining: 70},
			},
		},
		Baselines: []planner.Baseline{{
			ID: "2", Code: "BR-B1", Name: "Bridge - B1", ProjectID: "1", Current: true, DataDate: at,
			Tasks: []planner.BaselineTask{
				{ID: "31", TaskID: "30", Code: "A1", Name: "Pour", Start: at, Duration: 8 * hour},
				{ID: "32", Code: "A9", Name: "Gone", Duration: 8 * hour},
			},
			Links: []planner.Link{{ID: "60", PredecessorID: "31", SuccessorID: "32", Type: cpm.StartToStart, Lag: 2 * hour}},
		}},
		Task: planner.Task{
			ID: "30", ExternalID: "{G}", Code: "A1", Name: "Pour", ProjectID: "1", Duration: 16 * hour, Remaining: 12 * hour,
			Planned:     16 * hour,
			ActualStart: at, Suspend: at, Resume: at + worktime.Day, ExpectedFinish: at + worktime.Day, ExternalStart: at,
			ExternalFinish:    at + worktime.Day,
			ResourceCalendars: true, Percent: 7, Physical: 7, PercentOf: planner.OfPhysical,
			Costs:        planner.Costs{Planned: 160, Actual: 45, Remaining: 115},
			CodeValueIDs: []string{"10"}, Values: []planner.Value{{FieldID: "6", Number: 12.5}},
			Notes: []planner.Note{{Text: "plain < text"}},
		},
		Resources: []planner.Resource{{
			ID: "20", Code: "M", Name: "Cement", Type: planner.Material, Email: "m@example.com", Unit: "m3",
			CodeValueIDs: []string{"rsrc-10"},
			Rates:        []planner.Rate{{From: at, Price: 7.5, MaxUnits: 2}, {Table: 2, From: at, Price: 9, MaxUnits: 2}},
			Values:       []planner.Value{{FieldID: "7", Time: at}}, Notes: []planner.Note{{Text: "by rail"}},
		}},
		Assignment: []planner.Assignment{{
			ID: "50", TaskID: "30", ResourceID: "20", ExternalID: "{H}", Units: 8, ActualUnits: 2, RemainingUnits: 6,
			UnitsPerTime: 0.5, Delay: hour,
			Start: at, AccountID: "5", Costs: planner.Costs{Planned: 60, Actual: 15, Remaining: 45},
		}},
		Notes:    []planner.Note{{Topic: "Scope", Text: "One\u00a0way\nto cross"}},
		Warnings: []string{"task 30", "element Role", "user field 8"},
	}
	if diff := cmp.Diff(want, contentOf(p), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestXMLOfMicrosoftProjectHasCodesFieldsRatesAndBaselines(t *testing.T) {
	t.Parallel()
	p := parse(t, mspdi(`<ExtendedAttributes><ExtendedAttribute><FieldID>188743786</FieldID><FieldName>Cost1</FieldName><Alias>Bond</Alias></ExtendedAttribute>
<ExtendedAttribute><FieldID>188776449</FieldID><FieldName>Health</FieldName><CFType>4</CFType></ExtendedAttribute>
<ExtendedAttribute><FieldID>188743783</FieldID><FieldName>Duration1</FieldName></ExtendedAttribute></ExtendedAttributes>
<OutlineCodes><OutlineCode><FieldID>188744096</FieldID><FieldName>Outline Code1</FieldName><Alias>Area</Alias><Values>
<Value><ValueID>2</ValueID><ParentValueID>1</ParentValueID><Value>n</Value></Value><Value><ValueID>1</ValueID><Value>N</Value><Description>North</Description></Value></Values></OutlineCode></OutlineCodes>
<Tasks><Task><UID>4</UID><GUID>G</GUID><WBS>1.2</WBS><Name>Pour</Name><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration><DurationFormat>40</DurationFormat><PercentComplete>25</PercentComplete>
<RemainingDuration>PT6H0M0S</RemainingDuration><ActualStart>2026-01-05T08:00:00</ActualStart><Cost>12345</Cost><ActualCost>345.5</ActualCost><Notes>look out</Notes><Deadline>2026-01-06T08:00:00</Deadline>
<ExtendedAttribute><FieldID>188743786</FieldID><Value>250</Value></ExtendedAttribute><ExtendedAttribute><FieldID>188776449</FieldID><Value>1</Value></ExtendedAttribute>
<ExtendedAttribute><FieldID>188743783</FieldID><Value>PT4H0M0S</Value></ExtendedAttribute><ExtendedAttribute><FieldID>188743734</FieldID><Value>odd</Value></ExtendedAttribute>
<OutlineCode><FieldID>188744096</FieldID><ValueID>2</ValueID></OutlineCode>
<Baseline><Number>0</Number><Start>2026-01-05T08:00:00</Start><Finish>2026-01-06T08:00:00</Finish><Duration>PT8H0M0S</Duration><Work>PT2H30M0S</Work><Cost>100</Cost></Baseline>
<Baseline><Number>10</Number><Start>2026-01-06T08:00:00</Start></Baseline><Baseline><Number>11</Number></Baseline></Task></Tasks>
<Resources><Resource><UID>7</UID><ID>1</ID><Name>Crew</Name><Code>CR</Code><MaxUnits>3</MaxUnits><StandardRate>12.5</StandardRate><CostPerUse>500</CostPerUse></Resource>
<Resource><UID>8</UID><ID>2</ID><Name>Crane</Name><MaxUnits>1</MaxUnits><StandardRate>1</StandardRate><Rates>
<Rate><RatesFrom>2026-01-05T08:00:00</RatesFrom><RatesTo>2049-12-31T23:59:00</RatesTo><RateTable>0</RateTable><StandardRate>90</StandardRate></Rate>
<Rate><RatesFrom>1984-01-01T00:00:00</RatesFrom><RatesTo>2026-01-05T08:00:00</RatesTo><RateTable>0</RateTable><StandardRate>80</StandardRate><OvertimeRate>99</OvertimeRate></Rate></Rates></Resource></Resources>
<Assignments><Assignment><UID>1</UID><TaskUID>4</TaskUID><ResourceUID>7</ResourceUID><Work>PT8H0M0S</Work><ActualWork>PT2H0M0S</ActualWork><RemainingWork>PT6H0M0S</RemainingWork><Units>2</Units><Delay>600</Delay></Assignment>
<Assignment><UID>2</UID><TaskUID>0</TaskUID><ResourceUID>7</ResourceUID></Assignment></Assignments><Views><View/></Views>`))
	base := planner.BaselineTask{ID: "4", TaskID: "4", ExternalID: "G", Code: "1.2", Name: "Pour"}
	first, last := base, base
	first.Start, first.Finish, first.Duration, first.Work, first.Cost, last.Start = at, at+
		worktime.Day, 8*hour, 2.5, 1, at+worktime.Day
	want := content{
		Codes: []planner.Code{
			{
				ID: "188744096", ExternalID: "Outline Code1", Name: "Area", Of: planner.OfTasks,
				Scope: planner.OneProject, ProjectID: "1",
			},
		},
		CodeValues: []planner.CodeValue{
			{ID: "188744096-1", CodeID: "188744096", Name: "N", Description: "North"},
			{ID: "188744096-2", CodeID: "188744096", ParentID: "188744096-1", Name: "n"},
		},
		UserFields: []planner.UserField{
			{ID: "188743786", ExternalID: "Cost1", Name: "Bond", Of: planner.OfTasks, Family: planner.CostField},
			{ID: "188776449", ExternalID: "Health", Name: "Health", Of: planner.OfTasks, Family: planner.FlagField},
			{ID: "188743783", ExternalID: "Duration1", Name: "Duration1", Of: planner.OfTasks, Family: planner.DurationField},
			{ID: "188743734", Name: "188743734", Of: planner.OfTasks, Family: planner.TextField},
		},
		Baselines: []planner.Baseline{
			{ID: "0", Name: "Baseline 0", ProjectID: "1", Current: true, Tasks: []planner.BaselineTask{first}},
			{ID: "10", Name: "Baseline 10", ProjectID: "1", Tasks: []planner.BaselineTask{last}},
		},
		Task: planner.Task{
			ID: "4", ExternalID: "G", Code: "1.2", Name: "Pour", ProjectID: "1", Duration: 8 * hour, Remaining: 6 * hour,
			Planned: 8 * hour, Elapsed: true,
			ActualStart: at, Deadline: at + worktime.Day, ResourceCalendars: true, Percent: 25,
			Costs:        planner.Costs{Planned: 123.45, Actual: 3.455},
			CodeValueIDs: []string{"188744096-2"}, Notes: []planner.Note{{Text: "look out"}},
			Values: []planner.Value{
				{FieldID: "188743786", Number: 2.5},
				{FieldID: "188776449", Flag: true},
				{FieldID: "188743783", Number: 4 * hour},
				{FieldID: "188743734", Text: "odd"},
			},
		},
		Resources: []planner.Resource{
			{
				ID: "7", Code: "CR", Name: "Crew", Type: planner.Human,
				Rates: []planner.Rate{{Price: 12.5, PerUse: 5, MaxUnits: 3}},
			},
			{
				ID: "8", Code: "2", Name: "Crane", Type: planner.Human,
				Rates: []planner.Rate{{To: at, Price: 80, Overtime: 99, MaxUnits: 1}, {From: at, Price: 90, MaxUnits: 1}},
			},
		},
		Assignment: []planner.Assignment{
			{ID: "1", TaskID: "4", ResourceID: "7", Units: 8, ActualUnits: 2, RemainingUnits: 6, UnitsPerTime: 2, Delay: hour},
		},
		Warnings: []string{"task 4", "assignment 2", "element Views", "project 1"},
	}
	if diff := cmp.Diff(want, contentOf(p), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// wide is a text in UTF-16 with its mark.
func wide(text string, order binary.AppendByteOrder) string {
	b := order.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func TestFilesAreReadInAnyEncoding(t *testing.T) {
	t.Parallel()
	task := xer("%T|TASK\n%F|task_id|proj_id|task_name\n%R|1|p|Задача 🚧\n%E\n")
	project := strings.TrimPrefix(
		mspdi(
			"<Tasks><Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Name>Задача 🚧</Name><Duration>PT8H0M0S</Duration></Task></Tasks>",
		),
		"\xEF\xBB\xBF",
	)
	for name, text := range map[string]string{
		"XER with a mark":        "\xEF\xBB\xBF" + task,
		"XER, little end first":  wide(task, binary.LittleEndian),
		"XER, big end first":     wide(task, binary.BigEndian),
		"XML, little end first":  wide(strings.Replace(project, "UTF-8", "UTF-16", 1), binary.LittleEndian),
		"XML without a prolog":   project[strings.Index(project, "<Project"):],
		"XML behind white space": "\n " + project[strings.Index(project, "<Project"):],
	} {
		p := parse(t, text)
		if got := p.Tasks[len(p.Tasks)-1].Name; got != "Задача 🚧" {
			t.Errorf("%s: %q", name, got)
		}
	}
	page := strings.Replace(project, "UTF-8", "windows-1251", 1)
	if p := parse(t, strings.Replace(page, "Задача 🚧", "\xc7\xe0\xe4\xe0\xf7\xe0", 1)); p.Tasks[0].Name != "Задача" {
		t.Errorf("in a code page: %q", p.Tasks[0].Name)
	}
}

func TestAnXERIsReadWithAllItsQuirks(t *testing.T) {
	t.Parallel()
	// A calendar as P6 pads it, decimals with commas, rows that are short, memos that
	// begin with a mark and continue in other lines, fields in another order.
	p := parse(t, strings.NewReplacer("|", "\t", "¦", "|", "·", "\x7f").Replace(`ERMHDR|23.12
%T|CURRTYPE
%F|curr_id|decimal_symbol
%R|1|,
%T|CALENDAR
%F|clndr_data|clndr_name|clndr_id
%R|(0¦¦CalendarData()(··  (0¦¦DaysOfWeek()(··    (0¦¦2()(··      (0¦¦0(f¦12:00¦s¦8:00)())··      (0¦¦1(s¦16:00¦f¦00:00)())))··  ))··  (0¦¦VIEW(ShowTotal¦Y)())··  (0¦¦Exceptions()()))))|Day|c
%T|PROJECT
%F|proj_id|proj_short_name|clndr_id|plan_start_date
%R|p|Bridge|c|2026-01-05 08:00
%T|UDFVALUE
%F|udf_type_id|fk_id|udf_text|udf_number|udf_date
%R|1|7|||2026-01-05 08:00
%R|2|7||1,5
%R|3|7|red
%T|UDFTYPE
%F|udf_type_id|table_name|udf_type_label|logical_data_type
%R|1|TASK|Until|FT_END_DATE
%R|2|TASK|Volume|FT_FLOAT_2_DECIMALS
%R|3|TASK|Light|FT_STATICTYPE
%T|MEMOTYPE
%F|memo_type_id|memo_type
%R|1|Scope
%T|TASKMEMO
%F|memo_id|task_id|memo_type_id|proj_id|task_memo
%R|1|7|1|p|`+"\xEF\xBB\xBF"+`<HTML><HEAD><STYLE>p {}</STYLE></HEAD><BODY><P>Mind ""it"":</P>··a &lt; b
</BODY></HTML>
%T|ACTVTYPE
%F|actv_code_type_id|actv_code_type|actv_code_type_scope|proj_id
%R|1|Phase|AS_Project|p
%T|ACTVCODE
%F|actv_code_id|actv_code_type_id|short_name|actv_code_name
%R|1|1|B|Build
%T|TASKACTV
%F|task_id|actv_code_type_id|actv_code_id|proj_id
%R|7|1|1|p
%R|7|1|9|p
%T|TASK
%F|task_id|proj_id|clndr_id|task_code|target_drtn_hr_cnt|remain_drtn_hr_cnt|status_code|task_type
%R|7|p|c|A1|1.234,5|1.234,5|TK_NotStart|TT_Task
%E
`))
	c := contentOf(p)
	want := content{
		Codes:      []planner.Code{{ID: "1", Name: "Phase", Of: planner.OfTasks, Scope: planner.OneProject, ProjectID: "p"}},
		CodeValues: []planner.CodeValue{{ID: "1", CodeID: "1", Name: "B", Description: "Build"}},
		UserFields: []planner.UserField{
			{ID: "1", Name: "Until", Of: planner.OfTasks, Family: planner.FinishField},
			{ID: "2", Name: "Volume", Of: planner.OfTasks, Family: planner.NumberField},
			{ID: "3", Name: "Light", Of: planner.OfTasks, Family: planner.IndicatorField},
		},
		Task: planner.Task{
			ID: "7", Code: "A1", ProjectID: "p", CalendarID: "c", Duration: 1234*hour + hour/2, Remaining: 1234*hour + hour/2,
			Planned:      1234*hour + hour/2,
			CodeValueIDs: []string{"1"}, Notes: []planner.Note{{Topic: "Scope", Text: "Mind \"it\":\na < b"}},
			Values: []planner.Value{{FieldID: "1", Time: at}, {FieldID: "2", Number: 1.5}, {FieldID: "3", Text: "red"}},
		},
		Warnings: []string{"task 7"},
	}
	if diff := cmp.Diff(want, c, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	week := worktime.Week{time.Monday: {{From: 8 * hour, To: 12 * hour}, {From: 16 * hour, To: 24 * hour}}}
	if diff := cmp.Diff(week, p.Calendars[0].Week); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	q, _ := written(t, p, planner.XER, planner.Options{})
	if diff := cmp.Diff(p, q, withoutWarnings); diff != "" {
		t.Errorf("written: (-want +got)\n%s", diff)
	}
}

func TestAProjectThatAnotherOneHasAsItsBaselineIsOne(t *testing.T) {
	t.Parallel()
	p := parse(t, strings.ReplaceAll(`ERMHDR|20.12
%T|PROJECT
%F|proj_id|proj_short_name|plan_start_date|sum_base_proj_id|orig_proj_id
%R|1|Bridge|2026-01-05 08:00|2|
%R|2|Bridge - B1|2026-01-05 08:00||1
%T|TASK
%F|task_id|proj_id|task_code|target_drtn_hr_cnt|remain_drtn_hr_cnt|status_code|target_start_date
%R|11|1|A1|16|16|TK_NotStart|2026-01-05 08:00
%R|21|2|A1|8|8|TK_NotStart|2026-01-05 08:00
%T|TASKPRED
%F|task_pred_id|task_id|pred_task_id|pred_type
%R|1|11|21|PR_FS
%E
`, "|", "\t"))
	want := []planner.Baseline{
		{
			ID: "2", Code: "Bridge - B1", Name: "Bridge - B1", ProjectID: "1", Current: true,
			Tasks: []planner.BaselineTask{{ID: "21", TaskID: "11", Code: "A1", Start: at, Duration: 8 * hour}},
		},
	}
	if diff := cmp.Diff(want, p.Baselines); diff != "" || len(p.Projects) != 1 || len(p.Tasks) != 1 ||
		len(p.Warnings) != 1 {
		t.Errorf("%d projects, %d tasks, %v (-want +got)\n%s", len(p.Projects), len(p.Tasks), p.Warnings, diff)
	}
}

func TestWeeksOfOtherHoursHoldForTheirTime(t *testing.T) {
	t.Parallel()
	calendar := strings.Replace(mspdiCalendar(1, -1, 2, 3, 4, 5, 6), "</WeekDays>", `</WeekDays><WorkWeeks><WorkWeek>
<TimePeriod><FromDate>2026-01-05T00:00:00</FromDate><ToDate>2026-01-11T23:59:00</ToDate></TimePeriod><Name>Fair</Name>
<WeekDays><WeekDay><DayType>2</DayType><DayWorking>0</DayWorking></WeekDay></WeekDays></WorkWeek></WorkWeeks>`, 1)
	got := finish(
		t,
		mspdi(
			"<Calendars>"+calendar+
				"</Calendars><Tasks><Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Duration>PT4H0M0S</Duration></Task></Tasks>",
		),
	)
	if want := worktime.Date(2026, time.January, 6, 12, 0, 0); got != want {
		t.Errorf("it ends %v, want %v", got, want)
	}
}

func TestTimesAndSpansAreReadAsSeveralToolsWriteThem(t *testing.T) {
	t.Parallel()
	for span, want := range map[string]int64{
		"PT8H0M0S": 8 * hour, "PT8H": 8 * hour, "P0Y0M1DT2H30M0.000S": 26*hour + hour/2, "PT0.5H0M0S": hour / 2,
		"P1D": 24 * hour, "PT90M": 90 * 60, "PT0S": 0,
	} {
		p := parse(
			t,
			mspdi("<Tasks><Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Duration>"+span+"</Duration></Task></Tasks>"),
		)
		if got := p.Tasks[0].Duration; got != want {
			t.Errorf("%s is read as %d, want %d", span, got, want)
		}
	}
	for text, want := range map[string]worktime.Time{
		"2026-01-05T08:00:00": at, "2026-01-05T08:00:00Z": at, "2026-01-05T08:00:00.000": at,
		"2026-01-05T08:00:00+01:00": at, "2026-01-05": at - 8*hour, "NA": 0, "": 0,
	} {
		p := parse(t, mspdi("<Tasks><Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Start>"+text+"</Start></Task></Tasks>"))
		if got := p.Tasks[0].File.Start; got != want {
			t.Errorf("%q is read as %v, want %v", text, got, want)
		}
	}
}
