package twins

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/seed-933f9a09/twinplatform/internal/spreadsheet"
)

// exportFile is how far the file of an export is written. It is written in parts, each
// of which is forgotten when it is stored, so that the whole is never in memory.
type exportFile struct {
	Name   string `json:"name"`   // without its extension; it cannot be guessed
	Pieces int    `json:"pieces"` // in the store
	Size   int64  `json:"size"`   // of these
	Text   int64  `json:"text"`   // how many bytes there are of it before they are compressed
	CRC    uint32 `json:"crc"`    // of these
	Twins  int    `json:"twins"`  // in it
	After  string `json:"after"`  // the twin up to which all are in it that belong there
}

// extension returns how the names of files of a format end.
func (f ExportFormat) extension() string {
	return map[ExportFormat]string{JSONGZip: ".json.gz", JSONZipArchive: ".zip", CSVGZip: ".csv.gz", CSV: ".csv"}[f]
}

func (f ExportFormat) mediaType() string {
	switch f {
	case JSONZipArchive:
		return "application/zip"
	case CSV:
		return "text/csv; charset=utf-8"
	}
	return "application/gzip"
}

// exportText writes a part of the text of a file: an array, or lines below the names of
// the members.
type exportText struct {
	bytes.Buffer
	members []string
	lines   *spreadsheet.Writer // nil for an array
	any     bool                // there are twins before it
}

func (f ExportFormat) text(members []string, before *exportFile) *exportText {
	t := &exportText{members: members, any: before.Twins > 0}
	if f == CSV || f == CSVGZip {
		t.lines = spreadsheet.NewWriter(t)
	}
	if t.lines != nil && before.Text == 0 {
		_ = t.lines.Names(members...) // into memory
		_ = t.lines.Flush()
	}
	return t
}

// add adds a twin.
func (t *exportText) add(twin []byte) error {
	if t.lines != nil {
		return t.addLine(twin)
	}
	t.separate()
	t.Write(twin)
	return nil
}

// separate separates a twin of an array from what is before it.
func (t *exportText) separate() {
	if t.any {
		t.WriteByte(',')
	} else {
		t.WriteByte('[')
	}
	t.any = true
}

func (t *exportText) addLine(twin []byte) error {
	values := make(map[string]any)
	dec := json.NewDecoder(bytes.NewReader(twin))
	dec.UseNumber()
	if err := dec.Decode(&values); err != nil {
		return err
	}
	line := make([]spreadsheet.Cell, len(t.members))
	for i, name := range t.members {
		switch v := values[name].(type) {
		case nil:
		case json.Number, bool:
			line[i] = spreadsheet.Plain(fmt.Sprint(v))
		default:
			line[i] = spreadsheet.Text(fmt.Sprint(v))
		}
	}
	if err := t.lines.Write(line...); err != nil {
		return err
	}
	return t.lines.Flush()
}

// end ends the text.
func (t *exportText) end() {
	if t.lines != nil {
		return
	}
	if !t.any {
		t.WriteByte('[')
	}
	t.WriteByte(']')
}

// pack returns a part of the text as it is in the file, and counts it.
func (f *exportFile) pack(format ExportFormat, text []byte, last bool) (part []byte, err error) {
	first := f.Size == 0
	f.Text += int64(len(text))
	f.CRC = crc32.Update(f.CRC, crc32.IEEETable, text)
	if part = text; format != CSV {
		part, err = deflated(text, last)
	}
	if err == nil && format != CSV && (first || last) {
		part, err = f.enclose(format, part, first, last)
	}
	f.Size += int64(len(part))
	return part, err
}

// deflated is a part of a compressed text that can be read from its beginning on, and
// that the next one can follow.
func deflated(text []byte, last bool) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if last {
		err = w.Close()
	} else {
		err = w.Flush()
	}
	return b.Bytes(), err
}

// gzipHead begins a compressed file that has no name and no time.
const gzipHead = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// enclose adds to compressed bytes, which are not counted yet, what is before the first
// and behind the last of them.
func (f *exportFile) enclose(format ExportFormat, part []byte, first, last bool) ([]byte, error) {
	before := []byte(gzipHead)
	behind := binary.LittleEndian.AppendUint32(nil, f.CRC)
	behind = binary.LittleEndian.AppendUint32(behind, uint32(f.Text))
	if format == JSONZipArchive {
		var err error
		if before, behind, err = f.archive(max(f.Size-zipHeadBytes, 0) + int64(len(part))); err != nil {
			return nil, err
		}
	}
	if first {
		part = append(before, part...)
	}
	if last {
		part = append(part, behind...)
	}
	return part, nil
}

// The one file in an archive, and how long its head is.
const (
	zippedName   = "twins.json"
	zipHeadBytes = 30 + int64(len(zippedName))
)

// archive is what is in an archive before and behind so many compressed bytes.
func (f *exportFile) archive(compressed int64) (before, behind []byte, err error) {
	const sizesBehind = 0x8
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	_, err = archive.CreateRaw(&zip.FileHeader{
		Name: zippedName, Method: zip.Deflate, Flags: sizesBehind,
		CRC32: f.CRC, CompressedSize64: uint64(compressed), UncompressedSize64: uint64(f.Text),
	})
	if err = errors.Join(err, archive.Close()); err != nil {
		return nil, nil, err
	}
	all := b.Bytes()
	// The directory says where it stands, which is behind the compressed bytes too.
	place := all[len(all)-6:]
	binary.LittleEndian.PutUint32(place, binary.LittleEndian.Uint32(place)+uint32(compressed))
	return bytes.Clone(all[:zipHeadBytes]), all[zipHeadBytes:], nil
}
