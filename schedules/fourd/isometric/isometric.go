// Package isometric draws a site of boxes at some moments, one picture next to the other, as SVG: seen from the front,
// the right and above, without perspective. It needs neither a store nor a 3D program.
//
//	var solids []isometric.Solid
//	for entity, state := range timeline.At(worktime.Date(2026, time.May, 4, 12, 0, 0)) {
//		solids = append(solids, isometric.Solid{Box: boxes[entity], State: state})
//	}
//	err := isometric.SVG(file, []isometric.Scene{{Title: "4 May 2026", Solids: solids}})
package isometric

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
)

// Limits of a picture.
const (
	MaxScenes = 12
	MaxSolids = 2_000 // of a scene
)

// ErrTooMuch is what a picture fails with that has more than MaxScenes scenes, or more than MaxSolids solids in one.
var ErrTooMuch = errors.New("isometric: there is more than a picture shows")

// Scene is a site at a moment.
type Scene struct {
	Title  string
	Solids []Solid
}

// Solid is an entity, as the box around it: where it is and how it looks, as far as it has grown. A plane that is along
// none of the axes cuts nothing. One without a colour is grey.
type Solid struct {
	Box   fourd.Box
	State fourd.State
}

// The size of one scene, in pixels.
const (
	sceneWidth  = 340
	sceneHeight = 300
	titleHeight = 28
	margin      = 8
)

// SVG writes the scenes from the left to the right, all of one scale. Colours of texts follow the preference of the
// reader for light or dark.
//
// Errors: ErrTooMuch; those of w.
func SVG(w io.Writer, scenes []Scene) error {
	if len(scenes) > MaxScenes {
		return fmt.Errorf("%w: %d scenes", ErrTooMuch, len(scenes))
	}
	drawn := make([][]face, len(scenes))
	var frame extent
	for i, s := range scenes {
		if len(s.Solids) > MaxSolids {
			return fmt.Errorf("%w: %d solids", ErrTooMuch, len(s.Solids))
		}
		drawn[i] = facesOf(s.Solids)
		for _, f := range drawn[i] {
			for _, p := range f.corners {
				frame.add(p)
			}
		}
	}
	var out bytes.Buffer
	width := sceneWidth * max(len(scenes), 1)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="site" role="img" aria-labelledby="site-title" `+
		`width="%d" height="%d" viewBox="0 0 %d %d"><title id="site-title">%s</title>`+"\n", width, sceneHeight, width,
		sceneHeight, html.EscapeString(titleOf(scenes)))
	out.WriteString(style)
	for i := range scenes {
		fmt.Fprintf(&out, `<g transform="translate(%d 0)"><text x="%d" y="19">%s</text>`+"\n", i*sceneWidth, sceneWidth/2,
			html.EscapeString(scenes[i].Title))
		for _, f := range visible(frame.placed(drawn[i])) {
			f.write(&out)
		}
		out.WriteString("</g>\n")
	}
	out.WriteString("</svg>\n")
	_, err := w.Write(out.Bytes())
	return err
}

const style = `<style>.site text{font:600 14px system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",` +
	`sans-serif;text-anchor:middle;fill:#1b2430}
.site path{stroke:#1b2430;stroke-opacity:.35;stroke-width:.4;stroke-linejoin:round}
@media (prefers-color-scheme: dark){.site text{fill:#e6eaef}}
</style>
`

func titleOf(scenes []Scene) string {
	titles := make([]string, len(scenes))
	for i, s := range scenes {
		titles[i] = s.Title
	}
	return strings.Join(append([]string{"The site"}, titles...), ", ")
}

// extent is what is drawn, before it is scaled.
type extent struct {
	low, high [2]float64
	any       bool
}

func (e *extent) add(p [2]float64) {
	if !e.any {
		e.low, e.high, e.any = p, p, true
	}
	for i := range p {
		e.low[i], e.high[i] = min(e.low[i], p[i]), max(e.high[i], p[i])
	}
}

// placed are the faces in pixels.
func (e *extent) placed(faces []face) []face {
	room := [2]float64{sceneWidth - 2*margin, sceneHeight - titleHeight - 2*margin}
	scale := math.Inf(1)
	for i := range room {
		if size := e.high[i] - e.low[i]; size > 0 {
			scale = min(scale, room[i]/size)
		}
	}
	if math.IsInf(scale, 0) {
		scale = 1
	}
	left := (room[0] - scale*(e.high[0]-e.low[0])) / 2
	to := make([]face, len(faces))
	for i, f := range faces {
		for k, p := range f.corners {
			f.corners[k] = [2]float64{
				margin + left + scale*(p[0]-e.low[0]), titleHeight + margin + scale*(e.high[1]-p[1]),
			}
		}
		to[i] = f
	}
	return to
}

// write draws the face, to a tenth of a pixel.
func (f *face) write(w *bytes.Buffer) {
	fmt.Fprintf(w, `<path fill="%s"`, f.color)
	if f.opacity < 1 {
		fmt.Fprintf(w, ` fill-opacity="%.2g"`, f.opacity)
	}
	w.WriteString(` d="M`)
	var at [2]int
	for i, p := range f.corners {
		x, y := int(math.Round(10*p[0])), int(math.Round(10*p[1]))
		if i == 0 {
			fmt.Fprintf(w, "%s %sl", tenths(x), tenths(y))
		} else {
			fmt.Fprintf(w, "%s %s ", tenths(x-at[0]), tenths(y-at[1]))
		}
		at = [2]int{x, y}
	}
	w.WriteString("z\"/>\n")
}

// tenths writes a number of tenths.
func tenths(n int) string {
	if n%10 == 0 {
		return fmt.Sprint(n / 10)
	}
	return fmt.Sprintf("%.1f", float64(n)/10)
}
