package platform

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The account that a record belongs to follows from its key alone, or, in a scope that
// holds the records of many, from the account, the twin or the form that the record names.
// So it is known for stores of every version, at any time, to every reader.

// accountScopes are the divided scopes whose parts are accounts.
var accountScopes = map[string]bool{
	"schedules": true, "twins": true, "twin-people": true, "formdefinitions": true,
	"realitydata": true, "transform": true, "webhooks": true, "bytes": true,
}

// markedScopes are what the names of scopes begin with that NewScope made within those of
// an account.
var markedScopes = []string{"schedule", "model", "webhook", "plannerimport"}

// namesScopes are the scopes of accounts that those are named after.
var namesScopes = map[string]bool{"schedules": true, "transform": true, "webhooks": true}

// upkeepScopes hold what the platform writes for itself.
var upkeepScopes = map[string]bool{
	"zended": true, "outbox": true, "platform": true, "webhookmessages": true, "webhookturns": true,
	"twin-exports": true, "bytes": true, "markends": true,
}

// upkeepCollections names the collections that only upkeep uses and that lie in scopes of
// other records.
var upkeepCollections = map[string]bool{
	records.Operations: true, "removals": true, "removal-counts": true, "epochs": true, "epoch": true,
	"intake": true, "partial": true, "rescheduling-due": true, "indexing": true,
}

// place is a key taken apart.
type place struct {
	scope, collection, table, rest string
}

func placeOf(key string) (p place) {
	p.scope, key, _ = strings.Cut(key, "/")
	p.collection, key, _ = strings.Cut(key, "/")
	p.table, p.rest, _ = strings.Cut(key, "/")
	return p
}

// whose reports what the ledger is to know of a record.
func whose(key string, value []byte) records.Share {
	var share records.Share
	if share.Of = records.Marked(key, "schedule"); share.Of.Kind != records.NoOwner {
		share.ByKey = true // as most are
		return share
	}
	p := placeOf(key)
	switch {
	case accountScopes[p.scope]:
		p.inAccounts(value, &share)
	case p.scope == "outbox":
		share.ByKey = true
		if p.collection == "a" || p.collection == "0rev" {
			share.Of = inKey(p.table)
		}
	case p.scope == "zended":
		share.Of, share.ByKey = endedOf(key, value), true
	case p.scope == "forms":
		p.places(value, &share)
	case p.scope == "plannerfiles":
		p.plannerFile(value, &share)
	default:
		share.Of, share.ByKey = p.inScope(), true
		p.uploads(&share)
	}
	return share
}

// upkeep reports whether a record is the platform's own. A tombstone is, and so is what
// orders and finds records.
func upkeep(key string) bool {
	p := placeOf(key)
	return p.table != "r" || upkeepScopes[p.scope] || upkeepCollections[p.collection] ||
		strings.HasPrefix(p.scope, "jobs-") || strings.HasPrefix(p.scope, "webhook-")
}

// inScope returns the owner of a scope that belongs to one owner as a whole.
func (p place) inScope() records.Owner {
	for _, prefix := range markedScopes {
		if o := records.Marked(p.scope, prefix); o.Kind != records.NoOwner {
			return o
		}
	}
	if twin, ok := strings.CutPrefix(p.scope, "forms-"); ok {
		return records.Owner{Kind: records.TwinOwner, Name: twin}
	}
	for _, prefix := range [...]string{"form-", "formfile-", "twinimage-", "viewimage-", "plannerfile-"} {
		if strings.HasPrefix(p.scope, prefix) {
			return records.Owner{Kind: records.PlaceOwner, Name: p.scope}
		}
	}
	return records.Owner{}
}

// inKey is an account as keys name it.
func inKey(account string) records.Owner {
	if account == "" {
		return records.Owner{}
	}
	return records.Owner{Kind: records.AccountOwner, Name: account}
}

// inAccounts says whose a record is in a scope whose parts are accounts. The indexes there
// name no account and count to the store alone.
func (p place) inAccounts(value []byte, share *records.Share) {
	switch {
	case p.collection == "0rev":
		share.Of, share.ByKey = inKey(p.table), true
		if p.table != "" && namesScopes[p.scope] {
			// What NewScope made there is named after it.
			share.Tells = records.MarkOf(records.Scope(p.scope + "#").Of(p.table))
			share.Whose = share.Of
		}
	case p.table == "o" || p.table == "purged":
		account, _, _ := strings.Cut(p.rest, "/")
		share.Of, share.ByKey = inKey(account), true
	case p.table != "r" && p.table != "t":
		share.ByKey = true
	case p.scope == "twins":
		p.ofTwin(value, share)
	case p.scope == "transform" && (p.collection == "view-images" || p.collection == "view-extensions"):
		account, _, _ := strings.Cut(p.rest, "/")
		share.Of, share.ByKey = inKey(account), true
		p.image("viewimage-", value, share)
	default:
		share.Of = records.AccountOf(firstMember("accountId", value))
	}
}

// ofTwin finds the owner of a record whose key names its twin.
func (p place) ofTwin(value []byte, share *records.Share) {
	switch p.collection {
	case "twins", "roles", "members", "invitations", "images", "repositories", "repository-resources", "removals",
		"groups", "group-members", "shares":
		twin, _, _ := strings.Cut(p.rest, "/")
		share.Of, share.ByKey = records.Owner{Kind: records.TwinOwner, Name: twin}, true
		switch {
		case p.collection == "images":
			p.image("twinimage-", value, share)
		case p.collection == "twins" && p.table == "r":
			share.Tells, share.Whose, share.ByKey = share.Of, records.AccountOf(accountOfTwin(twin, value)), false
		}
	case "group-people":
		account, _, _ := strings.Cut(p.rest, "/")
		share.Of, share.ByKey = inKey(account), true
	default:
		share.ByKey = true
	}
}

// accountOfTwin is the account that a stored twin is in, or is.
func accountOfTwin(id string, value []byte) string {
	if firstMember("class", value) == "Account" {
		return id
	}
	return firstMember("twinAccountId", value)
}

// image returns whose the bytes of an image are.
func (p place) image(prefix string, value []byte, share *records.Share) {
	if share.Of.Kind == records.NoOwner || !strings.HasSuffix(p.collection, "images") {
		return
	}
	share.ByKey = false
	share.Tells, share.Whose = records.Owner{Kind: records.PlaceOwner, Name: prefix + firstMember("id", value)},
		share.Of
}

// places maps a form to its twin.
func (p place) places(value []byte, share *records.Share) {
	if p.collection != "places" || p.table != "r" {
		return
	}
	share.Of = records.Owner{Kind: records.TwinOwner, Name: firstMember("twinId", value)}
	share.Tells, share.Whose = records.Owner{Kind: records.PlaceOwner, Name: "form-" + p.rest}, share.Of
}

// uploads maps the bytes of an attachment to its form.
func (p place) uploads(share *records.Share) {
	if p.collection != "uploads" || p.table != "r" || !strings.HasPrefix(p.scope, "form-") {
		return
	}
	if _, content, ok := strings.Cut(p.rest, "/"); ok {
		share.Tells, share.Whose = records.Owner{Kind: records.PlaceOwner, Name: "formfile-" + content}, share.Of
	}
}

// plannerFile returns whose a planner file is.
func (p place) plannerFile(value []byte, share *records.Share) {
	if p.collection != "files" || p.table != "r" {
		return
	}
	share.Of = records.Marked(firstMember("holder", value), "schedule")
	share.Tells, share.Whose = records.Owner{Kind: records.PlaceOwner, Name: "plannerfile-" + p.rest}, share.Of
}

// endedOf is whose an entry in the queue of what has ended is: that of the part that it
// names, or of the scope of its key.
func endedOf(key string, value []byte) records.Owner {
	_, of, _ := strings.Cut(strings.TrimPrefix(key, "zended/"), "/")
	p := placeOf(of)
	if !accountScopes[p.scope] {
		return p.inScope()
	}
	if len(value) < 2 {
		return records.Owner{}
	}
	return records.AccountOf(string(value[1:]))
}

// firstMember is the first text of a name in a stored record: the part that is not on the wire
// comes first. A quotation mark in a text is escaped, so that no text can pass for a name.
func firstMember(name string, value []byte) string {
	at := bytes.Index(value, []byte(`"`+name+`":"`))
	if at < 0 {
		return ""
	}
	text := value[at+len(name)+3:]
	end := 1 + bytes.IndexByte(text[1:], '"')
	if end == 0 || bytes.IndexByte(text[:end], '\\') < 0 {
		return string(text[1:max(end, 1)])
	}
	var whole string
	_ = json.NewDecoder(bytes.NewReader(text)).Decode(&whole)
	return whole
}
