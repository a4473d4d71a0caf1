package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
)

// spellings write what a body says in other ways that JSON has for it.
var spellings = map[string]func(*respelling){
	"numbers with a fraction of zero": func(r *respelling) { r.number = func(n string) string { return n + ".0" } },
	"numbers with an exponent": func(r *respelling) {
		r.number = func(n string) string {
			digits := strings.TrimRight(n, "0")
			if digits == "" || digits == "-" {
				return n + "e5"
			}
			return fmt.Sprintf("%sE+%d", digits, len(n)-len(digits))
		}
	},
	"numbers in tenths": func(r *respelling) {
		r.number = func(n string) string {
			sign, digits := "", n
			if n[0] == '-' {
				sign, digits = "-", n[1:]
			}
			return sign + "0." + digits + "e" + strconv.Itoa(len(digits))
		}
	},
	"escaped texts and names": func(r *respelling) {
		r.text = func(s string) string {
			b := new(strings.Builder)
			for _, unit := range utf16.Encode([]rune(s)) {
				fmt.Fprintf(b, `\u%04x`, unit)
			}
			return `"` + b.String() + `"`
		}
	},
	"members in reverse": func(r *respelling) { r.reverse = true },
	"wide space":         func(r *respelling) { r.space = "\r\n\t " },
}

// respelling writes a value again.
type respelling struct {
	number, text func(string) string
	reverse      bool
	space        string
}

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

func (r *respelling) write(t *testing.T, b *strings.Builder, value stdjson.RawMessage) {
	t.Helper()
	b.WriteString(r.space)
	defer b.WriteString(r.space)
	switch value[0] {
	case '{', '[':
		members := membersOf(t, value)
		b.WriteByte(value[0])
		for i := range members {
			m := members[i]
			if i > 0 {
				b.WriteByte(',')
			}
			if value[0] == '{' {
				if r.reverse {
					m = members[len(members)-1-i]
				}
				r.write(t, b, stdjson.RawMessage(strconv.Quote(m.name)))
				b.WriteByte(':')
			}
			r.write(t, b, m.value)
		}
		b.WriteByte(value[len(value)-1])
	case '"':
		var s string
		if err := stdjson.Unmarshal(value, &s); err != nil {
			t.Fatal(err)
		}
		if r.text != nil {
			value = stdjson.RawMessage(r.text(s))
		}
		b.Write(value)
	default:
		if r.number != nil && integer.Match(value) {
			value = stdjson.RawMessage(r.number(string(value)))
		}
		b.Write(value)
	}
}

// TestConversationsInOtherSpellings holds every conversation with bodies that say the same in
// other ways: each answer is the one to the body as it was.
func TestConversationsInOtherSpellings(t *testing.T) {
	if *update {
		t.Skip("the conversations are written in the usual spelling")
	}
	t.Parallel()
	for name, spell := range spellings {
		for folder, world := range worlds {
			for id, s := range scenariosIn(t, folder) {
				if !inSample(name + id) {
					continue
				}
				t.Run(name+"/"+id, func(t *testing.T) {
					t.Parallel()
					var r respelling
					spell(&r)
					if !s.respell(t, &r) {
						return
					}
					h := world(t)
					var c conversation
					for _, st := range s.steps {
						got := c.shown(t, c.send(t, h, st.request))
						if !strings.HasPrefix(st.answer, "2") {
							// A refusal may show what was sent, and which of several faults came first.
							st.answer, got = st.answer[:3], got[:3]
						}
						if diff := cmp.Diff(inDigits(st.answer), inDigits(got)); diff != "" {
							t.Fatalf("%s: answer (-want +got):\n%s\nto %s", st.title, diff, st.request)
						}
					}
				})
			}
		}
	}
}

// lineOfNumber is a number in an answer as conversations show it.
var lineOfNumber = regexp.MustCompile(`(?m)( )(-?[0-9][0-9.]*(?:[eE]\+?[0-9]+)?)(,?)$`)

// inDigits is an answer with its integers in digits: what may be anything, such as a property
// of a form, is answered as it was sent.
func inDigits(answer string) string {
	return lineOfNumber.ReplaceAllStringFunc(strings.TrimSpace(answer), func(line string) string {
		parts := lineOfNumber.FindStringSubmatch(line)
		f, err := strconv.ParseFloat(parts[2], 64)
		if err != nil || f != float64(int64(f)) {
			return line
		}
		return parts[1] + strconv.FormatInt(int64(f), 10) + parts[3]
	})
}

// respell writes the bodies of a conversation again, and reports whether any is another
// one.
func (s *scenario) respell(t *testing.T, r *respelling) (changed bool) {
	t.Helper()
	for i := range s.steps {
		st := &s.steps[i]
		head, body, _ := strings.Cut(st.request, "\n\n")
		_, method, _ := requestLine(st.request)
		body = conversations.Pictures(strings.TrimSpace(body))
		var tight bytes.Buffer
		if method == http.MethodGet || body == "" || sendsModel(head) || stdjson.Compact(&tight, []byte(body)) != nil {
			continue
		}
		b := new(strings.Builder)
		r.write(t, b, tight.Bytes())
		changed = changed || b.String() != tight.String()
		st.request = head + "\n\n" + b.String()
	}
	return changed
}
