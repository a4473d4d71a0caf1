package models

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Limits of the extensions of a saved view.
const (
	MaxViewExtensions = 20      // of one view
	MaxExtensionData  = 100_000 // characters of one extension
)

// ViewExtension is what a program keeps with a saved view besides what the platform
// knows of it.
type ViewExtension struct {
	Data          string `json:"data"`          // opaque; up to MaxExtensionData characters
	ExtensionName string `json:"extensionName"` // 1 to MaxName characters; unique within the view

	viewKey string
}

// ExtensionOfView is an extension as its saved view shows it.
type ExtensionOfView struct {
	ExtensionName string `json:"extensionName"`
}

type hiddenExtension struct {
	ViewKey *string `json:"viewKey"`
}

var viewExtensionRecords = records.Collection[ViewExtension]{
	Name: "view-extensions", Untracked: true,
	ID:     func(e *ViewExtension) string { return extensionKey(e.viewKey, e.ExtensionName) },
	Hidden: func(e *ViewExtension) any { return &hiddenExtension{&e.viewKey} },
}

// extensionKey is the id of the record of an extension. Names may hold anything, a
// slash too.
func extensionKey(viewKey, name string) string { return records.Join(viewKey, url.PathEscape(name)) }

// NewViewExtension asks for an extension of a saved view.
type NewViewExtension struct {
	// ExtensionName is required and has at most 255 characters.
	ExtensionName string `json:"extensionName"`
	// Data is required and has at most MaxExtensionData characters.
	Data string `json:"data"`
}

var viewExtensionKind = entity.Kind[ViewExtension, NewViewExtension, none]{
	Records: &viewExtensionRecords, One: "extension", Many: "extensions", Resource: "extension",
	Missing: problem.NotFound("SavedViewExtensionNotFound", "extensionName", "extension of the saved view"),
	Bad:     &InvalidSavedViewRequest,
	Members: func(e *ViewExtension, n *NewViewExtension, _ *none) []entity.Member {
		return []entity.Member{
			entity.Text("extensionName", &e.ExtensionName, &n.ExtensionName, nil).Max(MaxName).Required(),
			entity.Text("data", &e.Data, &n.Data, nil).Max(MaxExtensionData).Required(),
		}
	},
}

// SetViewExtension gives a saved view an extension, in place of the one of the same name
// if it has that (PUT /saved-views/{savedViewId}/extensions). It needs
// PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (extensionName, data) or
// InvalidValue; SavedViewNotFound; InsufficientPermissions; LimitExceeded for more than
// MaxViewExtensions; VersionMismatch.
func (s *Service) SetViewExtension(ctx context.Context, savedViewID string, n NewViewExtension,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[ViewExtension], err error) {
	e, err := viewExtensionKind.Make(n)
	if err != nil {
		return res, err
	}
	return judge.Write(ctx, s.bench,
		func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[ViewExtension], err error) {
			c := caller{Judge: j, s: s, tx: u}
			c.expectExtension(savedViewID, e.ExtensionName)
			p, err := savedViews.changeable(c, savedViewID)
			if err != nil {
				return rec, err
			}
			if err := viewExtensionRecords.CheckPut(u, p.scope(), extensionKey(p.key(), e.ExtensionName),
				twinplatform.ConditionOf(pre...)); err != nil {
				return rec, problem.Precondition(err)
			}
			_, err = savedViewRecords.Modify(u, p.scope(), p.key(), "", func(v *SavedView) error {
				at, has := v.extension(e.ExtensionName)
				if !has && len(v.Extensions) == MaxViewExtensions {
					return problem.Conflict("LimitExceeded", "savedViewId",
						"The saved view has reached its limit of extensions.")
				}
				if !has {
					v.Extensions = slices.Insert(v.Extensions, at, ExtensionOfView{e.ExtensionName})
				}
				return nil
			})
			if err != nil {
				return rec, err
			}
			e.viewKey = p.key()
			return viewExtensionRecords.Put(u, p.scope(), &e)
		})
}

// extension is where a view has an extension of a name, or would have it.
func (v *SavedView) extension(name string) (at int, has bool) {
	return slices.BinarySearchFunc(v.Extensions, name,
		func(e ExtensionOfView, name string) int { return strings.Compare(e.ExtensionName, name) })
}

// ViewExtension returns an extension of a saved view (GET
// /saved-views/{savedViewId}/extensions/{extensionName}). It needs PermissionModelsRead
// on the model or its twin. Errors: SavedViewNotFound; SavedViewExtensionNotFound.
func (s *Service) ViewExtension(ctx context.Context, savedViewID,
	extensionName string,
) (twinplatform.Record[ViewExtension], error) {
	return read(ctx, s, func(c caller) (rec twinplatform.Record[ViewExtension], err error) {
		c.expectExtension(savedViewID, extensionName)
		p, err := savedViews.visible(c, savedViewID)
		if err != nil {
			return rec, err
		}
		return viewExtensionKind.Get(c.tx, p.scope(), extensionKey(p.key(), extensionName))
	})
}

// ViewExtensionQuery selects the extensions of a saved view to list.
type ViewExtensionQuery struct {
	twinplatform.ListOptions
}

// ViewExtensions lists the extensions of a saved view by name (GET
// /saved-views/{savedViewId}/extensions). It needs PermissionModelsRead on the model or
// its twin.
//
// Errors: SavedViewNotFound; InvalidSavedViewRequest with InvalidValue (top,
// continuation).
func (s *Service) ViewExtensions(ctx context.Context, savedViewID string,
	q ViewExtensionQuery,
) (twinplatform.Page[ViewExtension], error) {
	return read(ctx, s, func(c caller) (page twinplatform.Page[ViewExtension], err error) {
		_, own := savedViews.calledBy(c, savedViewID)
		query := records.Query[ViewExtension]{ListOptions: q.ListOptions, Prefix: records.Join(own, "")}
		records.Declare(c.tx, viewExtensionRecords.NeedsOfList(c.tx, area.AllAccounts, query)...)
		p, err := savedViews.visible(c, savedViewID)
		if err != nil {
			return page, err
		}
		return viewExtensionKind.List(c.tx, p.scope(), problem.Paging{MaxTop: MaxTop},
			records.Query[ViewExtension]{ListOptions: q.ListOptions, Prefix: records.Join(p.key(), "")})
	})
}

// DeleteViewExtension removes an extension of a saved view (DELETE
// /saved-views/{savedViewId}/extensions/{extensionName}). It needs PermissionModelsWrite
// on the model or its twin.
//
// Errors: SavedViewNotFound; SavedViewExtensionNotFound; InsufficientPermissions;
// VersionMismatch.
func (s *Service) DeleteViewExtension(ctx context.Context, savedViewID, extensionName string,
	pre ...twinplatform.Precondition,
) error {
	return s.update(ctx, func(u *records.Update, c caller) error {
		c.expectExtension(savedViewID, extensionName)
		p, err := savedViews.changeable(c, savedViewID)
		if err != nil {
			return err
		}
		if err := viewExtensionRecords.Check(u, p.scope(), extensionKey(p.key(), extensionName),
			twinplatform.ConditionOf(pre...)); err != nil {
			return viewExtensionKind.Missing.Or(err)
		}
		_, err = savedViewRecords.Modify(u, p.scope(), p.key(), "", func(v *SavedView) error {
			at, has := v.extension(extensionName)
			if has {
				v.Extensions = slices.Delete(v.Extensions, at, at+1)
			}
			return viewExtensionKind.Missing.Unless(has, nil)
		})
		if err != nil {
			return err
		}
		return viewExtensionRecords.Erase(u, p.scope(), extensionKey(p.key(), extensionName))
	})
}

// clearView removes what belongs to a view: its extensions and its image.
func clearView(u *records.Update, s records.Scope, viewKey string) error {
	v, err := savedViewRecords.Value(u, s, viewKey)
	if err != nil {
		return err
	}
	for _, e := range v.Extensions {
		if err := viewExtensionRecords.Erase(u, s, extensionKey(viewKey, e.ExtensionName)); err != nil {
			return err
		}
	}
	return eraseViewImage(u, s, viewKey)
}
