package httpapi_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// The twins of the forms' world; the bridge belongs to acme as the tower does.
const bridgeID = "33333333-3333-4333-8333-333333333333"

// rights are the permissions of principals on twins: "id twin".
type rights map[string][]string

func (r rights) Allowed(_ context.Context, who twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return slices.Contains(r[who.ID+" "+target.TwinID], permission), nil
}

// formsWorld is a platform with forms in it, always the same:
//
//   - of the tower: the definitions rfi (approved), inspection (a draft) and
//     secret (approved, granted to guest alone); of the bridge: shared;
//   - the forms crack (of rfi, with everything), door (of rfi) and hush (of
//     secret); on crack the comment remark and the attachments photo and plan,
//     the latter without its bytes;
//   - owner, who may do everything at the tower, reader, who may view, admin,
//     who administers acme, stranger, who belongs to acme, foreign, who
//     administers other, guest, who sees the tower, keeper, who may define and
//     modify at the bridge, and bare, whose token carries no scope.
func formsWorld(t testing.TB) *httpapi.Handler {
	t.Helper()
	return formsWorldOn(t, ground{store: storetest.New(t)})
}

func formsWorldOn(t testing.TB, on ground) *httpapi.Handler {
	t.Helper()
	name, prefix, made := "", "seeded", 0
	env := twinplatform.Env{
		Now: moment.UTC,
		NewID: func() string {
			if id := name; id != "" {
				name = ""
				return id
			}
			made++
			return fmt.Sprintf("%s-%02d", prefix, made)
		},
		Gate: on.gate,
		Authorizer: on.rights(rights{
			ownerGUID + " " + towerID:  {forms.PermissionFull, forms.PermissionDefine},
			readerGUID + " " + towerID: {forms.PermissionView},
			"guest " + towerID:         {"twins_read"},
			"keeper " + bridgeID:       {forms.PermissionDefine, forms.PermissionModify},
		}),
	}
	svc := forms.New(on.store, forms.Config{Env: env, Twins: on.twins(twins{towerID: "acme", bridgeID: "acme", secretID: "other"})})
	who := func(id, display, account string, roles ...twinplatform.AdministratorRole) twinplatform.Principal {
		return twinplatform.Principal{
			ID: id, DisplayName: display, AccountID: account, Kind: twinplatform.User,
			Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: roles,
		}
	}
	bare := who("bare", "Bare", "acme", "Account Administrator")
	bare.Scopes = []string{twinplatform.ScopeWebhooksModify}
	owner := who(ownerGUID, "Owner", "acme")
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"owner": owner, "reader": who(readerGUID, "Reader", "acme"), "stranger": who("stranger", "Stranger", "acme"),
			"admin": who("admin", "Admin", "acme", "Account Administrator"), "foreign": who("foreign", "Foreign", "other", "Co-Administrator"),
			"guest": who("guest", "Guest", "acme"), "keeper": who("keeper", "Keeper", "acme"), "bare": bare,
		}),
		Forms: svc, Rate: httpapi.Unlimited, BaseURL: "https://api.test", Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := twinplatform.WithPrincipal(t.Context(), owner)
	define := func(id string, n forms.NewFormDefinition) {
		t.Helper()
		name = id
		must[forms.FormDefinition](t)(svc.CreateFormDefinition(t.Context(), n))
	}
	fill := func(id string, n forms.NewForm) {
		t.Helper()
		name = id
		must[forms.Form](t)(svc.CreateForm(ctx, n))
	}
	define("rfi", forms.NewFormDefinition{TwinID: towerID, DisplayName: "Request for information", Type: "RFI", Discipline: "Structure", Status: forms.Approved})
	define("inspection", forms.NewFormDefinition{TwinID: towerID, DisplayName: "Inspection", Type: "Inspection", IDPrefix: "INS"})
	define("secret", forms.NewFormDefinition{TwinID: towerID, DisplayName: "Incident", Type: "Incident", Discipline: "Safety", Status: forms.Approved})
	define("shared", forms.NewFormDefinition{TwinID: bridgeID, DisplayName: "Daily log", Type: "Log", Status: forms.Approved, ShareType: forms.ReadOnly})
	fill("crack", forms.NewForm{FormID: "rfi", FormFields: everyField()})
	fill("door", forms.NewForm{FormID: "rfi", FormFields: forms.FormFields{Status: twinplatform.Set("Closed")}})
	name = "hush"
	must[forms.Form](t)(svc.CreateForm(t.Context(), forms.NewForm{FormID: "secret"}))
	if err := svc.SetSecurity(ctx, "secret", towerID, &forms.Security{Grants: []forms.Grant{
		{PrincipalID: "guest", Permissions: []string{forms.PermissionModify}},
	}}); err != nil {
		t.Fatal(err)
	}
	name = "remark"
	must[forms.Comment](t)(svc.CreateComment(ctx, "crack", forms.NewComment{Text: "Since when?"}))
	for _, file := range []string{"photo.png", "plan.pdf"} {
		name, _, _ = strings.Cut(file, ".")
		must[forms.Attachment](t)(svc.CreateAttachment(ctx, "crack", forms.NewAttachment{FileName: file, Caption: "The crack"}))
	}
	if _, err := svc.WriteAttachment(ctx, "crack", "photo", strings.NewReader("not really a picture")); err != nil {
		t.Fatal(err)
	}
	on.rewind(func() { name, prefix, made = "", "new", 0 })
	return h
}

const (
	ownerGUID  = "44444444-4444-4444-8444-444444444444"
	readerGUID = "55555555-5555-4555-8555-555555555555"
)

func everyField() forms.FormFields {
	at := func(x, y, z float64) twinplatform.Optional[forms.Point3D] {
		return twinplatform.Set(forms.Point3D{X: x, Y: y, Z: z})
	}
	return forms.FormFields{
		Subject: twinplatform.Set("Crack"), Description: twinplatform.Set("In the wall"), DueDate: twinplatform.Set(twinplatform.At(moment)),
		Assignees: twinplatform.Set([]forms.Assignee{{DisplayName: "Owner", ID: ownerGUID}, {DisplayName: "Masons", ID: readerGUID, IsRole: true}}),
		SourceEntity: twinplatform.Set(forms.SourceEntity{ModelElement: twinplatform.Set(forms.ModelElement{
			ModelID: "m1", ElementID: "0x20 0x21", ChangeSetID: "c1", ModelName: twinplatform.Set("Tower"),
		})}),
		BoundingBox: twinplatform.Set(forms.BoundingBox{LowerLeftPoint3D: at(0, 0, 0), UpperRightPoint3D: at(1.5, 2, 3)}),
		ModelPin:    twinplatform.Set(forms.ModelPin{Location: at(1, 2, 3), Description: twinplatform.Set("here")}),
		ModelView: twinplatform.Set(forms.ModelView{
			CameraView:  twinplatform.Set(forms.CameraView{ViewPoint: at(9, 9, 9), Direction: at(0, 1, 0), Up: at(0, 0, 1), FieldOfView: twinplatform.Set(45.0)}),
			ModelJsView: twinplatform.Set("view-1"),
		}),
		ModelEventDateTime: twinplatform.Set(twinplatform.At(moment)),
		Location: twinplatform.Set(forms.Location{
			Latitude: twinplatform.Set(60.17), Longitude: twinplatform.Set(24.94), Elevation: twinplatform.Set(12.5), Description: twinplatform.Set("yard"),
		}),
		Properties: twinplatform.Set(forms.Properties{"width": 2.5, "urgent": true, "list": []any{1, "b"}, "object": map[string]any{"a": "b"}}),
	}
}

func formsScenarios(t testing.TB) map[string]*scenario {
	t.Helper()
	return scenariosIn(t, "forms")
}

func TestFormsScenarios(t *testing.T) {
	t.Parallel()
	holdAll(t, formsScenarios(t), formsWorld)
}

// covers: Form definition values: http rule deprecated, technical preview; its successor is not deprecated
func TestDocumentedFormsOperations(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"F1 forms.list":                    "GET /forms",
		"D1 issues.formDefinitions.update": "PATCH /issues/formDefinitions/{formDefinitionId} (preview, deprecated)",
		// The same under its live address.
		"formDefinitions.update": "PATCH /forms/formDefinitions/{formDefinitionId} (preview)",
	}
	got := make(map[string]string)
	for _, o := range formsWorld(t).Operations() {
		if o.Origin == httpapi.Chosen && !o.Preview && !o.Deprecated {
			continue
		}
		name := strings.TrimSpace(o.SpecID + " " + o.ID)
		got[name] = o.Method + " " + o.Path
		switch {
		case o.Preview && o.Deprecated:
			got[name] += " (preview, deprecated)"
		case o.Preview:
			got[name] += " (preview)"
		}
		if o.Summary == "" || o.Area != "forms" || o.Permission == "" || len(o.Scopes) != 1 {
			t.Errorf("%s: %+v", o.ID, o)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-specification +table):\n%s", diff)
	}
}

// formsRequests are one good request to every operation, with {twin},
// {definition}, {form} and so on in the places of ids. The statuses are those
// of a caller that may do it, and of reader.
var formsRequests = map[string]struct {
	method, path, body string
	success, reader    int
	hidden             string // the code where the caller may not view
}{
	"forms.list":                    {"GET", "/forms/?twinId={twin}", "", 200, 200, "ProjectNotFound"},
	"forms.create":                  {"POST", "/forms/", `{"formId":"{definition}"}`, 201, 403, "FormDefinitionNotFound"},
	"forms.get":                     {"GET", "/forms/{form}", "", 200, 200, "FormDataNotFound"},
	"forms.update":                  {"PATCH", "/forms/{form}", `{"subject":"New","status":"Draft","assignee":null}`, 200, 403, "FormDataNotFound"},
	"forms.delete":                  {"DELETE", "/forms/{form}", "", 204, 403, "FormDataNotFound"},
	"forms.auditTrail":              {"GET", "/forms/{form}/auditTrailEntries", "", 200, 200, "FormDataNotFound"},
	"formComments.list":             {"GET", "/forms/{form}/comments", "", 200, 200, "FormDataNotFound"},
	"formComments.create":           {"POST", "/forms/{form}/comments", `{"text":"Why?"}`, 201, 403, "FormDataNotFound"},
	"formComments.delete":           {"DELETE", "/forms/{form}/comments/remark", "", 204, 403, "FormDataNotFound"},
	"formAttachments.list":          {"GET", "/forms/{form}/attachments", "", 200, 200, "FormDataNotFound"},
	"formAttachments.create":        {"POST", "/forms/{form}/attachments", `{"fileName":"a.txt"}`, 201, 403, "FormDataNotFound"},
	"formAttachments.read":          {"GET", "/forms/{form}/attachments/photo", "", 200, 200, "FormDataNotFound"},
	"formAttachments.write":         {"PUT", "/forms/{form}/attachments/photo", "bytes", 204, 403, "FormDataNotFound"},
	"formAttachments.delete":        {"DELETE", "/forms/{form}/attachments/photo", "", 204, 403, "FormDataNotFound"},
	"issues.list":                   {"GET", "/issues/?twinId={twin}", "", 200, 200, "ProjectNotFound"},
	"issues.create":                 {"POST", "/issues/", `{"formId":"{definition}"}`, 201, 403, "FormDefinitionNotFound"},
	"issues.get":                    {"GET", "/issues/{form}", "", 200, 200, "FormDataNotFound"},
	"issues.update":                 {"PATCH", "/issues/{form}", `{"subject":"New","status":"Draft","assignee":null}`, 200, 403, "FormDataNotFound"},
	"issues.delete":                 {"DELETE", "/issues/{form}", "", 204, 403, "FormDataNotFound"},
	"issues.auditTrail":             {"GET", "/issues/{form}/auditTrailEntries", "", 200, 200, "FormDataNotFound"},
	"issueComments.list":            {"GET", "/issues/{form}/comments", "", 200, 200, "FormDataNotFound"},
	"issueComments.create":          {"POST", "/issues/{form}/comments", `{"text":"Why?"}`, 201, 403, "FormDataNotFound"},
	"issueComments.delete":          {"DELETE", "/issues/{form}/comments/remark", "", 204, 403, "FormDataNotFound"},
	"issueAttachments.list":         {"GET", "/issues/{form}/attachments", "", 200, 200, "FormDataNotFound"},
	"issueAttachments.create":       {"POST", "/issues/{form}/attachments", `{"fileName":"a.txt"}`, 201, 403, "FormDataNotFound"},
	"issueAttachments.read":         {"GET", "/issues/{form}/attachments/photo", "", 200, 200, "FormDataNotFound"},
	"issueAttachments.write":        {"PUT", "/issues/{form}/attachments/photo", "bytes", 204, 403, "FormDataNotFound"},
	"issueAttachments.delete":       {"DELETE", "/issues/{form}/attachments/photo", "", 204, 403, "FormDataNotFound"},
	"formDefinitions.create":        {"POST", "/forms/formDefinitions", `{"twinId":"{twin}","displayName":"New","type":"New"}`, 201, 403, "ProjectNotFound"},
	"formDefinitions.list":          {"GET", "/forms/formDefinitions?twinId={twin}", "", 200, 200, "ProjectNotFound"},
	"issues.formDefinitions.list":   {"GET", "/issues/formDefinitions?twinId={twin}", "", 200, 200, "ProjectNotFound"},
	"formDefinitions.get":           {"GET", "/forms/formDefinitions/{definition}", "", 200, 200, "FormDefinitionNotFound"},
	"issues.formDefinitions.get":    {"GET", "/issues/formDefinitions/{definition}", "", 200, 200, "FormDefinitionNotFound"},
	"issues.formDefinitions.update": {"PATCH", "/issues/formDefinitions/{definition}", `{"status":"Maintenance"}`, 200, 403, "UpsertNotSupported"},
	"formDefinitions.update":        {"PATCH", "/forms/formDefinitions/{definition}", `{"status":"Maintenance"}`, 200, 403, "UpsertNotSupported"},
	"formDefinitions.delete":        {"DELETE", "/forms/formDefinitions/{definition}", "", 409, 403, "FormDefinitionNotFound"},
	"formDefinitions.getSecurity":   {"GET", "/access-control/formDefinitions/{definition}", "", 200, 403, "FormDefinitionNotFound"},
	"formDefinitions.setSecurity":   {"PUT", "/access-control/formDefinitions/{definition}", `{"security":{"grants":[]}}`, 200, 403, "FormDefinitionNotFound"},
}

func sendForms(h *httpapi.Handler, caller, method, path, body string, there bool) *httptest.ResponseRecorder {
	ids := []string{"{twin}", towerID, "{definition}", "rfi", "{form}", "crack"}
	if !there {
		ids = []string{"{twin}", absentID, "{definition}", "absent", "{form}", "absent"}
	}
	authorization := "Authorization: "
	if caller != "" {
		authorization += "Bearer " + caller
	}
	fill := strings.NewReplacer(ids...)
	return ask(h, method, fill.Replace(path), fill.Replace(body), authorization)
}

// covers: Everywhere: http rule 401 in every area
func TestEveryFormsOperationIsHeldToTheRights(t *testing.T) {
	t.Parallel()
	for _, o := range formsWorld(t).Operations() {
		if _, ok := formsRequests[o.ID]; !ok && o.ID != "openapi" {
			t.Errorf("%s has no request", o.ID)
		}
	}
	for id, r := range formsRequests {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			hidden := 404
			if r.hidden == "UpsertNotSupported" {
				hidden = 409
			}
			for caller, want := range map[string]int{
				"admin": r.success, "owner": r.success, "reader": r.reader, "stranger": hidden, "foreign": hidden, "bare": 401, "unknown": 401, "": 401,
			} {
				h := formsWorld(t)
				if o, ok := h.OperationOf(request(r.method, strings.NewReplacer("{twin}", towerID, "{form}", "crack", "{definition}", "rfi").Replace(r.path))); !ok || o.ID != id {
					t.Errorf("the request is for %s", o.ID)
				}
				w := sendForms(h, caller, r.method, r.path, r.body, true)
				if !strings.HasSuffix(id, "Attachments.read") || w.Code != 200 {
					checkAnswer(t, w)
				}
				if w.Code != want {
					t.Errorf("%q: %d, want %d: %s", caller, w.Code, want, w.Body)
				}
				code := map[int]string{401: `"HeaderNotFound"`, 403: `"InsufficientPermissions"`, hidden: `"` + r.hidden + `"`}[want]
				if want != r.success && !strings.Contains(w.Body.String(), code) {
					t.Errorf("%q: %s, want %s", caller, w.Body, code)
				}
				if caller != "stranger" && caller != "foreign" {
					continue
				}
				// The same answer as for what is not there.
				if diff := cmp.Diff(shown(sendForms(formsWorld(t), caller, r.method, r.path, r.body, false)), shown(w)); diff != "" {
					t.Errorf("%q: what exists differs from what does not:\n%s", caller, diff)
				}
			}
		})
	}
}

// covers: Everywhere: http rule 429 in every area
func TestEveryFormsOperationIsLimited(t *testing.T) {
	t.Parallel()
	svc := forms.New(memory.New(), forms.Config{})
	for id, r := range formsRequests {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			h, err := httpapi.New(httpapi.Config{
				Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"a": {ID: "a", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}}}),
				Forms:         svc, Rate: 2, Env: twinplatform.Env{Now: moment.UTC},
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				w := sendForms(h, "a", r.method, r.path, r.body, false)
				if limited := w.Code == 429; limited != (i == 2) || limited && (w.Header().Get("Retry-After") != "30" || !strings.Contains(w.Body.String(), `"RateLimitExceeded"`)) {
					t.Errorf("request %d: %d %v %s", i, w.Code, w.Header(), w.Body)
				}
			}
		})
	}
}

func TestDefinitionsAreSeparateFromForms(t *testing.T) {
	t.Parallel()
	h := formsWorld(t)
	for line, want := range map[string]string{
		"GET /forms/formDefinitions":          "formDefinitions.list",
		"GET /forms/formDefinitions/":         "formDefinitions.list",
		"GET /forms/formDefinitions/x":        "formDefinitions.get",
		"GET /forms/formDefinitions/x/":       "formDefinitions.get",
		"PATCH /forms/formDefinitions/x":      "formDefinitions.update",
		"GET /forms/x":                        "forms.get",
		"GET /forms/x/comments":               "formComments.list",
		"GET /forms/x/attachments/":           "formAttachments.list",
		"GET /forms/x/auditTrailEntries":      "forms.auditTrail",
		"GET /forms/x/y":                      "",
		"GET /forms/x/y/":                     "",
		"POST /forms/x/y":                     "",
		"GET /forms/formDefinitionsandmore/x": "",
	} {
		method, path, _ := strings.Cut(line, " ")
		if o, _ := h.OperationOf(request(method, path)); o.ID != want {
			t.Errorf("%s: %q, want %q", line, o.ID, want)
		}
		if want != "" {
			continue
		}
		if w := ask(h, method, path, "", "Authorization: Bearer owner"); w.Code != 404 || !strings.Contains(w.Body.String(), "OperationNotFound") {
			t.Errorf("%s: %d %s", line, w.Code, w.Body)
		}
	}
	if w := ask(h, "PUT", "/forms/formDefinitions/x", "", "Authorization: Bearer owner"); w.Code != 405 || w.Header().Get("Allow") != "DELETE, GET, PATCH" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// covers: operations formAttachments.read issueAttachments.read
func TestAttachmentBytesGoThroughHTTP(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"/forms", "/issues"} {
		t.Run(root, func(t *testing.T) {
			t.Parallel()
			passBytes(t, formsWorld(t), root+"/crack/attachments/photo")
		})
	}
}

func passBytes(t *testing.T, h *httpapi.Handler, at string) {
	const auth = "Authorization: Bearer owner"
	w := ask(h, "GET", at, "", "Authorization: Bearer reader")
	if w.Code != 200 || w.Body.String() != "not really a picture" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Content-Length": "20", "Content-Disposition": "attachment; filename=photo.png", "X-Content-Type-Options": "nosniff",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if w := ask(h, "HEAD", at, "", auth); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "20" {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
	large := strings.Repeat("0123456789", 300_000) // more than a JSON body may have
	if w := ask(h, "PUT", at, large, auth); w.Code != 204 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", at, "", auth); w.Body.String() != large {
		t.Errorf("%d bytes are read back", w.Body.Len())
	}
	tooLarge := strings.Repeat("x", forms.MaxAttachmentBytes+1)
	w = ask(h, "PUT", at, tooLarge, auth)
	checkAnswer(t, w)
	if w.Code != 413 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	r := request("PUT", at)
	r.Header.Set("Authorization", "Bearer owner")
	r.Body, r.ContentLength = unmeasured{strings.NewReader(tooLarge)}, -1
	w = httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if checkAnswer(t, w); w.Code != 413 {
		t.Errorf("without a length: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", at, "", auth); w.Body.String() != large {
		t.Errorf("a refused content leaves %d bytes", w.Body.Len())
	}
}

type unmeasured struct{ *strings.Reader }

func (unmeasured) Close() error { return nil }
