package schedules

import (
	"reflect"
	"strings"
)

// texts are the texts of what a network keeps. Those of a record that was read are parts of
// its JSON, all of which stays for as long as one of them does: they are copied out of it, and
// what says the same, as ids of tasks do and names of states, is one text. Long texts are most of
// their JSON, and stay parts of it. Without seen all stay as they are.
type texts struct {
	tasks map[string]*Task  // by their ids
	seen  map[string]string // others
}

// longText is how many bytes a text has that is not copied.
const longText = 256

// texts are of what is read next.
func (n *network) texts() texts { return texts{n.tasks, make(map[string]string)} }

// keep copies the texts of a record.
func (k texts) keep(record reflect.Value) {
	if k.seen == nil {
		return
	}
	for i := range record.NumField() { //nolint:modernize // Fields allocates what it returns
		if f := record.Field(i); f.Kind() == reflect.String && f.Len() > 0 && f.Len() < longText {
			f.SetString(k.of(f.String()))
		}
	}
}

func (k texts) of(s string) string {
	if t := k.tasks[s]; t != nil {
		return t.ID
	}
	kept, ok := k.seen[s]
	if !ok {
		kept = strings.Clone(s)
		k.seen[kept] = kept
	}
	return kept
}
