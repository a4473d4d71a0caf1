package vocabulary

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-933f9a09/twinplatform"
)

// Coded is an error with the codes of the deployment.
func (l Lexicon) Coded(e *twinplatform.Error) *twinplatform.Error {
	out := *e
	out.Code, out.Details, out.Message = l.Code(e.Code), slices.Clone(e.Details), l.message(e.Message)
	for i := range out.Details {
		out.Details[i].Code, out.Details[i].Message = l.Code(e.Details[i].Code), l.message(e.Details[i].Message)
	}
	return &out
}

// message is a message with the resource names and the permissions of the deployment.
// Whatever else is in quotation marks stays.
func (l Lexicon) message(text string) string {
	if !slices.ContainsFunc(l, func(n Names) bool { return len(n.Messages)+len(n.Permissions) > 0 }) {
		return text
	}
	pieces := strings.Split(text, "'")
	for i := range pieces {
		if i%2 == 1 && i < len(pieces)-1 {
			pieces[i], _ = l.whole(permissionsOf, pieces[i])
		} else {
			pieces[i] = l.resourceNames(pieces[i])
		}
	}
	return strings.Join(pieces, "'")
}

// maxNameWords is how many words a resource name has at most.
const maxNameWords = 3

// resourceNames is a text with the resource names of the deployment. Of two names that begin
// at one place the longer one counts.
func (l Lexicon) resourceNames(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		if n := strings.IndexFunc(text, isWord); n != 0 {
			if n < 0 {
				n = len(text)
			}
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		renamed, n := l.resourceName(text)
		b.WriteString(renamed)
		text = text[n:]
	}
	return b.String()
}

// resourceName is the deployment's name for the resource name that a text begins with, and
// its length; it is the first word itself where that is not one.
func (l Lexicon) resourceName(text string) (renamed string, length int) {
	table := func(n Names) map[string]string { return n.Messages }
	var ends []int
	for i := 0; i < len(text) && len(ends) < maxNameWords; {
		n := strings.IndexFunc(text[i:], func(r rune) bool { return !isWord(r) && r != '-' })
		if n < 0 {
			n = len(text) - i
		}
		if n == 0 {
			break
		}
		ends = append(ends, i+n)
		if i += n; i == len(text) || text[i] != ' ' {
			break
		}
		i++
	}
	for _, end := range slices.Backward(ends) {
		if as, ok := l.whole(table, text[:end]); ok {
			return as, end
		}
		if as, ok := l.whole(table, inSmall(text[:end])); ok {
			return inCapital(as), end
		}
	}
	return text[:ends[0]], ends[0]
}

// Worded is an error with targets and messages in the words of the deployment.
func (w *Wording) Worded(e *twinplatform.Error) *twinplatform.Error {
	if w == nil {
		return e
	}
	out := *e
	out.Target, out.Message = w.Fault(e.Target, e.Message)
	out.Details = slices.Clone(e.Details)
	for i, d := range e.Details {
		out.Details[i].Target, out.Details[i].Message = w.Fault(d.Target, d.Message)
	}
	return &out
}

// Fault is a target, and a message that names it, in the words of the deployment.
func (w *Wording) Fault(target, message string) (string, string) {
	if w == nil {
		return target, message
	}
	renamed := w.target(target)
	return renamed, w.Naming(message, target, renamed)
}

// quoted is what may be a name within quotation marks.
var quoted = regexp.MustCompile(`'[$\w.\[\]-]+'`)

// Naming rewrites a message so that it calls a target by its new name, and everything else
// by the names of the deployment. What it quotes of a request or of a record stays.
func (w *Wording) Naming(message, target, renamed string) string {
	names := namesOf(target, renamed)
	var b strings.Builder
	from := 0
	for _, at := range quoted.FindAllStringIndex(message, -1) {
		before, name := message[:at[0]], message[at[0]+1:at[1]-1]
		as, known := names[name]
		switch {
		case strings.HasSuffix(before, "value "):
			continue
		case known:
		case w != nil && slices.ContainsFunc(naming,
			func(words string) bool { return strings.HasSuffix(before, words) }):
			as = w.target(name)
		default:
			continue
		}
		b.WriteString(message[from:at[0]+1] + as)
		from = at[1] - 1
	}
	b.WriteString(message[from:])
	message = b.String()
	if strings.IndexFunc(target, unicode.IsSpace) >= 0 { // the path of a member of free names
		message = strings.ReplaceAll(message, "'"+target+"'", "'"+renamed+"'")
	}
	if w == nil {
		return message
	}
	return w.oneOf(message)
}

// naming is what is in messages before the name of a member or a parameter; before a
// value there are other words, such as "the id" and "the task".
var naming = []string{"of ", "property ", "parameter ", "with ", "Set ", "that ", "although ", "such as ", ", ", "and "}

// namesOf are the names by which a message may call a target, and the new ones. Targets may
// begin with what the body does not have, and messages leave that out.
func namesOf(target, renamed string) map[string]string {
	names := make(map[string]string)
	for target != renamed {
		names[target] = renamed
		_, inner, more := strings.Cut(target, ".")
		_, innerRenamed, _ := strings.Cut(renamed, ".")
		if !more || innerRenamed == "" {
			break
		}
		target, renamed = inner, innerRenamed
	}
	return names
}

// oneOf is a message that lists the words of an enumeration in those of the
// deployment.
func (w *Wording) oneOf(message string) string {
	head, list, ok := strings.Cut(message, " is one of ")
	if !ok {
		return message
	}
	words := strings.Split(strings.TrimSuffix(list, "."), ", ")
	for i, word := range words {
		words[i] = w.Word(word)
	}
	return head + " is one of " + strings.Join(words, ", ") + "."
}

// target is a target in the words of the deployment: the path of a member, the name
// of a parameter or of what the path names, or several of them.
func (w *Wording) target(target string) string {
	var all []string
	for one := range strings.SplitSeq(target, ", ") {
		all = append(all, w.targetOne(one))
	}
	return strings.Join(all, ", ")
}

func (w *Wording) targetOne(target string) string {
	if i := slices.IndexFunc(w.queried, func(name string) bool { return name == target }); i >= 0 {
		return w.Parameter(target)
	}
	if as, ok := w.names[target]; ok {
		return as
	}
	segments := strings.Split(target, ".")
	at := w.sent
	for i, segment := range segments {
		name, index := segment, ""
		if n := strings.IndexFunc(segment, func(r rune) bool { return r == '[' || unicode.IsSpace(r) }); n >= 0 {
			name, index = segment[:n], segment[n:]
		}
		p, known := at.Property([]byte(name))
		switch {
		case at != nil && at.Fields != nil && known:
			if p.As != "" {
				segments[i] = p.As + index
			}
			if at = p.In; at != nil && at.Elem != nil {
				at = at.Elem
			}
		case i == 0:
			// What errors alone have, or have in front of the members of a body.
			segments[i] = w.Member(name) + index
		default:
			return strings.Join(segments, ".")
		}
	}
	return strings.Join(segments, ".")
}
