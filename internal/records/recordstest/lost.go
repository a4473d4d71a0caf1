package recordstest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// lost says what of the lines before is not among the lines now, in their order.
// A line may have got members in its JSON objects, and date-times in them may have
// lost digits behind the third of a second.
func lost(before, now []string) string {
	at := 0
	for _, line := range before {
		parts := partsOf(line)
		from := at
		for at < len(now) && !holds(partsOf(now[at]), parts) {
			at++
		}
		if at == len(now) {
			next := "the end"
			if from < len(now) {
				next = now[from]
			}
			return fmt.Sprintf("before: %s\nnow:    %s", line, next)
		}
		at++
	}
	return ""
}

// partsOf takes a line apart into texts and JSON objects.
func partsOf(line string) (parts []any) {
	text := 0
	for at := 0; at < len(line); at++ {
		if line[at] != '{' {
			continue
		}
		decoder := json.NewDecoder(strings.NewReader(line[at:]))
		var object map[string]any
		if decoder.Decode(&object) != nil {
			continue
		}
		parts = append(parts, line[text:at], object)
		text = at + int(decoder.InputOffset())
		at = text - 1
	}
	return append(parts, line[text:])
}

// holds reports whether a value is another one with nothing taken away.
func holds(now, before any) bool {
	switch before := before.(type) {
	case map[string]any:
		object, ok := now.(map[string]any)
		for name, value := range before {
			member, has := object[name]
			ok = ok && has && holds(member, value)
		}
		return ok
	case []any:
		array, ok := now.([]any)
		ok = ok && len(array) == len(before)
		for i := range before {
			ok = ok && holds(array[i], before[i])
		}
		return ok
	case string:
		return now == before || sameMoment(now, before)
	}
	return reflect.DeepEqual(now, before)
}

// sameMoment reports whether a text is a date-time that another one gives to
// more digits: answers have given three since the first formats.
func sameMoment(now any, before string) bool {
	text, _ := now.(string)
	to, err := time.Parse(time.RFC3339Nano, text)
	from, err2 := time.Parse(time.RFC3339Nano, before)
	return err == nil && err2 == nil && to.Equal(from.Truncate(time.Millisecond))
}
