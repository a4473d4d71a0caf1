package gantt_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
)

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// box is where the bar of a task is drawn.
type box struct{ x0, x1, y float64 }

// boxes are those of the tasks of a picture by their ids.
func boxes(t *testing.T, svg string) map[string]box {
	t.Helper()
	all := make(map[string]box)
	rows := regexp.MustCompile(`<g transform="translate\(0 ([0-9.]+)\)"><title>(\S+) [^\n]*<path class="[rckd]" d="M([0-9.]+)(?:-10H([0-9.]+)| -4l7)`)
	for _, m := range rows.FindAllStringSubmatch(svg, -1) {
		b := box{x0: number(t, m[3]), y: number(t, m[1]) - 4}
		if b.x1 = b.x0 + 14; m[4] != "" {
			b.x1 = number(t, m[4])
		}
		all[m[2]] = b
	}
	return all
}

// ends are where lines begin and end, and whether the last piece goes up or down.
func ends(t *testing.T, svg string) (from, to [][2]float64, upright []bool) {
	t.Helper()
	links, _, _ := strings.Cut(svg, `<g transform="translate(0 `)
	for _, m := range regexp.MustCompile(`<path d="M([0-9.]+) ([0-9.]+)([^"]*)"/>`).FindAllStringSubmatch(links, -1) {
		x, y := number(t, m[1]), number(t, m[2])
		from = append(from, [2]float64{x, y})
		last := ""
		for _, p := range regexp.MustCompile(`([HVq])([^HVq]*)`).FindAllStringSubmatch(m[3], -1) {
			switch last = p[1]; last {
			case "H":
				x = number(t, p[2])
			case "V":
				y = number(t, p[2])
			case "q":
				by := regexp.MustCompile(`-?[0-9.]+`).FindAllString(p[2], -1)
				x, y = x+number(t, by[2]), y+number(t, by[3])
			}
		}
		to, upright = append(to, [2]float64{x, y}), append(upright, last == "V")
	}
	return from, to, upright
}

// Whichever way two tasks lie to one another, a link leaves the end of the bar that its
// type says, and arrives at the end that its type says or comes down on the bar there.
func TestLinksLeaveAndEnterAtTheEndsOfTheirTypes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := &dated.Plan{Projects: []dated.Project{{Calendar: office(t)}}, Tasks: []dated.Task{
			task(t, "p", r.IntN(12), 1+r.IntN(6)), task(t, "s", r.IntN(12), 1+r.IntN(6)), task(t, "x", r.IntN(12), 1+r.IntN(6)),
		}}
		for i := range p.Tasks {
			if r.IntN(4) == 0 {
				p.Tasks[i].Kind, p.Tasks[i].Finish = cpm.StartMilestone, p.Tasks[i].Start
			}
		}
		typ := cpm.LinkType(r.IntN(4))
		p.Links = []dated.Link{{Predecessor: 0, Successor: 1, Type: typ}}
		svg := draw(t, p, gantt.Options{Scale: gantt.Scale(r.IntN(3))})
		at := boxes(t, svg)
		from, to, upright := ends(t, svg)
		if len(at) != 3 || len(from) != 1 {
			t.Fatalf("seed %d: %v, %v\n%s", seed, at, from, svg)
		}
		a, b, near := at["p"], at["s"], func(x, y float64) bool { return math.Abs(x-y) <= 0.3 }
		leaves, enters := a.x1, b.x0
		if typ == cpm.StartToStart || typ == cpm.StartToFinish {
			leaves = a.x0
		}
		if typ == cpm.FinishToFinish || typ == cpm.StartToFinish {
			enters = b.x1
		}
		within := math.Abs(from[0][0]-leaves) <= 4 // below the end of a bar
		if !near(from[0][1], a.y) || !near(from[0][0], leaves) && !(upright[0] && within) {
			t.Errorf("seed %d: a link of type %d leaves %v, which is at %v", seed, typ, a, from[0])
		}
		switch x, y := to[0][0], to[0][1]; {
		case upright[0]:
			if x < b.x0 || x > b.x1 || math.Abs(y-b.y) > 8 {
				t.Errorf("seed %d: a link of type %d comes down at %v, %v", seed, typ, to[0], b)
			}
		case !near(y, b.y) || !near(x, enters):
			t.Errorf("seed %d: a link of type %d enters %v at %v", seed, typ, b, to[0])
		}
	}
}
