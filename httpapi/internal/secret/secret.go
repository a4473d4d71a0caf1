// Package secret says what of the traffic with an API is secret, for all that keeps some of it: the
// journal, the logs, and recordings.
package secret

import (
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Members are the names of the members of bodies that hold a secret, as their rows say.
var Members = sync.OnceValue(httpapi.SecretMembers)

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
var folded = sync.OnceValue(func() (names []string) {
	for _, name := range Members() {
		names = append(names, Folded(name))
	}
	return names
})

var withoutDashes = strings.NewReplacer("_", "", "-", "")

// Folded is a name as names are compared.
func Folded(name string) string { return withoutDashes.Replace(strings.ToLower(name)) }

// Named reports whether a member, a parameter or a header is a secret by its name, in any spelling.
func Named(name string) bool {
	name = Folded(name)
	if slices.ContainsFunc(places, func(place string) bool { return strings.HasSuffix(name, place) }) {
		return false
	}
	return name == "sig" || slices.Contains(folded(), name) ||
		slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// Signs reports whether a parameter is one that makes an address a key to something.
func Signs(name string) bool {
	return slices.Contains(signing, strings.ToLower(name)) || strings.HasPrefix(strings.ToLower(name), "x-amz")
}
