package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
)

// object is a JSON object.
type object = player.Object

// exchanged is an exchange in the specification's words.
type exchanged struct {
	*exchange

	operation    httpapi.Operation
	known        bool // there is such an operation
	sent, answer any  // bodies of JSON
	sentJSON     bool
	answerJSON   bool
	text         string // the body of the request, or that of the answer where it is no JSON
	answerText   string
}

// translated puts an exchange into the specification's words.
func translated(x *exchange, base string, interpreter *httpapi.Interpreter) (*exchanged, error) {
	req, err := http.NewRequest(x.method, base+x.target, bytes.NewReader(x.body.Bytes()))
	if err != nil {
		return nil, err
	}
	req.Header = x.header.Clone()
	res := &http.Response{
		StatusCode: x.status, Header: x.answered.Clone(),
		Body: io.NopCloser(bytes.NewReader(x.answer.Bytes())),
	}
	out := &exchanged{exchange: x}
	if out.operation, out.known, err = interpreter.Exchange(req, res); err != nil {
		return nil, err
	}
	sent, errSent := io.ReadAll(req.Body)
	answer, errAnswer := io.ReadAll(res.Body)
	if errSent != nil || errAnswer != nil {
		return nil, fmt.Errorf("reading what was kept: %w", errSent)
	}
	path := &exchange{caller: x.caller, method: x.method, header: req.Header, status: x.status, answered: res.Header}
	path.body.over, path.answer.over = x.body.over, x.answer.over
	below := strings.TrimPrefix(req.URL.String(), base)
	path.target = "/" + strings.TrimPrefix(below, "/")
	out.exchange = path
	out.sent, out.sentJSON = parsed(sent)
	out.answer, out.answerJSON = parsed(answer)
	out.text, out.answerText = string(sent), string(answer)
	return out, nil
}

func parsed(raw []byte) (v any, ok bool) {
	a := player.NewAnswer(0, nil, string(raw))
	return a.Body, a.JSON
}

// writable reports whether a body that is no JSON can be in a conversation.
func writable(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00") && !strings.Contains("\n"+text, "\n-- ")
}

// sentHeaders are the headers of requests that conversations have.
var sentHeaders = []string{
	"Content-Type", "If-Match", "If-None-Match", "Prefer", "Continuation-Token", "Delta-Token", "X-Twin-Query-Scope",
	"Page-Size", "X-Max-Return",
	"Tus-Resumable", "Upload-Length", "Upload-Offset", "Upload-Metadata", "Range",
}

// scribe writes a session as conversations: what the servers chose gets names.
type scribe struct {
	base    string // of the deployment
	secrets *secrets
	callers map[string]string // names of callers by their credentials
	order   []string          // of the callers, as they came
	world   map[string]bool   // ids that the seed has
	sent    map[string]bool   // texts that clients sent
	names   map[string]string // names by what the server chose
	count   map[string]int
}

// caller is the name of one.
func (s *scribe) caller(credentials string) string {
	if credentials == "" {
		return Anonymous
	}
	name, ok := s.callers[credentials]
	if !ok {
		if name = "writer"; len(s.callers) > 0 {
			name = fmt.Sprintf("caller-%d", len(s.callers)+1)
		}
		s.callers[credentials] = name
		s.order = append(s.order, credentials)
	}
	return name
}

// step is an exchange as a conversation has it.
func (s *scribe) step(n int, x *exchanged) transcript.Step {
	var b strings.Builder
	if name := s.caller(x.caller); name != "writer" {
		fmt.Fprintf(&b, "as %s\n", name)
	}
	fmt.Fprintf(&b, "%s %s\n", x.method, s.requested(s.secrets.address(x.target)))
	for _, name := range sentHeaders {
		if v := x.header.Get(name); v != "" && (name != "Content-Type" || x.text != "" && !x.sentJSON) {
			fmt.Fprintf(&b, "%s: %s\n", name, s.named(s.secrets.cleaned(v)))
		}
	}
	b.WriteString("\n")
	switch {
	case x.sentJSON:
		s.noted(x.sent)
		b.WriteString(indented(s.filled(x.sent)) + "\n")
	case x.text != "":
		b.WriteString(strings.TrimSuffix(s.secrets.cleaned(x.text), "\n") + "\n")
	}
	return transcript.Step{Title: fmt.Sprintf("%d %s", n, x.operation.ID), Request: b.String(), Answer: s.answered(x)}
}

// answered is the answer of a step.
func (s *scribe) answered(x *exchanged) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", x.status)
	for _, name := range player.Headers {
		v := x.answered.Get(name)
		if v == "" {
			continue
		}
		switch v = s.secrets.cleaned(v); {
		case player.Latest[http.CanonicalHeaderKey(name)] == "{{etag}}":
			v = s.name("etag", v)
		case player.Latest[http.CanonicalHeaderKey(name)] != "":
			v = s.name("next", v)
		case name == "Operation-Id":
			v = s.name("id", v)
		case strings.HasSuffix(name, "Location"):
			v = s.link(v)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, v)
	}
	b.WriteString("\n")
	switch {
	case x.method == http.MethodHead || x.answerText == "":
	case x.answer == nil && x.answerJSON:
		b.WriteString("null\n\n")
	case x.answerJSON && !x.exchange.answer.over:
		b.WriteString(indented(s.chosen("", x.answer)) + "\n\n")
	default:
		b.WriteString(player.AnyBody + "\n\n")
	}
	return b.String()
}

func indented(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // it was decoded
	return strings.TrimSpace(b.String())
}

// name returns the placeholder of a value that the server chose, such as {{id-1}}, the same
// one each time.
func (s *scribe) name(kind, value string) string {
	if name, ok := s.names[value]; ok {
		return name
	}
	s.count[kind]++
	name := fmt.Sprintf("{{%s-%d}}", kind, s.count[kind])
	s.names[value] = name
	return name
}

// named is a value by its name, if it has one.
func (s *scribe) named(value string) string {
	if name, ok := s.names[value]; ok {
		return name
	}
	return value
}

// requested is an address with names.
func (s *scribe) requested(target string) string {
	path, query, asked := strings.Cut(target, "?")
	segments := strings.Split(path, "/")
	for i := range segments {
		plain := player.Unescaped(segments[i])
		if name := s.named(plain); name != plain {
			segments[i] = name
		}
		s.sent[plain] = true
	}
	if path = strings.Join(segments, "/"); !asked {
		return path
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		values := strings.Split(value, ",")
		for j, v := range values {
			s.sent[player.Unescaped(v)] = true
			if as := s.named(player.Unescaped(v)); as != player.Unescaped(v) {
				values[j] = as
			}
		}
		pairs[i] = name + "=" + strings.Join(values, ",")
	}
	return path + "?" + strings.Join(pairs, "&")
}

// noted remembers the texts of a body.
func (s *scribe) noted(v any) {
	switch v := v.(type) {
	case object:
		for _, inside := range v {
			s.noted(inside)
		}
	case []any:
		for _, inside := range v {
			s.noted(inside)
		}
	case string:
		s.sent[v] = true
	}
}

// filled is a body of a request with names.
func (s *scribe) filled(v any) any {
	switch v := v.(type) {
	case object:
		out := make(object, len(v))
		for name, inside := range v {
			out[name] = s.filled(inside)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inside := range v {
			out[i] = s.filled(inside)
		}
		return out
	case string:
		return s.named(v)
	}
	return v
}

// chosen is a body of an answer with names for what the server chose.
func (s *scribe) chosen(member string, v any) any {
	switch v := v.(type) {
	case object:
		out := make(object, len(v))
		for name, inside := range v {
			out[name] = s.chosen(name, inside)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inside := range v {
			out[i] = s.chosen(member, inside)
		}
		return out
	case string:
		return s.chose(member, v)
	}
	return v
}

func (s *scribe) chose(member, text string) string {
	switch {
	case s.names[text] != "":
		return s.names[text]
	case s.sent[text] || s.world[text]:
		return text
	case player.IsMoment(text):
		if player.Momentary.MatchString(member) {
			return player.AnyMoment
		}
		return text
	case player.IsAddress(text), member == "href":
		return s.link(text)
	case secretive(member) && strings.HasPrefix(text, "hidden-"):
		return s.name("secret", text)
	case player.Generated(text) && (strings.EqualFold(member, "id") || !strings.Contains(text, " ")):
		return s.name("id", text)
	}
	return text
}

// link is an address that an answer has.
func (s *scribe) link(at string) string {
	below, ours := strings.CutPrefix(at, s.base)
	if !ours && player.IsAddress(at) {
		return "{{address}}"
	}
	path, query, asked := strings.Cut(below, "?")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		plain := player.Unescaped(segment)
		switch {
		case s.names[plain] != "":
			segments[i] = s.names[plain]
		case player.Generated(plain) && !s.sent[plain] && !s.world[plain]:
			segments[i] = s.name("id", plain)
		}
	}
	if below = strings.Join(segments, "/"); asked {
		pairs := strings.Split(query, "&")
		for i, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			value = player.Unescaped(value)
			switch {
			case s.names[value] != "":
				pairs[i] = name + "=" + s.names[value]
			case player.ListToken.MatchString(name):
				pairs[i] = name + "=" + s.name("next", value)
			}
		}
		below += "?" + strings.Join(pairs, "&")
	}
	if ours {
		return player.Base + below
	}
	return below
}

// worth are the exchanges that a conversation is made of, and how many are left out and why.
func worth(all []*exchanged) (kept []*exchanged, out map[string]int) {
	out = make(map[string]int)
	polled := make(map[string]*exchanged)
	for _, x := range all {
		switch {
		case x.method == http.MethodOptions && !x.known:
			out["questions of browsers"]++
		case x.status == http.StatusTooManyRequests || x.status >= 500:
			out["answers of a server that could not"]++
		case !x.known && x.status < 400:
			out["requests for unknown operations"]++
		case x.body.over || x.text != "" && !x.sentJSON &&
			!writable(x.text), x.header.Get("Upload-Length") != "", x.header.Get("Upload-Offset") != "":
			out["requests with bodies that are too large, or no text"]++
		default:
			if strings.HasPrefix(x.operation.ID, "operations.get") || strings.HasSuffix(x.operation.ID, ".progress") {
				if before := polled[x.target]; before != nil { // the last one shows how it ended
					kept = slices.DeleteFunc(kept, func(k *exchanged) bool { return k == before })
				}
				polled[x.target] = x
			}
			kept = append(kept, x)
		}
	}
	return kept, out
}
