package console

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// browsePages is one page for everything that has no dedicated page: its path is that of
// the API, so that links and continuation tokens of answers lead on as they are.
var browsePages = table{{pattern: "GET /browse/{path...}", page: browse}}

// browse shows a list or a record at a path of the API.
func browse(r *request) (view, error) {
	path := strings.TrimPrefix(r.URL.EscapedPath(), r.console.cfg.Path+"/browse")
	for i := range kinds {
		k := &kinds[i]
		if !r.console.areas[k.area] {
			continue
		}
		if _, ok := match(k.list, path); ok {
			return k.listPage(r, path)
		}
	}
	for i := range kinds {
		k := &kinds[i]
		if ids, ok := match(k.one, path); ok && r.console.areas[k.area] {
			return k.onePage(r, path, ids)
		}
	}
	return view{}, errNowhere
}

// match reports whether a path, which is escaped, is one of a pattern, and returns its
// ids.
func match(pattern, path string) (ids []string, ok bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if pattern == "" || len(want) != len(have) {
		return nil, false
	}
	for i := range want {
		switch {
		case want[i] == "{}" && have[i] != "":
			ids = append(ids, have[i])
		case want[i] != have[i]:
			return nil, false
		}
	}
	return ids, true
}

// fill puts ids, which are escaped, into a pattern: each from the first on, the last one
// where there are more.
func fill(pattern string, ids []string) string {
	for i := 0; strings.Contains(pattern, "{}") && len(ids) > 0; i++ {
		pattern = strings.Replace(pattern, "{}", ids[min(i, len(ids)-1)], 1)
	}
	return pattern
}

// listPage shows one page of a list. The query of the page is that of the API; only what
// the API refuses when it is empty, or does not know, is left out.
func (k *kind) listPage(r *request, path string) (view, error) {
	q := r.URL.Query()
	q.Del("notice")
	if r.title = k.title; k.twin != "" && q.Get(k.twin) == "" && r.console.areas["twins"] {
		return chooseTwin(r, k.twin)
	}
	r.above(path, q)
	if q.Get("$top") == "" {
		q.Set("$top", "50")
	}
	if name := k.all[0]; name != "" && q.Get(name) == "" {
		q.Set(name, k.all[1])
	}
	// An empty search comes from the form, and the API refuses one.
	if k.search != "" && q.Get(k.search) == "" {
		q.Del(k.search)
	}
	// The one list without $top: the API refuses the parameter there.
	if k.list == "/reality-management/reality-data/{}/twins" {
		q.Del("$top")
	}
	prefer := header{}
	if k.whole {
		prefer = header{"Prefer", "return=representation"}
	}
	target := path
	if len(q) > 0 {
		target += "?" + q.Encode()
	}
	list, next, err := r.objects(target, k.member, prefer)
	if err != nil {
		return view{}, err
	}
	page := listView{
		request: r, New: r.editLink(http.MethodPost, k, path, "New"), Search: k.searchForm(q), More: r.pageAt(next),
	}
	if len(list) == 0 {
		page.Empty = r.empty(k, path, page.Search != nil && page.Search.Value != "")
	}
	columns := strings.Fields(k.columns)
	for _, c := range columns {
		page.Heads = append(page.Heads, words(c))
	}
	for _, o := range list {
		page.Rows = append(page.Rows, k.row(r, o, path, columns))
	}
	return r.show("list", page)
}

// listView is a page of a list. Title is that of its table too.
type listView struct {
	*request
	New    []actionView
	Search *searchView
	Heads  []string
	Rows   [][]valueView // the first value of each is the head of its row
	Empty  *emptyView
	More   string
}

// searchView is the search of a list: the parameter that searches it with its value, and the
// parameter with the twin that was chosen.
type searchView struct{ Name, Value, Kept, KeptValue string }

// searchForm is the search of a list that the API can search, and nil for others. It
// keeps the twin that was chosen.
func (k *kind) searchForm(q url.Values) *searchView {
	if k.search == "" {
		return nil
	}
	v := &searchView{Name: k.search, Value: q.Get(k.search)}
	if k.twin != "" && q.Get(k.twin) != "" {
		v.Kept, v.KeptValue = k.twin, q.Get(k.twin)
	}
	return v
}

// row is a record in its list, whose first column leads to it.
func (k *kind) row(r *request, o object, path string, columns []string) []valueView {
	cells := make([]valueView, len(columns))
	for i, c := range columns {
		if i > 0 || k.one == "" {
			cells[i] = r.value(path, c, o)
			continue
		}
		id := o.text(cmp.Or(k.key, "id"))
		cells[i] = valueView{Text: cmp.Or(o.text(c), id), Link: r.pageOf(path + "/" + url.PathEscape(id))}
	}
	return cells
}

// recordView is a record: its members, the lists below it, what else there is of it, and its
// JSON as the API answers it.
type recordView struct {
	*request
	Changes []actionView
	Below   []actionView
	Facts   []factView
	More    template.HTML
	JSON    string
}

// onePage shows a record.
func (k *kind) onePage(r *request, path string, ids []string) (view, error) {
	var body object
	a, err := r.get(path, &body)
	if err != nil {
		return view{}, err
	}
	record := body.object(k.record)
	r.title = cmp.Or(record.text(k.name), record.text(cmp.Or(k.key, "id")), k.title)
	if k.asked {
		q := url.Values{}
		for _, name := range []string{"configurationId", "modelId"} {
			q.Set(name, record.text(name))
		}
		r.above(path, q)
	} else {
		r.above(path, nil)
	}
	page := recordView{request: r, Changes: r.changes(k, path), Facts: r.factsOf(path, record), JSON: indented(a.body)}
	for _, b := range r.served(k.below) {
		page.Below = append(page.Below, actionView{r.pageOf(fill(b.list, ids)), b.title})
	}
	if k.more != nil {
		more, err := k.more(r, record)
		if err != nil {
			return view{}, err
		}
		if page.More, err = more.html(); err != nil {
			return view{}, err
		}
	}
	return r.show("record", page)
}

// changes lead to the forms that share, change and delete a record.
func (r *request) changes(k *kind, path string) []actionView {
	var shared []actionView
	if k.one == "/twins/{}" && r.Writable() && r.console.areas["accessControl"] {
		shared = []actionView{{r.Link(path + "/share"), "Share"}}
	}
	return slices.Concat(
		shared, r.editLink(http.MethodPatch, k, path, "Edit"), r.editLink(http.MethodDelete, k, path, "Delete"),
	)
}

// served are the lists whose areas are.
func (r *request) served(all []below) (list []below) {
	for _, b := range all {
		path, _, _ := strings.Cut(b.list, "?")
		if path == "/schedules" && r.console.areas["schedules"] || slices.ContainsFunc(
			kinds, func(k kind) bool { return k.list == path && r.console.areas[k.area] },
		) {
			list = append(list, b)
		}
	}
	return list
}

// above reports what a page lies below: the record that its path or its query names, and
// the lists above that.
func (r *request) above(path string, q url.Values) {
	for _, name := range []string{"twinId", "projectId", "modelId", "configurationId", "targetModelId"} {
		if id := q.Get(name); id != "" {
			target := strings.Replace(references[name], "{}", url.PathEscape(id), 1)
			r.above(target, nil)
			r.below(r.consolePath(target), r.nameAt(target))
			return
		}
	}
	var steps []step
	// From the record upwards: every shorter path that is a list or its own record is a
	// step of the trail.
	for at := path; strings.Count(at, "/") > 1; {
		at = at[:strings.LastIndexByte(at, '/')]
		for i := range kinds {
			k := &kinds[i]
			if _, ok := match(k.list, at); ok && !k.asked {
				steps = append(steps, step{r.consolePath(at), k.title})
				break
			}
			if _, ok := match(k.one, at); ok {
				steps = append(steps, step{r.consolePath(at), r.nameAt(at)})
				break
			}
		}
	}
	slices.Reverse(steps)
	r.trail = append(r.trail, steps...)
}

// factsOf are the members of a record that are single values or lead elsewhere; the
// others are in its JSON.
func (r *request) factsOf(path string, o object) (all []factView) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		switch v := o[name].(type) {
		case nil:
		case map[string]any:
			if name == "_links" {
				all = append(all, r.linksOf(v)...)
				continue
			}
			all = append(all, factView{words(name), valueView{Text: textOf(v)}})
		default:
			all = append(all, factView{words(name), r.value(path, name, o)})
		}
	}
	return all
}

// linksOf are the records that a record links to.
func (r *request) linksOf(links map[string]any) (all []factView) {
	for _, name := range slices.Sorted(maps.Keys(links)) {
		href := object(links).text(name + ".href")
		if name == "self" || name == "next" || name == "prev" || href == "" {
			continue
		}
		target := r.console.withinAPI(href)
		text := target[strings.LastIndexByte(target, '/')+1:]
		if id, err := url.PathUnescape(text); err == nil {
			text = id
		}
		to := r.pageAt(target)
		all = append(all, factView{words(name), valueView{Text: text, Link: to, Code: to == ""}})
	}
	return all
}

// references are where ids lead, by the members that hold them. {} is the id; what lies
// below a model begins with the path of the page.
var references = map[string]string{
	"twinId": "/twins/{}", "projectId": "/twins/{}", "parentTwinId": "/twins/{}", "scheduleId": "/schedules/{}",
	"modelId": "/models/{}", "targetModelId": "/models/{}",
	"configurationId": "/transformations/configurations/{}", "savedViewId": "/saved-views/{}",
	"formId": "/forms/formDefinitions/{}", "webhookId": "/webhooks/{}",
	"changesetId": "+/changesets/{}", "parentId": "+/elements/{}",
}

// value is a value of a record at a path, or below it; one that names another record is a
// link to it.
func (r *request) value(path, name string, of object) valueView {
	v := of.at(name)
	text := textOf(v)
	id, isText := v.(string)
	if people[name] && isText && id != "" {
		return r.person(path, of, id)
	}
	if strings.HasSuffix(strings.ToLower(name), "state") || strings.HasSuffix(strings.ToLower(name), "status") {
		return valueView{Text: text, Tag: true}
	}
	if v, ok := r.ofLink(path, name, of); ok {
		return v
	}
	to := references[name]
	if !isText || to == "" || id == "" {
		return valueView{Text: text}
	}
	if below, ok := strings.CutPrefix(to, "+"); ok {
		segments := strings.SplitN(path, "/", 4)
		if len(segments) < 4 || segments[1] != "models" {
			return valueView{Text: text}
		}
		if name == "parentId" && strings.HasPrefix(segments[3], "changesets") {
			below = "/changesets/{}"
		}
		to = "/models/" + segments[2] + below
	}
	// formId is a definition below forms and issues only; elsewhere it names a form.
	if name == "formId" && !strings.HasPrefix(path, "/forms/") && !strings.HasPrefix(path, "/issues/") {
		return valueView{Text: text}
	}
	if page := r.pageAt(strings.Replace(to, "{}", url.PathEscape(id), 1)); page != "" {
		return valueView{Text: text, Link: page}
	}
	return valueView{Text: text}
}

// pageOf is the address of the page on what the API has at a path.
func (r *request) pageOf(target string) string {
	path, query, found := strings.Cut(target, "?")
	out := r.Link(r.consolePath(path))
	if found {
		out += "?" + query
	}
	return out
}

// consolePath is the path of the page on what the API has at a path.
func (r *request) consolePath(path string) string {
	for i := range scheduleKinds {
		k := &scheduleKinds[i]
		_, list := match(k.list, path)
		if _, one := match(k.one, path); list && path != "/schedules" || one && !k.page {
			return "/browse" + path
		}
	}
	for _, own := range []string{"/schedules", "/webhooks"} {
		if path == own || strings.HasPrefix(path, own+"/") {
			return path
		}
	}
	return "/browse" + path
}

// pageAt is pageOf for what may have no page: empty then.
func (r *request) pageAt(target string) string {
	path, _, _ := strings.Cut(target, "?")
	path = "/" + strings.Trim(path, "/")
	if ids, ok := match("/schedules/{}", path); ok && len(ids) == 1 && r.console.areas["schedules"] {
		return r.pageOf(path)
	}
	if _, ok := match("/webhooks/{}", path); ok && r.console.areas["webhooks"] {
		return r.pageOf(path)
	}
	for i := range kinds {
		k := &kinds[i]
		_, list := match(k.list, path)
		_, one := match(k.one, path)
		if (list || one) && r.console.areas[k.area] {
			if _, query, found := strings.Cut(target, "?"); found {
				path += "?" + query
			}
			return r.pageOf(path)
		}
	}
	return ""
}

// objects asks for a page of a list, whose records stand at a path of members. Records
// that are mere ids become records with a twinId.
func (r *request) objects(target, member string, headers ...header) (list []object, next string, err error) {
	var body object
	if _, err := r.get(target, &body, headers...); err != nil {
		return nil, "", err
	}
	all, _ := body.at(member).([]any)
	for _, v := range all {
		switch v := v.(type) {
		case map[string]any:
			list = append(list, v)
		case string:
			list = append(list, object{"twinId": v})
		}
	}
	// Some lists nest _links next to the records, within the member that holds both.
	links := body
	if outer, _, nested := strings.Cut(member, "."); nested {
		m, _ := body[outer].(map[string]any)
		links = m
	}
	if href := links.text("_links.next.href"); href != "" {
		next = r.console.withinAPI(href)
	}
	return list, next, nil
}

// twinChoiceView asks of which twin something is to be seen. The address of the page with a
// twin chosen is its link.
type twinChoiceView struct {
	*request
	Search searchView
	Twins  []chosenTwinView
	Empty  *emptyView
	More   string
}

// chosenTwinView is a twin with the address of the page about it.
type chosenTwinView struct {
	Twin       object
	Link, Name string
}

// chooseTwin asks of which twin something is to be seen.
func chooseTwin(r *request, parameter string) (view, error) {
	q := url.Values{"$top": {"50"}}
	for _, name := range []string{"$search", "$skip"} {
		if v := r.Query(name); v != "" {
			q.Set(name, v)
		}
	}
	list, next, err := r.objects("/twins?"+q.Encode(), "twins")
	if err != nil {
		return view{}, err
	}
	page := twinChoiceView{request: r, Search: searchView{Name: "$search", Value: r.Query("$search")}}
	for _, o := range list {
		id := o.text("id")
		page.Twins = append(page.Twins, chosenTwinView{
			o, "?" + queryOf([]string{parameter, id}), cmp.Or(o.text("displayName"), id),
		})
	}
	if len(list) == 0 {
		page.Empty = r.empty(kindOf("/twins"), "/twins", r.Query("$search") != "")
	}
	if u, err := url.Parse(next); err == nil && next != "" {
		page.More = r.Here("$skip", u.Query().Get("$skip"))
	}
	return r.show("choose-twin", page)
}

// words are the name of a member as people read it: created by for createdBy.
func words(name string) string {
	var b strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
				c += 'a' - 'A'
			}
		} else if i == 0 && c >= 'a' && c <= 'z' {
			c += 'A' - 'a'
		}
		b.WriteRune(c)
	}
	return strings.TrimSuffix(strings.ReplaceAll(b.String(), " date time", ""), " on")
}
