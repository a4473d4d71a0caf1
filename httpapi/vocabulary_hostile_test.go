package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHostileBodiesUnderAVocabulary(t *testing.T) {
	t.Parallel()
	h := inTheGarden(t, newTwinsWorld(t))
	for name, tt := range map[string]struct {
		body   string
		status int
		want   string // in the answer
	}{
		"an escaped name":                  {`{"\u006cabel": "Escaped", "class": "Bed"}`, 201, `"label":"Escaped"`},
		"an escaped word":                  {`{"label": "Word", "class": "\u0042ed"}`, 201, `"class":"Bed"`},
		"a name twice":                     {`{"label": "A", "label": "B", "class": "Bed"}`, 422, "holds a property twice"},
		"a name twice, once escaped":       {`{"label": "A", "\u006cabel": "B", "class": "Bed"}`, 422, "holds a property twice"},
		"a name twice, in two cases":       {`{"label": "A", "LABEL": "B", "class": "Bed"}`, 422, "holds a property twice"},
		"the specification's name beside":  {`{"label": "Beside", "displayName": "B", "class": "Bed"}`, 422, "did you mean 'label'?"},
		"the specification's name alone":   {`{"displayName": "B", "class": "Bed"}`, 422, `"target":"displayName"`},
		"that in other letters":            {`{"DISPLAYNAME": "B", "class": "Bed"}`, 422, `"target":"DISPLAYNAME"`},
		"that with escapes":                {`{"display\u004eame": "B", "class": "Bed"}`, 422, `"target":"display`},
		"the specification's word":         {`{"label": "A", "class": "Thing"}`, 422, "'Thing' is not one of the documented values."},
		"a word that nobody has":           {`{"label": "A", "class": "Shed"}`, 422, "one of Account, Bed, Endeavor."},
		"user data that looks like a name": {`{"label": "twinId", "class": "Bed", "number": "displayName"}`, 201, `"label":"twinId"`},
		"a wrong type":                     {`{"label": 1, "class": "Bed"}`, 422, "The value of 'label' must be a string."},
		"no JSON":                          {`{"label": `, 422, "not valid JSON"},
		"no object":                        {`["label"]`, 422, "not a JSON object"},
		"bytes that are no UTF-8":          {"{\"label\": \"\xff\"}", 422, "not valid UTF-8"},
		"half a character":                 {`{"\ud800": 1, "label": "A"}`, 422, "not valid UTF-8"},
		"half a character as a word":       {`{"class": "\ud800", "label": "A"}`, 422, "not valid UTF-8"},
		"too deep":                         {strings.Repeat(`{"label":`, 40) + "1" + strings.Repeat("}", 40), 422, "nested too deeply"},
		"too many values":                  {`{"label":[` + strings.Repeat("1,", 60_000) + `1]}`, 422, "too many values"},
		"too large":                        {`{"label": "` + strings.Repeat("a", 2<<20) + `"}`, 413, "RequestTooLarge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ask(h, "POST", "/gardens", tt.body, "Authorization: ", "Authorization: Bearer admin")
			checkAnswer(t, w)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("answered with %d %.300s; want %d with %s", w.Code, w.Body, tt.status, tt.want)
			}
		})
	}
}

// Whatever is sent, the answer is a documented one, and nothing panics.
func FuzzBodiesUnderAVocabulary(f *testing.F) {
	for _, body := range []string{
		`{"label": "A", "class": "Bed"}`, `{"\u006cabel": {"label": [1, "Thing"]}}`, `{"gardenId": "x", "kind": "Work", "_paths": null}`,
		`{"id":"a","name":"b","kind":"Work","displayName":1}`, `{"ringAt":"https://a.example","eventTypes":["gate.guestAdded.v1","twins.twinCreated.v1"],"scope":"Garden"}`,
	} {
		f.Add(body)
	}
	worlds := []struct{ path, caller string }{{"/gardens", "admin"}, {"/seasons/plan/chores", "writer"}, {"/bells", "admin"}, {"/soil", "admin"}, {"/plots", "admin"}}
	h := inTheGarden(f, newWorld(f).handler)
	f.Fuzz(func(t *testing.T, body string) {
		for _, to := range worlds {
			w := ask(h, "POST", to.path, body, "Authorization: ", "Authorization: Bearer "+to.caller)
			checkAnswer(t, w)
			if w.Code == 500 {
				t.Errorf("%s answers %d %s", to.path, w.Code, w.Body)
			}
		}
	})
}

// An event that is delivered in other words and translated back is unchanged.
func FuzzDeliveriesComeBack(f *testing.F) {
	events, err := garden(f).Deliveries()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"content":{"twinClass":"Thing","modelId":"twinId"},"eventType":"twins.twinCreated.v1","enqueuedDateTime":"x","twinId":"t","messageId":"m","webhookId":"w"}`))
	f.Add([]byte(`{"content":{"twinId":{"twinId":[{"twinId":1}]}},"eventType":["twins.twinCreated.v1"],"more":"twins.twinCreated.v1"}`))
	f.Add([]byte(`{"a\"b":"\\","twinId" : "\u0074" , "content" : { } }`))
	f.Add([]byte(`"twinId`))
	f.Add([]byte(`}]{,"twinId`))
	f.Fuzz(func(t *testing.T, body []byte) {
		written := events.Write(body)
		for _, other := range []string{"garden", "plot", "gate.", "Bed", "Garden", `\u`} {
			if bytes.Contains(body, []byte(other)) {
				return // it speaks the other side's words already, or spells its own
			}
		}
		if stdjson.Valid(body) != stdjson.Valid(written) {
			t.Errorf("%q is delivered as %q", body, written)
		}
		if back := events.Read(written); stdjson.Valid(body) && !bytes.Equal(back, body) {
			t.Errorf("it comes back otherwise (-sent +back):\n%s", cmp.Diff(string(body), string(back)))
		}
	})
}
