package house_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

const operationsPage = "docs/operations.md"

func TestThePageOfOperationsListsThemAll(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	want := describeOperations(httpapi.Operations()) + describeMissing(httpapi.NotImplemented())
	got, err := os.ReadFile(operationsPage)
	if err == nil && string(got) == want {
		return
	}
	if *update {
		if err := os.WriteFile(operationsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the page is not that of the routes (%v); run go test ./internal/house -update (-want +got):\n%s", err, cmp.Diff(want, string(got)))
}

const specificationPage = "docs/specification.md"

// coverage says, for each area, how many operations are specified, chosen and missing.
func coverage() string {
	var b strings.Builder
	b.WriteString("| area | specified | chosen | known and not served |\n|---|---|---|---|\n")
	var areas []string
	counts := make(map[string]*[3]int)
	count := func(area string, column int) {
		if counts[area] == nil {
			areas, counts[area] = append(areas, area), new([3]int)
		}
		counts[area][column]++
	}
	for _, o := range httpapi.Operations() {
		if o.Origin == httpapi.Chosen {
			count(o.Area, 1)
		} else {
			count(o.Area, 0)
		}
	}
	for _, o := range httpapi.NotImplemented() {
		count(o.Area, 2)
	}
	for _, area := range areas {
		c := counts[area]
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", area, c[0], c[1], c[2])
	}
	return b.String()
}

func TestThePageOfTheSpecificationCountsTheOperationsOfEachArea(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	page, err := os.ReadFile(specificationPage)
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^\| area \| specified .*\n(\|.*\n)*`).ReplaceAllLiteralString(string(page), coverage())
	if want == string(page) {
		return
	}
	if *update {
		if err := os.WriteFile(specificationPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the page counts others; run go test ./internal/house -update (-want +got):\n%s", cmp.Diff(want, string(page)))
}

const operationsHead = `# Operations

What the handler of package httpapi serves. It is made from the route table by
` + "`go test ./internal/house -update`" + `; ` + "`GET /openapi.json`" + ` has parameters, bodies and answers too, as
OpenAPI 3.1.

Faults, holds, journals, logs, metrics and the OpenAPI document call an operation by its id.
Where the specification gives it another, such as ` + "`S11`" + `, that one stands behind it, is ` + "`x-operation`" + ` in
the OpenAPI document, and is taken wherever an id is. ¹ technical preview: for testing, not for production.
² chosen: not in the specification, and what one needs to fill the platform and to see
what is there. All others are specified. ³ deprecated: its answers have the headers ` + "`Deprecation`" + ` (RFC 9745) and
` + "`Link`" + ` with the address to use instead (` + "`rel=\"successor-version\"`" + `). What is known of the platform and
not served stands at [the end](#not-implemented).
`

// describeOperations has a table for each area, with a line for each operation.
func describeOperations(operations []httpapi.Operation) string {
	var b strings.Builder
	b.WriteString(operationsHead)
	area := ""
	for _, o := range operations {
		if o.Area != area {
			area = o.Area
			fmt.Fprintf(&b, "\n## %s\n\n| operation | id | |\n|---|---|---|\n", area)
		}
		fmt.Fprintf(&b, "| %s `%s` | `%s`%s | %s |\n", o.Method, o.Path, o.ID, specified(o)+marks(o), o.Summary)
	}
	return b.String()
}

// describeMissing has a line for each operation that nothing serves.
func describeMissing(operations []httpapi.Operation) string {
	var b strings.Builder
	b.WriteString("\n## Not implemented\n\nRequests to these are answered as those of any unknown path or method, and those with a\nword in the place of an id as for a record that is not there.\n\n| operation | area | |\n|---|---|---|\n")
	for _, o := range operations {
		fmt.Fprintf(&b, "| %s `%s` | %s | %s |\n", o.Method, o.Path, o.Area, o.Summary)
	}
	return b.String()
}

// specified is the id that the specification gives an operation.
func specified(o httpapi.Operation) string {
	if o.SpecID == "" {
		return ""
	}
	return " `" + o.SpecID + "`"
}

func marks(o httpapi.Operation) (m string) {
	if o.Preview {
		m += " ¹"
	}
	if o.Origin == httpapi.Chosen {
		m += " ²"
	}
	if o.Deprecated {
		m += " ³"
	}
	return m
}
