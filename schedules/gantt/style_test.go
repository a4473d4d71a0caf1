package gantt_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
)

// palettes are the colours of the classes by light and by dark, as the stylesheet has
// them.
func palettes(t *testing.T) [2]map[string]string {
	t.Helper()
	light, dark, ok := strings.Cut(gantt.Style(), "@media screen and (prefers-color-scheme:dark)")
	if !ok {
		t.Fatal("there is no dark picture")
	}
	var all [2]map[string]string
	for i, css := range []string{light, dark} {
		all[i] = make(map[string]string)
		for _, rule := range regexp.MustCompile(`([^{}\n]+)\{([^{}]*)\}`).FindAllStringSubmatch(css, -1) {
			for class := range strings.SplitSeq(rule[1], ",") {
				for _, m := range regexp.MustCompile(`(fill|stroke):(#[0-9a-f]{6})`).FindAllStringSubmatch(rule[2], -1) {
					all[i][strings.TrimLeft(strings.TrimPrefix(class, ".gantt"), " .")+" "+m[1]] = m[2]
				}
			}
		}
	}
	return all
}

// luminance is that of WCAG 2.
func luminance(t *testing.T, colour string) (l float64) {
	t.Helper()
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		l += weight * c
	}
	return l
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func TestColoursStandOutFromTheGround(t *testing.T) {
	t.Parallel()
	for i, palette := range palettes(t) {
		for _, ground := range []string{"bg fill", "w fill", "bd fill"} {
			for what, least := range map[string]float64{
				"text fill": 4.5, "m fill": 4.5,
				"r stroke": 3, "c fill": 3, "d fill": 3, "b fill": 3, "s fill": 3, "k fill": 3, "h stroke": 3, "f stroke": 3, "v stroke": 3,
				"lo stroke": 3, "ld stroke": 3, "lc stroke": 3, "al fill": 3, "z stroke": 3,
			} {
				if palette[what] == "" || palette[ground] == "" {
					t.Fatalf("there is no %s or %s", what, ground)
				}
				if got := contrast(t, palette[what], palette[ground]); got < least {
					t.Errorf("palette %d: %s on %s has a contrast of %.2f, want %v", i, what, ground, got, least)
				}
			}
		}
	}
}

// seen is a colour as people see it who lack the receptors for red or for green, by the
// matrices of Viénot, Brettel and Mollon.
func seen(t *testing.T, colour string, matrix [3][3]float64) [3]float64 {
	t.Helper()
	var rgb, out [3]float64
	for i := range 3 {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		rgb[i] = math.Pow(float64(n)/255, 2.2)
	}
	for i := range 3 {
		for j := range 3 {
			out[i] += matrix[i][j] * rgb[j]
		}
		out[i] = 255 * math.Pow(math.Min(math.Max(out[i], 0), 1), 1/2.2)
	}
	return out
}

func TestDoneRemainingAndCriticalDifferWithoutRedOrGreenAndInGrey(t *testing.T) {
	t.Parallel()
	for i, palette := range palettes(t) {
		fills := []string{palette["d fill"], palette["r fill"], palette["c fill"]}
		for name, matrix := range map[string][3][3]float64{
			"without red":   {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
			"without green": {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
			"in grey":       {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
		} {
			for a := range fills {
				for b := range a {
					x, y := seen(t, fills[a], matrix), seen(t, fills[b], matrix)
					if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < 40 {
						t.Errorf("palette %d: %s and %s %s are %.0f apart", i, fills[a], fills[b], name, d)
					}
				}
			}
		}
	}
}

func TestThePolicyNamesTheStyleOfPictures(t *testing.T) {
	t.Parallel()
	if !strings.Contains(draw(t, kinds(t), gantt.Options{}), "<style>"+gantt.Style()+"</style>") {
		t.Error("the picture has another style")
	}
	if !regexp.MustCompile(`^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='$`).MatchString(gantt.Policy()) {
		t.Error(gantt.Policy())
	}
}

// TestPicturesAreOfWhatProgramsDraw leaves out what some programs that draw SVG were seen not to know:
// the short form of fonts (Inkscape 1.2, resvg), texts in places within a text (QtSvg), and a stroke that
// is painted below its text (CairoSVG).
func TestPicturesAreOfWhatProgramsDraw(t *testing.T) {
	t.Parallel()
	for _, p := range []*dated.Plan{kinds(t), types(t), texts(t), long(t, 300)} {
		svg := draw(t, p, gantt.Options{})
		for _, never := range []string{"<tspan", "font:", "paint-order"} {
			if strings.Contains(svg, never) {
				t.Errorf("%s: it has %s", p.Name, never)
			}
		}
	}
	svg := draw(t, kinds(t), gantt.Options{})
	behind := regexp.MustCompile(`<text class="o( n)?" x="([0-9.]+)"( y="[0-9.]+")?>([^<]*)</text><text class="m( n)?" x="([0-9.]+)"( y="[0-9.]+")?>([^<]*)</text>`)
	labels := behind.FindAllStringSubmatch(svg, -1)
	if len(labels) == 0 || len(labels) != strings.Count(svg, `class="o`) {
		t.Errorf("%d labels of %d stand on their ground", len(labels), strings.Count(svg, `class="o`))
	}
	for _, l := range labels {
		if diff := cmp.Diff(l[1:5], l[5:]); diff != "" {
			t.Errorf("what is behind a label is another one (-behind +label)\n%s", diff)
		}
	}
}
