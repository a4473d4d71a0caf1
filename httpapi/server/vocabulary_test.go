package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

// The file of docs/server.md is one that the server speaks.
func TestServerSpeaksTheVocabularyOfItsPage(t *testing.T) {
	t.Parallel()
	all := docpages.Texts(t, serverPage, "json")
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

func TestTheWorkedVocabularyIsSpoken(t *testing.T) {
	t.Parallel()
	all := docpages.Texts(t, "../../docs/vocabulary.md", "json")
	file := fileWith(t, all[0])
	var out strings.Builder
	if err := run(t.Context(), []string{"vocabulary", "-check", file}, nil, &out, t.Output()); err != nil || !strings.Contains(out.String(), "is a vocabulary") {
		t.Errorf("checked with %v: %s", err, out.String())
	}
	s := start(t, "-vocabulary", file)
	want := strings.ReplaceAll(strings.TrimSpace(all[1]), "http://localhost", s.base)
	if got := s.text(s.base+"/gardens?limit=2", ""); strings.TrimSpace(got) != want {
		t.Errorf("the list of gardens is %s", got)
	}
	if got := s.text(s.base+"/gardens/00000000-0000-4000-8000-00000000dead", ""); !strings.Contains(got, "The requested garden is not available.") {
		t.Errorf("of a garden that is not there: %s", got)
	}
}

func TestVocabularyCommandListsNamesAndFindsMistakes(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), []string{"vocabulary"}, nil, &out, t.Output()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"all areas\n  headers\n    Continuation-Token\n", "\ntwins\n", "    schedules_read\n", "    memberOfTwin\n", "    savedViewData\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the names lack %q", want)
		}
	}
	file := fileWith(t, "{\n \"members\": {\n  \"displayNam\": \"label\"}}")
	err := run(t.Context(), []string{"vocabulary", "-check", file}, nil, &out, t.Output())
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), `line 3: members: there is no "displayNam"; did you mean 'displayName'?`) {
		t.Errorf("checked with %v", err)
	}
}
