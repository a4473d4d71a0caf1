package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
)

// headerName is one that a recorded answer has a value of. What else has a colon in its
// first line is a body that is no JSON.
var headerName = regexp.MustCompile(`^[A-Z][A-Za-z]*(-[A-Z][A-Za-z0-9]*)*$`)

// tokens are the headers that later requests refer to, with the placeholders of their values.
var tokens = map[string]string{"Continuation-Token": "{{next}}", "Onward-Token": "{{next}}", "Delta-Token": "{{delta}}", "ETag": "{{etag}}"}

// differs reports how an answer differs from the recorded one; empty when it does not.
func (r *replay) differs(recorded string, a *answer) string {
	status, rest, _ := strings.Cut(strings.TrimSpace(recorded), "\n")
	if strconv.Itoa(a.status) != status {
		return fmt.Sprintf("status %d, and %s is recorded", a.status, status)
	}
	for {
		line, behind, _ := strings.Cut(rest, "\n")
		name, want, ok := strings.Cut(line, ": ")
		if !ok || !headerName.MatchString(name) {
			break
		}
		rest = behind
		came := a.header.Get(name)
		if name == "Content-Type" {
			came, _, _ = strings.Cut(came, ";")
			want, _, _ = strings.Cut(want, ";")
		}
		if why := r.text(want, came); why != "" {
			return fmt.Sprintf("header %s: %s", name, why)
		}
	}
	for header, placeholder := range tokens {
		if v := a.header.Get(header); v != "" {
			r.latest[placeholder] = v
		}
	}
	var want any
	if rest = strings.TrimSpace(rest); json.Unmarshal([]byte(rest), &want) != nil {
		if rest != strings.TrimSpace(a.raw) {
			return "the body is recorded as " + rest
		}
		return ""
	}
	return r.value("body", want, any(a.body))
}

// value reports how a value differs from the recorded one.
func (r *replay) value(at string, want, came any) string {
	switch want := want.(type) {
	case object:
		got, ok := came.(object)
		if !ok {
			return fmt.Sprintf("%s: %s is no object", at, encoded(came))
		}
		return r.members(at, want, got)
	case []any:
		got, ok := came.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf("%s: %d entries are recorded, and %s came", at, len(want), encoded(came))
		}
		return r.entries(at, want, got)
	case string:
		if got, ok := came.(string); ok {
			if why := r.text(want, got); why != "" {
				return at + ": " + why
			}
			return ""
		}
	}
	if !alike(want, came) {
		return fmt.Sprintf("%s: %s is recorded, and %s came", at, encoded(want), encoded(came))
	}
	return ""
}

func (r *replay) members(at string, want, came object) string {
	_, coded := want["code"]
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, ok := came[name]
		if !ok && (slices.Contains(byCaller, name) || isFile(want[name])) {
			continue
		}
		if !ok {
			return fmt.Sprintf("%s: the member %s is missing", at, name)
		}
		if text, ok := got.(string); ok && text != "" && name == "message" && coded {
			continue // in words of the server's own
		}
		if want[name] == nil && slices.Contains(makers, name) {
			continue // the recording's world was made by the server itself
		}
		if (name == "displayName" || name == "email") && r.isCaller(want["id"]) {
			continue
		}
		if size, ok := got.(float64); ok && name == "size" && size >= 0 {
			continue // of what was uploaded
		}
		if moment := momentary.MatchString(name) && isMoment(want[name]) && isMoment(got); moment {
			continue
		}
		if why := r.value(at+"."+name, want[name], got); why != "" {
			return why
		}
	}
	for name := range came {
		if _, ok := want[name]; !ok && !slices.Contains(byCaller, name) {
			return fmt.Sprintf("%s: the member %s is not recorded", at, name)
		}
	}
	return ""
}

// entries compares lists, whose order may be another where the server gives the ids.
func (r *replay) entries(at string, want, came []any) string {
	before := maps.Clone(r.names)
	inOrder := ""
	for i := range want {
		if inOrder = r.value(fmt.Sprintf("%s.%d", at, i), want[i], came[i]); inOrder != "" {
			break
		}
	}
	if inOrder == "" || !r.unordered && !given.MatchString(encoded(want)) {
		return inOrder
	}
	for _, recorded := range [][]any{want, r.pages[at]} {
		if r.names = maps.Clone(before); r.within(at, recorded, came) {
			return ""
		}
	}
	r.names = before
	return inOrder
}

// within reports whether each entry that came is one of those that are recorded: of a list,
// or of all pages of it.
func (r *replay) within(at string, recorded, came []any) bool {
	rest := slices.Clone(recorded)
	for _, c := range came {
		i := slices.IndexFunc(rest, func(w any) bool {
			before := maps.Clone(r.names)
			if r.value(at, w, c) == "" {
				return true
			}
			r.names = before
			return false
		})
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// recordedLists are the entries of all lists in the answers of a conversation, by where they are.
func recordedLists(c *conversations.Conversation) map[string][]any {
	out := make(map[string][]any)
	for _, step := range c.Steps {
		var body object
		if _, text, _ := strings.Cut(step.Answer, "\n\n"); json.Unmarshal([]byte(text), &body) != nil {
			continue
		}
		for name, v := range body {
			if list, ok := v.([]any); ok {
				out["body."+name] = append(out["body."+name], list...)
			}
		}
	}
	return out
}

var (
	// given finds an id that the server gave when the conversation was recorded.
	given = regexp.MustCompile(`\b((new|seeded)-\d+|00000000-0000-4000-8000-\d{12}|\d{16}|[0-9a-f]{40})\b|\b[0-9a-f]{12}[.:]`)
	// givenAlone is nothing but such an id, or that of a caller.
	givenAlone = regexp.MustCompile(`^(` + given.String() + `|writer|admin|foreign|Owner|Admin|Acme|ACME|44444444-4444-4444-8444-444444444444|aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa)$`)
)

// text reports how a text differs from the recorded one. Addresses are compared part by
// part.
func (r *replay) text(want, came string) string {
	wrong := fmt.Sprintf("%q is recorded, and %q came", want, came)
	if isFile(want) && came == "" {
		return ""
	}
	if came == "" && want != "" {
		return wrong
	}
	if below, ok := strings.CutPrefix(want, "https://api.test"); ok {
		if came, ok = strings.CutPrefix(came, r.BaseURL); !ok || !r.address(below, came) {
			return wrong
		}
		return ""
	}
	if isFile(want) {
		if at, err := url.Parse(came); err != nil || !at.IsAbs() {
			return wrong
		}
		return ""
	}
	if !r.part(want, came) && (!strings.Contains(want, "/") || strings.Contains(want, " ") || !r.address(want, came)) {
		return wrong
	}
	return ""
}

// address reports whether a relative address stands for the recorded one.
func (r *replay) address(want, came string) bool {
	wanted, got := parts.FindAllString(want, -1), parts.FindAllString(came, -1)
	if len(wanted) != len(got) {
		return false
	}
	for i := range wanted {
		if parameter(wanted[i]) != parameter(got[i]) && !r.part(unescaped(wanted[i]), unescaped(got[i])) {
			return false
		}
	}
	return true
}

// parameter is one spelling of the name of a parameter that has two.
func parameter(name string) string {
	if name == "projectId" {
		return "twinId"
	}
	return strings.TrimPrefix(name, "$")
}

// part reports whether a name or a value stands for the recorded one.
func (r *replay) part(want, came string) bool {
	if want == came || strings.HasPrefix(want, "{{") {
		return true
	}
	if want == recordedAt {
		return isMoment(came)
	}
	if name, ok := r.names[want]; ok {
		return name == came
	}
	if givenAlone.MatchString(want) {
		r.names[want] = came
		return true
	}
	if at := given.FindStringIndex(want); at != nil {
		before, behind := want[:at[0]], want[at[1]:]
		rest, ok := strings.CutPrefix(came, before)
		id, closed := strings.CutSuffix(rest, behind)
		return ok && closed && r.part(want[at[0]:at[1]], id)
	}
	return false
}

// learn takes the ids of an answer to a part of the world under the names that the recording
// has for them.
func (r *replay) learn(want, came any) {
	switch want := want.(type) {
	case object:
		got, _ := came.(object)
		for name, v := range want {
			if id, ok := v.(string); ok && givenAlone.MatchString(id) {
				r.names[id], _ = got[name].(string)
			} else {
				r.learn(v, got[name])
			}
		}
	case []any:
		got, _ := came.([]any)
		for _, w := range want {
			if i := slices.IndexFunc(got, func(c any) bool { return sameBut(w, c) }); i >= 0 {
				r.learn(w, got[i])
			}
		}
	}
}

// sameBut reports whether an object has the members of another, ids aside.
func sameBut(want, came any) bool {
	w, _ := want.(object)
	c, _ := came.(object)
	for name, v := range w {
		if id, ok := v.(string); ok && !givenAlone.MatchString(id) && c[name] != v {
			return false
		}
	}
	return true
}

// recordedAt is when all conversations were recorded.
const recordedAt = "2026-01-05T09:00:00Z"

// byCaller are members that are left out of some records that are made by a caller whose
// id is no GUID.
var byCaller = []string{"assignee", "assignees"}

// makers are members that say who made something.
var makers = []string{"createdBy", "lastModifiedBy", "invitedByEmail"}

// isCaller reports whether an id is that of a caller of the conversations.
func (r *replay) isCaller(id any) bool {
	return slices.Contains([]any{"writer", "reader", "admin", "foreign", "stranger"}, id)
}

// momentary are members that are the time of a past or future event.
var momentary = regexp.MustCompile(`(At|On|DateTime)$|^(at|created|modified|nextAttempt)$`)

// isFile reports whether a value is the address of bytes, which are elsewhere on each server
// and which some do not keep.
func isFile(v any) bool {
	text, _ := v.(string)
	return strings.HasPrefix(text, "https://files.test/")
}

func isMoment(v any) bool {
	text, _ := v.(string)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func unescaped(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}
