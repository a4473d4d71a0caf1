package problem

import (
	"fmt"
	"slices"
	"strings"
)

// Unknown reports that a name is none of those that are known, and which of them it is
// nearest to: a misspelt one is refused, rather than kept and never asked for.
func Unknown(what, name string, known []string) string {
	// What a name begins with counts twice: it says what the name is about.
	far := func(other string) int {
		alike := 0
		for alike < min(len(name), len(other)) && strings.EqualFold(name[:alike+1], other[:alike+1]) {
			alike++
		}
		return Distance(other, name) - alike
	}
	near := slices.MinFunc(known, func(a, b string) int { return far(a) - far(b) })
	return fmt.Sprintf("There is no %s '%.100s'; did you mean '%s'?", what, name, near)
}

// Distance is the number of characters to insert, delete or replace between two
// words, whatever their case (Levenshtein).
func Distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
