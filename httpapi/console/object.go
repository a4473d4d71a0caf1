package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// object is a record of the API. Numbers are as they are written.
type object map[string]any

// at is what is at a path of members, such as _links.twin.href; nil where nothing does.
func (o object) at(path string) any {
	var v any = map[string]any(o)
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// text is what is at a path, as people read it.
func (o object) text(path string) string { return textOf(o.at(path)) }

// object is the object at a path; empty where there is none.
func (o object) object(path string) object {
	m, _ := o.at(path).(map[string]any)
	return m
}

// is reports whether the member at a path is true.
func (o object) is(path string) bool { v, _ := o.at(path).(bool); return v }

// int is a whole number, 0 where there is none.
func (o object) int(path string) int64 {
	n, _ := o.at(path).(json.Number)
	i, _ := strconv.ParseInt(n.String(), 10, 64)
	return i
}

// objects are those of a list.
func (o object) objects(path string) (list []object) {
	all, _ := o.at(path).([]any)
	for _, v := range all {
		if m, ok := v.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// textOf is a value as people read it: times as 2 Jan 2026 15:04, in UTC as the API has
// them, and what is no single value as JSON.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return momentOf(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		return v.String()
	case []any:
		return listOf(v)
	case map[string]any:
		if name, ok := v["displayName"].(string); ok {
			return name
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// listOf is a list of single values, or of what has names, with commas; any other is JSON.
func listOf(list []any) string {
	words := make([]string, len(list))
	for i, v := range list {
		o, isObject := v.(map[string]any)
		_, isList := v.([]any)
		if isList || isObject && object(o).text("displayName") == "" {
			b, err := json.Marshal(list)
			if err != nil {
				return ""
			}
			return string(b)
		}
		words[i] = textOf(v)
	}
	return strings.Join(words, ", ")
}

// momentOf is a text, or the time that it is.
func momentOf(s string) string {
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' || s[len(s)-1] != 'Z' {
		return s
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	if t.Second() != 0 {
		return t.Format("2 Jan 2006 15:04:05")
	}
	return t.Format("2 Jan 2006 15:04")
}

// indented is an answer of the API as it is, in lines. Its numbers are exact.
func indented(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// moment is a time of the API; the zero time for what is none.
func (o object) moment(path string) time.Time {
	text, _ := o.at(path).(string)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// ago is how long it is since a time, in the largest unit; empty where there is none.
func (r *request) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	passed := max(r.console.cfg.API.Env.WithDefaults().Now().Sub(t), 0)
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}} {
		if passed >= unit.of {
			return fmt.Sprintf("%d %s ago", passed/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%d s ago", passed/time.Second)
}
