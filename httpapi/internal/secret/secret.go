// Package secret says what of the traffic with an API is secret, for all that keeps some of it: the
// journal, the logs, and recordings.
package secret

import (
	"slices"
	"strings"
)

// Member is one that holds a secret, by an area of the specification.
type Member struct{ Area, Name string }

// members lists the members of the specification that hold a secret.
var members = []Member{
	{"webhooks", "secret"},
	{"accessControl", "shareKey"},
	// All that a client shows a repository, also in the query of its requests.
	{"twins", "authentication"},
	{"twins", "queryParameters"},
}

// Members are the members of the specification that hold a secret.
func Members() []Member { return slices.Clone(members) }

// words marks names that count as names of secrets, also where the specification does not
// know them.
var words = []string{
	"secret", "token", "passw", "authorization", "credential", "signature", "apikey", "accesskey", "privatekey",
	"sharekey", "cookie",
}

// places are names with such a word whose value is a place in a list, of no use without a token.
var places = []string{
	"continuationtoken", "deltatoken", "onwardtoken", "sincetoken", "skiptoken", "nexttoken",
	"pagetoken",
}

// signing are parameters of addresses that open something by themselves.
var signing = []string{"sig", "se", "sp", "sv", "key", "code"}

// folded are the names of members, as they are compared.
var folded = func() (names []string) {
	for _, m := range members {
		names = append(names, Folded(m.Name))
	}
	return names
}()

var withoutDashes = strings.NewReplacer("_", "", "-", "")

// Folded is a name as names are compared.
func Folded(name string) string { return withoutDashes.Replace(strings.ToLower(name)) }

// Named reports whether a member, a parameter or a header is a secret by its name, in any spelling.
func Named(name string) bool {
	name = Folded(name)
	if slices.ContainsFunc(places, func(place string) bool { return strings.HasSuffix(name, place) }) {
		return false
	}
	return name == "sig" || slices.Contains(folded, name) ||
		slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// Signs reports whether a parameter is one that makes an address a key to something.
func Signs(name string) bool {
	return slices.Contains(signing, strings.ToLower(name)) || strings.HasPrefix(strings.ToLower(name), "x-amz")
}
