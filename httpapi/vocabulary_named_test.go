package httpapi_test

import (
	stdjson "encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// renamed is the vocabulary that calls each member and each parameter otherwise.
func renamed() (v httpapi.Vocabulary, members, parameters map[string]bool) {
	v.Members, v.Query = make(map[string]string), make(map[string]string)
	members, parameters = make(map[string]bool), make(map[string]bool)
	for _, n := range httpapi.VocabularyNames() {
		switch n.Table {
		case "members":
			v.Members[n.Name], members[n.Name] = second+n.Name, true
		case "query":
			v.Query[n.Name], parameters[n.Name] = second+n.Name, true
		}
	}
	return v, members, parameters
}

// inRenamed is a request with the names of the deployment. What it has of those of the
// specification are values.
func inRenamed(request string, members, parameters map[string]bool) string {
	request = askedBySeconds(request, members)
	head, rest, _ := strings.Cut(request, "\n\n")
	lines := strings.Split(head, "\n")
	at := 0
	if strings.HasPrefix(lines[0], "as ") {
		at = 1
	}
	target, query, asked := strings.Cut(lines[at], "?")
	if asked {
		pairs := strings.Split(query, "&")
		for i, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			if name = strings.Replace(name, "%24", "$", 1); parameters[name] {
				pairs[i] = second + name + "=" + value
			}
		}
		lines[at] = target + "?" + strings.Join(pairs, "&")
	}
	return strings.Join(lines, "\n") + "\n\n" + rest
}

var (
	namesInMessages = regexp.MustCompile(`'([$\w.\[\]-]+)'`)
	humps           = regexp.MustCompile(`\b[a-z]+[A-Z]\w*\b`)
)

// No message of any conversation names a member or a parameter as the specification does
// where the deployment calls it otherwise, whether it is the one at fault or not.
func TestMessagesNameMembersInTheWordsOfTheDeployment(t *testing.T) {
	if *update {
		t.Skip("the conversations are written in the specification's words")
	}
	t.Parallel()
	v, members, parameters := renamed()
	var messages, naming atomic.Int64
	t.Cleanup(func() {
		if naming.Load() < testsize.Of[int64](200, 15) {
			t.Errorf("%d of %d messages named something", naming.Load(), messages.Load())
		}
	})
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
				var c conversation
				for _, st := range s.steps {
					request := inRenamed(st.request, members, parameters)
					w := c.send(t, h, request)
					c.shown(t, w)
					if w.Code < http.StatusBadRequest {
						continue
					}
					for _, message := range messagesIn(w.Body.Bytes()) {
						messages.Add(1)
						if strings.Contains(message, second) {
							naming.Add(1)
						}
						for _, found := range namesInMessages.FindAllStringSubmatch(message, -1) {
							if strings.Contains(message, "the category "+found[0]) || strings.Contains(message, "the code "+found[0]) {
								continue // an id that is spelled as a member
							}
							first, _, _ := strings.Cut(found[1], ".")
							first, _, _ = strings.Cut(first, "[")
							if (members[first] || parameters[first]) && !strings.Contains(request, found[1]) {
								t.Errorf("%s: %q names %s", st.title, message, found[1])
							}
						}
						for _, word := range humps.FindAllString(namesInMessages.ReplaceAllString(message, ""), -1) {
							if members[word] || parameters[word] {
								t.Errorf("%s: %q names %s, and does not quote it", st.title, message, word)
							}
						}
					}
				}
			})
		}
	}
}

// A value that is spelled as a member stays a value.
func TestAValueThatEqualsAMemberIsQuotedAsItWasSent(t *testing.T) {
	t.Parallel()
	var v httpapi.Vocabulary
	v.Members = map[string]string{"displayName": "label", "number": "plot"}
	h, err := httpapi.Under(newTwinsWorld(t), v)
	if err != nil {
		t.Fatal(err)
	}
	var c conversation
	made := "as admin\nPOST /twins/\n\n" + `{"class": "Endeavor", "subClass": "Project", "plot": "label", "label": "displayName"}`
	if w := c.send(t, h, made); w.Code != http.StatusCreated {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	w := c.send(t, h, made)
	for _, want := range []string{"The value 'displayName' of 'label' is that of another twin of the account.", "The value 'label' of 'plot' is that of another twin of the account."} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d %s\nwant %s", w.Code, w.Body, want)
		}
	}
}

func messagesIn(body []byte) (all []string) {
	var answer struct {
		Error struct {
			Message string
			Details []struct{ Message string }
		}
	}
	if stdjson.Unmarshal(body, &answer) != nil {
		return nil
	}
	all = append(all, answer.Error.Message)
	for _, d := range answer.Error.Details {
		all = append(all, d.Message)
	}
	return all
}
