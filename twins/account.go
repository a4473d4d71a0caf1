package twins

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TwinAccount returns the account that a twin belongs to, and whether there is
// such a twin. It asks for no permission: it is the directory that the other
// domains look twins up in.
func (s *Service) TwinAccount(ctx context.Context, twinID string) (accountID string, ok bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		n, err := found(nodeRecords.Value(v, allAccounts, twinID))
		if ok = n != nil; ok {
			accountID = n.account()
		}
		return err
	})
	return accountID, ok, err
}

// TwinDataCenter returns the data center of a twin, or nothing where there is no such
// twin. It asks for no permission, like TwinAccount.
func (s *Service) TwinDataCenter(ctx context.Context, twinID string) (location string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		t, err := found(twinRecords.Value(v, allAccounts, twinID))
		if t != nil {
			location = string(t.DataCenterLocation)
		}
		return err
	})
	return location, err
}

// Account returns the account that a twin belongs to (GET /twins/{id}/account),
// to everybody who may see the twin.
//
// Errors: twinNotFound, also for a twin that belongs to no account.
func (s *Service) Account(ctx context.Context, twinID string) (rec twinplatform.Record[Twin], err error) {
	err = s.read(ctx, twinID, func(v *records.View, twin twinplatform.Record[Twin]) error {
		rec, err = twinRecords.Get(v, inAccount(twin.Value.account()), twin.Value.account())
		return twinMissing.Or(err)
	})
	return rec, err
}

// PrimaryAccount returns the account of the caller (GET /twins/myprimaryaccount),
// and makes its twin if that was not needed before.
//
// Errors: twinNotFound for a caller that belongs to no account, such as the
// system.
func (s *Service) PrimaryAccount(ctx context.Context) (rec twinplatform.Record[Twin], err error) {
	p, _ := twinplatform.PrincipalFrom(ctx)
	if p.AccountID == "" {
		return rec, twinMissing.Err()
	}
	get := func(tx records.Reading) error {
		rec, err = twinRecords.Get(tx, inAccount(p.AccountID), p.AccountID)
		return err
	}
	err = s.db.View(ctx, func(v *records.View) error { return get(v) })
	if errors.Is(err, records.ErrNotFound) {
		err = s.change(ctx, func(u *records.Update, _ *judge.Judge) error {
			if err := s.ensureAccount(u, p.AccountID, twinplatform.NullString(p.ID), p.Kind); err != nil {
				return err
			}
			return get(u)
		})
	}
	return rec, err
}

// ensureAccount makes the twin of an account unless it is there, as made by who
// needs it first. The account itself existed before, so that no event reports it.
func (s *Service) ensureAccount(u *records.Update, accountID string, by twinplatform.NullString,
	kind twinplatform.PrincipalKind,
) error {
	has, err := twinRecords.Has(u, inAccount(accountID), accountID)
	if has || err != nil {
		return err
	}
	now := s.now()
	t := &Twin{
		Class: Account, SubClass: AccountTwin, ID: accountID, DisplayName: accountID, Number: accountID,
		DataCenterLocation: EastUS, Status: Active, CreatedDateTime: now, LastModifiedDateTime: now,
		CreatedBy: by, LastModifiedBy: by, CreatedByType: kind,
	}
	if _, err := twinKind.Insert(u, t.scope(), t, &problem.Checks{}); err != nil {
		return err
	}
	_, err = s.insertOwnerRole(u, t)
	return err
}
