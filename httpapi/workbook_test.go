package httpapi_test

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// covers: operations tasks.xlsx
func TestTheTasksOfAScheduleAreAWorkbookForThoseWhoMayListThem(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	const at = "/schedules/road/tasks.xlsx"
	send := func(method, path, body string) {
		t.Helper()
		if w := ask(h, method, path, body, "Authorization: Bearer writer"); w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	send("POST", "/schedules", `{"id": "road", "name": "Road", "twinId": "tower"}`)
	send("POST", "/schedules/road/tasks/batch", `{"batch": [
		{"id": "lay", "name": "=1+1", "type": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 28800},
		{"id": "cover", "name": "Cover", "type": "Work", "plannedStart": "2026-03-03T09:00:00Z", "plannedDuration": 14400}]}`)
	send("POST", "/schedules/road/baselines", `{"id": "first", "name": "First"}`)
	send("PATCH", "/schedules/road/tasks/cover", `{"plannedDuration": 28800}`)

	for _, path := range []string{at, at + "?baselineId=first"} {
		w := ask(h, "GET", path, "", "Authorization: Bearer reader")
		if got := w.Header(); w.Code != 200 || got.Get("Content-Type") != "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" ||
			got.Get("Content-Disposition") != "attachment; filename=tasks.xlsx" || got.Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
			t.Fatalf("%s: %d %v", path, w.Code, got)
		}
		rows := workbookRows(t, w.Body.String())
		if len(rows) != 3 {
			t.Fatalf("%s: %d rows: %v", path, len(rows), rows)
		}
		for i, want := range []string{"Name", "=1+1", "Cover"} {
			if !slices.Contains(rows[i], want) {
				t.Errorf("%s: %q is not in %q", path, want, rows[i])
			}
		}
		if want := 46084 + 9.0/24; !slices.Contains(rows[2], fmt.Sprint(want)) { // 3 March 2026, 9:00
			t.Errorf("%s: there is no start %v in %q", path, want, rows[2])
		}
	}
	for path, want := range map[string]string{
		at + "?baselineId=none": "404 BaselineNotFound", "/schedules/none/tasks.xlsx": "404 ScheduleNotFound",
		"/schedules/old/tasks.xlsx": "400 InvalidParameter",
	} {
		w := ask(h, "GET", path, "", "Authorization: Bearer reader")
		status, code, _ := strings.Cut(want, " ")
		if fmt.Sprint(w.Code) != status || !strings.Contains(w.Body.String(), code) {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
	for _, caller := range []string{"writer", "reader", "stranger", "admin", "bare"} {
		list := ask(h, "GET", "/schedules/road/tasks", "", "Authorization: Bearer "+caller)
		if book := ask(h, "GET", at, "", "Authorization: Bearer "+caller); book.Code != list.Code {
			t.Errorf("%s: the workbook answers %d, the list %d", caller, book.Code, list.Code)
		}
	}
}

// covers: operations gantt.pdf
func TestAScheduleIsDrawnOnPaperForThoseWhoMayReadIt(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	const at = "/schedules/road/gantt.pdf"
	send := func(method, path, body string) {
		t.Helper()
		if w := ask(h, method, path, body, "Authorization: Bearer writer"); w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	send("POST", "/schedules", `{"id": "road", "name": "Дорога", "twinId": "tower"}`)
	for batch := range 4 {
		var tasks []string
		for i := range 260 {
			tasks = append(tasks, fmt.Sprintf(`{"id": "t%d", "name": "Lay", "type": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 28800}`, 260*batch+i))
		}
		send("POST", "/schedules/road/tasks/batch", `{"batch": [`+strings.Join(tasks, ",")+`]}`)
	}
	for query, pages := range map[string]int{"rows=100": 11, "rows=100&page=11": 1, "rows=520&withoutLinks=true": 2} {
		w := ask(h, "GET", at+"?"+query, "", "Authorization: Bearer reader")
		want := map[string]string{
			"Content-Type": "application/pdf", "Page-Count": fmt.Sprint(pages), "Replaced-Letters": fmt.Sprint(6 * pages),
			"Content-Length": fmt.Sprint(w.Body.Len()),
		}
		for name, value := range want {
			if got := w.Header().Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", query, name, got, value)
			}
		}
		if text := w.Body.String(); w.Code != 200 || !strings.HasPrefix(text, "%PDF-") || !strings.Contains(text, fmt.Sprintf("/Count %d/", pages)) {
			t.Errorf("%s: %d %.60q", query, w.Code, text)
		}
	}
	for query, want := range map[string]string{"rows=100&page=12": `"page"`, "rows=1": `"rows"`, "rows=-1": `"rows"`, "scale=hour": `"scale"`} {
		if w := ask(h, "GET", at+"?"+query, "", "Authorization: Bearer reader"); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", query, w.Code, w.Body, want)
		}
	}
	for _, caller := range []string{"reader", "stranger", "bare"} {
		svg := ask(h, "GET", "/schedules/road/gantt.svg", "", "Authorization: Bearer "+caller)
		if pdf := ask(h, "GET", at+"?rows=100", "", "Authorization: Bearer "+caller); pdf.Code != svg.Code {
			t.Errorf("%s: the PDF answers %d, the SVG %d", caller, pdf.Code, svg.Code)
		}
	}
}

// workbookRows are the values of the cells of the first sheet of a workbook.
func workbookRows(t *testing.T, book string) (rows [][]string) {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var sheet struct {
		Rows []struct {
			Cells []struct {
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.NewDecoder(f).Decode(&sheet); err != nil {
		t.Fatal(err)
	}
	for _, r := range sheet.Rows {
		var row []string
		for _, c := range r.Cells {
			row = append(row, c.Value+c.Text)
		}
		rows = append(rows, row)
	}
	return rows
}
