package journal

import "bytes"

// faultReason is what a parser has against the bytes it was given.
type faultReason string

// Error implements error.
func (r faultReason) Error() string { return "journal: " + string(r) }

const (
	reasonCut     = faultReason("cut short")
	reasonCommand = faultReason("not a command")
	reasonLarge   = faultReason("too large")
	reasonKey     = faultReason("not a key")
)

// span is where the parts of a command lie, counted from the beginning of its
// transaction.
type span struct {
	key, keyEnd, value, end int
	delete, marker          bool
}

func (s span) record(tx []byte) Record {
	return Record{Key: tx[s.key:s.keyEnd], Value: tx[s.value:s.end], Delete: s.delete}
}

// parser takes a transaction apart, command by command.
type parser struct {
	window *window
	at     int // bytes of the transaction read so far
}

const (
	setPrefix = "*3\r\n$3\r\nset\r\n"
	delPrefix = "*2\r\n$3\r\ndel\r\n"
)

// command reads one command in the one spelling that this package writes.
func (p *parser) command() (span, error) {
	if p.at > maxBodyBytes {
		return span{}, reasonLarge
	}
	verb, err := p.take(len(setPrefix))
	if err != nil {
		return span{}, err
	}
	var s span
	switch {
	case string(verb) == setPrefix:
	case string(verb) == delPrefix:
		s.delete = true
	default:
		return span{}, reasonCommand
	}
	if s.key, s.keyEnd, err = p.bulk(MaxKeyBytes + len(escape)); err != nil {
		return span{}, err
	}
	if !s.delete {
		if s.value, s.end, err = p.bulk(MaxValueBytes); err != nil {
			return span{}, err
		}
	}
	return p.classify(s)
}

// classify distinguishes markers from data and takes the escape off a key.
func (p *parser) classify(s span) (span, error) {
	key := p.window.ahead()[s.key:s.keyEnd]
	if bytes.HasPrefix(key, []byte(Reserved)) {
		switch {
		case len(key) == len(Reserved) && !s.delete && s.end-s.value == markerDigits:
			s.marker = true
			return s, nil
		case bytes.HasPrefix(key, []byte(escape+Reserved)):
			s.key += len(escape)
		default:
			return span{}, reasonKey
		}
	}
	if n := s.keyEnd - s.key; n == 0 || n > MaxKeyBytes {
		return span{}, reasonKey
	}
	return s, nil
}

// bulk reads a length and so many bytes, and says where they lie.
func (p *parser) bulk(limit int) (from, to int, err error) {
	n, err := p.length(limit)
	if err != nil {
		return 0, 0, err
	}
	from = p.at
	data, err := p.take(n + 2)
	if err != nil {
		return 0, 0, err
	}
	if data[n] != '\r' || data[n+1] != '\n' {
		return 0, 0, reasonCommand
	}
	return from, from + n, nil
}

// length reads a line like "$17\r\n".
func (p *parser) length(limit int) (int, error) {
	first, err := p.take(2)
	if err != nil {
		return 0, err
	}
	if first[0] != '$' {
		return 0, reasonCommand
	}
	n, digits := 0, 0
	for c := first[1]; c != '\r'; digits++ {
		if c < '0' || c > '9' || (digits == 1 && n == 0) {
			return 0, reasonCommand
		}
		if n = n*10 + int(c-'0'); n > limit {
			return 0, reasonLarge
		}
		next, err := p.take(1)
		if err != nil {
			return 0, err
		}
		c = next[0]
	}
	end, err := p.take(1)
	if err != nil {
		return 0, err
	}
	if digits == 0 || end[0] != '\n' {
		return 0, reasonCommand
	}
	return n, nil
}

// take reads the next n bytes of the transaction.
func (p *parser) take(n int) ([]byte, error) {
	ahead := p.window.ahead()
	if len(ahead) < p.at+n {
		var err error
		if ahead, err = p.window.peek(p.at + n); err != nil {
			return nil, err
		}
		if len(ahead) < p.at+n {
			return nil, reasonCut
		}
	}
	data := ahead[p.at : p.at+n]
	p.at += n
	return data, nil
}
