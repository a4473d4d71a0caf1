package storage

import "context"

// accountKey is the key of the account in a context.
type accountKey struct{}

// WithAccount reports of the transactions made with the context which account they are
// made for. A store over several others, each of which has accounts of its own, chooses by it;
// see the folder shards. A single engine has no use for it.
func WithAccount(ctx context.Context, account string) context.Context {
	return context.WithValue(ctx, accountKey{}, account)
}

// Account returns the account that WithAccount has given; "" when there is none.
func Account(ctx context.Context) string {
	account, _ := ctx.Value(accountKey{}).(string)
	return account
}

// Divided is implemented by stores over several others, each of which has accounts of its
// own.
type Divided interface {
	Store

	// Parts returns a store for each of them, whatever account a context names. Work that
	// no account asks for, such as what runs in the background, is done in each part. The
	// parts are closed with the whole.
	Parts() []Store
	// PartOf returns the part of an account, which gets one if it has none yet.
	PartOf(ctx context.Context, account string) (Store, error)
}

// Parts are those of a store that is divided; none for others.
func Parts(s Store) []Store {
	if d, ok := s.(Divided); ok {
		return d.Parts()
	}
	return nil
}
