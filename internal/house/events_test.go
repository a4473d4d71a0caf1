package house_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

const eventsPage = "docs/events.md"

func TestThePageOfEventsListsThemAll(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	want := describeEvents(event.Catalogue())
	got, err := os.ReadFile(eventsPage)
	if err == nil && string(got) == want {
		return
	}
	if *update {
		if err := os.WriteFile(eventsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, k := range event.Catalogue() {
		if !strings.Contains(string(got), "`"+k.Type()+"`") {
			t.Errorf("%s: no document describes it", k.Type())
		}
	}
	diff := cmp.Diff(want, string(got))
	t.Errorf("the page is not that of the catalogue (%v); run go test ./internal/house -update (-want +got):\n%s", err, diff)
}

const eventsHead = `# Events

What webhooks can subscribe to, when it happens and what it tells. The page is made from the
catalogue of package [webhooks/event](../webhooks/event/catalogue.go) by ` + "`go test ./internal/house -update`" + `; that
package has a Go type for each content, and ` + "`event.Decode`" + ` reads a delivery as one.

All members are texts. ¹ no specification shows the content: its members were chosen here.
² the work is done outside the platform: the program that embeds it publishes the event, by
` + "`webhooks.Service.PublishContent`" + `.

| event type | when | content | |
|---|---|---|---|
`

// describeEvents has a line for each kind of event.
func describeEvents(kinds []event.Kind) string {
	var b strings.Builder
	b.WriteString(eventsHead)
	for _, k := range kinds {
		var members []string
		for name := range k.Members() {
			members = append(members, "`"+name+"`")
		}
		marks := ""
		if k.Chosen {
			marks += "¹"
		}
		if k.Source == event.FromProgram {
			marks += "²"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Type(), k.When, strings.Join(members, ", "), marks)
	}
	return b.String()
}
