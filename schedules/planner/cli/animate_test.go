package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// write writes a file of a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// house is a .gltf with a block, 1 wide and deep and 2 high, for each of some nodes.
func house(nodes ...string) string {
	return `{"asset": {"version": "2.0"}, "nodes": [` + strings.Join(nodes, ",") + `],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
"accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 1]}]}`
}

// animate runs the command, and returns what it prints and its exit code.
func animate(t *testing.T, args ...string) (out, errs string, code int, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = Run("planner", append([]string{"animate"}, args...), Streams{Out: &o, Err: &e})
	return o.String(), e.String(), ExitCode(err), err
}

func TestAnimateBindsNodesByCodeAndByName(t *testing.T) {
	t.Parallel()
	model := write(t, "site.gltf", house(
		`{"name": "a110", "mesh": 0}`, `{"name": "A120.002", "mesh": 0}`, `{"name": "x", "mesh": 0, "extras": {"code": "A130"}}`,
		`{"name": "Blinding and ground slab", "mesh": 0, "children": [5]}`, `{"name": "Tree", "mesh": 0}`, `{"name": "part", "mesh": 0}`,
		`{"name": "Camera"}`,
	))
	built := filepath.Join(t.TempDir(), "built.glb")
	out, errs, _, err := animate(t, "-model", model, "-o", built, "demo.xer")
	if err != nil || out != "" {
		t.Fatal(err, out)
	}
	want := built + ` plays 4 tasks on 4 nodes, from 2026-03-02T08:00:00 to 2026-03-31T17:00:00, in 2.9s
1 node shows no task and stays as it is: "Tree"
18 tasks are shown by no node: "A100", "B110", "B120" …
`
	if diff := cmp.Diff(want, errs); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	f, err := os.Open(built)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := gltf.Read(f, gltf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tree := m.Nodes[4]; tree.Name != "Tree" || tree.Parent != gltf.None || m.Nodes[0].Parent == gltf.None {
		t.Errorf("%+v", tree)
	}
}

func TestAnimateBindsByAProperty(t *testing.T) {
	t.Parallel()
	model := write(t, "site.gltf", house(`{"name": "A110", "mesh": 0, "extras": {"Activity": "A120"}}`))
	out, _, _, err := animate(t, "-model", model, "-property", "Activity", "-json", "-moments", "3", "-growth", "left-right", "demo.xer")
	if err != nil {
		t.Fatal(err)
	}
	var got statesJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	half, all := 0.5, [2][3]float64{{0, 0, 0}, {1, 2, 1}}
	nothing := 0.0
	state := stateJSON{Name: "A110", Task: "A120", Phase: "During", Present: true, Color: criticalColor}
	first, middle, last := state, state, state
	first.Share = &nothing
	middle.Share, middle.Box = &half, &[2][3]float64{{0, 0, 0}, {0.5, 2, 1}}
	last.Phase, last.Color, last.Box = "After", "", &all
	want := statesJSON{From: "2026-03-09T08:00:00", To: "2026-03-18T17:00:00", SecondsPerDay: 0.1, Moments: []momentJSON{
		{"2026-03-09T08:00:00", 0, []stateJSON{first}},
		{"2026-03-14T00:30:00", 0.46875, []stateJSON{middle}},
		{"2026-03-18T17:00:00", 0.9375, []stateJSON{last}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAWrongModelPlanOrOutputIsRefusedWithTheCure(t *testing.T) {
	t.Parallel()
	model := write(t, "site.gltf", house(`{"name": "A110", "mesh": 0}`))
	trees := write(t, "trees.gltf", house(`{"name": "Oak", "mesh": 0}`, `{"name": "Ash", "mesh": 0}`))
	ifc := write(t, "site.ifc", "ISO-10303-21;\nHEADER;")
	other := write(t, "other.gltf", strings.Replace(house(`{"name": "A110"}`), `"asset"`, `"buffers": [{"byteLength": 4, "uri": "../x.bin"}], "asset"`, 1))
	empty := write(t, "empty.gltf", `{"asset": {"version": "2.0"}}`)
	for text, c := range map[string]struct {
		code int
		args []string
	}{
		"animate needs -model site.glb":        {2, []string{"-o", "built.glb", "demo.xer"}},
		"animate needs -o built.glb":           {2, []string{"-model", model, "demo.xer"}},
		"animate takes one plan":               {2, []string{"-model", model, "-o", "built.glb", "demo.xer", "demo.xer"}},
		"no file of glb ends in .gltf":         {2, []string{"-model", model, "-o", "built.gltf", "demo.xer"}},
		"site.gltf is a file that is read":     {2, []string{"-model", model, "-json", "-o", model, "demo.xer"}},
		`there is no "sideways"`:               {2, []string{"-model", model, "-o", "built.glb", "-growth", "sideways", "demo.xer"}},
		`there is no "early"`:                  {2, []string{"-model", model, "-o", "built.glb", "-dates", "early", "demo.xer"}},
		"are more than nothing":                {2, []string{"-model", model, "-o", "built.glb", "-day", "-1s", "demo.xer"}},
		"none.glb: no such file":               {1, []string{"-model", "none.glb", "-o", "built.glb", "demo.xer"}},
		"convert it, as \"IfcConvert":          {1, []string{"-model", ifc, "-o", "built.glb", "demo.xer"}},
		"it is a plan in XER":                  {1, []string{"-model", "demo.xer", "-o", "built.glb", "demo.xer"}},
		"it is JSON":                           {1, []string{"-model", model, "-o", "built.glb", model}},
		`is not the name of a file next to it`: {1, []string{"-model", other, "-o", "built.glb", "demo.xer"}},
		"the model has no nodes":               {1, []string{"-model", empty, "-o", "built.glb", "demo.xer"}},
		"no node of " + trees + " has the code or the name of a task of demo.xer: the nodes have \"Oak\", \"Ash\", the tasks \"A100\", \"A110\", \"A120\" …; -property names": {
			1, []string{"-model", trees, "-o", "built.glb", "demo.xer"},
		},
		`has the property "level" with the code or the name`:                       {1, []string{"-model", model, "-o", "built.glb", "-property", "level", "demo.xer"}},
		"no task that a node shows has a date":                                     {1, []string{"-model", model, "-o", "built.glb", "-dates", "baseline", "demo.xer"}},
		"there is nothing to play from 2027-01-01T00:00:00 to 2026-03-06T17:00:00": {2, []string{"-model", model, "-json", "-from", "2027-01-01", "demo.xer"}},
		"let a day take less": {1, []string{"-model", model, "-o", "built.glb", "-day", "24h", "demo.xer"}},
	} {
		if strings.HasSuffix(text, "file that is read") {
			c.args[4] = write(t, "plan.json", "{}")
			os.Remove(c.args[4])
			os.Link(model, c.args[4])
			text = "is a file that is read"
		}
		if _, _, code, err := animate(t, c.args...); code != c.code || err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: exit code %d, %v; want %d with %q", c.args, code, err, c.code, text)
		}
	}
	if _, err := os.Stat("built.glb"); err == nil {
		t.Error("a refused call has written a file")
	}
}

func TestANodeWhoseCodeSeveralTasksHaveShowsNone(t *testing.T) {
	t.Parallel()
	model := write(t, "site.gltf", house(`{"name": "A1000", "mesh": 0}`, `{"name": "A1010", "mesh": 0}`))
	built := filepath.Join(t.TempDir(), "built.glb")
	plan := files + "MultiprojectWithExternal.xer"
	_, errs, _, err := animate(t, "-model", model, "-o", built, plan)
	if want := `1 node has a code or a name that several tasks have, and shows none of them: "A1000"`; err != nil || !strings.Contains(errs, want) {
		t.Errorf("%v, %s", err, errs)
	}
	_, errs, _, err = animate(t, "-model", model, "-project", "TestProject", "-o", built, plan)
	if want := fmt.Sprintf("%s plays 1 task on 1 node, from", built); err != nil || !strings.Contains(errs, want) {
		t.Errorf("%v, %s", err, errs)
	}
}

func TestAModelReadsNoLinkOutOfItsFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	model := filepath.Join(folder, "site.gltf")
	text := strings.Replace(house(`{"name": "A110", "mesh": 0}`), `"asset"`, `"buffers": [{"byteLength": 4, "uri": "link.bin"}], "asset"`, 1)
	if err := errors.Join(os.WriteFile(model, []byte(text), 0o600), os.WriteFile(filepath.Join(folder, "inside.bin"), []byte("four"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for to, ok := range map[string]bool{"inside.bin": true, write(t, "secret.bin", "four"): false} {
		link := filepath.Join(folder, "link.bin")
		os.Remove(link)
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		_, _, _, err := animate(t, "-model", model, "-json", "demo.xer")
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "buffer 0") {
			t.Errorf("a link to %s: %v", to, err)
		}
	}
}
