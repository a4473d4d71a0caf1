package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// garden is the vocabulary of testdata/garden.json.
func garden(t testing.TB) httpapi.Vocabulary {
	t.Helper()
	f, err := os.Open("testdata/garden.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := httpapi.ParseVocabulary(f)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// inTheGarden serves what a handler does under the vocabulary of a garden.
func inTheGarden(t testing.TB, h *httpapi.Handler) *httpapi.Handler {
	t.Helper()
	out, err := httpapi.Under(h, garden(t))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestConversationsUnderAVocabulary holds every conversation in other words. They
// are put into them by replacing texts, which has nothing in common with how the
// handler does it.
func TestConversationsUnderAVocabulary(t *testing.T) {
	testsize.OneClient(t)
	if *update {
		t.Skip("the conversations are written in the specification's words")
	}
	t.Parallel()
	for _, area := range settings(t) {
		for _, s := range area.all {
			for i := range s.steps {
				s.steps[i].request, s.steps[i].answer = gardenRequest(s.steps[i].request), gardenAnswer(s.steps[i].answer)
			}
		}
		holdAll(t, area.all, func(t testing.TB) *httpapi.Handler { return inTheGarden(t, area.world(t)) })
	}
}

var (
	// byParts replaces the parts of names wherever they are.
	byParts = strings.NewReplacer("twins", "gardens", "Twins", "Gardens", "twin", "garden", "Twin", "Garden",
		"models", "plots", "Models", "Plots", "model", "plot", "Model", "Plot")
	gardenSegments = map[string]string{
		"access-control": "gate", "schedules": "seasons", "tasks": "chores", "task-links": "chore-links", "twins": "gardens", "favorites": "beloved",
		"recents": "lately", "readaccess": "look", "formDefinitions": "patterns", "models": "plots", "webhooks": "bells",
		"user-field-values": "label-values", "readAccess": "Look", "Twins": "GARDENS", "batch": "basket", "detectors": "noses", "versions": "editions", "members": "guests", "operations": "errands", "deliveries": "letters",
	}
	gardenMembers = map[string]string{
		"displayName": "label", "_links": "_paths", "next": "onward", "taskId": "choreId", "taskIds": "choreIds", "tasks": "chores", "task": "chore",
		"callbackUrl": "ringAt", "latitude": "north", "x": "east", "active": "awake", "type": "kind", "versions": "editions",
	}
	gardenQuery = map[string]string{"$top": "$most", "deltaToken": "sinceToken", "taskId": "choreId", "taskIds": "choreIds", "displayName": "label", "projectId": "yardId"}
	gardenWords = map[string]string{"accessControl.memberAdded.v1": "gate.guestAdded.v1", "Twin": "Garden", "Thing": "Bed"}
	gardenCodes = map[string]string{"HeaderNotFound": "KeyNotFound", "InvalidValue": "WrongValue"}
)

func gardenName(whole map[string]string, name string) string {
	if as, ok := whole[name]; ok {
		return as
	}
	return byParts.Replace(name)
}

// gardenPath is a path and query in the words of the garden.
func gardenPath(target string) string {
	path, query, asked := strings.Cut(target, "?")
	path = strings.Replace(path, "/reality-management/reality-data", "/soil", 1)
	path = strings.Replace(path, "/reality-analysis", "/insight/of", 1)
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if as, ok := gardenSegments[s]; ok {
			segments[i] = as
		}
		if segments[1] == "soil" && strings.EqualFold(s, "twins") {
			segments[i] = strings.Replace(strings.Replace(s, "T", "Y", 1), "win", "ard", 1)
			segments[i] = strings.Replace(segments[i], "tard", "yard", 1)
		}
	}
	path = strings.Join(segments, "/")
	if !asked {
		return path
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, given := strings.Cut(pair, "=")
		name = strings.Replace(name, "%24", "$", 1)
		if slices.Contains([]string{"$orderBy", "$orderby", "$filter", "$select"}, name) {
			value = strings.NewReplacer("displayName", "label", "type", "kind").Replace(value)
		}
		if pairs[i] = gardenName(gardenQuery, name); given {
			pairs[i] += "=" + value
		}
	}
	return path + "?" + strings.Join(pairs, "&")
}

func gardenRequest(text string) string {
	head, body, hasBody := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	at := 0
	if strings.HasPrefix(lines[0], "as ") {
		at = 1
	}
	method, target, _ := strings.Cut(lines[at], " ")
	lines[at] = method + " " + gardenPath(target)
	for i := range lines[at+1:] {
		lines[at+1+i] = strings.Replace(lines[at+1+i], "X-Twin-Query-Scope:", "X-Garden-Query-Scope:", 1)
	}
	if !hasBody {
		return strings.Join(lines, "\n")
	}
	if !sendsModel(head) {
		body = gardenBody(body)
	}
	return strings.Join(lines, "\n") + "\n\n" + body
}

// sendsModel reports whether a request sends a 3D model, whose words and numbers are those of its format.
func sendsModel(head string) bool { return strings.Contains(head, "\nContent-Type: model/") }

var address = regexp.MustCompile(`https://api\.test/[^\s"]*`)

func gardenAnswer(text string) string {
	head, body, hasBody := strings.Cut(text, "\n\n")
	head = strings.Replace(head, "Continuation-Token:", "Onward-Token:", 1)
	body = strings.ReplaceAll(body, "'X-Twin-Query-Scope'", "'X-Garden-Query-Scope'")
	text = head
	if hasBody {
		text += "\n\n" + gardenBody(body)
	}
	return address.ReplaceAllStringFunc(text, gardenPath)
}

// gardenBody rewrites JSON name by name; what is no JSON stays.
func gardenBody(body string) string {
	d := stdjson.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var b bytes.Buffer
	if err := gardenValue(d, &b, "", false); err != nil {
		return body
	}
	var out bytes.Buffer
	if err := stdjson.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return body
	}
	return out.String() + "\n\n"
}

// opaque are members whose values hold names that users choose.
var opaque = []string{"properties"}

func gardenValue(d *stdjson.Decoder, b *bytes.Buffer, in string, free bool) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := token.(stdjson.Delim)
	if !ok {
		if text, isText := token.(string); isText && !free {
			token = gardenText(in, text)
		}
		return gardenWrite(b, token)
	}
	b.WriteRune(rune(open))
	for n := 0; d.More(); n++ {
		if n > 0 {
			b.WriteByte(',')
		}
		within := in
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			within = name.(string)
			renamed := within
			if !free && !slices.Contains([]string{"error", "code", "message", "target", "details"}, within) {
				renamed = gardenName(gardenMembers, within)
			}
			if err := gardenWrite(b, renamed); err != nil {
				return err
			}
			b.WriteByte(':')
		}
		if err := gardenValue(d, b, within, free || slices.Contains(opaque, within)); err != nil {
			return err
		}
	}
	end, err := d.Token()
	if err == nil {
		b.WriteRune(rune(end.(stdjson.Delim)))
	}
	return err
}

func gardenWrite(b *bytes.Buffer, v any) error {
	e := stdjson.NewEncoder(b)
	text, _ := v.(string)
	e.SetEscapeHTML(strings.ContainsAny(text, "<>")) // as the messages that have them
	err := e.Encode(v)
	b.Truncate(b.Len() - 1)
	return err
}

var quotedName = regexp.MustCompile(`'[A-Za-z0-9_.$\[\]]+'`)

// gardenText is a text that is a value of a member.
func gardenText(in, text string) string {
	switch in {
	case "code":
		return gardenName(gardenCodes, text)
	case "target":
		return gardenTarget(text)
	case "href":
		return strings.NewReplacer("detectors/", "noses/", "/versions/", "/editions/").Replace(text)
	case "message":
		text = strings.NewReplacer("one of Account, Twin.", "one of Account, Garden.", "one of Account, Thing,", "one of Account, Bed,").Replace(text)
		return quotedName.ReplaceAllStringFunc(text, func(name string) string {
			if name = strings.Trim(name, "'"); !slices.Contains(twinsapi.Permissions(), name) {
				name = gardenTarget(name)
			}
			return "'" + name + "'"
		})
	case "eventTypes", "eventType", "scope", "class":
		return gardenName(gardenWords, text)
	}
	return text
}

func gardenTarget(target string) string {
	names := maps.Clone(gardenMembers)
	maps.Copy(names, gardenQuery)
	pieces := regexp.MustCompile(`[A-Za-z0-9_$]+|[^A-Za-z0-9_$]+`).FindAllString(target, -1)
	for i, p := range pieces {
		pieces[i] = gardenName(names, p)
	}
	return strings.Join(pieces, "")
}

// TestTheDocumentSpeaksTheVocabulary holds the answers of all conversations, in the
// words of the garden, to the document in these words.
func TestTheDocumentSpeaksTheVocabulary(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	h := inTheGarden(t, newWorld(t).handler)
	raw := ask(h, "GET", "/openapi.json", "").Body.Bytes()
	c, err := contractOf(raw)
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]map[string]any)
	for path := range c.at("paths") {
		for method := range c.at("paths", path) {
			o := c.at("paths", path, method)
			byName[o["operationId"].(string)] = o
		}
	}
	checked := 0
	for _, s := range everyScenario(t) {
		for _, st := range s.steps {
			_, method, target := requestLine(gardenRequest(st.request))
			o, ok := h.OperationOf(request(method, target))
			status, rest, _ := strings.Cut(gardenAnswer(st.answer), "\n")
			_, body, _ := strings.Cut(rest, "\n\n")
			var v any
			if !ok || stdjson.Unmarshal([]byte(body), &v) != nil {
				continue
			}
			if byName[o.ID] == nil || byName[o.ID]["responses"].(map[string]any)[status] == nil {
				t.Fatalf("%s, %s: %s %s %q", s.path, st.title, o.ID, o.SpecID, status)
			}
			answer := c.resolve(byName[o.ID]["responses"].(map[string]any)[status].(map[string]any))
			schema := answer["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
			checked++
			for _, wrong := range c.wrong(schema, o.ID+" "+status, v) {
				t.Errorf("%s, %s: %s", s.path, st.title, wrong)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d answers were checked", checked)
	}
	for _, name := range []string{"twinId", "displayName\"", "twinNotFound", "InvalidTwinsRequest", "twins.twinCreated.v1", "/access-control", "vendor.twin-platform", "$top"} {
		if bytes.Contains(raw, []byte(name)) {
			at := bytes.Index(raw, []byte(name))
			t.Errorf("the document says %s: %s", name, raw[max(at-100, 0):min(at+100, len(raw))])
		}
	}
}
