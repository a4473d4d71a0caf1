package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// encoded is v as encoding/json writes it without escapes for HTML.
func encoded(t *testing.T, v any) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatalf("encoding/json refuses %v: %v", v, err)
	}
	return spelled(string(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))))
}

// spelled is a text in which U+FFFD is itself. For bytes that are no UTF-8 encoding/json has
// written an escape until Go 1.26, and writes the character since.
func spelled(text string) string { return strings.ReplaceAll(text, `\ufffd`, "\ufffd") }

var texts = []string{
	"", "plain", `a "quoted" \ word`, "\x00\x01\x1f\x7f", "\b\f\n\r\t", "<a href='?x=1&y=2'>", "grün, 木, 🙂",
	"before \xff after", "\xc3", "\xed\xa0\x80", "\ufffd", "a\u2028b\u2029c", "é\"", "\x80\"",
}

func TestStringsAreWrittenAsTheEncoderWritesThem(t *testing.T) {
	t.Parallel()
	for _, s := range texts {
		if diff := cmp.Diff("["+encoded(t, s), spelled(string(wire.AppendString([]byte("["), s)))); diff != "" {
			t.Errorf("the string %q (-encoding/json +wire):\n%s", s, diff)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if want, got := encoded(t, s), spelled(string(wire.AppendString(nil, s))); got != want {
			t.Errorf("the string %q is written as %s, want %s", s, got, want)
		}
	})
}

func FuzzAppend(f *testing.F) {
	for _, v := range []string{`null`, `[1,2.5,"<&>"]`, `{"a":{"b":[]},"c":"\u2028"}`} {
		f.Add([]byte(v))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		got, err := wire.Append([]byte("x="), v)
		if want := "x=" + encoded(t, v); err != nil || spelled(string(got)) != want {
			t.Errorf("%v is written as %s, %v, want %s", v, got, err, want)
		}
	})
}

func TestWhatCannotBeWrittenLeavesTheTextAsItWas(t *testing.T) {
	t.Parallel()
	b, err := wire.Append([]byte("before"), map[string]any{"a": 1, "b": func() {}})
	if err == nil || string(b) != "before" {
		t.Errorf("Append of a function gives %q, %v, want %q and an error", b, err, "before")
	}
}

func BenchmarkAppendString(b *testing.B) {
	for name, s := range map[string]string{"plain": "Concrete level 3, axis A to F", "unicode": "Träger für Geschoß 3"} {
		b.Run(name, func(b *testing.B) {
			buf := make([]byte, 0, 64)
			for b.Loop() {
				buf = wire.AppendString(buf[:0], s)
			}
		})
	}
}
