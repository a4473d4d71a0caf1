package console

import (
	"fmt"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// nearlyFull is the share of a budget from which on it is shown as a warning, which is also
// the one from which the platform logs it.
const nearlyFull = 0.8

// storage shows how much of the budgets of bytes is used, where there are any.
func (r *request) storage() html.Node {
	if r.console.cfg.Room == nil {
		return html.Node{}
	}
	rooms := r.console.cfg.Room(r.who.principal, r.operator())
	if len(rooms) == 0 {
		return html.Node{}
	}
	return html.El("section", html.Attr("aria-labelledby", "storage"),
		html.El("h2", html.Attr("id", "storage"), html.Text("Storage")),
		dataTable("How many bytes are used", []string{"Of", "#Used", "#Allowed", "State"}, storageRows(rooms), ""))
}

func storageRows(rooms []Room) (rows []html.Node) {
	for _, m := range rooms {
		allowed := html.Text("any number")
		state := html.El("span", html.Class("tag good"), html.Text("room left"))
		switch share := float64(m.Used) / float64(max(m.Allowed, 1)); {
		case m.Allowed == 0:
			state = html.El("span", html.Class("muted"), html.Text("no budget"))
		case share >= 1:
			state = html.El("span", html.Class("tag bad"), html.Text("full: deletions make room"))
		case share > nearlyFull:
			state = html.El("span", html.Class("tag warn"), html.Textf("%.0f %% used", 100*share))
		}
		if m.Allowed > 0 {
			allowed = html.Text(bytesText(m.Allowed))
		}
		rows = append(rows, html.El("tr", html.El("th", html.Attr("scope", "row"), html.Text(m.Name)),
			number(html.Text(bytesText(m.Used))), number(allowed), cell(state)))
	}
	return rows
}

// bytesText is a number of bytes as people read it.
func bytesText(n int64) string {
	const unit = 1 << 10
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, at := float64(n)/unit, 0
	for ; value >= unit && at < 4; at++ {
		value /= unit
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTP"[at])
}
