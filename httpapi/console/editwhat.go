package console

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

// redirected is an answer that sends the browser on.
type redirected string

// Error implements error.
func (to redirected) Error() string { return "the browser is sent to " + string(to) }

// maxNamed is how many of what is deleted with a record are named, for each list below it.
const maxNamed = 5

// goneView is a list with what is deleted of it.
type goneView struct{ Link, Title, Count string }

// goes is what is deleted with a record: what the lists below it have, as far as the viewer
// may see it.
func (e *edit) goes(r *request) (gone []goneView, err error) {
	var lists []below
	if e.of != nil {
		lists = r.served(e.of.below)
	}
	for _, b := range lists {
		target := fill(b.list, e.ids)
		path, _, _ := strings.Cut(target, "?")
		for i := range kinds {
			k := &kinds[i]
			if _, ok := match(k.list, path); !ok {
				continue
			}
			list, next, err := r.objects(target, k.member)
			if refusedWith(
				err, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusBadRequest,
			) {
				break
			}
			if err != nil {
				return nil, err
			}
			if len(list) > 0 {
				gone = append(gone, goneView{r.pageOf(target), b.title, counted(k, list, next != "")})
			}
			break
		}
	}
	return gone, nil
}

// counted is how many there are in a list, with the names of the first.
func counted(k *kind, list []object, more bool) string {
	text := fmt.Sprintf(": %d", len(list))
	if more {
		text = fmt.Sprintf(": more than %d", len(list))
	}
	names := []string{}
	for _, o := range list[:min(len(list), maxNamed)] {
		name := ""
		if k.name != "" {
			name = o.text(k.name)
		}
		name = cmp.Or(name, o.text(strings.Fields(k.columns + " id")[0]), o.text(cmp.Or(k.key, "id")))
		names = append(names, shortened(name, 60))
	}
	text += " (" + strings.Join(names, ", ")
	if len(list) > maxNamed {
		text += " …"
	}
	return text + ")"
}

// maxChoices is how many records a field offers.
const maxChoices = 200

// chosenFrom are the lists whose records members name, by the name of the member.
var chosenFrom = map[string]string{
	"roleIds": "/access-control/twins/{}/roles", "calendarId": "/schedules/{}/calendars",
	"predecessorId": "/schedules/{}/tasks", "successorId": "/schedules/{}/tasks", "parentId": "",
	"twinId": "/twins", "formId": "/forms/formDefinitions",
}

// choicesOf are the records that a member may name, where they are in a list below the same
// record; none where there are more than a field offers.
func (r *request) choicesOf(e *edit, member string) [][2]string {
	list := chosenFrom[member]
	if member == "parentId" && e.of != nil && strings.HasPrefix(e.of.list, "/schedules/{}/") {
		list = e.of.list
	}
	if list == "" || strings.Count(list, "{}") > len(e.ids) {
		return nil
	}
	for i := range kinds {
		k := &kinds[i]
		if k.list != list || !r.console.areas[k.area] || k.twin != "" && e.twin == "" {
			continue
		}
		choices := [][2]string{}
		// lists have that much on a page
		target := fill(list, e.ids) + "?" + queryOf([]string{"$top", "50", k.twin, e.twin})
		for o, err := range records[object](r, target, k.member) {
			if err != nil || len(choices) == maxChoices {
				return nil
			}
			choices = append(choices, [2]string{o.text("id"), cmp.Or(o.text(k.name), o.text("id"))})
		}
		return choices
	}
	return nil
}
