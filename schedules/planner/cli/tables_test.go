package cli

import (
	"archive/zip"
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"
)

func TestTablesAreWorkbooksWithASheetForEachAndTheFirstAsCSV(t *testing.T) {
	t.Parallel()
	j30, folder := files+"mspdi-mp_j30_a2_nr1.xml", t.TempDir()
	for verb, want := range map[string]struct {
		args   []string
		sheets int
		rows   int
		head   string
	}{
		"tasks":     {nil, 1, 64, "Code,Name,Level,Summary,"},
		"links":     {nil, 1, 96, "Predecessor,"},
		"resources": {nil, 2, 6, "Code,Name,Unit,"},
		"compare":   {[]string{"-all", j30}, 3, 64, "Change,Code,Name,Summary,"},
	} {
		args := append([]string{verb}, want.args...)
		to := filepath.Join(folder, verb+".xlsx")
		output(t, append(args, "-o", to, j30)...)
		z, err := zip.OpenReader(to)
		if err != nil {
			t.Fatal(err)
		}
		sheets := 0
		for _, f := range z.File {
			if strings.HasPrefix(f.Name, "xl/worksheets/") {
				sheets++
			}
		}
		if err := z.Close(); err != nil || sheets != want.sheets {
			t.Errorf("%s: %v, %d sheets, want %d", verb, err, sheets, want.sheets)
		}
		text := output(t, append(args, "-format", "csv", j30)...)
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(lines) != want.rows+1 || !strings.HasPrefix(text, "\uFEFF"+want.head) {
			t.Errorf("%s: %v, %d lines\n%.200s", verb, err, len(lines), text)
		}
	}
	if got := output(t, "tasks", "-csv", j30); got != output(t, "tasks", j30) {
		t.Errorf("-csv writes %.200s", got)
	}
	if got := output(t, "compare", "-csv", "causes", j30, j30); !strings.HasSuffix(got, "in all,,,,,0,yes\n") {
		t.Errorf("%s", got)
	}
	for _, args := range [][]string{
		{"tasks", "-csv", "-o", filepath.Join(folder, "x.xlsx"), j30},
		{"tasks", "-o", filepath.Join(folder, "x.xls"), j30},
		{"links", j30, j30},
	} {
		if _, code, err := call(args...); code != 2 {
			t.Errorf("%q: code %d, %v", args, code, err)
		}
	}
}
