package twins

// foldAddress is an address with its ASCII letters in lower case. All others are left
// alone: Unicode has letters that fold to ASCII ones, such as the Kelvin sign and the
// long s, and addresses with them belong to another principal.
func foldAddress(address string) string {
	b := []byte(address)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// SameAddress reports whether two email addresses are one: in upper or lower case, where
// case differs only outside ASCII. An empty address is that of no principal, and so is not
// the same as another one. A Directory compares addresses by it.
func SameAddress(a, b string) bool { return a != "" && foldAddress(a) == foldAddress(b) }
