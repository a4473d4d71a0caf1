package vocabulary

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// linesIn says on which lines of a valid text of JSON its members and elements begin, by
// their paths.
func linesIn(raw []byte) map[string]int {
	l := lineReader{json.NewDecoder(bytes.NewReader(raw)), raw, make(map[string]int)}
	l.value("")
	return l.at
}

type lineReader struct {
	*json.Decoder

	raw []byte
	at  map[string]int
}

// note keeps the line of what was read last.
func (l lineReader) note(path string) {
	l.at[path] = 1 + bytes.Count(l.raw[:l.InputOffset()], []byte{'\n'})
}

func (l lineReader) value(path string) {
	token, err := l.Token()
	open, ok := token.(json.Delim)
	if text, is := token.(string); is {
		l.note(path + "=" + text)
	}
	if err != nil || !ok {
		return
	}
	for l.More() {
		below := path
		if open == '{' {
			name, err := l.Token()
			if err != nil {
				return
			}
			below = name.(string)
			if path != "" {
				below = path + "." + below
			}
			l.note(below)
		}
		l.value(below)
	}
	_, _ = l.Token()
}

// at is where an entry of a table is in the file that the vocabulary was read from, for
// the beginning of an error about it.
func (v Vocabulary) at(table, name string) string {
	for _, path := range []string{table + "." + name, table + "=" + name} {
		if line, ok := v.lines[path]; ok {
			return fmt.Sprintf("line %d: ", line)
		}
	}
	return ""
}
