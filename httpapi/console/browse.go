package console

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// browsePages is one page for everything that has no dedicated page: its path is that of
// the API, so that links and continuation tokens of answers lead on as they are.
var browsePages = table{{pattern: "GET /browse/{path...}", page: browse}}

// browse shows a list or a record at a path of the API.
func browse(r *request) (view, error) {
	path := strings.TrimPrefix(r.URL.EscapedPath(), r.console.cfg.Path+"/browse")
	switch p, ids, isOne := r.console.at(path); {
	case p == nil:
		return view{}, errNowhere
	case isOne:
		return p.onePage(r, path, ids)
	default:
		return p.listPage(r, path, ids)
	}
}

// listPage shows one page of a list. The query of the page is that of the API; only what
// the API refuses when it is empty, or does not know, is left out. A list of what belongs to
// another record asks for that.
func (p *place) listPage(r *request, path string, ids known) (view, error) {
	q := r.URL.Query()
	q.Del("notice")
	r.title = p.Title
	of, isOf := p.asksFor(q)
	if isOf && of.Required && q.Get(of.Name) == "" {
		return p.choose(r, of)
	}
	r.above(p, path, q)
	if q.Get("$top") == "" && p.takes("$top") != "" {
		q.Set("$top", "50")
	}
	for _, a := range p.Query {
		if a.All != "" && q.Get(a.Name) == "" {
			q.Set(a.Name, a.All)
		}
	}
	// An empty search comes from the form, and the API refuses one.
	search := p.takes("$search", "search")
	if search != "" && q.Get(search) == "" {
		q.Del(search)
	}
	prefer := header{}
	if p.Prefers {
		prefer = header{"Prefer", "return=representation"}
	}
	target := path
	if len(q) > 0 {
		target += "?" + q.Encode()
	}
	list, next, err := r.objects(target, p.Records, prefer)
	refused := refusedWith(err, http.StatusBadRequest, http.StatusUnprocessableEntity)
	switch {
	case refused && isOf && q.Get(of.Name) == "":
		return p.choose(r, of)
	case refused && r.URL.RawQuery == "": // schedules of a type have no such records, say
		return r.show("list", listView{request: r, Empty: &emptyView{Text: "Not available: " + err.Error()}})
	case err != nil:
		return view{}, err
	}
	page := listView{
		request: r, New: r.editLink(http.MethodPost, p, path, "New"), Search: p.searchForm(search, of.Name, q),
		More: r.pageAt(next),
	}
	if len(list) == 0 {
		page.Empty = r.empty(p, path, page.Search != nil && page.Search.Value != "")
	}
	columns := p.columns()
	for _, c := range columns {
		page.Heads = append(page.Heads, words(c))
	}
	for _, o := range list {
		page.Rows = append(page.Rows, p.row(r, o, ids, columns))
	}
	return r.show("list", page)
}

// asksFor is the parameter with the record that a list is of: one that is given, or else one that
// is required, or else the first.
func (p *place) asksFor(q url.Values) (of httpapi.PlaceMember, is bool) {
	if len(namesIn(p.List)) > 0 {
		return of, false
	}
	for _, a := range p.Query {
		if p.isOf(a) && (!is || q.Get(of.Name) == "" && (q.Get(a.Name) != "" || a.Required && !of.Required)) {
			of, is = a, true
		}
	}
	return of, is
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
// keeps what the list is of.
func (p *place) searchForm(search, of string, q url.Values) *searchView {
	if search == "" {
		return nil
	}
	v := &searchView{Name: search, Value: q.Get(search)}
	if of != "" && q.Get(of) != "" {
		v.Kept, v.KeptValue = of, q.Get(of)
	}
	return v
}

// row is a record in its list, whose first column leads to it.
func (p *place) row(r *request, o object, ids known, columns []string) []valueView {
	cells := make([]valueView, len(columns))
	for i, c := range columns {
		if i > 0 || p.One == "" {
			cells[i] = r.value(p, ids, c, o)
			continue
		}
		id := o.text(p.ID)
		target := ids.with(p.One, id).fill(p.One)
		if q := queryOf(p.of(r)); q != "" {
			target += "?" + q
		}
		cells[i] = valueView{Text: cmp.Or(o.text(c), id), Link: r.pageAt(target)}
	}
	return cells
}

// of are the parameters of the page with which one record is read too.
func (p *place) of(r *request) (query []string) {
	for _, name := range p.Of {
		query = append(query, name, r.Query(name))
	}
	return query
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
func (p *place) onePage(r *request, path string, ids known) (view, error) {
	var body object
	target := path
	if q := queryOf(p.of(r)); q != "" {
		target += "?" + q
	}
	a, err := r.get(target, &body)
	if err != nil {
		return view{}, err
	}
	record := body
	if p.Record != "" {
		record = body.object(p.Record)
	}
	r.title = cmp.Or(record.text(p.Label), record.text(p.ID), p.Title)
	q := url.Values{}
	for _, of := range p.Query {
		if id := record.text(of.Name); id != "" && p.isOf(of) {
			q.Set(of.Name, id)
		}
	}
	r.above(p, path, q)
	page := recordView{
		request: r, Changes: r.changes(p, path), Facts: r.factsOf(p, ids, record), JSON: indented(a.body),
		Below: r.filesBelow(p, path),
	}
	for _, b := range r.console.below(p, ids, record) {
		page.Below = append(page.Below, actionView{r.pageOf(b.target), b.title})
	}
	if p.one == "/transformations/{}" {
		more, err := beforeAndAfter(r, record)
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
func (r *request) changes(p *place, path string) []actionView {
	var shared []actionView
	if p.one == "/twins/{}" && r.Writable() && r.console.areas["accessControl"] {
		shared = []actionView{{r.Link(path + "/share"), "Share"}}
	}
	return slices.Concat(
		shared, r.editLink(http.MethodPatch, p, path, "Edit"), r.editLink(http.MethodDelete, p, path, "Delete"),
	)
}

// above reports what a page lies below: the record that its list is of, by its path or by its
// query, and the lists above that.
func (r *request) above(p *place, path string, q url.Values) {
	under := func(to *place, target string) {
		r.above(to, target, nil)
		r.below(r.consolePath(target), r.nameAt(target))
	}
	if of, isOf := p.asksFor(q); isOf && q.Get(of.Name) != "" {
		id := q.Get(of.Name)
		if to := r.console.among(of.Refers); to != nil && len(namesIn(to.One)) == 1 {
			under(to, known{}.with(to.One, id).fill(to.One))
		}
		if _, _, isOne := r.console.at(path); isOne {
			r.below(r.consolePath(p.List)+"?"+queryOf([]string{of.Name, id}), p.Title)
		}
		return
	}
	if _, ids, _ := r.console.at(path); len(ids) > 0 {
		if to := r.console.owner(p); to != nil && !strings.HasPrefix(p.List, to.One) {
			under(to, ids.fill(to.One))
		}
	}
	var steps []step
	// From the record upwards: every shorter path that is a list or its own record is a
	// step of the trail.
	below, _, isRecord := r.console.at(path)
	for at := path; strings.Count(at, "/") > 1; {
		at = at[:strings.LastIndexByte(at, '/')]
		above, _, isOne := r.console.at(at)
		switch {
		case isOne:
			steps = append(steps, step{r.consolePath(at), r.nameAt(at)})
		case above != nil && above == below && isRecord:
			steps = append(steps, step{r.consolePath(at), above.Title})
		}
		below, isRecord = above, isOne
	}
	slices.Reverse(steps)
	r.trail = append(r.trail, steps...)
}

// factsOf are the members of a record that are single values or lead elsewhere; the
// others are in its JSON.
func (r *request) factsOf(p *place, ids known, o object) (all []factView) {
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
			all = append(all, factView{words(name), r.value(p, ids, name, o)})
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

// value is a value of a record at a place, below the records with some ids; one that names
// another record is a link to it.
func (r *request) value(p *place, ids known, name string, of object) valueView {
	v := of.at(name)
	text := textOf(v)
	id, isText := v.(string)
	m := p.member(name)
	if p.list == "/webhooks" && of.text("scope") != "Twin" {
		m.Refers = ""
	}
	if m.Person && isText && id != "" {
		return r.person(p, ids, of, id)
	}
	if isState(name) {
		return valueView{Text: text, Tag: true}
	}
	if v, ok := r.ofLink(p, ids, name, of); ok {
		return v
	}
	if isText {
		return r.refersTo(p, ids, m, of, id)
	}
	list, _ := v.([]any)
	if m.Refers == "" || len(list) == 0 {
		return valueView{Text: text}
	}
	var all valueView
	for _, one := range list {
		id, _ := one.(string)
		all.Several = append(all.Several, r.refersTo(p, ids, m, of, id))
	}
	return all
}

// refersTo is a text of a record that may be the id of another: that by its name, as far as the
// page looks up names, and with a link, unless it has gone.
func (r *request) refersTo(p *place, ids known, m httpapi.PlaceMember, of object, id string) valueView {
	v := valueView{Text: textOf(id)}
	if m.Refers == "" || id == "" {
		return v
	}
	in := ids.with(m.Refers, id)
	for _, name := range namesIn(m.Refers) {
		if in[name] != "" {
			continue
		}
		if in[name] = url.PathEscape(of.text(name)); in[name] == "" && name == "twinId" {
			in[name] = url.PathEscape(r.twinOf(p, ids, of))
		}
	}
	path := in.fill(m.Refers)
	to := r.console.among(m.Refers)
	if to == nil || path == "" {
		return v
	}
	if record, looked := r.looked(path, to.Record); looked {
		if record == nil {
			return v
		}
		v.Text = cmp.Or(record.text(to.Label), v.Text)
	}
	v.Link = r.pageOf(path)
	return v
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

// consolePath is the path of the page on what the API has at a path: of its own, or where it is
// browsed.
func (r *request) consolePath(path string) string {
	p, _, isOne := r.console.at(path)
	if p != nil && (isOne && r.console.own[p.one] || !isOne && r.console.own[p.list]) {
		return path
	}
	return "/browse" + path
}

// pageAt is pageOf for what may have no page: empty then.
func (r *request) pageAt(target string) string {
	path, query, found := strings.Cut(target, "?")
	path = "/" + strings.Trim(path, "/")
	if p, _, _ := r.console.at(path); p == nil {
		return ""
	}
	if found {
		path += "?" + query
	}
	return r.pageOf(path)
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
			list = append(list, object{member: v})
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

// recordChoiceView asks of which record something is to be seen: the address of the page with one
// chosen is its link.
type recordChoiceView struct {
	*request
	Of     string
	Search *searchView
	Heads  []string
	Rows   [][]valueView
	Empty  *emptyView
	More   string
}

// choose asks of which record the list is to be seen, which a parameter names. Records that are
// of others themselves are found by those.
func (p *place) choose(r *request, of httpapi.PlaceMember) (view, error) {
	from := r.console.among(of.Refers)
	if from == nil || len(namesIn(from.List)) > 0 {
		return view{}, errNowhere
	}
	page := recordChoiceView{request: r, Of: strings.ToLower(words(from.Record))}
	q := url.Values{"$top": {"50"}}
	by, isOf := from.asksFor(r.URL.Query())
	if isOf && by.Required && r.Query(by.Name) == "" {
		return from.choose(r, by)
	}
	for _, name := range []string{by.Name, "$search", "$skip", "$continuationToken"} {
		if v := r.Query(name); v != "" {
			q.Set(name, v)
		}
	}
	list, next, err := r.objects(from.List+"?"+q.Encode(), from.Records, header{"Prefer", "return=representation"})
	if isOf && r.Query(by.Name) == "" && refusedWith(err, http.StatusBadRequest, http.StatusUnprocessableEntity) {
		return from.choose(r, by)
	}
	if err != nil {
		return view{}, err
	}
	if search := from.takes("$search"); search != "" {
		page.Search = &searchView{Name: search, Value: r.Query(search)}
	}
	columns := from.columns()
	for _, c := range columns {
		page.Heads = append(page.Heads, words(c))
	}
	for _, o := range list {
		row := from.row(r, o, known{}, columns)
		row[0].Link = "?" + queryOf([]string{of.Name, o.text(from.ID)})
		page.Rows = append(page.Rows, row)
	}
	if len(list) == 0 {
		page.Empty = r.empty(from, from.List, r.Query("$search") != "")
	}
	if u, err := url.Parse(next); err == nil && next != "" {
		page.More = r.Here("$skip", u.Query().Get("$skip"), "$continuationToken", u.Query().Get("$continuationToken"))
	}
	return r.show("choose", page)
}

// words are the name of a member as people read it: created by for createdBy.
func words(name string) string {
	return strings.TrimSuffix(strings.ReplaceAll(spaced(name), " date time", ""), " on")
}

// spaced are the words of a name: Finish to start for FinishToStart.
func spaced(name string) string {
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
	return b.String()
}
