package entity_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// voyage is a record with instants and numbers at several depths, of which no check says
// anything.
type voyage struct {
	ID     string                `json:"id"`
	Name   string                `json:"name"`
	Sails  twinplatform.DateTime `json:"sails"`
	Tons   float64               `json:"tons"`
	Ports  []port                `json:"ports"`
	Charts map[string]any        `json:"charts"`
	Pilot  *pilot                `json:"pilot"`
}

type port struct {
	Name string                  `json:"name"`
	Days []twinplatform.DateTime `json:"days"`
}

type pilot struct {
	Shift struct {
		Until twinplatform.DateTime `json:"until"`
		Fee   *float64              `json:"fee"`
	} `json:"shift"`
}

type voyagePatch struct {
	Name   twinplatform.Optional[string]
	Sails  twinplatform.Optional[twinplatform.DateTime]
	Tons   twinplatform.Optional[float64]
	Ports  twinplatform.Optional[[]port]
	Charts twinplatform.Optional[map[string]any]
	Pilot  twinplatform.Optional[pilot]
}

var voyages = entity.Kind[voyage, voyage, voyagePatch]{
	Records: &records.Collection[voyage]{Name: "voyages", Untracked: true, ID: func(v *voyage) string { return v.ID }},
	One:     "voyage", Many: "voyages", Resource: "voyage", Missing: missing, Bad: &bad,
	Members: func(r, n *voyage, p *voyagePatch) []entity.Member {
		return []entity.Member{
			entity.ID(&r.ID, &n.ID, nil),
			entity.Text("name", &r.Name, &n.Name, &p.Name).Max(20),
			entity.Value("sails", &r.Sails, &n.Sails, &p.Sails),
			entity.Value("tons", &r.Tons, &n.Tons, &p.Tons).Valid((*problem.Checks).Quantity),
			entity.Value("ports", &r.Ports, &n.Ports, &p.Ports),
			entity.Value("charts", &r.Charts, &n.Charts, &p.Charts),
			entity.Part("pilot", &r.Pilot, &n.Pilot, &p.Pilot, func(*problem.Checks, string, *pilot) {}),
		}
	},
}

func TestWhatCannotBeStoredIsRefusedAtAnyDepth(t *testing.T) {
	t.Parallel()
	late := twinplatform.At(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	var late1, costly pilot
	late1.Shift.Until, costly.Shift.Fee = late, new(math.Inf(1))
	for _, c := range []struct {
		wrong  voyage
		target string
	}{
		{voyage{}, ""},
		{voyage{Sails: late}, "sails"},
		{voyage{Tons: math.NaN()}, "tons"}, // once, though two checks see it
		{voyage{Ports: []port{{Days: []twinplatform.DateTime{{}, late}}}}, "ports[0].days[1]"},
		{voyage{Charts: map[string]any{"scale": math.Inf(-1)}}, "charts"},
		{voyage{Charts: map[string]any{"of": make(chan int)}}, "charts"},
		{voyage{Pilot: &late1}, "pilot.shift.until"},
		{voyage{Pilot: &costly}, "pilot.shift.fee"},
		{voyage{Name: "a\x00b"}, "name"},
		{voyage{Name: "\u202egpj.exe"}, "name"},
		{voyage{Name: "\u05d0\u200f-1"}, ""}, // a mark of direction is part of how Hebrew is written
	} {
		var want []string
		if c.target != "" {
			want = []string{bad.Code, "InvalidValue " + c.target}
		}
		_, err := voyages.Make(c.wrong)
		if diff := cmp.Diff(want, problemtest.Brief(err)); diff != "" {
			t.Errorf("%+v is made (-want +got):\n%s", c.wrong, diff)
		}
		v := c.wrong
		p := voyagePatch{
			Name: twinplatform.Set(v.Name), Sails: twinplatform.Set(v.Sails), Tons: twinplatform.Set(v.Tons), Ports: twinplatform.Set(v.Ports),
			Charts: twinplatform.Set(v.Charts),
		}
		if v.Pilot != nil {
			p.Pilot = twinplatform.Set(*v.Pilot)
		}
		if diff := cmp.Diff(want, problemtest.Brief(voyages.Patching("a", &p))); diff != "" {
			t.Errorf("%+v is patched (-want +got):\n%s", c.wrong, diff)
		}
	}
}
