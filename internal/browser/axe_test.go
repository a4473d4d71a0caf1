package browser_test

import (
	"os"
	"sync"

	"github.com/chromedp/chromedp"
)

// axeSource is the script of axe-core, where AXE_CORE says that it is: it comes from npm.
// Without it pages are held to what faults.js finds alone.
var axeSource = sync.OnceValues(func() (string, error) {
	file := os.Getenv("AXE_CORE")
	if file == "" {
		return "", nil
	}
	b, err := os.ReadFile(file)
	return string(b), err
})

// askAxe are the findings of the rules of WCAG 2.2 at levels A and AA, as sentences.
const askAxe = `axe.run(document, {
	runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
}).then((found) => found.violations.flatMap((rule) =>
	rule.nodes.slice(0, 3).map((node) => rule.id + ": " + rule.help + ": " + node.html.slice(0, 160))))`

// violations are what axe-core finds on the page.
func (b *tab) violations() []string {
	b.t.Helper()
	source, err := axeSource()
	if err != nil {
		b.t.Fatal(err)
	}
	if source == "" {
		return nil
	}
	if !eval[bool](b, `typeof axe === "object"`) {
		b.do(chromedp.Evaluate[chromedp.Void](source + "; undefined"))
	}
	return eval[[]string](b, askAxe)
}
