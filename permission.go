package twinplatform

// The permissions that the platform asks for, as roles hold them. Each is held at a twin
// and at every twin below it; organization administrators hold all of them. What each
// allows is documented where it is checked, in the package of the area, which has its own
// constant for it.
const (
	PermissionTwinsRead     = "twins_read"
	PermissionTwinsCreate   = "twins_create"
	PermissionTwinsModify   = "twins_modify"
	PermissionManageMembers = "members_manage"
	PermissionManageRoles   = "roles_manage"

	PermissionSchedulesRead   = "schedules_read"
	PermissionSchedulesModify = "schedules_modify"

	PermissionFormsView    = "Forms_ViewAccess"
	PermissionFormsCreate  = "Forms_CreateAccess"
	PermissionFormsModify  = "Forms_ModifyAccess"
	PermissionFormsAssign  = "Forms_AssignAccess"
	PermissionFormsApprove = "Forms_ApproveAccess"
	PermissionFormsComment = "Forms_CommentAccess"
	PermissionFormsDelete  = "Forms_DeleteForms"
	PermissionFormsFull    = "Forms_FullAccess"
	PermissionFormsDefine  = "Forms_ManageDefinitions"

	PermissionRealityDataCreate = "realitydata_create"
	PermissionRealityDataUse    = "realitydata_use"
	PermissionRealityDataManage = "realitydata_manage"

	PermissionModelsRead  = "models_read"
	PermissionModelsWrite = "models_write"

	PermissionWebhooks = "webhooks_maintainer"
)
