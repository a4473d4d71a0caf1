package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// second begins the second name of each member; no name of the specification begins so.
const second = "zz-"

// chosenNames are members in which users choose the names.
var chosenNames = append([]string{"queryParameters"}, opaque...)

// everyMemberTwice is a vocabulary in which all members of bodies have a second name.
func everyMemberTwice() (v httpapi.Vocabulary, members map[string]bool) {
	v.Also, members = make(map[string]string), make(map[string]bool)
	for _, n := range httpapi.VocabularyNames() {
		if n.Table == "members" {
			v.Also[n.Name], members[n.Name] = second+n.Name, true
		}
	}
	return v, members
}

// TestConversationsHoldUnderSecondNamesOfAllMembers asks with the second names alone, in
// every area, and wants answers that have both of each member with one value.
func TestConversationsHoldUnderSecondNamesOfAllMembers(t *testing.T) {
	if *update {
		t.Skip("the conversations are written in the specification's words")
	}
	t.Parallel()
	v, members := everyMemberTwice()
	for _, area := range settings(t) {
		for name, s := range area.all {
			if !inSample(name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				h, err := httpapi.Under(area.world(t), v)
				if err != nil {
					t.Fatal(err)
				}
				for i := range s.steps {
					s.steps[i].request = askedBySeconds(s.steps[i].request, members)
				}
				s.run(t, inSingle(t, h, members))
			})
		}
	}
}

// askedBySeconds is a request whose body has the second names.
func askedBySeconds(request string, members map[string]bool) string {
	head, body, ok := strings.Cut(request, "\n\n")
	if !ok || sendsModel(head) {
		return request
	}
	var b bytes.Buffer
	e := rewriter{b: &b, name: func(name string, _ map[string]stdjson.RawMessage) (string, bool) {
		if members[strings.ToLower(name[:1])+name[1:]] {
			return second + name, true
		}
		return name, true
	}}
	if err := e.value(stdjson.RawMessage(body), false); err != nil {
		return request
	}
	return head + "\n\n" + b.String()
}

// inSingle takes the second names out of answers and fails where one is missing or has
// another value.
func inSingle(t *testing.T, h http.Handler, members map[string]bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		raw := rec.Body.Bytes()
		var b bytes.Buffer
		failed := rec.Code >= 400
		e := rewriter{b: &b, name: func(name string, all map[string]stdjson.RawMessage) (string, bool) {
			if first, ok := strings.CutPrefix(name, second); ok {
				if !bytes.Equal(all[name], all[first]) {
					t.Errorf("%s %s: %s is %s, and %s", r.Method, r.URL, name, all[name], all[first])
				}
				return "", false
			}
			if _, ok := all[second+name]; members[name] && !ok && !failed {
				t.Errorf("%s %s: %s has no second name", r.Method, r.URL, name)
			}
			return name, true
		}}
		if rec.Header().Get("Content-Type") == "application/json" && e.value(raw, false) == nil {
			raw = inFirstNames(b.Bytes(), members) // errors name members as they were sent
			if rec.Header().Get("Content-Length") != "" {
				rec.Header().Set("Content-Length", strconv.Itoa(len(raw)))
			}
		}
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		_, _ = w.Write(raw)
	})
}

// secondNames are what begins as second names do, in tokens by chance.
var secondNames = regexp.MustCompile(second + "([A-Za-z0-9]+)")

// inFirstNames is a text with the first names of members in the place of the second.
func inFirstNames(raw []byte, members map[string]bool) []byte {
	return secondNames.ReplaceAllFunc(raw, func(found []byte) []byte {
		name := string(found[len(second):])
		if !members[strings.ToLower(name[:1])+name[1:]] {
			return found
		}
		return []byte(name)
	})
}

func TestTokensThatHoldTheBeginningOfSecondNamesStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	members := map[string]bool{"name": true, "id": true}
	const raw = `{"href":"/x?continuationToken=Qazz-B9zz-id7","message":"zz-name and zz-Id[0].zz-name"}`
	const want = `{"href":"/x?continuationToken=Qazz-B9zz-id7","message":"name and Id[0].name"}`
	if got := string(inFirstNames([]byte(raw), members)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// rewriter writes JSON again with other names of members, in their order.
type rewriter struct {
	b    *bytes.Buffer
	name func(name string, all map[string]stdjson.RawMessage) (as string, keep bool)
}

func (e rewriter) value(raw stdjson.RawMessage, free bool) error {
	d := stdjson.NewDecoder(bytes.NewReader(raw))
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := token.(stdjson.Delim)
	if !ok {
		return stdjson.Compact(e.b, raw)
	}
	all := make(map[string]stdjson.RawMessage)
	if open == '{' {
		if err := stdjson.Unmarshal(raw, &all); err != nil {
			return err
		}
	}
	e.b.WriteRune(rune(open))
	first := true
	for d.More() {
		var name, as string
		keep := true
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				return err
			}
			if name = token.(string); free {
				as = name
			} else {
				as, keep = e.name(name, all)
			}
		}
		var inner stdjson.RawMessage
		if err := d.Decode(&inner); err != nil {
			return err
		}
		if !keep {
			continue
		}
		if !first {
			e.b.WriteByte(',')
		}
		first = false
		if open == '{' {
			e.b.WriteString(strconv.Quote(as) + ":")
		}
		if err := e.value(inner, free || slices.Contains(chosenNames, name)); err != nil {
			return err
		}
	}
	end, err := d.Token()
	if err == nil {
		e.b.WriteRune(rune(end.(stdjson.Delim)))
	}
	return err
}

const twoNames = `{"members": {"displayName": "label", "number": "plot"}, "also": {"displayName": "title"}, "accept": {"number": "bed"}}`

func TestRequestsHaveEitherNameAndAnswersThatOfTheTable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body      string
		want      int
		answering string
	}{
		"the first":            {`{"class":"Thing","subClass":"Asset","label":"Rose","plot":"n-1"}`, 201, ""},
		"the second":           {`{"class":"Thing","subClass":"Asset","title":"Rose","bed":"n-2"}`, 201, ""},
		"both, the same":       {`{"class":"Thing","subClass":"Asset","title":"R\u006fse","label":"Rose","bed":"n-3","plot":"n-3"}`, 201, ""},
		"both, not the same":   {`{"class":"Thing","subClass":"Asset","title":"Rose","label":"Tulip"}`, 422, `"message":"'label' is another name of 'title', which has another value.","target":"label"`},
		"the specification's":  {`{"class":"Thing","subClass":"Asset","displayName":"Rose"}`, 422, `did you mean`},
		"one of them for all":  {`{"class":"Thing","subClass":"Asset","title":"Rose","bed":"n-4","label":"Rose"}`, 201, ""},
		"the same name twice":  {`{"class":"Thing","subClass":"Asset","title":"Rose","title":"Rose"}`, 422, `holds a property twice`},
		"a value of no string": {`{"class":"Thing","subClass":"Asset","title":3}`, 422, `'label' must be a string`},
	} {
		res := ask(under(t, twoNames), "POST", "/twins", tt.body, "Authorization: Bearer admin")
		if res.Code != tt.want || !strings.Contains(res.Body.String(), tt.answering) {
			t.Errorf("%s: %d %s", name, res.Code, res.Body)
			continue
		}
		if tt.want != 201 {
			continue
		}
		var made struct{ Twin map[string]any }
		if err := stdjson.Unmarshal(res.Body.Bytes(), &made); err != nil {
			t.Fatal(err)
		}
		_, beds := made.Twin["bed"]
		if made.Twin["label"] != "Rose" || made.Twin["title"] != "Rose" || made.Twin["plot"] == nil || beds {
			t.Errorf("%s: %s", name, res.Body)
		}
	}
}

func TestARecordIsTakenBackWithBothOfItsNames(t *testing.T) {
	t.Parallel()
	h := under(t, `{"also": {"displayName": "title", "createdBy": "plantedBy"}}`)
	at := "/twins/" + towerID
	var read struct{ Twin stdjson.RawMessage }
	if err := stdjson.Unmarshal(ask(h, "GET", at, "", writing).Body.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(read.Twin, []byte(`"plantedBy"`)) {
		t.Fatalf("the twin is %s", read.Twin)
	}
	if res := ask(h, "PATCH", at, string(read.Twin), writing); res.Code != 200 {
		t.Errorf("as it was read: %d %s", res.Code, res.Body)
	}
}

func TestExpressionsNameMembersByEitherName(t *testing.T) {
	t.Parallel()
	h := under(t, twoNames)
	want := ask(h, "GET", "/twins?$orderby=label%20desc", "", writing)
	if got := ask(h, "GET", "/twins?$orderby=title%20desc", "", writing); got.Code != 200 ||
		strings.ReplaceAll(got.Body.String(), "title%20", "label%20") != want.Body.String() {
		t.Errorf("by the second name: %d %s, and by the first %s", got.Code, got.Body, want.Body)
	}
}

func TestDeliveriesHaveBothNames(t *testing.T) {
	t.Parallel()
	v, err := httpapi.ParseVocabulary(strings.NewReader(`{"also": {"twinId": "plotId", "modelId": "bedId", "content": "payload"}, "accept": {"messageId": "letterId"}, "contents": {"modelId": "designId"}}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Deliveries()
	if err != nil {
		t.Fatal(err)
	}
	const plain = `{"content":{"modelId":"m","userId":"u"},"twinId":"t","messageId":"1"}`
	const renamed = `{"content":{"designId":"m","bedId":"m","userId":"u"},"payload":{"designId":"m","bedId":"m","userId":"u"},"twinId":"t","plotId":"t","messageId":"1"}`
	if diff := cmp.Diff(renamed, string(d.Write([]byte(plain)))); diff != "" {
		t.Errorf("answered (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(plain, string(d.Read([]byte(renamed)))); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(plain, string(d.Read([]byte(strings.Replace(renamed, "messageId", "letterId", 1))))); diff != "" {
		t.Errorf("read by the second name (-want +got):\n%s", diff)
	}
}

func TestClientsOfTheSpecificationReadEachMemberOnce(t *testing.T) {
	t.Parallel()
	v, _ := everyMemberTwice()
	plain, twice := newTwinsWorld(t), newTwinsWorld(t)
	h, err := httpapi.Under(twice, v)
	if err != nil {
		t.Fatal(err)
	}
	over, err := v.Transport("https://api.test", throughHandler{h})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/twins", "/twins/" + towerID, "/access-control/twins/" + towerID + "/roles"} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "https://api.test"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer writer")
		res, err := over.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if diff := cmp.Diff(ask(plain, "GET", path, "", writing).Body.String(), string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", path, err, diff)
		}
	}
}

// throughHandler is a round trip to a handler.
type throughHandler struct{ http.Handler }

func (h throughHandler) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Result(), nil
}

func TestTheDocumentHasBothNames(t *testing.T) {
	t.Parallel()
	h := under(t, twoNames)
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any
				Required   []string
			}
		}
	}
	if err := stdjson.Unmarshal(ask(h, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ has, not, needs, may []string }{
		"twins.NewTwin":     {[]string{"label", "title", "plot", "bed"}, []string{"displayName", "number"}, nil, []string{"label", "title"}},
		"twins.Twin.answer": {[]string{"label", "title", "plot"}, []string{"bed"}, []string{"label", "title"}, nil},
	} {
		s := doc.Components.Schemas[name]
		for _, member := range want.has {
			if s.Properties[member] == nil {
				t.Errorf("%s has no %s", name, member)
			}
		}
		for _, member := range want.not {
			if s.Properties[member] != nil {
				t.Errorf("%s has %s", name, member)
			}
		}
		for _, member := range want.needs {
			if !slices.Contains(s.Required, member) {
				t.Errorf("%s need not have %s", name, member)
			}
		}
		for _, member := range want.may {
			if slices.Contains(s.Required, member) {
				t.Errorf("%s needs %s", name, member)
			}
		}
	}
}
