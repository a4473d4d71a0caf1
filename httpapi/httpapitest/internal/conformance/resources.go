package conformance

import "net/url"

var resourceChecks = []Check{
	{Name: "email is for humans alone", run: func(p *probe) {
		s := p.aPlan()
		a := p.post(s.path+"/resources", object{"name": "Crane", "type": "Equipment", "email": "crane@example.com"})
		p.wantError(a, invalid("InvalidValue email"))
	}},
	{Name: "unit is for material and locations alone", run: func(p *probe) {
		s := p.aPlan()
		s.resource("sand", "Material", object{"unitType": "Ton"})
		p.wantError(p.post(s.path+"/resources", object{"name": "Eve", "type": "Human", "unitType": "Each"}),
			invalid("InvalidValue unitType"))
	}},
	{Name: "group lists its resources", run: func(p *probe) {
		s := p.aPlan()
		group := s.group("crew", "ann", "bob")
		s.resource("eve", "Human")
		p.wantIDs(group+"/resources", "resources", "ann", "bob")
		p.wantError(p.get(s.path+"/resource-groups/nobody/resources"),
			problem{status: 404, code: "ResourceGroupNotFound"})
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
			a := p.want(p.post(s.path+"/resources/user-field-values",
				object{"resourceId": "crane", "userFieldId": id, v.member: v.value}), 200, 202)
			p.wantOperation(a, s)
			if a.status == 200 {
				p.wantOnly(a, p.object(a, "userFieldValue"), "resourceId userFieldId value deleted")
			}
			p.await(a)
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
		p.wantError(p.post(at, object{"stringValue": "x"}),
			invalid("MissingRequiredProperty resourceId", "MissingRequiredProperty userFieldId"))
	}},
}

// resource makes a resource.
func (s *plan) resource(id, typ string, properties ...object) {
	body := object{"id": id, "name": id, "type": typ}
	with(body, properties)
	s.await(s.want(s.post(s.path+"/resources", body), 201, 202))
}

// group makes a group of new humans, and returns its path.
func (s *plan) group(id string, members ...string) string {
	s.await(s.want(s.post(s.path+"/resource-groups", object{"id": id, "name": id}), 201, 202))
	path := s.path + "/resource-groups/" + url.PathEscape(id)
	for _, m := range members {
		s.resource(m, "Human")
	}
	if len(members) > 0 {
		s.await(s.want(s.post(path+"/resources", object{"resourceIds": members}), 200, 202))
	}
	return path
}
