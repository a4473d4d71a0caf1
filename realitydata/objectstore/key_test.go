package objectstore_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
)

// FuzzKey has names of objects that can be read back, so that no two files share one, and
// that need no care in addresses and XML.
func FuzzKey(f *testing.F) {
	for _, seed := range [][2]string{{"a", "b/c"}, {"a/b", "c"}, {"", "!"}, {"..", "../x"}, {"é", "e\u0301 +%2F\x00\xff\uFFFD"}, {"a", "模型.las"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, container, name string) {
		escaped := objectstore.Escape(name)
		back, err := url.PathUnescape(strings.ReplaceAll(escaped, "!", "%"))
		if back != name || err != nil || strings.Contains(escaped, "%") {
			t.Errorf("%q is %q, which is %q, %v", name, escaped, back, err)
		}
		if !utf8.ValidString(escaped) || strings.ContainsAny(escaped, " +&?#<>\"'\\\x00\x01\n\x7f\uFFFD\uFFFE") {
			t.Errorf("%q is %q", name, escaped)
		}
		folder := objectstore.Folder(container)
		if id, ok := objectstore.ContainerOf(folder); id != container || !ok || strings.Count(folder, "/") != 1 {
			t.Errorf("%q is in %q, which is of %q, %v", container, folder, id, ok)
		}
	})
}
