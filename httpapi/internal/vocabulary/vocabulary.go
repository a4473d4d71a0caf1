// Package vocabulary has the names that a deployment of the platform uses: tables of
// names, what contradicts itself in them, and the words of requests, answers, errors,
// deliveries and the OpenAPI document on either side.
package vocabulary

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Vocabulary has the names that a deployment of the platform uses, so that programs which
// were written for it run unchanged. Every table maps a name of the specification to the
// deployment's; what no table names is called as in the specification, and the zero value
// names nothing.
//
// It holds at the edge and in both directions: for the paths, queries, headers and
// bodies of requests, for bodies, headers, links and errors of answers, and for the
// OpenAPI document. A name of the specification that is called otherwise is unknown.
// What users write, such as names, texts and members whose names they choose, is
// never changed, nor is what is stored. Operations keep their ids, and logs and
// observers the codes of the specification.
//
// [New] refuses a vocabulary that is ambiguous or names what there is not.
// [Vocabulary.Deliveries] says the same of events on their way to webhooks.
type Vocabulary struct {
	Names

	// Areas are the names that hold in one area alone, before the others. Areas
	// are called as in [Operation]. The operations of one kind of record in an area are
	// called by it and by what their ids begin with, "models.savedViews", and their
	// names come before those of the area.
	Areas map[string]Names `json:"areas,omitempty"`
	// Headers are names of headers of requests and answers that are the
	// platform's own: X-Request-Id, Continuation-Token, Delta-Token, Operation-Id
	// and Operation-Location.
	Headers map[string]string `json:"headers,omitempty"`
	// Vendor is in media types for vendor.twin-platform.
	Vendor string `json:"vendor,omitempty"`
	// NullLinks is whether links that lead nowhere, such as that to the next page on the
	// last one, are written as null. Empty means the specification's way: null in the
	// schedules area, and nothing in the others.
	NullLinks NullLinks `json:"nullLinks,omitempty"`

	lines map[string]int // of the entries in the file that it was read from; nil: of none
}

// Names are tables of names. A whole name comes before one that is made of parts.
type Names struct {
	// Paths are beginnings of paths, such as "/access-control": "/gate". The
	// longest one counts.
	Paths map[string]string `json:"paths,omitempty"`
	// Segments are single segments of paths behind that: "twins": "gardens".
	Segments map[string]string `json:"segments,omitempty"`
	// Members are names of members of bodies, and of what paths name in braces.
	Members map[string]string `json:"members,omitempty"`
	// Query are names of query parameters, with their dollar.
	Query map[string]string `json:"query,omitempty"`
	// Codes are codes of errors and of their details.
	Codes map[string]string `json:"codes,omitempty"`
	// Events are event types.
	Events map[string]string `json:"events,omitempty"`
	// Values are words of other enumerations.
	Values map[string]string `json:"values,omitempty"`
	// Permissions are what roles hold, in bodies and in messages.
	Permissions map[string]string `json:"permissions,omitempty"`
	// Messages are resource names in the messages of errors, such as "twin": "garden" or
	// "saved view": "outlook". The plural is its own noun. What is in quotation marks is
	// not translated.
	Messages map[string]string `json:"messages,omitempty"`
	// Contents are members of the contents of events, before Members.
	Contents map[string]string `json:"contents,omitempty"`
	// Also are second names of members: answers and deliveries have both, and requests
	// either. A request that has both says the same with them.
	Also map[string]string `json:"also,omitempty"`
	// Accept are second names of members that requests may have, and answers have not.
	Accept map[string]string `json:"accept,omitempty"`
	// Omit are members that are left out of the bodies of answers.
	Omit []string `json:"omit,omitempty"`
	// Parts are words that names of members and parameters, codes and event types are
	// made of in camel case: "twin": "garden" makes gardenId of twinId, parentGardenId of
	// parentTwinId and gardenNotFound of twinNotFound. The plural is its own word. A word
	// with a capital ("Twin") says how it is where it has one; without, that follows.
	Parts map[string]string `json:"parts,omitempty"`
}

// NullLinks is what becomes of links that lead nowhere.
type NullLinks string

// What becomes of links that lead nowhere. The zero value is the specification's,
// which differs from list to list.
const (
	OmitNullLinks  NullLinks = "omit"
	WriteNullLinks NullLinks = "write"
)

// maxVocabulary is the size of the largest vocabulary that is read, in bytes.
const maxVocabulary = 1 << 20

// Parse reads a vocabulary from JSON: an object whose members are the fields of
// [Vocabulary] and [Names] with a small letter in front. Members that it does not know,
// names that are in a table twice and more than a mebibyte are refused. Whether the names
// can be is [Vocabulary.Speak]'s to say.
func Parse(r io.Reader) (Vocabulary, error) {
	var v Vocabulary
	raw, err := io.ReadAll(io.LimitReader(r, maxVocabulary+1))
	if err != nil {
		return v, err
	}
	if len(raw) > maxVocabulary {
		return v, fmt.Errorf("a vocabulary has at most %d bytes", maxVocabulary)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if name, err := repeated(d); err != nil || name != "" {
		if err == nil {
			err = fmt.Errorf("%q is there twice", name)
		}
		return v, fmt.Errorf("the vocabulary: %w", err)
	}
	d = json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return Vocabulary{}, fmt.Errorf("the vocabulary: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Vocabulary{}, fmt.Errorf("the vocabulary: there is more behind it")
	}
	v.lines = linesIn(raw)
	return v, nil
}

// repeated returns a name that an object of the next value has twice.
func repeated(d *json.Decoder) (string, error) {
	token, err := d.Token()
	open, ok := token.(json.Delim)
	if err != nil || !ok {
		return "", err
	}
	names := make(map[string]bool)
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return "", err
			}
			if text, _ := name.(string); names[text] {
				return text, nil
			}
			names[name.(string)] = true
		}
		if name, err := repeated(d); err != nil || name != "" {
			return name, err
		}
	}
	_, err = d.Token()
	return "", err
}

// Key is equal for vocabularies with the same names; empty for one without names.
func (v Vocabulary) Key() string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of texts always encode
	}
	return strings.Trim(string(raw), "{}")
}
