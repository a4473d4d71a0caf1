package pdf

import (
	"fmt"
	"strconv"
	"strings"
)

type point struct{ x, y float64 }

// path is a path as operators of PDF, with its last point and the one before that.
type path struct {
	text         string
	last, before point
}

// pathReader reads the data of a path.
type pathReader struct {
	in    string
	out   strings.Builder
	at    point
	from  point // where the present part began
	since point // the point before
}

// parsePath reads a path of the commands that are drawn here: M, L, H, V, l, m, h, v, q and z, and the
// forms that are of the other kind.
func parsePath(d string) (path, error) {
	r := &pathReader{in: d}
	var command byte
	for {
		r.in = strings.TrimLeft(r.in, " ,")
		if r.in == "" {
			break
		}
		if c := r.in[0]; strings.IndexByte("MmLlHhVvQqZz", c) >= 0 {
			command, r.in = c, r.in[1:]
		} else if command == 0 || command|0x20 == 'z' {
			return path{}, fmt.Errorf("%w: a path has %.10q", errNotOurs, r.in)
		}
		if err := r.step(command); err != nil {
			return path{}, err
		}
		switch command { // what follows without a command
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
	}
	return path{r.out.String(), r.at, r.since}, nil
}

// step reads the numbers of a command, and draws.
func (r *pathReader) step(command byte) error {
	kind, by := command|0x20, point{}
	if command == kind { // small letters go on from where the path is
		by = r.at
	}
	to, err := r.at, error(nil)
	switch kind {
	case 'z':
		r.out.WriteString("h ")
		r.at = r.from
		return nil
	case 'h':
		to.x, err = r.number(by.x)
	case 'v':
		to.y, err = r.number(by.y)
	case 'q':
		return r.bend(by)
	default:
		to, err = r.point(by)
	}
	if err != nil {
		return err
	}
	operator := " l "
	if kind == 'm' {
		operator, r.from = " m ", to
	}
	r.since, r.at = r.at, to
	r.out.WriteString(number(to.x) + " " + number(to.y) + operator)
	return nil
}

// bend draws a quadratic curve as the cubic one that it is.
func (r *pathReader) bend(by point) error {
	over, err := r.point(by)
	if err != nil {
		return err
	}
	to, err := r.point(by)
	if err != nil {
		return err
	}
	near := func(p point) string {
		return number(p.x+(over.x-p.x)*2/3) + " " + number(p.y+(over.y-p.y)*2/3) + " "
	}
	r.out.WriteString(near(r.at) + near(to) + number(to.x) + " " + number(to.y) + " c ")
	r.since, r.at = over, to
	return nil
}

func (r *pathReader) point(by point) (p point, err error) {
	if p.x, err = r.number(by.x); err != nil {
		return p, err
	}
	p.y, err = r.number(by.y)
	return p, err
}

// number reads a number. One ends where the next begins with a sign or with a second point.
func (r *pathReader) number(by float64) (float64, error) {
	r.in = strings.TrimLeft(r.in, " ,")
	end, points := 0, 0
	for ; end < len(r.in); end++ {
		c := r.in[end]
		if c == '.' {
			points++
		}
		if (c < '0' || c > '9') && c != '.' && (c != '-' || end > 0) || points > 1 {
			break
		}
	}
	v, err := strconv.ParseFloat(r.in[:end], 64)
	if err != nil {
		return 0, fmt.Errorf("%w: a path has %.10q", errNotOurs, r.in)
	}
	r.in = r.in[end:]
	return by + v, nil
}
