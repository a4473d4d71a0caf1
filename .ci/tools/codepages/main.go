// Command codepages writes the tables of the code pages in which files of P6 are, from those of
// golang.org/x/text. With -check it compares the file with what it would write, and fails
// where they differ.
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// pages are in the order in which package codepage names them, those of two bytes last.
var pages = []struct {
	encoding encoding.Encoding
	wide     bool
}{
	{charmap.Windows874, false},
	{charmap.Windows1250, false},
	{charmap.Windows1251, false},
	{charmap.Windows1252, false},
	{charmap.Windows1253, false},
	{charmap.Windows1254, false},
	{charmap.Windows1255, false},
	{charmap.Windows1256, false},
	{charmap.Windows1257, false},
	{charmap.Windows1258, false},
	{japanese.ShiftJIS, true},
	{simplifiedchinese.GBK, true},
	{korean.EUCKR, true},
	{traditionalchinese.Big5, true},
}

// letter is the one that some bytes are, or 0.
func letter(e encoding.Encoding, b ...byte) uint16 {
	text, err := e.NewDecoder().Bytes(b)
	r, size := utf8.DecodeRune(text)
	if err != nil || r == utf8.RuneError || size != len(text) || r > 0xFFFF {
		return 0
	}
	return uint16(r)
}

// tables are the letters of each page from 0x80 on, and behind them those of two bytes, from
// 0x8140 to 0xFEFE, as far from the letter before as they are.
func tables() ([]byte, error) {
	var all []byte
	for _, p := range pages {
		for b := 0x80; b <= 0xFF; b++ {
			all = binary.LittleEndian.AppendUint16(all, letter(p.encoding, byte(b)))
		}
		before := uint16(0)
		for lead := 0x81; p.wide && lead <= 0xFE; lead++ {
			for trail := 0x40; trail <= 0xFE; trail++ {
				r := letter(p.encoding, byte(lead), byte(trail))
				all = binary.LittleEndian.AppendUint16(all, r-before)
				before = r
			}
		}
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(all); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func main() {
	check := flag.Bool("check", false, "compare the file with what would be written")
	flag.Parse()
	made, err := tables()
	if err == nil && *check {
		var is []byte
		if is, err = os.ReadFile(flag.Arg(0)); err == nil && !bytes.Equal(is, made) {
			err = fmt.Errorf("%s is not what the tables of golang.org/x/text give", flag.Arg(0))
		}
	} else if err == nil {
		err = os.WriteFile(flag.Arg(0), made, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "codepages:", err)
		os.Exit(1)
	}
}
