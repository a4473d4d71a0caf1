package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// sample writes a journal of some transactions.
func sample(transactions int) []byte {
	data, pos := journal.Begin(nil, 0x0123456789abcdef)
	for n := range transactions {
		tx := journal.AppendSet(nil, fmt.Sprint("key ", n), fmt.Appendf(nil, "value %d\r\n", n))
		tx = journal.AppendSet(tx, "\x00tx", []byte("marker?"))
		tx = journal.AppendDelete(tx, fmt.Sprint("key ", n-2))
		tx = append(tx, make([]byte, journal.MarkerBytes)...)
		pos.Seal(tx, int64(len(data)))
		data = append(data, tx...)
	}
	return data
}

// replay applies the whole transactions of a journal to a map.
func replay(data []byte) (map[string]string, error) {
	r, err := journal.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	content := make(map[string]string)
	for {
		records, err := r.Next()
		if errors.Is(err, io.EOF) {
			return content, nil
		}
		if err != nil {
			return content, err
		}
		for _, rec := range records {
			if rec.Delete {
				delete(content, string(rec.Key))
			} else {
				content[string(rec.Key)] = string(rec.Value)
			}
		}
	}
}

func TestReaderReadsWhatWasWritten(t *testing.T) {
	t.Parallel()
	got, err := replay(sample(5))
	want := map[string]string{"key 3": "value 3\r\n", "key 4": "value 4\r\n", "\x00tx": "marker?"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// greed notes the largest number of bytes that a reader had room for.
type greed struct {
	io.Reader
	largest int
}

func (g *greed) Read(p []byte) (int, error) {
	g.largest = max(g.largest, len(p))
	return g.Reader.Read(p)
}

func TestReaderBelievesNoLength(t *testing.T) {
	t.Parallel()
	head := sample(1)
	for _, tail := range []string{
		"*3\r\n$3\r\nset\r\n$99999999999\r\n",
		"*3\r\n$3\r\nset\r\n$4611686018427387904\r\n",
		"*3\r\n$3\r\nset\r\n$18446744073709551617\r\nk\r\n",
		"*3\r\n$3\r\nset\r\n$-1\r\n",
		"*3\r\n$3\r\nset\r\n$\r\n",
		"*3\r\n$3\r\nset\r\n$01\r\nk\r\n$1\r\nv\r\n",
		"*3\r\n$3\r\nset\r\n$1\r\nk\r\n$524288\r\nv",
		"*99999999999\r\n", "*0\r\n", "*\r\n", "$3\r\n", "\x00\x00\x00\x00",
	} {
		data := append(bytes.Clone(head), tail...)
		input := &greed{Reader: bytes.NewReader(data)}
		r, err := journal.NewReader(input, int64(len(data)))
		for err == nil {
			_, err = r.Next()
		}
		if input.largest > len(data) {
			t.Errorf("%q: room for %d bytes made for %d", tail, input.largest, len(data))
		}
		if _, ok := errors.AsType[*journal.Fault](err); !ok {
			t.Errorf("%q: %v, want a Fault", tail, err)
		}
	}
}

func TestMarkerOfAnotherPlaceOrFileIsNotBelieved(t *testing.T) {
	t.Parallel()
	data := sample(3)
	// The same bytes again: right checksums at the wrong place.
	size := len(data)
	head := journal.HeaderBytes
	if _, err := replay(append(bytes.Clone(data), data[head:]...)); err == nil {
		t.Error("a transaction was believed at a second place")
	}
	other, _ := journal.Begin(nil, 42)
	if _, err := replay(append(other, data[head:]...)); err == nil {
		t.Error("a transaction of another file was believed")
	}
	found, err := journal.FindMarkers(bytes.NewReader(data), int64(size), 42, 0)
	if err != nil || found.Markers != 0 {
		t.Errorf("found %+v, %v in a file of another number", found, err)
	}
	found, err = journal.FindMarkers(bytes.NewReader(data), int64(size), 0x0123456789abcdef, 1)
	if err != nil || found.Markers != 3 {
		t.Errorf("found %+v, %v, want 3 markers", found, err)
	}
}

// FuzzReader reads hostile files. They may not panic, hang, or make the reader
// hold more than they are long, and what is read must be a beginning of what a
// second reading finds.
func FuzzReader(f *testing.F) {
	whole := sample(4)
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add(sample(0))
	f.Add([]byte("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$1\r\nv\r\n*2\r\n$3\r\ndel\r\n$1\r\nk\r\n"))
	f.Add([]byte("*3\r\n$3\r\nset\r\n$99999999999\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		size := int64(len(data))
		content, err := replay(data)
		if fault, ok := errors.AsType[*journal.Fault](err); ok {
			if fault.Offset > size {
				t.Errorf("fault at %d of %d bytes", fault.Offset, size)
			}
			if again, err := replay(data[:fault.Offset]); fault.Offset >= int64(journal.HeaderBytes) && (err != nil || !cmp.Equal(content, again)) {
				t.Errorf("cut at the fault: %v", err)
			}
		} else if err != nil && !errors.Is(err, journal.ErrForeign) {
			t.Errorf("unexpected error: %v", err)
		}
		if _, err := journal.FindMarkers(bytes.NewReader(data), size, 1, 0); err != nil {
			t.Error(err)
		}
		journal.MendHeader(bytes.NewReader(data), size)
	})
}
