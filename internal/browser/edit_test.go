package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

func TestATaskIsFoundAndItsDurationIsChanged(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/mp-j30-a2-nr1")
	b.do(chromedp.SendKeys(chromedp.CSS(`input[name="search"]`), "P1-Task 7"))
	b.click(button("Show"))
	b.click(`(//main//a[@class="to"])[1]`)
	b.look("a task")
	b.click(link("Edit"))
	b.look("the form of a task")
	b.do(chromedp.SetValue(chromedp.CSS("#m-plannedDuration"), "much"))
	b.click(button("Save"))
	if wrong := b.text("#m-plannedDuration-wrong"); wrong == "" {
		t.Error("the field does not say what is wrong with it")
	}
	b.look("the form with what is wrong")
	b.do(chromedp.SetValue(chromedp.CSS("#m-plannedDuration"), "3 d"))
	b.click(button("Save"))
	b.shows("The changes were saved", "3 d")
	b.click(link("Delete"))
	b.shows("cannot be undone", "Task links by predecessor")
	b.look("the deletion of a task")
	b.click(button("Delete"))
	b.shows("is being deleted")
}
