package twinplatform_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
)

func TestPreconditionsAskForOneOfTheirVersions(t *testing.T) {
	t.Parallel()
	a, b, any, none := twinplatform.IfMatch(`"a"`), twinplatform.IfMatch(`W/"b"`), twinplatform.IfMatch("*"), twinplatform.IfMatch("")
	for name, test := range map[string]struct {
		preconditions []twinplatform.Precondition
		want          string
	}{
		"none asks for nothing":          {nil, ""},
		"an empty one asks for nothing":  {[]twinplatform.Precondition{none, {}}, ""},
		"one asks for its version":       {[]twinplatform.Precondition{a}, `"a"`},
		"two are met by either":          {[]twinplatform.Precondition{a, b}, `"a", W/"b"`},
		"an empty one beside another":    {[]twinplatform.Precondition{none, a}, `"a"`},
		"any version beside another one": {[]twinplatform.Precondition{any, a}, `*, "a"`},
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
