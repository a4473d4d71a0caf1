package storage

import "context"

// contentionKey is the key of the hint in a context.
type contentionKey struct{}

// WithContention reports of the Updates made with the context that they are about to change
// what others with the same key change too, such as one schedule. It is a hint: an engine
// whose transactions race may let those of a key run one after the other while they meet,
// so that none of them is run again, or make those that wait in one transaction, each over what
// those before it have written. Engines with one writer have no use for it.
func WithContention(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, contentionKey{}, key)
}

// Contention returns the key that WithContention has given, for engines; "" when there
// is none.
func Contention(ctx context.Context) string {
	key, _ := ctx.Value(contentionKey{}).(string)
	return key
}
