package importing

import (
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// HashOf detects whether something is the same as before. It is of what encoding/json writes.
func HashOf(content any) string { return hashAs(content, "") }

// hashAs is HashOf, and had itself where that is the hash.
func hashAs(content any, had string) string {
	var room [1 << 10]byte
	f, _ := content.(*Facts)
	data, err := f.list()
	if f == nil {
		data, err = appendContent(room[:0], content)
	}
	if err != nil { // a number that is none
		data = []byte(fmt.Sprint(content))
	}
	return digest(data, had)
}

// A hash has so many bytes, and so many characters in texts.
const (
	hashBytes  = 12
	hashLength = 16
)

// digest is the hash of some bytes, and had itself where that is it.
func digest(data []byte, had string) string {
	var hash [hashLength]byte
	sum := sha256.Sum256(data)
	base64.RawURLEncoding.Encode(hash[:], sum[:hashBytes])
	if string(hash[:]) == had {
		return had
	}
	return string(hash[:])
}

// Facts are what a file has of an item, which most plans have many of: the list as
// encoding/json writes it, put together without one.
type Facts struct{ json []byte }

// list is all of them.
func (f *Facts) list() ([]byte, error) {
	if f == nil {
		return nil, nil
	}
	f.json[0] = '['
	return append(f.json, ']'), nil
}

// newFacts begins with the facts of another item: those before are no longer needed.
func (d *Diff) newFacts() *Facts {
	d.facts.json = d.facts.json[:0]
	return &d.facts
}

// Text adds a text.
func (f *Facts) Text(s string) *Facts {
	f.json = appendText(append(f.json, ','), s)
	return f
}

// Number adds a number.
func (f *Facts) Number(n int32) *Facts {
	f.json = strconv.AppendInt(append(f.json, ','), int64(n), 10)
	return f
}

// Seconds adds a duration, of which there may be none.
func (f *Facts) Seconds(n *int32) *Facts {
	if n != nil {
		return f.Number(*n)
	}
	f.json = append(f.json, ",null"...)
	return f
}

// At adds a date.
func (f *Facts) At(at twinplatform.DateTime) *Facts {
	f.json = at.AppendJSON(append(f.json, ','))
	return f
}

// Member adds a value whose members are numbers that are some.
func (f *Facts) Member(v any) *Facts {
	f.json, _ = records.AppendEncoded(append(f.json, ','), v)
	return f
}

// appendContent appends what encoding/json writes, faster where it is what most of a plan says.
func appendContent(b []byte, content any) ([]byte, error) {
	switch v := content.(type) {
	case string:
		return appendText(b, v), nil
	case int32:
		return strconv.AppendInt(b, int64(v), 10), nil
	case *int32:
		if v != nil {
			return strconv.AppendInt(b, int64(*v), 10), nil
		}
	case twinplatform.DateTime:
		return v.AppendJSON(b), nil
	case []any:
		return appendList(b, v, appendContent)
	case []string:
		return appendList(b, v, func(b []byte, s string) ([]byte, error) { return appendText(b, s), nil })
	}
	if v := reflect.ValueOf(content); v.Kind() == reflect.String {
		_, own := content.(json.Marshaler)
		if _, ownText := content.(encoding.TextMarshaler); !own && !ownText {
			return appendText(b, v.String()), nil
		}
	}
	data, err := json.Marshal(content)
	return append(b, data...), err
}

func appendList[T any](b []byte, all []T, one func([]byte, T) ([]byte, error)) (_ []byte, err error) {
	if all == nil {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	for i, v := range all {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = one(b, v); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendText(b []byte, s string) []byte {
	if standsInJSON(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	data, _ := json.Marshal(s) // a text can always be written
	return append(b, data...)
}

// standsInJSON reports whether encoding/json writes a text as it is.
func standsInJSON(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s) && !strings.ContainsAny(s, "\u2028\u2029")
}
