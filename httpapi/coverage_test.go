package httpapi_test

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// caller sends requests as one caller.
type caller struct {
	t    *testing.T
	h    http.Handler
	name string
}

// expect sends a request and holds the answer to a status and to texts that it
// contains.
func (c caller) expect(status int, method, target, body string, contains ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	w := ask(c.h, method, target, body, "Authorization: Bearer "+c.name)
	checkAnswer(c.t, w)
	if w.Code != status {
		c.t.Errorf("%s %s %.200s: %d, want %d: %.500s", method, target, body, w.Code, status, w.Body)
	}
	for _, text := range contains {
		if !strings.Contains(w.Body.String(), text) {
			c.t.Errorf("%s %s %.200s: %q is not in %.1000s", method, target, body, text, w.Body)
		}
	}
	return w
}

func quoted(name, value string) string { return fmt.Sprintf("%q:%q", name, value) }

// covers: Baseline task link (S2): rule a negative lag carries a minus sign
// covers: Resource types: values Material Location Equipment Human Unknown
// covers: Resource unit types: values CubicFeet CubicMeter Liter Millimeter Meter Feet Each Pair Dozen Gross SqFoot SqYard
// covers: Resource unit types: values SqMeter Pound Gram Kilo Bag Box Bucket Bundle Card Carton Coil Pack Pegs Length Outer
// covers: Resource unit types: values Pallet Roll Sachet Set Sheet Ton Person Item CubicYard MetricTon Hour LinearMeter
// covers: Resource unit types: value Unknown
// covers: Appearance actions and growth modes: values Install Maintain Remove Neutral Temporary None BottomTop LeftRight
// covers: Appearance actions and growth modes: values RightLeft FrontBack Custom
// covers: Code categories: values Activity Resource ResourceGroup Cost
// covers: Path alignments: values Center Custom Original MinX MinY MinZ MaxX MaxY MaxZ
// covers: User field categories and types: values Task Entity3d Resource ResourceGroup Unknown Integer String StartDate
// covers: User field categories and types: values FinishDate Boolean Float
// covers: Task link types: values FinishToStart StartToFinish StartToStart FinishToFinish Unknown
// covers: Members of a synchronizer: fields projects.id projects.userDefinedId warnings.message
// covers: Synchronization types: values Import Export SynchronizeFrom SynchronizeTo Unknown
// covers: Task types: values Work StartKeyDate FinishKeyDate ShortHammock LongHammock Rfi ChangeOrder Testing Delivery Meeting
// covers: Task types: values Rework Design Maintenance Manufacture Storage Purchase Receive Delay WeatherDelay Unknown
// covers: Value properties (S1, S12): fields dateValue floatValue intValue stringValue
func TestDocumentedValuesOfSchedules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := caller{t, w.handler, "writer"}
	for typ := range strings.FieldsSeq("Material Location Equipment Human Unknown") {
		c.expect(201, "POST", "/schedules/plan/resources", `{"name":"r","type":"`+typ+`"}`, quoted("type", typ))
	}
	for unit := range strings.FieldsSeq(`CubicFeet CubicMeter Liter Millimeter Meter Feet Each Pair Dozen Gross SqFoot SqYard SqMeter Pound Gram Kilo Bag Box
		Bucket Bundle Card Carton Coil Pack Pegs Length Outer Pallet Roll Sachet Set Sheet Ton Person Item CubicYard MetricTon Hour LinearMeter Unknown`) {
		c.expect(201, "POST", "/schedules/plan/resources", `{"name":"r","type":"Location","unitType":"`+unit+`"}`, quoted("unitType", unit))
	}
	for i, typ := range strings.Fields("FinishToStart StartToFinish StartToStart FinishToFinish Unknown") {
		c.expect(200, "POST", "/schedules/plan/task-links/batch", `{"batch":[{"predecessorId":"dig","successorId":"roof","lag":-`+fmt.Sprint(i+1)+`,"type":"`+typ+`"}]}`,
			quoted("type", typ), `"lag":-`+fmt.Sprint(i+1))
	}
	for typ := range strings.FieldsSeq(`Work StartKeyDate FinishKeyDate ShortHammock LongHammock Rfi ChangeOrder Testing Delivery Meeting Rework Design
		Maintenance Manufacture Storage Purchase Receive Delay WeatherDelay Unknown`) {
		c.expect(202, "POST", "/schedules/plan/tasks", `{"id":"of `+typ+`","name":"n","type":"`+typ+`"}`)
		c.expect(200, "GET", "/schedules/plan/tasks/of%20"+typ, "", quoted("type", typ))
	}
	values := map[string]string{
		"Integer": `"intValue":7`, "String": `"stringValue":"s"`, "StartDate": `"dateValue":"2026-01-05T09:00:00Z"`,
		"FinishDate": `"dateValue":"2026-01-05T09:00:00Z"`, "Boolean": `"boolValue":true`, "Float": `"floatValue":1.5`, "Unknown": "",
	}
	for category := range strings.FieldsSeq("Task Entity3d Resource ResourceGroup Unknown") {
		for typ, value := range values {
			id := category + "-" + typ
			schedule := "plan"
			if category == "Entity3d" {
				schedule = "old"
			}
			c.expect(201, "POST", "/schedules/"+schedule+"/user-fields", `{"id":"`+id+`","name":"f","color":"#123456","category":"`+category+`","type":"`+typ+`"}`,
				quoted("category", category), quoted("type", typ))
			switch {
			case value == "":
			case category == "Resource":
				c.expect(200, "POST", "/schedules/plan/resources/user-field-values", `{"resourceId":"crane","userFieldId":"`+id+`",`+value+`}`, quoted("userFieldId", id))
			case category == "Entity3d":
				c.expect(202, "POST", "/schedules/old/entities-3d/user-field-values", `{"entity3dId":"wall","userFieldId":"`+id+`",`+value+`}`)
			}
		}
	}
	for action := range strings.FieldsSeq("Install Maintain Remove Neutral Temporary") {
		for mode := range strings.FieldsSeq("None BottomTop LeftRight RightLeft FrontBack Custom") {
			c.expect(202, "POST", "/schedules/plan/appearance-profiles", `{"id":"`+action+mode+`","name":"p","action":"`+action+`","activeAppearance":{"growthSimulation":{"mode":"`+mode+`"}}}`)
			c.expect(200, "GET", "/schedules/plan/appearance-profiles/"+action+mode, "", quoted("action", action), quoted("mode", mode))
		}
	}
	for category := range strings.FieldsSeq("Activity Resource ResourceGroup Cost") {
		c.expect(202, "POST", "/schedules/plan/codes", `{"id":"`+category+`","name":"c","category":"`+category+`"}`)
		c.expect(200, "GET", "/schedules/plan/codes/"+category, "", quoted("category", category))
	}
	for property, operations := range map[string]string{
		`"taskName":{"values":["a"],`: "Equals NotEquals Contains StartsWith EndsWith NotContains NotStartsWith NotEndsWith EqualsCaseInsensitive NotEqualsCaseInsensitive " +
			"ContainsCaseInsensitive StartsWithCaseInsensitive EndsWithCaseInsensitive NotContainsCaseInsensitive NotStartsWithCaseInsensitive NotEndsWithCaseInsensitive",
		`"taskPercentComplete":{"values":[5],`:                   "Equals NotEquals More Less MoreOrEqual LessOrEqual",
		`"taskPlannedStart":{"values":["2026-01-05T09:00:00Z"],`: "Equals NotEquals More Less MoreOrEqual LessOrEqual",
		`"taskType":{"values":["Work"],`:                         "Equals NotEquals",
		`"taskIsWbs":{"values":[true],`:                          "Equals NotEquals",
	} {
		for operation := range strings.FieldsSeq(operations) {
			c.expect(201, "POST", "/schedules/plan/task-query-filters", `{"name":"f",`+property+`"operation":"`+operation+`"}}`, quoted("operation", operation))
		}
	}
	c.expect(200, "PATCH", "/schedules/plan/project-scheduling", `{"type":"Manual"}`, quoted("dataDateType", "Manual"))
	for kind, blocks := range map[string]string{"NonWorking": "", "Normal": `{"startTime":"09:00","endTime":"17:00"}`} {
		c.expect(202, "POST", "/schedules/plan/calendars", `{"id":"`+kind+`","name":"c","parentId":"week","dayTypes":[{"id":"d","type":"`+kind+`","timeBlocks":[`+blocks+`]}],"week":{"fridayDayTypeId":"d"}}`)
		c.expect(200, "GET", "/schedules/plan/calendars/"+kind, "", quoted("type", kind))
	}
	for alignment := range strings.FieldsSeq("Center Custom Original MinX MinY MinZ MaxX MaxY MaxZ") {
		c.expect(201, "POST", "/schedules/plan/animation-3d-path-assignments", `{"pathId":"round","alignment":"`+alignment+`"}`, quoted("alignment", alignment))
	}
	for typ := range strings.FieldsSeq("Import Export SynchronizeFrom SynchronizeTo Unknown") {
		id := "of-" + typ
		must[synchronizers.Synchronizer](t)(synchronizers.In(w.schedules.In("plan")).CreateSynchronizer(t.Context(), synchronizers.Synchronizer{
			ID: id, SynchronizerName: "n", SynchronizationType: synchronizers.SynchronizationType(typ), Projects: []synchronizers.PlannerProject{{ID: "p1", UserDefinedID: "P"}},
			SynchronizationDetails: synchronizers.SynchronizationDetails{Warnings: []synchronizers.SynchronizationWarning{{Message: "no calendar"}}},
		}))
		c.expect(200, "GET", "/schedules/plan/imports/planner/synchronizers/"+id, "",
			quoted("synchronizationType", typ), `"projects":[{"id":"p1","userDefinedId":"P"}]`, `"warnings":[{"message":"no calendar"}]`)
	}
}

// covers: Task as requested (S11): rule plannedDuration changes only while the task is Planned
func TestPlannedDurationOverHTTP(t *testing.T) {
	t.Parallel()
	c := caller{t, newWorld(t).handler, "writer"}
	c.expect(200, "PATCH", "/schedules/plan/tasks/dig", `{"plannedDuration":7200}`, `"plannedDuration":7200`)
	c.expect(200, "PATCH", "/schedules/plan/tasks/dig", `{"status":"Started"}`, quoted("status", "Started"))
	c.expect(400, "PATCH", "/schedules/plan/tasks/dig", `{"plannedDuration":3600}`, `"InvalidValue"`, quoted("target", "plannedDuration"))
}

// covers: Task as requested (S11): limit comment: 1000 characters
// covers: Conventions: limit $top: 100 when not given
// covers: Conventions: limit $top: at most 10000
func TestLimitsOfSchedules(t *testing.T) {
	t.Parallel()
	c := caller{t, newWorld(t).handler, "writer"}
	comment := func(n int) string { return `{"name":"n","type":"Work","comment":"` + strings.Repeat("ü", n) + `"}` }
	c.expect(202, "POST", "/schedules/plan/tasks", comment(1000))
	c.expect(400, "POST", "/schedules/plan/tasks", comment(1001), quoted("target", "comment"))
	batch := make([]string, 120)
	for i := range batch {
		batch[i] = `{"name":"n","type":"Work"}`
	}
	c.expect(200, "POST", "/schedules/plan/tasks/batch", `{"batch":[`+strings.Join(batch, ",")+`]}`)
	count := func(target string) int {
		var page struct {
			Tasks []stdjson.RawMessage `json:"tasks"`
		}
		if err := stdjson.Unmarshal(c.expect(200, "GET", target, "").Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		return len(page.Tasks)
	}
	if n := count("/schedules/plan/tasks"); n != 100 {
		t.Errorf("a page that names no size has %d tasks", n)
	}
	if n := count("/schedules/plan/tasks?$top=10000"); n != 125 {
		t.Errorf("the largest page has %d tasks", n)
	}
	c.expect(400, "GET", "/schedules/plan/tasks?$top=10001", "", `"InvalidValue"`, quoted("target", "$top"))
}

// covers: Task types: rule FinishKeyDate has no start and no duration
// covers: Task types: rule ShortHammock spans the shortest duration between its neighbours
// covers: Task types: rule LongHammock spans the longest such duration
func TestMilestonesAndHammocksOverHTTP(t *testing.T) {
	t.Parallel()
	c := caller{t, newWorld(t).handler, "writer"}
	const tasks = "/schedules/plan/tasks"
	c.expect(400, "POST", tasks, `{"name":"n","type":"FinishKeyDate","plannedStart":"2026-01-05T09:00:00Z"}`, quoted("target", "plannedStart"))
	c.expect(400, "POST", tasks, `{"name":"n","type":"FinishKeyDate","plannedDuration":3600}`, quoted("target", "plannedDuration"))
	c.expect(400, "POST", tasks, `{"name":"n","type":"StartKeyDate","plannedDuration":3600}`, quoted("target", "plannedDuration"))
	for id, start := range map[string]string{"early": "2026-02-02T00:00:00Z", "late": "2026-02-03T00:00:00Z", "soon": "2026-02-05T00:00:00Z", "end": "2026-02-09T00:00:00Z"} {
		c.expect(202, "POST", tasks, `{"id":"`+id+`","name":"n","type":"Work","plannedStart":"`+start+`","plannedDuration":0}`)
	}
	for id, typ := range map[string]string{"short": "ShortHammock", "long": "LongHammock"} {
		c.expect(202, "POST", tasks, `{"id":"`+id+`","name":"n","type":"`+typ+`"}`)
		var links []string
		for _, before := range []string{"early", "late"} {
			links = append(links, `{"predecessorId":"`+before+`","successorId":"`+id+`","type":"FinishToStart"}`)
		}
		for _, after := range []string{"soon", "end"} {
			links = append(links, `{"predecessorId":"`+id+`","successorId":"`+after+`","type":"FinishToStart"}`)
		}
		c.expect(200, "POST", "/schedules/plan/task-links/batch", `{"batch":[`+strings.Join(links, ",")+`]}`)
	}
	c.expect(200, "GET", tasks+"/short", "", quoted("plannedStart", "2026-02-03T00:00:00Z"), quoted("plannedFinish", "2026-02-05T00:00:00Z"))
	c.expect(200, "GET", tasks+"/long", "", quoted("plannedStart", "2026-02-02T00:00:00Z"), quoted("plannedFinish", "2026-02-09T00:00:00Z"))
	c.expect(400, "PATCH", tasks+"/long", `{"plannedStart":"2026-02-03T00:00:00Z"}`, quoted("target", "plannedStart"))
}

// covers: Form data representation: field storageFile.fileId
// covers: Form data representation: field storageFile.folderId
// covers: Form data representation: field storageFile.fileName
// covers: Form data representation: field modelElement.modelId
// covers: Form data representation: field modelElement.elementId
// covers: Form data representation: field modelElement.changeSetId
// covers: Form data representation: field modelElement.modelName
// covers: Form data representation: field cameraView.viewToWorldScale
// covers: Form data representation: field cameraView.fieldOfView
// covers: Form data representation: rule one of viewToWorldScale and fieldOfView
// covers: States of forms: value Open
// covers: States of forms: value Closed
// covers: States of forms: value Draft
// covers: Form definition values: rule without idPrefix the prefix follows the type
// covers: Form definition values: state Draft: layout editable, cannot be filled out
// covers: Form definition values: state Maintenance: layout editable, cannot be filled out
// covers: Form definition values: state Approved: filled out, layout not editable
// covers: Form definition values: state Archived: neither
// covers: Form definition values: values Draft Approved Maintenance Archived ReadOnly ReadWrite
func TestDocumentedValuesOfForms(t *testing.T) {
	t.Parallel()
	c := caller{t, formsWorld(t), "owner"}
	for status := range strings.FieldsSeq("Draft Approved Maintenance Archived") {
		c.expect(201, "POST", "/forms/formDefinitions", `{"twinId":"`+towerID+`","displayName":"x","type":"RFI","status":"`+status+`"}`, quoted("status", status))
		c.expect(200, "PATCH", "/issues/formDefinitions/inspection", `{"status":"`+status+`"}`, quoted("status", status))
		want, code := 201, quoted("formId", "inspection")
		if status != "Approved" {
			want, code = 422, quoted("target", "formId")
		}
		c.expect(want, "POST", "/forms/", `{"formId":"inspection"}`, code)
	}
	for share := range strings.FieldsSeq("ReadOnly ReadWrite") {
		c.expect(201, "POST", "/forms/formDefinitions", `{"twinId":"`+towerID+`","displayName":"x","type":"RFI","shareType":"`+share+`"}`, quoted("shareType", share))
	}
	c.expect(201, "POST", "/forms/", `{"formId":"rfi"}`, `"number":"RFI-`)
	for status, state := range map[string]string{"Draft": "Draft", "Open": "Open", "Closed": "Closed"} {
		c.expect(201, "POST", "/forms/", `{"formId":"rfi","status":"`+status+`"}`, quoted("state", state))
		c.expect(200, "GET", "/forms/?twinId="+towerID+"&state="+state, "", quoted("state", state))
	}
	c.expect(201, "POST", "/forms/", `{"formId":"rfi","sourceEntity":{"storageFile":{"fileId":"f1","folderId":"d1","fileName":"plan.dgn"}}}`,
		quoted("fileId", "f1"), quoted("folderId", "d1"), quoted("fileName", "plan.dgn"))
	c.expect(201, "POST", "/forms/", `{"formId":"rfi","sourceEntity":{"modelElement":{"modelId":"m1","elementId":"0x1 0x2","changeSetId":"c1","modelName":"M"}}}`,
		quoted("modelId", "m1"), quoted("elementId", "0x1 0x2"), quoted("changeSetId", "c1"), quoted("modelName", "M"))
	const camera = `"viewPoint":{"x":1,"y":2,"z":3},"direction":{"x":0,"y":1,"z":0},"up":{"x":0,"y":0,"z":1}`
	view := func(scale string) string {
		return `{"formId":"rfi","modelView":{"cameraView":{` + camera + `,` + scale + `}}}`
	}
	c.expect(201, "POST", "/forms/", view(`"viewToWorldScale":2.5`), `"viewToWorldScale":2.5`)
	c.expect(201, "POST", "/forms/", view(`"fieldOfView":45`), `"fieldOfView":45`)
	c.expect(422, "POST", "/forms/", view(`"fieldOfView":45,"viewToWorldScale":2.5`), `"InvalidValue"`, "cameraView")
}

// covers: F1: limit $top: default and maximum 50
// covers: Form definition values: limit idPrefix: 25 characters
func TestLimitsOfForms(t *testing.T) {
	t.Parallel()
	c := caller{t, formsWorld(t), "owner"}
	c.expect(200, "PATCH", "/issues/formDefinitions/inspection", `{"idPrefix":"`+strings.Repeat("x", 25)+`"}`, strings.Repeat("x", 25))
	c.expect(422, "PATCH", "/issues/formDefinitions/inspection", `{"idPrefix":"`+strings.Repeat("x", 26)+`"}`, quoted("target", "idPrefix"))
	for range 55 {
		c.expect(201, "POST", "/forms/", `{"formId":"rfi"}`)
	}
	list := "/forms/?twinId=" + towerID
	for _, target := range []string{list, list + "&$top=50"} {
		if n := strings.Count(c.expect(200, "GET", target, "").Body.String(), `"state":`); n != 50 {
			t.Errorf("%s has %d forms", target, n)
		}
	}
	c.expect(422, "GET", list+"&$top=51", "", quoted("target", "$top"))
}

// covers: Form definition values: value None
// covers: Form definition values: value Warning
// covers: Form definition values: value Error
// covers: Form definition values: value Critical
// covers: Form definition values: value Unknown
func TestDocumentedErrorStatuses(t *testing.T) {
	t.Parallel()
	svc := forms.New(memory.New(), forms.Config{Twins: twins{towerID: "acme"}})
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"admin": {ID: "a", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}},
		}),
		Forms: svc, BaseURL: "https://api.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := svc.CreateFormDefinition(t.Context(), forms.NewFormDefinition{TwinID: towerID, DisplayName: "x", Type: "RFI"})
	if err != nil {
		t.Fatal(err)
	}
	for status := range strings.FieldsSeq("None Warning Error Critical Unknown") {
		if err := svc.SetLayout(t.Context(), res.Value().ID, forms.Layout{Definition: "{}", ErrorStatus: forms.ErrorStatus(status)}); err != nil {
			t.Fatal(err)
		}
		caller{t, h, "admin"}.expect(200, "GET", "/forms/formDefinitions/"+res.Value().ID, "", quoted("errorStatus", status))
	}
}

// modelGrants are permissions on single models.
type modelGrants map[string]string

func (g modelGrants) AllowedOnModel(_ context.Context, p twinplatform.Principal, permission string, _ twinplatform.Target, modelID string) (bool, error) {
	return p.ID == "ann" && g[modelID] == permission, nil
}

// covers: T1 as requested: permission the same on the models
func TestGrantsOnSingleModels(t *testing.T) {
	t.Parallel()
	svc := transform.New(memory.New(), transform.Config{
		Twins: worldTwins, ModelPermissions: modelGrants{"source": transform.PermissionModelsRead, "target": transform.PermissionModelsWrite},
	})
	for id, twinID := range map[string]string{"source": "tower", "target": "bridge"} {
		must[models.Model](t)(svc.Models().CreateModel(t.Context(), models.NewModel{ID: id, TwinID: twinID, DisplayName: "x"}))
	}
	must[models.SavedView](t)(svc.Models().CreateSavedView(t.Context(), models.NewSavedView{ID: "shared", ModelID: "source", DisplayName: "x", Shared: true}))
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"ann": {ID: "ann", AccountID: "acme", Scopes: me.Scopes}, "bob": {ID: "bob", AccountID: "acme", Scopes: me.Scopes},
		}),
		Transform: svc, BaseURL: "https://api.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(t1Body, "annex", "bridge", 1)
	caller{t, h, "bob"}.expect(404, "POST", "/transformations/configurations/filterbysavedview", body, `"ModelNotFound"`)
	ann := caller{t, h, "ann"}
	at := ann.expect(201, "POST", "/transformations/configurations/filterbysavedview", body).Header().Get("Location")
	ann.expect(200, "GET", at, "")
	caller{t, h, "bob"}.expect(404, "GET", at, "")
	ann.expect(204, "DELETE", at, "")
}

// covers: Detector: value PhotoObjectDetector
// covers: Detector: value PhotoSegmentationDetector
// covers: Detector: value OrthophotoSegmentationDetector
// covers: Detector: value PointCloudSegmentationDetector
// covers: Classifications and types: values Terrain Imagery Pinned Model Undefined 3MX PointCloud RealityMesh3DTiles LAS
func TestDocumentedValuesOfRealityData(t *testing.T) {
	t.Parallel()
	c := caller{t, newDataWorld(t), "writer"}
	for classification := range strings.FieldsSeq("Terrain Imagery Pinned Model Undefined") {
		c.expect(201, "POST", "/reality-management/reality-data", `{"twinId":"tower","displayName":"x","type":"LAS","classification":"`+classification+`"}`, quoted("classification", classification))
	}
	types := append(realitydata.ReservedTypes(), strings.Fields("3MX PointCloud RealityMesh3DTiles LAS")...)
	for _, typ := range append(types, "Another format") {
		c.expect(201, "POST", "/reality-management/reality-data", `{"twinId":"tower","displayName":"x","type":"`+typ+`"}`, quoted("type", typ))
	}
	for typ := range strings.FieldsSeq("PhotoObjectDetector PhotoSegmentationDetector OrthophotoSegmentationDetector PointCloudSegmentationDetector") {
		c.expect(201, "POST", "/reality-analysis/detectors", `{"name":"of `+typ+`","type":"`+typ+`"}`, quoted("type", typ))
	}
}

// covers: Limits of reality data: limit a tag: 60 characters
func TestLimitsOfRealityData(t *testing.T) {
	t.Parallel()
	c := caller{t, newDataWorld(t), "writer"}
	create := func(status int, rest string, contains ...string) {
		t.Helper()
		c.expect(status, "POST", "/reality-management/reality-data", `{"twinId":"tower","displayName":"x","type":"LAS",`+rest+`}`, contains...)
	}
	create(201, `"tags":["`+strings.Repeat("Ü", 60)+`"]`, strings.Repeat("ü", 60))
	create(422, `"tags":["`+strings.Repeat("Ü", 61)+`"]`, quoted("target", "tags"))
	create(201, `"extent":{"southWest":{"latitude":-90,"longitude":-180},"northEast":{"latitude":90,"longitude":180}}`)
	for _, value := range []string{"-90.000001", "90.000001", "1e300"} {
		create(422, `"extent":{"southWest":{"latitude":0,"longitude":0},"northEast":{"latitude":`+value+`,"longitude":0}}`, quoted("target", "extent.northEast.latitude"))
	}
	for _, value := range []string{"-180.000001", "180.000001"} {
		create(422, `"extent":{"southWest":{"latitude":0,"longitude":`+value+`},"northEast":{"latitude":0,"longitude":0}}`, quoted("target", "extent.southWest.longitude"))
	}
}

// covers: Values of twins: value East US
// covers: Values of twins: value North Europe
// covers: Values of twins: value West Europe
// covers: Values of twins: value Southeast Asia
// covers: Values of twins: value Australia East
// covers: Values of twins: value UK South
// covers: Values of twins: value Canada Central
// covers: Values of twins: value Central India
// covers: Values of twins: value Japan East
// covers: Values of twins: values Account Thing Endeavor Portfolio Asset Program Project WorkPackage Active Inactive Trial
func TestDocumentedValuesOfTwins(t *testing.T) {
	t.Parallel()
	c := caller{t, newTwinsWorld(t), "admin"}
	n := 0
	create := func(property, value, with string) {
		t.Helper()
		n++
		c.expect(201, "POST", "/twins", fmt.Sprintf(`{"displayName":"x%d","number":"x%d",%s%s}`, n, n, quoted(property, value), with), quoted(property, value))
	}
	for _, class := range []string{"Thing", "Endeavor"} {
		create("class", class, "")
	}
	for subClass, class := range map[string]string{
		"Portfolio": "Thing", "Asset": "Thing", "Program": "Endeavor", "Project": "Endeavor", "WorkPackage": "Endeavor",
	} {
		create("subClass", subClass, ","+quoted("class", class))
	}
	for _, place := range []string{"East US", "North Europe", "West Europe", "Southeast Asia", "Australia East", "UK South", "Canada Central", "Central India", "Japan East"} {
		create("dataCenterLocation", place, `,"class":"Thing"`)
	}
	for _, status := range []string{"Active", "Inactive", "Trial"} {
		create("status", status, `,"class":"Thing"`)
	}
	c.expect(200, "GET", "/twins/myprimaryaccount", "", quoted("class", "Account"), quoted("subClass", "Account"))
}

// covers: Errors and permissions of create twin: error status
// covers: Errors and permissions of create twin: error class
// covers: Errors and permissions of create twin: error subClass
// covers: Errors and permissions of create twin: error geographicLocation
// covers: Errors and permissions of create twin: error ianaTimeZone
// covers: Errors and permissions of create twin: error dataCenterLocation
// covers: Errors and permissions of create twin: error displayName
// covers: Errors and permissions of create twin: error number
// covers: Errors and permissions of create twin: error type
// covers: Errors and permissions of create twin: error latitude
// covers: Errors and permissions of create twin: error longitude
// covers: Limits of twins: limit type: 100 characters
// covers: Limits of twins: limit displayName: 255 characters
// covers: Limits of twins: limit number: 255 characters
// covers: Limits of twins: limit geographicLocation: 255 characters
// covers: Limits of twins: limit latitude -90.0 to 90.0
// covers: Limits of twins: limit longitude -180.0 to 180.0
func TestLimitsOfTwins(t *testing.T) {
	t.Parallel()
	c := caller{t, newTwinsWorld(t), "admin"}
	n := 0
	create := func(status int, property, value string) {
		t.Helper()
		n++
		body := fmt.Sprintf(`{"class":"Thing","%s":%s`, property, value)
		for _, required := range []string{"displayName", "number"} {
			if property != required {
				body += fmt.Sprintf(`,"%s":"x%d"`, required, n)
			}
		}
		var contains []string
		if status == 422 {
			contains = []string{`"InvalidTwinsRequest"`, `"InvalidValue"`, quoted("target", property)}
		}
		c.expect(status, "POST", "/twins", body+"}", contains...)
	}
	for property, limit := range map[string]int{"type": 100, "displayName": 255, "number": 255, "geographicLocation": 255} {
		create(201, property, `"`+strings.Repeat("ü", limit)+`"`)
		create(422, property, `"`+strings.Repeat("ü", limit+1)+`"`)
	}
	for property, limit := range map[string]string{"latitude": "90.0", "longitude": "180.0"} {
		for _, sign := range []string{"", "-"} {
			create(201, property, sign+limit)
			create(422, property, sign+limit+"001")
		}
	}
}

// covers: Errors and permissions of create twin: rule two creations with one number yield one twin
func TestTwoCreationsWithOneNumberOverHTTP(t *testing.T) {
	t.Parallel()
	h := newTwinsWorld(t)
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		all.Go(func() {
			statuses[i] = ask(h, "POST", "/twins", fmt.Sprintf(`{"class":"Thing","displayName":"x%d","number":"same"}`, i), "Authorization: Bearer admin").Code
		})
	}
	all.Wait()
	made := 0
	for _, status := range statuses {
		switch status {
		case 201:
			made++
		case 409:
		default:
			t.Errorf("answer %d", status)
		}
	}
	if made != 1 {
		t.Errorf("%d twins have the number", made)
	}
}

// covers: Detector: http rule 404 ResourceNotFound with OperationNotFound for what is no operation
func TestUnknownOperationsOfRealityAnalysis(t *testing.T) {
	t.Parallel()
	c := caller{t, newDataWorld(t), "writer"}
	for _, path := range []string{"/reality-analysis", "/reality-analysis/detector", "/reality-analysis/detectors/a/version", "/reality-analysis/detectors/a/versions/1.0/run"} {
		c.expect(404, "POST", path, "{}", `"ResourceNotFound"`, `"OperationNotFound"`)
	}
}

// covers: Events: values models.modelDeleted.v1 models.modelCreated.v1 models.namedVersionCreated.v1 models.changesReady.v1
// covers: Events: values accessControl.memberAdded.v1 accessControl.invitationCreated.v1 accessControl.memberRemoved.v1
// covers: Events: values accessControl.roleAssigned.v1 accessControl.roleUnassigned.v1 twins.twinCreated.v1
// covers: Events: values twins.twinDeleted.v1 twins.twinUpdated.v1 synchronization.jobCompleted.v1
// covers: Events: values transformations.jobCompleted.v1 realityModeling.jobCompleted.v1 realityAnalysis.jobCompleted.v1
// covers: Events: values realityConversion.jobCompleted.v1 changedElements.jobCompleted.v1 changedElements.jobCompleted.v2
func TestDocumentedEventTypes(t *testing.T) {
	t.Parallel()
	c := caller{t, newWebhooksWorld(t), "writer"}
	for typ := range strings.FieldsSeq(`models.modelDeleted.v1 models.modelCreated.v1 models.namedVersionCreated.v1 models.changesReady.v1
		accessControl.memberAdded.v1 accessControl.invitationCreated.v1 accessControl.memberRemoved.v1 accessControl.roleAssigned.v1 accessControl.roleUnassigned.v1
		twins.twinCreated.v1 twins.twinDeleted.v1 twins.twinUpdated.v1
		synchronization.jobCompleted.v1 transformations.jobCompleted.v1 realityModeling.jobCompleted.v1 realityAnalysis.jobCompleted.v1 realityConversion.jobCompleted.v1
		changedElements.jobCompleted.v1 changedElements.jobCompleted.v2`) {
		c.expect(202, "POST", "/webhooks", `{"callbackUrl":"https://receiver.example.com/x","scope":"Twin","scopeId":"tower","eventTypes":["`+typ+`"]}`, `"eventTypes":["`+typ+`"]`)
	}
	c.expect(422, "POST", "/webhooks", `{"callbackUrl":"https://receiver.example.com/x","scope":"Twin","scopeId":"tower","eventTypes":["twins.twinMoved.v1"]}`, `"InvalidCreateWebhookRequest"`)
}

// covers: Everywhere: http rule 429 in every area
func TestEveryDataOperationIsLimited(t *testing.T) {
	t.Parallel()
	for id, r := range dataRights {
		h, err := httpapi.New(httpapi.Config{
			Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"a": {ID: "a", AccountID: "acme", Scopes: me.Scopes}}),
			RealityData:   realitydata.New(memory.New(), realitydata.Config{}), Transform: transform.New(memory.New(), transform.Config{}),
			Rate: 2, Env: twinplatform.Env{Now: moment.UTC},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			w := ask(h, r.method, r.path, r.body, "Authorization: Bearer a")
			if limited := w.Code == 429; limited != (i == 2) || limited && (w.Header().Get("Retry-After") != "30" || !strings.Contains(w.Body.String(), `"RateLimitExceeded"`)) {
				t.Errorf("%s, request %d: %d %v %s", id, i, w.Code, w.Header(), w.Body)
			}
		}
	}
}
