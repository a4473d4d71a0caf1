package spreadsheet_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/spreadsheet"
)

func TestTextIsNoFormulaAndNumbersStayThemselves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cell spreadsheet.Cell
		want string
	}{
		"a command":                {spreadsheet.Text("=cmd|' /C calc'!A0"), `'=cmd|' /C calc'!A0`},
		"a link":                   {spreadsheet.Text(`=HYPERLINK("http://evil.example","x")`), `"'=HYPERLINK(""http://evil.example"",""x"")"`},
		"a sum":                    {spreadsheet.Text("+1+1"), "'+1+1"},
		"a difference":             {spreadsheet.Text("-2+3"), "'-2+3"},
		"a function":               {spreadsheet.Text("@SUM(1)"), "'@SUM(1)"},
		"behind a tab":             {spreadsheet.Text("\t=1"), "'\t=1"},
		"behind a carriage return": {spreadsheet.Text("\r=1"), "\"'\r=1\""},
		"behind a line feed":       {spreadsheet.Text("\n=1"), "\"'\n=1\""},
		"full-width":               {spreadsheet.Text("＝1"), "'＝1"},
		"words":                    {spreadsheet.Text("Étage 1 = ground"), "Étage 1 = ground"},
		"no text":                  {spreadsheet.Text(""), ""},
		"broken text":              {spreadsheet.Text("\xff="), "\xff="},
		"a number below zero":      {spreadsheet.Plain("-3600"), "-3600"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			w := spreadsheet.NewWriter(&b)
			if err := errors.Join(w.Names("name", "what"), w.Write(c.cell, spreadsheet.Plain("last")), w.Flush()); err != nil {
				t.Fatal(err)
			}
			if got, want := b.String(), "name,what\n"+c.want+",last\n"; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestAFailureIsReported(t *testing.T) {
	t.Parallel()
	full := errors.New("no room")
	w := spreadsheet.NewWriter(failing{full})
	_ = w.Names("name") // into a buffer
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
