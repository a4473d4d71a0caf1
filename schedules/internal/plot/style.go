package plot

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// colours of light and of dark pictures. Lines and fields stand out from the ground by a
// contrast of 3 to 1, text by 4.5 to 1; lines differ in their dashes too.
var colours = []struct{ name, light, dark string }{
	{"ground", "#ffffff", "#10161e"},
	{"text", "#1b2430", "#e6eaf0"},
	{"muted", "#566273", "#9aa7b8"},
	{"grid", "#e6eaef", "#1f2833"},
	{"axis", "#aab4c2", "#455365"},
	{"planned", "#6b778a", "#8492a6"},
	{"actual", "#1f4e79", "#9ccbf5"},
	{"early", "#2b6cb0", "#6baeeb"},
	{"late", "#cf3f14", "#ff7a50"},
	{"field", "#7fb0e3", "#3a6fa8"},
	{"over", "#cf3f14", "#ff7a50"},
	{"data", "#7c3aed", "#b794ff"},
}

// shapes are how classes look in any colours.
const shapes = `.plot text{font-size:11px;font-weight:400;` +
	`font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;` +
	`font-variant-numeric:tabular-nums;white-space:pre}
.plot .t{font-size:16px;font-weight:600}
.plot .u{font-weight:600}
.plot .n{text-anchor:end}
.plot .e{text-anchor:middle}
.plot .o{stroke-width:4px;stroke-linejoin:round}
.plot path{fill:none}
.plot .g,.plot .a{shape-rendering:crispEdges}
.plot .lp,.plot .la,.plot .le,.plot .ll,.plot .lm{stroke-width:2;stroke-linejoin:round}
.plot .lp{stroke-dasharray:7 3}
.plot .la{stroke-width:3}
.plot .ll{stroke-dasharray:2 3}
.plot .lz,.plot .lq{stroke-width:1.5}
.plot .lq{stroke-dasharray:4 3}
`

// tints are what colours give to classes.
const tints = `.plot text{fill:$text}
.plot .m{fill:$muted}
.plot .o{fill:$ground;stroke:$ground}
.plot .bg{fill:$ground}
.plot .g{stroke:$grid}
.plot .a{stroke:$axis}
.plot .lp{stroke:$planned}
.plot .la{stroke:$actual}
.plot .le{stroke:$early}
.plot .ll,.plot .lm,.plot .lq{stroke:$late}
.plot .lz{stroke:$data}
.plot .z{fill:$data}
.plot .f{fill:$field}
.plot .d{fill:$actual}
.plot .x{fill:$over}
.plot .p{fill:$grid;stroke:$planned}
`

var style = func() string {
	light, dark := make([]string, 0, 2*len(colours)), make([]string, 0, 2*len(colours))
	for _, c := range colours {
		light, dark = append(light, "$"+c.name, c.light), append(dark, "$"+c.name, c.dark)
	}
	return shapes + strings.NewReplacer(light...).Replace(tints) +
		"@media screen and (prefers-color-scheme:dark){" + strings.NewReplacer(dark...).Replace(tints) + "}\n"
}()

// Style is the stylesheet of pictures, for pages that have bare ones in them.
func Style() string { return style }

var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

// Policy is the value of the header Content-Security-Policy with which a picture may be
// served: it lets the picture's own colours through, and nothing else.
func Policy() string { return policy }
