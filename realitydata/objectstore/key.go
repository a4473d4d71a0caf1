package objectstore

import (
	"encoding/base64"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of names, in bytes.
const (
	maxKey    = 1_024 // S3's
	maxPrefix = 256
)

const (
	alphanumeric     = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	prefixCharacters = alphanumeric + "-_./"
	plain            = alphanumeric + "-_.()/" // stand for themselves in the name of an object
	containerPrefix  = "c-"
)

// folder is what the names of a container's objects begin with.
func (b *Bucket) folder(containerID string) string {
	return b.cfg.Prefix + containerPrefix + base64.RawURLEncoding.EncodeToString([]byte(containerID)) + "/"
}

// containerOf is the container whose folder, of which the prefix is cut off, this is.
func containerOf(folder string) (containerID string, ok bool) {
	encoded, ok := strings.CutPrefix(folder, containerPrefix)
	id, err := base64.RawURLEncoding.DecodeString(strings.TrimSuffix(encoded, "/"))
	return string(id), ok && err == nil
}

// key is the name of the object that has a file.
func (b *Bucket) key(containerID, name string) (string, error) {
	key := b.folder(containerID) + escape(name)
	if len(key) > maxKey {
		return "", fs.ErrInvalid
	}
	return key, nil
}

// escape writes the path of a file so that it survives addresses, XML and consoles, and
// no two alike.
func escape(name string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for i, r := range name {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(name[i:])
		}
		switch {
		case r < utf8.RuneSelf && strings.ContainsRune(plain, r), r > utf8.RuneSelf && r != utf8.RuneError &&
			unicode.IsPrint(r):
			out.WriteString(name[i : i+size])
		default:
			for _, c := range []byte(name[i : i+size]) {
				out.WriteByte('!')
				out.WriteByte(hex[c>>4])
				out.WriteByte(hex[c&15])
			}
		}
	}
	return out.String()
}

// unescape is the path of a file of which escape made this.
func unescape(escaped string) (name string, ok bool) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(escaped, "!")
		out.WriteString(before)
		if !found {
			return out.String(), true
		}
		if len(after) < 2 {
			return "", false
		}
		c, err := strconv.ParseUint(after[:2], 16, 8)
		if err != nil {
			return "", false
		}
		out.WriteByte(byte(c))
		escaped = after[2:]
	}
}
