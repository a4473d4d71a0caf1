package cli

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/pdf"
)

// pictured reports whether a picture is wanted.
func (c *command) pictured() bool { return c.format == "svg" || c.format == "pdf" }

// picture writes a picture as it is, or on a page of A4.
func (c *command) picture(draw func(io.Writer) error) error {
	if c.format == "svg" {
		return draw(c.out)
	}
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		return err
	}
	var d pdf.Document
	if err := d.Add(b.Bytes(), pdf.A4); err != nil {
		return err
	}
	c.replaced(d.Replaced())
	_, err := d.WriteTo(c.out)
	return err
}

// replaced warns of letters that a PDF does not have.
func (c *command) replaced(letters int) {
	if letters > 0 {
		fmt.Fprintf(c.errs, "%s: warning: %d letters are not in the fonts of PDF, and are question marks; an .svg "+
			"has them\n", c.program, letters)
	}
}
