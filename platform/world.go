package platform

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// World is twins and what they hold, as a seed file says it: a JSON object with
// any of these lists. What is in them has the form of the create requests of the
// REST API, with an id and what only the platform itself may choose.
//
// It is applied in this order, so that each may name what is before it. It holds what
// records are, not how they came to be: operations, audit trails, deliveries, tombstones
// and revisions begin with the seeding. Webhooks, invitations, favorites, recents,
// comments, attachments, images, exports, the bytes of reality data and transformations
// that have not ended are not in it.
type World struct {
	Twins        []Twin        `json:"twins,omitempty"`        // parents may come after their children
	Roles        []Role        `json:"roles,omitempty"`        // the automatic ones are not among them
	Members      []Member      `json:"members,omitempty"`      // of a role above and of the automatic ones
	Groups       []Group       `json:"groups,omitempty"`       // of people, of a twin above
	GroupMembers []GroupMember `json:"groupMembers,omitempty"` // of groups and roles above
	Repositories []Repository  `json:"repositories,omitempty"` // of a twin above
	// RepositoryResources are of a repository above.
	RepositoryResources []RepositoryResource `json:"repositoryResources,omitempty"`
	// of a twin above, each with all that it holds
	Models         []Model         `json:"models,omitempty"`
	SavedViews     []SavedView     `json:"savedViews,omitempty"`     // of a model above
	Configurations []Configuration `json:"configurations,omitempty"` // of transformations, between models above
	// their status is reached after their forms are there
	FormDefinitions []FormDefinition `json:"formDefinitions,omitempty"`
	Forms           []Form           `json:"forms,omitempty"`       // of a definition above
	RealityData     []RealityData    `json:"realityData,omitempty"` // their records, without bytes
	Detectors       []Detector       `json:"detectors,omitempty"`   // the published ones are made last
	Schedules       []Schedule       `json:"schedules,omitempty"`   // each with all that it holds
}

// Twin is a twin in its documented form, as GET /twins/{twinId} shows it. Its image is
// passed over. The class is Endeavor and the display name the id where they are missing.
type Twin struct {
	twins.NewTwin
	// ID is a GUID; that of an account is what its principals have.
	ID string `json:"id"`
	// TwinAccountID is the account of SeedOptions.Owner when empty. Null says
	// that the twin belongs to none.
	TwinAccountID twinplatform.Optional[string] `json:"twinAccountId,omitzero"`
	// CreatedDateTime is the moment of the seeding when left out, and none when null.
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`

	// CreatedBy is SeedOptions.Owner when left out, and not known when null.
	CreatedBy twinplatform.Optional[string] `json:"createdBy,omitzero"`
	// LastModifiedBy and LastModifiedDateTime repeat who created it and when if they are
	// left out, and are not known when null.
	LastModifiedBy       twinplatform.Optional[string]                `json:"lastModifiedBy,omitzero"`
	LastModifiedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"lastModifiedDateTime,omitzero"`

	Image     json.RawMessage `json:"image,omitempty"`
	ImageName json.RawMessage `json:"imageName,omitempty"`
}

// Role is a role of a twin. Within a world it is known by its display name.
type Role struct {
	TwinID string `json:"twinId"` // required
	twins.NewRole
}

// Member is a member of a twin. Roles names roles of the twin by their display
// names; the automatic one is called Owner.
type Member struct {
	TwinID string   `json:"twinId"` // required
	Roles  []string `json:"roles"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	// of the principal; that of the twin when empty
	AccountID string `json:"accountId,omitempty"`
	twins.NewMember
}

// Group is a group of people of a twin.
type Group struct {
	TwinID string `json:"twinId"` // required
	ID     string `json:"id"`     // a GUID
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	Name            string                                       `json:"name"`
	Description     twinplatform.NullString                      `json:"description"`
	Members         []twins.GroupPerson                          `json:"members"`
}

// GroupMember is a group that has roles at a twin. Roles names roles of the twin by their
// display names.
type GroupMember struct {
	TwinID  string `json:"twinId"`  // required
	GroupID string `json:"groupId"` // required
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	Roles           []string                                     `json:"roles"`
}

// Repository is a repository of a twin.
type Repository struct {
	TwinID string `json:"twinId"` // required
	ID     string `json:"id"`     // a GUID
	twins.NewRepository
}

// RepositoryResource is a resource of a repository. Its id is unique within that.
type RepositoryResource struct {
	TwinID       string `json:"twinId"`       // required
	RepositoryID string `json:"repositoryId"` // required
	twins.NewRepositoryResource
}

// FormDefinition is a form definition. Its status is reached after the forms of
// the world are there, so that forms of an archived definition may be among them.
type FormDefinition struct {
	ID string `json:"id"` // required; no other of the world has it
	forms.NewFormDefinition
	// Security has the twins in which not the permissions on the twin decide.
	Security []FormSecurity `json:"security,omitempty"`
}

// FormSecurity is the security of a form definition in a twin.
type FormSecurity struct {
	TwinID string `json:"twinId"` // a twin where the definition can be used
	forms.Security
}

// Form is a form; its formId names its definition.
type Form struct {
	ID string `json:"id"` // required; no other of the world has it
	forms.NewForm
	// Number is the next one when empty.
	Number string `json:"number,omitempty"`
	// CreatedBy and LastModifiedBy are names, with the ids of the principals where they are
	// known. Without CreatedBy the platform itself created it; without LastModifiedBy the
	// one who created it changed it last.
	CreatedBy        string `json:"createdBy,omitempty"`
	CreatedByID      string `json:"createdById,omitempty"`
	LastModifiedBy   string `json:"lastModifiedBy,omitempty"`
	LastModifiedByID string `json:"lastModifiedById,omitempty"`
	// LastModifiedDateTime is CreatedDateTime when left out, and none when null.
	LastModifiedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"lastModifiedDateTime,omitzero"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
}

// RealityData is reality data. TwinID names the twin it was made for, TwinIDs all twins
// that it belongs to; without either it belongs to the account alone.
type RealityData struct {
	ID string `json:"id"` // a GUID
	realitydata.NewRealityData
	TwinIDs   []string `json:"twinIds,omitempty"`   // it is made for the first one where TwinID is empty
	AccountID string   `json:"accountId,omitempty"` // of what belongs to no twin
	// ModifiedDateTime and LastAccessedDateTime are CreatedDateTime when left out, and none
	// when null.
	ModifiedDateTime     twinplatform.Optional[twinplatform.DateTime] `json:"modifiedDateTime,omitzero"`
	LastAccessedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"lastAccessedDateTime,omitzero"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
}

// Detector is a detector with its versions. It belongs to a principal: to
// SeedOptions.Owner when OwnerID is empty.
type Detector struct {
	realitydata.NewDetector
	OwnerID   string            `json:"ownerId"`
	AccountID string            `json:"accountId"` // that of SeedOptions.Owner when empty
	Versions  []DetectorVersion `json:"versions"`  // in the order in which they are made
}

// DetectorVersion is a version of a detector. It is ready for use unless its
// status says AwaitingData, also by other accounts when it is published.
type DetectorVersion struct {
	realitydata.NewDetectorVersion
	// it can be used by all accounts
	Published bool                      `json:"published"`
	Status    realitydata.VersionStatus `json:"status,omitempty"` // Ready when empty
	// the moment of the seeding when left out, none when null
	CreationDate twinplatform.Optional[twinplatform.DateTime] `json:"creationDate,omitzero"`
	// CreatorID is the owner of the detector when left out. An empty one is the system.
	CreatorID twinplatform.Optional[string] `json:"creatorId,omitzero"`
}

// worldFile is a seed file.
type worldFile struct {
	World

	Buildings []Building `json:"buildings"` // that are made of schedules above
}

// ReadWorld reads a seed. Members that no one would read are refused. The list "buildings" of a seed asks for
// what World.Build adds.
func ReadWorld(r io.Reader) (*World, error) {
	var f worldFile
	if err := readStrictly(r, &f); err != nil {
		return nil, err
	}
	for i, b := range f.Buildings {
		if err := f.Build(b); err != nil {
			return nil, fmt.Errorf("buildings[%d]: %w", i, err)
		}
	}
	return &f.World, f.check()
}

// Write writes the world as a seed, with a line for each record in it.
func (w *World) Write(to io.Writer) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(w)
}

// WriteFile writes the world to a file, which appears with all of it or not at all. It
// is for its owner alone, since it says who may do what.
func (w *World) WriteFile(name string) error {
	part, err := os.OpenFile(name+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err = errors.Join(w.Write(part), part.Sync(), part.Close()); err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part.Name()))
	}
	return err
}
