package storm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing/iotest"
	"time"
	"unsafe"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// arguments are those of a call, and the schedule of its handle. Ids belong together, most often.
func (s *storm) arguments(ctx context.Context, m *method) (plan string, args []reflect.Value) {
	last := "" // the parameter that is most of its own: what it names decides on those before it
	for _, p := range m.in {
		if p.of.Kind() == reflect.String && p.name != "" {
			last = p.name
		}
	}
	if m.handle && last == "" {
		last = "scheduleID"
	}
	s.plan = "" // an id of any schedule decides on it
	var about *entry
	if last != "" && s.often(12) {
		about = s.entry(s.kind(last, m.name))
	}
	if m.handle {
		if plan = s.id("scheduleID", ""); about != nil && about.plan != "" {
			plan = about.plan
		}
		s.plan = plan
	}
	for _, p := range m.in {
		v := reflect.New(p.of).Elem()
		switch {
		case p.of == contextType:
			v.Set(reflect.ValueOf(ctx))
		case p.variadic:
			if s.often(8) {
				continue
			}
			v = reflect.New(p.of.Elem()).Elem()
			s.fill(v, p.name, schema.Value{}, 0)
		case p.of.Kind() == reflect.String && p.name != "":
			s.fillID(v, p.name, last, m.name, about)
		default:
			s.fill(v, p.name, schema.Value{}, 0)
		}
		args = append(args, v)
	}
	return plan, args
}

// fillID fills an id among the arguments.
func (s *storm) fillID(v reflect.Value, name, last, method string, about *entry) {
	switch {
	case s.odd():
		v.SetString(s.oddText())
	case about != nil && name == last:
		v.SetString(about.id)
	case about != nil && about.at[name] != "":
		v.SetString(about.at[name])
	default:
		v.SetString(s.id(name, method))
	}
}

// kind is the kind of record that an id among arguments is of: the method knows it better where it
// ends with the same word, as UpdateViewGroup does of a groupID.
func (s *storm) kind(name, method string) string {
	kind, own := kindOf(name, method), kindOf("", method)
	if strings.HasSuffix(own, kind) && len(s.found[own]) > 0 {
		return own
	}
	return kind
}

// kindOf is the kind of record that an id is of, by the names of the parameter and of the method
// or of the struct that it is in.
func kindOf(name, in string) string {
	name = strings.ToLower(name)
	name = strings.TrimSuffix(strings.TrimSuffix(name, "s"), "id")
	if len(name) > len("name") {
		name = strings.TrimSuffix(name, "name")
	}
	switch {
	case name == "name" && strings.Contains(in, "Detector"):
		return "detector"
	case name == "number" && strings.Contains(in, "Detector"):
		return "detectorversion"
	case name == "form" && in == "NewForm":
		return "formdefinition"
	}
	switch name {
	case "", "name", "number", "parent":
		in = in[strings.LastIndexByte(in, '.')+1:]
		for _, verb := range []string{
			"Create", "Update", "Delete", "Complete", "Publish", "Open", "Write", "Append", "Cancel", "Start", "Associate", "Dissociate", "Move", "Restore", "New",
		} {
			in = strings.TrimPrefix(in, verb)
		}
		return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(in, "Patch"), "s"))
	case "predecessor", "successor":
		return "task"
	}
	return name
}

// entry is a record of a kind that was met, or nil.
func (s *storm) entry(kind string) *entry {
	all := s.found[kind]
	if s.plan != "" && s.often(8) {
		if near := slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return e.plan != s.plan }); len(near) > 0 {
			all = near
		}
	}
	if len(all) == 0 { // a name may be short, or long
		for _, name := range sortedKeys(s.found) {
			if kind != "" && (strings.HasSuffix(name, kind) || strings.HasSuffix(kind, name)) {
				all = append(all, s.found[name]...)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	// What is new is there still, more often than what is old.
	n := len(all)
	if s.often(3) {
		n = min(n, 12)
	}
	return all[len(all)-1-s.r.IntN(n)]
}

// id is one of a kind, or of any.
func (s *storm) id(name, in string) string {
	kind := kindOf(name, in)
	if !s.often(25) {
		kind = pick(s, sortedKeys(s.found))
	}
	switch kind {
	case "account":
		return pick(s, []string{bridges, tunnels, ""})
	case "principal", "member":
		if s.often(2) {
			return pick(s, []string{guestID, "33333333-3333-4333-8333-333333333333", "22222222-2222-4222-8222-222222222222"})
		}
	}
	if e := s.entry(kind); e != nil {
		return e.id
	}
	return twinplatform.NewGUID()
}

// often is true but once in n times.
func (s *storm) often(n int) bool { return s.r.IntN(n) > 0 }

// odd is true where a value is to be one that no client sends.
func (s *storm) odd() bool { return s.wild && s.r.IntN(12) == 0 }

func pick[T any](s *storm, from []T) (v T) {
	if len(from) > 0 {
		v = from[s.r.IntN(len(from))]
	}
	return v
}

var oddTexts = []string{
	"", " ", ".", "..", "a/b", "*", "nul\x00", "\u202egpj.exe", "\xff\xfe", "line\nend", "\u2028", "\ufeffx", "%00", "'; --", "null", "-1",
	"00000000-0000-0000-0000-000000000000", strings.Repeat("x", 300), strings.Repeat("é", 5000), strings.Repeat("y", 70000),
}

func (s *storm) oddText() string { return pick(s, oddTexts) }

func (s *storm) text(name string) string {
	switch lower := strings.ToLower(name); {
	case strings.Contains(lower, "email"):
		return pick(s, []string{"guest@example.com", "ada@example.com", fmt.Sprintf("p%d@example.com", s.r.IntN(50))})
	case strings.HasSuffix(lower, "uri"), strings.HasSuffix(lower, "url"):
		return fmt.Sprint("https://example.com/", s.r.IntN(1000))
	case strings.Contains(lower, "color"):
		return fmt.Sprintf("#%06x", s.r.IntN(1<<24))
	case strings.HasSuffix(lower, "zone"):
		return pick(s, []string{"Europe/Berlin", "UTC", "America/New_York"})
	case lower == "permissions":
		return pick(s, []string{"twins_read", "schedules_read", "schedules_modify", "models_read"})
	case lower == "eventtypes", lower == "eventtype":
		return pick(s, event.Catalogue()).Type()
	case lower == "versionnumber", lower == "number":
		return fmt.Sprintf("1.%d", s.r.IntN(9))
	}
	return fmt.Sprintf("%s %d", pick(s, []string{"Pier", "Träger", "Deck & <rail>", "two words"}), s.r.IntN(1_000_000))
}

var oddTimes = []time.Time{
	{},
	time.Time{}.Add(1), time.Date(0, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
	time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC),
	time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -4*3600)), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC),
	time.Date(292277026596, 12, 4, 15, 30, 7, 0, time.UTC), time.Date(2026, 3, 29, 2, 30, 0, 123_456_789, time.FixedZone("", 3*3600)),
}

func (s *storm) time() time.Time {
	if s.odd() {
		return pick(s, oddTimes)
	}
	return time.Date(2026, 3, 1+s.r.IntN(200), s.r.IntN(24), s.r.IntN(60), s.r.IntN(60), 0, time.UTC)
}

var oddNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, math.Copysign(0, -1), 1e308, 5e-324, math.MaxInt64, 1e15, 0.1}

func (s *storm) number(says schema.Value) float64 {
	if s.odd() {
		return pick(s, oddNumbers)
	}
	low, high := 0.0, 100.0
	if says.Minimum != nil {
		low, high = *says.Minimum, *says.Minimum+100
	}
	if says.Maximum != nil {
		high = *says.Maximum
	}
	return math.Round(4*(low+s.r.Float64()*(high-low))) / 4
}

var oddIntegers = []int64{-1, 0, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, 10_001}

// fill gives a value something to hold.
func (s *storm) fill(v reflect.Value, name string, says schema.Value, depth int) {
	if known, is := s.knows.book.Value(v.Type()); is {
		says = known.And(says)
	}
	if s.fillSpecial(v, name) {
		return
	}
	t := v.Type()
	if t.PkgPath() == module && strings.HasPrefix(t.Name(), "Optional[") {
		s.fillOptional(v, name, says, depth)
		return
	}
	switch t.Kind() {
	case reflect.String:
		v.SetString(s.string(name, says))
	case reflect.Bool:
		v.SetBool(s.often(2))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(s.number(says))
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		n := int64(s.number(says))
		if name == "offset" {
			n = 0
		}
		if s.odd() {
			n = pick(s, oddIntegers)
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(uint64(s.r.IntN(100)))
	case reflect.Pointer:
		if depth < 7 && (s.often(3) || depth == 0) && !s.odd() {
			v.Set(reflect.New(t.Elem()))
			s.fill(v.Elem(), name, says, depth+1)
		}
	case reflect.Slice:
		s.fillSlice(v, name, says, depth)
	case reflect.Array:
		for i := range v.Len() {
			s.fill(v.Index(i), name, schema.Value{}, depth+1)
		}
	case reflect.Map:
		if depth < 7 && !s.odd() {
			v.Set(reflect.MakeMap(t))
			for range s.r.IntN(3) {
				key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
				s.fill(key, "key", schema.Value{}, depth+1)
				s.fill(value, name, schema.Value{}, depth+1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		s.fillStruct(v, depth)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			if value := s.anything(depth); value != nil {
				v.Set(reflect.ValueOf(value))
			}
		}
	}
}

func (s *storm) string(name string, says schema.Value) string {
	if s.odd() {
		return s.oddText()
	}
	if len(says.Enum) > 0 {
		return pick(s, says.Enum)
	}
	if strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "Ids") || strings.HasSuffix(name, "IDs") {
		return s.id(name, "")
	}
	if text, is := says.Example.(string); is && s.often(4) {
		return text
	}
	text := s.text(name)
	if says.MaxLength > 0 && len(text) > says.MaxLength {
		text = text[:says.MaxLength]
	}
	return text
}

func (s *storm) fillSlice(v reflect.Value, name string, says schema.Value, depth int) {
	if s.odd() || depth > 7 {
		return
	}
	n := max(s.r.IntN(4), says.MinItems)
	if depth == 0 {
		n = max(n, 1)
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	item := schema.Value{}
	if says.Item != nil {
		item = *says.Item
	}
	for i := range n {
		s.fill(v.Index(i), name, item, depth+1)
	}
}

func (s *storm) fillStruct(v reflect.Value, depth int) {
	t := v.Type()
	for f, to := range v.Fields() {
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			name = f.Name
		}
		m := s.knows.book.Member(t, name)
		switch {
		case f.Anonymous:
		case m.Required && s.odd(), !m.Required && s.r.IntN(5) > 1, depth > 6:
			continue
		}
		switch {
		case name == "id" && to.Kind() == reflect.String && strings.HasPrefix(t.Name(), "New") && s.often(4):
			to.SetString(fmt.Sprintf("r%d", s.r.IntN(100_000)))
		case to.Kind() == reflect.String && strings.HasSuffix(strings.ToLower(name), "id") && !s.odd():
			to.SetString(s.id(name, t.Name()))
		default:
			s.fill(to, name, m.Value, depth+1)
		}
	}
}

// fillOptional sets an Optional, also to what no JSON says.
func (s *storm) fillOptional(v reflect.Value, name string, says schema.Value, depth int) {
	state := v.FieldByName("state")
	state = reflect.NewAt(state.Type(), unsafe.Pointer(state.UnsafeAddr())).Elem()
	value := v.FieldByName("value")
	value = reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
	if !s.often(6) {
		state.SetUint(1) // null
		return
	}
	state.SetUint(2)
	s.fill(value, name, says, depth+1)
}

// anything is a value of any type that JSON has, and some that it has not.
func (s *storm) anything(depth int) any {
	switch s.r.IntN(7) {
	case 0:
		return s.number(schema.Value{})
	case 1:
		return s.often(2)
	case 2:
		return nil
	case 3:
		if depth < 5 {
			return []any{s.anything(depth + 2), s.anything(depth + 2)}
		}
	case 4:
		if depth < 5 {
			return map[string]any{s.text("key"): s.anything(depth + 2)}
		}
	case 5:
		if s.odd() {
			return make(chan int)
		}
	}
	return s.string("", schema.Value{})
}

// fillSpecial fills values of types that are more than their kind.
func (s *storm) fillSpecial(v reflect.Value, name string) bool {
	switch to := v.Addr().Interface().(type) {
	case *twinplatform.DateTime:
		*to = twinplatform.At(s.time())
		if s.odd() {
			to.Time = s.time()
		}
	case *time.Time:
		*to = s.time()
	case *time.Duration:
		*to = time.Duration(s.r.IntN(500)) * time.Hour
		if s.odd() {
			*to = time.Duration(pick(s, oddIntegers))
		}
	case *twinplatform.Precondition:
		*to = twinplatform.IfMatch(pick(s, append([]string{"*", "", "\"1\"", "x\ny"}, s.etags...)))
		if !s.often(3) {
			*to = twinplatform.IfNoneMatch(pick(s, []string{"*", "\"1\"", ""}))
		}
	case *twinplatform.ListOptions:
		s.fillOptions(to)
	case *twinplatform.Principal:
		if c := pick(s, s.callers); c.principal != nil {
			*to = *c.principal
		}
	case *webhooks.Secret:
		*to = webhooks.NewSecret(pick(s, []string{"0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef", s.oddText()}))
	case *event.Content:
		if !s.odd() {
			content := reflect.New(reflect.TypeOf(pick(s, event.Catalogue()).Content)).Elem()
			s.fill(content, name, schema.Value{}, 1)
			*to = content.Interface().(event.Content)
		}
	case *io.Reader:
		*to = s.reader()
	case *json.RawMessage:
		*to, _ = json.Marshal(s.anything(1))
	case *[]byte:
		*to = pick(s, contents())
		if json, err := json.Marshal(s.anything(1)); err == nil && s.often(2) {
			*to = json
		}
	default:
		return false
	}
	return true
}

func (s *storm) fillOptions(to *twinplatform.ListOptions) {
	if s.often(2) {
		to.Top = 1 + s.r.IntN(200)
	}
	if !s.often(6) {
		to.Continuation = pick(s, s.next)
	}
	if !s.often(6) {
		to.Delta = pick(s, s.next)
	}
	if !s.often(6) {
		to.IfNoneMatch = pick(s, s.etags)
	}
	if s.odd() {
		to.Top = int(pick(s, oddIntegers))
		to.Continuation = s.oddText()
	}
}

var errRead = errors.New("the line is dead")

func (s *storm) reader() io.Reader {
	switch {
	case s.odd():
		return nil
	case s.odd():
		return iotest.ErrReader(errRead)
	}
	return bytes.NewReader(pick(s, contents()))
}

// contents are files of several kinds.
var contents = sync.OnceValue(func() [][]byte {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		panic(err)
	}
	all := [][]byte{picture.Bytes(), picture.Bytes(), []byte("text"), {}}
	for _, name := range []string{"p6-5.0-roles-resources.xer", "mspdi-mp_j30_a2_nr1.xml"} {
		text, err := os.ReadFile(root + "/schedules/planner/testdata/" + name)
		if err != nil {
			panic(err)
		}
		all = append(all, text)
	}
	return all
})
