package twins

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Share lets those who have its key read one twin, until it ends or is revoked: what
// SharePermissions are for and its maker may still read, and nothing of the twins below.
type Share struct {
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // null for the system
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Expiration      twinplatform.DateTime   `json:"expiration"`      // when its key is no longer good
	ID              string                  `json:"id"`              // a GUID
	// ShareContract is the set of APIs that it opens: ShareContractDefault.
	ShareContract string `json:"shareContract"`
	// ShareKey is what opens the twin. It is in the answer to the request that made the share
	// alone: what is kept is its digest.
	ShareKey string `json:"shareKey,omitempty"`
	TwinID   string `json:"twinId"` // of the one twin that it opens

	digest string
	maker  *inviter
}

// hiddenShare is what is stored of a share in addition to its wire form. The system's have
// no maker.
type hiddenShare struct {
	Digest *string   `json:"digest"`
	Maker  **inviter `json:"maker,omitempty"`
}

var shareRecords = records.Collection[Share]{
	Name: "shares", Untracked: true,
	ID:     func(s *Share) string { return recordID(s.TwinID, s.ID) },
	Hidden: func(s *Share) any { return &hiddenShare{&s.digest, &s.maker} },
	Indexes: []records.Index[Share]{
		{Name: indexTwin, Value: func(s *Share) string { return s.TwinID }},
	},
}

var shareMissing = problem.NotFound("ShareNotFound", "shareId", "share")

var shareKind = entity.Kind[Share, NewShare, entity.None]{
	Records: &shareRecords, One: "share", Many: "shares", Resource: "share",
	Missing: shareMissing, Bad: &InvalidAccessControlRequest,
	Members: func(s *Share, n *NewShare, _ *entity.None) []entity.Member {
		return []entity.Member{
			entity.Value("expiration", &s.Expiration, &n.Expiration, nil),
			entity.Text("shareContract", &s.ShareContract, &n.ShareContract, nil).Max(MaxText),
		}
	},
}

// SharePermissions are what a share is for: reading.
func SharePermissions() []string {
	return []string{
		twinplatform.PermissionFormsView, twinplatform.PermissionModelsRead,
		twinplatform.PermissionSchedulesRead, PermissionRead,
	}
}

func shareFamily(s *Service) family[Share, NewShare, entity.None] {
	return family[Share, NewShare, entity.None]{
		Kind: &shareKind, s: s, permission: PermissionManageMembers, transition: s.judgeShare, max: MaxShares,
		stamp: func(ctx context.Context, v *Share, twinID string) {
			p, named := twinplatform.PrincipalFrom(ctx)
			if named {
				v.maker = &inviter{p.AccountID, p.Kind, p.AdministratorRoles}
			}
			v.ID, v.TwinID, v.CreatedBy, v.CreatedDateTime = s.env.NewGUID(), twinID, twinplatform.NullString(p.ID),
				s.now()
			if v.Expiration.IsZero() {
				v.Expiration = twinplatform.At(v.CreatedDateTime.Add(MaxShareTime))
			}
		},
	}
}

// judgeShare makes room for a new share in place of those that have ended.
func (s *Service) judgeShare(u *records.Update, j *judge.Judge, t *Twin, _, v *Share) error {
	if v == nil {
		return nil
	}
	for other, err := range shareRecords.All(u, allAccounts, recordID(t.ID, "")) {
		if err != nil {
			return err
		}
		if !s.shared(other) {
			if err := shareRecords.Erase(u, t.scope(), shareRecords.ID(other)); err != nil {
				return err
			}
		}
	}
	return nil
}

// shared reports whether the key of a share is still good. One that a clock that was ahead made
// good for twice as long as the longest is not.
func (s *Service) shared(v *Share) bool {
	left := v.Expiration.Sub(s.env.Now())
	return left > 0 && left <= 2*MaxShareTime
}

// Share returns a share of a twin, without its key. It needs PermissionManageMembers.
//
// Errors: ShareNotFound; twinNotFound; InsufficientPermissions.
func (s *Service) Share(ctx context.Context, twinID, shareID string) (rec twinplatform.Record[Share], err error) {
	if err := s.maySeeShares(ctx, twinID); err != nil {
		return rec, err
	}
	return callsOf(s).shares.get(ctx, twinID, shareID)
}

// maySeeShares fails unless the caller manages the members of a twin: others need not know
// who can read it.
func (s *Service) maySeeShares(ctx context.Context, twinID string) error {
	return s.bench.View(ctx, func(v *records.View, j *judge.Judge) error {
		_, err := permitted(v, j, twinID, PermissionManageMembers)
		return err
	})
}

// ShareQuery selects the shares to list.
type ShareQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many shares from the beginning.
	Skip int
}

// Shares lists the shares of a twin by id, without their keys. It needs
// PermissionManageMembers.
//
// Errors: twinNotFound; InsufficientPermissions; InvalidAccessControlRequest with
// InvalidValue (top, skip).
func (s *Service) Shares(ctx context.Context, twinID string, q ShareQuery) (page twinplatform.Page[Share], err error) {
	if err := s.maySeeShares(ctx, twinID); err != nil {
		return page, err
	}
	return callsOf(s).shares.list(ctx, twinID, q.ListOptions, q.Skip)
}

// NewShare asks for a share.
type NewShare struct {
	// Expiration is in the future, and at most MaxShareTime away; so far away when empty.
	Expiration twinplatform.DateTime `json:"expiration,omitzero"`
	// ShareContract is ShareContractDefault, the only one that there is, also when empty.
	ShareContract string `json:"shareContract,omitempty"`
}

// ShareContractDefault is the contract of a share that opens what SharePermissions are for.
const ShareContractDefault = "Default"

var shareContractMissing = (*problem.Absent)(&twinplatform.Error{
	Kind: twinplatform.NotFound, Code: "ShareContractNotFound", Target: "shareContract",
	Message: "Requested share contract is not available.",
})

// CreateShare makes a share of a twin. The answer alone has its key. It needs
// PermissionManageMembers. The share is worth what its maker may read, as long as that one
// manages the members of the twin.
//
// Errors: InvalidAccessControlRequest with InvalidValue (expiration); ShareContractNotFound; twinNotFound;
// InsufficientPermissions; LimitExceeded for more than MaxShares that have not ended.
func (s *Service) CreateShare(ctx context.Context, twinID string, n NewShare) (res twinplatform.Result[Share],
	err error,
) {
	now := s.env.Now()
	n.ShareContract = cmp.Or(n.ShareContract, ShareContractDefault)
	if at := n.Expiration; !at.IsZero() && (!now.Before(at.Time) || now.Add(MaxShareTime).Before(at.Time)) {
		days := int(MaxShareTime / (24 * time.Hour))
		late := problem.BadValue("expiration", "A share ends in the future, and within %d days.", days)
		return res, problem.With(InvalidAccessControlRequest, late)
	}
	v, err := callsOf(s).shares.requested(ctx, twinID, n)
	if err != nil {
		return res, err
	}
	if v.ShareContract != ShareContractDefault {
		return res, shareContractMissing.Err()
	}
	key := keyOf(v)
	v.digest = digestOf(key)
	if res, err = callsOf(s).shares.createMade(ctx, twinID, v); err != nil {
		return res, err
	}
	return withKey(res, key)
}

// keyOf is a new key of a share: which one it is, and a secret.
func keyOf(v *Share) string {
	var secret [32]byte
	rand.Read(secret[:])
	return keyText.EncodeToString([]byte(v.TwinID+"\n"+v.ID)) + "." + keyText.EncodeToString(secret[:])
}

var keyText = base64.RawURLEncoding

// named is the share that a key names, whether or not it is the key of that share.
func named(key string) (twinID, shareID string, ok bool) {
	name, _, _ := strings.Cut(key, ".")
	text, err := keyText.DecodeString(name)
	if err != nil || len(text) > 2*MaxText {
		return "", "", false
	}
	return strings.Cut(string(text), "\n")
}

// digestOf is what is kept of a key.
func digestOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return keyText.EncodeToString(sum[:])
}

// withKey is a share that was just made with its key, which is not kept.
func withKey(res twinplatform.Result[Share], key string) (twinplatform.Result[Share], error) {
	rec := res.Records[0]
	rec.Value.ShareKey = key
	var err error
	rec.JSON, err = wire.Marshal(&rec.Value)
	return twinplatform.Done(rec), err
}

// DeleteShare revokes a share: from then on its key opens nothing. It needs
// PermissionManageMembers.
//
// Errors: twinNotFound; ShareNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteShare(ctx context.Context, twinID, shareID string, pre ...twinplatform.Precondition) error {
	return callsOf(s).shares.remove(ctx, twinID, shareID, pre)
}

// errNoShare is the error of a key that opens nothing, whatever the reason: it is that of
// credentials that are not there.
var errNoShare = &twinplatform.Error{
	Kind: twinplatform.Unauthenticated, Code: "HeaderNotFound", Message: "The key opens nothing.",
}

// SharePrincipal returns the bearer of the key of a share: its own principal, of no account,
// that reads the one twin (Principal.ReadOnly). What it reads is what the maker of the share
// may read at this moment. It is for the program that authenticates callers.
//
// Errors: HeaderNotFound ([twinplatform.Unauthenticated]) for a key that opens nothing, or
// nothing any more: the share was revoked, has ended, or its maker no longer manages the members
// of the twin.
func (s *Service) SharePrincipal(ctx context.Context, key string) (p twinplatform.Principal, err error) {
	twinID, shareID, ok := named(key)
	if !ok {
		return p, errNoShare
	}
	grant := shareGrant{s, twinID, shareID, digestOf(key)}
	share, target, err := grant.now(ctx)
	if err != nil {
		return p, err
	}
	if share == nil {
		return p, errNoShare
	}
	held, err := s.readsBy(ctx, share, target, SharePermissions())
	if err != nil {
		return p, err
	}
	if len(held) == 0 {
		return p, errNoShare
	}
	return twinplatform.Principal{
		ID: share.ID, DisplayName: "Share", Kind: twinplatform.Shared, Scopes: []string{twinplatform.ScopePlatform},
		ReadOnly: &twinplatform.ReadOnly{TwinID: share.TwinID, Permissions: held, Grant: grant},
	}, nil
}

// shareGrant is what a share opens at each moment. It has no key, for logs.
type shareGrant struct {
	s                       *Service
	twinID, shareID, digest string
}

func (g shareGrant) Good(ctx context.Context) (bool, error) {
	share, _, err := g.now(ctx)
	return share != nil, err
}

func (g shareGrant) Holds(ctx context.Context, permission string) (bool, error) {
	share, target, err := g.now(ctx)
	if err != nil || share == nil {
		return false, err
	}
	held, err := g.s.readsBy(ctx, share, target, []string{permission})
	return len(held) > 0, err
}

// now is the share with its twin, as ctx reads them; nil once it opens nothing.
func (g shareGrant) now(ctx context.Context) (share *Share, target twinplatform.Target, err error) {
	err = g.s.db.View(ctx, func(v *records.View) error {
		share, err = found(shareRecords.Value(v, allAccounts, recordID(g.twinID, g.shareID)))
		if err != nil || share == nil {
			return err
		}
		n, err := found(nodeRecords.Value(v, allAccounts, share.TwinID))
		same := subtle.ConstantTimeCompare([]byte(share.digest), []byte(g.digest)) == 1
		if err != nil || n == nil || !same || !g.s.shared(share) {
			share = nil
			return err
		}
		target = twinplatform.Target{TwinID: n.ID, AccountID: n.account()}
		return nil
	})
	if err != nil {
		share = nil
	}
	return share, target, err
}

// readsBy returns which of some permissions the maker of a share holds now; none where it
// could not make the share any more.
func (s *Service) readsBy(ctx context.Context, share *Share, target twinplatform.Target,
	permissions []string,
) ([]string, error) {
	if share.maker == nil {
		return permissions, nil // the system may do everything
	}
	maker := twinplatform.Principal{
		ID: string(share.CreatedBy), AccountID: share.maker.AccountID,
		Kind: share.maker.Kind, AdministratorRoles: share.maker.Roles,
	}
	now, ok, err := s.env.Present(ctx, maker)
	if err != nil || !ok {
		return nil, err
	}
	ctx = twinplatform.WithPrincipal(ctx, now)
	if manages, err := s.env.Allowed(ctx, PermissionManageMembers, target); err != nil || !manages {
		return nil, err
	}
	var held []string
	for _, permission := range permissions {
		allowed, err := s.env.Allowed(ctx, permission, target)
		if err != nil {
			return nil, err
		}
		if allowed {
			held = append(held, permission)
		}
	}
	return held, nil
}

// findShared finds the one twin that the bearer of a share reads.
func (s *Service) findShared(ctx context.Context, l *listing, reads *twinplatform.ReadOnly) error {
	return s.readable(ctx, l, func(v *records.View) ([]twinplatform.Record[Twin], error) {
		rec, err := twinRecords.Get(v, allAccounts, reads.TwinID)
		if errors.Is(err, records.ErrNotFound) {
			return nil, nil
		}
		if err != nil || !l.matches(&rec.Value) {
			return nil, err
		}
		rec, err = forShare(ctx, rec)
		return []twinplatform.Record[Twin]{rec}, err
	})
}

// forShare is a twin as the caller sees it: to the bearer of a share without the address of
// its image, which would be good longer than the share.
func forShare(ctx context.Context, rec twinplatform.Record[Twin]) (twinplatform.Record[Twin], error) {
	if p, _ := twinplatform.PrincipalFrom(ctx); p.ReadOnly == nil || rec.Value.Image == "" {
		return rec, nil
	}
	rec.Value.Image = ""
	var err error
	rec.JSON, err = wire.Marshal(&rec.Value)
	return rec, err
}

// forgetShares does one step of removing the shares that ended longer ago than anything is
// remembered, and reports whether there are more.
func (s *Service) forgetShares(ctx context.Context) (more bool, err error) {
	if s.env.Retain < 0 {
		return false, nil
	}
	forgotten := s.db.Believed().Add(-s.env.Retain)
	return forgetDue(ctx, s, &shareRecords, func(v *Share) bool { return !v.Expiration.After(forgotten) },
		func(tx records.Reading, v *Share) (records.Scope, error) {
			account, err := s.accountAt(tx, v.TwinID)
			return inAccount(account), err
		})
}
