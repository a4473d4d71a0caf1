package console

// cardView is a first step with the page where it is done.
type cardView struct{ Title, Text, Path string }

// Tour are the first steps on the first page, as long as the viewer sees nothing in the platform:
// no twin and no webhook. After that, and where the API does not say, there are none.
func (r *request) Tour() (cards []cardView) {
	served := r.console.areas
	for _, list := range []struct{ area, target, member string }{
		{"twins", "/twins?$top=1&includeInactive=true", "twins"}, {"webhooks", "/webhooks", "webhooks"},
	} {
		if !served[list.area] {
			continue
		}
		if found, _, err := r.objects(list.target, list.member); err != nil || len(found) > 0 {
			return nil
		}
	}
	if served["twins"] && served["schedules"] && r.Writable() {
		cards = append(cards, cardView{
			"Import a plan", "Make a twin, then a schedule in it, and give it a file of Primavera P6 or Microsoft " +
				"Project.",
			"/edit/twins.create?next=/schedules",
		})
	}
	if served["webhooks"] && r.Writable() {
		text := "Have events sent to an address of yours."
		if r.console.cfg.Inbox != nil {
			text = "Have events sent to an address of yours, or receive them here and see what comes."
		}
		cards = append(cards, cardView{"Make a webhook", text, "/edit/webhooks.create"})
	}
	if r.console.cfg.Journal != nil {
		cards = append(cards, cardView{
			"Look at requests", "See what your client sent last, what was answered, and what nothing has read.",
			"/requests",
		})
	}
	return append(cards, cardView{"Run a test", "Send any operation by a form, and see what it answers.", "/try"})
}
