package planner

import (
	"strings"
	"unicode/utf8"
)

// CodePage is the encoding of a text in which a byte is a letter.
type CodePage string

// The code pages. What is not listed can be converted to UTF-8 before it is read.
const (
	Windows1252 CodePage = "windows-1252" // of the west of Europe and of America
	Windows1251 CodePage = "windows-1251" // Cyrillic
)

// The letters of the upper halves of code pages, from 0x80 on.
var (
	upper1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ" +
		"\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ")
	upper1251 = []rune("ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ" +
		"\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя")
)

// text is a line in UTF-8: as it is if it is so, and else by the code page.
func (p CodePage) text(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	upper := upper1252
	if p == Windows1251 {
		upper = upper1251
	}
	var s strings.Builder
	s.Grow(len(line) + len(line)/4)
	for _, b := range line {
		if b < utf8.RuneSelf {
			s.WriteByte(b)
		} else {
			s.WriteRune(upper[b-utf8.RuneSelf])
		}
	}
	return s.String()
}
