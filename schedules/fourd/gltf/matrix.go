package gltf

import "math"

// Matrix is a place and an orientation: sixteen numbers by columns, as glTF writes them. Its last row is 0 0 0 1.
type Matrix [16]float64

// Identity leaves everything where it is.
var Identity = Matrix{0: 1, 5: 1, 10: 1, 15: 1}

// Times is the matrix that does b first, and then a.
func (a Matrix) Times(b Matrix) (m Matrix) {
	for c := range 4 {
		for r := range 4 {
			for k := range 4 {
				m[4*c+r] += a[4*k+r] * b[4*c+k]
			}
		}
	}
	return m
}

// Apply is where the matrix puts a point.
func (a Matrix) Apply(p [3]float64) (q [3]float64) {
	for r := range 3 {
		q[r] = a[r]*p[0] + a[4+r]*p[1] + a[8+r]*p[2] + a[12+r]
	}
	return q
}

// Turn is what the matrix makes of a direction, which keeps no length.
func (a Matrix) Turn(d [3]float64) (q [3]float64) {
	for r := range 3 {
		q[r] = a[r]*d[0] + a[4+r]*d[1] + a[8+r]*d[2]
	}
	return q
}

// determinant is that of the upper three rows and columns.
func (a Matrix) determinant() float64 {
	return a[0]*(a[5]*a[10]-a[9]*a[6]) - a[4]*(a[1]*a[10]-a[9]*a[2]) + a[8]*(a[1]*a[6]-a[5]*a[2])
}

// Inverse is the matrix that takes back what this one does; false where it flattens what it places, so that there is
// none.
func (a Matrix) Inverse() (m Matrix, ok bool) {
	det := a.determinant()
	if scale := math.Abs(det); !(scale > 1e-30) || math.IsInf(scale, 0) { // NaN is not greater either
		return Identity, false
	}
	for c := range 3 {
		for r := range 3 {
			c1, c2, r1, r2 := (c+1)%3, (c+2)%3, (r+1)%3, (r+2)%3
			m[4*c+r] = (a[4*r1+c1]*a[4*r2+c2] - a[4*r2+c1]*a[4*r1+c2]) / det
		}
	}
	m[15] = 1
	back := m.Turn([3]float64{a[12], a[13], a[14]})
	m[12], m[13], m[14] = -back[0], -back[1], -back[2]
	return m, true
}

// Quaternion is a rotation: x, y, z, w, of length 1.
type Quaternion [4]float64

// TRS is a matrix as glTF animates it: scaled first, then turned, then moved.
type TRS struct {
	Translation [3]float64
	Rotation    Quaternion
	Scale       [3]float64
}

// Rest is what leaves everything where it is.
var Rest = TRS{Rotation: Quaternion{3: 1}, Scale: [3]float64{1, 1, 1}}

// Matrix is the matrix that does the same. A rotation that has another length than 1 is brought to it.
func (t TRS) Matrix() Matrix {
	x, y, z, w := t.Rotation[0], t.Rotation[1], t.Rotation[2], t.Rotation[3]
	n := x*x + y*y + z*z + w*w
	s := 2 / n
	if n == 0 {
		s = 0
	}
	m := Matrix{
		1 - s*(y*y+z*z), s * (x*y + w*z), s * (x*z - w*y), 0,
		s * (x*y - w*z), 1 - s*(x*x+z*z), s * (y*z + w*x), 0,
		s * (x*z + w*y), s * (y*z - w*x), 1 - s*(x*x+y*y), 0,
		t.Translation[0], t.Translation[1], t.Translation[2], 1,
	}
	for c := range 3 {
		for r := range 3 {
			m[4*c+r] *= t.Scale[c]
		}
	}
	return m
}

// TRS takes a matrix apart. It reports false where the matrix shears, so that no scale, rotation and translation do
// what it does; what it returns is then the nearest that keeps the first axis.
func (a Matrix) TRS() (t TRS, exact bool) {
	t = Rest
	var axes [3][3]float64
	for c := range 3 {
		axes[c] = [3]float64{a[4*c], a[4*c+1], a[4*c+2]}
		t.Translation[c] = a[12+c]
	}
	exact = true
	var unit [3][3]float64
	for c := range 3 {
		t.Scale[c] = length(axes[c])
		unit[c] = scaled(axes[c], 1/t.Scale[c])
		if t.Scale[c] == 0 {
			return t, false
		}
	}
	if a.determinant() < 0 {
		t.Scale[0], unit[0] = -t.Scale[0], scaled(unit[0], -1)
	}
	for c := range 3 {
		exact = exact && math.Abs(dot(unit[c], unit[(c+1)%3])) < 1e-6
	}
	// Gram and Schmidt: the second axis is made upright on the first, the third on both.
	unit[1] = Unit(minus(unit[1], scaled(unit[0], dot(unit[0], unit[1]))))
	unit[2] = cross(unit[0], unit[1])
	t.Rotation = rotation(unit)
	return t, exact
}

// rotation is that of three axes that are upright on one another.
func rotation(u [3][3]float64) Quaternion {
	xx, yy, zz := u[0][0], u[1][1], u[2][2]
	var q Quaternion
	switch {
	case xx+yy+zz > 0:
		q = Quaternion{u[1][2] - u[2][1], u[2][0] - u[0][2], u[0][1] - u[1][0], 1 + xx + yy + zz}
	case xx >= yy && xx >= zz:
		q = Quaternion{1 + xx - yy - zz, u[0][1] + u[1][0], u[2][0] + u[0][2], u[1][2] - u[2][1]}
	case yy >= zz:
		q = Quaternion{u[0][1] + u[1][0], 1 + yy - xx - zz, u[1][2] + u[2][1], u[2][0] - u[0][2]}
	default:
		q = Quaternion{u[2][0] + u[0][2], u[1][2] + u[2][1], 1 + zz - xx - yy, u[0][1] - u[1][0]}
	}
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	for i := range q {
		q[i] /= n
	}
	return q
}

// Toward is the shortest rotation that turns the axis Z to a direction of length 1.
func Toward(d [3]float64) Quaternion {
	if d[2] < -1+1e-12 {
		return Quaternion{1, 0, 0, 0} // half a turn about X
	}
	n := math.Sqrt(2 * (1 + d[2]))
	return Quaternion{-d[1] / n, d[0] / n, 0, n / 2}
}

func dot(a, b [3]float64) float64      { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func minus(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func length(a [3]float64) float64      { return math.Sqrt(dot(a, a)) }

func scaled(a [3]float64, s float64) [3]float64 { return [3]float64{a[0] * s, a[1] * s, a[2] * s} }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Unit is a direction with length 1; the axis X where it has no length.
func Unit(a [3]float64) [3]float64 {
	if n := length(a); n > 0 && !math.IsInf(n, 0) {
		return scaled(a, 1/n)
	}
	return [3]float64{1, 0, 0}
}

func (a Matrix) finite() bool {
	for _, x := range a {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// Box is a space with sides along the axes.
type Box struct {
	Min, Max [3]float64 // none of Max is below that of Min
}

// Union is the smallest box that holds both; nil holds nothing.
func (b *Box) Union(c *Box) *Box {
	if b == nil || c == nil {
		if b == nil {
			return c
		}
		return b
	}
	var u Box
	for i := range 3 {
		u.Min[i], u.Max[i] = min(b.Min[i], c.Min[i]), max(b.Max[i], c.Max[i])
	}
	return &u
}

// In is the box around the corners of this one once a matrix has placed them.
func (b *Box) In(m Matrix) *Box {
	if b == nil {
		return nil
	}
	var u *Box
	for corner := range 8 {
		p := b.Min
		for i := range 3 {
			if corner>>i&1 == 1 {
				p[i] = b.Max[i]
			}
		}
		p = m.Apply(p)
		u = u.Union(&Box{p, p})
	}
	return u
}

// ZUp turns the axes of glTF, in which Y points up, to those of plans and building models, in which Z does; FromZUp
// turns them back.
var (
	ZUp     = Matrix{0: 1, 6: 1, 9: -1, 15: 1}
	FromZUp = Matrix{0: 1, 6: -1, 9: 1, 15: 1}
)
