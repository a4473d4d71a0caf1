package cycle

// MaxDepth and MaxValues are the bounds of a body.
const (
	MaxDepth  = maxDepth
	MaxValues = maxValues
)
