package records

import "strings"

// Wire takes what a store holds under a key for a record and returns where it
// belongs and the JSON that answers carry; ok is false for whatever else there is,
// tombstones included. The JSON is as it was last written: a record of an earlier
// version of its type is not lifted. An id that is too long for a key is shortened.
func Wire(key string, stored []byte) (collection string, s Scope, id string, wire []byte, ok bool) {
	part := strings.SplitN(key, "/", 4)
	if len(part) < 4 || part[2] != "r" {
		return "", "", "", nil, false
	}
	e, err := open(stored)
	return part[1], Scope(part[0]), part[3], e.wire, err == nil && !e.proposed()
}

// Live says of which collection and scope a key holds a record that is not deleted; ok
// is false for any other key.
func Live(key string) (collection string, s Scope, ok bool) {
	scope, rest, _ := strings.Cut(key, "/")
	collection, rest, _ = strings.Cut(rest, "/")
	return collection, Scope(scope), strings.HasPrefix(rest, liveTable+"/")
}
