package console

import (
	"net/http"
)

// plannerFormats are the formats of planning tools, with what users call them.
var plannerFormats = []string{
	"XER", "Primavera P6 (XER)", "P6XML", "Primavera P6 (XML)", "MSPDI", "Microsoft Project (XML)",
}

// exportPageView has a button for each format of a planning tool, and the file that was made.
type exportPageView struct {
	*request
	Undrawn bool // the schedule is of v6.5
	Made    *exportedView
	Formats []optionView
}

// exportedView is the export that the address names: its file and its warnings. Until it is
// made, Operation leads to how far it is.
type exportedView struct {
	Operation string
	File      string
	Warnings  []object
}

func exportPage(r *request) (view, error) {
	if err := r.inSchedule("Export"); err != nil {
		return view{}, err
	}
	page := exportPageView{request: r, Undrawn: r.undrawn, Formats: options("", plannerFormats...)}
	if r.undrawn {
		return r.show("export", page)
	}
	var err error
	if page.Made, err = r.exported(); err != nil {
		return view{}, err
	}
	return r.show("export", page)
}

// exported is the export that the address names, if it names one.
func (r *request) exported() (*exportedView, error) {
	id := r.Query("synchronizer")
	if id == "" {
		return nil, nil
	}
	var body object
	if _, err := r.get(r.schedule()+"/imports/planner"+at("synchronizers", id), &body); err != nil {
		if !refusedWith(err, http.StatusNotFound) {
			return nil, err
		}
		return &exportedView{Operation: r.PlanLink(at("operations", r.Query("operation")))}, nil
	}
	warnings := body.objects("synchronizer.synchronizationDetails.warnings")
	return &exportedView{
		File: r.PlanLink(at("export", id, "file")), Warnings: warnings[:min(len(warnings), maxListed)],
	}, nil
}

// exportPlan makes the file, and leads to where it is.
func exportPlan(r *request) (target, error) {
	a, err := r.create(r.schedule()+"/exports/planner", map[string]string{"format": r.PostFormValue("format")})
	if err != nil {
		return target{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	query := []string{"synchronizer", body.text("synchronizer.id"), "operation", body.text("operation.id")}
	return to(r.schedule()+"/export", query...).withNotice("The export was started."), nil
}

// exportedFile is the file of an export.
func exportedFile(r *request) download {
	path := r.schedule() + "/exports/planner" + at("synchronizers", r.PathValue("synchronizer"), "file")
	return download{path: path, unnamed: "plan"}
}
