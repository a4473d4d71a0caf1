package cli

import (
	"strings"
	"testing"
)

func TestProgressShowsHowFarAPlanIs(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		"-by units -step week":               "from,to,planned,actual,earliest,latest\n2025-12-29T00:00:00,",
		"-json":                              `"measure": "Count"`,
		"-json -show resources":              `"atOnce":`,
		"-json -show line":                   `"tasks":`,
		"-show resources":                    "resource,name,unit,from,to,units,atOnce,limit,over\n",
		"-show line -baseline " + tasks30:    "task,name,plannedStart,plannedFinish,done,at,ahead\n",
		"-format svg":                        "<svg ",
		"-format svg -show resources":        "<svg ",
		"-format svg -show line -step month": "<svg ",
	} {
		if out := output(t, append(append([]string{"progress"}, strings.Fields(call)...), tasks30)...); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%.500s", call, want, out)
		}
	}
	for _, call := range []string{"-by money", "-step hour", "-format png", "-show cost", tasks30} {
		if _, code, err := progressOf(call); code != 2 {
			t.Errorf("%s: %d, %v", call, code, err)
		}
	}
}

func progressOf(args string) (string, int, error) {
	return call(append(append([]string{"progress"}, strings.Fields(args)...), tasks30)...)
}
