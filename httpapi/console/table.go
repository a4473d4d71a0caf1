package console

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// This is how the console is laid out. To add pages, write a file named after them with
// their rows, and name those in tables:
//
//	var schedulePages = table{
//		{pattern: "GET /schedules", title: "Schedules", page: schedules},
//		{pattern: "GET /schedules/{schedule}/gantt.svg", file: drawGantt},
//		{pattern: "POST /schedules/{schedule}/baselines", act: takeBaseline},
//	}
//
// A page reads: it asks the API (request.get, request.list, records) and returns what is
// in main. An act changes something by a call (request.create, request.patch,
// request.call …) and returns where the browser goes next, with a notice:
// to("/schedules").withNotice("…"). A file is an answer of the API as it is.
//
// Errors of the API may be returned as they are: the browser gets a page with status, code
// and details. Addresses within the console are made by request.Link, forms that change
// something by request.form, which leaves them out of a console that is ReadOnly.
//
// What a page looks like is in assets: all style sheets there are served as one, and so
// are all scripts. The modules in the folders there are loaded by the pages that name them.

// table are the rows of an area's pages.
type table []row

// row is a page, an act or a file.
type row struct {
	pattern string // of http.ServeMux, below the console's path; GET for pages and files, POST for acts
	title   string // of a page, unless it sets another
	area    string // of the API, without which the row is not there; empty means any
	maxBody int64  // of an act in bytes; 0 means defaultBody

	page func(*request) (view, error)
	act  func(*request) (to target, err error)
	file func(*request) download
	run  func(*request) (view, error) // an act that answers with a page instead of leading to one

	// stream writes an answer that continues until it returns errStreamed; another error is
	// answered as that of a page.
	stream func(*request) error

	open     bool // to the viewer that has not signed in
	harmless bool // an act that changes nothing in the platform, for a console that is ReadOnly
}

// defaultBody is how large a form may be that is sent, in bytes.
const defaultBody = 1 << 20

// tables are all rows.
var tables = func() []table {
	return []table{
		sessionPages, overviewPages, schedulePages, sitePages, progressPages, operationPages, webhookPages,
		newWebhookPages,
		searchPages, browsePages, requestPages,
		tryPages, editPages, sharePages, filesPages, undoPages,
	}
}

// section is an entry of the navigation.
type section struct{ path, name, area string }

// sections are the navigation, in its order. An entry shows when its area is served.
var sections = []section{
	{"/", "Overview", ""},
	{"/browse/twins", "Twins", "twins"},
	{"/schedules", "Schedules", "schedules"},
	{"/browse/forms", "Forms", "forms"},
	{"/browse/issues", "Issues", "forms"},
	{"/browse/models", "Models", "models"},
	{"/browse/transformations/configurations", "Transformations", "transformations"},
	{"/browse/reality-management/reality-data", "Reality data", "reality data"},
	{"/browse/reality-analysis/detectors", "Detectors", "detectors"},
	{"/operations", "Operations", "schedules"},
	{"/webhooks", "Webhooks", "webhooks"},
	{"/requests", "Requests", ""},
	{"/try", "Try it", ""},
}

// layOut makes the mux.
func (c *Console) layOut() (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("console: %v", v)
		}
	}()
	c.mux, c.own = http.NewServeMux(), make(map[string]bool)
	for _, row := range slices.Concat(tables()...) {
		if row.area == "" || c.areas[row.area] {
			method, path, _ := strings.Cut(row.pattern, " ")
			c.own[generic(path)] = c.own[generic(path)] || row.page != nil
			if strings.HasSuffix(path, "/") {
				path += "{$}"
			}
			c.mux.Handle(method+" "+c.cfg.Path+path, shown{c, row})
		}
	}
	c.mux.Handle("GET "+c.cfg.Path+assetsPath+"{name}", http.HandlerFunc(c.asset))
	c.mux.Handle("GET "+c.cfg.Path+assetsPath+"{folder}/{name}", http.HandlerFunc(c.module))
	c.mux.Handle("GET "+c.cfg.Path+"/{rest...}", shown{c, row{page: nowhere}})
	c.mux.Handle("GET "+c.cfg.Path, http.HandlerFunc(c.toOverview))
	c.mux.Handle(c.cfg.Path+"/", shown{c, row{page: otherMethod}})
	return nil
}
