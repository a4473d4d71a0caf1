package gantt

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// colours of light and of dark pictures. Shapes stand out from the ground by a contrast
// of 3 to 1, text by 4.5 to 1; done, remaining and critical differ in grey too.
var colours = []struct{ name, light, dark string }{
	{"ground", "#ffffff", "#10161e"},
	{"text", "#1b2430", "#e6eaf0"},
	{"muted", "#566273", "#9aa7b8"},
	{"outline", "#2b6cb0", "#6baeeb"},
	{"fill", "#a9cdf0", "#2c5c8f"},
	{"critical", "#cf3f14", "#ff7a50"},
	{"done", "#1f4e79", "#9ccbf5"},
	{"baseline", "#778498", "#75839a"},
	{"link", "#77849a", "#8492a6"},
	{"summary", "#27313f", "#d5dbe4"},
	{"data", "#7c3aed", "#b794ff"},
	{"today", "#0f766e", "#2dd4bf"},
	{"weekend", "#f1f3f6", "#171e27"},
	{"band", "#f6f8fa", "#151c26"},
	{"faint", "#e6eaef", "#1f2833"},
	{"line", "#d9dfe7", "#2a3542"},
	{"strong", "#aab4c2", "#455365"},
}

// shapes are how classes look in any colours. Some programs that draw SVG know neither the short form
// of fonts nor that a stroke may be painted below its text.
const shapes = `.gantt text{font-size:11px;font-weight:400;` +
	`font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;` +
	`font-variant-numeric:tabular-nums;white-space:pre}
.gantt .t{font-size:16px;font-weight:600}
.gantt .u,.gantt .p{font-weight:600}
.gantt .n{text-anchor:end}
.gantt .o{stroke-width:4px;stroke-linejoin:round}
.gantt .e{text-anchor:middle}
.gantt path{fill:none}
.gantt .g1,.gantt .g2,.gantt .g3{shape-rendering:crispEdges}
.gantt .ld{stroke-width:1}
.gantt .lo{stroke-dasharray:3 2}
.gantt .q{stroke-opacity:.3}
.gantt .lc{stroke-width:1.5}
.gantt .lb{stroke-width:1.5;stroke-dasharray:1.5 2.5}
.gantt .h{stroke-dasharray:4 2}
.gantt .z,.gantt .y{stroke-width:1.5}
.gantt .y{stroke-dasharray:6 3}
`

// tints are what colours give to classes.
const tints = `.gantt text{fill:$text}
.gantt .m{fill:$muted}
.gantt .o{fill:$ground;stroke:$ground}
.gantt .bg{fill:$ground}
.gantt .w{fill:$weekend}
.gantt .bd{fill:$band}
.gantt .g1{stroke:$faint}
.gantt .g2{stroke:$line}
.gantt .g3{stroke:$strong}
.gantt .lo,.gantt .ld{stroke:$link}
.gantt .lc,.gantt .lb{stroke:$critical}
.gantt .al{fill:$link}
.gantt .ac{fill:$critical}
.gantt .d{fill:$done}
.gantt .r{fill:$fill;stroke:$outline}
.gantt .c{fill:$critical;stroke:$critical}
.gantt .h{stroke:$outline}
.gantt .f{stroke:$outline}
.gantt .v{stroke:$critical}
.gantt .b{fill:$baseline}
.gantt .s,.gantt .k{fill:$summary}
.gantt .z{stroke:$data}
.gantt .y{stroke:$today}
`

// style is the text of the stylesheet.
var style = func() string {
	light, dark := make([]string, 0, 2*len(colours)), make([]string, 0, 2*len(colours))
	for _, c := range colours {
		light, dark = append(light, "$"+c.name, c.light), append(dark, "$"+c.name, c.dark)
	}
	return shapes + strings.NewReplacer(light...).Replace(tints) +
		"@media screen and (prefers-color-scheme:dark){" + strings.NewReplacer(dark...).Replace(tints) + "}\n"
}()

// Style is the stylesheet of pictures, for pages that have [Options.Bare] ones in them.
func Style() string { return style }

// policy is a Content-Security-Policy for a picture that is served by itself: the browser
// applies the style with this hash, and runs or loads nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

// Policy is the value of the header Content-Security-Policy with which a picture may be
// served: it lets the picture's own colours through, and nothing else.
func Policy() string { return policy }
