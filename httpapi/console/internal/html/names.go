package html

import "strings"

// content is what an element holds.
type content uint8

const (
	nodes   content = iota
	lines           // whose first line break is skipped by readers
	nothing         // at all
)

// elements are those that pages may have. Those of pictures are at the end.
var elements = func() map[string]content {
	m := make(map[string]content)
	for name := range strings.FieldsSeq(`html head title body header footer main nav section article aside
		h1 h2 h3 h4 h5 h6 div p ul ol li dl dt dd figure figcaption blockquote details summary address
		a span strong em b i small code kbd samp var mark time abbr del ins sub sup q s
		table caption colgroup thead tbody tfoot tr th td
		form fieldset legend label button select optgroup option output progress meter datalist
		noscript search dialog
		svg g defs marker clipPath desc path rect line circle ellipse polyline polygon text tspan`) {
		m[name] = nodes
	}
	m["pre"], m["textarea"] = lines, lines
	for name := range strings.FieldsSeq("meta link br hr img input col wbr script") {
		m[name] = nothing
	}
	return m
}()

// attributes are those with values that need no judgement; besides them there are
// those of data- and aria-.
var attributes = set(`accept accept-charset alt async autocomplete autofocus charset checked class cols colspan
	content datetime defer dir disabled download enctype for form headers height hidden high id inputmode label
	lang list low max maxlength media method min minlength multiple name novalidate open optimum pattern
	placeholder readonly rel required role rows rowspan scope selected size sizes spellcheck span step
	tabindex title translate type value width wrap
	xmlns viewBox preserveAspectRatio d x y x1 y1 x2 y2 cx cy r rx ry dx dy points transform
	refX refY markerWidth markerHeight markerUnits orient text-anchor`)

// addresses are attributes whose value is one.
var addresses = set("href src action formaction")

// references are attributes whose value names a part of the same picture.
var references = set("clip-path marker-start marker-mid marker-end")

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// custom reports whether a name is one of data- or aria-.
func custom(name string) bool {
	rest, data := strings.CutPrefix(name, "data-")
	if !data {
		var aria bool
		if rest, aria = strings.CutPrefix(name, "aria-"); !aria {
			return false
		}
	}
	return rest != "" && !strings.ContainsFunc(rest, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') })
}
