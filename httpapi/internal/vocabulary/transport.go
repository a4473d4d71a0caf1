package vocabulary

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// Sides are the platform, which speaks as the specification does, and a deployment of it
// below BaseURL.
type Sides struct {
	BaseURL    string
	Deployment *Dialect
	// PlatformFinds and DeploymentFinds return the number of the operation for an escaped
	// path in the words of either, of the method if there is one; -1 where there is none.
	PlatformFinds, DeploymentFinds func(method, path string) int
}

// Transport puts the requests of a client that speaks as the specification does into the
// words of the deployment, and the answers back.
func (s Sides) Transport(over http.RoundTripper) (http.RoundTripper, error) {
	t, err := s.interpreter()
	if err != nil {
		return nil, err
	}
	t.over = over
	return t, nil
}

// Address puts the address of a GET below the root of the API into the words of the
// deployment.
func (s Sides) Address(u *url.URL) error {
	t, err := s.interpreter()
	if err != nil {
		return err
	}
	path := u.EscapedPath()
	t.address(u, path, t.PlatformFinds(http.MethodGet, path), t.outward)
	return nil
}

func (s Sides) interpreter() (*interpreter, error) {
	base, err := url.Parse(strings.TrimSuffix(s.BaseURL, "/"))
	if err != nil {
		return nil, err
	}
	t := &interpreter{
		Sides: s, base: base, codes: make(map[string]string),
		hrefs: regexp.MustCompile(`"(href|uri)":"(?:` + regexp.QuoteMeta(base.String()) + `/[^"\\]*|[^":\\]*)"`),
	}
	for code := range knownIn(s.Deployment.operations).codes {
		t.codes[s.Deployment.Of("").Code(code)] = code
	}
	return t, nil
}

// interpreter is a transport that speaks two vocabularies.
type interpreter struct {
	Sides

	over  http.RoundTripper
	base  *url.URL
	codes map[string]string // by what the deployment calls them
	hrefs *regexp.Regexp    // in bodies
}

// platform is an operation in the specification's words.
func (t *interpreter) platform(n int) *Operation { return &t.Deployment.operations[n] }

// deployment is how an operation speaks in the deployment.
func (t *interpreter) deployment(n int) *Wording { return t.Deployment.Wordings[n] }

// RoundTrip implements http.RoundTripper.
func (t *interpreter) RoundTrip(r *http.Request) (*http.Response, error) {
	below, ok := strings.CutPrefix(r.URL.EscapedPath(), t.base.EscapedPath())
	if !ok || r.URL.Host != t.base.Host {
		return t.over.RoundTrip(r)
	}
	n := t.PlatformFinds(r.Method, below)
	out := r.Clone(r.Context())
	t.address(out.URL, below, n, t.outward)
	if n >= 0 {
		t.head(out.Header, n, t.outward())
		if err := restate(out, t.deployment(n).sent); err != nil {
			return nil, err
		}
	}
	t.dress(out.Header, t.outward())
	res, err := t.over.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	res.Request = r
	return res, t.answer(res, n)
}

// direction is the translation from one side to the other.
type direction struct {
	from, to  func(n int) string                 // the path of a row
	parameter func(n int, name string) string    // a parameter
	value     func(n int, name, v string) string // and its value
	heading   func(n int, name, v string) string // the value of a header
	header    func(name, as string) (was, is string)
	vendor    [2]string                 // in media types: what it was and is
	unknown   func(below string) string // a path that is no row's
}

// outward is from the specification's words into the deployment's.
func (t *interpreter) outward() direction {
	return direction{
		from: func(n int) string { return t.platform(n).Path },
		to:   func(n int) string { return t.deployment(n).At },
		parameter: func(n int, name string) string {
			if t.platform(n).parameter(name) != nil {
				return t.deployment(n).Parameter(name)
			}
			return name
		},
		value:   func(n int, name, v string) string { return t.deployment(n).outside(name, v) },
		heading: func(n int, _, v string) string { return t.deployment(n).Word(v) },
		header:  func(name, as string) (was, is string) { return name, as },
		vendor:  [2]string{document.Vendor, t.Deployment.Vendor},
		unknown: t.Deployment.At,
	}
}

// inward is from the deployment's words into the specification's.
func (t *interpreter) inward() direction {
	return direction{
		from: func(n int) string { return t.deployment(n).At },
		to:   func(n int) string { return t.platform(n).Path },
		parameter: func(n int, name string) string {
			w := t.deployment(n)
			if i := slices.IndexFunc(w.queried, func(known string) bool { return w.Parameter(known) == name }); i >= 0 {
				return w.queried[i]
			}
			return name
		},
		value: func(n int, name, v string) string {
			if known, strange := t.deployment(n).Value(name, v); !strange {
				return known
			}
			return v
		},
		heading: func(n int, name, v string) string {
			if known, strange := t.deployment(n).HeaderWord(name, v); !strange && known != "" {
				return known
			}
			return v
		},
		header:  func(name, as string) (was, is string) { return as, name },
		vendor:  [2]string{t.Deployment.Vendor, document.Vendor},
		unknown: func(below string) string { return below },
	}
}

// address puts an address below the base into other words.
func (t *interpreter) address(u *url.URL, below string, n int, toward func() direction) {
	d := toward()
	if n < 0 {
		below = d.unknown(below)
	} else {
		below = replaced(below, d.from(n), d.to(n))
		u.RawQuery = d.query(u.RawQuery, n)
	}
	u.RawPath = t.base.EscapedPath() + below
	u.Path, _ = url.PathUnescape(u.RawPath)
}

// replaced is a path of one pattern as one of another, with the same names.
func replaced(p, from, to string) string {
	end := ""
	if strings.HasSuffix(p, "/") {
		end = "/"
	}
	values, names := strings.Split(strings.Trim(p, "/"), "/"), strings.Split(strings.Trim(from, "/"), "/")
	out := strings.Split(to, "/")
	for i, name := range names {
		if at := slices.Index(out, name); at >= 0 && strings.HasPrefix(name, "{") && i < len(values) {
			out[at] = values[i]
		}
	}
	return path.Clean(strings.Join(out, "/")) + end
}

func (d direction) query(query string, n int) string {
	if query == "" {
		return ""
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, given := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		text, errValue := url.QueryUnescape(value)
		if err != nil || errValue != nil {
			continue
		}
		if renamed := d.parameter(n, plain); renamed != plain {
			name = strings.ReplaceAll(url.QueryEscape(renamed), "%24", "$")
		}
		if renamed := d.value(n, plain, text); renamed != text {
			value = url.QueryEscape(renamed)
		}
		if pairs[i] = name; given {
			pairs[i] += "=" + value
		}
	}
	return strings.Join(pairs, "&")
}

// head puts the values of headers that have words into other ones.
func (t *interpreter) head(header http.Header, n int, d direction) {
	for name := range t.platform(n).Headings {
		if value := header.Get(name); value != "" {
			header.Set(name, d.heading(n, name, value))
		}
	}
}

// named gives headers other names.
func (t *interpreter) named(header http.Header, d direction) {
	for name, as := range t.Deployment.Headers {
		was, is := d.header(name, as)
		if values := header.Values(was); len(values) > 0 {
			header.Del(was)
			header[http.CanonicalHeaderKey(is)] = values
		}
	}
}

// dress gives the headers of a request other names, and its media types another vendor.
func (t *interpreter) dress(header http.Header, d direction) {
	t.named(header, d)
	for _, name := range []string{"Accept", "Content-Type"} {
		if value := header.Get(name); value != "" && t.Deployment.Vendor != "" {
			header.Set(name, strings.ReplaceAll(value, d.vendor[0], d.vendor[1]))
		}
	}
}

// restate puts the body of a request into other words, if there are any for it.
func restate(r *http.Request, words *shape.Shape) error {
	if r.Body == nil || words == nil {
		return nil
	}
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = r.Body.Close()
	}
	if err != nil {
		return err
	}
	if json.Valid(raw) {
		raw = Renamed(raw, words)
	}
	r.ContentLength, r.GetBody = int64(len(raw)), nil
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return nil
}

// answer puts an answer into the specification's words.
func (t *interpreter) answer(res *http.Response, n int) error {
	t.named(res.Header, t.inward())
	for _, name := range []string{"Location", "Operation-Location"} {
		if at := res.Header.Get(name); at != "" {
			res.Header.Set(name, t.link(at))
		}
	}
	if media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";"); media != "application/json" {
		return nil
	}
	raw, err := io.ReadAll(res.Body)
	if err == nil {
		err = res.Body.Close()
	}
	if err != nil {
		return err
	}
	if json.Valid(raw) {
		raw = t.reads(raw, res.StatusCode, n)
	}
	res.ContentLength, res.Body = int64(len(raw)), io.NopCloser(bytes.NewReader(raw))
	if res.Header.Get("Content-Length") != "" {
		res.Header.Set("Content-Length", strconv.Itoa(len(raw)))
	}
	return nil
}

// reads is the body of an answer in the specification's words.
func (t *interpreter) reads(raw []byte, status, n int) []byte {
	if status >= 400 {
		return t.failure(raw, n)
	}
	if n >= 0 {
		w := t.deployment(n)
		tr := translation{made: make(map[spoken]*shape.Shape), clashes: new(clashes), Lexicon: w.Lexicon}
		raw = Renamed(raw, tr.reads(t.platform(n).Answers[status], nil))
	}
	return t.hrefs.ReplaceAllFunc(raw, func(member []byte) []byte {
		name, at, _ := strings.Cut(strings.TrimSuffix(string(member), `"`), `:"`)
		return []byte(name + `:"` + t.linkIn(at, n) + `"`)
	})
}

// link is a link of the deployment in the specification's words.
func (t *interpreter) link(at string) string {
	u, err := url.Parse(at)
	if err != nil || u.Host != t.base.Host {
		return at
	}
	below, ok := strings.CutPrefix(u.EscapedPath(), t.base.EscapedPath())
	if n := t.DeploymentFinds(http.MethodGet, below); ok && n >= 0 {
		t.address(u, below, n, t.inward)
		return u.String()
	}
	return at
}

// linkIn is a link in an answer to an operation, which may lead on from where that is.
func (t *interpreter) linkIn(at string, n int) string {
	if n < 0 || at == "" || strings.HasPrefix(at, "/") || strings.Contains(at, "://") {
		return t.link(at)
	}
	for from, begin := t.base.String()+"/", path.Dir(t.deployment(n).At); begin != "/" &&
		begin != "."; begin = path.Dir(begin) {
		below, whole := strings.CutPrefix(t.link(from+strings.TrimPrefix(begin, "/")+"/"+at), from)
		if !whole || strings.Contains(begin, "{") {
			continue
		}
		for ours := path.Dir(t.platform(n).Path); ours != "/" && ours != "."; ours = path.Dir(ours) {
			if rest, ok := strings.CutPrefix("/"+below, ours+"/"); ok && t.deployment(n).Path(ours) == begin {
				return rest
			}
		}
	}
	return at
}

// failure is the body of an error in the specification's words.
func (t *interpreter) failure(raw []byte, n int) []byte {
	type problem struct {
		Code    string    `json:"code"`
		Message string    `json:"message"`
		Target  string    `json:"target,omitempty"`
		Details []problem `json:"details,omitempty"`
	}
	var body struct {
		Error problem `json:"error"`
	}
	if err := json.Unmarshal(raw, &body); err != nil || body.Error.Code == "" {
		return raw
	}
	names := t.namesOf(n)
	renamed := func(p *problem) {
		p.Code = cmp.Or(t.codes[p.Code], p.Code)
		was := p.Target
		p.Target = cmp.Or(names[was], identifier.ReplaceAllStringFunc(was,
			func(name string) string { return cmp.Or(names[name], name) }))
		p.Message = (*Wording)(nil).Naming(p.Message, was, p.Target)
	}
	renamed(&body.Error)
	for i := range body.Error.Details {
		renamed(&body.Error.Details[i])
	}
	if out, err := json.Marshal(body); err == nil {
		return out
	}
	return raw
}

// namesOf are the names that targets of a row's errors may have, by what the
// deployment calls them.
func (t *interpreter) namesOf(n int) map[string]string {
	names := make(map[string]string)
	for name, as := range t.Deployment.Headers {
		names[as] = name
	}
	if n < 0 {
		return names
	}
	for i := range t.Deployment.operations {
		for _, name := range t.platform(i).InPath {
			names[t.deployment(n).Member(name)] = name
		}
	}
	known := knownIn(t.Deployment.operations[n : n+1])
	for name := range known.members {
		names[t.deployment(n).Member(name)] = name
	}
	for name := range known.query {
		names[t.deployment(n).Parameter(name)] = name
	}
	return names
}
