package closure_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// listedOtherwise are members that differ between lists and single reads, and why.
var listedOtherwise = map[string]string{
	"elements.list geometry": "lists have the hash of what may be large alone",
}

// listsMatchSingleReads holds the items of lists to the records that are read one by one,
// as far as both have the same members.
func (w *world) listsMatchSingleReads(all *reads) {
	w.Helper()
	for _, r := range all.all {
		if r.many == "" || r.answer.status != http.StatusOK {
			continue
		}
		for _, item := range r.items {
			id := idOf(item)
			single := all.by[r.path+"/"+id]
			if id == "" || single == nil || single.answer.status != http.StatusOK {
				continue
			}
			_, record := single.answer.one()
			for _, name := range slices.Sorted(maps.Keys(item)) {
				if value, ok := record[name]; ok && listedOtherwise[r.op.name+" "+name] == "" && !cmp.Equal(value, item[name]) {
					w.find("a list has another "+name+" than the record that is read alone", r.op.name,
						request{method: http.MethodGet, target: r.target}, single.target, cmp.Diff(item[name], value))
				}
			}
		}
	}
}

// smallPagesMatch reads lists in pages of few records.
func (w *world) smallPagesMatch(all *reads) {
	w.Helper()
	read := make(map[string]int)
	for _, r := range all.all {
		if len(r.items) < 2 || read[r.op.name] == 3*scale() || !r.op.has("$top") {
			continue
		}
		read[r.op.name]++
		r = w.visit(r.op, r.target) // reality data have the time of their last read
		again := w.visit(r.op, withQuery(r.target, "$top", fmt.Sprint(1+w.r.IntN(len(r.items)))))
		if diff := cmp.Diff(r.items, again.items); diff != "" {
			w.find("small pages differ from large ones", r.op.name, request{method: http.MethodGet, target: again.target}, diff)
		}
	}
}

func (op *operation) has(query string) bool {
	return slices.ContainsFunc(op.parameters, func(p parameter) bool { return p.in == "query" && p.name == query })
}

func withQuery(target, name, value string) string {
	path, query, _ := strings.Cut(target, "?")
	values, _ := url.ParseQuery(query)
	values.Set(name, value)
	return path + "?" + values.Encode()
}

// deltasMatch follows each list from the state in which it was read earlier, and holds the
// copy that is kept so to the list as it is now.
func (w *world) deltasMatch(earlier, now *reads) {
	w.Helper()
	for _, was := range earlier.all {
		is := now.by[was.target]
		if was.delta == "" || is == nil || is.answer.status != http.StatusOK {
			continue
		}
		name := "deltaToken"
		if !was.op.has(name) {
			name = "$deltaToken"
		}
		changes := w.visit(was.op, withQuery(was.target, name, was.delta))
		if changes.answer.status != http.StatusOK {
			continue // too old a token; the document says with what it is refused
		}
		w.tally.follows(was.op)
		kept := followed(was.op, was.items)
		for key, item := range followed(was.op, changes.items) {
			if item["deleted"] == true {
				delete(kept, key)
				continue
			}
			kept[key] = item
		}
		if diff := cmp.Diff(followed(was.op, is.items), kept); diff != "" {
			w.find("a copy kept by deltas is another than the list (-list +copy)", was.op.name, request{method: http.MethodGet, target: changes.target}, diff)
		}
	}
}

// unfollowed are members that deltas do not follow, and why.
var unfollowed = map[string]string{
	"microsoftProjectImports.listTasks computed":    computedOnReading,
	"microsoftProjectImports.listTasks differences": computedOnReading,
	"plannerImports.listTasks computed":             computedOnReading,
	"plannerImports.listTasks differences":          computedOnReading,
}

const computedOnReading = "each read schedules the plan as it is then; deltas have what files have"

// followed are the items of a list by their keys, with what deltas follow of them.
func followed(op *operation, items []map[string]any) map[string]map[string]any {
	out := make(map[string]map[string]any, len(items))
	for _, item := range items {
		key, kept := keyOf(item), maps.Clone(item)
		maps.DeleteFunc(kept, func(name string, _ any) bool { return unfollowed[op.name+" "+name] != "" })
		out[key] = kept
	}
	return out
}

// keyOf is what a record is known by within its list: its id, or the ids of what it joins.
func keyOf(item map[string]any) string {
	if id, ok := item["id"].(string); ok {
		return id
	}
	var key []string
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if id, ok := item[name].(string); ok && (strings.HasSuffix(name, "Id") || name == "name") {
			key = append(key, id)
		}
	}
	return strings.Join(key, "\x00")
}

// sendBack sends records back as they were read, and reads them again.
func (w *world) sendBack(all *reads) {
	w.Helper()
	for _, method := range []string{http.MethodPatch, http.MethodPut} {
		sent := make(map[string]int)
		for _, i := range w.r.Perm(len(all.all)) {
			r := all.all[i]
			op := w.contract.of(method, r.op.path)
			if op == nil || !w.contract.takesBack(op) || sent[op.name] == 4*scale() {
				continue
			}
			r = w.visit(r.op, r.target)
			if q, ok := w.back(op, r); ok && r.answer.status == http.StatusOK {
				sent[op.name]++
				w.sendsBack(op, q, r)
			}
		}
	}
}

// takesBack reports whether an operation takes what a GET of its path answers: bytes for bytes,
// or a body that has members of the answer.
func (c *contract) takesBack(op *operation) bool {
	get := c.of(http.MethodGet, op.path)
	if get == nil || op.method != http.MethodPatch && op.method != http.MethodPut {
		return false
	}
	answer, _ := get.answers["200"].(map[string]any)
	content, _ := answer["content"].(map[string]any)
	media, inJSON := content["application/json"].(map[string]any)
	if op.raw || !inJSON {
		return op.raw && !inJSON
	}
	takes := c.properties(op.body)
	for name, inner := range c.properties(object(media["schema"])) {
		members := c.properties(object(inner))
		if items := object(c.resolve(object(inner))["items"]); len(items) > 0 {
			members = c.properties(items)
		}
		if takes[name] != nil {
			return true
		}
		for member := range members {
			if takes[member] != nil {
				return true
			}
		}
	}
	return false
}

// back is the request that sends back what was read.
func (w *world) back(op *operation, r *read) (q request, ok bool) {
	q = request{method: op.method, target: r.path}
	member, record := r.answer.one()
	takes := w.contract.properties(op.body)
	switch {
	case op.raw && r.answer.value == nil:
		q.header, q.body = http.Header{"Content-Type": r.answer.header["Content-Type"]}, r.answer.body
		return q, len(q.body) > 0
	case op.body == nil || strings.HasSuffix(op.name, "Jobs.update") && record["state"] != "unsubmitted":
		return q, false // a job that was submitted takes no changes, as documented
	case takes[member] != nil:
		q.body = inJSON(map[string]any{member: record})
	case r.many == "":
		record = maps.Clone(record)
		delete(record, "_links")
		q.body = inJSON(record)
	case len(r.items) == 0:
		return q, false
	case takes[r.many] == nil: // it takes one
		q.body = inJSON(choice(w.r, r.items))
	default:
		q.body = inJSON(map[string]any{r.many: r.items})
	}
	return q, true
}

func (w *world) sendsBack(op *operation, q request, r *read) {
	w.Helper()
	w.now = w.now.Add(time.Second)
	a := w.ask(q)
	if failure := object(a.value["error"]); failure["code"] == "ScheduleNotInitialized" {
		return // it takes no changes until it is ready, as documented
	}
	if a.status != http.StatusOK && (a.status != http.StatusNoContent || !op.raw) {
		w.find("a record that is sent back as it was read is refused", op.name, q, a.status, clipped(a.body))
		return
	}
	w.tally.sends(op)
	after := w.visit(r.op, r.target)
	if diff := cmp.Diff(w.lasting(r), w.lasting(after)); diff != "" {
		w.find("a record that is sent back as it was read is another (-was +is)", op.name, q, diff)
	}
}

// drifting are members that differ at each read: when something was read, and addresses that
// are signed again.
var drifting = []string{"lastAccessedDateTime", "downloadUrl", "url", "href"}

// lasting is what was read without what differs at each read.
func (w *world) lasting(r *read) any {
	var value any
	if json.Unmarshal(r.answer.body, &value) != nil {
		return string(r.answer.body)
	}
	each(value, func(record map[string]any) {
		for _, name := range drifting {
			delete(record, name)
		}
	})
	return value
}

// exportIsSeeded holds an export to what is exported of a store that was seeded with it.
func (w *world) exportIsSeeded() {
	w.Helper()
	first := w.exported(w.platform)
	seed, err := platform.ReadWorld(strings.NewReader(first))
	if err != nil {
		w.Fatal(err)
	}
	second, err := platform.New(memory.New(), w.config())
	if err != nil {
		w.Fatal(err)
	}
	defer func() {
		if err := second.Close(); err != nil {
			w.Error(err)
		}
	}()
	if err := second.Seed(w.Context(), seed, platform.SeedOptions{}); err != nil {
		w.find("an export cannot be seeded", "export", request{}, err)
		return
	}
	if diff := cmp.Diff(strings.Split(first, "\n"), strings.Split(w.exported(second), "\n")); diff != "" {
		w.find("a seeded export is exported otherwise (-before +after)", "export", request{}, diff)
	}
}

func (w *world) exported(p *platform.Platform) string {
	w.Helper()
	world, err := p.Export(w.Context())
	if err != nil {
		w.find("a world cannot be exported", "export", request{}, err)
		return "{}"
	}
	var text bytes.Buffer
	if err := world.Write(&text); err != nil {
		w.Fatal(err)
	}
	return text.String()
}
