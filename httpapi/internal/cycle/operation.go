package cycle

import "reflect"

// OperationError is an error that an operation is documented to answer with.
type OperationError struct {
	Status int    // of the answer, such as 404
	Code   string // such as TaskNotFound
	// Target is the parameter of the path that is at fault; empty for what is at
	// fault otherwise.
	Target string
	// Message is an answer that is only a message.
	Message string
}

// Operation is what there is to know about one operation of the API.
type Operation struct {
	// ID is the name of the operation, such as tasks.create. Faults, holds, journals,
	// logs, metrics and documents call it by that.
	ID string
	// SpecID is the id that the specification gives the operation, such as S11; empty
	// where it gives none. Whatever takes an ID takes it as well.
	SpecID string
	// Method and Path are the HTTP method and the path below the base URL,
	// with names in braces: /schedules/{scheduleId}/tasks.
	Method, Path string
	// Summary says in a few words what the operation does.
	Summary string
	// Area is the domain that the operation belongs to.
	Area string
	// Scopes lists the scopes of which the token must carry one. Without any the operation
	// needs no token.
	Scopes []string
	// Permission is what the caller must hold, in words.
	Permission string
	// Query are the query parameters that the operation reads.
	Query []Parameter
	// Headers are the headers that say which part of a list is wanted.
	Headers []Parameter
	// Errors lists the errors that the operation is documented to answer with, by status.
	// Operations fills them in, OperationOf does not.
	Errors []OperationError
	// Conditional reports that the operation changes or deletes records which may be
	// there already, and makes the change only when the headers If-Match and
	// If-None-Match hold of them. Every operation does that is neither a GET nor a POST,
	// and so do those by POST that change what they name. All others refuse If-Match.
	Conditional bool
	// Version is the version in the media type that clients should accept.
	Version int
	// Prefers marks a list that gives whole records instead of short ones to
	// the caller that asks for them with the header Prefer: return=representation.
	Prefers bool
	// Preview marks a technical preview: not for production use.
	Preview bool
	// Deprecated marks what new clients should not use, and Successor is the ID of the
	// operation that takes its place.
	Deprecated bool
	Successor  string
	// Origin is whether the specification has the operation.
	Origin Origin
}

// Is reports whether the name means this operation: its id here, or its id in the
// specification.
func (o *Operation) Is(name string) bool { return name != "" && (name == o.ID || name == o.SpecID) }

// Origin is where an operation comes from.
type Origin string

// The origins of operations.
const (
	// Specified operations are in the specification, and are as it shows them.
	Specified Origin = "specified"
	// Chosen operations are what one needs to fill the platform and to see what is
	// there. Their form was chosen here, as a user of the others would expect it.
	Chosen Origin = "chosen"
	// Unserved operations are known of the platform and not served: those of
	// httpapi.NotImplemented.
	Unserved Origin = "not implemented"
)

// Parameter is a query parameter of an operation, or a header.
type Parameter struct {
	Name        string
	Description string
	Required    bool
	// Number marks a parameter that is a whole number; any other is text.
	Number bool

	traits Traits
}

// Traits are what the handler knows of a parameter beyond what it publishes.
type Traits struct {
	// Type is the Go type of the value; nil means a text. Clients give a list with commas
	// between its values, or repeat the parameter for each, or both.
	Type   reflect.Type
	Alias  string // another name
	Target string // what errors of services call it, where it is a header
	Most   int    // of a number in a header, which is 1 or more
	Refers string // the collection whose records it names, where neither its name nor a row says it
	All    string // the value with which a list has all records; empty: it has without one
}

// WithTraits is a parameter that has traits.
func WithTraits(p Parameter, t Traits) Parameter {
	p.traits = t
	return p
}

// TraitsOf returns the traits of a parameter, which programs outside this module cannot
// read.
func TraitsOf(p *Parameter) *Traits { return &p.traits }

// Enumerates reports whether a parameter takes words of an enumeration.
func Enumerates(p *Parameter) bool {
	t := p.traits.Type
	if t == nil {
		return false
	}
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.String && t.PkgPath() != ""
}

// TakesExpression reports whether a parameter takes an expression that names members.
func TakesExpression(p *Parameter) bool {
	switch option(p.Name) {
	case option("$filter"), option("$orderby"), option("select"):
		return true
	}
	return false
}
