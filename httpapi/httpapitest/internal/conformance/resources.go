package conformance

import "net/url"

const resourceMembers = `id calendarId deleted description email leadTime name parentId renewable ruleId type unitType url userDefinedId wholeUnits`

var resourceChecks = []Check{
	{Name: "record has every documented member, null where it is not set", run: func(p *probe) {
		s := p.aPlan()
		s.resource("ann", "Human", object{"email": "ann@example.com"})
		a := p.want(p.get(s.path+"/resources/ann"), 200)
		p.header(a, "ETag")
		p.wantOnly(a, p.object(a, "resource"), resourceMembers)
		p.wantMembers(a, p.object(a, "resource"), object{
			"id": "ann", "name": "ann", "type": "Human", "email": "ann@example.com", "calendarId": nil, "parentId": nil, "ruleId": nil, "url": nil,
			"userDefinedId": nil, "description": "", "leadTime": 0, "deleted": false,
		})
	}},
	{Name: "email is for humans alone", run: func(p *probe) {
		s := p.aPlan()
		a := p.post(s.path+"/resources", object{"name": "Crane", "type": "Equipment", "email": "crane@example.com"})
		p.wantError(a, invalid("InvalidValue email"))
	}},
	{Name: "unit is for material and locations alone", run: func(p *probe) {
		s := p.aPlan()
		s.resource("sand", "Material", object{"unitType": "Ton"})
		p.wantError(p.post(s.path+"/resources", object{"name": "Eve", "type": "Human", "unitType": "Each"}), invalid("InvalidValue unitType"))
	}},
	{Name: "missing one is 404 ResourceNotFound", run: func(p *probe) {
		p.wantError(p.get(p.aPlan().path+"/resources/nobody"), notFound("ResourceNotFound", "resourceId"))
	}},
	{Name: "group lists its resources", run: func(p *probe) {
		s := p.aPlan()
		group := s.group("crew", "ann", "bob")
		s.resource("eve", "Human")
		p.wantIDs(group+"/resources", "resources", "ann", "bob")
		p.wantError(p.get(s.path+"/resource-groups/nobody/resources"), problem{status: 404, code: "ResourceGroupNotFound"})
	}},
	{Name: "statuses are listed by category and set", run: func(p *probe) {
		s := p.aPlan()
		create := func(things string, body object) { p.settle(p.want(p.post(s.path+"/"+things, body), 201, 202)) }
		create("resource-status-categories", object{"id": "progress", "name": "Progress"})
		create("resource-status-sets", object{"id": "delivery", "name": "Delivery", "statusCategoryId": "progress"})
		create("resource-status-items", object{"id": "ordered", "name": "Ordered", "statusSetId": "delivery", "color": "#00ff00"})
		sets, _ := p.list(s.path+"/resource-status-categories/progress/resource-status-sets", "resourceStatusSets")
		items, _ := p.list(s.path+"/resource-status-sets/delivery/resource-status-items", "resourceStatusItems")
		a := p.want(p.get(s.path+"/resource-status-sets/delivery/resource-status-items"), 200)
		if len(sets) != 1 || len(items) != 1 {
			p.giveUp("One set and one item were made; listed are %s and %s.", encoded(sets), encoded(items))
		}
		p.wantMembers(a, sets[0], object{"id": "delivery", "name": "Delivery", "statusCategoryId": "progress", "deleted": false})
		p.wantOnly(a, items[0], "id name statusSetId color isVisible transparency useOriginalTransparency deleted")
		p.wantError(p.get(s.path+"/resource-status-sets/nobody/resource-status-items"), notFound("ResourceStatusSetNotFound", "resourceStatusSetId"))
		p.wantError(p.get(s.path+"/resource-status-categories/nobody/resource-status-sets"), notFound("ResourceStatusCategoryNotFound", "resourceStatusCategoryId"))
	}},
	{Name: "user field value is a text whatever its type", run: func(p *probe) {
		s := p.aPlan()
		s.resource("crane", "Equipment")
		values := map[string]struct {
			typ, member string
			value       any
			want        string
		}{
			"text": {"String", "stringValue", "Main", "Main"}, "whole": {"Integer", "intValue", 12, "12"},
			"float": {"Float", "floatValue", 1250.5, "1250.5"}, "yes": {"Boolean", "boolValue", true, "true"},
		}
		for id, v := range values {
			s.userField(id, id, "Resource", v.typ)
			a := p.want(p.post(s.path+"/resources/user-field-values", object{"resourceId": "crane", "userFieldId": id, v.member: v.value}), 200, 202)
			p.wantOperation(a, s)
			if a.status == 200 {
				p.wantOnly(a, p.object(a, "userFieldValue"), "resourceId userFieldId value deleted")
			}
			p.settle(a)
		}
		for _, r := range first(p.list(s.path+"/resources/crane/user-field-values", "userFieldValues")) {
			id, _ := r["userFieldId"].(string)
			if r["value"] != values[id].want {
				p.failf("The value of %s should be %q, and %s came.", id, values[id].want, encoded(r))
			}
		}
	}},
	{Name: "exactly one value is to be given", run: func(p *probe) {
		s := p.aPlan()
		s.resource("crane", "Equipment")
		s.userField("owner", "Owner", "Resource", "String")
		at := s.path + "/resources/user-field-values"
		of := object{"resourceId": "crane", "userFieldId": "owner"}
		p.wantError(p.post(at, of), invalid("MutuallyExclusivePropertiesProvided"))
		of["stringValue"], of["intValue"] = "x", 1
		p.wantError(p.post(at, of), invalid("MutuallyExclusivePropertiesProvided"))
		p.wantError(p.post(at, object{"stringValue": "x"}), invalid("MissingRequiredProperty resourceId", "MissingRequiredProperty userFieldId"))
	}},
	{Name: "values of groups are filtered by group and field", run: func(p *probe) {
		s := p.aPlan()
		s.userField("size", "Size", "ResourceGroup", "Integer")
		for _, id := range []string{"crew", "night"} {
			s.group(id)
			p.settle(p.want(p.post(s.path+"/resource-groups/user-field-values", object{"resourceGroupId": id, "userFieldId": "size", "intValue": 2}), 200, 202))
		}
		at := s.path + "/resource-groups/user-field-values"
		for query, want := range map[string]int{"": 2, "?resourceGroupId=crew": 1, "?userFieldId=size": 2, "?userFieldId=other": 0} {
			if values, _ := p.list(at+query, "userFieldValues"); len(values) != want {
				p.failf("The list %s should have %d values, and has %s.", at+query, want, encoded(values))
			}
		}
	}},
	{Name: "3D entities are those of v6.5 schedules", run: func(p *probe) {
		p.wantError(p.get(p.aPlan().path+"/entities-3d/wall"), invalid("InvalidParameter scheduleId"))
	}},
	{Name: "missing synchronizer is 404", run: func(p *probe) {
		p.want(p.get(p.aPlan().path+"/imports/planner/synchronizers/nobody"), 404)
	}},
}

// resource makes a resource.
func (s *plan) resource(id, typ string, properties ...object) {
	body := object{"id": id, "name": id, "type": typ}
	with(body, properties)
	s.settle(s.want(s.post(s.path+"/resources", body), 201, 202))
}

// group makes a group of new humans, and returns its path.
func (s *plan) group(id string, members ...string) string {
	s.settle(s.want(s.post(s.path+"/resource-groups", object{"id": id, "name": id}), 201, 202))
	path := s.path + "/resource-groups/" + url.PathEscape(id)
	for _, m := range members {
		s.resource(m, "Human")
	}
	if len(members) > 0 {
		s.settle(s.want(s.post(path+"/resources", object{"resourceIds": members}), 200, 202))
	}
	return path
}
