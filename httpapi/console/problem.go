package console

import (
	"errors"
	"net/http"
)

// problem is why a page is not shown, or nothing was done, that the API did not say.
type problem struct {
	status         int
	title, message string
}

// Error is the title: a problem is an error so that pages return it as one.
func (p *problem) Error() string { return p.title }

var (
	errFailed    = &problem{http.StatusInternalServerError, "The console failed", "The details are in its log."}
	errSignIn    = &problem{http.StatusUnauthorized, "Sign in", ""}
	errUnchecked = &problem{
		http.StatusServiceUnavailable, "Sign-in is unavailable",
		"Tokens cannot be checked at present. Try again later.",
	}

	errNowhere = &problem{http.StatusNotFound, "Page not found", "It may have been deleted or renamed."}

	errWrongToken = &problem{http.StatusUnauthorized, "Sign in", "This token is unknown or has expired."}
)

// nowhere is the page of every path that has no other.
func nowhere(*request) (view, error) { return view{}, errNowhere }

// otherMethod answers requests that no form of the console sends to a page.
func otherMethod(r *request) (view, error) {
	r.w.Header().Set("Allow", "GET, HEAD")
	return view{}, &problem{
		http.StatusMethodNotAllowed, "This page cannot receive that request", "No form of the console sends it.",
	}
}

// fail answers with a page on what went wrong.
func (c *Console) fail(r *request, err error) {
	main, status := c.problemPage(r, err)
	if err := r.write(status, main); err != nil {
		c.log().ErrorContext(r.Context(), "a page cannot be written", "error", err)
		r.w.WriteHeader(http.StatusInternalServerError)
	}
}

// problemPage is the page on an error and its status. An error that is neither a refusal
// nor a problem is a fault of the console: it is logged, and the page shows nothing of it.
func (c *Console) problemPage(r *request, err error) (view, int) {
	if e, ok := errors.AsType[*refusal](err); ok {
		return refusalPage(r, e), e.Status
	}
	p, ok := errors.AsType[*problem](err)
	if !ok {
		c.log().ErrorContext(r.Context(), "a page failed", "error", err)
		p = errFailed
	}
	// Signing in leads back to the page that was asked for. A form is not sent twice: after
	// one it leads to the page that the form names, or to the first.
	if p.status == http.StatusUnauthorized {
		next := "/"
		if reads(r.Request) {
			next = r.URL.EscapedPath()[len(c.cfg.Path):]
		}
		if sent := r.PostForm.Get("next"); sent != "" {
			next = pageOnly(sent)
		}
		in := r.signInForm(p.message, next)
		// The cookie did not come along from another site, and does from this page.
		in.Elsewhere = reads(r.Request) && r.Header.Get("Sec-Fetch-Site") == "cross-site"
		return view{"signin", in}, p.status
	}
	r.title = p.title
	return view{"problem", problemView{Title: p.title, Message: p.message}}, p.status
}

// problemView is a page on what went wrong, with what the API said, where it did.
type problemView struct {
	Title, Message string
	Refusal        *refusal
}

// refusalTitles say what the API's answer means for the page.
var refusalTitles = map[int]string{
	http.StatusUnauthorized:        "Your token does not permit this",
	http.StatusForbidden:           "You do not have permission",
	http.StatusNotFound:            "Not found, or not visible to you",
	http.StatusConflict:            "Conflict with the current state",
	http.StatusTooManyRequests:     "Too many requests",
	http.StatusUnprocessableEntity: "The request cannot be carried out",
	http.StatusBadRequest:          "The request is invalid",
}

// refusalPage is an error of the API.
func refusalPage(r *request, e *refusal) view {
	r.title = refusalTitles[e.Status]
	if r.title == "" {
		r.title = "The API refused the request"
	}
	back := ""
	if !reads(r.Request) {
		back = "Nothing was changed. Use your browser's Back button to return to your input."
	}
	return view{"problem", problemView{r.title, back, e}}
}
