package twins

import (
	"cmp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // which names are time zones is the same on every machine

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Class is the kind of object that a twin stands for.
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

// Status is whether a twin is in use.
type Status string

// The statuses. Inactive twins are left out of lists that do not ask for them.
const (
	Active   Status = "Active"
	Inactive Status = "Inactive"
	Trial    Status = "Trial"
)

var statuses = []Status{Active, Inactive, Trial}

// DataCenterLocation is where the data of a twin is kept.
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
	// CreatedBy is the id of the caller who made the twin; empty for the system.
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
	Image     twinplatform.NullString `json:"image"`
	ImageName twinplatform.NullString `json:"imageName"`
	// the id of who changed it last; null for the system
	LastModifiedBy       twinplatform.NullString `json:"lastModifiedBy"`
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

	// CreatedByType is what CreatedBy is. It is not on the wire.
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

// ofAccount is the whole account of the twin.
func (t *Twin) ofAccount() twinplatform.Target { return twinplatform.Target{AccountID: t.account()} }

// hiddenTwin is what is stored of a twin in addition to its wire form.
type hiddenTwin struct {
	CreatedByType *twinplatform.PrincipalKind `json:"createdByType"`
}

var twinRecords = records.Collection[Twin]{
	Name: "twins", Untracked: true,
	ID:     func(t *Twin) string { return t.ID },
	Hidden: func(t *Twin) any { return &hiddenTwin{&t.CreatedByType} },
	Indexes: []records.Index[Twin]{
		{Name: indexAccount, Value: func(t *Twin) string { return t.indexed("") }},
		{Name: indexInUse, Value: func(t *Twin) string {
			if t.Status == Inactive {
				return ""
			}
			return t.indexed("")
		}},
		{Name: indexParent, Value: func(t *Twin) string { return string(t.ParentID) }},
		{Name: indexNumber, Value: func(t *Twin) string { return t.indexed(t.Number) }},
		{Name: indexName, Value: func(t *Twin) string { return t.indexed(t.DisplayName) }},
		{Name: indexType, Value: func(t *Twin) string {
			if t.Type == "" {
				return ""
			}
			return t.indexed(string(t.Type))
		}},
		{Name: indexSubClass, Value: func(t *Twin) string { return t.indexed(string(t.SubClass)) }},
		{Name: indexStatus, Value: func(t *Twin) string { return t.indexed(string(t.Status)) }},
		{Name: indexRoot, Value: func(t *Twin) string {
			if t.Class == Account {
				return string(Account)
			}
			return ""
		}},
	},
}

var twinKind = entity.Kind[Twin, NewTwin, TwinPatch]{
	Records: &twinRecords, One: "twin", Many: "twins", Resource: "twin",
	Missing: twinMissing, Bad: &InvalidRequest,
	Members: func(t *Twin, n *NewTwin, p *TwinPatch) []entity.Member {
		return []entity.Member{
			entity.Text("id", &t.ID, &n.ID, nil),
			entity.Optional("ianaTimeZone", &t.IANATimeZone, &n.IANATimeZone, &p.IANATimeZone).Valid(checkZone,
				schema.Value{Example: "Europe/Berlin"}),
			entity.Enum("class", &t.Class, &n.Class, &p.Class, classes).Required().Blank(empty),
			entity.Enum("subClass", &t.SubClass, &n.SubClass, &p.SubClass,
				subClasses).Blank(empty).Valid(func(c *problem.Checks, _ string, v SubClass) {
				checkSubClass(c, cmp.Or(n.Class, p.Class.Or(t.Class)), v)
			}),
			entity.Text("displayName", &t.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxText).Required(),
			entity.Text("number", &t.Number, &n.Number, &p.Number).Max(MaxText).Valid(checkNumber),
			entity.Text("type", &t.Type, &n.Type, &p.Type).Max(MaxType),
			entity.Text("geographicLocation", &t.GeographicLocation, &n.GeographicLocation,
				&p.GeographicLocation).Max(MaxText),
			entity.Part("latitude", &t.Latitude, &n.Latitude, &p.Latitude, degrees(90), schema.Range(-90, 90)),
			entity.Part("longitude", &t.Longitude, &n.Longitude, &p.Longitude, degrees(180), schema.Range(-180, 180)),
			entity.Enum("dataCenterLocation", &t.DataCenterLocation, &n.DataCenterLocation, &p.DataCenterLocation,
				dataCenterLocations).Default(EastUS).Blank(empty),
			entity.Enum("status", &t.Status, &n.Status, &p.Status, statuses).Default(Active).Blank(empty),
			entity.Text("parentId", &t.ParentID, &n.ParentID, &p.ParentID).Refers(&twinRecords),
		}
	},
	AfterCreate: func(t *Twin, _ *NewTwin, c *problem.Checks) {
		t.derive()
		if t.Class == Account && t.ParentID != "" {
			c.Bad("parentId", "An account has no parent.")
		}
	},
	AfterUpdate: func(t, stored *Twin, p *TwinPatch, c *problem.Checks) {
		if t.derive(); !p.SubClass.Present() {
			checkSubClass(c, t.Class, t.SubClass)
		}
		if t.Class != stored.Class && (t.Class == Account || stored.Class == Account) {
			c.Bad("class", "A twin does not become an account, nor an account another twin.")
		}
		switch {
		case stored.Class == Account && t.ParentID != "":
			c.Bad("parentId", "An account has no parent.")
		case stored.Class == Account:
		case p.ParentID.IsNull():
			t.ParentID = t.TwinAccountID
		case p.ParentID.Present() && t.ParentID == "":
			c.Bad("parentId", "The value of 'parentId' is the id of a twin, or null for a twin directly below the "+
				"account.")
		}
	},
	Taken: func(t *Twin) error {
		return taken(twinExists, "twin", problem.BadValue("id", "Another twin has the id '%s'.", t.ID))
	},
}

// derive sets the members that follow from others.
func (t *Twin) derive() {
	if of := subClassesOf[t.Class]; of != nil && t.SubClass == "" {
		t.SubClass = of[0]
	}
	if t.Number == "" {
		t.Number = t.ID
	}
}

// checkSubClass checks that a subclass is one of the class, where both are known.
func checkSubClass(c *problem.Checks, class Class, v SubClass) {
	of := subClassesOf[class]
	if of != nil && slices.Contains(subClasses, v) && !slices.Contains(of, v) {
		c.Bad("subClass", "The value of 'subClass' for the class %s is one of %s.", class, problem.Alternatives(of))
	}
}

func empty[E ~string](v E) bool { return v == "" }

// checkNumber checks a number that may be empty: the id takes its place.
func checkNumber(c *problem.Checks, name, value string) {
	if value != "" && strings.TrimSpace(value) == "" {
		c.Bad(name, "The value of '%s' is blank.", name)
	}
}

// degrees checks a coordinate.
func degrees(limit float64) func(c *problem.Checks, name string, value *float64) {
	return func(c *problem.Checks, name string, value *float64) {
		if !(*value >= -limit && *value <= limit) {
			c.Bad(name, "The value of '%s' is a number from %.1f to %.1f.", name, -limit, limit)
		}
	}
}

// checkZone checks that a name is in the IANA time zone database. Machines keep other
// files next to it that load as zones.
func checkZone(c *problem.Checks, name, zone string) {
	other := slices.Contains([]string{"", "Local", "localtime", "posixrules"}, zone) ||
		strings.HasPrefix(zone, "posix/") || strings.HasPrefix(zone, "right/")
	if _, err := time.LoadLocation(zone); other || err != nil {
		c.Bad(name, "The value of '%s' is not the name of an IANA time zone, such as Europe/Berlin.", name)
	}
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

// indexed is a value as it is indexed, within the twin's account.
func (t *Twin) indexed(value string) string { return indexed(t.account(), value) }

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
	Name: twinRecords.Name, Untracked: true,
	ID: func(n *node) string { return n.ID },
}

func (n *node) account() string {
	if n.Class == Account {
		return n.ID
	}
	return string(n.TwinAccountID)
}
