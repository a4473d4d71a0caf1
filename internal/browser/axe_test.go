package browser_test

import (
	"fmt"
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

// askAxe are the findings of the rules of WCAG 2.2 at levels A and AA, as sentences; on a
// page that is seen on another screen too, of the rules alone that depend on its width and its colours.
// Siblings of one kind differ by what they say alone, and some pages have thousands: those
// behind the first 15 are out of the page meanwhile.
const askAxe = `(async (all) => {
	const most = 15, removed = [];
	for (const parent of document.body.querySelectorAll("*")) {
		if (parent.childElementCount <= most) continue;
		const seen = {};
		for (const one of [...parent.children]) {
			seen[one.tagName] = (seen[one.tagName] || 0) + 1;
			if (seen[one.tagName] <= most || one.contains(document.activeElement)) continue;
			const place = document.createComment("");
			one.replaceWith(place);
			removed.push([place, one]);
		}
	}
	const width = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];
	try {
		const found = await axe.run(document, {
			runOnly: all ? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] : {type: "rule", values: width},
			resultTypes: ["violations"], elementRef: false,
		});
		return found.violations.flatMap((rule) =>
			rule.nodes.slice(0, 3).map((node) => rule.id + ": " + rule.help + ": " + node.html.slice(0, 160)));
	} finally {
		removed.reverse().forEach(([place, one]) => place.replaceWith(one));
	}
})`

// violations are what axe-core finds on the page, by all of its rules or by those that depend
// on the screen.
func (b *tab) violations(all bool) []string {
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
	return eval[[]string](b, fmt.Sprintf("%s(%t)", askAxe, all))
}
