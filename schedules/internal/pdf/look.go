package pdf

import (
	"fmt"
	"strconv"
	"strings"
)

// none is no colour.
const none = "none"

// look is how something is drawn. Colours are #rrggbb or none.
type look struct {
	fill, stroke   string
	width, opacity float64 // of the stroke
	dashes         string
	round          bool // corners of the stroke
	size           float64
	bold           bool
	anchor         string
	arrow          string // the id of the end of a line
}

// plain is how SVG draws what no rule is for.
var plain = look{fill: "#000000", stroke: none, width: 1, opacity: 1, size: 16}

// rules are what a stylesheet says of elements and of classes, in its order.
type rules struct{ elements, classes []rule }

type rule struct{ name, properties string }

// parse reads a stylesheet of the pictures, without what it says of screens.
func parse(sheet string) (r rules) {
	sheet, _, _ = strings.Cut(sheet, "@media")
	for part := range strings.SplitSeq(sheet, "}") {
		selectors, properties, _ := strings.Cut(part, "{")
		for s := range strings.SplitSeq(selectors, ",") {
			fields := strings.Fields(s)
			if len(fields) == 0 {
				continue
			}
			name := fields[len(fields)-1]
			if class, ok := strings.CutPrefix(name, "."); ok {
				r.classes = append(r.classes, rule{class, properties})
			} else {
				r.elements = append(r.elements, rule{name, properties})
			}
		}
	}
	return r
}

// of is how an element is drawn within another. Rules for classes count more than those for elements.
func (r *rules) of(within look, element string, a map[string]string) look {
	for _, x := range r.elements {
		if x.name == element {
			within.apply(x.properties)
		}
	}
	classes := " " + a["class"] + " "
	for _, x := range r.classes {
		if strings.Contains(classes, " "+x.name+" ") {
			within.apply(x.properties)
		}
	}
	if end := a["marker-end"]; end != "" {
		within.arrow = reference(end)
	}
	return within
}

// apply sets properties. Those that do not count on paper are passed over.
func (l *look) apply(properties string) {
	for p := range strings.SplitSeq(properties, ";") {
		name, value, _ := strings.Cut(p, ":")
		switch name {
		case "fill":
			l.fill = value
		case "stroke":
			l.stroke = value
		case "stroke-width":
			l.width = float(value)
		case "stroke-opacity":
			l.opacity = float(value)
		case "stroke-dasharray":
			l.dashes = value
		case "stroke-linejoin":
			l.round = value == "round"
		case "font-size":
			l.size = float(value)
		case "font-weight":
			l.bold = float(value) >= 600
		case "text-anchor":
			l.anchor = value
		}
	}
}

// paint is the operator that draws a path.
func (l *look) paint() string {
	switch {
	case l.fill != none && l.stroke != none:
		return "B"
	case l.fill != none:
		return "f"
	case l.stroke != none:
		return "S"
	}
	return "n"
}

// operators set what differs from what PDF begins with.
func (l *look) operators() string {
	var b strings.Builder
	if l.fill != none {
		b.WriteString(colour(l.fill, 1) + "rg ")
	}
	if l.stroke == none {
		return b.String()
	}
	b.WriteString(colour(l.stroke, l.opacity) + "RG ")
	if l.width != 1 {
		b.WriteString(number(l.width) + " w ")
	}
	if l.round {
		b.WriteString("1 j ")
	}
	if l.dashes != "" {
		b.WriteString("[" + l.dashes + "] 0 d ")
	}
	return b.String()
}

// colour is the numbers of a colour, which lets so much of white paper through as it is not opaque.
func colour(s string, opacity float64) string {
	n, _ := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	share := func(shift int) float64 {
		return 1 - opacity + opacity*float64(n>>shift&0xFF)/0xFF
	}
	return fmt.Sprintf("%.3f %.3f %.3f ", share(16), share(8), share(0))
}
