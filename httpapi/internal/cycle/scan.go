package cycle

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Bounds of a request body. A batch of a thousand of the largest records stays
// well below; what they keep out is a small body that takes much memory once it
// is decoded.
const (
	maxDepth  = 32
	maxValues = 50_000 // members of objects and elements of arrays, together
)

// usualNames is how many names most bodies have at most.
const usualNames = 16

// flaw is what is wrong with a body before its properties are looked at, in
// words for the client.
type flaw string

func (f flaw) Error() string { return string(f) }

const (
	errNotJSON   flaw = "The request body is not valid JSON."
	errNotUTF8   flaw = "The request body is not valid UTF-8."
	errNotObject flaw = "The request body is not a JSON object."
	errDepth     flaw = "The request body is nested too deeply."
	errValues    flaw = "The request body holds too many values."
	errTwice     flaw = "The request body holds a property twice."
)

// ScanBody checks a body and prepares it for decoding: one object in valid
// UTF-8, not too deep or too large, in which no object names a property twice,
// in whatever case.
//
// It goes over the body by itself, before the decoder does, because the decoder
// keeps the last of two members of one name, which a proxy or another reader of
// the same body may not: what was checked would not be what is done.
//
// encoding/json takes NAME for name. Here, a property counts only as it is
// spelled; names that differ from a known one in nothing but case are made
// unrecognizable in raw.
//
// It also takes no 60.0 and no 6e1 for an integer, which both are.
func ScanBody(raw []byte, s *shape.Shape) (Scanned, error) {
	switch {
	case !utf8.Valid(raw):
		return Scanned{}, errNotUTF8
	case !json.Valid(raw):
		return Scanned{}, errNotJSON
	}
	sc := scan{b: raw, keys: make([][]byte, 0, usualNames), path: make([][]byte, 0, maxDepth/4)}
	sc.space()
	if raw[sc.i] != '{' {
		return Scanned{}, errNotObject
	}
	err := sc.value(s, 0)
	return Scanned{sc.edited(), sc.unknown, sc.lenient}, err
}

// Scanned is a body that was gone over.
type Scanned struct {
	// body is what was sent with integers in digits and, where the shape knows other
	// names of what it knows, with these in place of those that were sent.
	body    []byte
	Unknown []string // paths of the properties that are not known, the first hundred
	lenient bool     // whether the decoder takes something for what it is not
}

// maxUnknown is how many unknown properties are reported.
const maxUnknown = 100

// scan walks through valid JSON.
type scan struct {
	b       []byte
	i       int
	values  int
	keys    [][]byte // of the objects that are open, outermost first
	path    [][]byte // the names of the properties that are open, for unknown
	unknown []string // paths of properties that are not known, as many as are reported
	edits   []edit   // in the order of their places

	// lenient reports null in a list, which the decoder takes for 0, "" or an object
	// without members, and of a list in place of bytes, which are a text.
	lenient bool
}

// edit puts another value in place of a string or a number of a body.
type edit struct {
	from, to int
	value    []byte // in JSON
}

// edited is the body with its edits.
func (s *scan) edited() []byte {
	if len(s.edits) == 0 {
		return s.b
	}
	out, at := make([]byte, 0, len(s.b)+16*len(s.edits)), 0
	for _, e := range s.edits {
		out = append(append(out, s.b[at:e.from]...), e.value...)
		at = e.to
	}
	return append(out, s.b[at:]...)
}

// strayWord is a text that is where there are other words for what it says.
type strayWord struct{ path, text string }

func (w strayWord) Error() string { return "'" + w.text + "' is not one of the documented values." }

func (s *scan) space() {
	for s.i < len(s.b) && s.b[s.i] <= ' ' {
		s.i++
	}
}

func (s *scan) value(sh *shape.Shape, depth int) error {
	s.space()
	switch s.b[s.i] {
	case '{', '[':
		if depth == maxDepth {
			return errDepth
		}
		if s.b[s.i] == '{' {
			return s.object(sh, depth+1)
		}
		return s.array(sh, depth+1)
	case '"':
		if sh != nil && sh.Words != nil {
			return s.word(sh.Words)
		}
		_, err := s.text()
		return err
	}
	from := s.i
	for s.i < len(s.b) && bytes.IndexByte([]byte(",]} \t\r\n"), s.b[s.i]) < 0 {
		s.i++
	}
	if sh != nil && sh.Integer {
		if digits := integerIn(s.b[from:s.i]); digits != nil {
			s.edits = append(s.edits, edit{from, s.i, digits})
		}
	}
	return nil
}

// maxDigits is how many digits of any kind fit into an int64.
const maxDigits = 18

// integerIn are the digits of a number that is written with a fraction or an exponent and is
// whole all the same. It is nil for all else, and for what is too large for an integer.
func integerIn(literal []byte) []byte {
	mark := bytes.IndexAny(literal, ".eE")
	if mark < 0 || literal[0] > '9' {
		return nil // it is digits already, or a word such as true
	}
	var sign, exponent []byte
	digits := literal
	if digits[0] == '-' {
		sign, digits = digits[:1], digits[1:]
	}
	if i := bytes.IndexAny(digits, "eE"); i >= 0 {
		digits, exponent = digits[:i], digits[i+1:]
	}
	before, fraction, _ := bytes.Cut(digits, []byte("."))
	digits = append(bytes.Clone(before), fraction...)
	significant := bytes.TrimRight(digits, "0")
	if len(significant) == 0 {
		return []byte("0")
	}
	zeros := len(digits) - len(significant) - len(fraction)
	if exponent != nil {
		n, err := strconv.Atoi(string(exponent))
		if err != nil || n < -len(literal) || n > len(literal)+maxDigits {
			return nil // far from any integer
		}
		zeros += n
	}
	significant = bytes.TrimLeft(significant, "0")
	if zeros < 0 || len(significant)+zeros > maxDigits {
		return nil
	}
	return append(append(bytes.Clone(sign), significant...), bytes.Repeat([]byte("0"), zeros)...)
}

// word moves behind a text for which there are other words inside. A word from
// inside is none here.
func (s *scan) word(words map[string]string) error {
	from := s.i
	text, err := s.name()
	if err != nil {
		return err
	}
	as, known := words[string(text)]
	if !known {
		for _, inside := range words {
			if inside == string(text) {
				return strayWord{s.at(), inside}
			}
		}
		return nil
	}
	if as != string(text) {
		s.edits = append(s.edits, edit{from, s.i, wire.AppendString(nil, as)})
	}
	return nil
}

// at is the path of what is open.
func (s *scan) at() string { return string(bytes.Join(s.path, []byte("."))) }

// more moves behind a comma, or behind the end of the object or array.
func (s *scan) more(end byte) bool {
	s.space()
	s.i++
	return s.b[s.i-1] != end
}

// open moves behind the bracket and reports whether there is anything inside.
func (s *scan) open(end byte) bool {
	s.i++
	s.space()
	if s.b[s.i] == end {
		s.i++
		return false
	}
	return true
}

func (s *scan) count() error {
	if s.values++; s.values > maxValues {
		return errValues
	}
	return nil
}

func (s *scan) array(sh *shape.Shape, depth int) error {
	var elem *shape.Shape
	if sh != nil {
		elem = sh.Elem
		s.lenient = s.lenient || sh.Base64
	}
	for ok := s.open(']'); ok; ok = s.more(']') {
		if err := s.count(); err != nil {
			return err
		}
		s.space()
		s.lenient = s.lenient || s.b[s.i] == 'n'
		if err := s.value(elem, depth); err != nil {
			return err
		}
	}
	return nil
}

func (s *scan) object(sh *shape.Shape, depth int) error {
	seen, twins := names{from: len(s.keys)}, twinValues(nil)
	for ok := s.open('}'); ok; ok = s.more('}') {
		if err := s.count(); err != nil {
			return err
		}
		s.space()
		from := s.i + 1
		name, err := s.name()
		if err != nil {
			return err
		}
		if !seen.add(s, name) {
			return errTwice
		}
		p, known := sh.Property(name)
		switch {
		case !known:
			s.unknownMember(sh, name, s.b[from:s.i-1])
		case p.As != "":
			s.edits = append(s.edits, edit{from - 1, s.i, wire.AppendString(nil, p.As)})
		}
		s.space()
		s.i++ // the colon
		s.path = append(s.path, name)
		s.space()
		from = s.i
		if err := s.value(p.In, depth); err != nil {
			return err
		}
		if p.Twin && !twins.agree(p.As, name, s.b[from:s.i]) {
			return twoValues{s.at(), twins.first(p.As, name), string(name)}
		}
		s.path = s.path[:len(s.path)-1]
	}
	s.keys = s.keys[:seen.from]
	return nil
}

// unknownMember deals with a property that is not known; raw is its name as it is
// written.
func (s *scan) unknownMember(sh *shape.Shape, name, raw []byte) {
	if len(s.unknown) < maxUnknown && !sh.Open {
		s.unknown = append(s.unknown, string(bytes.Join(append(s.path, name), []byte("."))))
	}
	if sh.Resembles(name) {
		// It was remembered as it is; what is decoded is something else.
		s.keys[len(s.keys)-1] = bytes.Clone(name)
		for i := range raw {
			raw[i] = '~'
		}
	}
}

// names records the names of an object that the scan has met so far. It compares the few
// that most objects have one by one, which takes no memory; beyond fewNames a map keeps a
// body of thousands of members from taking quadratic time.
type names struct {
	from   int                 // where they begin in scan.keys
	folded map[string]struct{} // once there are many
}

// fewNames is how many names are compared one by one.
const fewNames = 32

// add adds a name and reports whether it is new, in whatever case.
func (n *names) add(s *scan, name []byte) bool {
	own := s.keys[n.from:]
	if n.folded == nil {
		for _, k := range own {
			if bytes.EqualFold(k, name) {
				return false
			}
		}
		s.keys = append(s.keys, name)
		if len(own)+1 == fewNames {
			n.folded = make(map[string]struct{}, 2*fewNames)
			for _, k := range s.keys[n.from:] {
				n.folded[shape.Fold(k)] = struct{}{}
			}
		}
		return true
	}
	f := shape.Fold(name)
	if _, ok := n.folded[f]; ok {
		return false
	}
	n.folded[f] = struct{}{}
	s.keys = append(s.keys, name)
	return true
}

// text moves behind a string and reports whether it holds escapes.
func (s *scan) text() (escaped bool, err error) {
	for s.i++; s.b[s.i] != '"'; s.i++ {
		if s.b[s.i] != '\\' {
			continue
		}
		escaped = true
		s.i++
		if s.b[s.i] == 'u' {
			if err := s.surrogates(); err != nil {
				return true, err
			}
		}
	}
	s.i++
	return escaped, nil
}

// name moves behind a string and returns what it stands for.
func (s *scan) name() ([]byte, error) {
	from := s.i
	escaped, err := s.text()
	if err != nil || !escaped {
		return s.b[from+1 : s.i-1], err
	}
	var name string
	if err := json.Unmarshal(s.b[from:s.i], &name); err != nil {
		return nil, errNotJSON
	}
	return []byte(name), nil
}

// surrogates checks that an escape stands for a character: half of a pair is
// none, and would be replaced without a word.
func (s *scan) surrogates() error {
	r := s.escape()
	if !utf16.IsSurrogate(r) {
		return nil
	}
	if s.b[s.i+1] != '\\' || s.b[s.i+2] != 'u' {
		return errNotUTF8
	}
	s.i += 2
	if utf16.DecodeRune(r, s.escape()) == utf8.RuneError {
		return errNotUTF8
	}
	return nil
}

// escape reads the four digits behind \u and moves to the last of them.
func (s *scan) escape() (r rune) {
	for range 4 {
		s.i++
		d := rune(s.b[s.i])
		switch {
		case d <= '9':
			d -= '0'
		default:
			d = d&^0x20 - 'A' + 10
		}
		r = r<<4 | d
	}
	return r
}
