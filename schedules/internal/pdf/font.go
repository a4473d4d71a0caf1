package pdf

import "unicode"

// widths are those of the letters from the space on, in thousandths of the size of the font, as Adobe gives them.
type widths [224]uint16

// of is the width of a text in sizes of the font.
func (w *widths) of(letters []byte) (sum float64) {
	for _, c := range letters {
		sum += float64(w[c-' ']) / 1000
	}
	return sum
}

// run is letters of one font.
type run struct {
	letters []byte
	symbols bool // of the font Symbol, and not of Helvetica
}

// encoded is text in runs of Helvetica, in WinAnsi, and of Symbol. What both lack is a question mark, and
// counted; what has no width in Unicode, such as the marks around text from right to left, is left out.
func encoded(s string) (runs []run, replaced int) {
	for _, r := range s {
		c, symbol := symbols[r]
		if !symbol {
			var known bool
			if c, known = winAnsi(r); !known {
				replaced++
			}
		}
		if c == 0 {
			continue
		}
		if last := len(runs) - 1; last < 0 || runs[last].symbols != symbol {
			runs = append(runs, run{symbols: symbol})
		}
		last := &runs[len(runs)-1]
		last.letters = append(last.letters, c)
	}
	return runs, replaced
}

// winAnsi is the code of a letter, 0 of one that is not seen. One that is not known has the code of a question mark.
func winAnsi(r rune) (code byte, known bool) {
	switch c, known := special[r]; {
	case known:
		return c, true
	case r >= ' ' && r < 0x7F, r > 0xA0 && r <= 0xFF && r != 0xAD:
		return byte(r), true
	case unicode.IsSpace(r):
		return ' ', true
	case unicode.In(r, unicode.Cf):
		return 0, true
	}
	return '?', false
}

// symbols are the codes of what Helvetica lacks and the font Symbol has: arrows and signs of pictures.
var symbols = map[rune]byte{
	'←': 0xAC, '↑': 0xAD, '→': 0xAE, '↓': 0xAF, '≤': 0xA3, '≥': 0xB3, '≠': 0xB9,
}

// symbolWidths are those of the letters of Symbol by their codes.
var symbolWidths = func() (w widths) {
	for _, code := range symbols {
		w[code-' '] = 549
	}
	w[0xAC-' '], w[0xAE-' '], w[0xAD-' '], w[0xAF-' '] = 987, 987, 603, 603
	return w
}()

// special are the letters whose code is another one than in Unicode.
var special = map[rune]byte{
	'€': 0x80, '‚': 0x82, 'ƒ': 0x83, '„': 0x84, '…': 0x85, '†': 0x86, '‡': 0x87,
	'ˆ': 0x88, '‰': 0x89, 'Š': 0x8A, '‹': 0x8B, 'Œ': 0x8C, 'Ž': 0x8E, '‘': 0x91,
	'’': 0x92, '“': 0x93, '”': 0x94, '•': 0x95, '–': 0x96, '—': 0x97, '˜': 0x98,
	'™': 0x99, 'š': 0x9A, '›': 0x9B, 'œ': 0x9C, 'ž': 0x9E, 'Ÿ': 0x9F,
}

var regularWidths = widths{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, 0,
	556, 0, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 0, 611, 0,
	0, 222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 0, 500, 667,
	278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 0, 737, 333,
	400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611,
	667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
	722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
	556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
}

var boldWidths = widths{
	278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
	975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
	333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
	611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584, 0,
	556, 0, 278, 556, 500, 1000, 556, 556, 333, 1000, 667, 333, 1000, 0, 611, 0,
	0, 278, 278, 500, 500, 350, 556, 1000, 333, 1000, 556, 333, 944, 0, 500, 667,
	278, 333, 556, 556, 556, 556, 280, 556, 333, 737, 370, 556, 584, 0, 737, 333,
	400, 584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834, 611,
	722, 722, 722, 722, 722, 722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
	722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
	556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556, 278, 278, 278, 278,
	611, 611, 611, 611, 611, 611, 611, 584, 611, 611, 611, 611, 611, 556, 611, 556,
}
