package svg_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/svg"
)

func TestAPictureMayBePartOfAPage(t *testing.T) {
	t.Parallel()
	const picture = `
<svg xmlns="http://www.w3.org/2000/svg" class="gantt" role="img" viewBox="0 0 9 9"><title>a &amp; b</title>
<g marker-end="url(#gantt-al)" data-row="1"><path d="M0 0"/><text x="1">1 &lt; 2 > 1</text></g></svg>
`
	if err := svg.Check([]byte(picture)); err != nil {
		t.Error(err)
	}
}

func TestWhatIsNoPictureIsNoPartOfAPage(t *testing.T) {
	t.Parallel()
	for _, picture := range []string{
		"", "text", "<svg>", "<svg", "</svg>", "</>", "<svg/><svg/>", "<svg/>x", "x<svg/>", "<p/>", "<svg><g></svg>", "<svg><svg/></svg>",
		`<svg><script>alert(1)</script></svg>`, `<svg><style>a{}</style></svg>`, `<svg onload="x()"/>`, `<svg OnLoad="x()"/>`,
		`<svg><foreignObject/></svg>`, `<svg><a href="https://example.org"/></svg>`, `<svg><image href="//example.org"/></svg>`,
		`<svg><path href="javascript:x()"/></svg>`, `<svg xmlns:x="y"><path x:href="javascript:x()"/></svg>`,
		`<svg><g style="fill:url(//example.org)"/></svg>`, `<svg><g marker-end="url(//example.org)"/></svg>`,
		`<svg><!-- c --></svg>`, `<svg><title><![CDATA[><img src="x"/>]]></title></svg>`, `<?xml version="1.0"?><svg/>`, `<!DOCTYPE svg><svg/>`,
		`<svg><title><g/></title></svg>`, `<svg class="a<b"/>`, `<svg class="&quot;&b"/>`, `<svg class=a/>`, `<svg class/>`, `<svg class="a"id="b"/>`,
		`<svg><text>&nbsp;</text></svg>`, `<svg><text>]]></text></svg>`, "<svg>\x00</svg>", "<svg>\xff</svg>", "<svg>\ufffe</svg>",
		"<svg>" + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + "</svg>",
	} {
		if svg.Check([]byte(picture)) == nil {
			t.Errorf("%.80q is a picture", picture)
		}
	}
}
