package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

func TestTheFileOfTheDocumentIsThatOfTheTable(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	testsize.OneClient(t)
	sameFile(t, "openapi.json", laidOut(t, httpapi.OpenAPI("/")))
}

// lineDepth is how deep the file is laid out in lines: one for each property of a
// schema, and one for each part of an operation, such as its parameters. What changes
// can be reviewed then, and a reader finds an operation on a page.
var lineDepth = map[string]int{"components": 5, "paths": 4, "": 2}

// lineWidth is what fits into a line at any depth.
const lineWidth = 100

// laidOut is the document as its file has it.
func laidOut(t *testing.T, document []byte) string {
	t.Helper()
	b, part := new(strings.Builder), ""
	var lay func(value stdjson.RawMessage, depth int)
	lay = func(value stdjson.RawMessage, depth int) {
		divisible := value[0] == '{' || value[0] == '['
		if isLine := !divisible || len(value) <= lineWidth || depth >= lineDepth[part]; depth > 0 && isLine {
			b.Write(value)
			return
		}
		indent := "\n" + strings.Repeat(" ", depth)
		b.WriteByte(value[0])
		for i, m := range membersOf(t, value) {
			if depth == 0 {
				if part = m.name; lineDepth[part] == 0 {
					part = ""
				}
			}
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(indent + " " + m.label)
			lay(m.value, depth+1)
		}
		b.WriteString(indent)
		b.WriteByte(value[len(value)-1])
	}
	var tight bytes.Buffer
	if err := stdjson.Compact(&tight, document); err != nil {
		t.Fatal(err)
	}
	lay(tight.Bytes(), 0)

	var again bytes.Buffer
	if err := stdjson.Compact(&again, []byte(b.String())); err != nil || again.String() != tight.String() {
		t.Fatalf("laid out, the document is another one (%v)", err)
	}
	return b.String() + "\n"
}

// documentMember is a member of an object, or an item of a list, which has no name and
// no label.
type documentMember struct {
	name, label string
	value       stdjson.RawMessage
}

// membersOf are the members of an object or the items of a list.
func membersOf(t *testing.T, value stdjson.RawMessage) (all []documentMember) {
	t.Helper()
	d := stdjson.NewDecoder(bytes.NewReader(value))
	open, err := d.Token()
	for err == nil && d.More() {
		var m documentMember
		if open == stdjson.Delim('{') {
			var name stdjson.Token
			if name, err = d.Token(); err != nil {
				break
			}
			m.name = name.(string)
			m.label = strconv.Quote(m.name) + ": "
		}
		if err = d.Decode(&m.value); err == nil {
			all = append(all, m)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEveryAnswerMatchesTheDocument holds the bodies of all conversations to the
// document.
func TestEveryAnswerMatchesTheDocument(t *testing.T) {
	t.Parallel()
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	h, checked := newWorld(t).handler, 0
	for _, s := range everyScenario(t) {
		for _, st := range s.steps {
			_, method, target := requestLine(st.request)
			o, ok := h.OperationOf(request(method, target))
			status, rest, _ := strings.Cut(st.answer, "\n")
			_, body, _ := strings.Cut(rest, "\n\n")
			if !ok {
				continue
			}
			if strings.TrimSpace(body) == "" {
				described, _ := c.at("paths", o.Path, strings.ToLower(method), "responses", status)["content"].(map[string]any)
				// Bytes are shown by what is said of them, see bodiesOfTheDocument.
				if method != http.MethodHead && described["application/json"] != nil {
					t.Errorf("%s: %s of %s has no body, and one is described", s.path, status, o.ID)
				}
				continue
			}
			var v any
			if err := stdjson.Unmarshal([]byte(body), &v); err != nil {
				continue // the bytes of a file
			}
			answer := c.at("paths", o.Path, strings.ToLower(method), "responses", status)
			schema, ok := answer["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
			if !ok {
				t.Errorf("%s: %s of %s has a body that is not described", s.path, status, o.ID)
				continue
			}
			checked++
			for _, wrong := range c.wrong(schema, o.ID+" "+status, v) {
				t.Errorf("%s, %s: %s", s.path, st.title, wrong)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d answers were checked", checked)
	}
}

// TestWhatIsNotImplementedIsNotServed keeps the list of what is missing honest.
func TestWhatIsNotImplementedIsNotServed(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	for _, o := range httpapi.NotImplemented() {
		served, ok := h.OperationOf(request(o.Method, strings.NewReplacer("{", "", "}", "").Replace(o.Path)))
		if ok && !strings.HasSuffix(served.Path, "}") {
			t.Errorf("%s %s is served as %s", o.Method, o.Path, served.ID)
		}
	}
}

// TestEveryAcceptedWriteNamesItsOperation holds each 202 of all conversations that speaks of
// an operation: its id is in the body and in a header, and its address in both.
func TestEveryAcceptedWriteNamesItsOperation(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, s := range everyScenario(t) {
		for _, st := range s.steps {
			head, body, _ := strings.Cut(st.answer, "\n\n")
			var v struct {
				Operation *struct{ ID string }
				Links     struct{ OperationLocation struct{ Href string } } `json:"_links"`
			}
			if !strings.HasPrefix(head, "202") || stdjson.Unmarshal([]byte(body), &v) != nil || v.Operation == nil {
				continue
			}
			checked++
			at := v.Links.OperationLocation.Href
			if v.Operation.ID == "" || at == "" || !strings.Contains(head, "\nOperation-Id: "+v.Operation.ID+"\n") ||
				!strings.Contains(head+"\n", "\nOperation-Location: "+at+"\n") {
				t.Errorf("%s, %s: accepted without its operation:\n%s", s.path, st.title, st.answer)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d answers were looked at", checked)
	}
}

// TestNoAcceptedWriteIsDescribedWithoutItsOperation holds the 202s of the document to what
// clients are generated from: the operation, its id, its address and what it is about are
// there, and none of them may be null.
func TestNoAcceptedWriteIsDescribedWithoutItsOperation(t *testing.T) {
	t.Parallel()
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	described := 0
	for path, methods := range parse(t, httpapi.OpenAPI("/")).Paths {
		for method, d := range methods {
			if _, ok := d.Responses["202"]; !ok {
				continue
			}
			body := c.at("paths", path, method, "responses", "202", "content", "application/json", "schema")
			raw, err := stdjson.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(raw), `"operation":`) {
				continue // that of another kind, such as of what is loaded again
			}
			described++
			if strings.Contains(string(raw), `"null"`) {
				t.Errorf("%s: null in an accepted answer: %s", d.id(), raw)
			}
		}
	}
	if described < 40 {
		t.Errorf("only %d accepted answers are described", described)
	}
}

// TestEveryRefusalNamesThePermissionThatIsMissing holds each 403 of all conversations to
// saying which permission of the platform would have helped, or that none would.
func TestEveryRefusalNamesThePermissionThatIsMissing(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`'([^']+)'`)
	known, refused := make(map[string]bool), 0
	for _, p := range twinsapi.Permissions() {
		known[p] = true
	}
	for _, s := range everyScenario(t) {
		for _, st := range s.steps {
			head, body, _ := strings.Cut(st.answer, "\n\n")
			var v struct {
				Error struct {
					Code    string
					Message string
					Details []twinplatform.Detail
				}
			}
			if !strings.HasPrefix(head, "403") || stdjson.Unmarshal([]byte(body), &v) != nil || v.Error.Code != "InsufficientPermissions" || v.Error.Message != problem.Forbidden.Message {
				continue // others say it in their message
			}
			refused++
			if len(v.Error.Details) == 0 {
				t.Errorf("%s, %s: refused without a reason:\n%s", s.path, st.title, body)
			}
			for _, d := range v.Error.Details {
				names := named.FindAllStringSubmatch(d.Message, -1)
				if d.Code != "NotPermitted" && (d.Code != "MissingPermission" || len(names) == 0) {
					t.Errorf("%s, %s: the reason is %+v", s.path, st.title, d)
				}
				for _, name := range names {
					if !known[name[1]] {
						t.Errorf("%s, %s: there is no permission %s", s.path, st.title, name[1])
					}
				}
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d refusals were looked at", refused)
	}
}

// TestThePageOfTheContractNamesWhatIsSent holds the statuses with their codes in
// docs/contract.md to the table that the server is made of.
func TestThePageOfTheContractNamesWhatIsSent(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := make(map[string]bool)
	for _, all := range documentedErrors() {
		for _, e := range all {
			documented[e] = true
		}
	}
	named := regexp.MustCompile("\\b([45]\\d\\d)(?: with the code)? `(\\w+)`").FindAllStringSubmatch(string(page), -1)
	for _, name := range named {
		if !documented[name[1]+" "+name[2]] {
			t.Errorf("no operation answers %s %s", name[1], name[2])
		}
	}
	if len(named) < 2 {
		t.Errorf("only %d codes are named", len(named))
	}
}
