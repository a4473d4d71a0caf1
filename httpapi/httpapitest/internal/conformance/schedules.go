package conformance

import "net/url"

var scheduleChecks = []Check{
	{Name: "create with a wrong type is refused", run: func(p *probe) {
		p.wantError(p.post("/schedules", object{"name": 1, "twinId": p.aTwin()}),
			problem{status: 400, code: "InvalidSchedulesRequest"})
	}},
	{Name: "create names an unknown member, or passes over it", run: func(p *probe) {
		p.wantNamedOrPassed(p.post("/schedules", object{"name": "Bridge", "twinId": p.aTwin(), "somethingElse": true}))
	}},
	{Name: "id that is taken is 409 AlreadyExists", run: func(p *probe) {
		s := p.aPlan()
		a := p.post("/schedules", object{"id": s.id, "name": "Second", "twinId": p.aTwin()})
		p.wantError(a, problem{status: 409, code: "AlreadyExists", target: "id"})
		read := p.want(p.get(s.path), 200)
		p.wantMembers(read, p.object(read, "schedule"), object{"name": "Conformance"})
	}},
	{Name: "list has those of the twin", run: func(p *probe) {
		s := p.aPlan()
		found := false
		records, _ := p.list(p.home(), "schedules")
		for _, r := range records {
			found = found || r["id"] == s.id
			if r["twinId"] != p.aTwin() {
				p.failf("The list of a twin's schedules has one of the twin %v.", r["twinId"])
			}
		}
		if !found {
			p.failf("The list of the twin's schedules does not have %s, which was made in it.", s.id)
		}
	}},
	{Name: "what the caller may not see is missing, 404 and not 403", needs: stranger, run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		other := p.acting(p.StrangerToken)
		p.wantError(other.get(s.path), notFound("ScheduleNotFound", "scheduleId"))
		p.wantError(other.post(s.path+"/tasks", object{"name": "x", "type": "Work"}),
			notFound("ScheduleNotFound", "scheduleId"))
		p.wantError(other.delete(s.path), notFound("ScheduleNotFound", "scheduleId"))
		nowhere := "/schedules/" + unused()
		for _, below := range []string{"", "/tasks", "/tasks/dig", "/baselines/dig/baseline-tasks"} {
			missing, hidden := other.get(nowhere+below), other.get(s.path+below)
			if missing.status != 404 || missing.status != hidden.status || missing.raw != hidden.raw {
				p.failf("Who may not see a schedule learns nothing of it: its answer is that of a missing "+
					"one.\n\t%v\n\t%v", hidden, missing)
			}
		}
	}},
	{Name: "what the caller may see and not change is 403 InsufficientPermissions", needs: reader, run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		p.grant(p.aTwin(), "schedules_read")
		other := p.acting(p.ReaderToken)
		p.want(other.get(s.path+"/tasks/dig"), 200)
		p.wantError(other.post(s.path+"/tasks", object{"name": "x", "type": "Work"}), forbidden)
		p.wantError(other.patch(s.path+"/tasks/dig", object{"name": "x"}), forbidden)
		p.wantError(other.delete(s.path+"/tasks?taskIds=dig"), forbidden)
		p.want(p.get(s.path+"/tasks/dig"), 200)
	}},
}

// grant makes the reader hold permissions on a twin.
func (p *probe) grant(twin string, permissions ...string) {
	at := "/access-control/twins/" + url.PathEscape(twin)
	a := p.want(p.post(at+"/roles", object{"displayName": unused(), "permissions": permissions}), 201)
	role := p.text(a, p.object(a, "role"), "id")
	p.want(p.post(at+"/members", object{"members": []object{{"id": p.ReaderID, "roleIds": []string{role}}}}), 201)
}
