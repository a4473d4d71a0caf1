package twinplatform_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
)

func TestPreconditionsAskForOneOfTheirVersions(t *testing.T) {
	t.Parallel()
	a, b, any, none := twinplatform.IfMatch(`"a"`), twinplatform.IfMatch(`W/"b"`), twinplatform.IfMatch("*"), twinplatform.IfMatch("")
	for name, test := range map[string]struct {
		preconditions []twinplatform.Precondition
		want          string
	}{
		"none asks for nothing":           {nil, ""},
		"an empty one asks for nothing":   {[]twinplatform.Precondition{none, {}}, ""},
		"one asks for its version":        {[]twinplatform.Precondition{a}, `"a"`},
		"two are met by either":           {[]twinplatform.Precondition{a, b}, `"a", W/"b"`},
		"an empty one next to another":    {[]twinplatform.Precondition{none, a}, `"a"`},
		"any version next to another one": {[]twinplatform.Precondition{any, a}, `*, "a"`},
	} {
		got := twinplatform.IfMatchHeader(test.preconditions...)
		if got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
		if test.want != "" && !twinplatform.NamesETag(got, `"a"`) {
			t.Errorf("%s: %s does not name the version \"a\"", name, got)
		}
	}
}

func TestConditionsHoldOfTheVersionsTheyName(t *testing.T) {
	t.Parallel()
	match, none := twinplatform.IfMatch, twinplatform.IfNoneMatch
	for name, test := range map[string]struct {
		preconditions []twinplatform.Precondition
		holds         []string // of the ETags "a", "b" and of none
		needsRecord   bool
	}{
		"nothing holds of all":                {nil, []string{`"a"`, `"b"`, ""}, false},
		"empty ones ask for nothing":          {[]twinplatform.Precondition{match(""), none("")}, []string{`"a"`, `"b"`, ""}, false},
		"a version":                           {[]twinplatform.Precondition{match(`"a"`)}, []string{`"a"`}, true},
		"a weak one is the same":              {[]twinplatform.Precondition{match(`W/"a", "c"`)}, []string{`"a"`}, true},
		"either of two":                       {[]twinplatform.Precondition{match(`"a"`), match(`"b"`)}, []string{`"a"`, `"b"`}, true},
		"any is what has no version too":      {[]twinplatform.Precondition{match("*")}, []string{`"a"`, `"b"`, ""}, true},
		"an empty list holds of nothing":      {[]twinplatform.Precondition{match(",")}, nil, true},
		"none but one":                        {[]twinplatform.Precondition{none(`"a"`)}, []string{`"b"`, ""}, false},
		"none at all":                         {[]twinplatform.Precondition{none("*")}, nil, false},
		"both":                                {[]twinplatform.Precondition{match("*"), none(`"a"`)}, []string{`"b"`, ""}, true},
		"neither of two":                      {[]twinplatform.Precondition{none(`"a"`), none(`"b"`)}, []string{""}, false},
		"a line break makes no other kind":    {[]twinplatform.Precondition{match("\"c\"\n\"a\"")}, nil, true},
		"one that is asked for and ruled out": {[]twinplatform.Precondition{match(`"a"`), none(`"a"`)}, nil, true},
	} {
		c := twinplatform.ConditionOf(test.preconditions...)
		var holds []string
		for _, etag := range []string{`"a"`, `"b"`, ""} {
			if c.Matches(etag) && !c.RulesOut(etag) {
				holds = append(holds, etag)
			}
		}
		if diff := cmp.Diff(test.holds, holds); diff != "" || c.NeedsRecord() != test.needsRecord {
			t.Errorf("%s: needs a record %t, holds of (-want +got):\n%s", name, c.NeedsRecord(), diff)
		}
	}
}
