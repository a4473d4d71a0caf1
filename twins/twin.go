package twins

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Class says what kind of thing a twin stands for.
type Class string

// The classes.
const (
	// Account twins are organizations, the roots of the hierarchy.
	Account Class = "Account"
	// Thing twins are what exists, such as a bridge.
	Thing Class = "Thing"
	// Endeavor twins are what is undertaken, such as its construction.
	Endeavor Class = "Endeavor"
)

var classes = []Class{Account, Thing, Endeavor}

// SubClass divides a class.
type SubClass string

// The subclasses: AccountTwin of class Account; Portfolio and Asset of class
// Thing; Program, Project and WorkPackage of class Endeavor.
const (
	AccountTwin SubClass = "Account"
	Portfolio   SubClass = "Portfolio"
	Asset       SubClass = "Asset"
	Program     SubClass = "Program"
	Project     SubClass = "Project"
	WorkPackage SubClass = "WorkPackage"
)

var subClasses = []SubClass{AccountTwin, Portfolio, Asset, Program, Project, WorkPackage}

// subClassesOf are the subclasses of each class; the first is the default.
var subClassesOf = map[Class][]SubClass{
	Account:  {AccountTwin},
	Thing:    {Asset, Portfolio},
	Endeavor: {Project, Program, WorkPackage},
}

// Status says whether a twin is in use.
type Status string

// The statuses. Inactive twins are left out of lists that do not ask for them.
const (
	Active   Status = "Active"
	Inactive Status = "Inactive"
	Trial    Status = "Trial"
)

var statuses = []Status{Active, Inactive, Trial}

// DataCenterLocation says where the data of a twin is kept.
type DataCenterLocation string

// The data centers.
const (
	EastUS        DataCenterLocation = "East US"
	NorthEurope   DataCenterLocation = "North Europe"
	WestEurope    DataCenterLocation = "West Europe"
	SoutheastAsia DataCenterLocation = "Southeast Asia"
	AustraliaEast DataCenterLocation = "Australia East"
	UKSouth       DataCenterLocation = "UK South"
	CanadaCentral DataCenterLocation = "Canada Central"
	CentralIndia  DataCenterLocation = "Central India"
	JapanEast     DataCenterLocation = "Japan East"
)

var dataCenterLocations = []DataCenterLocation{
	EastUS, NorthEurope, WestEurope, SoutheastAsia, AustraliaEast, UKSouth, CanadaCentral, CentralIndia, JapanEast,
}

// Twin is a project, an asset, or another container of data.
type Twin struct {
	Class Class `json:"class"` // Account, Thing or Endeavor; an account stays one
	// CreatedBy is the id of whoever made the twin; empty for the system.
	CreatedBy          twinplatform.NullString `json:"createdBy"`
	CreatedDateTime    twinplatform.DateTime   `json:"createdDateTime"`    // set by the platform
	DataCenterLocation DataCenterLocation      `json:"dataCenterLocation"` // EastUS until it is set
	// DisplayName is unique within the account.
	DisplayName string `json:"displayName"`
	// GeographicLocation is an address or a city.
	GeographicLocation twinplatform.NullString `json:"geographicLocation"`
	IANATimeZone       twinplatform.NullString `json:"ianaTimeZone"` // such as Europe/Berlin; null when there is none
	ID                 string                  `json:"id"`           // a GUID
	// Image and ImageName are of the twin's image, and null without one.
	Image                twinplatform.NullString `json:"image"`
	ImageName            twinplatform.NullString `json:"imageName"`
	LastModifiedBy       twinplatform.NullString `json:"lastModifiedBy"`       // the id of who changed it last; null for the system
	LastModifiedDateTime twinplatform.DateTime   `json:"lastModifiedDateTime"` // CreatedDateTime until it is changed
	// Latitude is in degrees, north positive.
	Latitude *float64 `json:"latitude"`
	// Longitude is in degrees, east positive.
	Longitude *float64 `json:"longitude"`
	// Number is unique within the account.
	Number string `json:"number"`
	// ParentID is the twin above; empty for an account.
	ParentID twinplatform.NullString `json:"parentId"`
	Status   Status                  `json:"status"`   // Active until it is set
	SubClass SubClass                `json:"subClass"` // one of the class
	// TwinAccountID is the account that the twin belongs to; empty for an
	// account.
	TwinAccountID twinplatform.NullString `json:"twinAccountId"`
	// Type is open-ended, such as Bridge.
	Type twinplatform.NullString `json:"type"`

	// CreatedByType says what CreatedBy is. It is not on the wire.
	CreatedByType twinplatform.PrincipalKind `json:"-"`
}

// Equal reports whether two twins are the same.
func (t Twin) Equal(other Twin) bool {
	if !equalNumbers(t.Latitude, other.Latitude) || !equalNumbers(t.Longitude, other.Longitude) {
		return false
	}
	t.Latitude, t.Longitude, other.Latitude, other.Longitude = nil, nil, nil, nil
	return t == other
}

func equalNumbers(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }

// account is the account that the twin belongs to; an account belongs to itself.
func (t *Twin) account() string {
	if t.Class == Account {
		return t.ID
	}
	return string(t.TwinAccountID)
}

func (t *Twin) target() twinplatform.Target {
	return twinplatform.Target{TwinID: t.ID, AccountID: t.account()}
}

// hiddenTwin is what is stored of a twin beside its wire form.
type hiddenTwin struct {
	CreatedByType *twinplatform.PrincipalKind `json:"createdByType"`
}

var twinRecords = records.Collection[Twin]{
	Name: "twins", Unlisted: true,
	ID:     func(t *Twin) string { return t.ID },
	Hidden: func(t *Twin) any { return &hiddenTwin{&t.CreatedByType} },
	Indexes: []records.Index[Twin]{
		{Name: indexAccount, Value: func(t *Twin) string { return within(t, "") }},
		{Name: indexInUse, Value: func(t *Twin) string {
			if t.Status == Inactive {
				return ""
			}
			return within(t, "")
		}},
		{Name: indexParent, Value: func(t *Twin) string { return string(t.ParentID) }},
		{Name: indexNumber, Value: func(t *Twin) string { return within(t, t.Number) }},
		{Name: indexName, Value: func(t *Twin) string { return within(t, t.DisplayName) }},
		{Name: indexType, Value: func(t *Twin) string {
			if t.Type == "" {
				return ""
			}
			return within(t, string(t.Type))
		}},
		{Name: indexSubClass, Value: func(t *Twin) string { return within(t, string(t.SubClass)) }},
		{Name: indexStatus, Value: func(t *Twin) string { return within(t, string(t.Status)) }},
		{Name: indexRoot, Value: func(t *Twin) string {
			if t.Class == Account {
				return string(Account)
			}
			return ""
		}},
	},
}

// The indexes of twins. All but parent and root are within the account.
const (
	indexAccount  = "account"
	indexInUse    = "in-use"
	indexParent   = "parent"
	indexNumber   = "number"
	indexName     = "name"
	indexType     = "type"
	indexSubClass = "subclass"
	indexStatus   = "status"
	indexRoot     = "root"
)

// within is a value as it is indexed, within the twin's account.
func within(t *Twin, value string) string { return indexed(t.account(), value) }

// indexed names a value within an account.
func indexed(account, value string) string { return account + "\x01" + value }

// node is a twin as the way up the hierarchy needs it. It reads the records of
// twinRecords without their many other members, and never writes any.
type node struct {
	Class         Class                   `json:"class"`
	ID            string                  `json:"id"`
	ParentID      twinplatform.NullString `json:"parentId"`
	TwinAccountID twinplatform.NullString `json:"twinAccountId"`
}

var nodeRecords = records.Collection[node]{
	Name: twinRecords.Name, Unlisted: true,
	ID: func(n *node) string { return n.ID },
}

func (n *node) account() string {
	if n.Class == Account {
		return n.ID
	}
	return string(n.TwinAccountID)
}
