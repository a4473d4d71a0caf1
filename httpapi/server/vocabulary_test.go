package server

import (
	"slices"
	"strings"
	"testing"
)

// The file of docs/server.md is one that the server speaks.
func TestServerSpeaksTheVocabularyOfItsPage(t *testing.T) {
	t.Parallel()
	all := blocks(t, serverPage, "json")
	words := all[slices.IndexFunc(all, func(b string) bool { return strings.Contains(b, `"parts"`) })]
	s := start(t, "-vocabulary", fileWith(t, words))
	if !strings.Contains(s.banner, s.base+"/gardens?limit=2'") {
		t.Errorf("the banner types\n%s", s.banner)
	}
	if got := s.text(s.base+"/gardens?limit=2", ""); !strings.HasPrefix(got, `{"gardens":[],"_links":{"self":{"href":"`+s.base+`/gardens?limit=2"}}}`) {
		t.Errorf("the list of gardens is %s", got)
	}
}

func TestAVocabularyThatCannotBeStopsTheStart(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-vocabulary", fileWith(t, `{"members": {"name": "id"}}`)}, nil, t.Output(), t.Output())
	if err == nil || !strings.Contains(err.Error(), `"id" and "name"`) {
		t.Errorf("the server ended with %v", err)
	}
}
