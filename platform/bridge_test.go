package platform

// ReadFormats has the platform be of a version that reads formats of stored records, and writes the
// newest.
func (p *Platform) ReadFormats(oldest, newest int) { p.formats = formats{oldest, newest} }
