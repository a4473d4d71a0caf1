package conversations_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
)

func TestEveryAreaHasAWorldThatAClientCanMake(t *testing.T) {
	t.Parallel()
	for _, c := range conversations.All() {
		if conversations.World(c.Area()) == nil {
			t.Errorf("%s: there is no world for it, so that no server can be held to it", c.Path)
		}
	}
}

func TestConversationIsWrittenAsItWasRead(t *testing.T) {
	t.Parallel()
	all := conversations.All()
	if len(all) == 0 {
		t.Fatal("there are no conversations")
	}
	for _, c := range all {
		text, err := os.ReadFile(filepath.FromSlash(c.Path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), c.String()); diff != "" {
			t.Errorf("%s (-read +written):\n%s", c.Path, diff)
		}
		for _, s := range c.Steps {
			if s.Request == "" || s.Answer == "" {
				t.Errorf("%s: %s: the request or the answer is missing", c.Path, s.Title)
			}
		}
	}
}
