package isometric_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/isometric"
)

func box(x, y, z, size float64) fourd.Box {
	return fourd.Box{Min: fourd.Vector{X: x, Y: y, Z: z}, Max: fourd.Vector{X: x + size, Y: y + size, Z: z + size}}
}

func solid(b fourd.Box, color string) isometric.Solid {
	return isometric.Solid{Box: b, State: fourd.State{Present: true, Color: color, OriginalTransparency: true}}
}

var (
	fills = regexp.MustCompile(`<path fill="(#[0-9a-f]{6})"`)
	marks = regexp.MustCompile(`d="M([-0-9.]+) ([-0-9.]+)l`)
)

func drawn(t *testing.T, scenes ...isometric.Scene) string {
	t.Helper()
	var b bytes.Buffer
	if err := isometric.SVG(&b, scenes); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
		t.Fatalf("it is no XML: %v", err)
	}
	return b.String()
}

// colors are those of the faces, in the order in which they are drawn.
func colors(svg string) (all []string) {
	for _, m := range fills.FindAllStringSubmatch(svg, -1) {
		all = append(all, m[1])
	}
	return all
}

// shades are a colour of red and blue on the front, the right and the top.
func shades(red, blue int) (all [3]string) {
	for i, light := range []float64{0.88, 0.72, 1} {
		part := func(v int) int { return int(math.Round(light * float64(v))) }
		all[i] = fmt.Sprintf("#%02x%02x%02x", part(red), 0, part(blue))
	}
	return all
}

func TestSolidHasThreeSidesOfWhichTheTopIsTheBrightest(t *testing.T) {
	t.Parallel()
	front := shades(200, 100)
	got := colors(drawn(t, isometric.Scene{Solids: []isometric.Solid{solid(box(0, 0, 0, 1), "#c80064")}}))
	if diff := cmp.Diff([]string{front[1], front[0], front[2]}, got); diff != "" {
		t.Errorf("its sides are others (-want +got):\n%s", diff)
	}
}

func TestWhatIsNotThereOrHiddenIsNotDrawn(t *testing.T) {
	t.Parallel()
	wall := solid(fourd.Box{Min: fourd.Vector{X: 2, Y: -4, Z: -4}, Max: fourd.Vector{X: 3, Y: 6, Z: 6}}, "#c80064")
	absent := solid(box(9, 0, 0, 1), "#112233")
	absent.State.Present = false
	gone := solid(box(9, 0, 0, 1), "#112233")
	gone.State.OriginalTransparency, gone.State.Transparency = false, 100
	unborn := solid(box(9, 0, 0, 1), "#112233")
	unborn.State.Growth = fourd.Growth{Growing: true, Cut: true, Plane: fourd.Plane{Normal: fourd.Vector{Z: 1}}}
	odd := solid(box(math.NaN(), 0, math.Inf(1), 1), "#112233")
	for name, s := range map[string]isometric.Solid{
		"behind a wall": solid(box(0, 1, 0, 1), "#112233"), "absent": absent, "transparent": gone, "not begun": unborn,
		"nowhere": odd,
	} {
		svg := drawn(t, isometric.Scene{Solids: []isometric.Solid{s, wall}})
		if got := colors(svg); len(got) != 3 {
			t.Errorf("%s: there are %v", name, got)
		}
	}
	glass := wall
	glass.State.OriginalTransparency, glass.State.Transparency = false, 60
	svg := drawn(t, isometric.Scene{Solids: []isometric.Solid{solid(box(0, 1, 0, 1), "#112233"), glass}})
	if got := colors(svg); len(got) != 6 || strings.Count(svg, `fill-opacity="0.4"`) != 3 {
		t.Errorf("behind glass there are %v", got)
	}
}

// What is drawn first is where the picture begins, so that a solid which is cut or moved shows by its corners.
func TestSolidIsCutByItsPlaneAndMovedByItsMatrix(t *testing.T) {
	t.Parallel()
	ground := solid(fourd.Box{Min: fourd.Vector{X: -5, Y: -5, Z: -1}, Max: fourd.Vector{X: 15, Y: 15, Z: 9}}, "#808080")
	ground.State.OriginalTransparency, ground.State.Transparency = false, 90 // it gives all pictures one scale
	at := func(s isometric.Solid) string {
		svg := drawn(t, isometric.Scene{Solids: []isometric.Solid{ground, s}})
		return fmt.Sprint(marks.FindAllString(svg, -1), colors(svg))
	}
	half := solid(box(0, 0, 0, 4), "#c80064")
	half.State.Growth = fourd.Growth{Growing: true, Cut: true, Plane: fourd.Plane{Normal: fourd.Vector{Z: 1}, Offset: 2}}
	low := solid(box(0, 0, 0, 4), "#c80064")
	low.Box.Max.Z = 2
	rest := solid(box(0, 0, 0, 4), "#c80064")
	rest.State.Growth = fourd.Growth{Growing: true, Cut: true, Plane: fourd.Plane{Normal: fourd.Vector{X: -1}, Offset: -1}}
	right := solid(box(0, 0, 0, 4), "#c80064")
	right.Box.Min.X = 1
	moved := solid(box(0, 0, 0, 4), "#c80064")
	moved.State.Moved, moved.State.Matrix = true, fourd.Identity
	moved.State.Matrix[3] = 5
	there := solid(box(0, 0, 0, 4), "#c80064")
	there.Box.Min.X, there.Box.Max.X = 5, 9
	for name, pair := range map[string][2]isometric.Solid{"from below": {half, low}, "from the right": {rest, right}, "moved": {moved, there}} {
		if got, want := at(pair[0]), at(pair[1]); got != want {
			t.Errorf("%s: it is drawn as %s, not as %s", name, got, want)
		}
	}
}

// A solid that hides a part of another one is drawn behind it, whatever the order in which they are given.
func TestNearerSolidsAreDrawnLater(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		var boxes []fourd.Box
		for range 3 + r.IntN(25) {
			b := fourd.Box{Min: fourd.Vector{X: float64(r.IntN(12)), Y: float64(r.IntN(12)), Z: float64(r.IntN(12))}}
			b.Max = fourd.Vector{X: b.Min.X + 1 + float64(r.IntN(2)), Y: b.Min.Y + 1 + float64(r.IntN(2)), Z: b.Min.Z + 1 + float64(r.IntN(2))}
			if !meetsAny(b, boxes) {
				boxes = append(boxes, b)
			}
		}
		var solids []isometric.Solid
		owner := make(map[string]int)
		for i, b := range boxes {
			red, blue := 40+7*i, 250-7*i
			solids = append(solids, solid(b, fmt.Sprintf("#%02x00%02x", red, blue)))
			for _, s := range shades(red, blue) {
				owner[s] = i
			}
		}
		first, last := make(map[int]int), make(map[int]int)
		for k, color := range colors(drawn(t, isometric.Scene{Solids: solids})) {
			i := owner[color]
			if _, seen := first[i]; !seen {
				first[i] = k
			}
			last[i] = k
		}
		for i, far := range boxes {
			for k, near := range boxes {
				_, a := first[i]
				_, b := first[k]
				if i != k && a && b && hides(near, far) && first[k] < last[i] {
					t.Errorf("seed %d: %v is drawn before %v, which it hides", seed, near, far)
				}
			}
		}
	}
}

func meetsAny(b fourd.Box, all []fourd.Box) bool {
	for _, a := range all {
		if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y && a.Min.Z < b.Max.Z && b.Min.Z < a.Max.Z {
			return true
		}
	}
	return false
}

// hides reports whether a ray from a visible side of the far box to who looks goes through the near one.
func hides(near, far fourd.Box) bool {
	for u := 0.1; u < 1; u += 0.2 {
		for v := 0.1; v < 1; v += 0.2 {
			x, y, z := far.Min.X+u*(far.Max.X-far.Min.X), far.Min.Y+v*(far.Max.Y-far.Min.Y), far.Min.Z+v*(far.Max.Z-far.Min.Z)
			for _, p := range []fourd.Vector{
				{X: x, Y: y, Z: far.Max.Z}, {X: x, Y: far.Min.Y, Z: z}, {X: far.Max.X, Y: far.Min.Y + u*(far.Max.Y-far.Min.Y), Z: z},
			} {
				from := max(near.Min.X-p.X, p.Y-near.Max.Y, near.Min.Z-p.Z)
				to := min(near.Max.X-p.X, p.Y-near.Min.Y, near.Max.Z-p.Z)
				if from >= -1e-9 && to-from > 1e-9 {
					return true
				}
			}
		}
	}
	return false
}

func TestPictureSaysWhatItShows(t *testing.T) {
	t.Parallel()
	svg := drawn(t, isometric.Scene{Title: "A & B"}, isometric.Scene{Title: "<C>", Solids: []isometric.Solid{solid(box(0, 0, 0, 1), "red")}})
	for _, want := range []string{`width="680"`, "The site, A &amp; B, &lt;C&gt;", ">A &amp; B</text>", "prefers-color-scheme: dark", "#b5b5b5"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is not in\n%s", want, svg)
		}
	}
	drawn(t)
}

func TestPictureOfTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	for name, scenes := range map[string][]isometric.Scene{
		"scenes": make([]isometric.Scene, isometric.MaxScenes+1),
		"solids": {{Solids: make([]isometric.Solid, isometric.MaxSolids+1)}},
	} {
		if err := isometric.SVG(new(bytes.Buffer), scenes); !errors.Is(err, isometric.ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
