package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tasks30 is a plan of thirty tasks.
const tasks30 = files + "mspdi-mp_j30_a2_nr1.xml"

func TestRiskShowsWhenAPlanMayEnd(t *testing.T) {
	t.Parallel()
	var got prospect
	if err := json.Unmarshal([]byte(output(t, "risk", "-json", "-runs", "300", "-seed", "5", tasks30)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Runs != 300 || got.Seed != 5 || got.Distribution != "Triangular" || len(got.Percentiles) != 4 || len(got.Histogram) == 0 || len(got.Tasks) != 64 {
		t.Errorf("%d runs, %d percentiles, %d tasks", got.Runs, len(got.Percentiles), len(got.Tasks))
	}
	if *got.Percentiles[1].Finish >= *got.Percentiles[2].Finish || *got.Planned != "2026-03-19T19:00:00" {
		t.Errorf("planned for %s, P50 %s, P80 %s", *got.Planned, *got.Percentiles[1].Finish, *got.Percentiles[2].Finish)
	}
	for _, want := range []string{"300 runs, durations Pert, seed 0", "planned", "P80", "critical", "P1-Task"} {
		if out := output(t, "risk", "-runs", "300", "-distribution", "pert", tasks30); !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := output(t, "risk", "-format", "svg", "-runs", "50", tasks30); !strings.HasPrefix(out, "<svg ") {
		t.Error(out)
	}
}

func TestRiskTakesTheEstimatesOfAFile(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "estimates.csv")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	head := "task,optimistic,mostLikely,pessimistic\n"
	out := output(t, "risk", "-json", "-optimistic", "100", "-pessimistic", "100", "-estimates", write(head+"A1010,1,2,3.5\n"), files+"p6-5.0-roles-resources.xer")
	var got prospect
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, task := range got.Tasks {
		if task.Code == "A1010" && (task.Optimistic != 8*3600 || task.MostLikely != 16*3600 || task.Pessimistic != 28*3600) {
			t.Errorf("%+v", task)
		}
		if task.Code != "A1010" && task.Optimistic != task.Pessimistic {
			t.Errorf("%+v", task)
		}
	}
	for text, want := range map[string]string{
		head + "nobody,1,2,3\n": `line 2: there is no task "nobody"`,
		head + "A1010,3,2,1\n":  "line 2: the three durations of A1010 do not rise",
		head + "A1010,x,2,1\n":  `line 2: "x" is no number of days`,
		head + "A1010,1,2\n":    "wrong number of fields",
	} {
		_, code, err := call("risk", "-estimates", write(text), files+"p6-5.0-roles-resources.xer")
		if code != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, %v", text, code, err)
		}
	}
}

func TestRiskRefusesWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-runs", "-1"}, {"-runs", "1000000"}, {"-distribution", "normal"}, {"-optimistic", "120"}, {"-pessimistic", "50"}, {"-format", "png"}, {"-format", "svg", tasks30},
	} {
		if _, code, err := call(append(append([]string{"risk"}, args...), tasks30)...); code != 2 {
			t.Errorf("%v: %d, %v", args, code, err)
		}
	}
}
