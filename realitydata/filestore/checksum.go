package filestore

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"hash/crc64"
	"net/http"
)

// crcPolynomial is the polynomial of the blob protocol's CRC-64, its bits reversed.
const crcPolynomial = 0x9A6C9329AC4BC9B5

// sums holds the checksums of the bytes that a client sends, and what it says that they are.
type sums struct {
	md5    hash.Hash
	crc    hash.Hash64
	mds    [][]byte // each to be that of the content
	wanted []byte   // CRC; nil: not given
}

// newSums reads the sums that a request is sent with. That of a whole file may also be in
// the header that is kept with it.
func newSums(h http.Header, whole bool) (*sums, error) {
	s := &sums{md5: md5.New(), crc: crc64.New(crc64.MakeTable(crcPolynomial))}
	given := []string{h.Get("Content-Md5")}
	if whole {
		given = append(given, h.Get(md5Header))
	}
	for _, text := range given {
		if text == "" {
			continue
		}
		sum, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(sum) != md5.Size {
			return nil, errSum
		}
		s.mds = append(s.mds, sum)
	}
	if text := h.Get(crcHeader); text != "" {
		sum, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(sum) != crc64.Size {
			return nil, badHeader(crcHeader)
		}
		s.wanted = sum
	}
	return s, nil
}

// Write implements io.Writer.
func (s *sums) Write(b []byte) (int, error) {
	s.md5.Write(b)
	return s.crc.Write(b)
}

func (s *sums) crcBytes() []byte {
	return binary.LittleEndian.AppendUint64(nil, s.crc.Sum64())
}

func (s *sums) md5Text() string { return base64.StdEncoding.EncodeToString(s.md5.Sum(nil)) }
func (s *sums) crcText() string { return base64.StdEncoding.EncodeToString(s.crcBytes()) }

// check fails where the bytes are others than the client says.
func (s *sums) check() error {
	got := s.md5.Sum(nil)
	for _, want := range s.mds {
		if !bytes.Equal(got, want) {
			return errOtherMD5
		}
	}
	if s.wanted != nil && !bytes.Equal(s.wanted, s.crcBytes()) {
		return errOtherCRC
	}
	return nil
}

// writeHeaders writes the headers with the sums of what was received.
func (s *sums) writeHeaders(h http.Header) {
	h.Set("Content-Md5", s.md5Text())
	h.Set(crcHeader, s.crcText())
	h.Set("X-Ms-Request-Server-Encrypted", "false")
}
