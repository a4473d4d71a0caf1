package journal

import (
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Secrets takes secrets out of the targets of requests as a journal does, for other logs.
type Secrets struct{ mask masker }

// NewSecrets knows those of an API with a vocabulary.
func NewSecrets(v httpapi.Vocabulary) Secrets { return Secrets{newMasker(v)} }

// Target is the path and the query of a request for an operation without what is or may be a
// secret, for which [Mask] stands: values of parameters that the API does not know, such as
// signatures, and names in paths that open something without a token. What is longer than
// 2 KiB is cut off.
func (s Secrets) Target(operation, path, rawQuery string) string {
	return s.mask.target(operation, clipped(path), clipped(rawQuery))
}

// Sealed is Target with the names of parameters alone.
func (s Secrets) Sealed(operation, path, rawQuery string) string {
	if rawQuery == "" {
		return s.Target(operation, path, "")
	}
	pairs := strings.Split(clipped(rawQuery), "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err != nil || value == "" && plain != "" {
			pairs[i] = Mask // a value without a name
		} else {
			pairs[i] = name + "=" + Mask
		}
	}
	return s.Target(operation, path, "") + "?" + strings.Join(pairs, "&")
}
