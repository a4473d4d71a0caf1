package postgres_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
)

// storedValues are the values of the records of all kinds, in the latest stored format of each area.
func storedValues(t testing.TB) (values [][]byte) {
	t.Helper()
	areas, err := filepath.Glob("../../*/testdata/stored")
	if err != nil || len(areas) < 6 {
		t.Fatalf("%d areas, %v", len(areas), err)
	}
	for _, area := range areas {
		latest := 0
		versions, err := os.ReadDir(area)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range versions {
			if n, err := strconv.Atoi(strings.TrimPrefix(version.Name(), "v")); err == nil {
				latest = max(latest, n)
			}
		}
		content, err := os.ReadFile(filepath.Join(area, fmt.Sprint("v", latest), "store.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatal(err)
			}
			value, err := strconv.Unquote(strings.TrimSpace(line[len(quoted):]))
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, []byte(value))
		}
	}
	return values
}

// dictionary is the text of one.
func dictionary(t testing.TB, n int) []byte {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("dictionaries/%d.txt", n))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var next = flag.Bool("next", false, "write the next dictionary: the newest one, and what it lacks of the members of all kinds")

// lacking are the members of all kinds that a dictionary lacks, with the values that they often have.
func lacking(t testing.TB, text []byte) (lacks []byte) {
	t.Helper()
	member := regexp.MustCompile(`("[A-Za-z][A-Za-z0-9_]{3,}":)(?:(?:null|false|true|""|\[\]|\{\}|"[A-Za-z]{1,24}"),?)?`)
	for _, value := range storedValues(t) {
		for _, found := range member.FindAllSubmatch(value, -1) {
			if name := found[1]; !bytes.Contains(text, name) && !bytes.Contains(lacks, name) {
				lacks = append(lacks, found[0]...)
			}
		}
	}
	return lacks
}

// A member that a dictionary lacks costs its name in each record, and no more. Where many do,
//
//	go test -run TestTheNewestDictionary . -next
//
// writes the next dictionary. It needs the constant newest and another version of the schema, and the
// test of those that stay as they are its hash.
func TestTheNewestDictionaryHasNearlyAllMembersOfAllKinds(t *testing.T) {
	t.Parallel()
	text := dictionary(t, postgres.Newest)
	lacks := lacking(t, text)
	if *next {
		name := fmt.Sprintf("dictionaries/%d.txt", postgres.Newest+1)
		if err := os.WriteFile(name, slices.Concat(text, lacks), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(lacks) > len(text)/20 {
		t.Errorf("it lacks %s", lacks)
	}
}

// The dictionary that -next writes would lack nothing, and places in it are two bytes.
func TestTheNextDictionaryHasAllMembersAndRoom(t *testing.T) {
	t.Parallel()
	text := dictionary(t, postgres.Newest)
	for name, begin := range map[string][]byte{"of nothing": nil, "of half of the newest": text[:len(text)/2], "of the newest": text} {
		following := slices.Concat(begin, lacking(t, begin))
		if lacks := lacking(t, following); len(lacks) > 0 {
			t.Errorf("the one that is made %s lacks %s", name, lacks)
		}
		if len(following) > 64<<10-1 {
			t.Errorf("the one that is made %s has %d bytes", name, len(following))
		}
	}
}

func TestValuesAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	of := rand.New(rand.NewPCG(3, 30)) //nolint:gosec // chance, not secrecy
	text := dictionary(t, postgres.Newest)
	values := storedValues(t)
	for range 2000 {
		var value []byte
		for range of.IntN(30) {
			from := of.IntN(len(text))
			value = append(value, text[from:min(from+of.IntN(60), len(text))]...)
			for range of.IntN(10) {
				value = append(value, byte(of.IntN(256)))
			}
		}
		values = append(values, value)
	}
	values = append(values, bytes.Repeat(text, 2)[:32<<10], text, bytes.Repeat(text, 2), bytes.Repeat([]byte{0xff}, 100), []byte{0xff}, nil)
	for _, value := range values {
		stored := postgres.Encode(value)
		if len(stored) > len(value)+2 {
			t.Errorf("%d bytes are stored as %d", len(value), len(stored))
		}
		read, err := postgres.Decode(stored)
		if err != nil || !bytes.Equal(read, value) {
			t.Fatalf("%q is read as %q, %v", value, read, err)
		}
	}
}

// Other statements compare short values, such as ids, as they are.
func TestShortValuesAreStoredAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", "dc52n41ksdu8t05fu550", strings.Repeat("a", 63), `{"actualDuration":null,"actualFinish":null}`} {
		if stored := postgres.Encode([]byte(value)); string(stored) != value {
			t.Errorf("%q is stored as %q", value, stored)
		}
	}
}

// Values that were written by a dictionary are in stores for ever.
func TestDictionariesStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "04dc1b9a725cedd740087a0a2227840e80c0292b2ee721a0262893728c2837cc"} {
		if got := fmt.Sprintf("%x", sha256.Sum256(dictionary(t, n))); got != want {
			t.Errorf("dictionary %d was changed: add another one instead", n)
		}
	}
	const stored = "\xff\x01{\x04\x01\x00\x00\x00g\xb3&\x00h\x1f\x04\x00\\\x9a\x02\x00n\x02\x0f\x13dc52n41ksdu8t05fu55$g\x05\x06Work\"}"
	const want = "\x01\x00\x00\x00{\"actualDuration\":null,\"actualFinish\":null,\"comment\":\"Tower\",\"deleted\":false,\"id\":\"dc52n41ksdu8t05fu550\",\"type\":\"Work\"}"
	if value, err := postgres.Decode([]byte(stored)); err != nil || string(value) != want {
		t.Errorf("a value of the first dictionary is %q, %v", value, err)
	}
}

// Whatever bytes are stored, reading them ends with a value or an error.
func FuzzDecode(f *testing.F) {
	for _, value := range storedValues(f) {
		f.Add(postgres.Encode(value))
	}
	f.Add([]byte{0xff})
	f.Add([]byte{0xff, 1, 80, 0, 0xff, 0xff, 80})
	f.Add([]byte{0xff, 2, 1})
	f.Fuzz(func(t *testing.T, stored []byte) {
		value, err := postgres.Decode(stored)
		if err != nil && !errors.Is(err, storage.ErrUnavailable) || err == nil && value == nil {
			t.Errorf("%q, %v", value, err)
		}
	})
}

// BenchmarkValues writes and reads the values of all kinds; "share" is what is stored of a value.
func BenchmarkValues(b *testing.B) {
	var values, stored [][]byte
	size, coded := 0, 0
	for _, value := range storedValues(b) {
		if len(value) >= 64 {
			values, stored = append(values, value), append(stored, postgres.Encode(value))
			size, coded = size+len(value), coded+len(stored[len(stored)-1])
		}
	}
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(size / len(values)))
		for i := 0; b.Loop(); i++ {
			postgres.Encode(values[i%len(values)])
		}
		b.ReportMetric(float64(coded)/float64(size), "share")
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(size / len(values)))
		for i := 0; b.Loop(); i++ {
			if _, err := postgres.Decode(stored[i%len(stored)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
