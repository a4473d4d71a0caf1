package conformance

import "slices"

var versionChecks = []Check{
	{Name: "If-None-Match of the present ETag is 304", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		for _, path := range []string{s.path, s.path + "/tasks", s.path + "/tasks/dig"} {
			etag := p.header(p.want(p.get(path), 200), "ETag")
			a := p.want(p.get(path, "If-None-Match: "+etag), 304)
			if a.header.Get("ETag") != etag {
				p.failf("A 304 carries the ETag that did not change, %s.\n\t%v", etag, a)
			}
			p.want(p.get(path, `If-None-Match: "0", `+etag), 304)
			p.want(p.get(path, "If-None-Match: W/"+etag), 304)
		}
	}},
	{Name: "If-None-Match of another ETag is 200", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		for _, path := range []string{s.path, s.path + "/tasks", s.path + "/tasks/dig"} {
			p.want(p.get(path, `If-None-Match: "another"`), 200)
		}
	}},
	{Name: "ETag changes with the record", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		before := p.header(p.want(p.get(s.path+"/tasks/dig"), 200), "ETag")
		s.rename("dig", "Dig deeper")
		after := p.want(p.get(s.path+"/tasks/dig", "If-None-Match: "+before), 200)
		if p.header(after, "ETag") == before {
			p.failf("The specification asks for an ETag that changes with the version; the record changed and its "+
				"ETag did not.\n\t%v", after)
		}
	}},
	{Name: "ETag of a list changes with any of its records", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b", "c")
		before := p.header(p.want(p.get(s.path+"/tasks?$top=1"), 200), "ETag")
		s.rename("c", "Changed")
		p.want(p.get(s.path+"/tasks?$top=1", "If-None-Match: "+before), 200)
		now := p.header(p.want(p.get(s.path+"/tasks"), 200), "ETag")
		s.remove("a")
		p.want(p.get(s.path+"/tasks", "If-None-Match: "+now), 200)
	}},
	{Name: "If-Match of an earlier ETag is refused and changes nothing", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		before := p.header(p.want(p.get(s.path+"/tasks/dig"), 200), "ETag")
		s.rename("dig", "Second")
		// The documentation names no code: a server may say 409 or 412.
		if a := p.patch(s.path+"/tasks/dig", object{"name": "Third"},
			"If-Match: "+before); !slices.Contains([]int{409, 412}, a.status) {
			p.failf("A write of who has read an earlier version is refused, with 409 or 412.\n\t%v", a)
		}
		now := p.want(p.get(s.path+"/tasks/dig"), 200)
		p.wantMembers(now, p.object(now, "task"), object{"name": "Second"})
	}},
	{Name: "If-Match of an earlier ETag keeps a record from being deleted", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		before := p.header(p.want(p.get(s.path+"/tasks/dig"), 200), "ETag")
		s.rename("dig", "Second")
		if a := p.delete(s.path+"/tasks?taskIds=dig", "If-Match: "+before); !slices.Contains([]int{409, 412},
			a.status) {
			p.failf("A deletion by who has read an earlier version is refused, with 409 or 412.\n\t%v", a)
		}
		now := p.header(p.want(p.get(s.path+"/tasks/dig"), 200), "ETag")
		p.await(p.want(p.delete(s.path+"/tasks?taskIds=dig", "If-Match: "+now), 202))
		p.want(p.get(s.path+"/tasks/dig"), 404)
	}},
	{Name: "If-Match of the present ETag is taken", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		etag := p.header(p.want(p.get(s.path+"/tasks/dig"), 200), "ETag")
		p.await(p.want(p.patch(s.path+"/tasks/dig", object{"name": "Second"}, "If-Match: "+etag), 200, 202))
		now := p.want(p.get(s.path+"/tasks/dig"), 200)
		p.wantMembers(now, p.object(now, "task"), object{"name": "Second"})
	}},
	{Name: "list of a group's resources has no version", run: func(p *probe) {
		group := p.aPlan().group("crew")
		p.want(p.get(group+"/resources", "If-None-Match: *"), 200)
	}},
}
