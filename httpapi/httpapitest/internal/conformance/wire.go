package conformance

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// checkWire holds any answer to what all answers have in common.
func (p *probe) checkWire(a *answer) {
	if a.status == http.StatusNoContent || a.status == http.StatusNotModified {
		if a.raw != "" {
			p.failf("The specification asks for no body with %d.\n\t%v", a.status, a)
		}
		return
	}
	if media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";"); a.raw != "" && media != "application/json" {
		p.failf("The specification asks for bodies of the type application/json.\n\t%v", a)
	}
	if a.status >= 400 {
		p.checkErrorBody(a)
	}
	if after, err := strconv.Atoi(a.header.Get("Retry-After")); a.status == http.StatusTooManyRequests &&
		(err != nil || after < 1) {
		p.failf("The specification asks for the header retry-after, in whole seconds, with 429.\n\t%v", a)
	}
}

// checkErrorBody holds an error to the documented shape.
func (p *probe) checkErrorBody(a *answer) {
	e, ok := a.body["error"].(object)
	if !ok || len(a.body) != 1 {
		p.failf("The specification asks for the body {error: {code, message, target?, details?}} on every "+
			"failure.\n\t%v", a)
		return
	}
	p.checkErrorMembers(a, e, "code", "message", "target", "details")
	details, _ := e["details"].([]any)
	for _, d := range details {
		detail, _ := d.(object)
		p.checkErrorMembers(a, detail, "code", "message", "target")
	}
}

// checkErrorMembers wants a code, a message, and none but the documented members.
func (p *probe) checkErrorMembers(a *answer, e object, members ...string) {
	for name := range e {
		if !slices.Contains(members, name) {
			p.failf("The specification knows no member %q of an error.\n\t%v", name, a)
		}
	}
	for _, name := range []string{"code", "message"} {
		if text, _ := e[name].(string); text == "" {
			p.failf("The specification asks for a %s in every error and every detail.\n\t%v", name, a)
		}
	}
}

// want checks the status of an answer, without which there is nothing to continue with.
func (p *probe) want(a *answer, statuses ...int) *answer {
	if !slices.Contains(statuses, a.status) {
		p.giveUp("The specification asks for status %v.\n\t%v", statuses, a)
	}
	return a
}

// problem is an error as the documentation has it.
type problem struct {
	status int
	code   string
	// target is the target of the error itself; empty leaves it unchecked.
	target string
	// details are codes, each with its target behind a space.
	details []string
}

// wantError checks that a request was refused as documented.
func (p *probe) wantError(a *answer, want problem) {
	if a.status != want.status {
		p.failf("The specification asks for status %d with the code %s.\n\t%v", want.status, want.code, a)
		return
	}
	e, _ := a.body["error"].(object)
	if e["code"] != want.code {
		p.failf("The specification asks for the code %s.\n\t%v", want.code, a)
	}
	if want.target != "" && e["target"] != want.target {
		p.failf("The specification asks for the target %s.\n\t%v", want.target, a)
	}
	came := detailsOf(e)
	for _, d := range want.details {
		if !slices.ContainsFunc(came, func(c string) bool { return c == d || strings.HasPrefix(c, d+" ") }) {
			p.failf("The specification asks for the detail %q.\n\t%v", d, a)
		}
	}
}

// wantNamedOrPassed checks the answer to a creation with the member somethingElse, which
// the specification does not have. It leaves open what becomes of such a member.
func (p *probe) wantNamedOrPassed(a *answer) {
	if a.status != 400 {
		p.want(a, 201, 202)
		return
	}
	e, _ := a.body["error"].(object)
	if !slices.ContainsFunc(detailsOf(e), func(d string) bool { return strings.HasSuffix(d, " somethingElse") }) {
		p.failf("A refused member should be the target of a detail.\n\t%v", a)
	}
}

// detailsOf are the details of an error as problem has them.
func detailsOf(e object) (all []string) {
	details, _ := e["details"].([]any)
	for _, d := range details {
		detail, _ := d.(object)
		code, _ := detail["code"].(string)
		target, _ := detail["target"].(string)
		all = append(all, strings.TrimSpace(code+" "+target))
	}
	return all
}

// unauthenticated is the one answer to every fault of the credentials.
var unauthenticated = problem{status: 401, code: "HeaderNotFound"}

// forbidden is the answer to a caller that may see and not do.
var forbidden = problem{status: 403, code: "InsufficientPermissions"}

// invalid is a request that the schedules area refuses.
func invalid(details ...string) problem {
	return problem{status: 400, code: "InvalidSchedulesRequest", details: details}
}

// notFound is something of the schedules area that is not there.
func notFound(code, target string) problem { return problem{status: 404, code: code, target: target} }

// header is a header that must be there.
func (p *probe) header(a *answer, name string) string {
	value := a.header.Get(name)
	if value == "" {
		p.failf("The specification asks for the header %s.\n\t%v", name, a)
	}
	return value
}

// noHeader is a header that must not be there.
func (p *probe) noHeader(a *answer, name string) {
	if a.header.Get(name) != "" {
		p.failf("The specification has no header %s here.\n\t%v", name, a)
	}
}
