package closure_test

import (
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
)

// known has the ids that answers have shown.
type known struct {
	ids   map[string]map[string]bool            // by the path of their list
	named map[string]map[string]map[string]bool // by scope and member
}

func newKnown() *known {
	return &known{ids: make(map[string]map[string]bool), named: make(map[string]map[string]map[string]bool)}
}

// scopeOf is what ids of a path mean something within: a schedule or a model; empty for the
// platform.
func scopeOf(path string) string {
	parts := strings.SplitN(path, "/", 4)
	if len(parts) < 3 || parts[1] != "schedules" && parts[1] != "models" {
		return ""
	}
	return "/" + parts[1] + "/" + parts[2]
}

func (k *known) add(list, id string) {
	if id == "" || strings.ContainsAny(id, "/\n") {
		return
	}
	if k.ids[list] == nil {
		k.ids[list] = make(map[string]bool)
	}
	k.ids[list][id] = true
}

func (k *known) name(scope, member, id string) {
	if id == "" {
		return
	}
	for _, s := range []string{scope, ""} {
		if k.named[s] == nil {
			k.named[s] = make(map[string]map[string]bool)
		}
		if k.named[s][member] == nil {
			k.named[s][member] = make(map[string]bool)
		}
		k.named[s][member][id] = true
	}
}

// aliases are members that hold ids of what another member is named after.
var aliases = map[string]string{"projectId": "twinId", "scopeId": "twinId", "predecessorId": "taskId", "successorId": "taskId", "formId": "formDefinitionId"}

// values are the ids that a member may hold in a scope, the likeliest alone.
func (k *known) values(scope, member string) []string {
	for _, s := range []string{scope, ""} {
		ids := maps.Clone(k.named[s][member])
		if other := k.named[s][aliases[member]]; len(ids) == 0 {
			ids = other
		} else {
			maps.Copy(ids, other)
		}
		if len(ids) > 0 {
			return slices.Sorted(maps.Keys(ids))
		}
		for _, other := range slices.Sorted(maps.Keys(k.named[s])) {
			a, b := strings.ToLower(other), strings.ToLower(member)
			if strings.HasSuffix(a, b) || strings.HasSuffix(b, a) {
				return slices.Sorted(maps.Keys(k.named[s][other]))
			}
		}
	}
	return nil
}

func (k *known) pick(r *rand.Rand, scope, member string) string {
	return choice(r, k.values(scope, member))
}

func choice[T any](r *rand.Rand, from []T) (v T) {
	if len(from) > 0 {
		v = from[r.IntN(len(from))]
	}
	return v
}

// below are the values that a parameter may have behind a path.
func (k *known) below(path, param string) []string {
	if ids := k.ids[path]; len(ids) > 0 {
		return slices.Sorted(maps.Keys(ids))
	}
	return slices.Sorted(maps.Keys(k.named[scopeOf(path)][param]))
}

// learn takes the ids out of an answer.
func (w *world) learn(path string, a answer) {
	if a.status >= 300 || a.value == nil {
		return
	}
	list := strings.TrimSuffix(path, "/batch")
	param := w.contract.childOf(strings.TrimSuffix(a.op.path, "/batch"))
	records := slices.Concat(slices.Collect(maps.Values(a.lists()))...)
	if _, one := a.one(); a.op.method == "POST" {
		records = append(records, one)
	}
	for _, record := range records {
		if id := idOf(object(record)); id != "" && param != "" {
			w.known.add(list, id)
			w.known.name(scopeOf(path), param, id)
		}
	}
	w.learnMembers(scopeOf(path), a.value)
}

// idOf is what a record is called in paths; empty where it has no such name.
func idOf(item map[string]any) string {
	for _, member := range []string{"id", "extensionName", "name"} {
		if id, ok := item[member].(string); ok {
			return url.PathEscape(id)
		}
	}
	return ""
}

func (w *world) learnMembers(scope string, node any) {
	switch node := node.(type) {
	case []any:
		for _, v := range node {
			w.learnMembers(scope, v)
		}
	case map[string]any:
		for name, v := range node {
			switch v := v.(type) {
			case string:
				w.learnString(scope, name, v)
			case []any:
				for _, one := range v {
					if id, ok := one.(string); ok && strings.HasSuffix(name, "Ids") {
						w.known.name(scope, strings.TrimSuffix(name, "s"), id)
					}
				}
			}
			w.learnMembers(scope, v)
		}
	}
}

func (w *world) learnString(scope, name, v string) {
	if strings.HasSuffix(name, "Id") {
		w.known.name(scope, name, v)
		return
	}
	path, ours := strings.CutPrefix(v, baseURL)
	if !ours {
		return
	}
	path, _, _ = strings.Cut(path, "?")
	op, bound := w.contract.find("GET", path)
	if op == nil {
		return
	}
	parts := strings.Split(path, "/")
	for i, segment := range op.segments {
		if param, ok := parameterName(segment); ok {
			w.known.add(strings.Join(parts[:i+1], "/"), bound[param])
			w.known.name(scopeOf(path), param, bound[param])
		}
	}
}

// childOf is the parameter behind the path of a list; empty where there is none.
func (c *contract) childOf(path string) string {
	for _, o := range c.operations {
		if rest, ok := strings.CutPrefix(o.path, path+"/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			if param, ok := parameterName(first); ok {
				return param
			}
		}
	}
	return ""
}
