package forms

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// SourceEntity is what outside the platform a form is about: a file or an
// element of a model, not both.
type SourceEntity struct {
	ModelElement twinplatform.Optional[ModelElement] `json:"modelElement,omitzero"` // one of the two is given
	StorageFile  twinplatform.Optional[StorageFile]  `json:"storageFile,omitzero"`  // one of the two is given
}

// StorageFile is a file in a storage. It is given whole: a patch replaces it.
type StorageFile struct {
	// FileID is required.
	FileID   string                        `json:"fileId"`
	FileName twinplatform.Optional[string] `json:"fileName,omitzero"`  // up to MaxText characters
	FolderID string                        `json:"folderId,omitempty"` // up to MaxText characters
}

// ModelElement is an element of a model, or several. It is given whole: a patch
// replaces it.
type ModelElement struct {
	ChangeSetID string `json:"changeSetId,omitempty"` // up to MaxText characters
	// ElementID is a hexadecimal id, several separated by spaces, or a
	// presentation key. Required.
	ElementID string `json:"elementId"`
	// ModelID is required.
	ModelID   string                        `json:"modelId"`
	ModelName twinplatform.Optional[string] `json:"modelName,omitzero"` // up to MaxText characters
}

func (SourceEntity) cleared() SourceEntity {
	return SourceEntity{twinplatform.Null[ModelElement](), twinplatform.Null[StorageFile]()}
}

func (e *SourceEntity) check(c *problem.Checks) {
	f, file := e.StorageFile.Get()
	m, element := e.ModelElement.Get()
	if file {
		c.Need("sourceEntity.storageFile.fileId", f.FileID, MaxText)
		c.AtMost("sourceEntity.storageFile.folderId", f.FolderID, MaxText)
		c.AtMost("sourceEntity.storageFile.fileName", f.FileName.Or(""), MaxText)
	}
	if element {
		c.Need("sourceEntity.modelElement.modelId", m.ModelID, MaxText)
		c.Need("sourceEntity.modelElement.elementId", m.ElementID, MaxDescription)
		c.AtMost("sourceEntity.modelElement.changeSetId", m.ChangeSetID, MaxText)
		c.AtMost("sourceEntity.modelElement.modelName", m.ModelName.Or(""), MaxText)
	}
	if file && element {
		c.Bad("sourceEntity", "A form has one source: a storageFile or a modelElement.")
	}
}

// merge takes over what was sent. One source takes the place of the other.
func (e *SourceEntity) merge(sent *SourceEntity) {
	_, file := sent.StorageFile.Get()
	_, element := sent.ModelElement.Get()
	if file || element {
		*e = SourceEntity{}
	}
	merge(&e.ModelElement, sent.ModelElement)
	merge(&e.StorageFile, sent.StorageFile)
}
