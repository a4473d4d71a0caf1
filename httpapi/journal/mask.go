package journal

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/secret"
)

// Mask is in place of a secret.
const Mask = "•••"

// masker takes secrets out of what was sent.
type masker struct {
	secrets []string // what a vocabulary calls members that hold secrets, as they are compared
	open    []string // what precedes a name that grants access to its bearer
}

// known is what is to be known of operations: the values of which parameters are kept,
// and which paths are keys.
var known = sync.OnceValue(func() (k struct {
	parameters map[string]bool
	keys       map[string]bool // operations whose path opens something without a token
	before     []string        // the beginnings of their paths
	webhooks   map[string]bool
},
) {
	k.parameters, k.keys, k.webhooks = make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for _, o := range httpapi.Operations() {
		for _, p := range o.Query {
			k.parameters[p.Name] = true
		}
		if len(o.Scopes) == 0 && strings.Contains(o.Path, "{") {
			k.keys[o.ID] = true
			k.before = append(k.before, o.Path[:strings.Index(o.Path, "{")])
		}
		if o.Area == "webhooks" {
			k.webhooks[o.ID] = true
		}
	}
	for _, name := range []string{"$deltaToken", "$top", "$skip", "$continuationToken"} {
		k.parameters[name] = true
	}
	return k
})

func newMasker(v httpapi.Vocabulary) masker {
	var m masker
	areas := append(slices.Collect(maps.Keys(v.Areas)), "")
	for _, member := range secret.Members() {
		for _, area := range areas {
			for _, name := range v.MemberNames(area, member) {
				m.secrets = append(m.secrets, secret.Folded(name))
			}
		}
	}
	for _, path := range known().before {
		m.open = append(m.open, v.Address(path), path)
	}
	return m
}

// sealed reports whether bodies of an operation are about secrets.
func (masker) sealed(operation string) bool { return known().webhooks[operation] }

// secretive reports whether a member or a parameter of this name is taken for a secret.
func (m masker) secretive(name string) bool {
	return secret.Named(name) || slices.Contains(m.secrets, secret.Folded(name))
}

// target is path and query of a request: of the query the values that the API knows,
// of a path that opens something what precedes the key.
func (m masker) target(operation, path, rawQuery string) string {
	if known().keys[operation] || m.opens(path) {
		path = path[:strings.LastIndex(path, "/")+1] + Mask
	}
	if rawQuery == "" {
		return path
	}
	return path + "?" + m.query(rawQuery)
}

// opens reports whether a path is a key to something.
func (m masker) opens(path string) bool {
	return slices.ContainsFunc(m.open, func(beginning string) bool { return strings.Contains(path, beginning) })
}

// query is a query without the values that are not known to be harmless.
func (m masker) query(raw string) string {
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err == nil && value != "" && (!known().parameters[plain] || m.secretive(plain)) {
			pairs[i] = name + "=" + Mask
		} else if err != nil {
			pairs[i] = Mask
		}
	}
	return strings.Join(pairs, "&")
}

// text is a text without what makes the addresses in it keys to something: queries that
// the API does not know, names of users, names that open something.
func (m masker) text(s string) string {
	if !strings.Contains(s, "://") && !strings.Contains(s, "?") && !m.opens(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		end := strings.IndexAny(s, " \t\r\n\"'<>()")
		if end < 0 {
			b.WriteString(m.word(s))
			break
		}
		b.WriteString(m.word(s[:end]))
		b.WriteByte(s[end])
		s = s[end+1:]
	}
	return b.String()
}

// word is text for what has no blanks.
func (m masker) word(s string) string {
	before, rest, absolute := strings.Cut(s, "://")
	switch {
	case absolute:
		before += "://"
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		host := rest[:end]
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = Mask + host[at:]
		}
		before, rest = before+host, m.word(rest[end:])
		return before + rest
	case !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "?"):
		return s
	}
	path, query, asked := strings.Cut(s, "?")
	if m.opens(path) {
		path = path[:strings.LastIndex(path, "/")+1] + Mask
	}
	if asked {
		query, _, _ = strings.Cut(query, "#")
		path += "?" + m.query(query)
	}
	return path
}

// body is a value of JSON without secrets, all else as it was written. It ends where the
// value does.
func (m masker) body(b []byte) []byte {
	w := &rewriter{m: m, in: b, decoder: json.NewDecoder(bytes.NewReader(b))}
	w.decoder.UseNumber()
	for w.next() {
	}
	return w.out
}

// rewriter copies JSON token by token.
type rewriter struct {
	m       masker
	in, out []byte
	decoder *json.Decoder
	done    int64   // how much of in was read
	open    []scope // the objects and lists around the place
	hidden  int     // how deep the place lies in a value that is left out; 0: it does not
	hide    bool    // the next value is left out
}

type scope struct{ object, value bool } // value: the next token of the object is one

func (w *rewriter) next() bool {
	token, err := w.decoder.Token()
	more := err == nil && w.done > 0 && len(w.open) == 0 // behind the value, where names mean nothing
	if err != nil || more {
		if err != io.EOF || len(w.open) > 0 {
			w.out = append(w.out, "…"...)
		}
		return false
	}
	from := w.done
	w.done = w.decoder.InputOffset()
	raw := w.in[from:w.done]
	begins := bytes.IndexFunc(raw, func(r rune) bool { return !strings.ContainsRune(" \t\r\n,:\ufeff", r) })
	if begins < 0 {
		return false
	}
	if w.hidden == 0 {
		w.out = append(w.out, raw[:begins]...)
	}
	w.token(token, raw[begins:])
	return true
}

func (w *rewriter) token(token json.Token, raw []byte) {
	switch t := token.(type) {
	case json.Delim:
		w.delim(t, raw)
		return
	case string:
		if top := w.top(); top != nil && top.object && !top.value {
			top.value = true
			w.hide = w.hidden == 0 && w.m.secretive(t)
			w.write(raw)
			return
		}
		if masked := w.m.text(t); masked != t {
			raw = quoted(masked)
		}
	}
	w.leave(raw, token == nil)
	w.valueDone()
}

// leave writes a value, or what stands for it.
func (w *rewriter) leave(raw []byte, null bool) {
	if w.hide && !null {
		raw = []byte(`"` + Mask + `"`)
	}
	w.hide = false
	w.write(raw)
}

func (w *rewriter) delim(d json.Delim, raw []byte) {
	if d == '{' || d == '[' {
		if w.hidden > 0 {
			w.hidden++
		} else if w.hide {
			w.leave(raw, false)
			w.hidden = 1
		} else {
			w.write(raw)
		}
		w.open = append(w.open, scope{object: d == '{'})
		return
	}
	w.open = w.open[:len(w.open)-1]
	if w.hidden > 0 {
		w.hidden--
	} else {
		w.write(raw)
	}
	w.valueDone()
}

func (w *rewriter) write(raw []byte) {
	if w.hidden == 0 {
		w.out = append(w.out, raw...)
	}
}

func (w *rewriter) top() *scope {
	if len(w.open) == 0 {
		return nil
	}
	return &w.open[len(w.open)-1]
}

// quoted is a text as JSON.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text has a form
	return bytes.TrimRight(b.Bytes(), "\n")
}

func (w *rewriter) valueDone() {
	if top := w.top(); top != nil {
		top.value = false
	}
}
