package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// sample writes a journal of some transactions.
func sample(transactions int) []byte { return sampleOf(journal.Journal, transactions) }

const sampleID = 0x0123456789abcdef

func sampleOf(kind journal.Kind, transactions int) []byte {
	data, pos := journal.Begin(nil, kind, sampleID)
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

var kinds = []journal.Kind{journal.Journal, journal.Backup}

func TestReaderReadsWhatWasWritten(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		got, err := replay(sampleOf(kind, 5))
		want := map[string]string{"key 3": "value 3\r\n", "key 4": "value 4\r\n", "\x00tx": "marker?"}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("kind %d: %v (-want +got):\n%s", kind, err, diff)
		}
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
	for _, kind := range kinds {
		data := sampleOf(kind, 3)
		// The same bytes again: right checksums at the wrong place.
		head := journal.HeaderBytes
		if _, err := replay(append(bytes.Clone(data), data[head:]...)); err == nil {
			t.Error("a transaction was believed at a second place")
		}
		other, _ := journal.Begin(nil, kind, 42)
		if _, err := replay(append(other, data[head:]...)); err == nil {
			t.Error("a transaction of another file was believed")
		}
	}
}

// beginning is the place behind the header of a sample.
func beginning(kind journal.Kind) journal.Position {
	_, pos := journal.Begin(nil, kind, sampleID)
	return pos
}

// Wherever the transactions of a file stand, they are found, and those of no other file.
func TestTransactionsAreFoundWhereverTheyStand(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		data := sampleOf(kind, 9)
		size := len(data)
		foreign, pos := journal.Begin(nil, kind, 42)
		for name, moved := range map[string][]byte{
			"where they were":        data,
			"a byte further":         append([]byte("x"), data...),
			"far away":               append(bytes.Repeat([]byte("some text\r\n"), 100), data...),
			"within a value":         journal.AppendSet(slices.Clip(foreign), "copy", data),
			"behind those of others": append(sealed(foreign, pos), data...),
		} {
			found, err := journal.FindWhole(bytes.NewReader(moved), int64(len(moved)), journal.Position{
				Kind: kind, ID: sampleID, Chain: beginning(kind).Chain,
			})
			if err != nil || len(found) != 9 || found[0].Sequence != 1 || found[8].Sequence != 9 {
				t.Errorf("kind %d, %s: found %v, %v", kind, name, found, err)
			}
			for _, tx := range found {
				records, err := tx.Records(bytes.NewReader(moved))
				if err != nil || len(records) != 3 || string(records[0].Key) != fmt.Sprint("key ", tx.Sequence-1) {
					t.Errorf("kind %d, %s: transaction %d holds %d records, %v", kind, name, tx.Sequence, len(records), err)
				}
			}
		}
		survey, err := journal.Look(bytes.NewReader(data), int64(size), beginning(kind))
		if err != nil || survey.Elsewhere || survey.Last != 9 {
			t.Errorf("kind %d: %+v, %v of an untouched file", kind, survey, err)
		}
		shifted := append(bytes.Clone(data[:journal.HeaderBytes+3]), data[journal.HeaderBytes+4:]...)
		survey, err = journal.Look(bytes.NewReader(shifted), int64(size-1), beginning(kind))
		if err != nil || !survey.Elsewhere || survey.Last != 9 {
			t.Errorf("kind %d: %+v, %v of a file that lacks a byte", kind, survey, err)
		}
		survey, err = journal.Look(bytes.NewReader(data), int64(size), journal.Position{Kind: kind, ID: 42})
		if err != nil || survey.Last != 0 {
			t.Errorf("%+v, %v in a file of another number", survey, err)
		}
	}
}

// sealed adds a transaction without commands.
func sealed(data []byte, pos journal.Position) []byte {
	mark := make([]byte, journal.MarkerBytes)
	pos.Seal(mark, pos.Offset)
	return append(bytes.Clone(data), mark...)
}

// FuzzReader reads hostile files. They may not panic, hang, or make the reader
// hold more than they are long, and what is read must be a beginning of what a
// second reading finds.
func FuzzReader(f *testing.F) {
	whole := sample(4)
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add(sample(0))
	f.Add(sealed(journal.Begin(nil, journal.Backup, sampleID)))
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
		} else if err != nil && !errors.Is(err, journal.ErrForeign) && !errors.Is(err, journal.ErrUnreleased) {
			t.Errorf("unexpected error: %v", err)
		}
		for _, kind := range kinds {
			whole, err := journal.FindWhole(bytes.NewReader(data), size, journal.Position{Kind: kind, ID: sampleID})
			if err != nil {
				t.Error(err)
			}
			for _, tx := range whole {
				if _, err := tx.Records(bytes.NewReader(data)); err != nil {
					t.Error(err)
				}
			}
			if _, err := journal.Look(bytes.NewReader(data), size, journal.Position{Kind: kind, ID: sampleID}); err != nil {
				t.Error(err)
			}
		}
		if _, _, err := journal.MendHeader(bytes.NewReader(data), size); err != nil {
			t.Error(err)
		}
	})
}
