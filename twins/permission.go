package twins

import (
	"slices"
	"strings"
)

// The permissions that the platform asks for. A role may hold others too: what a
// program invents for itself is granted and asked for in the same way.
//
// A permission that is held at a twin is held at every twin below it. Any
// permission implies PermissionRead; any forms permission implies
// PermissionFormsView, and PermissionFormsFull implies all that are for forms.
const (
	// PermissionRead lets a caller see a twin, its members and its roles.
	PermissionRead = "twins_read"
	// PermissionCreate lets a caller make twins below the twin.
	PermissionCreate = "twins_create"
	// PermissionModify lets a caller change the twin. Only organization
	// administrators delete one.
	PermissionModify = "twins_modify"
	// PermissionManageMembers lets a caller add, change, remove and invite
	// members, with roles whose permissions it holds itself.
	PermissionManageMembers = "members_manage"
	// PermissionManageRoles lets a caller make, change and delete roles of
	// permissions that it holds itself.
	PermissionManageRoles = "roles_manage"

	// The permissions of schedules.
	PermissionSchedulesRead   = "schedules_read"
	PermissionSchedulesModify = "schedules_modify"

	// The permissions of forms.
	PermissionFormsView    = "Forms_ViewAccess"
	PermissionFormsCreate  = "Forms_CreateAccess"
	PermissionFormsModify  = "Forms_ModifyAccess"
	PermissionFormsAssign  = "Forms_AssignAccess"
	PermissionFormsApprove = "Forms_ApproveAccess"
	PermissionFormsComment = "Forms_CommentAccess"
	PermissionFormsDelete  = "Forms_DeleteForms"
	PermissionFormsFull    = "Forms_FullAccess"
	// PermissionFormsDefine lets a caller make, change and secure form
	// definitions. It alone of the forms permissions does not come with
	// PermissionFormsFull.
	PermissionFormsDefine = "Forms_ManageDefinitions"

	// The permissions of reality data.
	PermissionRealityDataCreate = "realitydata_create"
	PermissionRealityDataUse    = "realitydata_use"
	PermissionRealityDataManage = "realitydata_manage"

	// The permissions of models: what transformations need of their source and
	// of their target.
	PermissionModelsRead  = "models_read"
	PermissionModelsWrite = "models_write"

	// PermissionWebhooks lets a service application have webhooks of the twin.
	PermissionWebhooks = "webhooks_maintainer"
)

// PermissionDelete lets a caller delete a twin. No role holds it, the owner's
// neither: it is asked of an authorizer of the program's own alone.
const PermissionDelete = "twins_delete"

// PermissionAll stands for every permission there is. Only the owner role holds
// it.
const PermissionAll = "*"

var permissions = []string{
	PermissionFormsApprove, PermissionFormsAssign, PermissionFormsComment, PermissionFormsCreate, PermissionFormsDelete,
	PermissionFormsFull, PermissionFormsDefine, PermissionFormsModify, PermissionFormsView, PermissionManageMembers, PermissionModelsRead,
	PermissionModelsWrite, PermissionRealityDataCreate, PermissionRealityDataManage, PermissionRealityDataUse,
	PermissionManageRoles, PermissionSchedulesModify, PermissionSchedulesRead, PermissionCreate, PermissionModify,
	PermissionRead, PermissionWebhooks,
}

// Permissions returns the permissions that the platform asks for, in
// alphabetical order.
func Permissions() []string { return slices.Clone(permissions) }

// permissionSet are the permissions that somebody holds.
type permissionSet map[string]bool

const formsPrefix = "Forms_"

// allows reports whether the permission is in the set or implied by it.
func (p permissionSet) allows(permission string) bool {
	switch {
	case p[permission] || p[PermissionAll]:
		return true
	case permission == PermissionRead:
		return len(p) > 0
	case !strings.HasPrefix(permission, formsPrefix):
		return false
	case p[PermissionFormsFull]:
		return permission != PermissionFormsDefine
	case permission != PermissionFormsView:
		return false
	}
	for held := range p {
		if strings.HasPrefix(held, formsPrefix) {
			return true
		}
	}
	return false
}

// wellFormed reports whether a name can be that of a permission.
func wellFormed(permission string) bool {
	if permission == "" || len(permission) > MaxPermission {
		return false
	}
	for _, r := range permission {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune("_-.:", r) {
			return false
		}
	}
	return true
}
