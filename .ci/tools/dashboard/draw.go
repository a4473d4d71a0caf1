package main

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
)

// What a panel measures in the picture, by units of the grid.
const (
	unitX, unitY = 40, 24
	left, right  = 52, 12
	top, bottom  = 30, 40
	gap          = 6
)

var colours = []string{"#2f6fb3", "#d9822b", "#3a9a5b", "#b8423f", "#7b5aa6", "#8a6d3b", "#c2579c", "#5f6b76"}

// most is how many lines of a panel have names: the others are drawn.
const most = 5

// draw draws all panels.
func draw(d dashboard, lines [][]series) []byte {
	width, height := 0, 0
	for _, p := range d.Panels {
		width, height = max(width, (p.GridPos.X+p.GridPos.W)*unitX), max(height, (p.GridPos.Y+p.GridPos.H)*unitY)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif"`+
		` font-size="11" fill="#24292f">`+"\n", width, height)
	fmt.Fprintf(&b, `<title>%s</title><rect width="100%%" height="100%%" fill="#f2f4f6"/>`+"\n",
		html.EscapeString(d.Title))
	for i, p := range d.Panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", p.GridPos.X*unitX, p.GridPos.Y*unitY)
		drawPanel(&b, p, lines[i])
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func drawPanel(b *bytes.Buffer, p panel, lines []series) {
	w, h := p.GridPos.W*unitX-gap, p.GridPos.H*unitY-gap
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="3" fill="#fff" stroke="#d5dbe1"/><text x="10" y="19"`+
		` font-weight="bold">%s</text>`+"\n", w, h, html.EscapeString(p.Title))
	slices.SortStableFunc(lines, func(a, b series) int { return compareLast(b, a) })
	end, highest := 1.0, 0.0
	for _, s := range lines {
		for _, pt := range s.points {
			end, highest = max(end, pt.at), max(highest, pt.value)
		}
	}
	if highest == 0 {
		highest = 1
	}
	x := func(at float64) float64 { return left + at/end*float64(w-left-right) }
	y := func(v float64) float64 { return float64(h-bottom) - v/highest*float64(h-top-bottom) }
	for _, share := range []float64{0, 0.5, 1} {
		v := highest * share
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#e6eaee"/><text x="%d" y="%.1f" text-anchor="end"`+
			` fill="#6a737d" font-size="10">%s</text>`+"\n",
			left, y(v), w-right, left-5, y(v)+3, inUnit(v, p.FieldConfig.Defaults.Unit))
	}
	at := left
	for i, s := range lines {
		colour := colours[i%len(colours)]
		var path strings.Builder
		for j, pt := range s.points {
			fmt.Fprintf(&path, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[j == 0], x(pt.at), y(pt.value))
		}
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.3"/>`+"\n", path.String(), colour)
		if i < most && at < w-70 {
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="9" height="3" fill="%s"/><text x="%d" y="%d"`+
				` font-size="10">%s</text>`+"\n", at, h-17, colour, at+13, h-12, html.EscapeString(s.name))
			at += 26 + 6*len(s.name)
		}
	}
}

// compareLast compares what lines say last.
func compareLast(a, b series) int {
	last := func(s series) float64 {
		if len(s.points) == 0 {
			return 0
		}
		return s.points[len(s.points)-1].value
	}
	switch {
	case last(a) < last(b):
		return -1
	case last(a) > last(b):
		return 1
	}
	return strings.Compare(b.name, a.name)
}

// inUnit is a number in a unit of Grafana.
func inUnit(v float64, unit string) string {
	switch unit {
	case "s":
		switch {
		case v == 0:
			return "0 s"
		case v < 0.001:
			return fmt.Sprintf("%.0f µs", v*1e6)
		case v < 1:
			return fmt.Sprintf("%.1f ms", v*1e3)
		}
		return fmt.Sprintf("%.1f s", v)
	case "bytes":
		if v >= 1<<20 {
			return fmt.Sprintf("%.1f MiB", v/(1<<20))
		}
		return fmt.Sprintf("%.0f KiB", v/(1<<10))
	case "percentunit":
		return fmt.Sprintf("%.2g %%", v*100)
	}
	return fmt.Sprintf("%.3g", v)
}
