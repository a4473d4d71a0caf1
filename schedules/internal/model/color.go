package model

import (
	"encoding/hex"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Color is what CheckColor takes.
var Color = schema.Length(7, 7).And(schema.Pattern("^#[0-9A-Fa-f]{6}$", "#3366ff"))

// CheckColor checks that a color is a # and six hexadecimal digits.
func CheckColor(c *problem.Checks, name, color string) {
	digits, ok := strings.CutPrefix(color, "#")
	if _, err := hex.DecodeString(digits); err != nil || !ok || len(digits) != 6 {
		c.Bad(name, "A color has the form #rrggbb.")
	}
}

// CheckTransparency checks that a transparency is a percentage.
func CheckTransparency(c *problem.Checks, name string, percent int32) {
	if percent < 0 || percent > 100 {
		c.Bad(name, "A transparency is 0 to 100.")
	}
}
