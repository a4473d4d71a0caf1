package site

import "time"

// Timeline is how an entity of the 3D model changes, as the API answers it, as far as a page takes it.
type Timeline struct {
	AnimatedEntityID string
	Moments          []change
	Paths            []path
}

// change is a moment of a timeline. Members that are null have their zero values.
type change struct {
	Time                    time.Time
	IsPresent               bool
	IsStatusCritical        bool
	Color                   string
	Transparency            float64
	UseOriginalTransparency bool
	Matrix                  []float64
	Growth                  *struct {
		IsRemoving bool
		Share      float64
		Plane      *struct {
			Normal vector
			Offset float64
		}
	}
	Why struct {
		AppearanceProfileID, Phase, ResourceStatusItemID, TaskID string
	}
	Until *struct {
		Transparency       float64
		Share, PlaneOffset *float64
		Motion             *struct {
			Animation3DPathAssignmentID string
			Anchor                      vector
			From, To                    float64
			Matrix                      []float64
		}
	}
}

// path is one that an entity moves along.
type path struct {
	Animation3DPathAssignmentID string
	Positions                   []struct {
		Share float64
		vector
	}
	Turns []struct {
		Share, W float64
		vector
	}
}

type vector struct{ X, Y, Z float64 }

// Element is an element of a model, as the API answers it, as far as a page takes it.
type Element struct {
	ID, Code, Category, GeometryHash string
	BoundingBox                      *struct{ Low, High vector }
	Properties                       map[string]any
	Geometry                         []byte // of a single element
}
