package planner

import "slices"

// taskText is a member of tasks that all formats have as a plain text, by what each calls it.
type taskText struct {
	xer, p6, mspdi string
	of             func(*Task) *string
}

// taskTexts lists the texts of tasks that every format reads and writes unchanged.
var taskTexts = []taskText{
	{"task_name", "Name", "Name", func(t *Task) *string { return &t.Name }},
	{"guid", "GUID", "GUID", func(t *Task) *string { return &t.ExternalID }},
}

func inXER(m *taskText) string   { return m.xer }
func inP6XML(m *taskText) string { return m.p6 }
func inMSPDI(m *taskText) string { return m.mspdi }

// readTexts gives the task what a file has under the names of a format.
func (t *Task) readTexts(in func(*taskText) string, take func(name string) string) {
	for i := range taskTexts {
		*taskTexts[i].of(t) = take(in(&taskTexts[i]))
	}
}

// writeTexts adds the texts of the task under the names of a format.
func (t *Task) writeTexts(in func(*taskText) string, v values) {
	for i := range taskTexts {
		v[in(&taskTexts[i])] = *taskTexts[i].of(t)
	}
}

// withTaskTexts are columns of the table of tasks in XER, with those of all texts.
func withTaskTexts(columns ...string) []string {
	for i := range taskTexts {
		if !slices.Contains(columns, taskTexts[i].xer) {
			columns = append(columns, taskTexts[i].xer)
		}
	}
	return columns
}
