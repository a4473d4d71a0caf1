package conformance

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
)

// What the recorded conversations are about that no server has to share: who their callers are,
// when they were recorded, and where the bytes of files are.

const ids = `\b((new|seeded)-\d+|00000000-0000-4000-8000-\d{12}|\d{16}|[0-9a-f]{40})\b|\b[0-9a-f]{12}[.:]`

// given finds ids that the server gave when the conversations were recorded, and the ids and names of
// callers and of their account, of whom several may be one.
var given = &player.Given{
	Whole: regexp.MustCompile(`^(` + ids + `)$`), Inside: regexp.MustCompile(ids),
	Shared: regexp.MustCompile(`^(writer|admin|foreign|Owner|Admin|Acme|ACME|44444444-4444-4444-8444-444444444444|aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa)$`),
}

// recordedAt is when all conversations were recorded.
const recordedAt = "2026-01-05T09:00:00Z"

// ofRecording decides about texts of the recording.
func ofRecording(want, came string) (same, decided bool) {
	switch {
	case want == came:
		return true, !given.Whole.MatchString(want)
	case isFile(want):
		at, err := url.Parse(came)
		return came == "" || err == nil && at.IsAbs(), true
	case want == recordedAt:
		return player.IsMoment(came), true
		// the specification has all in UTC
	case player.IsMoment(want) && player.IsMoment(came) && !strings.HasSuffix(came, "Z"):
		return false, true
	}
	return false, false
}

// isFile reports whether a value is the address of bytes, which are elsewhere on each server
// and which some do not keep.
func isFile(v any) bool {
	text, _ := v.(string)
	return strings.HasPrefix(text, "https://files.test/")
}

var (
	// byCaller are members that are left out of some records that are made by a caller whose
	// id is no GUID.
	byCaller = []string{"assignee", "assignees"}
	// makers are members that say who made something.
	makers = []string{"createdBy", "lastModifiedBy", "invitedByEmail"}
	// callers are the ids of those of the conversations.
	callers = []any{"writer", "reader", "admin", "foreign", "stranger"}
)

// left reports whether a member of a record is not compared.
func left(name string, want, came object) bool {
	recorded, there := want[name]
	got, here := came[name]
	size, sized := got.(json.Number)
	switch {
	case !there || !here:
		return slices.Contains(byCaller, name) || isFile(recorded)
	case recorded == nil && slices.Contains(makers, name): // the recording's world was made by the server itself
	case (name == "displayName" || name == "email") && slices.Contains(callers, want["id"]):
	case name == "size" && sized && !strings.HasPrefix(size.String(), "-"): // of what was uploaded
	default:
		return false
	}
	return true
}
