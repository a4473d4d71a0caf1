package main

import (
	"strings"
	"testing"
)

func TestWhatPeopleReadIsExtractedAtItsLine(t *testing.T) {
	t.Parallel()
	const source = `// Package p serves nobody.
//
//	code.Of(somebody)
package p

// Internal comments are for their readers.
var err = errors.New("the file goes on")

const (
	key  = "beside"
	page = ` + "`first line\n\tis told of`" + `
)
`
	got, err := textOf("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{1: "Package p serves nobody.", 7: "the file goes on", 11: "first line", 12: "is told of"}
	for i, line := range strings.Split(got, "\n") {
		if line != want[i+1] {
			t.Errorf("line %d is %q, want %q", i+1, line, want[i+1])
		}
	}
}

func TestDescriptionsOfTheDocumentAreExtracted(t *testing.T) {
	t.Parallel()
	got, err := descriptionsOf([]byte(`{"info": {"description": "a\nb", "title": "t"}, "paths": [{"summary": "a thing", "examples": {"description": "no"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a b\n", "t\n", "a thing\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if strings.Contains(got, "no") {
		t.Errorf("examples are taken for descriptions: %q", got)
	}
}
