// Package filter decides which elements of a model a saved view lets through, and brings
// a target to that: what is visible as it is, what is above it cleared, and nothing else.
// It reads and writes through small interfaces and knows nothing of stores.
package filter

// Element is what a view knows of an element.
type Element struct {
	ID       string
	Category string // empty for what is nothing to look at
	SubModel string
	Created  int // index of the changeset that inserted it
}

// View is what a saved view shows.
type View struct {
	// Changeset is the index of the one at which the view was made: what was inserted
	// later is new to it.
	Changeset int
	// IncludeNew lets through what is new, unless the view hides it by a name.
	IncludeNew bool

	Always, Never map[string]bool // ids of elements
	Exclusive     bool            // of what is not new, only Always is shown

	// Shown and hidden categories and sub-models. Where none is shown by its name, all
	// are that are not hidden.
	ShownCategories, HiddenCategories map[string]bool
	ShownModels, HiddenModels         map[string]bool
	// Overrides decide whether a category within a sub-model is shown.
	Overrides map[Override]bool
}

// Override is a category within a sub-model.
type Override struct{ SubModel, Category string }

// Shows reports whether an element is visible.
func (v *View) Shows(e Element) bool {
	switch {
	case e.Category == "" || v.Never[e.ID]:
		return false
	case v.Always[e.ID]:
		return true
	case v.hides(e):
		return false
	case e.Created > v.Changeset:
		return v.IncludeNew
	}
	return !v.Exclusive && v.shows(e)
}

// hides reports whether the view hides an element by the name of its category or of
// its sub-model.
func (v *View) hides(e Element) bool {
	if e.SubModel != "" && v.HiddenModels[e.SubModel] {
		return true
	}
	shown, overridden := v.Overrides[Override{e.SubModel, e.Category}]
	if overridden {
		return !shown
	}
	return v.HiddenCategories[e.Category]
}

// shows reports whether the view shows an element that it does not hide.
func (v *View) shows(e Element) bool {
	if e.SubModel != "" && len(v.ShownModels) > 0 && !v.ShownModels[e.SubModel] {
		return false
	}
	return v.Overrides[Override{e.SubModel, e.Category}] || len(v.ShownCategories) == 0 || v.ShownCategories[e.Category]
}
