package risk

import (
	"math"
	"math/rand/v2"
)

// draw is a duration that is drawn in each run.
type draw struct {
	node     int
	estimate Estimate
	kind     Distribution
	// low is the shortest duration, span by how much the longest is longer.
	low, span float64
	// up is how much of the span is below the most likely duration, from 0 to 1.
	up   float64
	beta beta
}

func newDraw(e Estimate, kind Distribution, node int) draw {
	d := draw{
		node: node, estimate: e, kind: kind, low: float64(e.Optimistic),
		span: float64(e.Pessimistic - e.Optimistic),
	}
	if d.span > 0 {
		d.up = float64(e.MostLikely-e.Optimistic) / d.span
		d.beta = newBeta(1+4*d.up, 5-4*d.up)
	}
	return d
}

// next is a duration in whole seconds.
func (d *draw) next(r *rand.Rand) int64 {
	if d.span == 0 {
		return d.estimate.Optimistic
	}
	share := 0.0
	if d.kind == Pert {
		share = d.beta.next(r)
	} else {
		share = triangular(r.Float64(), d.up)
	}
	return int64(math.Round(d.low + d.span*share))
}

// triangular is below what a share u of all values is, from 0 to 1, with the mode at up.
func triangular(u, up float64) float64 {
	if u < up {
		return math.Sqrt(u * up)
	}
	return 1 - math.Sqrt((1-u)*(1-up))
}

// beta draws from a beta distribution whose shapes are 1 or more and 6 together, by the
// rejection that R. C. H. Cheng calls BB (1978).
type beta struct {
	a, b           float64 // the smaller shape, and the larger
	turned         bool    // the larger was the first
	factor, offset float64
}

func newBeta(first, second float64) beta {
	d := beta{a: first, b: second}
	if d.turned = first > second; d.turned {
		d.a, d.b = d.b, d.a
	}
	d.factor = math.Sqrt((d.a + d.b - 2) / (2*d.a*d.b - d.a - d.b))
	d.offset = d.a + 1/d.factor
	return d
}

func (d *beta) next(r *rand.Rand) float64 {
	var share float64
	if d.a == 1 { // which has a closed form
		share = 1 - math.Pow(r.Float64(), 1/d.b)
	} else {
		share = d.reject(r)
	}
	if d.turned {
		return 1 - share
	}
	return share
}

func (d *beta) reject(r *rand.Rand) float64 {
	sum := d.a + d.b
	for {
		u, v := 1-r.Float64(), 1-r.Float64() // neither is 0
		if u == 1 {
			continue
		}
		x := d.factor * math.Log(u/(1-u))
		w := d.a * math.Exp(x)
		z := u * u * v
		q := d.offset*x - math.Log(4)
		if s := q + d.a - w; s+1+math.Log(5) < 5*z {
			if t := math.Log(z); s < t && q+sum*math.Log(sum/(d.b+w)) < t {
				continue
			}
		}
		return w / (d.b + w)
	}
}
