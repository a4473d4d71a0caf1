package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// maxAnswer is how much of an answer of the API is taken, in bytes.
const maxAnswer = 32 << 20

// answer is what the API answers.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// refusal is an error that the API answers. Its body is as documented.
type refusal struct {
	Status int `json:"-"`
	detail
	Details []detail `json:"details"`
}

// detail is one violation of a request.
type detail struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Target  string `json:"target"`
}

// Error is what a page shows where a part of it was refused.
func (e *refusal) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// stale reports whether a record was changed since it was read.
func (e *refusal) stale() bool {
	return e.Status == http.StatusPreconditionFailed || e.Code == "VersionMismatch"
}

// refusedWith reports whether the API refused with one of these.
func refusedWith(err error, status ...int) bool {
	e, ok := errors.AsType[*refusal](err)
	return ok && slices.Contains(status, e.Status)
}

// header is one of a request to the API.
type header struct{ name, value string }

// send asks the API, as the viewer. target is a path below the API's root
// with its query. Whatever the answer's status, it is no error.
func (r *request) send(method, target string, body []byte, headers ...header) (*answer, error) {
	return r.sendTo(r.console.api, method, target, body, headers...)
}

// sendTo is send to a handler that may be another one than the API, so that an operation
// can be tried out on the one that keeps a journal of it.
func (r *request) sendTo(api http.Handler, method, target string, body []byte, headers ...header) (*answer, error) {
	w := &taken{header: make(http.Header)}
	if err := r.serveBy(api, w, method, target, body, headers...); err != nil {
		return nil, err
	}
	return w.answer()
}

// serveBy has a handler answer a request of the viewer.
func (r *request) serveBy(
	api http.Handler, w http.ResponseWriter, method, target string, body []byte, headers ...header,
) error {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
		headers = append([]header{{"Content-Type", "application/json"}}, headers...)
	}
	return r.stream(api, w, method, target, content, int64(len(body)), headers...)
}

// stream is serveBy with a body as it comes in; its length is negative where it is not known.
func (r *request) stream(
	api http.Handler, w http.ResponseWriter, method, target string, body io.Reader, length int64, headers ...header,
) error {
	u, err := url.ParseRequestURI(target)
	if err != nil || u.Host != "" || !strings.HasPrefix(target, "/") {
		return &problem{
			http.StatusBadRequest, "Not an address of the API", "An address begins with a slash and has no spaces.",
		}
	}
	req := &http.Request{
		Method: method, URL: u, RequestURI: target, Host: r.Host, TLS: r.TLS, RemoteAddr: r.RemoteAddr,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header),
		Body: http.NoBody,
	}
	if body != nil {
		req.Body, req.ContentLength = io.NopCloser(body), length
	}
	for _, h := range headers {
		if h.value != "" {
			req.Header.Set(h.name, h.value)
		}
	}
	req.Header.Set("Authorization", "Bearer "+r.who.token)
	api.ServeHTTP(w, req.WithContext(r.Context()))
	return nil
}

// call is send for a change or a question that succeeds, with a value as its JSON body;
// nil sends none.
func (r *request) call(method, target string, body any, headers ...header) (*answer, error) {
	var sent []byte
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("console: %w", err)
		}
		sent = b
	}
	a, err := r.send(method, target, sent, headers...)
	if err != nil {
		return nil, err
	}
	if a.status < 300 {
		return a, nil
	}
	return nil, refusalOf(a)
}

// refusalOf is the error in an answer that refuses. One without the documented body has
// the status alone.
func refusalOf(a *answer) error {
	var body struct {
		Error *refusal `json:"error"`
	}
	if json.Unmarshal(a.body, &body) != nil || body.Error == nil {
		body.Error = &refusal{}
	}
	body.Error.Status = a.status
	return body.Error
}

// get asks for a JSON value. into may be nil.
func (r *request) get(target string, into any, headers ...header) (*answer, error) {
	a, err := r.call(http.MethodGet, target, nil, headers...)
	if err != nil || into == nil {
		return a, err
	}
	return a, decode(a.body, into)
}

// create and patch change something.
func (r *request) create(target string, body any) (*answer, error) {
	return r.call(http.MethodPost, target, body)
}

// patch changes a record by some of its members; what the body leaves out stays.
func (r *request) patch(target string, body any, headers ...header) (*answer, error) {
	return r.call(http.MethodPatch, target, body, headers...)
}

// decode reads JSON. Numbers that go into an any stay as they are written.
func decode(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("console: an answer of the API: %w", err)
	}
	return nil
}

// list asks for one page of a list, whose records are in a member of the answer, such as
// tasks, or one of a member, such as forms.formDataInstances. next is the address of the
// next page below the API's root; empty after the last one.
func (r *request) list(target, member string, into any, headers ...header) (next string, err error) {
	var body map[string]json.RawMessage
	if _, err := r.get(target, &body, headers...); err != nil {
		return "", err
	}
	raw := body
	for outer, inner, deeper := strings.Cut(member, "."); deeper; outer, inner, deeper = strings.Cut(member, ".") {
		var within map[string]json.RawMessage
		if err := decode(raw[outer], &within); err != nil {
			return "", err
		}
		raw, member = within, inner
	}
	if records := raw[member]; records != nil {
		if err := decode(records, into); err != nil {
			return "", err
		}
	}
	var links struct {
		Next *struct {
			Href string `json:"href"`
		} `json:"next"`
	}
	if raw := body["_links"]; raw != nil {
		if err := decode(raw, &links); err != nil {
			return "", err
		}
	}
	if links.Next == nil {
		return "", nil
	}
	return r.console.withinAPI(links.Next.Href), nil
}

// records asks for the records of a list, page after page, as the API links them.
func records[T any](r *request, target, member string, headers ...header) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for target != "" {
			var page []T
			next, err := r.list(target, member, &page, headers...)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, v := range page {
				if !yield(v, nil) {
					return
				}
			}
			target = next
		}
	}
}

// withinAPI is an address that the API names, as one below its root.
func (c *Console) withinAPI(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	target := u.RequestURI()
	if base, err := url.Parse(c.cfg.API.BaseURL); err == nil {
		target = "/" + strings.TrimPrefix(strings.TrimPrefix(target, strings.TrimSuffix(base.EscapedPath(), "/")), "/")
	}
	return target
}

// taken takes an answer.
type taken struct {
	header http.Header
	status int
	body   bytes.Buffer
	over   bool                // there was more than maxAnswer
	from   http.ResponseWriter // of the browser that sends what was asked, or nil
}

// Unwrap lets what answers give a slow sender more time.
func (w *taken) Unwrap() http.ResponseWriter { return w.from }

// answer is what was taken.
func (w *taken) answer() (*answer, error) {
	if w.over {
		return nil, &problem{http.StatusBadGateway, "Too large to show", "Request it from the API."}
	}
	return &answer{status: w.status, header: w.header, body: w.body.Bytes()}, nil
}

// Header implements http.ResponseWriter.
func (w *taken) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *taken) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *taken) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.body.Len()+len(b) > maxAnswer {
		w.over = true
		return 0, http.ErrContentLength
	}
	return w.body.Write(b)
}

// asRefusal is an error as one that the API answered.
func asRefusal(err error) (*refusal, bool) { return errors.AsType[*refusal](err) }

// tokenOf is the continuation token in the address of a next page.
func tokenOf(next string) string {
	u, err := url.Parse(next)
	if err != nil {
		return ""
	}
	return u.Query().Get("$continuationToken")
}

// askedAtOnce is how many requests to the API a page has under way at a time.
const askedAtOnce = 8

// askAll asks for n things, a few at a time, and returns them in their order. It returns
// the first error in that order; what is under way then is waited for. ask runs in several
// goroutines at once: it may send requests, and look nothing up.
func askAll[T any](n int, ask func(i int) (T, error)) ([]T, error) {
	var (
		all   = make([]T, n)
		errs  = make([]error, n)
		group sync.WaitGroup
		free  = make(chan struct{}, askedAtOnce)
		once  sync.Once
		fault any
	)
	for i := range n {
		free <- struct{}{}
		group.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					once.Do(func() { fault = v })
				}
				<-free
			}()
			all[i], errs[i] = ask(i)
		})
	}
	group.Wait()
	if fault != nil {
		panic(fault) // as if the page had asked itself, for what answers for it
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
