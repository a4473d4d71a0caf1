package cli

import (
	"strings"
	"testing"
)

func TestProgressShowsHowFarAPlanIs(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		"-by units -step week":               "From,To,Planned (units),Done (units),Earliest (units),Latest (units)\n2025-12-29 00:00,",
		"-json":                              `"measure": "Count"`,
		"-json -show resources":              `"atOnce":`,
		"-json -show line":                   `"tasks":`,
		"-show resources":                    "Resource,Resource name,Unit,From,To,Units,At a time,Limit,Over the limit\n",
		"-show overallocations":              "Resource,Resource name,From,To,Limit,At a time,Over,Tasks\n",
		"-json -show overallocations":        `"overallocations": [`,
		"-show line -baseline " + tasks30:    "Code,Name,Planned start,Planned finish,Done (%),As far as planned for,Ahead (days)\n",
		"-format svg":                        "<svg ",
		"-format svg -show resources":        "<svg ",
		"-format svg -show line -step month": "<svg ",
	} {
		if out := output(t, append(append([]string{"progress"}, strings.Fields(call)...), tasks30)...); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%.500s", call, want, out)
		}
	}
	for _, call := range []string{"-by money", "-step hour", "-format png", "-show cost", "-show overallocations -format svg", tasks30} {
		if _, code, err := progressOf(call); code != 2 {
			t.Errorf("%s: %d, %v", call, code, err)
		}
	}
}

func progressOf(args string) (string, int, error) {
	return call(append(append([]string{"progress"}, strings.Fields(args)...), tasks30)...)
}
