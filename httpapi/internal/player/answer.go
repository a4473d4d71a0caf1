package player

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Object is a JSON object.
type Object = map[string]any

// Headers lists the headers of answers that conversations keep and that are compared.
var Headers = []string{
	"Allow", "Content-Type", "Continuation-Token", "Onward-Token", "Delta-Token", "ETag", "Location",
	"Operation-Id", "Operation-Location", "Retry-After", "WWW-Authenticate", "X-Max-Return",
}

// Answer is one to a request of a conversation.
type Answer struct {
	Status int
	Header http.Header
	Raw    string
	Body   any  // of JSON, numbers as json.Number
	JSON   bool // the body is JSON

	open bool // the body was not recorded, and may be any
}

// NewAnswer is an answer as it came.
func NewAnswer(status int, header http.Header, raw string) *Answer {
	a := &Answer{Status: status, Header: header, Raw: raw}
	d := json.NewDecoder(bytes.NewReader([]byte(raw)))
	d.UseNumber()
	a.JSON = raw != "" && d.Decode(&a.Body) == nil && !d.More()
	return a
}

// headerName is one that a recorded answer has a value of. What else has a colon in its
// first line is a body that is no JSON.
var headerName = regexp.MustCompile(`^[A-Z][A-Za-z]*(-[A-Z][A-Za-z0-9]*)*$`)

// Recorded is an answer as a conversation has it.
func Recorded(text string) *Answer {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	status, _ := strconv.Atoi(line)
	header := make(http.Header)
	for rest != "" {
		line, behind, _ := strings.Cut(rest, "\n")
		name, value, ok := strings.Cut(line, ": ")
		if !ok || !headerName.MatchString(name) {
			break
		}
		header.Add(name, value)
		rest = behind
	}
	a := NewAnswer(status, header, strings.TrimSpace(rest))
	a.open = a.Raw == AnyBody
	return a
}
