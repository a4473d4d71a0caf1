package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// numbered are ids in ascending order.
func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("t%03d", i)
	}
	return out
}

var listChecks = []Check{
	{Name: "pages are full, the last one excepted", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(7)...)
		path := s.path + "/tasks?$top=3"
		for _, want := range []int{3, 3, 1} {
			page := p.page(path, "tasks")
			if len(page.records) != want {
				p.failf("The specification asks for pages of the size that $top says; of seven records, this page "+
					"should have %d and has %d.\n\t%v", want, len(page.records), page)
			}
			if path = page.next; path == "" {
				break
			}
		}
	}},
	{Name: "pages have each record once, by id", run: func(p *probe) {
		s := p.aPlan()
		ids := numbered(7)
		backwards := slices.Clone(ids)
		slices.Reverse(backwards)
		s.tasks(backwards...)
		for _, top := range []int{1, 2, 3, 7} {
			p.wantIDs(fmt.Sprintf("%s/tasks?$top=%d", s.path, top), "tasks", ids...)
		}
	}},
	{Name: "next link and Continuation-Token are of one token", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(5)...)
		page := p.page(s.path+"/tasks?$top=2", "tasks")
		token := p.header(page.answer, "Continuation-Token")
		next, err := url.Parse(page.next)
		if err != nil || next.Query().Get("$continuationToken") != token || next.Query().Get("$top") != "2" {
			p.failf("The specification asks for a next link with the token of the header, and with $top as it "+
				"was.\n\t%v", page)
		}
		if !strings.HasPrefix(page.next, p.BaseURL+s.path+"/tasks?") {
			p.failf("The specification asks for links below %s.\n\t%v", p.BaseURL, page)
		}
		byHeader := p.page(s.path+"/tasks?$top=2&$continuationToken="+url.QueryEscape(token), "tasks")
		if ids := idsOf(byHeader.records, "id"); !slices.Equal(ids, []string{"t002", "t003"}) {
			p.failf("The token of the header leads to the second page, %v came.\n\t%v", ids, byHeader)
		}
		p.noHeader(page.answer, "Delta-Token")
	}},
	{Name: "last page has next: null, a Delta-Token and no Continuation-Token", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(2)...)
		page := p.page(s.path+"/tasks?$top=2", "tasks")
		links, _ := page.body["_links"].(object)
		if next, there := links["next"]; !there || next != nil {
			p.failf("The specification asks for _links.next, null on the last page.\n\t%v", page)
		}
		p.noHeader(page.answer, "Continuation-Token")
		p.header(page.answer, "Delta-Token")
	}},
	{Name: "self link leads to the same page", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(3)...)
		page := p.page(s.path+"/tasks?$top=2", "tasks")
		again := p.page(href(page.body, "self"), "tasks")
		if !slices.Equal(idsOf(page.records, "id"), idsOf(again.records, "id")) {
			p.failf("The specification asks for _links.self to do the request again.\n\t%v\n\t%v", page, again)
		}
	}},
	{Name: "page has 100 records without $top", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(101)...)
		if page := p.page(s.path+"/tasks", "tasks"); len(page.records) != 100 || page.next == "" {
			p.failf("The specification asks for pages of 100 by default; of 101 records, %d came.", len(page.records))
		}
		if page := p.page(s.path+"/tasks?$top=10000", "tasks"); len(page.records) != 101 {
			p.failf("The specification allows pages of 10000; of 101 records, %d came.", len(page.records))
		}
	}},
	{Name: "$top is from 1 to 10000", run: func(p *probe) {
		s := p.aPlan()
		for _, top := range []string{"0", "-1", "10001", "many", "", "99999999999999999999"} {
			p.wantError(p.get(s.path+"/tasks?$top="+top), invalid("InvalidValue $top"))
		}
	}},
	{Name: "invalid Continuation-Token is refused", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(3)...)
		token := p.page(s.path+"/tasks?$top=2", "tasks").answer.header.Get("Continuation-Token")
		p.wantError(p.get(s.path+"/tasks?$continuationToken=x"), invalid("InvalidValue $continuationToken"))
		p.wantError(p.get(s.path+"/resources?$continuationToken="+url.QueryEscape(token)),
			invalid("InvalidValue $continuationToken"))
	}},
	{Name: "record made while paging is in the pages or in the delta", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("b", "c", "d")
		page := p.page(s.path+"/tasks?$top=2", "tasks")
		s.tasks("a", "e")
		rest, delta := p.list(page.next, "tasks")
		changed, _ := p.since(s.path+"/tasks", "tasks", delta)
		seen := slices.Concat(idsOf(page.records, "id"), idsOf(rest, "id"), idsOf(changed, "id"))
		for _, id := range []string{"a", "b", "c", "d", "e"} {
			if !slices.Contains(seen, id) {
				p.failf("The task %s, there since the first page was read or before, is neither in the pages nor in "+
					"the delta: %v.", id, seen)
			}
		}
	}},
	{Name: "list of nothing is an empty list", run: func(p *probe) {
		s := p.aPlan()
		if page := p.page(s.path+"/tasks", "tasks"); len(page.records) != 0 || page.next != "" {
			p.failf("The list of a schedule without tasks is empty.\n\t%v", page)
		}
	}},
	{Name: "filter by name is equals or contains", run: func(p *probe) {
		s := p.aPlan()
		for id, name := range map[string]string{"cost": "Cost", "cost2": "Cost of steel", "owner": "Owner"} {
			s.userField(id, name, "Task", "Float")
		}
		p.wantIDs(s.path+"/user-fields?name=Cost", "userFields", "cost", "cost2")
		p.wantIDs(s.path+"/user-fields?name=steel", "userFields", "cost2")
		p.wantIDs(s.path+"/user-fields?name=%25", "userFields")
	}},
	{Name: "list of a missing schedule is 404 ScheduleNotFound", run: func(p *probe) {
		p.wantError(p.get("/schedules/"+unused()+"/tasks"), notFound("ScheduleNotFound", "scheduleId"))
	}},
}

// userField makes a user field.
func (s *plan) userField(id, name, category, typ string) {
	s.await(s.want(s.post(s.path+"/user-fields", object{"id": id, "name": name, "category": category, "type": typ}),
		201, 202))
}
