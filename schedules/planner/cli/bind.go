package cli

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// bindings are which nodes of a model show which tasks of a plan.
type bindings struct {
	property string
	task     []int // of each node, dated.None for none
	used     map[int]bool
	bound    int // nodes

	keys      []string // by what the nodes with a mesh are known
	labels    []string // of the tasks
	left      []string // nodes with a mesh that show no task, and are in none that does
	ambiguous []string // nodes with a name that several tasks have
	unused    []string // tasks that no node shows
}

// entity is what a node is called in the timeline; empty where it shows nothing.
func (b *bindings) entity(node int) string {
	if b.task[node] == dated.None {
		return ""
	}
	return strconv.Itoa(node)
}

// by is by what nodes are bound.
func (b *bindings) by() string {
	if b.property != "" {
		return fmt.Sprintf("property %q with the code or the name", b.property)
	}
	return "code or the name"
}

// duplicate is what modellers add to a name that is there already, as in "A1000.001".
var duplicate = regexp.MustCompile(`\.\d{3}$`)

// several marks a name that is that of several tasks.
const several = -2

// index are the tasks by their codes, and by the names that one task alone has, in lower case.
func index(d *dated.Plan) (codes, names map[string]int) {
	codes, names = make(map[string]int), make(map[string]int)
	add := func(to map[string]int, key string, i int) {
		if key = folded(key); key == "" {
			return
		}
		if _, ok := to[key]; ok {
			i = several
		}
		to[key] = i
	}
	for i := range d.Tasks {
		// The project itself is no task: it would take all that a model has, since models are often called as it.
		t := &d.Tasks[i]
		project := t.Kind == cpm.Summary && t.Parent == dated.None && t.Code == d.ProjectOf(i).Code
		if !t.Inactive && !project {
			add(codes, t.Code, i)
			add(names, t.Name, i)
		}
	}
	return codes, names
}

func folded(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// bind binds each node to the task whose code or name it has: by its code, then by its name, with or without what a
// modeller has added to it; or by a property.
func bind(m *gltf.Model, d *dated.Plan, property string) *bindings {
	b := &bindings{property: property, task: make([]int, len(m.Nodes)), used: make(map[int]bool)}
	codes, names := index(d)
	unclear := make(map[int]bool)
	for i := range m.Nodes {
		n := &m.Nodes[i]
		keys := []string{n.Code, n.Name, duplicate.ReplaceAllString(n.Name, "")}
		if property != "" {
			keys = []string{gltf.Text(n.Properties[property])}
		}
		b.task[i] = find(keys, codes, names)
		if n.Mesh != gltf.None {
			b.keys = append(b.keys, strconv.Quote(cmp.Or(keys...)))
		}
		switch b.task[i] {
		case several:
			b.ambiguous, b.task[i] = append(b.ambiguous, strconv.Quote(cmp.Or(keys...))), dated.None
			unclear[i] = true
		case dated.None:
		default:
			b.bound++
			b.used[b.task[i]] = true
		}
	}
	b.rest(m, d, unclear)
	return b
}

// find is the task that one of the keys of a node is that of.
func find(keys []string, codes, names map[string]int) int {
	for _, of := range []map[string]int{codes, names} {
		for _, key := range keys {
			if i, ok := of[folded(key)]; ok {
				return i
			}
		}
	}
	return dated.None
}

// rest finds what is left over on both sides. A node without a mesh is no object, and a node in one that shows a task
// shows that task, too; a task above others is shown by those.
func (b *bindings) rest(m *gltf.Model, d *dated.Plan, unclear map[int]bool) {
	for i := range m.Nodes {
		if m.Nodes[i].Mesh == gltf.None {
			continue
		}
		k := i
		for k != gltf.None && b.task[k] == dated.None {
			k = m.Nodes[k].Parent
		}
		if k == gltf.None && !unclear[i] {
			b.left = append(b.left, strconv.Quote(m.Nodes[i].Name))
		}
	}
	above := make(map[int]bool)
	for i := range d.Tasks {
		above[d.Tasks[i].Parent] = true
	}
	for i := range d.Tasks {
		if above[i] || d.Tasks[i].Inactive {
			continue
		}
		label := strconv.Quote(cmp.Or(d.Tasks[i].Code, d.Tasks[i].Name))
		if b.labels = append(b.labels, label); !b.used[i] {
			b.unused = append(b.unused, label)
		}
	}
}

// leftOver says what is left over.
func (b *bindings) leftOver(w io.Writer) {
	for _, x := range []struct {
		list      []string
		one, many string
	}{
		{b.left, "node shows no task and stays as it is", "nodes show no task and stay as they are"},
		{
			b.ambiguous, "node has a code or a name that several tasks have, and shows none of them",
			"nodes have codes or names that several tasks have, and show none of them",
		},
		{b.unused, "task is shown by no node", "tasks are shown by no node"},
	} {
		switch n := len(x.list); n {
		case 0:
		case 1:
			fmt.Fprintf(w, "1 %s: %s\n", x.one, x.list[0])
		default:
			fmt.Fprintf(w, "%d %s: %s\n", n, x.many, examples(x.list))
		}
	}
}
