package forms

import "slices"

// State is the category that a form's status belongs to.
type State string

// The states of a form.
const (
	StateDraft  State = "Draft"
	StateOpen   State = "Open"
	StateClosed State = "Closed"
)

var states = []State{StateOpen, StateClosed, StateDraft}

// Workflow is which statuses the forms of a type have. A form may move from any of them
// to any other.
type Workflow struct {
	// Initial is the status of a form that is created without one.
	Initial string
	// Statuses are all that there are, Initial among them.
	Statuses []WorkflowStatus
}

// WorkflowStatus is one status of a workflow.
type WorkflowStatus struct {
	Name string // what Form.Status says
	// State is the category of the status.
	State State
	// Color is a hint of the form #rrggbb; empty for none.
	Color string
}

// DefaultWorkflow is the workflow of the form types that were given none:
//
//	Draft                            Draft
//	Open, In Progress, In Review     Open
//	Approved, Rejected, Closed       Closed
//
// Forms begin as Open.
func DefaultWorkflow() Workflow {
	return Workflow{Initial: "Open", Statuses: []WorkflowStatus{
		{"Draft", StateDraft, "#9e9e9e"},
		{"Open", StateOpen, "#1e88e5"},
		{"In Progress", StateOpen, "#fdd835"},
		{"In Review", StateOpen, "#fb8c00"},
		{"Approved", StateClosed, "#43a047"},
		{"Rejected", StateClosed, "#e53935"},
		{"Closed", StateClosed, "#546e7a"},
	}}
}

// status returns a status by its name.
func (w Workflow) status(name string) (WorkflowStatus, bool) {
	i := slices.IndexFunc(w.Statuses, func(s WorkflowStatus) bool { return s.Name == name })
	if i < 0 {
		return WorkflowStatus{}, false
	}
	return w.Statuses[i], true
}

func (w Workflow) names() []string {
	names := make([]string, len(w.Statuses))
	for i, s := range w.Statuses {
		names[i] = s.Name
	}
	return names
}

// workflow returns the workflow of a form type.
func (s *Service) workflow(formType string) Workflow {
	if w, ok := s.cfg.Workflows[formType]; ok {
		return w
	}
	if w, ok := s.cfg.Workflows[""]; ok {
		return w
	}
	return DefaultWorkflow()
}
