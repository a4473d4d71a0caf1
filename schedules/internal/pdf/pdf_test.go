package pdf_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/pdf"
)

// picture is one as packages gantt and plot draw them, around some elements.
func picture(elements string) []byte {
	return []byte(`<svg class="x" width="200" height="100"><title id="t">Häuser &amp; →</title><style>.x text{font-size:10px;fill:#000000}
.x .t{font-weight:600}
.x .n{text-anchor:end}
.x .e{text-anchor:middle}
.x .o{stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}
.x path{fill:none}
.x .c{fill:#ff0000;stroke:#0000ff}
.x .lo{stroke:#808080;stroke-dasharray:3 2}
.x .q{stroke-opacity:.5}
.x .a{fill:#808080}
@media screen and (prefers-color-scheme:dark){.x .c{fill:#00ff00}}
</style><defs><marker id="m"><path class="a" d="M0 .5 7 3.5 0 6.5z"/></marker><clipPath id="k"><path d="M0-16H50v24H0z"/></clipPath></defs>` +
		elements + "</svg>")
}

// written is a document of one page.
func written(t *testing.T, svg []byte) (file []byte, content string, d *pdf.Document) {
	t.Helper()
	d = new(pdf.Document)
	if err := d.Add(svg, pdf.A4); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), contents(t, b.Bytes())[0], d
}

// contents are the operators of each page.
func contents(t *testing.T, file []byte) (all []string) {
	t.Helper()
	for _, at := range regexp.MustCompile(`/Length (\d+)/Filter/FlateDecode>>\nstream\n`).FindAllSubmatchIndex(file, -1) {
		length, err := strconv.Atoi(string(file[at[2]:at[3]]))
		if err != nil {
			t.Fatal(err)
		}
		z, err := zlib.NewReader(bytes.NewReader(file[at[1] : at[1]+length]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

func TestElementsOfAPictureAreTheSameOperators(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ svg, want string }{
		"a box":           {`<path class="c" d="M1.5-2H10v3H1.5z"/>`, "q 1.000 0.000 0.000 rg 0.000 0.000 1.000 RG 1.5 -2 m 10 -2 l 10 1 l 1.5 1 l h B Q\n"},
		"a bend":          {`<path class="lo q" d="M0 0q3 0 3 3"/>`, "q 0.751 0.751 0.751 RG [3 2] 0 d 0 0 m 2 0 3 1 3 3 c S Q\n"},
		"points as lines": {`<path class="a" d="M0 0l7-7 7 7z"/>`, "q 0.502 0.502 0.502 rg 0 0 m 7 -7 l 14 0 l h f Q\n"},
		"what a group has": {
			`<g class="lo" transform="translate(5 -1)"><title>no</title><path d="M0 0V4"/></g><path class="a" d=""/><path d="M0 0V1"/>`,
			"q 1 0 0 1 5 -1 cm\nq 0.502 0.502 0.502 RG [3 2] 0 d 0 0 m 0 4 l S Q\nQ\n",
		},
		"an arrow": {
			`<g class="lo" marker-end="url(#m)"><path d="M0 0V9"/></g>`,
			"q 1 0 0 1 0 0 cm\nq 0.502 0.502 0.502 RG [3 2] 0 d 0 0 m 0 9 l S Q\n" +
				"q 0 1 -1 0 3.5 2.5 cm 0.502 0.502 0.502 rg 0 0.5 m 7 3.5 l 0 6.5 l h f Q\nQ\n",
		},
		"text":                    {`<text x="3" y="4">(a\b)</text>`, "q 0.000 0.000 0.000 rg BT 0 Tr 1 0 0 -1 3 4 Tm /F1 10 Tf (\\(a\\\\b\\)) Tj ET Q\n"},
		"text that ends there":    {`<text class="t n" x="30" y="4">1234</text>`, "q 0.000 0.000 0.000 rg BT 0 Tr 1 0 0 -1 7.76 4 Tm /F2 10 Tf (1234) Tj ET Q\n"},
		"text in the middle":      {`<text class="e" x="30" y="4">1234</text>`, "q 0.000 0.000 0.000 rg BT 0 Tr 1 0 0 -1 18.88 4 Tm /F1 10 Tf (1234) Tj ET Q\n"},
		"text around itself":      {`<text class="o" x="0" y="4">1</text>`, "q 0.000 0.000 0.000 rg 1.000 1.000 1.000 RG 4 w 1 j BT 2 Tr 1 0 0 -1 0 4 Tm /F1 10 Tf (1) Tj ET Q\n"},
		"text of other fonts":     {`<text x="0" y="4">ä→€` + "\u2068" + `</text>`, "q 0.000 0.000 0.000 rg BT 0 Tr 1 0 0 -1 0 4 Tm /F1 10 Tf (\xE4) Tj /F3 10 Tf (\xAE) Tj /F1 10 Tf (\x80) Tj ET Q\n"},
		"text within its column":  {`<text x="0" y="4" clip-path="url(#k)">1</text>`, "q 0 -16 m 50 -16 l 50 8 l 0 8 l h W n\nq 0.000 0.000 0.000 rg BT 0 Tr 1 0 0 -1 0 4 Tm /F1 10 Tf (1) Tj ET Q\nQ\n"},
		"nothing of what is said": {`<desc>no</desc><text x="0" y="4"></text>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, got, _ := written(t, picture(c.svg))
			head, got, _ := strings.Cut(got, "\n")
			if want := "1.000000 0 0 -1.000000 28.35 566.93 cm"; head != want {
				t.Errorf("the page begins with %s, want %s", head, want)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestALargePictureIsMadeSmallAndNoneLarger(t *testing.T) {
	t.Parallel()
	width, _ := pdf.A4.Room()
	svg := bytes.Replace(picture(""), []byte(`width="200"`), []byte(`width="2000"`), 1)
	_, got, _ := written(t, svg)
	if want := fmt.Sprintf("%.6f 0 0 -", width/2000); !strings.HasPrefix(got, want) {
		t.Errorf("%.40s, want %s", got, want)
	}
}

func TestLettersThatNoPDFHasAreQuestionMarksAndCounted(t *testing.T) {
	t.Parallel()
	_, got, d := written(t, picture(`<text x="0" y="4">Бau 基</text>`))
	if !strings.Contains(got, "(?au ?)") || d.Replaced() != 2 {
		t.Errorf("%d replaced in %s", d.Replaced(), got)
	}
}

func TestADocumentHasItsPagesWhereItSaysAndItsTitle(t *testing.T) {
	t.Parallel()
	var d pdf.Document
	for _, paper := range []pdf.Paper{pdf.A3, pdf.A4, pdf.A3} {
		if err := d.Add(picture(`<text x="1" y="2">x</text>`), paper); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if n, err := d.WriteTo(&b); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	file := b.String()
	if len(contents(t, b.Bytes())) != 3 || !strings.Contains(file, "/Count 3/") || strings.Count(file, "[0 0 1190.55 841.89]") != 2 {
		t.Errorf("%s", file)
	}
	if !strings.Contains(file, "/Title<FEFF004800E400750073006500720020002600202192>") {
		t.Errorf("there is no title in %s", file)
	}
	at, err := strconv.Atoi(regexp.MustCompile(`startxref\n(\d+)\n`).FindStringSubmatch(file)[1])
	if err != nil || !strings.HasPrefix(file[at:], "xref\n0 13\n") {
		t.Fatalf("%v, the table is not at %d", err, at)
	}
	for i, place := range regexp.MustCompile(`(\d{10}) 00000 n`).FindAllStringSubmatch(file[at:], -1) {
		from, _ := strconv.Atoi(place[1])
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !strings.HasPrefix(file[from:], want) {
			t.Errorf("at %d is %.12q, want %q", from, file[from:], want)
		}
	}
}

func TestPicturesOfOtherProgramsAreRefused(t *testing.T) {
	t.Parallel()
	for name, svg := range map[string][]byte{
		"a circle":       picture(`<circle r="5"/>`),
		"an arc":         picture(`<path class="a" d="M0 0A5 5 0 0 1 9 9"/>`),
		"no command":     picture(`<path class="a" d="7 8"/>`),
		"after an end":   picture(`<path class="a" d="M0 0z9"/>`),
		"a number short": picture(`<path class="a" d="M0"/>`),
		"a rotation":     picture(`<g transform="rotate(30)"></g>`),
		"no size":        []byte("<svg></svg>"),
		"no XML":         []byte("<svg"),
		"nothing":        nil,
	} {
		if err := new(pdf.Document).Add(svg, pdf.A4); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
