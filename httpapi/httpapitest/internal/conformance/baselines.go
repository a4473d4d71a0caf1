package conformance

var baselineChecks = []Check{
	{Name: "baseline stays as the plan was", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig", object{"plannedStart": "2026-02-02T09:00:00Z", "plannedDuration": 3600})
		s.tasks("pour")
		link := object{"id": "dp", "predecessorId": "dig", "successorId": "pour", "type": "FinishToStart", "lag": 60}
		p.await(p.want(p.post(s.path+"/task-links/batch", object{"batch": []object{link}}), 200, 202))
		p.await(p.want(p.post(s.path+"/baselines", object{"id": "first", "name": "As tendered"}), 201, 202))
		s.rename("dig", "Dig deeper")
		s.remove("pour")
		p.wantBaseline(s)
	}},
	{Name: "deleted one takes its rows along", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("dig")
		p.await(p.want(p.post(s.path+"/baselines", object{"id": "first", "name": "As tendered"}), 201, 202))
		p.await(p.want(p.delete(s.path+"/baselines?baselineIds=first"), 202))
		p.wantError(p.get(s.path+"/baselines/first/baseline-tasks"), notFound("BaselineNotFound", "baselineId"))
	}},
	{Name: "missing one is 404 BaselineNotFound", run: func(p *probe) {
		s := p.aPlan()
		for _, rows := range []string{"/baseline-tasks", "/baseline-task-links"} {
			p.wantError(p.get(s.path+"/baselines/nobody"+rows), notFound("BaselineNotFound", "baselineId"))
		}
	}},
}

// wantBaseline checks the rows of the baseline first.
func (p *probe) wantBaseline(s *plan) {
	a := p.want(p.get(s.path+"/baselines/first/baseline-tasks"), 200)
	tasks := p.records(a, "baselineTasks")
	if len(tasks) != 2 {
		p.giveUp("The baseline should have the two tasks there were.\n\t%v", a)
	}
	p.wantOnly(a, tasks[0], "baselineId taskId name userDefinedId startDate finishDate duration deleted")
	p.wantMembers(a, tasks[0], object{
		"baselineId": "first", "taskId": "dig", "name": "Task dig", "startDate": "2026-02-02T09:00:00Z",
		"finishDate": "2026-02-02T10:00:00Z",
		"duration":   3600, "deleted": false,
	})
	a = p.want(p.get(s.path+"/baselines/first/baseline-task-links"), 200)
	links := p.records(a, "baselineTaskLinks")
	if len(links) != 1 {
		p.giveUp("The baseline should have the link there was.\n\t%v", a)
	}
	p.wantOnly(a, links[0], "taskLinkId baselineId predecessorId successorId type lag deleted")
	p.wantMembers(a, links[0], object{
		"predecessorId": "dig", "successorId": "pour", "type": "FinishToStart",
		"lag": 60,
	})
}
