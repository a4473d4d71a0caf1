package table

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MediaType is what a workbook is served as.
const MediaType = officeType + "sheet"

// XLSX writes tables as a workbook with a sheet for each, whose row of names stays in sight and filters the
// rows. Rows go out as they are made: none is kept.
//
// Errors: ErrTooLarge for more than MaxRows rows or a text of more than MaxText characters, with the cell that
// is too long; what the writer fails with. The workbook is not whole then.
func XLSX(w io.Writer, tables ...*Table) error {
	z := zip.NewWriter(w)
	var kinds, sheets, links strings.Builder
	for i, t := range tables {
		fmt.Fprintf(&kinds, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="`+sheetType+`"/>`, i+1)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, t.name, i+1, i+1)
		fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="`+officeRelation+
			`worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
	}
	fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="`+officeRelation+`styles" Target="styles.xml"/>`, len(tables)+1)
	for _, part := range []struct{ name, begin, content, end string }{
		{"[Content_Types].xml", kindsBegin, kinds.String(), "</Types>"},
		{"_rels/.rels", linksBegin, workbookLink, "</Relationships>"},
		{"xl/workbook.xml", workbookBegin, sheets.String(), "</sheets></workbook>"},
		{"xl/_rels/workbook.xml.rels", linksBegin, links.String(), "</Relationships>"},
		{"xl/styles.xml", "", styles, ""},
	} {
		out, err := z.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, declaration+part.begin+part.content+part.end); err != nil {
			return err
		}
	}
	for i, t := range tables {
		out, err := z.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1))
		if err != nil {
			return err
		}
		s := sheet{Writer: bufio.NewWriter(out)}
		if err := s.table(t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return z.Close()
}

// sheet is one while it is written. Its buffer keeps the first failure for Flush.
type sheet struct {
	*bufio.Writer

	row int // from 1 on
}

func (s *sheet) put(parts ...string) {
	for _, p := range parts {
		_, _ = s.WriteString(p) // Flush returns the failure
	}
}

func (s *sheet) table(t *Table) error {
	s.put(declaration, `<worksheet xmlns="`, main, `"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1"`+
		` topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, width := range t.widths {
		n := strconv.Itoa(i + 1)
		s.put(`<col min="`, n, `" max="`, n, `" width="`, strconv.FormatFloat(width, 'f', -1, 64),
			`" customWidth="1"/>`)
	}
	s.put("</cols><sheetData>")
	names := make([]cell, len(t.names))
	for i, name := range t.names {
		names[i] = wordOf(name)
	}
	if err := s.line(names, headStyle); err != nil {
		return err
	}
	for line := range t.rows {
		if err := s.line(line, plainStyle); err != nil {
			return err
		}
	}
	s.put(`</sheetData><autoFilter ref="A1:`, letters(len(t.names)-1), strconv.Itoa(s.row), `"/></worksheet>`)
	return s.Flush()
}

// line writes a row.
func (s *sheet) line(cells []cell, style string) error {
	if s.row++; s.row > MaxRows {
		return fmt.Errorf("%w: a sheet has at most %d rows", ErrTooLarge, MaxRows)
	}
	row := strconv.Itoa(s.row)
	s.put(`<row r="`, row, `">`)
	for i, c := range cells {
		if c.kind == empty || c.kind == text && c.text == "" {
			continue
		}
		s.put(`<c r="`, letters(i), row)
		switch {
		case c.kind == number:
			s.put(`"><v>`, strconv.FormatFloat(c.number, 'f', -1, 64), "</v></c>")
		case c.kind == date && c.number >= firstDay:
			s.put(`" s="`, dateStyle, `"><v>`, strconv.FormatFloat(c.number+daysTo1970, 'f', -1, 64), "</v></c>")
		default:
			if n := characters(c.text); n > MaxText {
				return fmt.Errorf("%w: row %d, %.40q: the text has %d characters, and a cell has at most %d",
					ErrTooLarge, s.row, c.text, n, MaxText)
			}
			of := style
			if c.kind == text {
				of = quotedStyle
			}
			s.put(`" t="inlineStr" s="`, of, `"><is><t xml:space="preserve">`)
			s.text(c.text)
			s.put("</t></is></c>")
		}
	}
	s.put("</row>\n")
	return nil
}

// text writes text of XML. What XML forbids is written as Excel does, and so is what reads as if it were that.
func (s *sheet) text(of string) {
	for i, r := range of {
		switch {
		case r == '&':
			s.put("&amp;")
		case r == '<':
			s.put("&lt;")
		case r == '>':
			s.put("&gt;")
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			fmt.Fprintf(s, "_x%04X_", r)
		case r == '_' && escaped(of[i:]):
			s.put("_x005F_")
		default:
			_, _ = s.WriteRune(r)
		}
	}
}

// escaped reports whether text begins as a control character is written, such as _x0001_.
func escaped(s string) bool {
	if len(s) < len("_x0001_") || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// characters is how long a text is in UTF-16.
func characters(s string) (n int) {
	if len(s) <= MaxText {
		return utf8.RuneCountInString(s) // which is enough to tell that it is not too long
	}
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// letters name a column: A to Z, AA and so on.
func letters(column int) (name string) {
	for ; column >= 0; column = column/26 - 1 {
		name = string(rune('A'+column%26)) + name
	}
	return name
}

// Days of XLSX count from a day before 1900. Excel has a 29th of February 1900, so that dates before March of
// that year are text.
const (
	daysTo1970 = 25_569
	firstDay   = 61 - daysTo1970
)

// Styles by their places in cellXfs. Quoted text stays text also where the cell is edited.
const (
	plainStyle, headStyle, dateStyle, quotedStyle = "0", "1", "2", "3"
)

// Parts of the format.
const (
	declaration    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	main           = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	officeRelation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	packages       = "http://schemas.openxmlformats.org/package/2006/"
	officeType     = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	sheetType      = officeType + "worksheet+xml"

	kindsBegin = `<Types xmlns="` + packages + `content-types"><Default Extension="rels" ContentType="` +
		`application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` +
		officeType + `sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="` + officeType + `styles+xml"/>`
	linksBegin   = `<Relationships xmlns="` + packages + `relationships">`
	workbookLink = `<Relationship Id="rId1" Type="` + officeRelation + `officeDocument" Target="xl/workbook.xml"/>`

	workbookBegin = `<workbook xmlns="` + main + `" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/` +
		`relationships"><bookViews><workbookView/></bookViews><sheets>`

	styles = `<styleSheet xmlns="` + main + `"><numFmts count="1">` +
		`<numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/>` +
		`<name val="Calibri"/></font><font><b/><sz val="11"/>` +
		`<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>` +
		`<patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>` +
		`<diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>` +
		`</cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>` +
		`</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
)
