package fourd

import "math"

// Identity leaves every point where it is.
var Identity = Matrix{0: 1, 5: 1, 10: 1, 15: 1}

// MaxCoordinate is the largest number that points, boxes and matrices may have, in either
// direction, so that nothing that is computed from them overflows.
const MaxCoordinate = 1e12

// usable reports whether a number is finite and within MaxCoordinate.
func usable(all ...float64) bool {
	for _, v := range all {
		if !(math.Abs(v) <= MaxCoordinate) {
			return false
		}
	}
	return true
}

func (v Vector) usable() bool { return usable(v.X, v.Y, v.Z) }

func (v Vector) plus(w Vector) Vector     { return Vector{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }
func (v Vector) minus(w Vector) Vector    { return Vector{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }
func (v Vector) times(f float64) Vector   { return Vector{v.X * f, v.Y * f, v.Z * f} }
func (v Vector) dot(w Vector) float64     { return v.X*w.X + v.Y*w.Y + v.Z*w.Z }
func (v Vector) length() float64          { return math.Sqrt(v.dot(v)) }
func between(a, b, share float64) float64 { return a + (b-a)*share }

// towards is the point at a share of the straight line to another one.
func (v Vector) towards(w Vector, share float64) Vector { return v.plus(w.minus(v).times(share)) }

// unit is the vector with length 1, unless it has no direction.
func (v Vector) unit() (Vector, bool) {
	if !v.usable() {
		return Vector{}, false
	}
	largest := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	if largest < math.SmallestNonzeroFloat64*1e16 {
		return Vector{}, false
	}
	v = v.times(1 / largest)
	return v.times(1 / v.length()), true
}

// Times is the matrix that applies o first and then m.
func (m *Matrix) Times(o *Matrix) (out Matrix) {
	for row := range 4 {
		for column := range 4 {
			for k := range 4 {
				out[row*4+column] += m[row*4+k] * o[k*4+column]
			}
		}
	}
	return out
}

// Apply is where the matrix puts a point.
func (m *Matrix) Apply(v Vector) Vector {
	return Vector{
		m[0]*v.X + m[1]*v.Y + m[2]*v.Z + m[3],
		m[4]*v.X + m[5]*v.Y + m[6]*v.Z + m[7],
		m[8]*v.X + m[9]*v.Y + m[10]*v.Z + m[11],
	}
}

func moving(by Vector) Matrix {
	m := Identity
	m[3], m[7], m[11] = by.X, by.Y, by.Z
	return m
}

// affine reports whether the last row is 0 0 0 1, as that of every matrix is that moves, turns and
// scales.
func (m *Matrix) affine() bool { return m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1 }

func (m *Matrix) transposed() (out Matrix) {
	for i := range 16 {
		out[i%4*4+i/4] = m[i]
	}
	return out
}

// flat is what the volume of a box is of that of the box around it, below which a matrix counts as
// one that cannot be inverted.
const flat = 1e-12

// invertible reports whether what an affine matrix makes of a box has a volume.
func (m *Matrix) invertible() bool {
	var rows [3]Vector
	for i := range rows {
		row, ok := Vector{m[i*4], m[i*4+1], m[i*4+2]}.unit()
		if !ok {
			return false
		}
		rows[i] = row
	}
	a, b, c := rows[0], rows[1], rows[2]
	cross := Vector{b.Y*c.Z - b.Z*c.Y, b.Z*c.X - b.X*c.Z, b.X*c.Y - b.Y*c.X}
	return math.Abs(a.dot(cross)) > flat
}

// Turn is no turn.
var noTurn = Quaternion{W: 1}

// turn is a rotation as a quaternion. It reports false for one whose axis has no direction.
func (r *Rotation) turn() (Quaternion, bool) {
	axis, ok := r.Axis.unit()
	if !ok {
		return noTurn, false
	}
	half := math.Mod(r.Angle, 720) * math.Pi / 360
	axis = axis.times(math.Sin(half))
	return Quaternion{axis.X, axis.Y, axis.Z, math.Cos(half)}, true
}

// nearlyEqual is the cosine between two turns from which on the arc between them counts as
// straight.
const nearlyEqual = 1 - 1e-9

// towards is the turn at a share of the shortest way to another one.
func (q Quaternion) towards(o Quaternion, share float64) Quaternion {
	cosine := q.X*o.X + q.Y*o.Y + q.Z*o.Z + q.W*o.W
	if cosine < 0 {
		o, cosine = Quaternion{-o.X, -o.Y, -o.Z, -o.W}, -cosine
	}
	f, g := 1-share, share
	if cosine < nearlyEqual {
		angle := math.Acos(cosine)
		f, g = math.Sin((1-share)*angle)/math.Sin(angle), math.Sin(share*angle)/math.Sin(angle)
	}
	r := Quaternion{f*q.X + g*o.X, f*q.Y + g*o.Y, f*q.Z + g*o.Z, f*q.W + g*o.W}
	n := math.Sqrt(r.X*r.X + r.Y*r.Y + r.Z*r.Z + r.W*r.W)
	return Quaternion{r.X / n, r.Y / n, r.Z / n, r.W / n}
}

// Matrix is the matrix that turns so.
func (q Quaternion) Matrix() Matrix {
	x, y, z, w := q.X, q.Y, q.Z, q.W
	return Matrix{
		1 - 2*(y*y+z*z), 2 * (x*y - z*w), 2 * (x*z + y*w), 0,
		2 * (x*y + z*w), 1 - 2*(x*x+z*z), 2 * (y*z - x*w), 0,
		2 * (x*z - y*w), 2 * (y*z + x*w), 1 - 2*(x*x+y*y), 0,
		0, 0, 0, 1,
	}
}

// usable reports whether a box has a place: each side may be flat, and none ends before it begins.
func (b Box) usable() bool {
	return b.Min.usable() && b.Max.usable() && b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z
}

// union is the smallest box around both.
func (b Box) union(o Box) Box {
	return Box{
		Vector{min(b.Min.X, o.Min.X), min(b.Min.Y, o.Min.Y), min(b.Min.Z, o.Min.Z)},
		Vector{max(b.Max.X, o.Max.X), max(b.Max.Y, o.Max.Y), max(b.Max.Z, o.Max.Z)},
	}
}

// extent is where the box begins and ends in a direction.
func (b Box) extent(d Vector) (from, to float64) {
	middle, half := b.middle(), b.Max.minus(b.Min).times(0.5)
	reach := math.Abs(d.X)*half.X + math.Abs(d.Y)*half.Y + math.Abs(d.Z)*half.Z
	at := d.dot(middle)
	return at - reach, at + reach
}

func (b Box) middle() Vector { return b.Min.plus(b.Max).times(0.5) }

// point is the point of the box that an alignment names.
func (b Box) point(a Alignment) Vector {
	p := b.middle()
	switch a {
	case MinX:
		p.X = b.Min.X
	case MaxX:
		p.X = b.Max.X
	case MinY:
		p.Y = b.Min.Y
	case MaxY:
		p.Y = b.Max.Y
	case MinZ:
		p.Z = b.Min.Z
	case MaxZ:
		p.Z = b.Max.Z
	case Center, Original, CustomPoint:
	}
	return p
}
