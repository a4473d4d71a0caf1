package conformance

import (
	"net/url"
	"strings"
)

// definition makes a form definition.
func (p *probe) definition(properties ...object) string {
	body := object{"twinId": p.aTwin(), "displayName": "Question", "type": "RFI"}
	with(body, properties)
	a := p.want(p.post("/forms/formDefinitions", body), 201)
	id := p.text(a, p.object(a, "formDefinition"), "id")
	p.later("/forms/formDefinitions/" + url.PathEscape(id))
	return id
}

// form makes a form of an approved definition.
func (p *probe) form(definition string, properties ...object) (string, *answer) {
	body := object{"formId": definition}
	with(body, properties)
	a := p.want(p.post("/forms/", body), 201)
	id := p.text(a, p.object(a, "formData"), "id")
	p.later("/forms/" + url.PathEscape(id))
	return id, a
}

// approved makes a definition that forms can be made of.
func (p *probe) approved() string { return p.definition(object{"status": "Approved"}) }

// formList reads the list of the twin's forms.
func (p *probe) formList(query string, header ...string) (*answer, []object) {
	a := p.want(p.get("/forms/?twinId="+url.QueryEscape(p.aTwin())+query, header...), 200)
	list := p.object(a, "forms")
	return a, p.records(&answer{request: a.request, status: a.status, header: a.header, raw: a.raw, body: list}, "formDataInstances")
}

// wrongDefinition is a definition that is refused for its properties.
func wrongDefinition(details ...string) problem {
	return problem{status: 422, code: "InvalidFormDefRequest", details: details}
}

var formChecks = []Check{
	{Name: "what was never set is left out of a form", run: func(p *probe) {
		id, _ := p.form(p.approved())
		a := p.want(p.get("/forms/"+url.PathEscape(id)), 200)
		p.wantMembers(a, p.object(a, "formData"), object{
			"description": absent, "dueDate": absent, "location": absent, "boundingBox": absent, "modelPin": absent, "sourceEntity": absent, "status": "Open",
		})
	}},
	{Name: "what was cleared is null in a form", run: func(p *probe) {
		id, _ := p.form(p.approved(), object{"description": "Of it", "subject": "Which door?"})
		p.want(p.patch("/forms/"+url.PathEscape(id), object{"description": nil}), 200)
		a := p.want(p.get("/forms/"+url.PathEscape(id)), 200)
		p.wantMembers(a, p.object(a, "formData"), object{"description": nil, "subject": "Which door?"})
	}},
	{Name: "list has pages of at most 50", run: func(p *probe) {
		definition := p.approved()
		for range 3 {
			p.form(definition)
		}
		a, page := p.formList("&$top=2")
		next := href(p.object(a, "forms"), "next")
		if len(page) != 2 || next == "" {
			p.giveUp("Of three forms, the first page should have two and a next link.\n\t%v", a)
		}
		rest := p.want(p.get(next), 200)
		if n := len(p.object(rest, "forms")["formDataInstances"].([]any)); n != 1 {
			p.failf("Of three forms, the second page should have one, and has %d.\n\t%v", n, rest)
		}
		tooMany := p.get("/forms/?twinId=" + url.QueryEscape(p.aTwin()) + "&$top=51")
		p.wantError(tooMany, problem{status: 422, code: "InvalidFormDataRequest"})
	}},
	{Name: "unknown member of a body is refused", run: func(p *probe) {
		p.wantError(p.post("/forms/", object{"formId": p.approved(), "sbject": "x"}), problem{status: 422, code: "InvalidFormDataRequest"})
	}},
	{Name: "definition is changed while it may be", run: func(p *probe) {
		at := "/issues/formDefinitions/" + url.PathEscape(p.definition())
		a := p.want(p.patch(at, object{"displayName": "Inspection", "idPrefix": "IN"}), 200)
		p.wantMembers(a, p.object(a, "formDefinition"), object{"displayName": "Inspection", "idPrefix": "IN", "status": "Draft", "shareType": nil, "errorStatus": "None"})
		if href(p.object(a, "formDefinition"), "design") == "" {
			p.failf("The specification asks for _links.design while the definition may be edited.\n\t%v", a)
		}
		p.want(p.patch(at, object{"status": "Approved"}), 200)
		p.wantError(p.patch(at, object{"displayName": "Again"}), problem{status: 409, code: "FormDefIsClosed"})
	}},
	{Name: "wrong property of a definition is 422 InvalidFormDefRequest", run: func(p *probe) {
		at := "/issues/formDefinitions/" + url.PathEscape(p.definition())
		p.want(p.patch(at, object{"idPrefix": strings.Repeat("x", 25)}), 200)
		p.wantError(p.patch(at, object{"idPrefix": strings.Repeat("x", 26)}), wrongDefinition("InvalidValue idPrefix"))
		p.wantError(p.patch(at, object{"status": "Open"}), wrongDefinition("InvalidValue status"))
	}},
}
